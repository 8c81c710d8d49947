//! Row of a table: its cells in one text, for a table may have a hundred thousand of them.

use std::fmt;
use std::ops::Index;

/// Cells of a row, in the order of the columns.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Row {
    text: String,
    /// End of each cell in it.
    ends: Vec<u32>,
}

impl Row {
    /// Adds a cell at the end.
    ///
    /// # Panics
    /// When the cells of the row come to more than 4 GiB.
    pub fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(u32::try_from(self.text.len()).expect("a row is shorter than 4 GiB"));
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no cells.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The cells in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|position| &self[position])
    }

    /// Leaves out cells that say nothing, those whose column is not `kept`.
    pub(crate) fn keep(&mut self, kept: &[bool]) {
        let mut kept = kept.iter();
        self.ends.retain(|_| kept.next() == Some(&true));
        self.ends.shrink_to_fit();
    }
}

impl Index<usize> for Row {
    type Output = str;

    fn index(&self, position: usize) -> &str {
        let begin = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[begin as usize..self.ends[position] as usize]
    }
}

impl<C: AsRef<str>> FromIterator<C> for Row {
    /// Takes as much memory as its cells, and no more.
    fn from_iter<I: IntoIterator<Item = C>>(cells: I) -> Self {
        let mut row = Self::default();
        cells.into_iter().for_each(|cell| row.push(cell.as_ref()));
        row.text.shrink_to_fit();
        row.ends.shrink_to_fit();
        row
    }
}

impl<C: AsRef<str>, const N: usize> PartialEq<[C; N]> for Row {
    fn eq(&self, cells: &[C; N]) -> bool {
        self.iter().eq(cells.iter().map(AsRef::as_ref))
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_told_apart_where_they_are_empty_too() {
        let mut row: Row = ["", "µs", "", "a b"].into_iter().collect();
        assert_eq!((row.len(), &row[0], &row[1], &row[3]), (4, "", "µs", "a b"));
        assert_eq!(row, ["", "µs", "", "a b"]);
        assert_ne!(row, ["", "µs", "a b"]);
        row.keep(&[true, true, false, true]);
        row.push("end");
        assert_eq!(row, ["", "µs", "a b", "end"]);
        assert_eq!(format!("{row:?}"), r#"["", "µs", "a b", "end"]"#);
    }
}
