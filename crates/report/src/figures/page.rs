//! Pages: figures and tables as one file that needs no network.

use airtime_figures::{Figure, Grid, Page, Part};

use crate::row::Row;
use crate::{Align, Explanation, Sheet, Table};

/// The table as a page has it: without bars, which have no heading and which its figures draw. Marks have none either, and are of one
/// letter.
impl From<Table> for Grid {
    fn from(table: Table) -> Self {
        let is_mark =
            |index: usize| table.rows.iter().all(|row| row.iter().nth(index).is_none_or(|cell| cell.len() <= 1));
        let is_drawn: Vec<bool> =
            (0..table.columns.len()).map(|index| table.columns[index].heading.is_empty() && !is_mark(index)).collect();
        let cells = |row: &Row| {
            row.iter().zip(&is_drawn).filter(|(_, drawn)| !**drawn).map(|(cell, _)| cell.to_owned()).collect()
        };
        let rows = table.rows.iter().map(cells).collect();
        let written = table.columns.into_iter().zip(&is_drawn).filter(|(_, drawn)| !**drawn);
        let columns = written.map(|(column, _)| (column.heading, column.align == Align::Right)).collect();
        Self { title: table.title, columns, rows, remarks: table.remarks }
    }
}

/// Page of `sheet` with `command`, which makes it again.
pub fn page(sheet: &Sheet, command: &str) -> Page {
    let names: Vec<&str> = sheet.shown.iter().map(|shown| shown.document.plan.as_str()).collect();
    of(&names.join(", "), super::figures(sheet), sheet.tables(), command)
}

/// Page of `explanation` with `command`, which makes it again.
pub fn explained_page(explanation: &Explanation, command: &str) -> Page {
    let title = explanation.waterfall.title.clone();
    of(&title, super::explained(explanation), vec![explanation.table(false)], command)
}

/// Page of `figures` of what is called `title`, with `command`, which makes it again.
pub fn drawn_page(title: &str, figures: &[Figure], command: &str) -> Page {
    of(title, figures.to_vec(), Vec::new(), command)
}

/// Page of an answer called `title`, its figures and tables, with `command`, which makes it again.
pub fn answered_page(title: &str, figures: &[Figure], tables: &[Table], command: &str) -> Page {
    of(title, figures.to_vec(), tables.to_vec(), command)
}

fn of(title: &str, figures: Vec<Figure>, tables: Vec<Table>, command: &str) -> Page {
    let figures = figures.into_iter().map(Part::Figure);
    let tables = tables.into_iter().map(|table| Part::Grid(table.into()));
    let again = [Part::Text("Made by:".to_owned()), Part::Command(command.to_owned())];
    Page { title: title.to_owned(), parts: figures.chain(tables).chain(again).collect() }
}
