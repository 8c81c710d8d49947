//! Tables of figures of which only some are made.

use std::ops::Range;

/// A table as its snapshot was committed: cells that are not made are taken from it, and the table is compared as a whole.
#[derive(Debug)]
pub struct Known<'a>(Vec<&'a str>);

impl<'a> Known<'a> {
    /// Table of the text of a file of `insta`: what is behind its head.
    pub fn of(snapshot: &'a str) -> Self {
        let table = snapshot.splitn(3, "---\n").nth(2).unwrap_or_default();
        Self(table.lines().collect())
    }

    /// Text of a cell: in `columns` of `line`, counted from 0 as `insta` keeps them; nothing where the table is smaller.
    pub fn cell(&self, line: usize, columns: Range<usize>) -> Option<&'a str> {
        self.0.get(line)?.get(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_read_behind_the_head() {
        let known = Known::of("---\nsource: a.rs\nexpression: table\n---\n     kbps\nBLE   1.5\n");
        assert_eq!((known.cell(0, 5..9), known.cell(1, 4..9)), (Some("kbps"), Some("  1.5")));
        assert_eq!((known.cell(1, 9..14), known.cell(2, 0..1)), (None, None));
    }
}
