//! Figures of a record by name: what two records are compared by, what a search is for, what a condition is about.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::explain::Worth;
use crate::record::Record;
use crate::spelling;

/// Figure of a record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Figure {
    /// Goodput over all links, 10³ bit/s.
    Goodput,
    /// Goodput of the link or stream that carries least, 10³ bit/s; absent where there is one.
    WorstLink,
    /// Median of the delay, in ms.
    DelayP50,
    /// 95th percentile of the delay, in ms.
    DelayP95,
    /// 99th percentile of the delay, in ms.
    DelayP99,
    /// Share of what left the sender that was lost, in per cent.
    Loss,
    /// Time of a remote call, in ms: the mean over the benchmarks.
    CallTime,
    /// 99th percentile of the time of a remote call, in ms: the longest of the benchmarks.
    CallP99,
    /// Time from the start to the first payload, in ms.
    Setup,
    /// Octets of buffers in the RAM of all chips.
    Ram,
    /// Counter of this name.
    Counter(String),
    /// Time booked to the account of this name in a second of the steady state, in ms.
    Account(String),
}

/// Side on which a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// More of it is better.
    More,
    /// Less of it is better.
    Less,
    /// Neither is better by itself.
    Neither,
}

/// Reason that a text is no figure.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{text}` is no figure of a record: expected {}, counters.NAME or ledger.ACCOUNT{}",
    Figure::NAMED.map(|figure| figure.to_string()).join(", "),
    .nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default()
)]
pub struct NoFigure {
    text: String,
    nearest: Option<String>,
}

/// Beginning of the name of a counter.
const COUNTERS: &str = "counters.";
/// Beginning of the name of an account.
const LEDGER: &str = "ledger.";

impl Figure {
    /// Figures with a name of their own, in the order of tables.
    pub const NAMED: [Self; 10] = [
        Self::Goodput,
        Self::WorstLink,
        Self::DelayP50,
        Self::DelayP95,
        Self::DelayP99,
        Self::Loss,
        Self::CallTime,
        Self::CallP99,
        Self::Setup,
        Self::Ram,
    ];

    /// Unit of the figure; empty of a count.
    pub const fn unit(&self) -> &'static str {
        match self {
            Self::Goodput | Self::WorstLink => "kbps",
            Self::DelayP50 | Self::DelayP95 | Self::DelayP99 | Self::CallTime | Self::CallP99 | Self::Setup => "ms",
            Self::Account(_) => "ms/s",
            Self::Loss => "%",
            Self::Ram => "octets",
            Self::Counter(_) => "",
        }
    }

    /// Side on which the figure is better.
    pub fn side(&self) -> Side {
        match self {
            Self::Goodput | Self::WorstLink => Side::More,
            Self::Account(name) if name.starts_with("payload") => Side::More,
            Self::Counter(_) => Side::Neither,
            _ => Side::Less,
        }
    }

    /// True if differences of it are told as they are, and not as a part of the figure: of a share.
    pub const fn is_share(&self) -> bool {
        matches!(self, Self::Loss)
    }

    /// True if the accounts of the air say why it is what it is.
    pub const fn is_booked(&self) -> bool {
        matches!(self, Self::Goodput | Self::CallTime)
    }

    /// Value of the figure in `record`; none where the record has none.
    pub fn of(&self, record: &Record) -> Option<f64> {
        let delay = record.latency_ms;
        let benches = || record.calls.iter().flat_map(|calls| &calls.benches);
        match self {
            Self::Goodput if record.calls.is_some() && record.goodput_kbps.median <= 0.0 => None,
            Self::Goodput => Some(Worth::of(record).kbps).filter(|_| record.goodput_kbps.runs > 0),
            Self::WorstLink => Worth::of(record).worst_kbps,
            Self::DelayP50 => delay.map(|delay| delay.p50),
            Self::DelayP95 => delay.map(|delay| delay.p95),
            Self::DelayP99 => delay.map(|delay| delay.p99),
            Self::Loss => {
                let worth = Worth::of(record);
                (worth.units() > 0).then(|| 100.0 * worth.lost_share())
            }
            Self::CallTime => {
                let (sum, count) = benches().fold((0.0, 0_u32), |(sum, count), one| (sum + one.ms_per_call, count + 1));
                (count > 0).then(|| sum / f64::from(count))
            }
            Self::CallP99 => benches().filter_map(|bench| Some(bench.latency_ms?.p99)).reduce(f64::max),
            Self::Setup => (record.elapsed_ns > 0).then(|| record.setup_ns as f64 / 1e6),
            Self::Ram => {
                let octets: u64 = record.ram.iter().map(|class| class.octets).sum();
                (!record.ram.is_empty()).then_some(octets as f64)
            }
            Self::Counter(name) => record.counters.get(name).map(|count| *count as f64),
            Self::Account(name) => {
                let ns = record.steady_ledger_ns.get(name)?;
                (record.steady_ns > 0).then(|| *ns as f64 * 1e3 / record.steady_ns as f64)
            }
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Goodput => f.write_str("goodput"),
            Self::WorstLink => f.write_str("worst_link"),
            Self::DelayP50 => f.write_str("delay_p50"),
            Self::DelayP95 => f.write_str("delay_p95"),
            Self::DelayP99 => f.write_str("delay_p99"),
            Self::Loss => f.write_str("loss"),
            Self::CallTime => f.write_str("call_time"),
            Self::CallP99 => f.write_str("call_p99"),
            Self::Setup => f.write_str("setup"),
            Self::Ram => f.write_str("ram"),
            Self::Counter(name) => write!(f, "{COUNTERS}{name}"),
            Self::Account(name) => write!(f, "{LEDGER}{name}"),
        }
    }
}

