//! Books of two runs beside each other: where the time went that the one has and the other has not.

use airtime_link::Ordered;
use serde::Serialize;

use crate::explain::Worth;
use crate::links;
use crate::record::Record;

/// Ratio of two rates of the air from which on it is told, *assumed*: a mean over frames of several rates wavers by less.
const RATE_MIN: f64 = 1.05;

/// Counter of connection events, of links that have them.
const EVENTS: &str = "events";

/// Unit that the time of an account is told for: so much an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// A connection event.
    Event,
    /// A unit of payload that arrived: a packet, a datagram, an SDU.
    Unit,
    /// A second of the steady state.
    Second,
}

impl Per {
    /// Words behind a time.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Event => "an event",
            Self::Unit => "a unit that arrives",
            Self::Second => "a second",
        }
    }
}

/// Time of one account in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Booked {
    /// Name of the account.
    pub account: String,
    /// Time of it in the first, in ns: the mean over the repeats.
    pub a_ns: u64,
    /// Time of it in the second.
    pub b_ns: u64,
}

/// Books of the steady states of two sets of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Books {
    /// Unit that their times are told for.
    pub per: Per,
    /// Number of these in the first and in the second: the mean over the repeats.
    pub counts: [f64; 2],
    /// Accounts, in the order of the first.
    pub accounts: Vec<Booked>,
    /// Steady state of either, in ns.
    pub steady_ns: [u64; 2],
    /// Rate of the air of either while payload is on it, 10³ bit/s; zero where it is not known.
    #[serde(skip)]
    pub phy_kbps: [f64; 2],
}

impl Books {
    /// Books of these runs; none where either has none.
    pub fn of(a: &[&Record], b: &[&Record]) -> Option<Self> {
        let names = |of: &[&Record]| of.first().map_or(0, |record| record.steady_ledger_ns.len());
        if names(a) == 0 || names(b) == 0 {
            return None;
        }
        let per = per(a, b);
        let mut accounts: Vec<&str> = Vec::new();
        for (name, _) in [a[0], b[0]].into_iter().flat_map(|record| record.steady_ledger_ns.iter()) {
            if !accounts.contains(&name) {
                accounts.push(name);
            }
        }
        let of_account = |name: &str| Booked {
            account: name.to_owned(),
            a_ns: mean(a, |record| record.steady_ledger_ns.get(name).copied().unwrap_or(0)),
            b_ns: mean(b, |record| record.steady_ledger_ns.get(name).copied().unwrap_or(0)),
        };
        let accounts: Vec<Booked> = accounts.into_iter().map(of_account).collect();
        let steady =
            |records: &[&Record]| mean(records, |record| record.steady_ledger_ns.iter().map(|(_, ns)| *ns).sum());
        let rate = |record: &Record| links::find(&record.link).map_or(0.0, |link| link.phy_kbps(&record.told()));
        Some(Self {
            per,
            counts: [count(per, a), count(per, b)],
            accounts,
            steady_ns: [steady(a), steady(b)],
            phy_kbps: [rate(a[0]), rate(b[0])],
        })
    }

    /// Difference of every account, in ns: the second less the first.
    pub fn differences_ns(&self) -> Ordered<i64> {
        self.accounts.iter().map(|booked| (booked.account.clone(), booked.b_ns as i64 - booked.a_ns as i64)).collect()
    }

    /// Time of an account for each of what times are told for, in ns: of the first and of the second.
    pub fn each_ns(&self, booked: &Booked) -> [f64; 2] {
        let each = |ns: u64, count: f64| if count > 0.0 { ns as f64 / count } else { 0.0 };
        [each(booked.a_ns, self.counts[0]), each(booked.b_ns, self.counts[1])]
    }

    /// The account outside the payload of which the second has most more of its time than the first, or most less where it is `better`.
    pub fn leading(&self, better: bool) -> Option<&Booked> {
        let share = |ns: u64, steady: u64| ns as f64 / steady.max(1) as f64;
        let grown = |booked: &Booked| share(booked.b_ns, self.steady_ns[1]) - share(booked.a_ns, self.steady_ns[0]);
        let sign = if better { -1.0 } else { 1.0 };
        let others = self.accounts.iter().filter(|booked| !booked.account.starts_with("payload"));
        let most = others.max_by(|one, other| (sign * grown(one)).total_cmp(&(sign * grown(other))))?;
        (sign * grown(most) > 0.0).then_some(most)
    }

