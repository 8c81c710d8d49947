//! The screen that standard output is, or that whoever reads it has: its width, and if it shows colours.

use std::env;
use std::io::{self, IsTerminal};

/// Columns of a page where nobody says how many it has.
const PAGE: u16 = 80;
/// Narrower than this no table can be read; let the terminal break the lines.
const LEAST: u16 = 40;

/// Columns to stay within: `COLUMNS`, or those of the terminal, or as many as a page has.
pub fn width() -> u16 {
    let stdout = io::stdout();
    // Somebody else's terminal is no measure of a pipe: `terminal_size` asks for that of standard output alone.
    let terminal = if stdout.is_terminal() { terminal_size::terminal_size_of(stdout) } else { None };
    width_of(env::var("COLUMNS").ok().as_deref(), terminal.map(|(width, _)| width.0))
}

/// Tells if standard output shows colours, or somebody wants them in any case.
pub fn has_colour() -> bool {
    let variable = |name: &str| env::var(name).ok();
    shows_colour(io::stdout().is_terminal(), cfg!(windows), &variable)
}

fn width_of(asked: Option<&str>, terminal: Option<u16>) -> u16 {
    let asked = asked.and_then(|text| text.trim().parse().ok()).filter(|width| *width > 0);
    asked.or(terminal).unwrap_or(PAGE).max(LEAST)
}

/// `NO_COLOR` (no-color.org) goes before `CLICOLOR_FORCE`, and that before the terminal (bixense.com/clicolors).
fn shows_colour(is_terminal: bool, windows: bool, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    // A console of Windows that names neither its kind nor its session may show escape sequences as they are.
    let understands = match set("TERM") {
        Some(kind) => kind != "dumb",
        None => windows && set("WT_SESSION").is_some(),
    };
    is_terminal && understands && set("CLICOLOR").is_none_or(|value| value != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(is_terminal: bool, variables: &[(&str, &str)]) -> bool {
        let variable =
            |name: &str| variables.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        shows_colour(is_terminal, false, &variable)
    }

    #[test]
    fn colours_are_for_terminals_that_have_them() {
        assert!(colour(true, &[("TERM", "xterm")]));
        assert!(!colour(false, &[("TERM", "xterm")]), "a pipe");
        assert!(!colour(true, &[("TERM", "dumb")]) && !colour(true, &[]));
        assert!(!colour(true, &[("TERM", "xterm"), ("CLICOLOR", "0")]));
        assert!(colour(true, &[("TERM", "xterm"), ("CLICOLOR", "1"), ("NO_COLOR", "")]));
    }

    #[test]
    fn who_forbids_colours_is_heard_before_who_forces_them() {
        assert!(colour(false, &[("CLICOLOR_FORCE", "1")]) && !colour(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!colour(true, &[("TERM", "xterm"), ("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    }

    #[test]
    fn a_page_is_as_wide_as_somebody_says() {
        assert_eq!((width_of(None, None), width_of(None, Some(132))), (80, 132));
        assert_eq!((width_of(Some("120"), Some(60)), width_of(Some(" 60 "), None)), (120, 60));
        for odd in ["", "0", "wide", "-3", "99999999"] {
            assert_eq!(width_of(Some(odd), None), 80, "{odd}");
        }
        assert_eq!(width_of(Some("7"), None), 40);
    }
}
