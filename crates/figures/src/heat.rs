//! Heat map: a figure for each pair of values of two keys.

use crate::paper::{Drawn, LETTER, LINE, MARGIN, Paper, figure};

/// Map of cells over two keys.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Heat {
    /// Finding of the figure, in a sentence.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Label of the columns, and their values from left to right.
    pub across: (String, Vec<String>),
    /// Label of the rows, and their values from top to bottom.
    pub down: (String, Vec<String>),
    /// Figure of each cell, by row; none where there is no point.
    pub cells: Vec<Vec<Option<f64>>>,
    /// Unit of the figures.
    pub unit: String,
}

/// Height of a cell.
const CELL: f64 = 26.0;
/// Widest cell: a map of few columns is not stretched over the page.
const CELL_MAX: f64 = 110.0;
/// Widest column of names.
const NAMES_MAX: f64 = 200.0;

/// Ends of the ramp, from little to much: one hue, whose lightness alone tells values apart, in print too. Light blue to dark blue of
/// `Blues` by C. Brewer, colorbrewer2.org.
const LITTLE: [f64; 3] = [222.0, 235.0, 247.0];
const MUCH: [f64; 3] = [8.0, 69.0, 148.0];

impl Heat {
    pub(crate) fn drawn(&self, sheet: f64) -> Drawn {
        let mut paper = Paper::titled(sheet, &self.title, &self.subtitle);
        let longest = self.down.1.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64;
        let left = MARGIN + (longest * LETTER).min(NAMES_MAX) + 12.0;
        let columns = self.across.1.len().max(1);
        let width = ((sheet - MARGIN - left) / columns as f64).min(CELL_MAX);
        paper.y += 4.0;
        paper.text(MARGIN, paper.y, "small", &format!("{} by {}, {}", self.down.0, self.across.0, self.unit));
        paper.y += 10.0;
        let top = paper.y;
        let (low, high) = self.range();
        for (row, (name, cells)) in self.down.1.iter().zip(&self.cells).enumerate() {
            let y = top + CELL * row as f64;
            paper.text(left - 8.0, y + 17.0, "end", name);
            for (column, value) in cells.iter().enumerate() {
                let Some(value) = value.filter(|value| value.is_finite()) else { continue };
                let part = if high > low { (value - low) / (high - low) } else { 1.0 };
                let says =
                    format!("{} {name}, {} {}: {}", self.down.0, self.across.0, self.across.1[column], figure(value));
                cell(&mut paper, (left + width * column as f64, y), width, part, (value, &says));
            }
        }
        let floor = top + CELL * self.down.1.len() as f64;
        self.columns(&mut paper, (left, width), floor);
        paper.y = floor + 2.6 * LINE;
        paper.finish()
    }

    /// Values of the columns below the map, those that have room.
    fn columns(&self, paper: &mut Paper, (left, width): (f64, f64), floor: f64) {
        let mut free = f64::NEG_INFINITY;
        for (column, name) in self.across.1.iter().enumerate() {
            let (middle, half) = (left + width * (column as f64 + 0.5), name.chars().count() as f64 * LETTER / 2.0);
            if middle - half >= free {
                paper.text(middle, floor + LINE, "middle", name);
                free = middle + half + LETTER;
            }
        }
        let middle = left + width * self.across.1.len() as f64 / 2.0;
        paper.text(middle, floor + 2.1 * LINE, "small middle", &self.across.0);
    }

    fn range(&self) -> (f64, f64) {
        let values = self.cells.iter().flatten().flatten().copied().filter(|value| value.is_finite());
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    }
}

/// A cell `part` of the way from little to much, with its figure where there is room.
fn cell(paper: &mut Paper, (x, y): (f64, f64), width: f64, part: f64, (value, says): (f64, &str)) {
    let mixed = |n: usize| LITTLE[n] + (MUCH[n] - LITTLE[n]) * part;
    let [r, g, b] = [0, 1, 2].map(mixed);
    paper.raw(&format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"rgb({r:.0},{g:.0},{b:.0})\"><title>{}</title></rect>\n",
        x + 0.5,
        y + 0.5,
        (width - 1.0).max(1.0),
        CELL - 1.0,
        crate::paper::escaped(says)
    ));
    let text = if value.abs() >= 100.0 { format!("{value:.0}") } else { figure(value) };
    if text.chars().count() as f64 * LETTER + 4.0 <= width {
        let class = if part > 0.5 { "middle on-dark" } else { "middle on-light" };
        paper.text(x + width / 2.0, y + 17.0, class, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Figure, document};

    #[test]
    fn cells_are_darker_the_more_they_are_and_say_their_figure() {
        let heat = Heat {
            title: "Best".to_owned(),
            across: ("coc.sdu".to_owned(), vec!["247".to_owned(), "492".to_owned()]),
            down: ("ble.phy".to_owned(), vec!["1M".to_owned(), "2M".to_owned()]),
            cells: vec![vec![Some(0.0), Some(50.5)], vec![None, Some(1312.0)]],
            unit: "kbps".to_owned(),
            ..Heat::default()
        };
        let svg = document(&[Figure::Heat(heat)], "");
        assert!(svg.contains("fill=\"rgb(222,235,247)\"><title>ble.phy 1M, coc.sdu 247: 0.0</title>"), "{svg}");
        assert!(svg.contains("fill=\"rgb(8,69,148)\"><title>ble.phy 2M, coc.sdu 492: 1312.0</title>"), "{svg}");
        assert_eq!(svg.matches("<title>ble.phy").count(), 3, "no point, no cell: {svg}");
        assert!(svg.contains(">1312<") && svg.contains(">50.5<"), "{svg}");
    }
}
