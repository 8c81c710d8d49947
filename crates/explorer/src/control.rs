//! Controls: keys of a point that somebody can turn, as sliders and menus.

use airtime_lab::explain::lever::now;
use airtime_lab::plan::{set_argument, turns};
use airtime_lab::schema::{Default, KEYS, Key, Kind, Scope, find, scope};
use airtime_lab::{Library, Plan, Point};
use serde::Serialize;
use serde_json::Value;

use crate::stops::stops;

/// Control of a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Control {
    /// Dotted name of the key.
    pub key: &'static str,
    /// Meaning of it, in a sentence or two.
    pub about: &'static str,
    /// Owner of the key here: `firmware`, `central's application`, `nobody`.
    pub who: &'static str,
    /// Form of the control.
    pub form: Form,
    /// Unit of a count, for people.
    pub unit: Option<&'static str>,
    /// Allowed values, in words.
    pub allowed: String,
    /// Value where nobody says anything: a value, or the rule that it comes from.
    pub default: String,
    /// Value in effect, as behind `--set`; empty where there is none.
    pub now: String,
    /// Values to choose from, as behind `--set`; of a slider from the least to the most.
    pub stops: Vec<String>,
    /// Set if the plan or a change says something of it.
    pub said: bool,
    /// Mechanism that it eases; empty where it has no part in the throughput.
    pub mechanism: &'static str,
    /// Options of build configurations that it is.
    pub options: Vec<&'static str>,
}

/// Form of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Numbers from the least to the most.
    Slider,
    /// Words.
    Menu,
    /// `true` or `false`.
    Switch,
    /// A text with a form of its own.
    Text,
}

/// Most stops of a slider: a number of more decades is no quantity.
const STOPS_MAX: usize = 240;

/// Controls of `point`, in the order of the schema.
pub fn controls(plan: &Plan, point: &Point, library: &Library) -> Vec<Control> {
    let shown = |key: &&&'static Key| {
        *scope(key) != Scope::Plan && scope(key).covers(point.scenario.link()) && key.name != "link"
    };
    KEYS.iter().filter(shown).filter_map(|key| control(key, plan, point, library)).collect()
}

fn control(key: &'static Key, plan: &Plan, point: &Point, library: &Library) -> Option<Control> {
    let value = now(key, point);
    let mut form = form(key)?;
    let written = |value: &Value| written(key, value);
    let mut stops: Vec<String> = match form {
        Form::Slider => stops(key, &value, &point.scenario).iter().map(written).collect(),
        Form::Switch => vec!["false".to_owned(), "true".to_owned()],
        Form::Menu | Form::Text => words(key, point, library),
    };
    // One that has nowhere to go, or anywhere as a seed has, is written.
    if form == Form::Slider && !(2..=STOPS_MAX).contains(&stops.len()) {
        (form, stops) = (Form::Text, Vec::new());
    }
    let now = if value.is_null() { String::new() } else { written(&value) };
    Some(Control {
        key: key.name,
        about: key.doc,
        who: turns(key, &point.scenario).name(),
        form,
        unit: key.unit,
        allowed: key.kind.allowed(),
        default: default(key),
        now,
        stops,
        said: plan.says(point, key.name),
        mechanism: key.eases.map_or("", |eases| eases.mechanism.name()),
        options: key.config.iter().map(|option| option.config).collect(),
    })
}

/// Form of the control of `key`; none of the head of a table that is nothing but its parts.
fn form(key: &Key) -> Option<Form> {
    Some(match key.kind {
        Kind::Count(..)
        | Kind::CountOrNone(..)
        | Kind::Span(..)
        | Kind::SpanOrNone(..)
        | Kind::Size(..)
        | Kind::Clock(..)
        | Kind::Rate
        | Kind::Probability => Form::Slider,
        Kind::Flag => Form::Switch,
        Kind::Choice(_) | Kind::Personality => Form::Menu,
        Kind::Forms { words, .. } if words.len() > 1 => Form::Menu,
        Kind::Forms { .. } => return None,
        Kind::Parsed { .. } | Kind::Text(_) | Kind::Threshold | Kind::Rates => Form::Text,
    })
}

fn words(key: &Key, point: &Point, library: &Library) -> Vec<String> {
    let named = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match key.kind {
        Kind::Choice(words) | Kind::Forms { words, .. } | Kind::Parsed { alternatives: words, .. } => named(words),
        Kind::Personality => {
            // One of another kind would be refused.
            let own = now(key, point);
            let kind = own.as_str().and_then(|own| library.get(own)).map(|own| own.kind.link);
            let names = library.names().into_iter();
            let same = |name: &&str| kind.is_none() || library.get(name).map(|found| found.kind.link) == kind;
            names.filter(same).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// `value` of `key` as behind `--set`.
fn written(key: &Key, value: &Value) -> String {
    let argument = set_argument(key.name, value);
    argument.split_once('=').map_or(argument.clone(), |(_, value)| value.to_owned())
}

fn default(key: &Key) -> String {
    match key.default {
        Default::From(rule) => rule.to_owned(),
        Default::Absent => "none".to_owned(),
        fixed => fixed.value().map(|value| written(key, &value)).unwrap_or_default(),
    }
}

/// Lines of a plan of one point: its link, and every key of which somebody says something.
pub fn plan_text(plan: &Plan, point: &Point) -> String {
    let mut text = format!("link = \"{}\"\n", point.scenario.link());
    for (key, value) in &point.scenario.asked {
        // A part of a table that is said whole is in it.
        let is_part =
            find(key.table()).is_some_and(|head| point.scenario.asked.iter().any(|(own, _)| own.name == head.name));
        if !is_part && key.name != "link" {
            text.push_str(&format!("{} = {}\n", key.name, toml(value)));
        }
    }
    // The keys of every run are no link's.
    for key in KEYS.iter().filter(|key| key.table() == "run" && plan.says(point, key.name)) {
        text.push_str(&format!("{} = {}\n", key.name, toml(&now(key, point))));
    }
    text
}

fn toml(value: &Value) -> String {
    match value {
        Value::Object(table) => {
            let parts: Vec<String> = table.iter().map(|(name, value)| format!("{name} = {}", toml(value))).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        other => other.to_string(),
    }
}