    /// Clause on the rate of the air, where that of the second is another one, higher where it is `better`: payload itself takes another
    /// time then, which no account beside it shows.
    pub fn rate(&self, better: bool) -> Option<String> {
        let [a, b] = self.phy_kbps;
        let differs = if better { b >= a * RATE_MIN } else { a >= b * RATE_MIN };
        (a.min(b) > 0.0 && differs).then(|| format!("the air carries {b:.0} kbps and not {a:.0}"))
    }

    /// Clause on an account: `tail −1.9 ms an event`.
    pub fn says(&self, booked: &Booked) -> String {
        let [a, b] = self.each_ns(booked);
        format!("{} {} {}", booked.account, signed(b - a), self.per.phrase())
    }
}

/// Events where both have them, or units that arrived, or seconds.
fn per(a: &[&Record], b: &[&Record]) -> Per {
    let both = |per: Per| [a, b].iter().all(|records| count(per, records) > 0.0);
    [Per::Event, Per::Unit].into_iter().find(|per| both(*per)).unwrap_or(Per::Second)
}

/// Mean number of what times are told for in `records`.
fn count(per: Per, records: &[&Record]) -> f64 {
    let of = |record: &&Record| match per {
        Per::Event => record.counters.get(EVENTS).copied().unwrap_or(0) as f64,
        Per::Unit => Worth::of(record).units() as f64,
        Per::Second => record.steady_ns as f64 / 1e9,
    };
    records.iter().map(of).sum::<f64>() / records.len().max(1) as f64
}

fn mean(records: &[&Record], of: impl Fn(&Record) -> u64) -> u64 {
    let sum: u128 = records.iter().map(|record| u128::from(of(record))).sum();
    let count = records.len().max(1) as u128;
    u64::try_from((sum + count / 2) / count).unwrap_or(u64::MAX)
}

/// Time with its sign, in a unit of which there is at least one: `−1.9 ms`.
pub fn signed(ns: f64) -> String {
    let sign = if ns < 0.0 { "−" } else { "+" };
    match ns.abs() {
        ns if ns >= 1e9 => format!("{sign}{:.2} s", ns / 1e9),
        ns if ns >= 1e6 => format!("{sign}{:.2} ms", ns / 1e6),
        ns if ns >= 1e3 => format!("{sign}{:.1} us", ns / 1e3),
        ns => format!("{sign}{ns:.0} ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(events: u64, tail: u64, payload: u64) -> Record {
        let steady_ledger_ns = [("payload", payload), ("ifs", 100_000), ("tail", tail)].into_iter().collect();
        let counters = [(EVENTS, events)].into_iter().collect();
        Record { link: "ble-coc".into(), counters, steady_ledger_ns, ..Record::default() }
    }

    #[test]
    fn the_account_that_grew_most_is_told_for_each_event() {
        let (a, b) = (record(100, 100_000_000, 899_900_000), record(100, 290_000_000, 709_900_000));
        let books = Books::of(&[&a], &[&b]).unwrap();
        assert_eq!((books.per, books.steady_ns), (Per::Event, [1_000_000_000; 2]));
        let leading = books.leading(false).unwrap();
        assert_eq!(books.says(leading), "tail +1.90 ms an event");
        assert_eq!(books.leading(true), None, "nothing but payload has less");
        assert_eq!(
            books.differences_ns().iter().map(|(_, ns)| *ns).collect::<Vec<_>>(),
            [-190_000_000, 0, 190_000_000]
        );
        assert_eq!(Books::of(&[&Record::default()], &[&a]), None);
    }

    #[test]
    fn another_rate_of_the_air_is_told_before_any_account() {
        let of = |phy: &str| Record {
            negotiated: Some(airtime_link::figures::Negotiated { phy: phy.into(), ..Default::default() }),
            ..record(100, 100_000_000, 899_900_000)
        };
        let books = Books::of(&[&of("2M")], &[&of("1M")]).unwrap();
        assert_eq!(books.rate(false).as_deref(), Some("the air carries 1000 kbps and not 2000"));
        assert_eq!((books.rate(true), Books::of(&[&of("1M")], &[&of("1M")]).unwrap().rate(false)), (None, None));
    }

    #[test]
    fn times_have_a_unit_that_suits_them() {
        assert_eq!([1_234_000.0, -56_700.0, 12.0, -2.5e9].map(signed), ["+1.23 ms", "−56.7 us", "+12 ns", "−2.50 s"]);
    }
}
