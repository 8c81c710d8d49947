//! A step that is one command: carried out within its time, with what it said kept.

use std::fs::{self, File};
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use airtime_core::Duration;
use airtime_lab::run::quoted;
use airtime_system::program::{Ended, Program};
use airtime_system::stop::Stop;

use super::file::Board;
use crate::exit::Failure;

/// Lines of a program that failed which are shown.
const SHOWN: usize = 5;

/// A command of a board.
pub struct Step<'a> {
    /// Name of the step, such as `flash`.
    pub name: &'static str,
    /// The board.
    pub board: &'a Board,
    /// The command.
    pub command: &'a [String],
    /// Folder that it runs in.
    pub folder: &'a Path,
    /// File for what it says.
    pub said: &'a Path,
}

impl Step<'_> {
    /// Carries the step out, within `limit`; false if somebody has stopped it.
    ///
    /// # Errors
    /// When the program is not there, fails, or is not done in time.
    pub fn carry_out(&self, limit: Duration, stop: &Stop) -> Result<bool, Failure> {
        let said = created(self.said)?;
        let errors = said.try_clone().map_err(|source| Failure::Open { path: self.said.to_owned(), source })?;
        let mut program = self.start(said.into(), errors.into())?;
        match program.wait(limit, stop).map_err(waits)? {
            Ended::Exited(status) if status.success() => Ok(true),
            Ended::Exited(status) => Err(self.failed(&ended(status))),
            Ended::Stopped => Ok(false),
            Ended::Late => {
                Err(self.failed(&format!("is not done after {limit}, and was ended (`limit` of the bench is longer)")))
            }
        }
    }

    /// Starts its program.
    ///
    /// # Errors
    /// When it is not there.
    pub fn start(&self, stdout: Stdio, stderr: Stdio) -> Result<Program, Failure> {
        Program::start(self.command, self.folder, stdout, stderr).map_err(|error| {
            let (name, board) = (self.name, self.board);
            let program = self.command.first().map_or("", String::as_str);
            let remedy = match program {
                "probe-rs" => "`cargo install probe-rs-tools` installs it".to_owned(),
                _ => format!("`{name}` of the board at {} names it", board.place),
            };
            Failure::Machine(format!("{}-{name}: cannot run `{program}`: {error}; {remedy}", board.role))
        })
    }

    /// The failure of a program that `did` this.
    pub fn failed(&self, did: &str) -> Failure {
        let lines = last_lines(self.said);
        let said = if lines.is_empty() { "it said nothing".to_owned() } else { format!("it said last:\n{lines}") };
        Failure::Machine(format!(
            "{}-{}: `{}` {did}; all that it said is in `{}`. Once that is mended, the same call goes on here; {said}",
            self.board.role,
            self.name,
            self.command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
            self.said.display(),
        ))
    }
}

/// Way in which a program has failed, behind its name.
pub fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => format!("was ended ({status})"),
    }
}

/// An empty file at `path`.
pub fn created(path: &Path) -> Result<File, Failure> {
    File::create(path).map_err(|source| Failure::Open { path: path.to_owned(), source })
}

pub fn waits(error: std::io::Error) -> Failure {
    Failure::Machine(format!("cannot wait for a program: {error}"))
}

/// The last lines of a file, each with an indent.
pub fn last_lines(path: &Path) -> String {
    let octets = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&octets);
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(SHOWN)..]
        .iter()
        .map(|line| format!("  {}", line.trim_end()))
        .collect::<Vec<_>>()
        .join("\n")
}
