//! Published measurements beside the lab's figures: what the comparison comes to.

use std::borrow::Borrow;

use airtime_lab::{Plan, Point, Record, Verdict};
use serde::Serialize;

pub use airtime_lab::run::LIMIT_PCT;

/// Totals of a field comparison; only rows with the verdict *predicted* and a measured figure have an error that
/// counts.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Totals {
    /// Rows in all.
    pub rows: usize,
    /// Rows with the verdict *predicted*.
    pub predicted: usize,
    /// Rows with a condition that was not logged.
    pub candidates: usize,
    /// Rows that contradict another one.
    pub contradicting: usize,
    /// Rows the lab does not model.
    pub not_modelled: usize,
    /// Rows whose interval is too wide to predict anything.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_predicted: usize,
    /// Rows with an interval over what was not logged, and a measured figure.
    #[serde(skip_serializing_if = "is_zero")]
    pub intervals: usize,
    /// Rows among them whose interval holds the measured figure.
    #[serde(skip_serializing_if = "is_zero")]
    pub inside: usize,
    /// Predicted rows that have a measured figure to compare with.
    pub compared: usize,
    /// Median of the absolute errors, in percent.
    pub median_abs_error_pct: Option<f64>,
    /// Largest absolute error, in percent.
    pub worst_abs_error_pct: Option<f64>,
    /// Row with the largest absolute error.
    pub worst_row: Option<String>,
    /// Compared rows with an absolute error of at most [`LIMIT_PCT`].
    pub within_limit: usize,
    /// Share of those rows in the compared ones, 0 to 1.
    pub within_limit_share: Option<f64>,
    /// The limit, in percent.
    pub limit_pct: f64,
}

impl Totals {
    /// Sums up these records.
    pub fn of(records: impl IntoIterator<Item = impl Borrow<Record>>) -> Self {
        let mut totals = Self { limit_pct: LIMIT_PCT, ..Self::default() };
        let mut errors: Vec<(f64, String)> = Vec::new();
        let mut before = None;
        for record in records {
            let record: &Record = record.borrow();
            // A row with a condition that was not logged has a record per candidate.
            let row = record.id.split("/candidate-").next().map(str::to_owned);
            if before == row {
                continue;
            }
            before = row;
            totals.rows += 1;
            match &record.verdict {
                Some(Verdict::Predicted) => totals.predicted += 1,
                Some(Verdict::Candidate) => totals.candidates += 1,
                Some(Verdict::Contradicts(_)) => totals.contradicting += 1,
                Some(Verdict::NotPredicted(_)) => totals.not_predicted += 1,
                Some(Verdict::NotModelled(_)) => totals.not_modelled += 1,
                _ => {}
            }
            if let (false, Some(lab), Some(measured)) = (record.unlogged.is_empty(), &record.lab, &record.measured) {
                totals.intervals += 1;
                totals.inside += usize::from((lab.low..=lab.high).contains(&measured.value));
            }
            if let (true, Some(error)) = (counts(record), record.error_pct) {
                errors.push((error.abs(), record.id.clone()));
            }
        }
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        totals.compared = errors.len();
        totals.median_abs_error_pct = median(&errors);
        totals.worst_abs_error_pct = errors.last().map(|(error, _)| *error);
        totals.worst_row = errors.last().map(|(_, row)| row.clone());
        totals.within_limit = errors.iter().filter(|(error, _)| *error <= LIMIT_PCT).count();
        totals.within_limit_share =
            (!errors.is_empty()).then(|| round(totals.within_limit as f64 / errors.len() as f64, 1e4));
        totals
    }
}

/// Tells if a row of `plan` has a measured figure.
pub fn has_figure(plan: &Plan) -> bool {
    let is_measured = |point: Point| point.row.is_some_and(|row| row.measured.is_some());
    (0..plan.len()).any(|index| plan.point(index).is_some_and(is_measured))
}

/// Tells if a count of something that only some links have is to be left out.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn counts(record: &Record) -> bool {
    record.verdict.as_ref().is_some_and(Verdict::counts)
}

/// The middle of sorted errors; of an even number, the mean of the middle two.
fn median(sorted: &[(f64, String)]) -> Option<f64> {
    let upper = sorted.get(sorted.len() / 2)?.0;
    let lower = sorted[(sorted.len() - 1) / 2].0;
    Some(round((lower + upper) / 2.0, 100.0))
}

fn round(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

#[cfg(test)]
mod tests {
    use airtime_lab::record::{LabFigure, Measured};

    use super::*;

    fn row(id: &str, verdict: &str, error_pct: Option<f64>) -> Record {
        Record { id: id.into(), verdict: verdict.parse().ok(), error_pct, ..Record::default() }
    }

    #[test]
    fn only_predicted_rows_count() {
        let rows = [
            row("a", "predicted", Some(-1.0)),
            row("b", "predicted", Some(7.5)),
            row("c", "predicted", Some(2.0)),
            row("d", "predicted", Some(-6.0)),
            row("e", "predicted", None),
            row("f/candidate-1", "candidate", Some(300.0)),
            row("f/candidate-2", "candidate", Some(1.0)),
            row("g", "contradicts a", Some(-50.0)),
            row("h", "not modelled: no figure logged", None),
        ];
        let totals = Totals::of(&rows);
        assert_eq!((totals.rows, totals.predicted, totals.compared), (8, 5, 4));
        assert_eq!((totals.candidates, totals.contradicting, totals.not_modelled), (1, 1, 1));
        assert_eq!(totals.median_abs_error_pct, Some(4.0));
        assert_eq!((totals.within_limit, totals.within_limit_share), (3, Some(0.75)));
        assert_eq!(totals.worst_row.as_deref(), Some("b"));
    }

    #[test]
    fn intervals_are_counted_with_what_they_hold() {
        let interval = |id: &str, verdict: &str, measured: f64| {
            let lab = LabFigure { value: 15.0, low: 10.0, high: 20.0, ..LabFigure::default() };
            let measured = Some(Measured { value: measured, ..Measured::default() });
            let unlogged = [("path.rtt", [1.into(), 2.into(), 3.into()])].into_iter().collect();
            Record { lab: Some(lab), measured, unlogged, ..row(id, verdict, Some(1.0)) }
        };
        let rows = [
            interval("a", "predicted", 12.0),
            interval("b", "predicted", 22.0),
            interval("c", "not predicted: a factor of 3", 10.0),
        ];
        let totals = Totals::of(&rows);
        assert_eq!((totals.intervals, totals.inside, totals.not_predicted, totals.compared), (3, 2, 1, 2));
        let plain = serde_json::to_string(&Totals::of(&[row("a", "predicted", None)])).unwrap();
        assert!(!plain.contains("inside"), "rows without intervals say nothing of them: {plain}");
    }

    #[test]
    fn no_rows_have_no_error() {
        let totals = Totals::of(&[row("f", "candidate", Some(3.0))]);
        assert_eq!((totals.median_abs_error_pct, totals.within_limit_share, totals.worst_row), (None, None, None));
    }
}
