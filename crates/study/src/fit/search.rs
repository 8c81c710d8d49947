//! Search for the values of a device with the least error: coordinate descent from several starts, then between the rungs.
//!
//! A candidate is abandoned at the point where its errors already come to more than those of the one that it is to be better than: most
//! are after one or two.

use std::collections::BTreeMap;

use airtime_core::random::stream;
use airtime_lab::Personality;
use airtime_lab::fit::{Device, DeviceAxis};
use serde_json::Value;

use super::bench::Bench;
use crate::tune::shuffled;

/// Starts that are drawn, besides those of known devices, *assumed*.
const DRAWN: usize = 3;
/// Rounds from one start at most, *assumed*.
const ROUNDS_MAX: usize = 12;
/// Times that the rungs around the best are halved, *assumed*: a quarter of a value becomes a thirtieth.
const HALVINGS: usize = 3;
/// Candidates that are run at once: so many have to be within the budget, though most of them are soon abandoned. *Assumed.*
const BATCH: usize = 32;
/// Seed of the starts.
const SEED: u64 = 1;

/// Values of all axes.
pub type Values = Vec<Value>;

/// A candidate that was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Values of the axes.
    pub values: Values,
    /// Sum of the squared errors in units of the repeatability; of one that was abandoned, of those points that it was run at.
    pub cost: f64,
    /// Errors in per cent at the points that it was run at.
    pub errors: Vec<f64>,
}

/// End of a search before its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Somebody stopped it.
    Stopped,
    /// The budget is spent.
    Spent,
}

/// Landscape of the errors over the values of a device.
pub struct Landscape<'a, 'b> {
    bench: &'b Bench<'a>,
    /// Device that all candidates differ from.
    pub base: &'b Personality,
    /// Values that are free.
    pub axes: Vec<DeviceAxis>,
    /// Repeatability in per cent.
    pub noise_pct: f64,
    points: usize,
    known: BTreeMap<String, Tried>,
}

impl<'a, 'b> Landscape<'a, 'b> {
    /// Landscape around the device `base` over these axes, each of which gets its value.
    pub fn new(
        bench: &'b Bench<'a>,
        base: &'b Personality,
        mut axes: Vec<DeviceAxis>,
        points: usize,
        noise_pct: f64,
    ) -> Self {
        for axis in &mut axes {
            if let Some(own) = base.get(axis.key.name) {
                axis.place(&own.value);
            }
        }
        // A file has its keys in the order of their kind.
        let order = |axis: &DeviceAxis| base.kind.keys.iter().position(|key| key.name == axis.key.name);
        axes.sort_by_key(order);
        Self { bench, base, axes, noise_pct, points, known: BTreeMap::new() }
    }

    /// Values of a known device; of keys that it does not have, those of the base.
    pub fn of_device(&self, device: &Personality) -> Values {
        let value = |axis: &DeviceAxis| device.get(axis.key.name).or_else(|| self.base.get(axis.key.name));
        self.axes.iter().map(|axis| value(axis).map_or(Value::Null, |entry| entry.value.clone())).collect()
    }

    /// Values of the base.
    pub fn of_base(&self) -> Values {
        self.of_device(self.base)
    }

    /// Everything that was run, at every point or until it was abandoned.
    pub fn whole_or_cut(&self) -> impl Iterator<Item = &Tried> {
        self.known.values()
    }

    /// The device with these values.
    pub fn device(&self, values: &[Value]) -> Device {
        let own = self.axes.iter().zip(values);
        let differs =
            own.filter(|(axis, value)| self.base.get(axis.key.name).is_none_or(|entry| entry.value != **value));
        Device {
            base: self.base.name.clone(),
            kind: self.base.kind.link,
            values: differs.map(|(axis, value)| (axis.key, value.clone())).collect(),
        }
    }

    /// Everything that was run at every point.
    pub fn whole(&self) -> impl Iterator<Item = &Tried> {
        self.known.values().filter(|tried| tried.errors.len() == self.points)
    }

    /// The one with these values, if it was run at every point.
    pub fn get(&self, values: &[Value]) -> Option<&Tried> {
        self.known.get(&name(values)).filter(|tried| tried.errors.len() == self.points)
    }

    /// The best that was run at every point; of equals the one that differs from the base in fewer values.
    pub fn best(&self) -> Option<&Tried> {
        let changed = |tried: &Tried| self.device(&tried.values).values.len();
        // What differs by less than a thousandth of the repeatability is equal.
        let cost = |tried: &Tried| (tried.cost * 1e3).round();
        self.whole().min_by(|one, other| cost(one).total_cmp(&cost(other)).then(changed(one).cmp(&changed(other))))
    }

