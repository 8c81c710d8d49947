//! A table before anybody has decided how it looks.

/// Side on which a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// Heading and alignment of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Heading above the cells.
    pub heading: String,
    /// Side on which they stand.
    pub align: Align,
}

/// Rows of cells under headings, with a title above and remarks below.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    /// Title of the table; nothing is printed when empty.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; each has a cell per column.
    pub rows: Vec<Vec<String>>,
    /// Lines below the table.
    pub remarks: Vec<String>,
}

impl Table {
    /// An empty table with this title.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a column with a cell for every row there is; the first column makes the rows.
    pub fn column<C: Into<String>>(
        &mut self,
        heading: impl Into<String>,
        align: Align,
        cells: impl IntoIterator<Item = C>,
    ) {
        let first = self.columns.is_empty();
        self.columns.push(Column { heading: heading.into(), align });
        for (position, cell) in cells.into_iter().enumerate() {
            if first {
                self.rows.push(Vec::new());
            }
            self.rows[position].push(cell.into());
        }
        assert!(self.rows.iter().all(|row| row.len() == self.columns.len()), "a cell per row and column");
    }

    /// Adds a column unless all its cells are empty: what nothing is known about is not shown.
    pub fn column_if_any(&mut self, heading: &str, align: Align, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            self.column(heading, align, cells);
        }
    }
}
