//! Exit code that results deserve, from one look at each record as it is made.

use airtime_core::units::Bitrate;
use airtime_lab::run::IMPOSSIBLE;
use airtime_lab::{Plan, Record};

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
    /// Records that are below the threshold of their plan.
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
        let Some(threshold) = plan.threshold else { return };
        // Records have tenths of 10³ bit/s.
        let goodput = Bitrate((record.goodput_kbps.median * 1e3).round() as u64);
        if !threshold.met_by(goodput) {
            let says = format!("{}: goodput {} kbps, threshold {threshold}", record.id, goodput.kbps());
            self.below.push(says);
        }
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
