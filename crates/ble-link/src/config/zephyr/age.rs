//! The age of a `prj.conf`: names that are gone, read as what took their place.
//!
//! The keys have the names of Zephyr v2.6 to v4.2. A file with an older name is of an older tree, of whose defaults nothing is known here:
//! what it does not say is then the device's own.

use airtime_link::config::{Configuration, Finding, Gone, Line, NOT_MODELLED, Setting, Weight};

use super::retired::{RETIRED, RX_COUNT, RX_COUNT_EXTRA, RX_COUNT_SOURCE, Retired};

/// A configuration in the names that the keys have.
#[derive(Clone, Debug)]
pub struct Read {
    /// Its lines, each at its place.
    pub config: Configuration,
    /// Set if the file has names of a tree whose defaults are not known.
    pub aged: bool,
    /// Set if it says by [`RX_COUNT_EXTRA`] what is beyond the receive buffers that a build has in any case.
    pub extra: bool,
}

/// `config` in the names that the keys have.
pub fn read(config: &Configuration) -> Read {
    let renamed = config.read_as(|setting| renamed(config, setting));
    let aged = config.settings().iter().any(|setting| retired(setting).is_some_and(|old| old.aged));
    Read { config: renamed, aged, extra: config.get(RX_COUNT_EXTRA).is_some() }
}

/// Entry of a name that is gone.
fn retired(setting: &Setting) -> Option<&'static Retired> {
    RETIRED.iter().find(|old| old.option == setting.name)
}

/// Name and value that `setting` of `config` is read as; none where it is its own, or another line counts.
fn renamed(config: &Configuration, setting: &Setting) -> Option<(String, String)> {
    if setting.name == RX_COUNT_EXTRA {
        let count = setting
            .number()
            .map_or_else(|| setting.value.clone(), |extra| extra.saturating_add(own(config)).to_string());
        return Some((RX_COUNT.to_owned(), count));
    }
    let old = retired(setting)?;
    another(config, old).is_none().then(|| (old.successor.to_owned(), value(old, setting)))
}

/// Receive buffers that a build has without a line: one for each link, and one more. Zephyr v4.1, include/zephyr/bluetooth/buf.h.
fn own(config: &Configuration) -> u64 {
    config.number("CONFIG_BT_MAX_CONN").unwrap_or(1).saturating_add(1)
}

/// Option that says the same as `old` and counts instead of it.
fn another(config: &Configuration, old: &Retired) -> Option<&'static str> {
    let before = RETIRED.iter().take_while(|other| other.option != old.option);
    let twins = before.filter(|other| other.successor == old.successor).map(|other| other.option);
    let today = if old.successor == RX_COUNT { RX_COUNT_EXTRA } else { old.successor };
    [today, old.successor].into_iter().chain(twins).find(|name| config.get(name).is_some())
}

/// Line of a build of today that says what `setting` does, where no other line of `config` does.
fn instead(config: &Configuration, old: &Retired, setting: &Setting) -> Option<String> {
    if another(config, old).is_some() {
        return None;
    }
    let value = value(old, setting);
    if old.successor != RX_COUNT {
        return Some(format!("{}={value}", old.successor));
    }
    let extra = value.parse::<u64>().ok()?.saturating_sub(own(config)).max(1);
    Some(format!("{RX_COUNT_EXTRA}={extra}"))
}

/// Value of the successor.
fn value(old: &Retired, setting: &Setting) -> String {
    let number = setting.number().and_then(|number| number.checked_add_signed(old.added));
    number.map_or_else(|| setting.value.clone(), |number| number.to_string())
}

/// Gives `lines`, which are those of `config` as it was read, the names that the file has, and says that they are gone.
pub fn told(config: &Configuration, lines: &mut [Line]) {
    for setting in config.settings() {
        let Some(line) = lines.iter_mut().find(|line| line.line == setting.line) else { continue };
        let Some(says) = says(config, setting) else { continue };
        if line.option != setting.name {
            line.read_as = Some(line.text());
            (line.option, line.value) = (setting.name.clone(), setting.value.clone());
        }
        line.why = match line.why.as_str() {
            "" | NOT_MODELLED => says,
            why => format!("{says}; {why}"),
        };
    }
}

/// Sentence about a name that is gone, or new; none of the others.
fn says(config: &Configuration, setting: &Setting) -> Option<String> {
    if setting.name == RX_COUNT_EXTRA {
        return Some(format!("beyond the {} that a build of Zephyr v4.1 has without the line", own(config)));
    }
    let old = retired(setting)?;
    let stops = format!("gone since {}, whose build stops at it", old.since);
    Some(match another(config, old) {
        Some(other) if other == old.successor => format!("{stops}: {other} took its place, and has a line of its own"),
        Some(other) => format!("{stops}: {other} says the same"),
        None => format!("{stops}; read as {}={}, which took its place", old.successor, value(old, setting)),
    })
}

/// Notes about the names that are gone, each with the line that took its place.
pub fn findings(config: &Configuration) -> Vec<Finding> {
    let mut findings = Vec::new();
    for setting in config.settings() {
        if setting.name == RX_COUNT && config.get(RX_COUNT_EXTRA).is_none() {
            findings.extend(count(config, setting));
        }
        let Some(old) = retired(setting) else { continue };
        let says = format!(
            "no release since {} has this name (undefined symbol), and its build stops at the line: {} took its place",
            old.since, old.successor
        );
        let advice = instead(config, old, setting);
        findings
            .push(Finding { advice, ..Finding::about(Some(setting), &setting.name, Weight::Note, says, old.source) });
    }
    findings
}

/// The note about the count of receive buffers, whose successor older trees do not have.
fn count(config: &Configuration, setting: &Setting) -> Option<Finding> {
    // Zephyr v4.1, common/Kconfig: at least one with connections.
    let extra = setting.number()?.saturating_sub(own(config)).max(1);
    let says = format!(
        "up to Zephyr v4.0; v4.1 warns of the name, and from v4.3 on the build stops at it: a build has {} without a line, and \
         {RX_COUNT_EXTRA} says what is beyond",
        own(config)
    );
    let finding = Finding::about(Some(setting), RX_COUNT, Weight::Note, says, RX_COUNT_SOURCE);
    Some(Finding { advice: Some(format!("{RX_COUNT_EXTRA}={extra}")), ..finding })
}

/// Lines that are gone, each with the one that took its place, where another line does not say it.
pub fn gone(config: &Configuration) -> Vec<Gone> {
    let of = |setting: &Setting| {
        let old = retired(setting)?;
        let instead = instead(config, old, setting);
        Some(Gone { line: setting.line, option: setting.name.clone(), instead })
    };
    config.settings().iter().filter_map(of).collect()
}
