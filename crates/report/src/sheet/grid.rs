//! A plan's grid: a column per parameter that tells the points apart, the best row marked.

use std::collections::BTreeSet;

use airtime_lab::Record;

use super::{Shown, outcome_columns};
use crate::cells;
use crate::table::{Align, Table, Weight};
use crate::tone::Tone;

/// More keys than that are a table wider than any terminal, most of whose cells say nothing: rows that have names are told by those.
const KEYS_MAX: usize = 6;

pub(super) fn table(shown: &Shown) -> Table {
    let document = &shown.document;
    let records: Vec<&Record> = document.records.iter().collect();
    let best = best(&records);
    let mut table = Table::new(&document.plan);
    let mark = |position| if best.contains(&position) { "*" } else { "" };
    table.column("", Align::Left, (0..records.len()).map(mark));
    let mut telling = shown.telling();
    // The kind of link is a field of records and no parameter.
    let links = records.windows(2).any(|pair| pair[0].link != pair[1].link);
    if links {
        table.column("link", Align::Left, records.iter().map(|record| record.link.as_str()));
    }
    let names: Vec<&str> = records.iter().map(|record| record.row()).collect();
    // Of keys that mean something to one kind of link alone most cells would be empty.
    if (links || telling.len() > KEYS_MAX) && names.iter().any(|name| *name != names[0]) {
        telling.retain(|key| differs_within_a_row(key, &records));
        table.column("row", Align::Left, names);
    } else if telling.is_empty() && !links {
        table.column("point", Align::Left, records.iter().map(|record| record.id.as_str()));
    }
    for name in telling {
        let cell = |record: &&Record| record.params.get(name).map(cells::value).unwrap_or_default();
        table.column(name, Align::Right, records.iter().map(cell));
    }
    let rows: Vec<(&Record, Option<(f64, f64)>)> = records.iter().map(|record| (*record, shown.need_kbps)).collect();
    outcome_columns(&mut table, &rows);
    table.weigh("what limits it", Weight::Sentence);
    table.tone_cells("goodput kbps", |row| best.contains(&row).then_some(Tone::Headline));
    if !best.is_empty() {
        let alike = if best.len() > 1 { format!(", {} alike", best.len()) } else { String::new() };
        table.remarks.push(match shown.points {
            // The best may be among those that were not run.
            Some(all) if all > records.len() => format!("* best so far, {} of {all} points{alike}", records.len()),
            _ => format!("* best{alike}"),
        });
    }
    table
}

/// Tells if `key` tells records of one row from one another.
fn differs_within_a_row(key: &str, records: &[&Record]) -> bool {
    let told: BTreeSet<(&str, Option<String>)> =
        records.iter().map(|record| (record.row(), record.params.get(key).map(ToString::to_string))).collect();
    let rows: BTreeSet<&str> = told.iter().map(|(row, _)| *row).collect();
    told.len() > rows.len()
}

/// Positions of the runs with the highest median goodput, as the table has it: equals share the mark. A single run is not the best of
/// anything.
fn best(records: &[&Record]) -> BTreeSet<usize> {
    let shown = |record: &Record| (!cells::failed(record)).then(|| cells::tenths(record.goodput_kbps.median));
    let most = records.iter().filter_map(|record| shown(record)).max().filter(|most| *most > 0);
    let is_best = |position: &usize| records.len() > 1 && most.is_some() && shown(records[*position]) == most;
    (0..records.len()).filter(is_best).collect()
}
