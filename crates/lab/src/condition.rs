//! Conditions on figures: what must not come of a change, and what a search must keep to.

use std::fmt;
use std::str::FromStr;

use airtime_core::Duration;
use airtime_core::units::Bitrate;
use thiserror::Error;

use crate::figure::{Figure, NoFigure};

/// A figure beside a bound: `goodput < -3%`, `delay_p99 > 50ms`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Figure that it is about.
    pub figure: Figure,
    /// Set where the condition holds above the bound, clear where it holds below.
    pub above: bool,
    /// Set where it holds at the bound itself: `<=` and `>=`.
    pub at_bound: bool,
    /// Bound of the figure.
    pub bound: Bound,
    /// The text that it was read from.
    text: String,
}

/// Bound of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// A value in the figure's unit.
    Value(f64),
    /// A difference to the first of two, in the figure's unit.
    Difference(f64),
    /// A difference in per cent of the first of two.
    Percent(f64),
}

/// Reason that a text is no condition.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum NoCondition {
    /// There is no comparison in it.
    #[error(
        "`{0}`: expected a figure, `<`, `<=`, `>` or `>=`, and a bound, such as 'goodput < -3%' or 'delay_p99 > 50ms'"
    )]
    Comparison(String),
    /// Its name is that of no figure.
    #[error(transparent)]
    Figure(#[from] NoFigure),
    /// The bound is not one of the figure's.
    #[error("`{text}`: `{bound}` is no bound of {figure}: expected {allowed}")]
    Bound {
        /// The whole condition.
        text: String,
        /// Text of the bound.
        bound: String,
        /// Name of the figure.
        figure: String,
        /// Bounds that there are.
        allowed: String,
    },
}

impl Condition {
    /// True if a `value` beside the first one, `a`, meets it; one that needs a first value is not met without.
    pub fn holds(&self, value: f64, a: Option<f64>) -> bool {
        let limit = match self.bound {
            Bound::Value(limit) => Some(limit),
            Bound::Difference(by) => a.map(|a| a + by),
            Bound::Percent(percent) => a.map(|a| a * (1.0 + percent / 100.0)),
        };
        limit.is_some_and(|limit| match (self.above, self.at_bound) {
            (true, false) => value > limit,
            (true, true) => value >= limit,
            (false, false) => value < limit,
            (false, true) => value <= limit,
        })
    }

    /// The condition that holds where this one does not, of a figure that is there.
    pub fn opposite(&self) -> Self {
        let sign = match (self.above, self.at_bound) {
            (true, true) => "<",
            (true, false) => "<=",
            (false, true) => ">",
            (false, false) => ">=",
        };
        let bound = self.text.rsplit(['<', '>', '=']).next().unwrap_or_default().trim();
        let text = format!("{} {sign} {bound}", self.figure);
        Self { above: !self.above, at_bound: !self.at_bound, text, ..self.clone() }
    }

