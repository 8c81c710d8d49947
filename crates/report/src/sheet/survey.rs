//! Survey of a plan's records: what has to be known of all of them before the first row of a table is made.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use airtime_lab::{Ordered, Record, Records};
use serde_json::Value;

use crate::cells;

/// Findings of one pass over the records of a plan.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Number of records.
    pub len: usize,
    /// Set if they replay published measurements.
    pub published: bool,
    /// Set if links share a radio in some of them.
    pub shares_radio: bool,
    /// Set if some of them are of remote calls.
    pub calls: bool,
    /// Set if the kind of link, which is a field of records and no parameter, differs between them.
    pub links_differ: bool,
    /// Set if they are of several rows of the plan.
    pub rows_differ: bool,
    /// Names of the parameters whose values differ between records of one row, which stand together.
    pub within_rows: BTreeSet<String>,
    best: Best,
    foremost: Foremost,
    parameters: Parameters,
    first: Option<(String, String)>,
    row: Option<(String, Ordered<Value>)>,
}

impl Survey {
    /// Looks at `records`, once.
    pub fn of(records: &Records) -> Self {
        let mut survey = Self::default();
        records.iter().for_each(|record| survey.see(&record));
        survey
    }

    fn see(&mut self, record: &Record) {
        self.published |= record.verdict.is_some() || record.measured.is_some();
        self.shares_radio |= record.links.len() > 1;
        self.calls |= record.calls.is_some();
        let (link, row) = (record.link.as_str(), record.row());
        let (first_link, first_row) = self.first.get_or_insert_with(|| (link.to_owned(), row.to_owned()));
        self.links_differ |= first_link != link;
        self.rows_differ |= first_row != row;
        match &self.row {
            Some((name, params)) if name == row => {
                differences(params, &record.params, |name| insert(&mut self.within_rows, name));
            }
            _ => self.row = Some((row.to_owned(), record.params.clone())),
        }
        self.parameters.see(&record.params);
        self.best.see(self.len, record);
        self.foremost.see(self.len, record);
        self.len += 1;
    }

    /// Names of the parameters whose values differ between the records: those of the first in its order, then those that only
    /// later ones have, because they mean nothing to the first.
    pub fn differing(&self) -> Vec<&str> {
        let Parameters { first, differing, later } = &self.parameters;
        let of_first = first.iter().flat_map(Ordered::iter).map(|(name, _)| name);
        of_first.filter(|name| differing.contains(*name)).chain(later.iter().map(String::as_str)).collect()
    }

    /// The runs with the highest median goodput, as the table has it: equals share the mark. A single run is not the best of anything.
    pub fn best(&self) -> Option<&Best> {
        (self.len > 1 && self.best.count > 0).then_some(&self.best)
    }

    /// Positions of the rows of a table: of all records, or of the [`FOREMOST`] with the highest median goodput, in their order, where
    /// there are more than [`ROWS_MAX`].
    pub fn rows(&self) -> Rows {
        if self.len <= ROWS_MAX {
            return Rows::All;
        }
        Rows::Foremost(self.foremost.0.iter().map(|Reverse((_, Reverse(position)))| *position).collect())
    }
}

/// Parameters of the first record, and what others have else.
#[derive(Debug, Default)]
struct Parameters {
    first: Option<Ordered<Value>>,
    differing: BTreeSet<String>,
    later: Vec<String>,
}

impl Parameters {
    fn see(&mut self, params: &Ordered<Value>) {
        let Self { first, differing, later } = self;
        let Some(first) = first else {
            *first = Some(params.clone());
            return;
        };
        differences(first, params, |name| {
            if !differing.contains(name) {
                differing.insert(name.to_owned());
                later.extend(first.get(name).is_none().then(|| name.to_owned()));
            }
        });
    }
}

/// Rows of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// One for each record.
    All,
    /// One for each of these positions.
    Foremost(BTreeSet<usize>),
}

