//! A plan's grid: a column per parameter that tells the points apart, the best row marked.

use std::collections::BTreeSet;

use airtime_lab::Record;

use super::Shown;
use super::outcome::Runs;
use super::survey::{Rows, Survey};
use crate::cells;
use crate::draft::Draft;
use crate::table::{Align, Table, Weight};
use crate::tone::Tone;

/// More keys than that are a table wider than any terminal, most of whose cells say nothing: rows that have names are told by those.
const KEYS_MAX: usize = 6;

/// A column that tells points from one another.
enum Telling<'a> {
    Link,
    Row,
    Point,
    Key(&'a str),
}

pub(super) fn table(shown: &Shown, survey: &Survey) -> Table {
    let (best, telling, rows) = (survey.best(), telling(shown, survey), survey.rows());
    let is_best = |position: usize| best.is_some_and(|best| best.is_at(position));
    let (mut marked, mut row) = (BTreeSet::new(), 0);
    let mut draft = Draft::default();
    draft.column("", Align::Left);
    telling.iter().for_each(|column| column.declare(&mut draft));
    let mut runs = Runs::under(draft);
    let mut add = |position: usize, record: &Record| {
        let mark = if is_best(position) { "*" } else { "" };
        let told = telling.iter().map(|column| column.cell(record));
        runs.row([mark.to_owned()].into_iter().chain(told), record, shown.need_kbps);
        marked.extend(is_best(position).then_some(row));
        row += 1;
    };
    let records = &shown.document.records;
    match &rows {
        Rows::All => records.iter().enumerate().for_each(|(position, record)| add(position, &record)),
        Rows::Foremost(positions) => {
            positions.iter().for_each(|at| records.iter_from(*at).take(1).for_each(|record| add(*at, &record)));
        }
    }
    let mut table = runs.table(&shown.document.plan, Weight::Sentence);
    table.tone_cells("goodput kbps", |row| marked.contains(&row).then_some(Tone::Headline));
    if let Some(best) = best {
        let alike = if best.count > 1 { format!(", {} alike", best.count) } else { String::new() };
        table.remarks.push(match shown.points {
            // The best may be among those that were not run.
            Some(all) if all > survey.len => format!("* best so far, {} of {all} points{alike}", survey.len),
            _ => format!("* best{alike}"),
        });
    }
    if let Rows::Foremost(positions) = rows {
        let (rows, points) = (positions.len(), survey.len);
        table
            .remarks
            .push(format!("the {rows} with the highest goodput of {points} points: --csv and --json have all of them"));
    }
    table
}

/// Columns that tell the points from one another.
fn telling<'a>(shown: &Shown, survey: &'a Survey) -> Vec<Telling<'a>> {
    let mut keys = shown.telling(survey);
    let mut columns: Vec<Telling<'a>> = survey.links_differ.then_some(Telling::Link).into_iter().collect();
    // Of keys that mean something to one kind of link alone most cells would be empty.
    if (survey.links_differ || keys.len() > KEYS_MAX) && survey.rows_differ {
        keys.retain(|key| survey.within_rows.contains(*key));
        columns.push(Telling::Row);
    } else if keys.is_empty() && !survey.links_differ {
        columns.push(Telling::Point);
    }
    columns.into_iter().chain(keys.into_iter().map(Telling::Key)).collect()
}

impl Telling<'_> {
    fn declare(&self, draft: &mut Draft) {
        match self {
            Self::Link => draft.column("link", Align::Left),
            Self::Row => draft.column("row", Align::Left),
            Self::Point => draft.column("point", Align::Left),
            Self::Key(name) => draft.column(*name, Align::Right),
        }
    }

    fn cell(&self, record: &Record) -> String {
        match self {
            Self::Link => record.link.clone(),
            Self::Row => record.row().to_owned(),
            Self::Point => record.id.clone(),
            Self::Key(name) => record.params.get(name).map(cells::value).unwrap_or_default(),
        }
    }
}
