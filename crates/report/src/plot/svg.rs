//! A chart as SVG.

use std::fmt::Write;

use super::scale::Scale;
use super::{Chart, Look, Mark, Series, escaped};

/// The picture, in its own units.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// The corner of the plane of both axes, and its size.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 56.0;
/// Title and subtitle.
const HEAD: f64 = 58.0;
/// A line of the legend.
const LEGEND_LINE: f64 = 20.0;
/// About the width of a letter of 13 units in an ordinary typeface.
const LETTER: f64 = 6.9;

/// Colours that people with any kind of colour vision tell apart (M. Okabe and K. Ito, Color Universal Design, 2008), the
/// dark ones first.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#222}.title{font-size:16px;font-weight:600}\
    .small{font-size:12px;fill:#555}.grid{stroke:#ddd}.axis{stroke:#555}";

/// `chart` as an SVG document.
pub fn svg(chart: &Chart) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         role=\"img\" aria-label=\"{0}\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"26\">{0}</text>\n<text class=\"small\" x=\"{LEFT}\" y=\"46\">{1}</text>\n",
        escaped(&chart.title),
        escaped(&chart.subtitle),
    );
    let top = legend(&mut out, &chart.series);
    let plane = Plane::of(chart, top);
    plane.grid(&mut out, chart);
    for (number, series) in chart.series.iter().enumerate() {
        plane.series(&mut out, series, number);
    }
    out.push_str("</svg>\n");
    out
}

/// Writes the legend below the head, in as many lines as it takes; returns where the plane may begin.
fn legend(out: &mut String, series: &[Series]) -> f64 {
    let (mut x, mut y) = (LEFT, HEAD + 10.0);
    for (number, series) in series.iter().enumerate() {
        let width = 34.0 + series.name.chars().count() as f64 * LETTER + 18.0;
        if x > LEFT && x + width > WIDTH - RIGHT {
            (x, y) = (LEFT, y + LEGEND_LINE);
        }
        line(out, series.look, number, &format!("{x},{y} {},{y}", x + 26.0));
        marker(out, series.look, number, x + 13.0, y);
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
    let colour = COLOURS[number % COLOURS.len()];
    let _ =
        writeln!(out, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>");
}

/// A circle, square, diamond or triangle: whoever sees no colours sees these.
fn marker(out: &mut String, look: Look, number: usize, x: f64, y: f64) {
    let colour = COLOURS[number % COLOURS.len()];
    let shape = match (look, number % 4) {
        (Look::Dashed, _) => return,
        (_, 0) => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\""),
        (_, 1) => format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7.6\" height=\"7.6\"", x - 3.8, y - 3.8),
        (_, 2) => format!("<path d=\"M{x:.1} {:.1}l5 5l-5 5l-5 -5z\"", y - 5.0),
        _ => format!("<path d=\"M{x:.1} {:.1}l5 9h-10z\"", y - 5.5),
    };
    let _ = writeln!(out, "{shape} fill=\"{colour}\"/>");
}

/// Plane of a chart: the place of both axes.
struct Plane {
    top: f64,
    x: Scale,
    y: Scale,
}

impl Plane {
    fn of(chart: &Chart, top: f64) -> Self {
        let marks = || chart.series.iter().flat_map(|series| &series.marks);
        let heights = |mark: &Mark| [Some(mark.y), mark.range.map(|(low, _)| low), mark.range.map(|(_, high)| high)];
        Self {
            top,
            x: Scale::of(chart.x.spacing, marks().map(|mark| mark.x)),
            y: Scale::of(chart.y.spacing, marks().flat_map(heights).flatten()),
        }
    }

    fn across(&self, x: f64) -> Option<f64> {
        Some(LEFT + self.x.place(x)? * (WIDTH - LEFT - RIGHT))
    }

    fn up(&self, y: f64) -> Option<f64> {
        let floor = HEIGHT - BOTTOM;
        Some(floor - self.y.place(y)? * (floor - self.top))
    }

    fn grid(&self, out: &mut String, chart: &Chart) {
        let (floor, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for tick in &self.y.ticks {
            let Some(y) = self.up(*tick) else { continue };
            let _ = writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>");
            let text = self.y.written(*tick);
            let _ = writeln!(out, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", LEFT - 8.0, y + 4.5);
        }
        for tick in &self.x.ticks {
            let Some(x) = self.across(*tick) else { continue };
            let _ = writeln!(out, "<path class=\"axis\" d=\"M{x:.1} {floor}v5\"/>");
            let text = self.x.written(*tick);
            let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", floor + 20.0);
        }
        let middle = f64::midpoint(self.top, floor);
        let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {}V{floor}H{right}\" fill=\"none\"/>", self.top);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, right),
            HEIGHT - 14.0,
            escaped(&chart.x.label),
            escaped(&chart.y.label),
        );
    }

    fn series(&self, out: &mut String, series: &Series, number: usize) {
        let places: Vec<(&Mark, f64, f64)> =
            series.marks.iter().filter_map(|mark| Some((mark, self.across(mark.x)?, self.up(mark.y)?))).collect();
        let points: Vec<String> = places.iter().map(|(_, x, y)| format!("{x:.1},{y:.1}")).collect();
        line(out, series.look, number, &points.join(" "));
        let colour = COLOURS[number % COLOURS.len()];
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
            marker(out, series.look, number, x, y);
        }
    }
}
