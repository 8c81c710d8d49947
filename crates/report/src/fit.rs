//! Outcome of a fit in every form: tables for people, a document, lines for a spreadsheet.

use airtime_lab::plan::toml_text;
use airtime_study::fit::{Fitted, FittedDevice, FittedValue, Next, Ranked, SCHEMA};
use serde::Serialize;

use crate::tone::Tone;
use crate::{Align, Table};

/// Known devices that are shown to people; the document and the lines have all.
pub(crate) const RANKS_SHOWN: usize = 10;
/// Points whose errors stand in a table of their own.
const POINTS_SHOWN: usize = 40;

/// Document that `airtime fit --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitDocument<'a> {
    /// Schema of the document: always [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub airtime: &'static str,
    /// Outcome of the fit.
    #[serde(flatten)]
    pub fitted: &'a Fitted,
}

impl<'a> FitDocument<'a> {
    /// Document of what was found.
    pub const fn of(fitted: &'a Fitted) -> Self {
        Self { schema: SCHEMA, airtime: env!("CARGO_PKG_VERSION"), fitted }
    }
}

/// Tables for people: the known devices by their errors, and the errors of the first at every point.
pub fn fitted(found: &Fitted, quiet: bool) -> Vec<Table> {
    let mut ranks = ranks(found);
    if !quiet {
        ranks.remark(conclusion(found), Tone::Gain);
        ranks.remarks.push(repeatability(found));
        ranks.remarks.extend(left_out(found));
    }
    let mut tables = vec![ranks];
    if let Some(device) = &found.device {
        let mut values = values(device);
        if !quiet {
            values.remarks.extend(says(device));
        }
        tables.push(values);
    }
    tables.push(errors(found));
    tables
}

/// The values of the device, with what each may be.
fn values(device: &FittedDevice) -> Table {
    let errors = &device.errors;
    let mut table = Table::new(format!(
        "a device like {}: median error {:.2} %, largest {:.2} %",
        device.base, errors.median_abs_error_pct, errors.worst_abs_error_pct
    ));
    let rows = &device.values;
    table.column("key", Align::Left, rows.iter().map(|row| row.key));
    table.column("value", Align::Right, rows.iter().map(|row| toml_text(&row.value)));
    table.column("like it has", Align::Right, rows.iter().map(|row| toml_text(&row.was)));
    table.column("within the noise", Align::Left, rows.iter().map(FittedValue::range));
    table
}

/// Sentences on what the figures decide and what they do not.
fn says(device: &FittedDevice) -> Vec<String> {
    let mut said = Vec::new();
    if !device.errors.fits {
        said.push(
            "no values fit within the repeatability: something else differs, in the device or in the plan".to_owned(),
        );
    }
    let undecided: Vec<&str> = device.values.iter().filter(|value| !value.decided).map(|value| value.key).collect();
    if !undecided.is_empty() {
        said.push(format!("these points do not decide {}", undecided.join(", ")));
    }
    said.extend(
        device.alike.iter().map(|[one, other]| format!("{one} and {other} cannot be told apart by these points")),
    );
    if let Some(Next { set, low, high, unit }) = &device.next {
        said.push(format!("measure at {}: what is left predicts {low:.1} to {high:.1} {unit} there", set.join(" ")));
    }
    if !device.silent.is_empty() {
        said.push(format!("{} more values in which devices differ change nothing here", device.silent.len()));
    }
    if device.spent {
        said.push(
            "the budget of runs was spent: more of them (--runs) may find better values, and wider intervals"
                .to_owned(),
        );
    }
    said
}

/// The sentence on the known devices.
pub fn conclusion(found: &Fitted) -> String {
    let Some(best) = found.ranking.first() else { return "no known device can be there".to_owned() };
    let fitting: Vec<&Ranked> = found.ranking.iter().filter(|one| one.fits).collect();
    let names = |all: &[&Ranked]| all.iter().map(|one| one.device.as_str()).collect::<Vec<_>>().join(", ");
    match fitting.as_slice() {
        [] => format!(
            "no known device fits; the nearest is {}, with a median error of {} %",
            best.device, best.median_abs_error_pct
        ),
        [only] => format!("{} fits, and no other known device", only.device),
        several if several.iter().all(|one| one.rank == 1) => {
            format!("{} fit alike: no point tells them apart", names(several))
        }
        several => format!("{} fit; {} best", names(several), best.device),
    }
}

