//! Exit code that results deserve, from one look at each record as it is made.

use airtime_core::units::Bitrate;
use airtime_lab::run::IMPOSSIBLE;
use airtime_lab::{Condition, Plan, Record};

use crate::exit::Exit;
use crate::output;

/// Judge of records, who sees each once and in their order.
#[derive(Debug, Default)]
pub struct Judge {
    /// The first of all records, while every one has failed.
    failed: Option<String>,
    /// Set when some record has not failed.
    succeeded: bool,
    /// The first record of which a check has failed.
    unchecked: Option<String>,
    /// Figures beyond a threshold of their plan.
    below: Vec<String>,
    /// The first point that was impossible, and how many were.
    impossible: Option<(String, u64)>,
}

impl Judge {
    /// Looks at a record of `plan`.
    pub fn see(&mut self, plan: &Plan, record: &Record) {
        let says = || format!("{}: {}", record.id, record.outcome);
        if record.outcome.starts_with(IMPOSSIBLE) {
            self.impossible.get_or_insert_with(|| (says(), 0)).1 += 1;
            return;
        }
        if !airtime_report::failed(record) {
            self.succeeded = true;
        } else if self.failed.is_none() {
            self.failed = Some(says());
        }
        let mut checks = record.calls.iter().flat_map(|calls| &calls.checks);
        if self.unchecked.is_none() && checks.any(|check| !check.passed) {
            self.unchecked = Some(says());
        }
        if let Some(threshold) = plan.threshold {
            // Records have tenths of 10³ bit/s.
            let goodput = Bitrate((record.goodput_kbps.median * 1e3).round() as u64);
            if !threshold.met_by(goodput) {
                let says = format!("{}: goodput {} kbps, threshold {threshold}", record.id, goodput.kbps());
                self.below.push(says);
            }
        }
        self.below.extend(plan.limits.iter().filter_map(|limit| beyond(limit, record)));
    }

    /// The exit code; whatever it is for is named: points that are impossible, that nothing came out well, a check, or every threshold
    /// that was not met.
    pub fn exit(&self) -> Exit {
        if let Some((says, count)) = &self.impossible {
            let others = if *count == 1 { String::new() } else { format!("; so are {} more", count - 1) };
            output::say(&format!("{says}{others}"));
            return Exit::BadInput;
        }
        if let Some(says) = self.failed.as_ref().filter(|_| !self.succeeded).or(self.unchecked.as_ref()) {
            output::say(says);
            return Exit::Failed;
        }
        self.below.iter().for_each(|says| output::say(says));
        if self.below.is_empty() { Exit::Ok } else { Exit::BelowThreshold }
    }
}

/// Words on a figure of `record` that does not keep to its limit: one that is not there keeps to none.
fn beyond(limit: &Condition, record: &Record) -> Option<String> {
    let (figure, id) = (&limit.figure, &record.id);
    match figure.of(record) {
        Some(value) if limit.holds(value, None) => None,
        Some(value) => Some(format!("{id}: {figure} {value:.3} {}, threshold {limit}", figure.unit())),
        None => Some(format!("{id}: no {figure}, threshold {limit}")),
    }
}

#[cfg(test)]
mod tests {
    use airtime_lab::Library;
    use airtime_lab::record::{CallFigures, CheckFigure, Goodput};

    use super::*;

    fn exit(records: &[Record]) -> Exit {
        let text = "link = \"ieee802154\"\nthreshold.goodput = \">=100kbps\"\n";
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let mut judge = Judge::default();
        records.iter().for_each(|record| judge.see(&plan, record));
        judge.exit()
    }

    #[test]
    fn every_figure_has_to_keep_to_its_limit() {
        let text = "link = \"ieee802154\"\nthreshold.setup = \"<= 20ms\"\nthreshold.ram = \"< 1000\"\n";
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let record = |setup_ns| Record { id: "x".into(), setup_ns, elapsed_ns: 1, ..Record::default() };
        let said =
            |setup_ns| plan.limits.iter().filter_map(|limit| beyond(limit, &record(setup_ns))).collect::<Vec<_>>();
        assert_eq!(said(20_000_000), ["x: no ram, threshold ram < 1000"]);
        assert_eq!(said(20_001_000)[0], "x: setup 20.001 ms, threshold setup <= 20ms");
    }

    #[test]
    fn one_run_that_ended_well_is_enough_unless_a_check_or_the_threshold_says_otherwise() {
        let of = |outcome: &str, kbps: f64| Record {
            outcome: outcome.into(),
            goodput_kbps: Goodput::of(&[kbps]),
            ..Record::default()
        };
        let (well, lost) = (of("ok", 200.0), of("0x08 connection timeout", 200.0));
        assert_eq!(exit(&[]), Exit::Ok);
        assert_eq!(exit(&[lost.clone(), well.clone()]), Exit::Ok);
        assert_eq!(exit(&[well.clone(), lost.clone()]), Exit::Ok);
        assert_eq!(exit(&[lost.clone(), lost]), Exit::Failed);
        assert_eq!(exit(&[well.clone(), of("ok", 99.9)]), Exit::BelowThreshold);
        let checks = vec![CheckFigure { passed: true, ..CheckFigure::default() }, CheckFigure::default()];
        let checked = Record { calls: Some(CallFigures { checks, ..CallFigures::default() }), ..well.clone() };
        assert_eq!(exit(&[well.clone(), checked.clone()]), Exit::Failed);
        let impossible = of("impossible: x.toml:2:8: there is no such thing", 0.0);
        assert_eq!(exit(&[well, impossible.clone(), checked]), Exit::BadInput);
        assert_eq!(exit(&[impossible.clone(), impossible]), Exit::BadInput);
    }
}
