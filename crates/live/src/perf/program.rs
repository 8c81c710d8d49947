//! A program of somebody else: started with its output in files, watched, and ended when its time is over.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_core::Duration;
use thiserror::Error;

use airtime_system::clock::Clock;
use airtime_system::sleep;

/// Interval at which a program is asked if it has ended. *Assumed*: short beside every test, and a hundred thousandth
/// of a processor.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// Reason that a program could not be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// Program that is not installed.
    #[error("{name} is not installed: on Debian and Raspberry Pi OS, apt install {package}")]
    Missing {
        /// Name of the program.
        name: String,
        /// Debian package that it is in.
        package: &'static str,
    },
    /// The system refuses to start it or to look after it.
    #[error("cannot run {name}: {source}")]
    Start {
        /// Name of the program.
        name: String,
        /// Error of the system.
        source: io::Error,
    },
}

/// Manner in which a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Ended by itself, with this status.
    Exited(ExitStatus),
    /// Its time was over, and it was ended.
    TooLong,
    /// Somebody asked to stop, and it was ended.
    Stopped,
}

/// A program that runs; ended when dropped.
#[derive(Debug)]
pub struct Program {
    name: String,
    child: Child,
}

impl Program {
    /// Starts the words of `command`, with standard output in the file `stdout` and standard error in the same name with
    /// `.err` behind it.
    ///
    /// It is in a process group of its own: Ctrl-C at the terminal is for us, and we end it.
    ///
    /// # Errors
    /// When the files cannot be made or the program cannot be started.
    pub fn start(command: &[String], stdout: &Path) -> Result<Self, ProgramError> {
        let name = command[0].clone();
        let refused = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => ProgramError::Missing { name: name.clone(), package: package(&name) },
            _ => ProgramError::Start { name: name.clone(), source },
        };
        let file =
            |path: &Path| File::create(path).map_err(|source| ProgramError::Start { name: name.clone(), source });
        let child = Command::new(&command[0])
            .args(&command[1..])
            // Figures with points, words in English.
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(file(stdout)?)
            .stderr(file(&errors_of(stdout))?)
            .process_group(0)
            .spawn()
            .map_err(refused)?;
        Ok(Self { name, child })
    }

    /// Waits for its end, for at most `limit` or until `stop` is set; what has not ended then is ended.
    ///
    /// # Errors
    /// When the system does not say how it goes.
    pub fn finish(mut self, limit: Duration, stop: &AtomicBool) -> Result<Ended, ProgramError> {
        let clock = Clock::start();
        let fault = |name: &str, source| ProgramError::Start { name: name.to_owned(), source };
        loop {
            if let Some(status) = self.child.try_wait().map_err(|source| fault(&self.name, source))? {
                return Ok(Ended::Exited(status));
            }
            // Dropping it ends it.
            if stop.load(Ordering::SeqCst) {
                return Ok(Ended::Stopped);
            }
            if clock.now().as_nanos() >= limit.as_nanos() {
                return Ok(Ended::TooLong);
            }
            sleep::sleep(&mut [], ASK_EVERY).map_err(|source| fault(&self.name, source))?;
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // One that has ended already needs neither; both say so and nobody minds.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Path for the standard error of a program whose standard output goes to `stdout`.
pub fn errors_of(stdout: &Path) -> std::path::PathBuf {
    let mut name = stdout.as_os_str().to_owned();
    name.push(".err");
    name.into()
}

/// Debian package to install for a program.
fn package(name: &str) -> &'static str {
    match name {
        "ping" => "iputils-ping",
        "ip" => "iproute2",
        _ => "iperf3",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn output_and_errors_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let program = Program::start(&words(&["sh", "-c", "echo figures; echo trouble >&2; exit 3"]), &path).unwrap();
        let Ended::Exited(status) = program.finish(MINUTE, &AtomicBool::new(false)).unwrap() else {
            panic!("ended by itself")
        };
        assert_eq!(status.code(), Some(3));
        assert_eq!(fs::read_to_string(&path).unwrap(), "figures\n");
        assert_eq!(fs::read_to_string(errors_of(&path)).unwrap(), "trouble\n");
    }

    #[test]
    fn what_takes_too_long_or_is_not_wanted_any_more_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        // It never ends by itself: it waits for a pipe that nobody writes into.
        let endless = words(&["tail", "-f", "/dev/null"]);
        let start = || Program::start(&endless, &folder.path().join("out")).unwrap();
        assert_eq!(start().finish(Duration::from_millis(1), &AtomicBool::new(false)).unwrap(), Ended::TooLong);
        assert_eq!(start().finish(MINUTE, &AtomicBool::new(true)).unwrap(), Ended::Stopped);
    }

    #[test]
    fn a_missing_program_is_named_with_its_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let error = Program::start(&words(&["no-such-iperf3"]), &folder.path().join("out")).unwrap_err();
        assert!(error.to_string().contains("no-such-iperf3 is not installed"), "{error}");
    }
}
