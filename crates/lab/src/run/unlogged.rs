//! The interval of a figure over what nobody logged.

use airtime_keys::Run;
use airtime_link::Stop;

use super::point::Ran;
use crate::plan::{Plan, Point, corners};
use crate::record::{LabFigure, Measured, Narrowing};
use crate::verdict::Verdict;

/// An interval that spans more than this factor predicts nothing.
const FACTOR_MAX: f64 = 2.0;

/// Widens `lab`, the figure at the middle of every range, to the interval over all corners of `point`, each run once; with what
/// would narrow it most.
pub fn interval(
    plan: &Plan,
    point: &Point,
    measured: &Measured,
    lab: &mut LabFigure,
    stop: Stop<'_>,
) -> Option<Narrowing> {
    let found: Vec<(Vec<bool>, f64)> = corners(&point.unlogged)
        .into_iter()
        .take_while(|_| !stop())
        .filter_map(|(ends, mut set)| {
            set.push((Run::REPEAT.name.to_owned(), 1.into()));
            let corner = plan.vary(point, &set).ok()?;
            let figure = Ran::of(&*corner.scenario.link, stop).figure(measured)?;
            Some((ends, figure.value))
        })
        .collect();
    for (_, value) in &found {
        lab.low = lab.low.min(*value);
        lab.high = lab.high.max(*value);
    }
    let keys = point.unlogged.iter().enumerate();
    let narrowings = keys.map(|(index, range)| {
        let (low, high) = left(&found, index);
        Narrowing { key: range.key.to_owned(), low, high }
    });
    narrowings.min_by(|a, b| spread(a.low, a.high).total_cmp(&spread(b.low, b.high)))
}

/// Rest of the interval when the key of this number is known: the wider one of the intervals at both of its ends.
fn left(found: &[(Vec<bool>, f64)], key: usize) -> (f64, f64) {
    let of_end = |end: bool| {
        let values = found.iter().filter(|(ends, _)| ends[key] == end).map(|(_, value)| *value);
        values.fold((f64::MAX, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (at_low, at_high) = (of_end(false), of_end(true));
    if spread(at_low.0, at_low.1) >= spread(at_high.0, at_high.1) { at_low } else { at_high }
}

/// Factor by which the ends of an interval differ.
fn spread(low: f64, high: f64) -> f64 {
    if low > 0.0 { high / low } else { f64::MAX }
}

/// The verdict of a row whose figure has this interval: one that would count does not when the interval is too wide.
pub fn verdict(said: Option<Verdict>, lab: Option<&LabFigure>) -> Option<Verdict> {
    let Some(lab) = lab.filter(|_| said == Some(Verdict::Predicted)) else { return said };
    let spread = spread(lab.low, lab.high);
    if spread <= FACTOR_MAX {
        return said;
    }
    let why = if spread < 1_000.0 {
        format!("what was not logged leaves a factor of {spread:.1}")
    } else {
        "what was not logged leaves everything from nothing on".to_owned()
    };
    Some(Verdict::NotPredicted(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab(low: f64, high: f64) -> LabFigure {
        LabFigure { value: low, unit: "Mbps".into(), field: String::new(), low, high }
    }

    #[test]
    fn a_key_narrows_by_what_is_left_at_its_worse_end() {
        let found: Vec<(Vec<bool>, f64)> = vec![
            (vec![false, false], 10.0),
            (vec![true, false], 12.0),
            (vec![false, true], 20.0),
            (vec![true, true], 21.0),
        ];
        assert_eq!(left(&found, 0), (10.0, 20.0));
        assert_eq!(left(&found, 1), (10.0, 12.0), "a factor of 1.2 at the low end, of 1.05 at the high one");
    }

    #[test]
    fn more_than_a_factor_of_two_is_no_prediction() {
        let said = |low, high| verdict(Some(Verdict::Predicted), Some(&lab(low, high)));
        assert_eq!(said(10.0, 20.0), Some(Verdict::Predicted));
        assert_eq!(said(10.0, 31.0).unwrap().to_string(), "not predicted: what was not logged leaves a factor of 3.1");
        assert!(said(0.0, 31.0).unwrap().to_string().contains("from nothing on"));
        assert_eq!(verdict(Some(Verdict::Candidate), Some(&lab(1.0, 9.0))), Some(Verdict::Candidate));
    }
}
