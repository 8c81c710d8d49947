//! Short runs: the same scenario for a part of its time and with one seed, to tell what is worth a run of the whole.

use airtime_core::Duration;
use airtime_keys::Run;
use airtime_net::traffic::Traffic;
use serde_json::Value;

use super::worth::Worth;
use crate::plan::{Plan, Point};
use crate::record::Record;

/// Steps of the event loop in the shortest run, *assumed*: some three hundred connection events, or as many frames.
const STEPS_MIN: u64 = 10_000;
/// Units of payload in it, *assumed*: with fewer one more or less hides what is worth a longer run.
const UNITS_MIN: u64 = 12;
/// Units of payload that are enough whatever their steps, *assumed*: one more or less is then a fifth of a percent. A host that does much in
/// a step has few of those.
const UNITS_ENOUGH: u64 = 500;
/// The shortest part of a run, *assumed*: beginnings must not count for more than what follows.
const PARTS_MAX: u64 = 32;
/// Times that a run of the second length is as long as one of the first.
const LONGER: u64 = 2;
/// Counter of the steps of the event loop, which every link has.
const STEPS: &str = "loop_steps";

/// `point` without what comes after all that is measured: that a queue is drained changes no figure but by how much a test overruns.
pub fn measured(plan: &Plan, point: &Point) -> Point {
    if point.scenario.params.get(Traffic::DRAIN.name) != Some(&true.into()) {
        return point.clone();
    }
    plan.vary(point, &[(Traffic::DRAIN.name.to_owned(), false.into())]).unwrap_or_else(|_| point.clone())
}

/// Length of a run: a part of the whole that a plan asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Parts of this length in the steady state and in the warm-up; one is all of its time.
    pub parts: u64,
    /// Set if every seed that the plan asks for is run.
    every_seed: bool,
    /// Time in which a connection is made, which no part is shorter by.
    setup: Duration,
}

impl Length {
    /// The whole that a plan asks for.
    pub const WHOLE: Self = Self { parts: 1, every_seed: true, setup: Duration::ZERO };

    /// The two lengths in which changes to the run of `record` are tried before the best are run as a whole: one that just tells
    /// much from little, and four times that. A run that is short as it is has no shorter ones, but one seed does for it.
    pub fn of(record: &Record) -> [Self; 2] {
        let units = Worth::of(record).units();
        let steps = record.counters.get(STEPS).copied().unwrap_or(0) / STEPS_MIN;
        let parts = if units > 0 { steps.max(units / UNITS_ENOUGH).min(units / UNITS_MIN) } else { steps };
        let setup = Duration::from_nanos(record.setup_ns);
        let of = |parts: u64| Self { parts: parts.clamp(1, PARTS_MAX), every_seed: false, setup };
        let first = of(parts);
        [first, of(first.parts / LONGER)]
    }

    /// This length, or the longer one in which a run that carries so many `units` in the whole carries the `least`; the whole where that
    /// is not enough. A run that carries none is as long as it was.
    pub fn with_units(self, units: u64, least: u64) -> Self {
        match units / least {
            _ if units == 0 => self,
            0 => Self::WHOLE,
            most => Self { parts: self.parts.min(most), ..self },
        }
    }

    /// This length for runs that carry so many `times` as much as the one of `units` that it was made for: they bring as many units in a
    /// part of the time, in which the slower one still has some.
    pub fn of_faster(self, times: f64, units: u64) -> Self {
        if self.every_seed || units == 0 || !times.is_finite() || times < 2.0 {
            return self;
        }
        let most = PARTS_MAX.min(units / UNITS_MIN).max(self.parts);
        Self { parts: self.parts.saturating_mul(times as u64).min(most), ..self }
    }

    /// `point` with a run of this length and one seed; `point` as it is for the whole, or where it cannot be cut.
    pub fn cut(self, plan: &Plan, point: &Point) -> Point {
        if self.every_seed {
            return point.clone();
        }
        let mut changes = vec![(Run::REPEAT.name, Value::from(1))];
        if self.parts > 1 {
            changes.extend(self.part(point.scenario.run()));
        }
        let changes: Vec<_> = changes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let cut = plan.vary(point, &changes);
        // Neither are the corners of what nobody logged run for a part of the time.
        cut.map_or_else(|_| point.clone(), |cut| Point { unlogged: Vec::new(), ..cut })
    }

