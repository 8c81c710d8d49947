//! A figure of any kind, and several of them as one document.

use std::fmt::Write;

use crate::paper::{DARK, Drawn, STYLE, WIDTH, WIDTH_MIN, escaped};
use crate::{Chart, Heat, Ladder, Rows, Timeline, Waterfall};

/// Beginning of every document: what tells a file of ours from somebody else's.
pub const BEGINS: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"airtime-figures\"";

/// Figure of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// From the PHY's rate down to goodput.
    Waterfall(Waterfall),
    /// From today up to the limit.
    Ladder(Ladder),
    /// Series over an axis.
    Chart(Chart),
    /// A figure for each pair of values.
    Heat(Heat),
    /// A line of marks for each of several rows.
    Rows(Rows),
    /// Part of a run to scale.
    Timeline(Timeline),
}

impl Figure {
    fn drawn(&self, width: f64) -> Drawn {
        match self {
            Self::Waterfall(waterfall) => waterfall.drawn(width),
            Self::Ladder(ladder) => ladder.drawn(width),
            Self::Chart(chart) => crate::plane::drawn(chart, width),
            Self::Heat(heat) => heat.drawn(width),
            Self::Rows(rows) => rows.drawn(width),
            Self::Timeline(timeline) => timeline.drawn(width),
        }
    }

    /// Title of the figure: its finding.
    pub fn title(&self) -> &str {
        match self {
            Self::Waterfall(waterfall) => &waterfall.title,
            Self::Ladder(ladder) => &ladder.title,
            Self::Chart(chart) => &chart.title,
            Self::Heat(heat) => &heat.title,
            Self::Rows(rows) => &rows.title,
            Self::Timeline(timeline) => &timeline.title,
        }
    }

    /// The figure as an element of a page, whose style is the page's.
    pub fn element(&self) -> String {
        self.element_of(WIDTH)
    }

    /// The same drawn for a column of this width, in the units of its text: on a phone letters are as large as elsewhere, and what does
    /// not fit beside them is left out.
    pub fn element_of(&self, width: f64) -> String {
        element(&self.drawn(width.max(WIDTH_MIN).round()), 0.0)
    }
}

/// Rules of [`Figure::element`] for light paper, and those to put behind them for dark paper: a page of somebody else's says where each
/// of them is in force.
pub const RULES: [&str; 2] = [STYLE, DARK];

/// `figures` below one another as one SVG document with `command`, which makes it again, in its description.
pub fn document(figures: &[Figure], command: &str) -> String {
    let drawn: Vec<Drawn> = figures.iter().map(|figure| figure.drawn(WIDTH)).collect();
    let height: f64 = drawn.iter().map(|drawn| drawn.height).sum::<f64>().max(1.0);
    let names: Vec<&str> = drawn.iter().map(|drawn| drawn.name.as_str()).collect();
    let mut out = format!(
        "{BEGINS} viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{}\">\n",
        escaped(&names.join("; "))
    );
    if !command.is_empty() {
        let _ = writeln!(out, "<desc>made by: {}</desc>", escaped(command));
    }
    let _ = writeln!(out, "<style>{STYLE}</style>");
    let mut y = 0.0;
    for drawn in &drawn {
        out.push_str(&element(drawn, y));
        y += drawn.height;
    }
    out.push_str("</svg>\n");
    out
}

fn element(drawn: &Drawn, y: f64) -> String {
    let Drawn { markup, name, width, height } = drawn;
    let name = escaped(name);
    format!(
        "<svg class=\"figure\" y=\"{y}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"{name}\">\n<title>{name}</title>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{markup}</svg>\n"
    )
}
