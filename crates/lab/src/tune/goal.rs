//! Goal of a search: what is to be best, and the limits that have to be kept to.

use std::cmp::Ordering;

use super::{Aim, Space, Tried};
use crate::condition::{Bound, Condition};
use crate::figure::{Figure, Side};
use crate::links::Scenario;
use crate::record::Record;

/// Goal of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Figure that is to be best, or several by their weights.
    pub aim: Aim,
    /// Conditions that have to hold.
    pub limits: Vec<Condition>,
}

impl Goal {
    /// Goal of the best `aim` within `limits`.
    pub fn new(aim: impl Into<Aim>, limits: Vec<Condition>) -> Self {
        Self { aim: aim.into(), limits }
    }

    /// Limits that the run of `record` does not keep to; `today` is the run of the plan as it is.
    pub fn broken(&self, record: &Record, today: Option<&Record>) -> Vec<String> {
        let is_broken = |limit: &&Condition| {
            let value = limit.figure.of(record);
            let a = today.and_then(|today| limit.figure.of(today));
            !value.is_some_and(|value| limit.holds(value, a.or(Some(value))))
        };
        self.limits.iter().filter(is_broken).map(ToString::to_string).collect()
    }

    /// Limit that no run of `scenario` can keep to: known before it is run, from the RAM of its buffers.
    pub fn forbids(&self, scenario: &dyn Scenario) -> Option<&Condition> {
        let of_ram = |limit: &&Condition| limit.figure == Figure::Ram && matches!(limit.bound, Bound::Value(_));
        let mut limits = self.limits.iter().filter(of_ram).peekable();
        limits.peek()?;
        let ram = scenario.ram();
        let octets: u64 = ram.iter().map(|class| class.octets).sum();
        limits.find(|limit| !ram.is_empty() && !limit.holds(octets as f64, None))
    }

    /// True if `value` is better than `other`.
    pub fn is_better(&self, value: f64, other: f64) -> bool {
        if self.aim.side() == Side::More { value > other } else { value < other }
    }

    /// Order of two points, the better first; of equals the one that changes less, and then the one that comes first in the space.
    pub fn order(&self, space: &Space, one: &Tried, other: &Tried) -> Ordering {
        let worst = if self.aim.side() == Side::More { f64::NEG_INFINITY } else { f64::INFINITY };
        let value = |tried: &Tried| tried.goal.filter(|_| tried.is_allowed()).unwrap_or(worst);
        let (value, than) = (value(one), value(other));
        let by_goal = if self.aim.side() == Side::More { than.total_cmp(&value) } else { value.total_cmp(&than) };
        let changed = |tried: &Tried| space.changes(&tried.place).len();
        by_goal.then(changed(one).cmp(&changed(other))).then(one.place.cmp(&other.place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Goodput;

    #[test]
    fn limits_are_of_values_and_of_what_is_today() {
        let limits = vec!["goodput >= 90kbps".parse().unwrap(), "goodput > -5%".parse().unwrap()];
        let goal = Goal::new(Figure::DelayP99, limits);
        let of =
            |kbps: f64| Record { link: "ieee802154".into(), goodput_kbps: Goodput::of(&[kbps]), ..Record::default() };
        assert_eq!(goal.broken(&of(98.0), Some(&of(100.0))), Vec::<String>::new());
        assert_eq!(goal.broken(&of(94.0), Some(&of(100.0))), ["goodput > -5%"]);
        assert_eq!(goal.broken(&of(80.0), None), ["goodput >= 90kbps"]);
        assert!(goal.is_better(1.0, 2.0));
    }
}
