//! Verdict that follows from the lab's figure and the measured one.

use crate::record::{LabFigure, Measured};

/// Errors up to this many percent are within the limit.
pub const LIMIT_PCT: f64 = 6.0;

/// Verdict on `lab` beside `measured`, between which there is `error_pct`; with an `interval` over what was not logged, whether that
/// holds the measured figure.
pub fn of(lab: &LabFigure, measured: &Measured, error_pct: Option<f64>, interval: bool) -> Option<String> {
    if measured.unit == "PASS" {
        return Some(if lab.value >= 1.0 { "passed" } else { "failed" }.to_owned());
    }
    if interval {
        let nearest = measured.value.clamp(lab.low, lab.high.max(lab.low));
        let off = 100.0 * (nearest - measured.value).abs() / measured.value;
        let inside = nearest.to_bits() == measured.value.to_bits();
        return Some(if inside {
            "inside the interval".to_owned()
        } else {
            format!("outside the interval by {off:.1} %")
        });
    }
    let error = error_pct?.abs();
    // A miss is never rounded to the limit; errors have two places.
    let is_seen = |places: &usize| format!("{error:.places$}").parse::<f64>().is_ok_and(|shown| shown > LIMIT_PCT);
    let places = (0..2).find(is_seen).unwrap_or(2);
    Some(if error <= LIMIT_PCT { format!("within {LIMIT_PCT:.0} %") } else { format!("off by {error:.places$} %") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miss_says_by_how_much() {
        let figure = |value: f64, unit: &str| {
            let lab = LabFigure { value, unit: unit.into(), low: 10.0, high: 31.0, ..LabFigure::default() };
            let measured = Measured { value: 16.0, unit: unit.into(), ..Measured::default() };
            move |error: Option<f64>, interval: bool| of(&lab, &measured, error, interval)
        };
        let rate = figure(17.0, "kbps");
        assert_eq!(rate(Some(-6.0), false).as_deref(), Some("within 6 %"));
        assert_eq!(rate(Some(446.4), false).as_deref(), Some("off by 446 %"));
        assert_eq!(rate(Some(-6.3), false).as_deref(), Some("off by 6.3 %"));
        assert_eq!(rate(Some(6.02), false).as_deref(), Some("off by 6.02 %"));
        assert_eq!(rate(None, false), None);
        assert_eq!(rate(Some(6.0), true).as_deref(), Some("inside the interval"));
        let [low, high] = [8.0, 40.0].map(|value| Measured { value, ..Measured::default() });
        let lab = LabFigure { low: 10.0, high: 30.0, ..LabFigure::default() };
        assert_eq!(of(&lab, &low, None, true).as_deref(), Some("outside the interval by 25.0 %"));
        assert_eq!(of(&lab, &high, None, true).as_deref(), Some("outside the interval by 25.0 %"));
        assert_eq!(figure(1.0, "PASS")(None, false).as_deref(), Some("passed"));
        assert_eq!(figure(0.0, "PASS")(None, false).as_deref(), Some("failed"));
    }
}
