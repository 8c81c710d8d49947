//! Slips of the pen: options that are almost one that is known here, and values that no such option can have.

use airtime_keys::Key;
use airtime_keys::config::{ConfigOption, Form};
use airtime_link::config::{Configurations, Spelling};
use serde_json::Value;

use super::check::sample;
use super::{Build, Configuration, Finding, Weight};

/// Slips in a configuration of a device of `own`.
pub fn all(own: &dyn Configurations, build: Build, spelling: &Spelling) -> Vec<Finding> {
    let mut findings = slips(&spelling.config, &spelling.known, spelling.then, spelling.source);
    findings.retain(|finding| !spelling.siblings.iter().any(|part| finding.name.contains(part)));
    findings.extend(no_values(own, build, spelling));
    findings
}

/// Names one slip from one of those `known`; `then` is what a build does with them.
fn slips(config: &Configuration, known: &[&str], then: &str, source: &'static str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for setting in config.settings().iter().filter(|setting| !known.contains(&setting.name.as_str())) {
        let name = setting.name.as_str();
        let Some(meant) = known.iter().find(|known| strsim::damerau_levenshtein(known, name) == 1) else { continue };
        // Where the option that was meant is set further down, the slip makes no difference any more.
        let later = config.get(meant).is_some_and(|meant| meant.line > setting.line);
        let weight = if later { Weight::Note } else { Weight::Hazard };
        let says = format!("no option known here; did you mean `{meant}`? {then}");
        let advice = Some(format!("{meant}={}", setting.value));
        findings.push(Finding { advice, ..Finding::about(Some(setting), name, weight, says, source) });
    }
    findings
}

/// A value of another kind than its option's. The rules pass it over, for it is no value of theirs either.
fn no_values(own: &dyn Configurations, build: Build, spelling: &Spelling) -> Vec<Finding> {
    let config = &spelling.config;
    let option = |name: &str| {
        let bare = name.strip_prefix("CONFIG_").unwrap_or(name);
        spelling.options.iter().find(|(_, option)| option.config.strip_prefix("CONFIG_") == Some(bare)).copied()
    };
    let mut findings = Vec::new();
    for setting in config.settings() {
        let Some((key, option)) = option(&setting.name) else { continue };
        let form = option.form;
        let (kind, takes) = match form {
            Form::Count
            | Form::CountAnd(_)
            | Form::Milliseconds
            | Form::Microseconds
            | Form::Intervals
            | Form::Kilohertz
            | Form::Megahertz => ("whole number", form.value(&setting.value).is_some()),
            Form::Flag | Form::Word(_) => ("`y` or `n`", matches!(setting.value.as_str(), "y" | "n" | "")),
        };
        let last = config.get(&setting.name).is_some_and(|last| last.line == setting.line);
        if takes || setting.value == "n" || !last {
            continue;
        }
        let says = format!("`{}` is no {kind}: Kconfig warns, and builds with its default", setting.value);
        let finding = Finding::about(Some(setting), &setting.name, Weight::Hazard, says, spelling.source);
        findings.push(Finding { advice: default_line(in_effect(own, build, config, key), option), ..finding });
    }
    findings
}

/// Value of `key` in the plan that a file is told in alone.
fn in_effect(own: &dyn Configurations, build: Build, config: &Configuration, key: &Key) -> Option<Value> {
    let plan = sample(&own.alone(build, config, None).sample, &[]).ok()?;
    plan.point(0)?.scenario.params.get(key.name).cloned()
}

/// The line with the value that the lab's own chain has.
fn default_line(now: Option<Value>, option: &ConfigOption) -> Option<String> {
    let text = now.as_ref().and_then(|value| option.form.text(value));
    // An option that is a word of its key is not set where the key is another word.
    let text = text.or_else(|| matches!(option.form, Form::Word(_)).then(|| "n".to_owned()))?;
    Some(format!("{}={text}", option.config))
}
