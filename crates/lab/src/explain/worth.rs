//! Worth of a run beside another one: what it carries over all links, and if it loses what arrived before.

use airtime_core::Duration;
use airtime_link::Delivery;

use crate::links;
use crate::record::{Record, kbps};

/// Growth of the share of units lost at which a change is none, *assumed*: less is what queues hold more, or a loss by chance.
const LOST_MORE_MAX: f64 = 0.01;
/// Part of what a stream carried before that it must still carry, *assumed*: a sum may be shared out anew by chance, but no more.
const STREAM_LEFT_MIN: f64 = 0.9;
/// Gain in percent that twice the wait for an event is worth, *assumed*.
pub const DOUBLE_PCT: f64 = 5.0;
/// Part of the sum that links must keep which share it out alike, *assumed*: an event more is a beginning more, and an end.
const SUM_LEFT_MIN: f64 = 0.95;
/// Times as much as before that the worst link must get by it, *assumed*: it is why the others give way.
const WORST_MORE: f64 = 1.5;
/// Part of an equal share below which a stream gets so little that the sum says nothing of it, *assumed*.
const SHARE_MIN: f64 = 0.5;

/// Worth of a run: what changes are ranked by.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// Goodput, the sum over all links and streams, 10³ bit/s.
    pub kbps: f64,
    /// Goodput of the stream that carries least, where there are several.
    pub worst_kbps: Option<f64>,
    /// Set if the run ended well, and so every link of it.
    ok: bool,
    delivery: Delivery,
    /// Goodput of each stream.
    streams: Vec<f64>,
    /// Number of links, where there are several.
    links: usize,
    /// Longest wait of a single packet for an event, where there are events.
    wait: Option<Duration>,
}

impl Worth {
    /// Worth of the run that `record` is of.
    pub fn of(record: &Record) -> Self {
        let told = record.told();
        let delivery = links::find(&record.link).map(|link| link.delivery(&told)).unwrap_or_default();
        let streams: Vec<f64> = delivery.streams.iter().map(|(_, octets)| kbps(*octets, told.steady)).collect();
        let octets: u64 = delivery.streams.iter().map(|(_, octets)| *octets).sum();
        // The median counts what the figure is of; of several links that is the first one.
        let beside = kbps(octets.saturating_sub(record.delivered_bytes), told.steady);
        let worst_kbps = if streams.len() > 1 { streams.iter().copied().reduce(f64::min) } else { None };
        let ok = ended_well(&record.outcome);
        // Who asked for several links wants each of them: with one lost, the others' gain from its time is none.
        let worst_link = record.links.iter().map(|link| link.goodput_kbps).reduce(f64::min);
        let each = worst_link.filter(|_| !ok).map(|worst| worst * record.links.len() as f64);
        Self {
            kbps: each.unwrap_or(record.goodput_kbps.median + beside),
            worst_kbps,
            ok,
            delivery,
            streams,
            links: record.links.len(),
            wait: record.negotiated.as_ref().and_then(|negotiated| negotiated.conn_interval.parse().ok()),
        }
    }

    /// Gain over `base` in percent below which this is not worth the time that a single packet waits longer for an event.
    pub fn wait_pct(&self, base: &Self) -> f64 {
        let ns = |wait: Option<Duration>| wait.map(|wait| wait.as_nanos() as f64).filter(|ns| *ns > 0.0);
        let doublings = ns(base.wait).zip(ns(self.wait)).map_or(0.0, |(was, is)| (is / was).log2());
        DOUBLE_PCT * doublings.max(0.0)
    }

    /// Goodput of the stream that carries most, where there are several.
    pub fn most_kbps(&self) -> Option<f64> {
        self.worst_kbps.and_then(|_| self.streams.iter().copied().reduce(f64::max))
    }

    /// Tells if one of several links gets less than half of an equal share: whatever the sum gains, somebody waits.
    pub fn is_uneven(&self) -> bool {
        let share = self.kbps / self.streams.len() as f64;
        self.links > 1 && self.worst_kbps.is_some_and(|worst| worst < share * SHARE_MIN)
    }

    /// Tells if the links share more alike what they share in `base`: the worst of them gets half as much again at least, nearly all of the
    /// sum is there, and no link is lost, nor a larger share of what left its sender.
    pub fn evens_out(&self, base: &Self) -> bool {
        let worst = |worth: &Self| worth.worst_kbps.unwrap_or_default();
        base.is_uneven()
            && self.ok
            && self.links >= base.links
            && self.streams.len() == base.streams.len()
            && self.kbps >= base.kbps * SUM_LEFT_MIN
            && worst(self) >= worst(base) * WORST_MORE
            && self.loses_no_more_than(base)
    }

    fn loses_no_more_than(&self, base: &Self) -> bool {
        self.delivery.lost_share() <= base.delivery.lost_share() + LOST_MORE_MAX
    }

    /// Gain over `base` in percent; what is more than nothing is counted against 1 kbit/s.
    pub fn gain_pct(&self, base: &Self) -> f64 {
        super::gain_pct(self.kbps, base.kbps)
    }

