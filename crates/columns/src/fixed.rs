//! Columns that every table has, whatever its records are of.

use std::borrow::Cow;

use airtime_lab::Figure;
use airtime_lab::quantity::Quantity;
use airtime_lab::record::{LabFigure, Measured, Negotiated};
use serde::Serialize;

use crate::Row;
use crate::column::{Column, Type};
use crate::rows::Unfit;

/// Column that every table has.
#[derive(Clone, Copy, Debug)]
pub struct FixedColumn {
    /// Name of the column: the path to the field of the record that it is, or of what is derived from several.
    pub name: &'static str,
    /// Sentence on what it holds.
    pub says: &'static str,
    pub(crate) cell: Cell,
}

impl FixedColumn {
    /// Type of the values, in words: `text`, `number`, `whole number`, `true or false`, `list of numbers`, `JSON`.
    pub const fn values(&self) -> &'static str {
        match self.cell {
            Cell::Json(_) => "JSON",
            cell => cell.kind().words(),
        }
    }
}

/// Content of the cells of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell {
    Text(for<'a> fn(&Row<'a>) -> Option<Cow<'a, str>>),
    /// Text that is a document of JSON: what has parts of its own.
    Json(fn(&Row<'_>) -> Option<String>),
    Number(fn(&Row<'_>) -> Option<f64>),
    Count(fn(&Row<'_>) -> Option<u64>),
    Seed(fn(&Row<'_>) -> u64),
    Flag(fn(&Row<'_>) -> Option<bool>),
    Numbers(for<'a> fn(&Row<'a>) -> &'a [f64]),
}

impl Cell {
    /// Type of the column.
    pub const fn kind(self) -> Type {
        match self {
            Self::Text(_) | Self::Json(_) => Type::Text,
            Self::Number(_) => Type::Number,
            Self::Count(_) => Type::Count,
            Self::Seed(_) => Type::Seed,
            Self::Flag(_) => Type::Flag,
            Self::Numbers(_) => Type::Numbers,
        }
    }

    /// Adds the cell of `row` to the column called `name`.
    pub fn add(self, row: &Row<'_>, name: &str, column: &mut Column) -> Result<(), Unfit> {
        match (self, column) {
            (Self::Text(of), Column::Text(values)) => values.append_option(of(row)),
            (Self::Json(of), Column::Text(values)) => values.append_option(of(row)),
            (Self::Number(of), Column::Number(values)) => {
                values.append_option(of(row).filter(|number| number.is_finite()))
            }
            (Self::Count(of), Column::Count(values)) => {
                values.append_option(of(row).map(|count| counted(row, name, count)).transpose()?);
            }
            (Self::Seed(of), Column::Seed(values)) => values.append_value(of(row)),
            (Self::Flag(of), Column::Flag(values)) => values.append_option(of(row)),
            (Self::Numbers(of), Column::Numbers(values)) => {
                values.values().append_slice(of(row));
                values.append(true);
            }
            _ => unreachable!("a column is made for its cells"),
        }
        Ok(())
    }
}

/// A count with a sign.
pub(crate) fn counted(row: &Row<'_>, name: &str, count: u64) -> Result<i64, Unfit> {
    let unfit = |_| Unfit::TooLarge { id: row.record.id.clone(), column: name.to_owned(), value: count };
    i64::try_from(count).map_err(unfit)
}

/// The columns that every table has, in their order.
pub fn fixed_columns() -> &'static [FixedColumn] {
    COLUMNS
}

const fn text(name: &'static str, says: &'static str, of: for<'a> fn(&Row<'a>) -> Option<Cow<'a, str>>) -> FixedColumn {
    FixedColumn { name, says, cell: Cell::Text(of) }
}

const fn json(name: &'static str, says: &'static str, of: fn(&Row<'_>) -> Option<String>) -> FixedColumn {
    FixedColumn { name, says, cell: Cell::Json(of) }
}

const fn number(name: &'static str, says: &'static str, of: fn(&Row<'_>) -> Option<f64>) -> FixedColumn {
    FixedColumn { name, says, cell: Cell::Number(of) }
}

const fn count(name: &'static str, says: &'static str, of: fn(&Row<'_>) -> Option<u64>) -> FixedColumn {
    FixedColumn { name, says, cell: Cell::Count(of) }
}

const fn flag(name: &'static str, says: &'static str, of: fn(&Row<'_>) -> Option<bool>) -> FixedColumn {
    FixedColumn { name, says, cell: Cell::Flag(of) }
}

const COLUMNS: &[FixedColumn] = &[
    text("plan", "Name of the plan.", |row| Some(row.plan.into())),
    text("airtime", "Version of the program that has made the record.", |row| Some(row.version.into())),
    text(
        "digest",
        "Digest of all that the record depends on: equal ones are of the same point. Of run folders alone.",
        |row| row.digest.map(Cow::from),
    ),
    text("id", "The row's identifier, or the plan's name with the point's number.", |row| {
        Some((&*row.record.id).into())
    }),
    text("label", "Label that tells the point from its neighbours.", |row| Some((&*row.record.label).into())),
    text("link", "Kind of link.", |row| Some((&*row.record.link).into())),
    FixedColumn { name: "seed", says: "Seed of the first run.", cell: Cell::Seed(|row| row.record.seed) },
    text("outcome", "`ok`, or how the run failed.", |row| Some((&*row.record.outcome).into())),
    text("radio", "`real` or `live`; nothing of a virtual radio.", |row| row.record.radio.as_deref().map(Cow::from)),
    number("goodput_kbps.median", "Goodput, median of the runs.", |row| Some(row.record.goodput_kbps.median)),
    number("goodput_kbps.low", "Goodput, lowest of the runs.", |row| Some(row.record.goodput_kbps.low)),
    number("goodput_kbps.high", "Goodput, highest of the runs.", |row| Some(row.record.goodput_kbps.high)),
    count("goodput_kbps.runs", "Number of runs, one for each seed.", |row| Some(row.record.goodput_kbps.runs.into())),
    number("latency_ms.p50", "Median of the delay.", |row| Some(row.record.latency_ms?.p50)),
    number("latency_ms.p95", "95th percentile of the delay.", |row| Some(row.record.latency_ms?.p95)),
    number("latency_ms.p99", "99th percentile of the delay.", |row| Some(row.record.latency_ms?.p99)),
    number("accepted_kbps", "Goodput that the sender's stack took, where it differs.", |row| row.record.accepted_kbps),
    number("worst_link_kbps", "Goodput of the link that carries least, of several.", |row| {
        Figure::WorstLink.of(row.record)
    }),
    number("loss_pct", "Share that was lost of what left the sender.", |row| Figure::Loss.of(row.record)),
    number("together.goodput_kbps", "Goodput of all links.", |row| Some(row.record.together?.goodput_kbps)),
    number("together.fairness", "Jain's index of the links' goodputs.", |row| Some(row.record.together?.fairness)),
    number("calls.ms_per_call", "Time of a remote call, mean over the benchmarks.", |row| {
        Figure::CallTime.of(row.record)
    }),
    number("calls.latency_ms.p99", "99th percentile of the time of a call, longest of the benchmarks.", |row| {
        Figure::CallP99.of(row.record)
    }),
    count("ram.octets", "Octets of buffers in the RAM of all chips.", |row| {
        let ram = &row.record.ram;
        (!ram.is_empty()).then(|| ram.iter().fold(0, |sum, class| class.octets.saturating_add(sum)))
    }),
    count("delivered_bytes", "Octets of payload that arrived in the steady state of the first run.", |row| {
        Some(row.record.delivered_bytes)
    }),
    count("elapsed_ns", "Time of the first run, connect to end; the accounts of `ledger_ns` sum to it.", |row| {
        Some(row.record.elapsed_ns)
    }),
    count("setup_ns", "Time from connect to the first payload.", |row| Some(row.record.setup_ns)),
    count("steady_ns", "Time of the steady state.", |row| Some(row.record.steady_ns)),
    FixedColumn {
        name: "series_kbps",
        says: "Goodput of every whole second of the first run.",
        cell: Cell::Numbers(|row| &row.record.series_kbps),
    },
    text("bottleneck.account", "Account that cost most.", |row| Some((&*row.record.bottleneck.account).into())),
    text("bottleneck.says", "Sentence on that account.", |row| Some((&*row.record.bottleneck.says).into())),
    text("negotiated.conn_interval", "Connection interval agreed on.", |row| {
        terms(row).map(|terms| (&*terms.conn_interval).into())
    }),
    number("negotiated.conn_interval_ms", "The same as a number.", |row| {
        Quantity::Span.number(&terms(row)?.conn_interval)
    }),
    text("negotiated.phy", "PHY of the connection.", |row| terms(row).map(|terms| (&*terms.phy).into())),
    count("negotiated.dle.c2p", "LL payload octets of a PDU, central to peripheral.", |row| {
        Some(terms(row)?.dle.c2p.into())
    }),
    count("negotiated.dle.p2c", "LL payload octets of a PDU, peripheral to central.", |row| {
        Some(terms(row)?.dle.p2c.into())
    }),
    count("negotiated.mtu", "SDU MTU of the channel or ATT MTU.", |row| terms(row)?.mtu.map(u64::from)),
    count("negotiated.mps", "Largest K-frame payload of the receiver.", |row| terms(row)?.mps.map(u64::from)),
    count("negotiated.initial_credits", "Credits of the channel's handshake.", |row| {
        terms(row)?.initial_credits.map(u64::from)
    }),
    text("negotiated.frame_space", "Frame space agreed on.", |row| {
        terms(row).map(|terms| (&*terms.frame_space).into())
    }),
    flag("negotiated.encrypted", "Set if data PDUs carry a MIC.", |row| Some(terms(row)?.encrypted)),
    number("measured.value", "Published figure that the record is compared with.", |row| Some(measured(row)?.value)),
    text("measured.unit", "Unit of that figure.", |row| measured(row).map(|figure| (&*figure.unit).into())),
    flag("measured.approx", "Set if its source gives it as approximate.", |row| Some(measured(row)?.approx)),
    text("measured.source", "Source of it.", |row| measured(row).map(|figure| (&*figure.source).into())),
    flag("measured.accepted", "Set for the figure that the sender's stack took.", |row| Some(measured(row)?.accepted)),
    text("measured.link", "Link whose figure it is, of several.", |row| {
        measured(row).and_then(|figure| figure.link.as_deref()).map(Cow::from)
    }),
    number("lab.value", "The lab's figure for what was measured, in its unit.", |row| Some(lab(row)?.value)),
    text("lab.unit", "Unit of both.", |row| lab(row).map(|figure| (&*figure.unit).into())),
    text("lab.field", "Field of the record that the lab's figure is.", |row| {
        lab(row).map(|figure| (&*figure.field).into())
    }),
    number("lab.low", "Lowest of the repeats, or over all that was not logged.", |row| Some(lab(row)?.low)),
    number("lab.high", "Highest of them.", |row| Some(lab(row)?.high)),
    number("error_pct", "Error of the lab's figure.", |row| row.record.error_pct),
    text("verdict", "Verdict on the comparison.", |row| {
        row.record.verdict.as_ref().map(|verdict| verdict.to_string().into())
    }),
    text("finding", "Verdict that follows from the figures.", |row| row.record.finding.as_deref().map(Cow::from)),
    text("iteration", "The row's number in the log it was published in.", |row| {
        row.record.iteration.as_deref().map(Cow::from)
    }),
    text("against", "Row whose configuration the experiment changed.", |row| {
        row.record.against.as_deref().map(Cow::from)
    }),
    text("note", "Note of the plan's row about itself.", |row| row.record.note.as_deref().map(Cow::from)),
    json("links", "Links of the run, of several: goodput, terms, outcome, books.", |row| list(&row.record.links)),
    json("calls", "Benchmarks and checks of remote calls.", |row| row.record.calls.as_ref().and_then(written)),
    json("ram", "Buffers in the RAM of each chip, by class.", |row| list(&row.record.ram)),
    json("asked", "Keys whose value in effect is not the one asked for.", |row| list(&row.record.asked)),
    json("unlogged", "Keys of which only a range is known: lowest, middle, highest.", |row| {
        Some(&row.record.unlogged).filter(|keys| !keys.is_empty()).and_then(written)
    }),
    json("narrowed_by", "Measurement that would narrow the interval most.", |row| {
        row.record.narrowed_by.as_ref().and_then(written)
    }),
    json("ratios", "Ratios of the measured figure to those of other rows.", |row| list(&row.record.ratios)),
    json("environment", "Surroundings of a run on a real radio.", |row| {
        row.record.environment.as_ref().and_then(written)
    }),
    text("replay", "The exact command that replays the record.", |row| Some((&*row.record.replay).into())),
];

fn terms<'a>(row: &Row<'a>) -> Option<&'a Negotiated> {
    row.record.negotiated.as_ref()
}

fn measured<'a>(row: &Row<'a>) -> Option<&'a Measured> {
    row.record.measured.as_ref()
}

fn lab<'a>(row: &Row<'a>) -> Option<&'a LabFigure> {
    row.record.lab.as_ref()
}

fn written(value: &impl Serialize) -> Option<String> {
    serde_json::to_string(value).ok()
}

/// Nothing where the list is empty, as the record has no such field then.
fn list<T: Serialize>(entries: &[T]) -> Option<String> {
    Some(entries).filter(|entries| !entries.is_empty()).and_then(|entries| serde_json::to_string(entries).ok())
}
