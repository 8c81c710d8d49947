//! Columns of a table on a terminal: which of them there is room for, and how wide each is.

use crate::prose::{columns, longest_piece};
use crate::table::{Column, Weight};
use crate::{Align, Table};

/// Columns that sentences are to have, or less where they need less: details give way to them.
const PROSE: usize = 32;

/// Columns that they are to have still, before details come back beside narrower ones.
const PROSE_LESS: usize = 24;

/// Sentences are broken into no narrower a column than this: below it a reader meets one word a line.
const PROSE_MIN: usize = 16;

/// Columns that a cell takes beside what it says: a blank on either side.
pub(crate) const PADDING: usize = 2;
/// Columns between two cells, where there is room.
const BETWEEN: usize = 1;

/// Layout of a table with its columns side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Position in the table and width of each column that is shown.
    pub shown: Vec<(usize, usize)>,
    /// Positions of those whose cells stand below the table.
    pub below: Vec<usize>,
    /// Headings of those that are left out.
    pub left_out: Vec<String>,
    /// Columns of the terminal between two cells.
    pub between: usize,
}

impl Layout {
    /// Layout within `width`; none where even what has to be shown does not fit.
    ///
    /// Columns that are details are left out where there is no room, from the right: rows are there to be compared, and eyes
    /// compare down a column. A block of lines for each row loses nothing, but nobody sees which of twenty is the largest; it is for
    /// tables whose rows cannot be told from one another without more room than there is. What is left out is in the CSV.
    pub fn of(table: &Table, width: Option<usize>) -> Option<Self> {
        let extents = extents(table);
        let Some(width) = width else {
            let most =
                |(position, extent): (usize, &Extent)| (position, Span::of(table, position, extent, PROSE, None).most);
            return Some(Self {
                shown: extents.iter().enumerate().map(most).collect(),
                below: Vec::new(),
                left_out: Vec::new(),
                between: BETWEEN,
            });
        };
        let details = &[Weight::Detail][..];
        let notes = &[Weight::Detail, Weight::Note][..];
        let all = &[Weight::Detail, Weight::Sentence, Weight::Note][..];
        let ways = [
            (PROSE, details, BETWEEN),
            (PROSE, notes, BETWEEN),
            (PROSE_LESS, details, BETWEEN),
            (PROSE_MIN, details, BETWEEN),
            (PROSE_MIN, notes, 0),
            (PROSE, all, BETWEEN),
            (PROSE_MIN, all, 0),
        ];
        ways.into_iter().find_map(|(prose, spare, between)| Self::with(table, &extents, width, prose, spare, between))
    }

    /// Layout in which sentences have so many columns, and columns of some weights are left out.
    fn with(
        table: &Table,
        extents: &[Extent],
        width: usize,
        prose: usize,
        spare: &[Weight],
        between: usize,
    ) -> Option<Self> {
        let span = |(position, extent)| Span::of(table, position, extent, prose, Some(width));
        let spans: Vec<Span> = extents.iter().enumerate().map(span).collect();
        let mut shown: Vec<usize> = (0..spans.len()).collect();
        let mut left_out: Vec<usize> = Vec::new();
        while !fits(&spans, &shown, width, between) {
            let last = |weight: &Weight| shown.iter().rposition(|position| table.columns[*position].weight == *weight);
            left_out.push(shown.remove(spare.iter().find_map(last)?));
        }
        left_out.sort_unstable();
        let (below, left_out): (Vec<usize>, Vec<usize>) =
            left_out.into_iter().partition(|position| table.columns[*position].weight == Weight::Note);
        let named = left_out.into_iter().map(|position| table.columns[position].heading.clone());
        let left_out = named.filter(|name| !name.is_empty()).collect();
        Some(Self { shown: shared_out(&spans, &shown, width, between), below, left_out, between })
    }

    /// Columns of the terminal that it takes.
    pub fn width(&self) -> usize {
        self.shown.iter().map(|(_, width)| width).sum::<usize>() + around(self.shown.len(), self.between)
    }
}

/// Extent of the cells of a column.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// Columns of the terminal that the longest cell takes.
    cell: usize,
    /// Those of the longest piece of one.
    piece: usize,
}

/// Extents of all columns: rows may be many, and are looked at once.
fn extents(table: &Table) -> Vec<Extent> {
    let mut extents = vec![Extent::default(); table.columns.len()];
    for row in &table.rows {
        for (extent, cell) in extents.iter_mut().zip(row.iter()) {
            let taken = columns(cell);
            extent.cell = extent.cell.max(taken);
            // No piece is longer than its cell.
            if taken > extent.piece {
                extent.piece = extent.piece.max(longest_piece(cell));
            }
        }
    }
    extents
}

/// Room for one column.
#[derive(Clone, Copy, Debug)]
struct Span {
    least: usize,
    most: usize,
}

impl Span {
    fn of(table: &Table, position: usize, extent: &Extent, prose: usize, width: Option<usize>) -> Self {
        let Column { heading, align, .. } = &table.columns[position];
        let Extent { cell: most, piece } = *extent;
        // One that is longer than half of the line goes past its end from the last column, and makes blocks of the rows elsewhere.
        let is_last = position + 1 == table.columns.len();
        let piece = if is_last && width.is_some_and(|width| piece > width / 2) { 0 } else { piece };
        let least = match align {
            Align::Right => most,
            Align::Left => piece.max(most.min(prose)),
        };
        Self { least: least.max(longest_piece(heading)), most: most.max(columns(heading)) }
    }
}

fn fits(spans: &[Span], shown: &[usize], width: usize, between: usize) -> bool {
    let least: usize = shown.iter().map(|position| spans[*position].least).sum();
    least + around(shown.len(), between) <= width
}

/// Columns of the terminal that are around the contents of so many cells.
fn around(count: usize, between: usize) -> usize {
    PADDING * count + between * count.saturating_sub(1)
}

/// Each column as wide as the least it needs, and what is left to the narrow ones first, until all that want more are equally wide.
fn shared_out(spans: &[Span], shown: &[usize], width: usize, between: usize) -> Vec<(usize, usize)> {
    let room = width.saturating_sub(around(shown.len(), between));
    let at = |level: usize| -> Vec<(usize, usize)> {
        let wide = |span: Span| level.clamp(span.least, span.most.max(span.least));
        shown.iter().map(|position| (*position, wide(spans[*position]))).collect()
    };
    let taken = |level: usize| at(level).iter().map(|(_, width)| width).sum::<usize>();
    at((0..=room).rev().find(|level| taken(*level) <= room).unwrap_or(0))
}