    /// Tells if nothing is lost that arrived in `base`: every link ended well, every stream is there and carries nine tenths of
    /// what it did, and no larger share of what left the sender is lost.
    pub fn keeps(&self, base: &Self) -> bool {
        let same_streams = self.streams.len() == base.streams.len()
            && self.delivery.streams.iter().zip(base.delivery.streams.iter()).all(|((a, _), (b, _))| a == b);
        let enough = |(now, before): (&f64, &f64)| *now >= before * STREAM_LEFT_MIN;
        self.ok
            // Fewer links are another task. A run that came to nothing has no octets to keep.
            && self.links >= base.links
            && (base.kbps <= 0.0 || same_streams && self.streams.iter().zip(&base.streams).all(enough))
            && self.loses_no_more_than(base)
    }

    /// Share of the units that was lost on the way, 0 to 1.
    pub fn lost_share(&self) -> f64 {
        self.delivery.lost_share()
    }

    /// Number of units that arrived; zero where the link counts none.
    pub fn units(&self) -> u64 {
        self.delivery.arrived
    }
}

/// Tells if a run ended as it was meant to, without a connection lost on the way: `ok`, or `ok, and …`.
fn ended_well(outcome: &str) -> bool {
    outcome == "ok" || outcome.starts_with("ok, ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Goodput, LinkFigures};

    fn linked(octets: u64) -> LinkFigures {
        LinkFigures { goodput_kbps: kbps(octets, Duration::from_secs(1)), ..LinkFigures::default() }
    }

    /// A record of two links over which 1000 octets a millisecond are shared out as `octets`.
    fn record(outcome: &str, octets: [u64; 2], gaps: u64) -> Record {
        let median = kbps(octets[0], airtime_core::Duration::from_secs(1));
        Record {
            link: "ble-coc".into(),
            outcome: outcome.into(),
            goodput_kbps: Goodput { median, low: median, high: median, runs: 1 },
            delivered_bytes: octets[0],
            links: octets.map(linked).to_vec(),
            steady_ns: 1_000_000_000,
            counters: [
                ("octets.p2c.link0", octets[0]),
                ("sdus.p2c.link0", octets[0] / 100),
                ("sdu_gaps.p2c.link0", gaps),
                ("octets.p2c.link1", octets[1]),
                ("sdus.p2c.link1", octets[1] / 100),
            ]
            .into_iter()
            .collect(),
            ..Record::default()
        }
    }

    fn worth(outcome: &str, octets: [u64; 2], gaps: u64) -> Worth {
        Worth::of(&record(outcome, octets, gaps))
    }

    #[test]
    fn gain_is_that_of_the_sum_and_the_worst_link_is_told() {
        let (base, after) = (worth("ok", [50_000, 30_000], 0), worth("ok", [60_000, 28_000], 0));
        assert_eq!((base.kbps, base.worst_kbps), (640.0, Some(240.0)));
        assert_eq!((after.gain_pct(&base), after.worst_kbps, after.keeps(&base)), (10.0, Some(224.0), true));
        let from_nothing = Worth::of(&Record { link: "ble-coc".into(), ..Record::default() });
        assert!((base.gain_pct(&from_nothing) - 63_900.0).abs() < 1e-9);
        assert!(base.keeps(&from_nothing));
    }

    #[test]
    fn a_sum_may_be_shared_out_otherwise_but_not_lost() {
        let base = worth("ok", [90_000, 10_000], 0);
        assert!(base.is_uneven() && !worth("ok", [70_000, 30_000], 0).is_uneven());
        assert!(!Worth::of(&Record { link: "ble-coc".into(), ..Record::default() }).is_uneven());
        let even = worth("ok", [50_000, 50_000], 0);
        assert!(even.evens_out(&base) && !even.keeps(&base) && !base.evens_out(&even));
        assert_eq!((base.most_kbps(), even.most_kbps()), (Some(720.0), Some(400.0)));
        for less in [
            worth("ok", [46_000, 48_000], 0),
            worth("ok", [87_000, 14_000], 0),
            worth("ok", [60_000, 60_000], 20),
            worth("ok after 0x08 connection timeout", [90_000, 90_000], 0),
        ] {
            assert!(!less.evens_out(&base), "{less:?}");
        }
    }

    #[test]
    fn a_change_that_loses_what_arrived_before_is_none() {
        let base = worth("ok", [50_000, 30_000], 0);
        for lost in [
            worth("0x08 connection timeout", [90_000, 90_000], 0),
            worth("ok after 0x08 connection timeout", [90_000, 90_000], 0),
            worth("ok", [90_000, 26_000], 0),
            worth("ok", [90_000, 30_000], 20),
        ] {
            assert!(!lost.keeps(&base), "{lost:?}");
        }
        let one = Record { counters: [("octets.p2c", 90_000)].into_iter().collect(), ..record("ok", [90_000, 0], 0) };
        assert!(!Worth::of(&one).keeps(&base), "a link less");
        assert!(worth("ok, the co-processor runs 2", [50_000, 30_000], 0).keeps(&base));
    }
}
