//! An ESP-IDF `sdkconfig`, read for what it does to ESP-hosted Wi-Fi: lines with their places, findings by rule, and the
//! findings that a short run can prove.

mod built;
mod finding;
mod fix;
mod parse;
mod proof;
mod role;
mod rules;
mod spelled;
#[cfg(test)]
mod tests;

pub use built::{silent, unmet};
pub use finding::{Finding, Weight};
pub use fix::{Block, Follows, Gain, Gone, block, block_by, gain};
pub use parse::{Sdkconfig, Setting, number};
pub use proof::{Proof, prove};
pub(crate) use proof::{plan, shipped};
pub use role::{Role, role, target};
pub(crate) use spelled::slips;

/// Findings about `config`, in the order of its lines.
pub fn check(config: &Sdkconfig) -> Vec<Finding> {
    let mut findings = rules::apply(config);
    if matches!(role(config), Role::Host | Role::Coprocessor) {
        findings.extend(spelled::near_misses(config));
        findings.extend(spelled::no_values(config));
    }
    findings.sort_by_key(|finding| (finding.line, finding.column));
    findings
}

/// The plan's keys that `config` sets, with their values as `--set` takes them.
pub fn overrides(config: &Sdkconfig) -> Vec<(String, String)> {
    let mut overrides: Vec<(String, String)> = Vec::new();
    for setting in config.settings().iter().filter(|setting| !unmet(config, &setting.name)) {
        let Some((key, option)) = crate::schema::sdkconfig::option(&setting.name) else { continue };
        let Some(value) = option.form.value(&setting.value) else { continue };
        overrides.retain(|(known, _)| known != key.name);
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        overrides.push((key.name.to_owned(), text));
    }
    overrides
}
