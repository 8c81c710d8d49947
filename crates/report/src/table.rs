//! A table before anybody has decided how it looks.

use std::collections::BTreeMap;

use crate::row::Row;
use crate::tone::{Spot, Tone};

/// Side on which a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// To the left, as words are.
    Left,
    /// To the right, as figures are.
    Right,
}

/// Heading and alignment of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Heading above the cells.
    pub heading: String,
    /// Side on which they stand.
    pub align: Align,
    /// Weight of it where there is no room for everything.
    pub weight: Weight,
}

/// Weight of a column on a terminal without room for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Weight {
    /// Without it the rows say nothing.
    #[default]
    Needed,
    /// Sentence about a row, without which the figures can still be compared; when nothing else helps, those of all rows stand below the
    /// table.
    Note,
    /// Sentence about a row of a grid, of which there may be thousands; left out when nothing else helps.
    Sentence,
    /// Left out first.
    Detail,
}

/// Rows of cells under headings, with a title above and remarks below.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    /// Title of the table; nothing is printed when empty.
    pub title: String,
    /// Set for a list that has no need of rules above and below its rows.
    pub bare: bool,
    /// Columns of the table, from left to right.
    pub columns: Vec<Column>,
    /// The rows; each has a cell per column.
    pub rows: Vec<Row>,
    /// Lines below the table.
    pub remarks: Vec<String>,
    /// Tones of cells and remarks that are more than one among many.
    pub tones: BTreeMap<Spot, Tone>,
}

impl Table {
    /// An empty table with this title.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a column with a cell for every row there is; the first column makes the rows.
    pub fn column<C: AsRef<str>>(
        &mut self,
        heading: impl Into<String>,
        align: Align,
        cells: impl IntoIterator<Item = C>,
    ) {
        let first = self.columns.is_empty();
        self.columns.push(Column { heading: heading.into(), align, weight: Weight::Needed });
        for (position, cell) in cells.into_iter().enumerate() {
            if first {
                self.rows.push(Row::default());
            }
            self.rows[position].push(cell.as_ref());
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

    /// Adds such a column as a detail: a terminal without room for it does without.
    pub fn detail_if_any(&mut self, heading: &str, align: Align, cells: impl IntoIterator<Item = String>) {
        let before = self.columns.len();
        self.column_if_any(heading, align, cells);
        self.columns[before..].iter_mut().for_each(|column| column.weight = Weight::Detail);
    }

    /// Gives the column under `heading` a weight, if it is there.
    pub fn weigh(&mut self, heading: &str, weight: Weight) {
        let columns = self.columns.iter_mut().filter(|column| column.heading == heading);
        columns.for_each(|column| column.weight = weight);
    }

    /// Adds a remark in this tone.
    pub fn remark(&mut self, remark: impl Into<String>, tone: Tone) {
        self.tones.insert(Spot::Remark(self.remarks.len()), tone);
        self.remarks.push(remark.into());
    }

    /// Gives the cells of the column under `heading` a tone, in the rows of which `tone` knows one.
    pub fn tone_cells(&mut self, heading: &str, tone: impl Fn(usize) -> Option<Tone>) {
        let Some(column) = self.columns.iter().position(|column| column.heading == heading) else { return };
        let cell = |row| Some((Spot::Cell(row, column), tone(row)?));
        self.tones.extend((0..self.rows.len()).filter_map(cell));
    }

    /// Tone of what stands at `spot`.
    pub fn tone(&self, spot: Spot) -> Option<Tone> {
        self.tones.get(&spot).copied()
    }
}
