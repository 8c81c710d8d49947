//! Rows of marks: what was measured and what the lab says, or the points of a grid, a line each.

use std::fmt::Write;

use crate::paper::{Drawn, LETTER, LINE, MARGIN, Paper, escaped, lines};
use crate::scale::Scale;
use crate::{Spacing, plane, scale};

/// Rows of marks over one axis.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Rows {
    /// Finding of the figure, in a sentence.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Label of the axis with its unit.
    pub axis: String,
    /// Names of the marks that rows have, for the legend.
    pub legend: Vec<String>,
    /// Part of the axis that is told apart from the rest.
    pub band: Option<Band>,
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
}

/// Part of an axis that stands for something: what is too little to count.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Band {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Words on it, for the legend.
    pub says: String,
}

/// Row of marks.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Row {
    /// Name of the row.
    pub name: String,
    /// A mark for each name of the legend; none where there is no figure.
    pub dots: Vec<Option<Dot>>,
    /// Figure at the right: the error, or the goodput.
    pub says: String,
}

/// Mark with its range.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Dot {
    /// Value along the axis.
    pub value: f64,
    /// The lowest and highest of what it stands for.
    pub range: Option<(f64, f64)>,
}

/// Widest column of names.
const NAMES_MAX: f64 = 300.0;
/// Part of the width that names have at most.
const NAMES_PART: f64 = 0.4;
/// Height from the marks of one number to those of the next in a row.
const LANE: f64 = 8.0;
/// Colour of a band, over paper of any kind.
const SHADE: &str = "fill=\"#009e73\" fill-opacity=\"0.2\"";
/// Ratio of the largest figure to the smallest from which on the axis is logarithmic, *assumed*.
const DECADES: f64 = 30.0;

impl Rows {
    pub(crate) fn drawn(&self, width: f64) -> Drawn {
        let mut paper = Paper::titled(width, &self.title, &self.subtitle);
        self.legend(&mut paper);
        let longest = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0) as f64;
        let widest = self.rows.iter().map(|row| row.says.chars().count()).max().unwrap_or(0) as f64;
        let (left, right) = (
            MARGIN + (longest * LETTER).min(NAMES_MAX).min(width * NAMES_PART) + 14.0,
            width - MARGIN - widest * LETTER - 16.0,
        );
        let scale = self.scale();
        let top = paper.y;
        let names: Vec<Vec<String>> =
            self.rows.iter().map(|row| lines(&row.name, left - MARGIN - 14.0, LETTER, 2)).collect();
        let height = |name: &Vec<String>| 8.0 + LINE * name.len().max(1) as f64;
        let floor = top + names.iter().map(height).sum::<f64>() + 4.0;
        scale::across(&mut paper, &scale, (left, right), (top, floor), &self.axis);
        let x = |value: f64| Some(left + scale.place(value)? * (right - left));
        if let Some(band) = &self.band
            && let Some((from, to)) = x(band.low).zip(x(band.high))
        {
            paper.raw(&shade(band, (from, top), (to - from, floor - top)));
        }
        let mut y = top + 4.0;
        for (row, name) in self.rows.iter().zip(&names) {
            for (number, line) in name.iter().enumerate() {
                paper.text(left - 14.0, y + 13.5 + number as f64 * LINE, "end", line);
            }
            for (number, dot) in row.dots.iter().enumerate() {
                let Some((dot, at)) = dot.and_then(|dot| Some((dot, x(dot.value)?))) else { continue };
                paper.raw(&self.mark(row, number, dot, (at, y + 9.0 + self.lane(number)), &x));
            }
            paper.text(width - MARGIN, y + 13.5, "end", &row.says);
            y += height(name);
        }
        paper.finish()
    }

    /// Height of the marks of this number beside the middle of a row: what is alike would cover one another.
    fn lane(&self, number: usize) -> f64 {
        LANE * (number as f64 - (self.legend.len().max(1) - 1) as f64 / 2.0)
    }

    fn legend(&self, paper: &mut Paper) {
        let mut at = MARGIN;
        paper.y += 6.0;
        for (number, name) in self.legend.iter().enumerate().filter(|_| self.legend.len() > 1) {
            let mut markup = String::new();
            plane::marker(&mut markup, number, at + 6.0, paper.y - 4.5, "");
            paper.raw(&markup);
            paper.text(at + 18.0, paper.y, "", name);
            at += 36.0 + name.chars().count() as f64 * LETTER;
        }
        if let Some(band) = &self.band {
            paper.raw(&shade(band, (at, paper.y - 10.0), (12.0, 11.0)));
            paper.text(at + 18.0, paper.y, "", &band.says);
        }
        paper.y += 14.0;
    }

    fn scale(&self) -> Scale {
        let figures = || {
            let dots = self.rows.iter().flat_map(|row| row.dots.iter().flatten());
            let of = |dot: &Dot| [Some(dot.value), dot.range.map(|range| range.0), dot.range.map(|range| range.1)];
            dots.flat_map(of).flatten().chain(self.band.iter().flat_map(|band| [band.low, band.high]))
        };
        let (low, high) = figures().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
        let spacing = if low > 0.0 && high / low > DECADES { Spacing::Logarithmic } else { Spacing::Linear };
        Scale::of(spacing, figures())
    }

    fn mark(&self, row: &Row, number: usize, dot: Dot, (at, y): (f64, f64), x: &dyn Fn(f64) -> Option<f64>) -> String {
        let mut out = String::new();
        let name = self.legend.get(number).map_or("", String::as_str);
        let mut says = format!("{}: {name} {}", row.name, dot.value);
        if let Some((low, high)) = dot.range {
            let _ = write!(says, " ({low} to {high})");
            if let Some((from, to)) = x(low).zip(x(high)) {
                let colour = plane::colour(number);
                let _ = writeln!(
                    out,
                    "<path d=\"M{from:.1} {y:.1}H{to:.1}M{from:.1} {0:.1}v8M{to:.1} {0:.1}v8\" stroke=\"{colour}\" fill=\"none\"/>",
                    y - 4.0
                );
            }
        }
        plane::marker(&mut out, number, at, y, &escaped(&says));
        out
    }
}

fn shade(band: &Band, (x, y): (f64, f64), (width, height): (f64, f64)) -> String {
    let says = escaped(&band.says);
    let width = width.max(1.0);
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {SHADE}><title>{says}</title></rect>\n"
    )
}
