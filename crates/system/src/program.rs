//! A program of somebody else's that runs beside this one: bounded in time, and ended with all that it has started.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use airtime_core::{Duration, Instant};
use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::clock::Clock;
use crate::sleep::sleep;
use crate::stop::Stop;

/// Time in which a program that is asked to end may do so. *Assumed*: a probe lets go of its chip in a fraction of it.
const GRACE: Duration = Duration::from_secs(2);

/// A program that runs. One that is dropped is ended.
#[derive(Debug)]
pub struct Program {
    child: Child,
    /// Can be read once the program has ended. pidfd_open(2).
    end: OwnedFd,
    status: Option<ExitStatus>,
}

/// End of a wait for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It has ended by itself, like this.
    Exited(ExitStatus),
    /// It was ended, for somebody has asked to stop.
    Stopped,
    /// It was ended, for its time was over.
    Late,
}

impl Program {
    /// Starts `words`, a program and its arguments, in `folder`, with nothing to read, and as a group of its own: Ctrl-C at the terminal does not
    /// reach it, so that whoever has started it ends it in good order.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn start(words: &[String], folder: &Path, stdout: Stdio, stderr: Stdio) -> io::Result<Self> {
        let (name, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(name);
        command.args(arguments).current_dir(folder).process_group(0);
        let child = command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn()?;
        let end = pidfd_open(Pid::from_child(&child), PidfdFlags::empty());
        match end {
            Ok(end) => Ok(Self { child, end, status: None }),
            Err(error) => {
                let mut child = child;
                let _ = child.kill().and_then(|()| child.wait());
                Err(error.into())
            }
        }
    }

    /// Standard output of it, where that is a pipe; the first time alone.
    pub fn output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits for its end, for `limit` at most, and ends it where that is over or somebody asks `stop`.
    ///
    /// # Errors
    /// When the system refuses to wait.
    pub fn wait(&mut self, limit: Duration, stop: &Stop) -> io::Result<Ended> {
        if let Some(status) = self.status {
            return Ok(Ended::Exited(status));
        }
        match self.is_over(limit, Some(stop))? {
            true => self.reap().map(Ended::Exited),
            false => {
                self.end();
                Ok(if stop.is_asked() { Ended::Stopped } else { Ended::Late })
            }
        }
    }

    /// Ends it, and what it has started: asked first, and made to behind a while.
    pub fn end(&mut self) {
        if self.status.is_some() {
            return;
        }
        // Nobody has waited for it yet, so that its number, and that of its group, is still its own.
        let group = Pid::from_child(&self.child);
        let _ = kill_process_group(group, Signal::TERM);
        let _ = self.is_over(GRACE, None);
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.reap();
    }

    /// Tells if it has ended by itself within `limit`, unless `stop` was asked before.
    fn is_over(&self, limit: Duration, stop: Option<&Stop>) -> io::Result<bool> {
        let clock = Clock::start();
        let until = Instant::ZERO + limit;
        loop {
            let mut fds = vec![PollFd::new(&self.end, PollFlags::IN)];
            fds.extend(stop.map(|stop| PollFd::from_borrowed_fd(stop.as_fd(), PollFlags::IN)));
            let rest = until.saturating_since(clock.now());
            sleep(&mut fds, rest)?;
            if fds[0].revents().contains(PollFlags::IN) {
                return Ok(true);
            }
            if rest.is_zero() || stop.is_some_and(Stop::is_asked) {
                return Ok(false);
            }
        }
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait()?;
        self.status = Some(status);
        Ok(status)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Program {
        let words = ["sh", "-c", script].map(str::to_owned);
        Program::start(&words, Path::new("/"), Stdio::piped(), Stdio::null()).unwrap()
    }

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn a_program_ends_by_itself_by_its_time_or_when_somebody_asks() {
        let stop = Stop::new().unwrap();
        let ended = shell("exit 3").wait(HOUR, &stop).unwrap();
        assert!(matches!(ended, Ended::Exited(status) if status.code() == Some(3)));
        assert_eq!(shell("sleep 3600").wait(Duration::from_millis(1), &stop).unwrap(), Ended::Late);
        stop.stopper().stop();
        assert_eq!(shell("sleep 3600").wait(HOUR, &stop).unwrap(), Ended::Stopped);
        let none = ["/nowhere/program".to_owned()];
        assert!(Program::start(&none, Path::new("/"), Stdio::null(), Stdio::null()).is_err());
    }

    #[test]
    fn what_a_program_has_started_ends_with_it() {
        use std::io::Read as _;
        // Both hold the pipe: it comes to its end when both have gone.
        let mut program = shell("sleep 3600 & echo begun; sleep 3600");
        let mut output = program.output().unwrap();
        let mut begun = [0; 6];
        output.read_exact(&mut begun).unwrap();
        drop(program);
        assert_eq!(output.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}
