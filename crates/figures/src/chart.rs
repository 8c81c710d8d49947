//! Chart: series over two axes.
//!
//! A few hundred lines of our own, because no crate fits: `plotters` brings fonts, bitmaps and 30 crates for its SVG back end, `poloto` and
//! `charming` bring a style sheet or a script of their own. A chart here is text, the same for the same figures.

/// A plot: some series over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Title of the chart.
    pub title: String,
    /// A line below the title: how the figures were come by.
    pub subtitle: String,
    /// To the right.
    pub x: Axis,
    /// Axis that runs upwards.
    pub y: Axis,
    /// Series to draw, the first below the others.
    pub series: Vec<Series>,
}

/// Axis of a plot: title, unit and range.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Label with the unit.
    pub label: String,
    /// Spacing of its figures.
    pub spacing: Spacing,
}

/// Spacing of figures over an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spacing {
    /// Evenly, from zero on.
    #[default]
    Linear,
    /// By their logarithm: for what spans decades. Figures that are not above zero are not drawn.
    Logarithmic,
}

/// Marks that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Look of the series.
    pub look: Look,
    /// Its marks, from left to right.
    pub marks: Vec<Mark>,
}

/// Look of a series: the way it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Marks with a line through them: what was measured.
    Line,
    /// A dashed line without marks: what was computed.
    Dashed,
    /// Marks alone: what others have measured.
    Marks,
}

/// A figure, with its range where there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// To the right.
    pub x: f64,
    /// Value along the axis that runs upwards.
    pub y: f64,
    /// The lowest and highest of what it stands for.
    pub range: Option<(f64, f64)>,
    /// Words on it beyond its figures, such as the settings that it is of; may be empty.
    pub note: String,
}

impl Axis {
    /// An even axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), spacing: Spacing::Linear }
    }

    /// An axis for what spans decades.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self { label: label.into(), spacing: Spacing::Logarithmic }
    }
}

impl Mark {
    /// A figure without a range.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, range: None, note: String::new() }
    }
}