    /// The part of the times of a `run`.
    fn part(self, run: &Run) -> [(&'static str, Value); 2] {
        let part = |time: Duration| Duration::from_micros(time.as_nanos() / 1_000 / self.parts);
        let setup = self.setup.min(run.duration);
        let duration = Duration::from_micros(setup.as_nanos() / 1_000) + part(run.duration - setup);
        [(Run::DURATION.name, duration.to_string().into()), (Run::WARMUP.name, part(run.warmup).to_string().into())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;

    fn record(steps: u64, packets: u64) -> Record {
        let counters = [(STEPS, steps), ("ip_packets_out.up", packets)].into_iter().collect();
        Record { link: "nrf24-ip".into(), counters, setup_ns: 10_000_000, ..Record::default() }
    }

    fn parts(steps: u64, packets: u64) -> [u64; 2] {
        Length::of(&record(steps, packets)).map(|length| length.parts)
    }

    #[test]
    fn a_run_is_cut_as_far_as_it_still_says_something() {
        assert_eq!(parts(9_000, 400), [1, 1], "short as it is");
        assert_eq!(parts(160_000, 5_000), [16, 8]);
        assert_eq!(parts(160_000, 40), [3, 1], "few packets");
        assert_eq!(parts(30_000, 6_665), [13, 6], "many in few steps");
        assert_eq!(parts(160_000, 0), [16, 8], "no packets are counted");
        assert_eq!(parts(2_000_000, 5_000), [32, 16]);
    }

    #[test]
    fn a_run_is_as_long_as_its_units_need() {
        let [first, second] = Length::of(&record(2_000_000, 5_000));
        let parts = |length: Length, units| length.with_units(units, 100).parts;
        assert_eq!([parts(first, 5_000), parts(first, 2_240), parts(second, 2_240), parts(first, 0)], [32, 22, 16, 32]);
        assert_eq!((parts(first, 410), first.with_units(99, 100)), (4, Length::WHOLE));
    }

    #[test]
    fn what_is_faster_needs_less_time() {
        let [_, second] = Length::of(&record(80_000, 333));
        let parts = |times, units| second.of_faster(times, units).parts;
        assert_eq!((second.parts, parts(1.9, 333), parts(3.7, 333), parts(20.0, 333)), (4, 4, 12, 27));
        assert_eq!(
            (parts(20.0, 40), parts(f64::INFINITY, 333), parts(20.0, 0)),
            (4, 4, 4),
            "few, or none, to compare with"
        );
        assert_eq!(Length::WHOLE.of_faster(20.0, 333), Length::WHOLE);
    }

    #[test]
    fn a_part_has_its_share_of_the_time_and_one_seed() {
        let plan = Plan::parse("x.toml", "link = \"nrf24-ip\"\nrun.duration = \"20.01s\"\n", &Library::builtin(), &[]);
        let plan = plan.unwrap();
        let point = plan.point(0).unwrap();
        let [first, second] = Length::of(&record(160_000, 5_000)).map(|length| length.cut(&plan, &point));
        let run = |point: &Point| *point.scenario.run();
        assert_eq!(
            (run(&first).duration, run(&first).warmup),
            (Duration::from_millis(1_260), Duration::from_millis(125))
        );
        assert_eq!((run(&second).duration, run(&second).repeat), (Duration::from_millis(2_510), 1));
        assert_eq!(Length::WHOLE.cut(&plan, &point).scenario, point.scenario);
        let [short, _] = Length::of(&record(9_000, 400)).map(|length| length.cut(&plan, &point));
        assert_eq!((run(&short).duration, run(&short).repeat), (Duration::from_millis(20_010), 1));
    }

    #[test]
    fn nothing_is_drained_after_what_is_measured() {
        let text =
            "link = \"nrf24-ip\"\ntraffic.pace = \"iperf3\"\ntraffic.offered = \"21kbps\"\ntraffic.drain = true\n";
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let point = plan.point(0).unwrap();
        let drains = |point: &Point| point.scenario.params.get("traffic.drain").cloned();
        assert_eq!((drains(&point), drains(&measured(&plan, &point))), (Some(true.into()), Some(false.into())));
    }
}
