//! A running `airtime live nrf24` or `airtime live wifi`, and programs in its namespaces.

use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, Command};

use libtest_mimic::Failed;
use serde_json::Value;

use crate::command::output;
use crate::program::airtime;
use crate::server::{PATIENCE, Process};

/// Real-time priorities: of what keeps the time of the radios, and of what sends through them.
const CLOCK_FIRST: &str = "50";
const PROGRAMS_NEXT: &str = "40";

/// What starts a program with a real-time priority, with the program behind it. chrt is in util-linux, as `kill` is. What is
/// compared with virtual time are the radios; a machine that is busy elsewhere would be compared as well.
fn prompt(priority: &str) -> Command {
    let mut command = Command::new("chrt");
    command.args(["--fifo", priority]);
    command
}

/// Two namespaces that are joined by two virtual nodes.
pub struct Joined {
    process: Process,
    stdin: ChildStdin,
    /// The namespaces, `a` first.
    pub names: [String; 2],
}

impl Joined {
    /// Nodes of the shipped plan of our tunnel, with these keys changed.
    pub fn start(set: &[(&str, &str)]) -> Result<Self, Failed> {
        Self::with(&["nrf24", "--commands"], set)
    }

    /// The pipeline of an ESP host of the shipped plan, with these keys changed.
    pub fn wifi(set: &[(&str, &str)]) -> Result<Self, Failed> {
        Self::with(&["wifi"], set)
    }

    fn with(link: &[&str], set: &[(&str, &str)]) -> Result<Self, Failed> {
        let mut command = prompt(CLOCK_FIRST);
        command.arg(airtime().get_program()).arg("live").args(link).args(["--netns", "--json"]);
        // A harness that is killed leaves nothing behind for long.
        command.args(["--for", "300s"]);
        for (key, value) in set {
            command.args(["--set", &format!("{key}={value}")]);
        }
        let (process, stdin) = Process::told(&mut command, true)?;
        let mut names = vec![];
        while names.len() < 2 {
            let line = process.line()?;
            if let Some(name) = line.strip_prefix("namespace ") {
                names.push(name.split(' ').next().unwrap_or_default().to_owned());
            }
        }
        let joined = Self { process, stdin, names: [names.remove(0), names.remove(0)] };
        joined.is_up()?;
        Ok(joined)
    }

    /// Waits until packets come back: both ends have greeted each other.
    fn is_up(&self) -> Result<(), Failed> {
        let wait = PATIENCE.as_secs().to_string();
        output(self.within(0, "ping").args(["-c", "1", "-i", "0.2", "-w", &wait, "10.0.0.2"])).map(|_| ())
    }

    /// A program in the namespace of `end`.
    pub fn within(&self, end: usize, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[end], program]);
        command
    }

    /// The same, on time whatever else the machine does: a sender that is late sends in bursts.
    pub fn on_time(&self, end: usize, program: &str) -> Command {
        let mut command = prompt(PROGRAMS_NEXT);
        command.args(["ip", "netns", "exec", &self.names[end], program]);
        command
    }

    /// Kills or starts an end: `kill a`.
    pub fn tell(&mut self, command: &str) -> Result<(), Failed> {
        writeln!(self.stdin, "{command}")?;
        loop {
            let line = self.process.line()?;
            if line.starts_with("end ") {
                let done = line.ends_with("killed") || line.ends_with("started");
                return if done { Ok(()) } else { Err(line.into()) };
            }
        }
    }

    /// Ends it as Ctrl-C does; what it reports.
    pub fn report(self) -> Result<Value, Failed> {
        let text = self.process.interrupt()?;
        gone(&self.names)?;
        serde_json::from_str(&text).map_err(|error| format!("{error}: {text}").into())
    }

    /// Kills the whole of it, which it cannot see coming; the names it leaves behind.
    pub fn kill(self) -> Result<[String; 2], Failed> {
        self.process.kill()?;
        Ok(self.names)
    }
}

/// Whether a namespace has its name.
pub fn exists(name: &str) -> bool {
    Path::new("/run/netns").join(name).exists()
}

/// Fails if one of these namespaces is still there.
pub fn gone(names: &[String]) -> Result<(), Failed> {
    match names.iter().find(|name| exists(name)) {
        Some(name) => Err(format!("the namespace {name} is still there").into()),
        None => Ok(()),
    }
}
