//! A scenario as text, by which one is told from another.

use alloc::format;
use alloc::string::String;
use core::fmt::Write;

use crate::Scenario;

/// Text of everything that a run of `scenario` depends on: its link, every key with its value in effect, and every value of its
/// devices, a line each.
///
/// Two scenarios with the same text run alike. It is made of names and of JSON alone, so it is the same on every machine and in
/// every process: what it names may be kept in a file.
pub fn identity(scenario: &dyn Scenario) -> String {
    let mut text = format!("link={}\n", scenario.link());
    scenario.show(&mut |key, value| line(&mut text, "", key.name, &value));
    scenario.devices(&mut |end, key, value| line(&mut text, end, key.name, &value));
    text
}

/// JSON has no line break in it, so a line is a value whatever that is.
fn line(text: &mut String, end: &str, name: &str, value: &airtime_keys::Value) {
    let _ = writeln!(text, "{end}{}{name}={value}", if end.is_empty() { "" } else { " " });
}
