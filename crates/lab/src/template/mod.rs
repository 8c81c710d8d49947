//! A plan of one's own to begin with: every key that means something to a link, with its value in effect, what it is, and who can
//! turn it. Made from the declarations of the keys, so that it cannot become out of date.

mod lines;
#[cfg(test)]
mod tests;

use airtime_keys::Key;
use serde_json::Value;

use crate::limiting_default::{LimitingDefault, limiting_default};
use crate::links::{self, LINK};
use crate::personality::Library;
use crate::plan::{Plan, Point, toml_text};
use crate::run::record;
use crate::schema::{KEYS, Kind, Scope, find, scope};
use crate::toml::PlanError;

/// A commented plan for the link of this name with `devices`, which are keys that name a personality, each with its name.
///
/// It sets the link, those devices, and whatever default would limit it from the start; the rest stands there to be set.
///
/// # Errors
/// With a link or a device that there is not, as in a plan.
pub fn template(file: &str, link: &str, devices: &[(&str, &str)], library: &Library) -> Result<String, PlanError> {
    let mut set = vec![(LINK.to_owned(), link.to_owned())];
    set.extend(devices.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned())));
    let plain = Plan::parse(file, "", library, &set)?;
    let point = plain.point(0).expect("a plan has a point");
    // A link without such a default need not be run to know that it is not limited by one.
    let key = links::find(point.scenario.link()).and_then(|link| link.tacit());
    let waits = key.is_some_and(|key| point.scenario.params.iter().any(|(name, _)| name.starts_with(key.name)));
    let limit = if waits { limiting_default(&plain, &point, &record(&plain, &point), &|| false) } else { None };
    let reason = limit.as_ref().map(LimitingDefault::reason).unwrap_or_default();
    let limit =
        limit.and_then(|limit| limit.set.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())));
    set.extend(limit.clone());
    let plan = Plan::parse(file, "", library, &set)?;
    let point = plan.point(0).expect("a plan has a point");
    let mut text = head(file, link, &point);
    let mut table = "";
    for key in KEYS.iter().copied().filter(|key| is_shown(key, link)) {
        let own = key.name.split_once('.').map_or("", |(table, _)| table);
        if own != table {
            text.push_str(&format!("\n[{own}]\n"));
            table = own;
        }
        let name = key.name.strip_prefix(own).unwrap_or(key.name).trim_start_matches('.');
        let limited = limit.as_ref().filter(|(limited, _)| limited == key.name);
        if limited.is_some() {
            text.push_str(&lines::wrapped(&reason));
        }
        text.push_str(&lines::about(key, &point));
        let is_set = set.iter().any(|(set, _)| set == key.name);
        // A policy with a name is written as that, not as its parts.
        let word = limited.map(|(_, value)| Value::from(value.as_str()).to_string());
        let value = word.or_else(|| in_effect(key, &point));
        text.push_str(&lines::value(name, value.as_deref(), is_set));
    }
    Ok(text)
}

/// The keys of `link` that name a device, `central.personality` among them.
pub fn devices(link: &str) -> Vec<&'static Key> {
    let names_one = |key: &&Key| matches!(key.kind, Kind::Personality) && is_shown(key, link);
    KEYS.iter().copied().filter(|key| names_one(key)).collect()
}

/// Names of the links that there are.
pub fn links() -> Vec<&'static str> {
    links::ALL.iter().flat_map(|link| link.names().iter().copied()).collect()
}

/// First lines: what it is, and how it is read.
fn head(file: &str, link: &str, point: &Point) -> String {
    let named = |key: &Key| point.scenario.params.get(key.name).and_then(Value::as_str).map(str::to_owned);
    let between: Vec<String> = devices(link).iter().filter_map(|key| named(key)).collect();
    let between = if between.is_empty() { String::new() } else { format!(", with {}", between.join(" and ")) };
    let begin = format!("What does my own case come to? A plan for {link}{between}.");
    let how = format!(
        "It runs as it is: airtime run {file}; airtime check {file} reads it, airtime explain {file} tells what would gain most. A \
         line with # in front of a key has the value in effect without it; take the # away to set another. In brackets: who can turn \
         the key, and the values it takes. Nobody: it is the environment, or a property of the experiment."
    );
    format!("{}#\n{}{LINK} = \"{link}\"\n", lines::wrapped(&begin), lines::wrapped(&how))
}

/// Tells if `key` has a line: it means something to `link`, and is no part of a value that has one.
fn is_shown(key: &Key, link: &str) -> bool {
    let part = find(key.table()).is_some();
    key.name != LINK && !part && *scope(key) != Scope::Plan && scope(key).covers(link)
}

/// Value of `key` in effect, as a plan writes it; of a table the parts of it.
fn in_effect(key: &Key, point: &Point) -> Option<String> {
    let params = &point.scenario.params;
    if let Some(value) = params.get(key.name).filter(|value| !value.is_null()) {
        // A text of a plan has quotation marks, whose rules those of JSON are as well.
        return Some(value.as_str().map_or_else(|| toml_text(value), |_| value.to_string()));
    }
    let below = format!("{}.", key.name);
    let parts: serde_json::Map<String, Value> = params
        .iter()
        .filter_map(|(name, value)| Some((name.strip_prefix(&below)?.to_owned(), value.clone())))
        .collect();
    if parts.is_empty() { None } else { Some(toml_text(&Value::Object(parts))) }
}
