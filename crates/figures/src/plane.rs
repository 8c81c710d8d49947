//! A chart drawn: the plane of both axes, and what is on it.

use std::fmt::Write;

use crate::paper::{Drawn, LETTER, MARGIN, Paper, escaped, figure};
use crate::scale::Scale;
use crate::{Chart, Look, Mark, Series};

/// Height of the plane, its corner at the left, and what is beside it.
const TALL: f64 = 296.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 56.0;
/// A line of the legend.
const LEGEND_LINE: f64 = 20.0;

/// Colours that people with any kind of colour vision tell apart (M. Okabe and K. Ito, Color Universal Design, 2008), the
/// dark ones first.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

/// Draws `chart` on paper of this width.
pub fn drawn(chart: &Chart, width: f64) -> Drawn {
    let mut paper = Paper::titled(width, &chart.title, &chart.subtitle);
    let mut out = String::new();
    let top = legend(&mut out, &chart.series, width, paper.y + 10.0);
    let plane = Plane::of(chart, width, top);
    plane.grid(&mut out, chart);
    for (number, series) in chart.series.iter().enumerate() {
        plane.series(&mut out, series, number);
    }
    paper.raw(&out);
    paper.y = plane.floor + BOTTOM;
    paper.finish()
}

/// Colour of the series with this number.
pub fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// Writes the legend from `y` on, in as many lines as it takes; returns where the plane may begin.
fn legend(out: &mut String, series: &[Series], sheet: f64, mut y: f64) -> f64 {
    let mut x = MARGIN;
    for (number, series) in series.iter().enumerate() {
        let width = 34.0 + series.name.chars().count() as f64 * LETTER + 18.0;
        if x > MARGIN && x + width > sheet - RIGHT {
            (x, y) = (MARGIN, y + LEGEND_LINE);
        }
        line(out, series.look, number, &format!("{x},{y} {},{y}", x + 26.0));
        if series.look != Look::Dashed {
            marker(out, number, x + 13.0, y, "");
        }
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + 34.0, y + 4.5, escaped(&series.name));
        x += width;
    }
    y + LEGEND_LINE
}

fn line(out: &mut String, look: Look, number: usize, points: &str) {
    let dashes = match look {
        Look::Line => "",
        Look::Dashed => " stroke-dasharray=\"7 5\"",
        Look::Marks => return,
    };
    let colour = colour(number);
    let _ =
        writeln!(out, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>");
}

/// A circle, square, diamond or triangle: whoever sees no colours sees these. `says`, which is escaped, is for screen readers.
pub fn marker(out: &mut String, number: usize, x: f64, y: f64, says: &str) {
    let (shape, name) = match number % 4 {
        0 => (format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\""), "circle"),
        1 => (format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7.6\" height=\"7.6\"", x - 3.8, y - 3.8), "rect"),
        2 => (format!("<path d=\"M{x:.1} {:.1}l5 5l-5 5l-5 -5z\"", y - 5.0), "path"),
        _ => (format!("<path d=\"M{x:.1} {:.1}l5 9h-10z\"", y - 5.5), "path"),
    };
    let colour = colour(number);
    let _ = match says {
        "" => writeln!(out, "{shape} fill=\"{colour}\"/>"),
        says => writeln!(out, "{shape} fill=\"{colour}\"><title>{says}</title></{name}>"),
    };
}

/// Plane of a chart: the place of both axes.
struct Plane {
    width: f64,
    top: f64,
    floor: f64,
    x: Scale,
    y: Scale,
}

impl Plane {
    fn of(chart: &Chart, width: f64, top: f64) -> Self {
        let marks = || chart.series.iter().flat_map(|series| &series.marks);
        let heights = |mark: &Mark| [Some(mark.y), mark.range.map(|(low, _)| low), mark.range.map(|(_, high)| high)];
        Self {
            width,
            top,
            floor: top + TALL,
            x: Scale::of(chart.x.spacing, marks().map(|mark| mark.x)),
            y: Scale::of(chart.y.spacing, marks().flat_map(heights).flatten()),
        }
    }

    fn across(&self, x: f64) -> Option<f64> {
        Some(LEFT + self.x.place(x)? * (self.width - LEFT - RIGHT))
    }

    fn up(&self, y: f64) -> Option<f64> {
        Some(self.floor - self.y.place(y)? * (self.floor - self.top))
    }

    fn grid(&self, out: &mut String, chart: &Chart) {
        let (floor, right) = (self.floor, self.width - RIGHT);
        for tick in &self.y.ticks {
            let Some(y) = self.up(*tick) else { continue };
            let _ = writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>");
            let text = self.y.written(*tick);
            let _ = writeln!(out, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", LEFT - 8.0, y + 4.5);
        }
        let mut free = f64::NEG_INFINITY;
        for tick in &self.x.ticks {
            let Some(x) = self.across(*tick) else { continue };
            let _ = writeln!(out, "<path class=\"axis\" d=\"M{x:.1} {floor}v5\"/>");
            let text = self.x.written(*tick);
            let half = text.chars().count() as f64 * LETTER / 2.0;
            if x - half >= free {
                let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", floor + 20.0);
                free = x + half + LETTER;
            }
        }
        let middle = f64::midpoint(self.top, floor);
        let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {}V{floor}H{right}\" fill=\"none\"/>", self.top);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, right),
            floor + BOTTOM - 14.0,
            escaped(&chart.x.label),
            escaped(&chart.y.label),
        );
    }

    fn series(&self, out: &mut String, series: &Series, number: usize) {
        let places: Vec<(&Mark, f64, f64)> =
            series.marks.iter().filter_map(|mark| Some((mark, self.across(mark.x)?, self.up(mark.y)?))).collect();
        let points: Vec<String> = places.iter().map(|(_, x, y)| format!("{x:.1},{y:.1}")).collect();
        line(out, series.look, number, &points.join(" "));
        let colour = colour(number);
        for (mark, x, y) in places {
            if let Some((low, high)) = mark.range.and_then(|(low, high)| Some((self.up(low)?, self.up(high)?)))
                && (low - high).abs() > 1.0
            {
                let _ = writeln!(
                    out,
                    "<path d=\"M{0:.1} {low:.1}V{high:.1}M{1:.1} {low:.1}h8M{1:.1} {high:.1}h8\" stroke=\"{colour}\"/>",
                    x,
                    x - 4.0,
                );
            }
            if series.look != Look::Dashed {
                let range = mark.range.map(|(low, high)| format!(", {} to {}", figure(low), figure(high)));
                let range = range.unwrap_or_default();
                let note = if mark.note.is_empty() { String::new() } else { format!("; {}", mark.note) };
                let says = format!("{}: {} at {}{range}{note}", series.name, figure(mark.y), mark.x);
                marker(out, number, x, y, &escaped(&says));
            }
        }
    }
}