impl FromStr for Figure {
    type Err = NoFigure;

    fn from_str(text: &str) -> Result<Self, NoFigure> {
        let behind = |head: &str| text.strip_prefix(head).filter(|name| !name.is_empty()).map(str::to_owned);
        let named = Self::NAMED.into_iter().find(|figure| figure.to_string() == text);
        named.or_else(|| behind(COUNTERS).map(Self::Counter)).or_else(|| behind(LEDGER).map(Self::Account)).ok_or_else(
            || {
                let names = Self::NAMED.map(|figure| figure.to_string());
                let nearest = spelling::nearest(text, names.iter().map(String::as_str)).map(str::to_owned);
                NoFigure { text: text.to_owned(), nearest }
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Goodput, Latency};

    #[test]
    fn every_figure_is_written_as_it_is_read() {
        let others = [Figure::Counter("pdus.lost".into()), Figure::Account("tail".into())];
        for figure in Figure::NAMED.into_iter().chain(others) {
            assert_eq!(figure.to_string().parse(), Ok(figure));
        }
        let wrong = "delay_p98".parse::<Figure>().unwrap_err().to_string();
        assert!(wrong.contains("did you mean `delay_p9") && wrong.contains("goodput, worst_link"), "{wrong}");
        assert!("counters.".parse::<Figure>().is_err());
    }

    #[test]
    fn a_record_has_the_figures_that_its_run_had() {
        let record = Record {
            link: "ieee802154".into(),
            goodput_kbps: Goodput::of(&[100.0]),
            latency_ms: Some(Latency { p50: 1.0, p95: 2.0, p99: 3.0 }),
            counters: [("events", 7)].into_iter().collect(),
            steady_ledger_ns: [("ifs", 5_000_000)].into_iter().collect(),
            steady_ns: 1_000_000_000,
            ..Record::default()
        };
        let of = |name: &str| name.parse::<Figure>().unwrap().of(&record);
        assert_eq!([of("goodput"), of("delay_p99"), of("counters.events")], [Some(100.0), Some(3.0), Some(7.0)]);
        assert_eq!([of("ledger.ifs"), of("ledger.tail"), of("call_time"), of("ram")], [Some(5.0), None, None, None]);
    }
}
