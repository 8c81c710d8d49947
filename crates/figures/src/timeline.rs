//! Time line: who was on the air when, to scale.

use crate::paper::{Drawn, LETTER, LINE, MARGIN, Paper};
use crate::scale::Scale;
use crate::{Spacing, scale};

/// Part of a run to scale, a lane for each thing that takes time.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Timeline {
    /// Finding of the figure, in a sentence.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Length of the part, microseconds.
    pub length_us: f64,
    /// The lanes, from top to bottom.
    pub lanes: Vec<Lane>,
}

/// Lane of spans that do not overlap.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Lane {
    /// Name of the lane.
    pub name: String,
    /// The spans, from left to right.
    pub spans: Vec<Span>,
}

/// Span of time.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Span {
    /// Beginning, microseconds from the left.
    pub from_us: f64,
    /// End, microseconds from the left.
    pub to_us: f64,
    /// Name of what goes on.
    pub name: String,
    /// Use of the time.
    pub spent: Spent,
}

/// Use of a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spent {
    /// On data.
    Data,
    /// On acknowledgements and control, without which no data go.
    #[default]
    Overhead,
    /// On a wait, or in vain.
    Lost,
    /// Frame around others.
    Frame,
}

impl Spent {
    const fn class(self) -> &'static str {
        match self {
            Self::Data => "whole",
            Self::Overhead => "before",
            Self::Lost => "loss",
            Self::Frame => "nobody",
        }
    }

    const fn says(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Overhead => "what data need",
            Self::Lost => "waits, and what was in vain",
            Self::Frame => "",
        }
    }
}

/// Height of a span.
const BAR: f64 = 18.0;
/// Length from which an axis is in milliseconds, microseconds.
const MILLI: f64 = 2_000.0;

impl Timeline {
    pub(crate) fn drawn(&self, sheet: f64) -> Drawn {
        let mut paper = Paper::titled(sheet, &self.title, &self.subtitle);
        self.legend(&mut paper, sheet - MARGIN);
        let (left, right) = (MARGIN, sheet - MARGIN);
        let (per, unit) = if self.length_us > MILLI { (1_000.0, "ms") } else { (1.0, "µs") };
        let scale = Scale::of(Spacing::Linear, [0.0, self.length_us / per].into_iter());
        let top = paper.y;
        let height = LINE + BAR + 8.0;
        let floor = top + height * self.lanes.len() as f64 + 2.0;
        scale::across(&mut paper, &scale, (left, right), (top, floor), &format!("time ({unit})"));
        let end = paper.y;
        let x = |us: f64| left + scale.place(us / per).unwrap_or(1.0) * (right - left);
        for (position, lane) in self.lanes.iter().enumerate() {
            let y = top + height * position as f64;
            paper.text(left, y + 13.0, "small", &lane.name);
            for span in &lane.spans {
                bar(&mut paper, span, (x(span.from_us), x(span.to_us)), y + LINE + 2.0);
            }
        }
        paper.y = end;
        paper.finish()
    }

    /// The uses that there are, each with its colour, in as many lines as they need left of `end`.
    fn legend(&self, paper: &mut Paper, end: f64) {
        let spans = || self.lanes.iter().flat_map(|lane| &lane.spans);
        let mut at = MARGIN;
        paper.y += 4.0;
        for spent in [Spent::Data, Spent::Overhead, Spent::Lost] {
            if spans().any(|span| span.spent == spent) {
                let width = 18.0 + spent.says().chars().count() as f64 * LETTER;
                if at > MARGIN && at + width > end {
                    (at, paper.y) = (MARGIN, paper.y + LINE);
                }
                paper.bar((at, at + 12.0), (paper.y - 10.0, 11.0), spent.class(), spent.says());
                paper.text(at + 18.0, paper.y, "small", spent.says());
                at += width + 22.0;
            }
        }
        paper.y += 12.0;
    }
}

/// A span, with its name within where there is room.
fn bar(paper: &mut Paper, span: &Span, (from, to): (f64, f64), y: f64) {
    let says = format!("{}: at {}, {} long", span.name, duration(span.from_us), duration(span.to_us - span.from_us));
    paper.bar((from, to), (y, BAR), span.spent.class(), &says);
    if span.name.chars().count() as f64 * LETTER + 6.0 <= to - from {
        let class = if span.spent == Spent::Frame { "small middle" } else { "small middle within" };
        paper.text(f64::midpoint(from, to), y + 13.0, class, &span.name);
    }
}

/// `1.250 ms` or `44.0 µs`.
fn duration(us: f64) -> String {
    if us >= 1_000.0 { format!("{:.3} ms", us / 1_000.0) } else { format!("{us:.1} µs") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Figure, document};

    fn span(from_us: f64, to_us: f64, name: &str, spent: Spent) -> Span {
        Span { from_us, to_us, name: name.to_owned(), spent }
    }

    #[test]
    fn spans_are_to_scale_and_say_their_times() {
        let lane = Lane {
            name: "PDUs".to_owned(),
            spans: vec![
                span(0.0, 1_000.0, "data", Spent::Data),
                span(1_150.0, 1_194.0, "empty", Spent::Overhead),
                span(2_000.0, 4_000.0, "tail", Spent::Lost),
            ],
        };
        let line = Timeline { title: "Half".to_owned(), length_us: 4_000.0, lanes: vec![lane], ..Timeline::default() };
        let phone = Figure::Timeline(line.clone()).element_of(360.0);
        let below = "<text class=\"small\" x=\"38.0\" y=\"68.0\">waits, and what was in vain<";
        assert!(phone.contains(below), "the legend goes on in a line below: {phone}");
        let svg = document(&[Figure::Timeline(line)], "");
        // From 20 to 740 is 4 ms: a millisecond is 180 units wide.
        for wanted in [
            "<rect class=\"whole\" x=\"20.0\"",
            "width=\"180.0\" height=\"18.0\"><title>data: at 0.0 µs, 1.000 ms long</title>",
            "<title>empty: at 1.150 ms, 44.0 µs long</title>",
            "x=\"380.0\"",
            ">time (ms)<",
            ">waits, and what was in vain<",
        ] {
            assert!(svg.contains(wanted), "{wanted}: {svg}");
        }
        assert!(!svg.contains(">empty<"), "a name without room is told to those who ask: {svg}");
    }
}
