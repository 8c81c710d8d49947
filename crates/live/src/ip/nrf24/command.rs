//! Commands for a live link while it goes on, a line each: `kill a`, `start a`, `restart b`.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::str::FromStr;

use crate::ip::ENDS;

/// Longest line that is kept; none that means something is as long.
const LINE_MAX: usize = 64;

/// Command for one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Its program and its device go, at once.
    Kill(usize),
    /// Its program starts again, with a new device.
    Start(usize),
    /// Both, one after the other.
    Restart(usize),
}

/// A line that is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCommand(String);

impl fmt::Display for UnknownCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no command: expected kill, start or restart, and a or b", self.0)
    }
}

impl std::error::Error for UnknownCommand {}

impl FromStr for Command {
    type Err = UnknownCommand;

    fn from_str(line: &str) -> Result<Self, UnknownCommand> {
        let mut words = line.split_whitespace();
        let (verb, end) = (words.next(), words.next());
        let end = ENDS.iter().position(|name| Some(*name) == end).filter(|_| words.next().is_none());
        match (verb, end) {
            (Some("kill"), Some(end)) => Ok(Self::Kill(end)),
            (Some("start"), Some(end)) => Ok(Self::Start(end)),
            (Some("restart"), Some(end)) => Ok(Self::Restart(end)),
            _ => Err(UnknownCommand(line.trim().to_owned())),
        }
    }
}

/// A stream of commands.
#[derive(Debug)]
pub struct Commands {
    file: File,
    line: Vec<u8>,
    lines: VecDeque<String>,
}

impl Commands {
    /// Commands that come on standard input.
    ///
    /// # Errors
    /// When there is none.
    pub fn stdin() -> io::Result<Self> {
        // Not through the library's own buffer: what waits there, nothing tells of.
        Ok(Self::new(File::from(io::stdin().as_fd().try_clone_to_owned()?)))
    }

    /// Commands that come from `file`.
    pub fn new(file: File) -> Self {
        Self { file, line: Vec::new(), lines: VecDeque::new() }
    }

    /// Reads once, what is there; false at the end of the stream. Waits when nothing is there.
    pub fn read(&mut self) -> bool {
        let mut octets = [0; 256];
        let read = match self.file.read(&mut octets) {
            Ok(read) => read,
            Err(error) => return error.kind() == io::ErrorKind::Interrupted,
        };
        for octet in &octets[..read] {
            if *octet == b'\n' {
                self.lines.push_back(String::from_utf8_lossy(&self.line).into_owned());
                self.line.clear();
            } else if self.line.len() < LINE_MAX {
                self.line.push(*octet);
            }
        }
        read > 0
    }

    /// The next command that was read.
    pub fn command(&mut self) -> Option<Result<Command, UnknownCommand>> {
        self.lines.pop_front().map(|line| line.parse())
    }
}

impl AsFd for Commands {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn commands_come_in_lines_however_they_are_cut() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut commands = Commands::new(File::from(OwnedFd::from(ours)));
        for part in [&b"kill a\nsta"[..], b"rt  a\nrestart b\r\n"] {
            theirs.write_all(part).unwrap();
            assert!(commands.read());
        }
        theirs.write_all(&b"x".repeat(200)).unwrap();
        theirs.write_all(b"\nkill c\nkill a b\n\n").unwrap();
        drop(theirs);
        while commands.read() {}
        let found: Vec<_> = std::iter::from_fn(|| commands.command()).collect();
        assert_eq!(found[..3], [Ok(Command::Kill(0)), Ok(Command::Start(0)), Ok(Command::Restart(1))]);
        assert_eq!(found[3], Err(UnknownCommand("x".repeat(LINE_MAX))));
        assert_eq!(found[4].as_ref().unwrap_err().to_string().split(':').next(), Some("`kill c` is no command"));
        assert!(found[5].is_err() && found[6].is_err() && found.len() == 7);
    }
}
