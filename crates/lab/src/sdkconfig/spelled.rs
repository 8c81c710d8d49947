//! Slips of the pen: options that are almost one that is known here, and values that no such option can have.

use airtime_keys::config::Form;

use super::finding::{Finding, Weight};
use super::parse::Sdkconfig;
use super::rules::READ;
use crate::schema::sdkconfig::{OPTIONS, option};

/// Parts of names that tell real siblings apart which are one or two letters from one another.
const SIBLINGS: [&str; 3] = ["_SPI_", "_UART_", "_SPI_HD_"];

/// A name one slip from a known one is probably meant to be that; Kconfig leaves out what it does not know without a word.
pub fn near_misses(config: &Sdkconfig) -> Vec<Finding> {
    let known: Vec<&str> = OPTIONS.iter().map(|(_, option)| option.config).chain(READ.iter().copied()).collect();
    let left_out = "Kconfig leaves out what it does not know";
    let mut findings = slips(config, &known, left_out, "ESP-IDF, API guide \"Project Configuration\"");
    findings.retain(|finding| !SIBLINGS.iter().any(|part| finding.name.contains(part)));
    findings
}

/// Names one slip from one of those `known`; `then` is what a build does with them.
pub fn slips(config: &Sdkconfig, known: &[&str], then: &str, source: &'static str) -> Vec<Finding> {
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
pub fn no_values(config: &Sdkconfig) -> Vec<Finding> {
    let mut findings = Vec::new();
    for setting in config.settings() {
        let Some(form) = option(&setting.name).map(|(_, option)| option.form) else { continue };
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
        findings.push(Finding {
            line: setting.line,
            column: setting.column,
            name: setting.name.clone(),
            value: setting.value.clone(),
            weight: Weight::Hazard,
            says: format!("`{}` is no {kind}: Kconfig warns, and builds with its default", setting.value),
            advice: default_line(&setting.name),
            source: "ESP-IDF, API guide \"Project Configuration\"",
            change: Vec::new(),
        });
    }
    findings
}

/// The line with the value that the lab's own chain has.
fn default_line(name: &str) -> Option<String> {
    let (key, option) = option(name)?;
    let now = super::proof::in_effect(key);
    let text = now.as_ref().and_then(|value| option.form.text(value));
    // An option that is a word of its key is not set where the key is another word.
    let text = text.or_else(|| matches!(option.form, Form::Word(_)).then(|| "n".to_owned()))?;
    Some(format!("{}={text}", option.config))
}
