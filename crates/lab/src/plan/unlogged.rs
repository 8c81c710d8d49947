//! Keys that nobody logged, of which only a range is known, and the points at the corners of it.

use serde_json::Value;

use super::read::{Axis, axes_of};
use super::settings::Assignment;
use crate::schema::Key;
use crate::toml::error::{At, Fault, PlanError};
use crate::toml::tree::{Data, Entry};

/// Most keys of one row: a run for each corner of their ranges.
const KEYS_MAX: usize = 6;

/// A key of which only a range is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Dotted name of the key.
    pub key: &'static str,
    /// Least, likeliest and largest value; in the order of its effect, not necessarily of its value.
    pub values: [Value; 3],
}

/// The same with its places.
#[derive(Clone, Debug)]
pub struct RangeSource {
    pub key: &'static Key,
    pub values: [Assignment; 3],
}

impl RangeSource {
    /// Without the places.
    pub fn range(&self) -> Range {
        Range { key: self.key.name, values: self.values.each_ref().map(|value| value.node.json()) }
    }

    /// The likeliest value.
    pub fn middle(&self) -> &Assignment {
        &self.values[1]
    }
}

/// The ranges of a table `[unlogged]`.
pub fn ranges(file: &str, table: &Entry) -> Result<Vec<RangeSource>, PlanError> {
    axes_of(file, table, None)?.into_iter().map(|axis| range(file, axis)).collect()
}

fn range(file: &str, axis: Axis) -> Result<RangeSource, PlanError> {
    let Axis { key, values } = axis;
    let place = values[0].place.clone();
    let values = <[Assignment; 3]>::try_from(values).map_err(|values| {
        let what = format!("the range of `{}` has {} values", key.name, values.len());
        Fault::new(what).allowing("[low, middle, high]").at(file, place.clone())
    })?;
    let found = RangeSource { key, values };
    let [low, middle, high] = found.range().values;
    if low == high || low == middle || middle == high {
        let fault = Fault::new(format!("the range of `{}` names a value twice", key.name));
        return Err(fault.allowing("[low, middle, high]").at(file, place));
    }
    Ok(found)
}

/// The ranges that a row's list of names means.
pub fn named(file: &str, entry: &Entry, known: &[RangeSource]) -> Result<Vec<RangeSource>, PlanError> {
    let at = |fault: Fault| fault.at(file, entry.node.place.clone());
    let Data::List(list) = &entry.node.data else {
        return Err(at(Fault::new("`unlogged` of a row is a list of names from `[unlogged]`")));
    };
    let mut found: Vec<RangeSource> = Vec::new();
    for node in list {
        let name = node.json();
        let name = name.as_str().unwrap_or_default();
        let range = known.iter().find(|range| range.key.name == name).ok_or_else(|| {
            let names = known.iter().map(|range| range.key.name);
            Fault::new(format!("`[unlogged]` has no range of `{name}`"))
                .one_of(name, names)
                .at(file, node.place.clone())
        })?;
        if !found.iter().any(|other| other.key.name == name) {
            found.push(range.clone());
        }
    }
    if found.len() > KEYS_MAX {
        return Err(at(Fault::new(format!("{} keys without a log are {} corners", found.len(), 1_u64 << found.len()))
            .allowing(format!("at most {KEYS_MAX} keys"))));
    }
    Ok(found)
}

/// A corner of ranges: which of them is at its high end, and what the corner sets.
pub type Corner = (Vec<bool>, Vec<(String, Value)>);

/// The corners of `ranges`.
pub fn corners(ranges: &[Range]) -> Vec<Corner> {
    let corner = |number: usize| {
        let high: Vec<bool> = (0..ranges.len()).map(|bit| number >> bit & 1 == 1).collect();
        let ends = ranges.iter().zip(&high);
        let set = ends.map(|(range, high)| (range.key.to_owned(), range.values[if *high { 2 } else { 0 }].clone()));
        let set = set.collect();
        (high, set)
    };
    (0..1 << ranges.len()).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_corner_is_there_once() {
        let range = |key, low: u64, high: u64| Range { key, values: [low.into(), 5.into(), high.into()] };
        let found = corners(&[range("path.queue", 1, 9), range("wifi.mcs", 4, 7)]);
        let values: Vec<[u64; 2]> = found.iter().map(|(_, set)| [0, 1].map(|i| set[i].1.as_u64().unwrap())).collect();
        assert_eq!(values, [[1, 4], [9, 4], [1, 7], [9, 7]]);
        assert_eq!(found[1].0, [true, false]);
        assert_eq!(corners(&[]).len(), 1);
    }
}
