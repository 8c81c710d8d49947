//! Aims of a search: one figure, or several at once by their weights.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::figure::{Figure, NoFigure, Side};
use crate::record::Record;

/// Aim of a search: what is to be best.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Aim {
    /// One figure.
    One(Figure),
    /// Several figures, each with its weight: the weighted geometric mean of how many times better than today each is. A figure that
    /// doubles and another of the same weight that halves come to 1.
    Weighted(Vec<(Figure, f64)>),
}

/// Unit of several figures at once.
const TIMES: &str = "times today's";

/// Reason that a text is no aim.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum NoAim {
    /// A name in it is that of no figure.
    #[error(transparent)]
    Figure(#[from] NoFigure),
    /// A weight is no number above zero.
    #[error("`{0}` is no weight: expected a number above zero, as in 'goodput + 0.5*ram'")]
    Weight(String),
    /// A figure has no side on which it is better.
    #[error("{0} is no goal: neither more nor less of it is better; a limit may be about it")]
    Side(Figure),
    /// A figure is a share, which may be zero today: nothing is so many times better than that.
    #[error(
        "{0} is nothing to weigh with others: it may be zero, which nothing is times better than; a limit may be about it"
    )]
    Share(Figure),
    /// A figure is there twice.
    #[error("{0} has two weights")]
    Twice(Figure),
}

impl Aim {
    /// Side on which it is better.
    pub fn side(&self) -> Side {
        match self {
            Self::One(figure) => figure.side(),
            Self::Weighted(_) => Side::More,
        }
    }

    /// Unit of its value.
    pub const fn unit(&self) -> &'static str {
        match self {
            Self::One(figure) => figure.unit(),
            Self::Weighted(_) => TIMES,
        }
    }

    /// Value of it in `record`, beside `today`, the run of the plan as it is: of several figures 1 where they are as today. None where one
    /// of the figures is missing, or is no number above zero where it has a weight.
    pub fn of(&self, record: &Record, today: &Record) -> Option<f64> {
        let figures = match self {
            Self::One(figure) => return figure.of(record),
            Self::Weighted(figures) => figures,
        };
        let (mut sum, mut weights) = (0.0, 0.0);
        for (figure, weight) in figures {
            let above_zero = |record: &Record| figure.of(record).filter(|value| *value > 0.0 && value.is_finite());
            let times = (above_zero(record)? / above_zero(today)?).ln();
            sum += if figure.side() == Side::More { weight * times } else { -weight * times };
            weights += weight;
        }
        Some((sum / weights).exp())
    }

    fn checked(self) -> Result<Self, NoAim> {
        let figures = match &self {
            Self::One(figure) if figure.side() == Side::Neither => return Err(NoAim::Side(figure.clone())),
            Self::One(_) => return Ok(self),
            Self::Weighted(figures) => figures,
        };
        for (number, (figure, weight)) in figures.iter().enumerate() {
            if figure.side() == Side::Neither {
                return Err(NoAim::Side(figure.clone()));
            }
            if figure.is_share() || matches!(figure, Figure::Account(_)) {
                return Err(NoAim::Share(figure.clone()));
            }
            if figures[..number].iter().any(|(other, _)| other == figure) {
                return Err(NoAim::Twice(figure.clone()));
            }
            if !(*weight > 0.0 && weight.is_finite()) {
                return Err(NoAim::Weight(weight.to_string()));
            }
        }
        Ok(self)
    }
}

impl From<Figure> for Aim {
    fn from(figure: Figure) -> Self {
        Self::One(figure)
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(figure) => figure.fmt(f),
            Self::Weighted(figures) => {
                for (number, (figure, weight)) in figures.iter().enumerate() {
                    let plus = if number == 0 { "" } else { " + " };
                    // One of itself needs no word.
                    if (weight - 1.0).abs() < f64::EPSILON {
                        write!(f, "{plus}{figure}")?;
                    } else {
                        write!(f, "{plus}{weight}*{figure}")?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl FromStr for Aim {
    type Err = NoAim;

    fn from_str(text: &str) -> Result<Self, NoAim> {
        let term = |text: &str| -> Result<(Figure, f64), NoAim> {
            let Some((weight, figure)) = text.split_once('*') else { return Ok((text.trim().parse()?, 1.0)) };
            let number = weight.trim().parse().map_err(|_| NoAim::Weight(weight.trim().to_owned()))?;
            Ok((figure.trim().parse()?, number))
        };
        let mut figures = text.split('+').map(term).collect::<Result<Vec<_>, _>>()?;
        let aim = if figures.len() == 1 { Self::One(figures.remove(0).0) } else { Self::Weighted(figures) };
        aim.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Goodput, Latency};

    fn record(kbps: f64, delay_ms: f64) -> Record {
        let latency_ms = Some(Latency { p99: delay_ms, ..Latency::default() });
        Record { link: "ieee802154".into(), goodput_kbps: Goodput::of(&[kbps]), latency_ms, ..Record::default() }
    }

    #[test]
    fn several_figures_weigh_what_they_are_told_to() {
        let of = |aim: &str, kbps: f64, delay_ms: f64| {
            aim.parse::<Aim>().unwrap().of(&record(kbps, delay_ms), &record(100.0, 10.0)).unwrap()
        };
        let close = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-9, "{value} {expected}");
        close(of("goodput", 130.0, 10.0), 130.0);
        close(of("goodput + delay_p99", 100.0, 10.0), 1.0);
        close(of("goodput + delay_p99", 200.0, 20.0), 1.0);
        close(of("goodput + delay_p99", 400.0, 10.0), 2.0);
        close(of("goodput + 3*delay_p99", 100.0, 5.0), 2f64.powf(0.75));
        assert_eq!("goodput + delay_p99".parse::<Aim>().unwrap().of(&record(0.0, 1.0), &record(100.0, 10.0)), None);
    }

    #[test]
    fn an_aim_is_written_as_it_is_read() {
        for text in ["goodput", "goodput + 0.5*delay_p99", "2*worst_link + ram", "ledger.tail"] {
            assert_eq!(text.parse::<Aim>().unwrap().to_string(), text);
        }
        assert_eq!("  2 * goodput+ram ".parse::<Aim>().unwrap().to_string(), "2*goodput + ram");
    }

    #[test]
    fn what_cannot_be_weighed_is_told() {
        let why = |text: &str| text.parse::<Aim>().unwrap_err().to_string();
        assert!(why("goodput + delay_p98").contains("did you mean `delay_p9"));
        assert!(why("goodput + x*ram").starts_with("`x` is no weight"));
        assert!(why("goodput + -1*ram").starts_with("`-1` is no weight"));
        assert!(why("goodput + loss").starts_with("loss is nothing to weigh"));
        assert!(why("goodput + goodput").ends_with("has two weights"));
        assert!(why("counters.x").contains("neither more nor less"));
        assert!(why("goodput +").contains("is no figure"));
    }
}