pub(crate) fn repeatability(found: &Fitted) -> String {
    let from = match found.noise_from {
        "given" => "as --noise says",
        "repeats" => "as repeated figures show",
        _ => "assumed; --noise says another one",
    };
    format!(
        "{} points, {} runs; errors up to the repeatability of {:.2} % are none ({from})",
        found.points.len(),
        found.runs,
        found.noise_pct
    )
}

fn left_out(found: &Fitted) -> Option<String> {
    let count = found.left_out.len();
    let first = found.left_out.first()?;
    Some(if count == 1 {
        format!("left out: {first}")
    } else {
        format!("left out: {first}, and {} more rows", count - 1)
    })
}

fn ranks(found: &Fitted) -> Table {
    let shown = &found.ranking[..found.ranking.len().min(RANKS_SHOWN)];
    let mut table = Table::new(format!("{}: {} of known devices", found.plan, found.end));
    table.column("rank", Align::Right, shown.iter().map(|one| one.rank.to_string()));
    table.column("device", Align::Left, shown.iter().map(|one| &one.device));
    table.column("fits", Align::Left, shown.iter().map(|one| if one.fits { "yes" } else { "no" }));
    table.column("median %", Align::Right, shown.iter().map(|one| format!("{:.2}", one.median_abs_error_pct)));
    table.column("largest %", Align::Right, shown.iter().map(|one| format!("{:.2}", one.worst_abs_error_pct)));
    table.column("rms %", Align::Right, shown.iter().map(|one| format!("{:.2}", one.rms_pct)));
    let why = |one: &Ranked| one.impossible.clone().unwrap_or_default();
    table.detail_if_any("impossible", Align::Left, shown.iter().map(why));
    if found.ranking.len() > shown.len() {
        table
            .remarks
            .push(format!("{} more behind them: --json and --csv have all", found.ranking.len() - shown.len()));
    }
    table
}

/// Errors of the best known device at every point.
fn errors(found: &Fitted) -> Table {
    let shown = found.points.len().min(POINTS_SHOWN);
    let best = found.ranking.first();
    let mut table = Table::new("errors at every point");
    let points = &found.points[..shown];
    table.column("point", Align::Left, points.iter().map(|point| &point.id));
    table.column("measured", Align::Right, points.iter().map(|point| format!("{:.1} {}", point.measured, point.unit)));
    let error = |at: usize| best.and_then(|best| best.errors_pct.get(at).copied()).unwrap_or_default();
    let heading = best.map_or("", |best| &best.device);
    table.column(heading, Align::Right, (0..shown).map(|at| format!("{:+.2} %", error(at))));
    if let Some(device) = &found.device {
        let error = |at: usize| device.errors.errors_pct.get(at).copied().unwrap_or_default();
        table.column("fitted", Align::Right, (0..shown).map(|at| format!("{:+.2} %", error(at))));
    }
    if found.points.len() > shown {
        table.remarks.push(format!("{} more points: --json and --csv have all", found.points.len() - shown));
    }
    table
}

/// A line for each known device and point: for spreadsheets and data frames.
pub fn fitted_csv(found: &Fitted) -> Table {
    let mut rows: Vec<(&str, usize, &str, f64, f64)> = Vec::new();
    for one in found.ranking.iter().chain(found.device.iter().map(|device| &device.errors)) {
        for (point, error) in found.points.iter().zip(&one.errors_pct) {
            rows.push((&one.device, one.rank, &point.id, point.measured, *error));
        }
    }
    let mut table = Table::new("");
    table.column("device", Align::Left, rows.iter().map(|row| row.0));
    table.column("rank", Align::Left, rows.iter().map(|row| row.1.to_string()));
    table.column("point", Align::Left, rows.iter().map(|row| row.2));
    table.column("measured", Align::Left, rows.iter().map(|row| row.3.to_string()));
    table.column("error_pct", Align::Left, rows.iter().map(|row| row.4.to_string()));
    table
}
