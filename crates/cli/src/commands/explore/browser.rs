//! The browser of whoever started the program.
//!
//! A package for it, such as `opener`, would bring the shell script of `xdg-open` and bindings to Windows for what is a line per system.

use std::env;
use std::io::{self, IsTerminal as _};
use std::process::{Command, Stdio};
use std::thread;

/// Opens `address`, where somebody sits in front of it: the output is a terminal, and there is a display. Tells if it does.
pub fn open(address: &str) -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    if !(io::stdout().is_terminal() && has_display(&set)) {
        return false;
    }
    let (program, before) = opener();
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    // Somebody has to take note of its end; whoever gets no thread for it does without.
    drop(thread::Builder::new().spawn(move || child.wait()));
    true
}

/// Tells if there is a display; over SSH, macOS and Windows have one that nobody sits in front of.
fn has_display(set: &dyn Fn(&str) -> bool) -> bool {
    let elsewhere = cfg!(any(target_os = "macos", windows)) && !set("SSH_CONNECTION");
    elsewhere || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// The system's own way to open what has an address, with the words in front of that.
const fn opener() -> (&'static str, &'static [&'static str]) {
    if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(any(target_os = "macos", windows)))]
    fn a_display_is_one_of_x11_or_of_wayland() {
        assert!(has_display(&|name| name == "DISPLAY") && has_display(&|name| name == "WAYLAND_DISPLAY"));
        assert!(!has_display(&|name| name == "SSH_CONNECTION"));
    }

    #[test]
    fn nothing_is_opened_where_nobody_reads_the_output() {
        // Tests are read by what runs them; where a person does so at a terminal there is nothing to see here.
        assert!(io::stdout().is_terminal() || !open("http://127.0.0.1:1/"));
    }
}
