//! Tones: what a word on a terminal means, shown in colour where there is any.

use anstyle::{AnsiColor, Style};

/// Tone of a cell or of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Figure that somebody came for.
    Headline,
    /// Account in which most of the loss is.
    Cause,
    /// Something that went wrong, or will.
    Warning,
    /// Something that would be better.
    Gain,
}

impl Tone {
    const fn style(self) -> Style {
        match self {
            Self::Headline => Style::new().bold(),
            Self::Cause => AnsiColor::Yellow.on_default(),
            Self::Warning => AnsiColor::Red.on_default(),
            Self::Gain => AnsiColor::Green.on_default(),
        }
    }

    /// `text` in this tone, as terminals with colours understand it; blanks around it stay as they are.
    pub(crate) fn paint(self, text: &str) -> String {
        let word = text.trim();
        if word.is_empty() {
            return text.to_owned();
        }
        let style = self.style();
        text.replacen(word, &format!("{style}{word}{style:#}"), 1)
    }
}

/// Place in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// Cell of this row and column.
    Cell(usize, usize),
    /// Remark at this position.
    Remark(usize),
}
