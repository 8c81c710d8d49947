//! Tables for a terminal: within its width, and with colours where it has them.

use std::io;

use crate::layout::{Layout, PADDING};
use crate::prose::{broken, columns, filled};
use crate::tone::Spot;
use crate::{Align, Export, Table, Weight};

/// Text tables, as wide as they need to be or within `width` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Text {
    /// Columns of the terminal; absent: lines are never broken.
    pub width: Option<u16>,
    /// Shows tones in colour.
    pub colour: bool,
}

impl Export for Text {
    fn export_table(&self, table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
        if !table.title.is_empty() {
            self.sentence(&table.title, None, table, out)?;
        }
        if !table.columns.is_empty() {
            let width = self.width.map(usize::from);
            match (Layout::of(table, width), width) {
                (Some(layout), _) => self.side_by_side(table, &layout, out)?,
                (None, width) => self.blocks(table, width.unwrap_or_default(), out)?,
            }
        }
        for (position, remark) in table.remarks.iter().enumerate() {
            self.sentence(remark, Some(Spot::Remark(position)), table, out)?;
        }
        Ok(())
    }
}

impl Text {
    fn sentence(self, text: &str, spot: Option<Spot>, table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
        let lines = match self.width {
            Some(width) => filled(text, usize::from(width)),
            None => text.lines().map(str::to_owned).collect(),
        };
        lines.iter().try_for_each(|line| writeln!(out, "{}", self.toned(line.trim_end(), spot, table)))
    }

    /// A rule below the headings and one below the rows.
    fn side_by_side(self, table: &Table, layout: &Layout, out: &mut dyn io::Write) -> io::Result<()> {
        let rule = "─".repeat(layout.width());
        let headings = |position: usize| (table.columns[position].heading.as_str(), None);
        self.row(table, layout, headings, out)?;
        if !table.bare {
            writeln!(out, "{rule}")?;
        }
        for (number, cells) in table.rows.iter().enumerate() {
            let cell = |position: usize| (&cells[position], Some(Spot::Cell(number, position)));
            self.row(table, layout, cell, out)?;
        }
        if !table.bare {
            writeln!(out, "{rule}")?;
        }
        self.below(table, layout, out)?;
        if layout.left_out.is_empty() {
            return Ok(());
        }
        let left_out = format!("no room for: {}; --csv has all columns", layout.left_out.join(", "));
        self.sentence(&left_out, None, table, out)
    }

    /// Sentences that have no room beside their row, each behind what its row begins with.
    fn below(self, table: &Table, layout: &Layout, out: &mut dyn io::Write) -> io::Result<()> {
        let named = layout.shown.iter().map(|(position, _)| *position);
        let name = named.into_iter().find(|position| !table.columns[*position].heading.is_empty());
        for (number, row) in table.rows.iter().enumerate() {
            for position in layout.below.iter().filter(|position| !row[**position].is_empty()) {
                let name = name.map_or("", |position| &row[position]);
                self.sentence(
                    &format!("{name}: {}", &row[*position]),
                    Some(Spot::Cell(number, *position)),
                    table,
                    out,
                )?;
            }
        }
        Ok(())
    }

    fn row<'a>(
        self,
        table: &Table,
        layout: &Layout,
        cell: impl Fn(usize) -> (&'a str, Option<Spot>),
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let cells: Vec<Vec<String>> =
            layout.shown.iter().map(|(position, width)| broken(cell(*position).0, *width, 0)).collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut whole = String::new();
            for ((position, width), lines) in layout.shown.iter().zip(&cells) {
                let text = lines.get(line).map_or("", String::as_str);
                let blanks = " ".repeat(width.saturating_sub(columns(text)));
                let text = self.toned(text, cell(*position).1, table);
                let between = " ".repeat(if whole.is_empty() { 1 } else { 1 + layout.between });
                whole += &match table.columns[*position].align {
                    Align::Left => format!("{between}{text}{blanks} "),
                    Align::Right => format!("{between}{blanks}{text} "),
                };
            }
            // The last column is padded too; nobody needs blanks at the end of a line.
            writeln!(out, "{}", whole.trim_end())?;
        }
        Ok(())
    }

    /// A line for each cell that says something, its heading before it; an empty line between rows. A mark without a heading stands
    /// before the heading behind it.
    fn blocks(self, table: &Table, width: usize, out: &mut dyn io::Write) -> io::Result<()> {
        let headings = table.columns.iter().map(|column| columns(&column.heading)).max().unwrap_or(0);
        for (number, row) in table.rows.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            let mut mark = "";
            for (position, (column, cell)) in table.columns.iter().zip(row.iter()).enumerate() {
                if cell.is_empty() {
                    continue;
                }
                if column.heading.is_empty() {
                    mark = if column.weight == Weight::Detail { "" } else { cell };
                    continue;
                }
                let heading = format!("{mark} {}", column.heading);
                let room = width.saturating_sub(headings + 2 * PADDING + 3);
                let blanks = " ".repeat(headings + 2);
                for (index, line) in broken(cell, room, 0).iter().enumerate() {
                    let before = if index == 0 { heading.trim_start() } else { "" };
                    let gap = &blanks[columns(before).min(blanks.len())..];
                    let line = self.toned(line, Some(Spot::Cell(number, position)), table);
                    writeln!(out, " {before}{gap}   {line}")?;
                }
                mark = "";
            }
        }
        if table.bare {
            return Ok(());
        }
        writeln!(out, "{}", "─".repeat(width))
    }

    fn toned(self, text: &str, spot: Option<Spot>, table: &Table) -> String {
        let tone = spot.filter(|_| self.colour).and_then(|spot| table.tone(spot));
        tone.map_or_else(|| text.to_owned(), |tone| tone.paint(text))
    }
}
