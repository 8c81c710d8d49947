//! Values that a plan asks for, beside those in effect.

use airtime_link::Granted;
use serde_json::Value;

use crate::links;
use crate::plan::{Plan, Scenario};
use crate::record::Asked;
use crate::schema::{self, Key, Kind};

/// Keys of `scenario` whose value in effect is not the one that its plan asks for: as the run found, which `granted` tells, or else as
/// the link shows them.
pub fn asked(scenario: &Scenario, granted: &[Granted]) -> Vec<Asked> {
    let differs = |(key, asked): &(&'static Key, Value)| {
        let (value, by) = in_effect(key, scenario, granted)?;
        let differs = is_other(key, asked, &value);
        differs.then(|| Asked { key: key.name.to_owned(), asked: asked.clone(), granted: value, by })
    };
    scenario.asked.iter().filter_map(differs).collect()
}

/// Value that an option asks for, where the plan asks for another value once the link is up: who sets the one means the other.
pub fn superseded(plan: &Plan, scenario: &Scenario) -> Option<Asked> {
    let is_set = |name: &str| plan.overrides().iter().any(|set| set.split('=').next() == Some(name));
    let pairs = links::find(scenario.link()).map_or(&[][..], |link| link.superseded());
    pairs.iter().find_map(|[own, later]| {
        let (own, later) = (own.name, later.name);
        let asked = scenario.asked.iter().find(|(key, _)| key.name == own).filter(|_| is_set(own) && !is_set(later));
        let granted = scenario.params.get(later).filter(|value| value.is_string());
        let (asked, granted) = (asked.map(|(_, value)| value)?, granted?);
        let by = format!("the plan's {}", crate::plan::set_argument(later, granted));
        (asked != granted).then(|| Asked { key: own.to_owned(), asked: asked.clone(), granted: granted.clone(), by })
    })
}

/// Value of `key` in effect, and who decides; nothing where it is shown in another form.
fn in_effect(key: &Key, scenario: &Scenario, granted: &[Granted]) -> Option<(Value, String)> {
    if let Some(granted) = granted.iter().find(|granted| granted.key == key.name) {
        return Some((granted.value.clone(), granted.by.clone()));
    }
    if let Some(value) = scenario.params.get(key.name) {
        return Some((value.clone(), scenario.keeper(key)));
    }
    // A word is shown as the parts it stands for, and parts as the word for them.
    let shown_otherwise = is_form(key) || schema::find(key.table()).is_some_and(is_form);
    (!shown_otherwise).then(|| (Value::Null, scenario.keeper(key)))
}

fn is_form(key: &Key) -> bool {
    matches!(key.kind, Kind::Forms { .. })
}

/// Tells if `value` is another one than `asked`, however each of them is written.
fn is_other(key: &Key, asked: &Value, value: &Value) -> bool {
    if value.is_null() {
        return *asked != "none";
    }
    let canonical = |value: &Value| key.kind.check(key.name, value).unwrap_or_else(|_| value.clone());
    canonical(asked) != canonical(value)
}
