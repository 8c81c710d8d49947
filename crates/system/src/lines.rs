//! Lines of a stream as they come: a pipe, or a serial console.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};

use rustix::event::{PollFd, PollFlags};

use crate::sleep::{REST_MAX, sleep};
use crate::stop::Stop;

/// Octets of a line at most; a longer one is cut there. *Assumed*: a console that is read at a wrong rate has no lines at all.
const LINE_MAX: usize = 1 << 16;

/// Octets that are taken at a time.
const PIECE: usize = 4_096;

/// The lines of a stream.
#[derive(Debug)]
pub struct Lines {
    stream: File,
    octets: Vec<u8>,
    ended: bool,
}

/// Next thing that comes of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line, with its end; of the last one the end may be missing.
    Line(Vec<u8>),
    /// Nothing comes any more.
    Ended,
    /// Somebody has asked to stop. A line that was under way is not told.
    Stopped,
}

impl Lines {
    /// The lines of `stream`, which can be waited for.
    pub fn of(stream: File) -> Self {
        Self { stream, octets: Vec::new(), ended: false }
    }

    /// Waits for the next line, until anybody asks one of `stops`.
    ///
    /// # Errors
    /// When the system refuses to wait.
    pub fn next(&mut self, stops: &[&Stop]) -> io::Result<Heard> {
        loop {
            if let Some(line) = self.line() {
                return Ok(Heard::Line(line));
            }
            if self.ended {
                return Ok(Heard::Ended);
            }
            let mut fds = vec![PollFd::new(&self.stream, PollFlags::IN)];
            fds.extend(stops.iter().map(|stop| PollFd::new(*stop, PollFlags::IN)));
            sleep(&mut fds, REST_MAX)?;
            let is_ready = !fds[0].revents().is_empty();
            drop(fds);
            if stops.iter().any(|stop| stop.is_asked()) {
                return Ok(Heard::Stopped);
            }
            if is_ready {
                self.take();
            }
        }
    }

    /// A line of those that have come.
    fn line(&mut self) -> Option<Vec<u8>> {
        let end = self.octets.iter().position(|octet| *octet == b'\n').map(|at| at + 1);
        let rest = (self.ended && !self.octets.is_empty()) || self.octets.len() >= LINE_MAX;
        let end = end.or(rest.then_some(self.octets.len()))?;
        Some(self.octets.drain(..end).collect())
    }

    fn take(&mut self) {
        let mut piece = [0; PIECE];
        match self.stream.read(&mut piece) {
            Ok(0) => self.ended = true,
            Ok(count) => self.octets.extend_from_slice(&piece[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            // A console that was pulled out says so by an error.
            Err(_) => self.ended = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn lines_come_whole_and_the_last_one_as_it_is() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut lines = Lines::of(File::from(OwnedFd::from(ours)));
        let stop = Stop::new().unwrap();
        theirs.write_all(b"one\r\ntwo\nth").unwrap();
        let line = |text: &str| Heard::Line(text.as_bytes().to_vec());
        assert_eq!(lines.next(&[&stop]).unwrap(), line("one\r\n"));
        assert_eq!(lines.next(&[&stop]).unwrap(), line("two\n"));
        theirs.write_all(&vec![b'x'; LINE_MAX]).unwrap();
        drop(theirs);
        let Heard::Line(long) = lines.next(&[&stop]).unwrap() else { panic!("a line") };
        assert!(long.starts_with(b"thx") && long.len() >= LINE_MAX);
        while let Heard::Line(rest) = lines.next(&[&stop]).unwrap() {
            assert!(rest.iter().all(|octet| *octet == b'x'));
        }
        assert_eq!(lines.next(&[&stop]).unwrap(), Heard::Ended);
    }

    #[test]
    fn who_is_asked_to_stop_tells_no_half_line() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut lines = Lines::of(File::from(OwnedFd::from(ours)));
        let (stop, over) = (Stop::new().unwrap(), Stop::new().unwrap());
        theirs.write_all(b"link 0 second 7: 11").unwrap();
        over.stopper().stop();
        assert_eq!(lines.next(&[&stop, &over]).unwrap(), Heard::Stopped);
    }
}
