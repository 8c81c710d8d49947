//! A table that is made row by row, so that what its rows are of need not be in memory at once.

use crate::row::Row;
use crate::table::{Align, Column, Table, Weight};

/// Columns that a table may have, and its rows so far.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    columns: Vec<Column>,
    /// Columns that are shown: those that always are, and those in which some cell is not empty.
    shown: Vec<bool>,
    rows: Vec<Row>,
}

impl Draft {
    /// Declares a column that is always there.
    pub fn column(&mut self, heading: impl Into<String>, align: Align) {
        self.columns.push(Column { heading: heading.into(), align, weight: Weight::Needed });
        self.shown.push(true);
    }

    /// Declares a column that is left out when all its cells are empty: what nothing is known about is not shown.
    pub fn column_if_any(&mut self, heading: impl Into<String>, align: Align, weight: Weight) {
        self.columns.push(Column { heading: heading.into(), align, weight });
        self.shown.push(false);
    }

    /// Adds a row, with a cell for each column declared.
    ///
    /// # Panics
    /// When it has more or fewer.
    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let row: Row = cells.into_iter().collect();
        assert_eq!(row.len(), self.columns.len(), "a cell per row and column");
        self.shown.iter_mut().zip(row.iter()).for_each(|(shown, cell)| *shown |= !cell.is_empty());
        self.rows.push(row);
    }

    /// The table, with the columns that are shown.
    pub fn table(self, title: impl Into<String>) -> Table {
        let Self { columns, shown, mut rows } = self;
        // An empty cell is no text: only where it ends is to be forgotten.
        rows.iter_mut().for_each(|row| row.keep(&shown));
        let columns = columns.into_iter().zip(&shown).filter(|(_, shown)| **shown).map(|(column, _)| column).collect();
        Table { columns, rows, ..Table::new(title) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_shown_from_the_first_row_on_if_a_late_one_fills_it() {
        let mut draft = Draft::default();
        draft.column("name", Align::Left);
        draft.column_if_any("never", Align::Left, Weight::Needed);
        draft.column_if_any("late", Align::Right, Weight::Detail);
        draft.column("always", Align::Left);
        draft.row(["a", "", "", ""]);
        draft.row(["b", "", "7", ""]);
        draft.row(["c", "", "", ""]);
        let table = draft.table("title");
        assert_eq!(table.rows, [["a", "", ""], ["b", "7", ""], ["c", "", ""]]);
        let headings: Vec<_> = table.columns.iter().map(|column| (column.heading.as_str(), column.weight)).collect();
        assert_eq!(headings, [("name", Weight::Needed), ("late", Weight::Detail), ("always", Weight::Needed)]);
    }
}
