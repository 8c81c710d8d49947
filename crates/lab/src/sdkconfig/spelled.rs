//! Options that are almost one that is known here.

use super::finding::{Finding, Weight};
use super::parse::Sdkconfig;
use super::rules::READ;
use crate::schema::sdkconfig::OPTIONS;

/// Parts of names that tell real siblings apart which are one or two letters from one another.
const SIBLINGS: [&str; 3] = ["_SPI_", "_UART_", "_SPI_HD_"];

/// A name one slip from a known one is probably meant to be that; Kconfig leaves out what it does not know without a word.
pub fn near_misses(config: &Sdkconfig) -> Vec<Finding> {
    let known = || OPTIONS.iter().map(|option| option.config).chain(READ.iter().copied());
    let mut findings = Vec::new();
    for setting in config.settings() {
        let name = setting.name.as_str();
        let sibling = SIBLINGS.iter().any(|part| name.contains(part));
        if sibling || known().any(|known| known == name) {
            continue;
        }
        let Some(meant) = known().find(|known| strsim::damerau_levenshtein(known, name) == 1) else { continue };
        findings.push(Finding {
            line: setting.line,
            column: setting.column,
            name: name.to_owned(),
            value: setting.value.clone(),
            weight: Weight::Hazard,
            says: format!("no option known here; did you mean `{meant}`? Kconfig leaves out what it does not know"),
            advice: Some(format!("{meant}={}", setting.value)),
            source: "ESP-IDF, API guide \"Project Configuration\"",
            change: Vec::new(),
        });
    }
    findings
}
