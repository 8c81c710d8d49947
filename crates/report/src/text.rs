//! Tables for a terminal, without colour: `NO_COLOR` has nothing to switch off.

use std::io;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width};

use crate::table::Column;
use crate::{Align, Export, Table};

/// A rule below the headings and one below the rows.
const RULES: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// Words are broken into no narrower a column than this, or less where they need less.
const WORDS_MIN: usize = 16;

/// A blank on either side of a cell.
const PADDING: usize = 2;

/// Text tables, as wide as they need to be or wrapped to `width` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Text {
    /// Columns of the terminal; absent: lines are never broken.
    pub width: Option<u16>,
}

impl Export for Text {
    fn export_table(&self, table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
        if !table.title.is_empty() {
            writeln!(out, "{}", table.title)?;
        }
        // The table pads its last column; nobody needs blanks at the end of a line.
        for line in self.laid_out(table).lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
        table.remarks.iter().try_for_each(|remark| writeln!(out, "{remark}"))
    }
}

impl Text {
    /// Columns side by side where the terminal has room for every figure in one piece, else a block of lines for each row: figures
    /// that are broken into pieces cannot be read.
    fn laid_out(self, table: &Table) -> String {
        let Some(width) = self.width else { return side_by_side(table).to_string() };
        let needs: Vec<usize> = (0..table.columns.len()).map(|position| narrowest(table, position)).collect();
        let between = needs.len().saturating_sub(1);
        let mut grid = if needs.iter().sum::<usize>() + between <= usize::from(width) {
            let mut grid = side_by_side(table);
            for (column, need) in grid.column_iter_mut().zip(&needs) {
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(*need as u16)));
            }
            grid
        } else {
            blocks(table)
        };
        grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        grid.to_string()
    }
}

fn empty() -> comfy_table::Table {
    let mut grid = comfy_table::Table::new();
    grid.load_style(RULES).set_content_arrangement(ContentArrangement::Disabled);
    grid
}

fn side_by_side(table: &Table) -> comfy_table::Table {
    let mut grid = empty();
    grid.set_header(table.columns.iter().map(|column| column.heading.as_str()));
    for row in &table.rows {
        grid.add_row(row);
    }
    for (column, settings) in grid.column_iter_mut().zip(&table.columns) {
        column.set_cell_alignment(match settings.align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        });
    }
    grid
}

/// The fewest columns of the terminal that the column at `position` can do with: figures stay whole, words are broken.
fn narrowest(table: &Table, position: usize) -> usize {
    let Column { heading, align } = &table.columns[position];
    let heading = heading.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
    let cells = table.rows.iter().map(|row| row[position].chars().count()).max().unwrap_or(0);
    let cells = if *align == Align::Left { cells.min(WORDS_MIN) } else { cells };
    heading.max(cells) + PADDING
}

/// A line for each cell that says something, its heading before it; an empty line between rows. A mark without a heading stands
/// before the heading behind it.
fn blocks(table: &Table) -> comfy_table::Table {
    let mut grid = empty();
    for (position, row) in table.rows.iter().enumerate() {
        if position > 0 {
            grid.add_row(["", ""]);
        }
        let mut mark = "";
        for (column, cell) in table.columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
            if column.heading.is_empty() {
                mark = cell;
                continue;
            }
            grid.add_row([format!("{mark} {}", column.heading).trim_start(), cell]);
            mark = "";
        }
    }
    grid
}
