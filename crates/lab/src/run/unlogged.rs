//! The interval of a figure over what nobody logged.

use airtime_keys::Run;
use serde_json::Value;

use super::Runs;
use crate::explain::Length;
use crate::plan::{Corner, Plan, Point, corners};
use crate::record::{LabFigure, Measured, Narrowing};
use crate::verdict::Verdict;

/// Number of corners from which on they are run for a part of the time first, *assumed*: fewer are soon run.
const MANY: usize = 8;
/// Corners at either end that are run as long as the plan says: a part of the time may take the second for the first.
/// *Assumed*: with one, an interval of a published row no longer held that of whole runs.
const OUTER: usize = 2;

/// An interval that spans more than this factor predicts nothing.
const FACTOR_MAX: f64 = 2.0;

/// Widens `lab`, the figure at the middle of every range, to the interval over all corners of `point`; with what would narrow it
/// most.
///
/// Where there are many corners, each is run for a part of the time first, and only the lowest and the highest as long as the plan
/// says: what the parts gave counts as well, so the interval is rather too wide than too narrow.
pub fn interval(
    plan: &Plan,
    point: &Point,
    measured: &Measured,
    lab: &mut LabFigure,
    length: Length,
    runs: Runs<'_>,
) -> Option<Narrowing> {
    let all = corners(&point.unlogged);
    let length = if all.len() < MANY { Length::WHOLE } else { length };
    let figure_of = |set: &[(String, Value)], length: Length| {
        let mut set = set.to_vec();
        set.push((Run::REPEAT.name.to_owned(), 1.into()));
        let corner = length.cut(plan, &plan.vary(point, &set).ok()?);
        Some(runs(&*corner.scenario.link).whole_figure(measured)?.value)
    };
    let of_corner = |(ends, set): &Corner| Some((ends.clone(), figure_of(set, length)?));
    let found: Vec<(Vec<bool>, f64)> = all.iter().filter_map(of_corner).collect();
    let is_outer = |(ends, _): &&Corner| length.parts > 1 && outer(&found).any(|outer| outer == ends);
    let whole = all.iter().filter(is_outer).filter_map(|(_, set)| figure_of(set, Length::WHOLE));
    for value in found.iter().map(|(_, value)| *value).chain(whole) {
        lab.low = lab.low.min(value);
        lab.high = lab.high.max(value);
    }
    let keys = point.unlogged.iter().enumerate();
    let narrowings = keys.map(|(index, range)| {
        let (low, high) = left(&found, index);
        Narrowing { key: range.key.to_owned(), low, high }
    });
    narrowings.min_by(|a, b| spread(a.low, a.high).total_cmp(&spread(b.low, b.high)))
}

/// The corners with the lowest figures, and those with the highest.
fn outer(found: &[(Vec<bool>, f64)]) -> impl Iterator<Item = &Vec<bool>> {
    let mut order: Vec<&(Vec<bool>, f64)> = found.iter().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let inner = OUTER..order.len().saturating_sub(OUTER);
    order.into_iter().enumerate().filter(move |(rank, _)| !inner.contains(rank)).map(|(_, (ends, _))| ends)
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
    fn the_outer_corners_are_the_two_lowest_and_the_two_highest() {
        let ends = |number: u8| (0..3).map(|bit| number >> bit & 1 == 1).collect::<Vec<bool>>();
        let found: Vec<_> = [4.0, 1.0, 7.0, 3.0, 9.0, 5.0].into_iter().zip(0..).map(|(v, n)| (ends(n), v)).collect();
        assert!(outer(&found).eq([&ends(1), &ends(3), &ends(2), &ends(4)]));
        assert_eq!(outer(&found[..3]).count(), 3);
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
