//! The ladder of an explanation: today, rung upon rung, the limit.

use crate::paper::{Drawn, LETTER, LINE, MARGIN, Paper, figure, lines};
use crate::scale::Scale;
use crate::{Spacing, scale};

/// Ladder from the goodput of today to the limit of the link.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Ladder {
    /// Finding of the figure, in a sentence.
    pub title: String,
    /// Name of the run.
    pub subtitle: String,
    /// Goodput of today, 10³ bit/s.
    pub today_kbps: f64,
    /// The rungs, from today on.
    pub rungs: Vec<Rung>,
    /// Goodput at the end, 10³ bit/s, and what limits it there, in a few words.
    pub limit: (f64, String),
}

/// Rung of a ladder.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Rung {
    /// The change: `ble.data_length 27 → 251`.
    pub change: String,
    /// Owner of what is changed; none where nobody can turn it.
    pub who: Option<String>,
    /// Goodput before it, 10³ bit/s.
    pub before_kbps: f64,
    /// Goodput with it, 10³ bit/s.
    pub kbps: f64,
    /// Gain in words: `+12.1 %`.
    pub gain: String,
    /// Set if the rungs after it stand on it.
    pub applied: bool,
}

/// Height of a bar.
const BAR: f64 = 18.0;
/// Width of the column of changes.
const NAMES: f64 = 300.0;
/// Width of the column of figures.
const FIGURES: f64 = 150.0;
/// Width of it where there is little.
const FIGURES_NARROW: f64 = 100.0;
/// Part of the width that changes have at most.
const NAMES_PART: f64 = 0.42;

/// A line of the figure.
struct Line {
    name: String,
    below: String,
    from: f64,
    to: f64,
    class: &'static str,
    figures: [String; 2],
}

impl Ladder {
    pub(crate) fn drawn(&self, width: f64) -> Drawn {
        let mut paper = Paper::titled(width, &self.title, &self.subtitle);
        let rungs = self.lines();
        let changes = NAMES.min(width * NAMES_PART);
        let figures = if paper.is_narrow() { FIGURES_NARROW } else { FIGURES };
        let (left, right) = (MARGIN + changes + 12.0, width - MARGIN - figures);
        let scale = Scale::of(Spacing::Linear, rungs.iter().flat_map(|line| [line.from, line.to]));
        let x = |kbps: f64| left + scale.place(kbps).unwrap_or(0.0) * (right - left);
        let names: Vec<[Vec<String>; 2]> = rungs
            .iter()
            .map(|line| [lines(&line.name, changes, LETTER, 4), lines(&line.below, changes, LETTER * 12.0 / 13.0, 3)])
            .collect();
        let height = |[name, below]: &[Vec<String>; 2]| 12.0 + LINE * (name.len() + below.len()).max(2) as f64;
        let top = paper.y + 6.0;
        let floor = top + names.iter().map(height).sum::<f64>() + 2.0;
        scale::across(&mut paper, &scale, (left, right), (top, floor), "goodput (kbps)");
        let mut y = top + 6.0;
        for (line, name) in rungs.iter().zip(&names) {
            let mut at = y + 13.5;
            for (class, text) in name[0].iter().map(|t| ("", t)).chain(name[1].iter().map(|t| ("small", t))) {
                paper.text(MARGIN, at, class, text);
                at += LINE;
            }
            let says = format!("{}: {} kbps {} {}", line.name, line.figures[0], line.figures[1], line.below);
            if line.from > 0.0 {
                paper.bar((x(0.0), x(line.from)), (y, BAR), "before", &format!("before: {} kbps", figure(line.from)));
            }
            paper.bar((x(line.from), x(line.to)), (y, BAR), line.class, says.trim_end());
            paper.text(width - MARGIN, y + 13.5, "strong end", &format!("{} kbps", line.figures[0]));
            paper.text(width - MARGIN, y + 13.5 + LINE, "small end", &line.figures[1]);
            y += height(name);
        }
        paper.finish()
    }

    fn lines(&self) -> Vec<Line> {
        let whole = |name: &str, below: &str, kbps: f64, class| Line {
            name: name.to_owned(),
            below: below.to_owned(),
            from: 0.0,
            to: kbps,
            class,
            figures: [figure(kbps), String::new()],
        };
        let mut lines = vec![whole("today", "", self.today_kbps, "whole")];
        let mut number = 0;
        for rung in &self.rungs {
            number += u32::from(rung.who.is_some());
            let (name, below, class) = match &rung.who {
                Some(who) => (format!("{number}. {}", rung.change), who.clone(), "kept"),
                None => (format!("– {}", rung.change), "nobody can turn it".to_owned(), "nobody"),
            };
            let alone = if rung.applied { "" } else { "; the next rung does not stand on it" };
            let figures = [figure(rung.kbps), rung.gain.clone()];
            let below = format!("{below}{alone}");
            lines.push(Line { name, below, from: rung.before_kbps, to: rung.kbps, class, figures });
        }
        lines.push(whole("limit", &self.limit.1, self.limit.0, "whole"));
        lines
    }
}