    /// True if it is about a difference to another run.
    pub const fn is_relative(&self) -> bool {
        !matches!(self.bound, Bound::Value(_))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Condition {
    type Err = NoCondition;

    fn from_str(text: &str) -> Result<Self, NoCondition> {
        let comparison = || NoCondition::Comparison(text.to_owned());
        let at = text.find(['<', '>']).ok_or_else(comparison)?;
        let (name, rest) = text.split_at(at);
        let above = rest.starts_with('>');
        let rest = &rest[1..];
        let (at_bound, rest) = rest.strip_prefix('=').map_or((false, rest), |rest| (true, rest));
        let figure: Figure = name.trim().parse()?;
        let bound = bound(&figure, rest.trim()).ok_or_else(|| NoCondition::Bound {
            text: text.to_owned(),
            bound: rest.trim().to_owned(),
            figure: figure.to_string(),
            allowed: allowed(&figure),
        })?;
        Ok(Self { figure, above, at_bound, bound, text: text.trim().to_owned() })
    }
}

/// The bound that `text` is of `figure`; one with a sign is a difference.
fn bound(figure: &Figure, text: &str) -> Option<Bound> {
    let unsigned = text.trim_start_matches(['+', '-', '−']).trim();
    let sign = match text.chars().next()? {
        '+' => Some(1.0),
        '-' | '−' => Some(-1.0),
        _ => None,
    };
    if let Some(percent) = unsigned.strip_suffix('%').filter(|_| !figure.is_share()) {
        return Some(Bound::Percent(sign? * number(percent)?));
    }
    let value = in_unit(figure, unsigned)?;
    Some(sign.map_or(Bound::Value(value), |sign| Bound::Difference(sign * value)))
}

/// `text` in the unit of `figure`.
fn in_unit(figure: &Figure, text: &str) -> Option<f64> {
    match figure.unit() {
        "kbps" => text.parse::<Bitrate>().ok().map(|rate| rate.0 as f64 / 1e3),
        "ms" => text.parse::<Duration>().ok().map(Duration::as_millis_f64),
        "%" => number(text.strip_suffix('%')?),
        _ => number(text),
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
}

fn allowed(figure: &Figure) -> String {
    let (value, by) = match figure.unit() {
        "kbps" => ("500kbps", "-20kbps"),
        "ms" => ("50ms", "+2ms"),
        "%" => return "a share such as 2%, or a difference of shares such as +1%".to_owned(),
        _ => ("100", "+10"),
    };
    format!("a value such as {value}, a difference such as {by}, or one in per cent with its sign: -3%")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Condition {
        text.parse().unwrap_or_else(|error: NoCondition| panic!("{error}"))
    }

    #[test]
    fn a_bound_is_a_value_a_difference_or_a_percentage() {
        assert_eq!(of("goodput < -3%").bound, Bound::Percent(-3.0));
        assert_eq!(of("goodput<500kbps").bound, Bound::Value(500.0));
        assert_eq!(of("delay_p99 >= +2ms").bound, Bound::Difference(2.0));
        assert_eq!(of("loss > 2%").bound, Bound::Value(2.0));
        assert_eq!(of("loss > +1 %").bound, Bound::Difference(1.0));
        assert_eq!(of("counters.pdus.lost > 10").bound, Bound::Value(10.0));
        assert_eq!(of(" goodput <= −1Mbps ").to_string(), "goodput <= −1Mbps");
    }

    #[test]
    fn the_opposite_holds_where_a_condition_does_not() {
        for (text, opposite) in [
            ("goodput >= 500kbps", "goodput < 500kbps"),
            ("goodput > 500kbps", "goodput <= 500kbps"),
            ("delay_p99<50ms", "delay_p99 >= 50ms"),
            ("loss <= 1%", "loss > 1%"),
        ] {
            assert_eq!(of(text).opposite(), of(opposite));
            assert_eq!(of(text).opposite().opposite().to_string().replace(' ', ""), text.replace(' ', ""));
        }
    }

    #[test]
    fn a_condition_holds_beyond_its_bound() {
        let regression = of("goodput < -3%");
        assert!(regression.holds(96.9, Some(100.0)) && !regression.holds(97.0, Some(100.0)));
        assert!(!regression.holds(0.0, None), "nothing to compare with");
        assert!(of("goodput <= 97kbps").holds(97.0, None) && !of("goodput < 97kbps").holds(97.0, None));
        assert!(of("delay_p99 > +2ms").holds(12.5, Some(10.0)) && of("delay_p99 >= 12ms").holds(12.0, None));
        assert!(regression.is_relative() && !of("ram > 100").is_relative());
    }

    #[test]
    fn what_makes_no_sense_says_what_would() {
        let wrong = |text: &str| text.parse::<Condition>().unwrap_err().to_string();
        assert!(wrong("goodput").contains("'goodput < -3%'"));
        assert!(wrong("goodput < 3%").contains("with its sign"), "{}", wrong("goodput < 3%"));
        assert!(wrong("delay_p99 > 50").contains("50ms"));
        assert!(wrong("speed > 1").contains("no figure"));
        assert!(wrong("loss > 1ms").contains("a share such as 2%"));
    }
}