    /// Runs those of `all` that were not run yet, each until its cost is above `limit`.
    pub fn run(&mut self, all: &[Values], limit: f64) -> Result<(), Cut> {
        let is_new = |values: &&Values| {
            self.known.get(&name(values)).is_none_or(|tried| tried.errors.len() < self.points && tried.cost <= limit)
        };
        let mut new: Vec<Values> = Vec::new();
        for values in all.iter().filter(is_new) {
            if !new.contains(values) {
                new.push(values.clone());
            }
        }
        for batch in new.chunks(BATCH) {
            if !self.bench.affords(batch.len()) {
                return Err(Cut::Spent);
            }
            let devices: Vec<Device> = batch.iter().map(|values| self.device(values)).collect();
            let found = self.bench.raced(&devices, limit, self.noise_pct).ok_or(Cut::Stopped)?;
            for (values, (cost, errors)) in batch.iter().zip(found) {
                self.known.insert(name(values), Tried { values: values.clone(), cost, errors });
            }
        }
        Ok(())
    }

    /// Looks for the best from the base alone.
    pub fn descend_from_base(&mut self) -> Result<(), Cut> {
        let order: Vec<usize> = (0..self.axes.len()).collect();
        self.descend(self.of_base(), &order)
    }

    /// Looks for the best from the base, from `others` and from values that are drawn, and then between the rungs around it.
    pub fn search(&mut self, others: &[&Personality]) -> Result<(), Cut> {
        let mut random = stream(SEED, "fit/starts");
        let mut starts: Vec<Values> = vec![self.of_device(self.base)];
        starts.extend(others.iter().map(|device| self.of_device(device)));
        for _ in 0..DRAWN {
            let drawn = |axis: &DeviceAxis| axis.values[random.below(axis.values.len() as u64) as usize].clone();
            starts.push(self.axes.iter().map(drawn).collect());
        }
        for start in starts {
            let order = shuffled(self.axes.len(), &mut random);
            self.descend(start, &order)?;
        }
        for _ in 0..HALVINGS {
            let Some(best) = self.best().map(|best| best.values.clone()) else { return Ok(()) };
            let order = shuffled(self.axes.len(), &mut random);
            self.halve(&best);
            self.descend(best, &order)?;
        }
        Ok(())
    }

    fn cost(&self, values: &[Value]) -> f64 {
        self.get(values).map_or(f64::INFINITY, |tried| tried.cost)
    }

    /// Takes one axis after the other to its best value until a whole round gains nothing.
    fn descend(&mut self, mut at: Values, order: &[usize]) -> Result<(), Cut> {
        self.run(std::slice::from_ref(&at), f64::INFINITY)?;
        for _ in 0..ROUNDS_MAX {
            let before = at.clone();
            for axis in order {
                let line = self.line(&at, *axis);
                self.run(&line, self.cost(&at))?;
                for values in line {
                    if self.cost(&values) < self.cost(&at) {
                        at = values;
                    }
                }
            }
            if at == before && !self.leap(&mut at)? {
                break;
            }
        }
        Ok(())
    }

    /// Tries each word together with each number: another rule needs another number, and neither is better alone. Tells if one is.
    fn leap(&mut self, at: &mut Values) -> Result<bool, Cut> {
        let (numbers, words): (Vec<usize>, Vec<usize>) =
            (0..self.axes.len()).partition(|axis| self.axes[*axis].is_ladder());
        let cost = self.cost(at);
        for (word, number) in words.iter().flat_map(|word| numbers.iter().map(move |number| (*word, *number))) {
            let others: Vec<Values> = self.line(at, word).into_iter().filter(|values| values != at).collect();
            let grid: Vec<Values> = others.iter().flat_map(|values| self.line(values, number)).collect();
            self.run(&grid, self.cost(at))?;
            for values in grid {
                if self.cost(&values) < self.cost(at) {
                    *at = values;
                }
            }
        }
        Ok(self.cost(at) < cost)
    }

    /// Every value of one axis, the others as they are `at`.
    pub fn line(&self, at: &[Value], axis: usize) -> Vec<Values> {
        let with = |value: &Value| {
            let mut values = at.to_vec();
            values[axis] = value.clone();
            values
        };
        self.axes[axis].values.iter().map(with).collect()
    }

    /// Adds the values in the middle between those of `best` and their neighbours.
    fn halve(&mut self, best: &[Value]) {
        for (axis, value) in self.axes.iter_mut().zip(best) {
            let at = axis.values.iter().position(|known| known == value).unwrap_or_default();
            let below = at.checked_sub(1).and_then(|below| axis.between(&axis.values[below], value));
            let above = axis.values.get(at + 1).and_then(|above| axis.between(value, above));
            for new in [below, above].into_iter().flatten() {
                axis.place(&new);
            }
        }
    }
}

/// Name of values among others.
fn name(values: &[Value]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
