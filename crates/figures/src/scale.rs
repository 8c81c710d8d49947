//! From figures to places on an axis, and the round figures that are written there.

use crate::Spacing;
use crate::paper::{LETTER, LINE, Paper};

/// A figure this much of the axis below zero, as differences of two clocks may be, is drawn on zero.
const HAIR: f64 = 0.01;

/// Round figures on an even axis, about so many.
const STEPS: f64 = 6.0;

/// Decades up to which more than whole ones are written, *assumed*.
const FEW_DECADES: i32 = 3;

/// An axis of known ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    spacing: Spacing,
    low: f64,
    high: f64,
    /// The round figures, from low to high.
    pub ticks: Vec<f64>,
}

impl Scale {
    /// An axis that holds all `figures`; those that it cannot hold are left out.
    pub fn of(spacing: Spacing, figures: impl Iterator<Item = f64>) -> Self {
        let fits = |figure: &f64| figure.is_finite() && (spacing == Spacing::Linear || *figure > 0.0);
        let (low, high) = figures
            .filter(fits)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), figure| (low.min(figure), high.max(figure)));
        match spacing {
            Spacing::Linear => {
                let high = high.max(0.0);
                Self::linear(if low < -HAIR * high { low } else { 0.0 }, high)
            }
            Spacing::Logarithmic if low.is_finite() => Self::logarithmic(low, high),
            Spacing::Logarithmic => Self::logarithmic(1.0, 10.0),
        }
    }

    fn linear(low: f64, high: f64) -> Self {
        let step = round_step((high - low).max(f64::MIN_POSITIVE) / STEPS);
        // Everything is zero: an axis from 0 to 1.
        let step = if high > low { step } else { 0.2 };
        let first = (low / step).floor();
        let last = (high / step).ceil().max(first + if high > low { 1.0 } else { 5.0 });
        let ticks: Vec<f64> = (0..=(last - first) as usize).map(|n| (first + n as f64) * step).collect();
        Self { spacing: Spacing::Linear, low: first * step, high: last * step, ticks }
    }

    /// From one of 1, 2 and 5 of a decade to another; whole decades where there are many.
    fn logarithmic(low: f64, high: f64) -> Self {
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let few = last - first <= FEW_DECADES;
        let factors: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let round = (first..=last.max(first) + 1).flat_map(|power| factors.iter().map(move |f| f * 10f64.powi(power)));
        let all: Vec<f64> = round.collect();
        // The last that is not above the lowest figure, and the first that is not below the highest.
        let from = all.iter().rposition(|tick| *tick <= low * (1.0 + 1e-9)).unwrap_or(0);
        let to = all.iter().position(|tick| *tick >= high * (1.0 - 1e-9)).unwrap_or(all.len() - 1).max(from + 1);
        let ticks = all[from..=to.min(all.len() - 1)].to_vec();
        Self { spacing: Spacing::Logarithmic, low: all[from], high: all[to.min(all.len() - 1)], ticks }
    }

    /// Place of `figure` between both ends, from 0 to 1; none when the axis cannot hold it.
    pub fn place(&self, figure: f64) -> Option<f64> {
        let part = match self.spacing {
            Spacing::Linear => (figure - self.low) / (self.high - self.low),
            Spacing::Logarithmic if figure > 0.0 => (figure / self.low).log10() / (self.high / self.low).log10(),
            Spacing::Logarithmic => return None,
        };
        (-HAIR..=1.0 + 1e-9).contains(&part).then(|| part.clamp(0.0, 1.0))
    }

    /// A tick as it is written: no more decimals than tell neighbours apart.
    pub fn written(&self, tick: f64) -> String {
        let step = match self.spacing {
            Spacing::Linear => self.ticks.get(1).map_or(1.0, |second| second - self.ticks[0]),
            Spacing::Logarithmic => tick,
        };
        let decimals = (0..9).find(|n| {
            let scaled = step * 10f64.powi(*n);
            (scaled - scaled.round()).abs() < 1e-6 && scaled.round() >= 1.0
        });
        format!("{tick:.*}", decimals.unwrap_or(0) as usize)
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `step`.
/// Draws an axis from `left` to `right` below what is between `top` and `floor`, with its round figures, those that have room, and its
/// label; the paper goes on below it.
pub fn across(paper: &mut Paper, scale: &Scale, (left, right): (f64, f64), (top, floor): (f64, f64), label: &str) {
    let mut free = f64::NEG_INFINITY;
    for tick in &scale.ticks {
        let Some(x) = scale.place(*tick).map(|part| left + part * (right - left)) else { continue };
        paper.line("grid", &format!("M{x:.1} {top:.1}V{floor:.1}"));
        let text = scale.written(*tick);
        let half = text.chars().count() as f64 * LETTER / 2.0;
        if x - half >= free {
            paper.text(x, floor + LINE, "middle", &text);
            free = x + half + LETTER;
        }
    }
    paper.line("axis", &format!("M{left:.1} {top:.1}V{floor:.1}H{right:.1}"));
    paper.text(f64::midpoint(left, right), floor + 2.3 * LINE, "small middle", label);
    paper.y = floor + 3.2 * LINE;
}

fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(spacing: Spacing, figures: &[f64]) -> Vec<String> {
        let scale = Scale::of(spacing, figures.iter().copied());
        scale.ticks.iter().map(|tick| scale.written(*tick)).collect()
    }

    #[test]
    fn an_even_axis_has_round_figures_from_zero() {
        assert_eq!(ticks(Spacing::Linear, &[100.0, 600.0]), ["0", "100", "200", "300", "400", "500", "600"]);
        assert_eq!(ticks(Spacing::Linear, &[0.31]), ["0.0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(ticks(Spacing::Linear, &[10.65]), ["0", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(ticks(Spacing::Linear, &[-1.0, 3.0]), ["-1", "0", "1", "2", "3"]);
        assert_eq!(ticks(Spacing::Linear, &[-0.01, 6.0]), ["0", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(ticks(Spacing::Linear, &[0.0]), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(ticks(Spacing::Linear, &[]).len(), 6);
    }

    #[test]
    fn a_logarithmic_axis_has_round_ends() {
        assert_eq!(ticks(Spacing::Logarithmic, &[3.0, 40.0]), ["2", "5", "10", "20", "50"]);
        assert_eq!(ticks(Spacing::Logarithmic, &[0.04, 900.0]), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(ticks(Spacing::Logarithmic, &[0.0, -3.0]), ["1", "2", "5", "10"]);
    }

    #[test]
    fn figures_have_their_places() {
        let even = Scale::of(Spacing::Linear, [0.0, 600.0].into_iter());
        assert_eq!(even.place(150.0), Some(0.25));
        assert_eq!((even.place(601.0), even.place(-60.0), even.place(-1.0)), (None, None, Some(0.0)));
        let decades = Scale::of(Spacing::Logarithmic, [1.0, 100.0].into_iter());
        assert_eq!(decades.place(10.0), Some(0.5));
        assert_eq!(decades.place(0.0), None);
        assert_eq!(decades.place(f64::NAN), None);
    }
}