/// Most rows of a table. More are no table that anybody reads, and a million take longer to lay out than to run. *Assumed.*
pub(super) const ROWS_MAX: usize = 2_000;

/// Rows of a table in place of more than that. *Assumed.*
pub(super) const FOREMOST: usize = 100;

/// The runs with the highest median goodput, the lowest of them on top, and of equals the last; those that failed stand behind all others.
#[derive(Debug, Default)]
struct Foremost(BinaryHeap<Reverse<(i64, Reverse<usize>)>>);

impl Foremost {
    fn see(&mut self, position: usize, record: &Record) {
        let tenths = if cells::failed(record) { -1 } else { cells::tenths(record.goodput_kbps.median) };
        self.0.push(Reverse((tenths, Reverse(position))));
        if self.0.len() > FOREMOST {
            self.0.pop();
        }
    }
}

/// The runs that are best so far.
#[derive(Debug, Default)]
pub(super) struct Best {
    tenths: i64,
    /// Number of them, all alike.
    pub count: usize,
    /// Positions of the first of them, as many as a table has rows.
    positions: BTreeSet<usize>,
}

impl Best {
    fn see(&mut self, position: usize, record: &Record) {
        let tenths = cells::tenths(record.goodput_kbps.median);
        if cells::failed(record) || tenths <= 0 || tenths < self.tenths {
            return;
        }
        if tenths > self.tenths {
            *self = Self { tenths, ..Self::default() };
        }
        self.count += 1;
        if self.count <= ROWS_MAX {
            self.positions.insert(position);
        }
    }

    /// Tells if the run at `position` is one of them.
    pub fn is_at(&self, position: usize) -> bool {
        self.positions.contains(&position)
    }
}

/// Calls `differs` with every name whose value is not the same in both, or that only one of them has.
fn differences<'a>(one: &'a Ordered<Value>, other: &'a Ordered<Value>, mut differs: impl FnMut(&'a str)) {
    let mut same = 0;
    // Records of one link have the same names in the same order: nothing has to be looked for.
    for ((name, value), (other, other_value)) in one.iter().zip(other.iter()) {
        if name != other {
            break;
        }
        same += 1;
        if value != other_value {
            differs(name);
        }
    }
    one.iter().skip(same).filter(|(name, value)| other.get(name) != Some(value)).for_each(|(name, _)| differs(name));
    other.iter().skip(same).filter(|(name, _)| one.get(name).is_none()).for_each(|(name, _)| differs(name));
}

fn insert(names: &mut BTreeSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, params: &[(&str, u32)]) -> Record {
        let params = params.iter().map(|(name, value)| (*name, (*value).into())).collect();
        Record { id: id.into(), params, ..Record::default() }
    }

    #[test]
    fn parameters_are_told_in_the_order_of_the_first_record_and_then_as_they_come() {
        let records = [
            record("a", &[("x", 1), ("y", 1), ("z", 1)]),
            record("a", &[("x", 1), ("new", 1), ("z", 2)]),
            record("a", &[("newer", 1), ("x", 1), ("new", 1), ("z", 1)]),
        ];
        let survey = Survey::of(&records.into_iter().collect());
        assert_eq!(survey.differing(), ["y", "z", "new", "newer"]);
        assert!(!survey.rows_differ && survey.within_rows.len() == 4);
    }

    #[test]
    fn what_only_rows_differ_in_does_not_differ_within_them() {
        let records = [("a/1", 1, 1), ("a/2", 1, 2), ("b/1", 2, 1), ("b/2", 2, 2)];
        let records = records.into_iter().map(|(id, x, y)| record(id, &[("x", x), ("y", y)]));
        let survey = Survey::of(&records.collect());
        assert_eq!(survey.differing(), ["x", "y"]);
        assert!(survey.rows_differ && survey.within_rows.iter().eq(["y"]));
    }
}
