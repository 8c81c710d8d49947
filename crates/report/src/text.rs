//! Tables for a terminal, without colour: `NO_COLOR` has nothing to switch off.

use std::io;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

use crate::{Align, Export, Table};

/// A rule below the headings and one below the rows.
const RULES: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

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
    fn laid_out(self, table: &Table) -> String {
        let mut grid = comfy_table::Table::new();
        grid.load_style(RULES).set_content_arrangement(ContentArrangement::Disabled);
        if let Some(width) = self.width {
            grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
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
        grid.to_string()
    }
}
