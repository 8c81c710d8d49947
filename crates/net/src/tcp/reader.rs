//! The application that reads a stream.

use airtime_core::Instant;
use smoltcp::socket::tcp::Socket;

use crate::payload::is_pattern;
use crate::watch::{Event, Watch};

/// Reads whatever there is at once, and compares it with what was written.
#[derive(Clone, Debug)]
pub struct Reader {
    flow: u16,
    read: u64,
    damaged: u64,
    finished: bool,
    last_arrival: Option<Instant>,
}

impl Reader {
    pub(super) fn new(flow: u16) -> Self {
        Self { flow, read: 0, damaged: 0, finished: false, last_arrival: None }
    }

    /// Port that it listens on.
    pub fn flow(&self) -> u16 {
        self.flow
    }

    /// Octets that arrived, in order.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Octets in stretches that are not what was written.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// True once the writer has closed the stream and everything before has arrived.
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// Instant at which octets last arrived.
    pub fn last_arrival(&self) -> Option<Instant> {
        self.last_arrival
    }

    /// Reads what there is at `now`.
    pub(super) fn run(&mut self, now: Instant, socket: &mut Socket<'_>, watch: &mut impl Watch) {
        while socket.can_recv() {
            let taken = socket.recv(|octets| {
                self.take(now, octets, watch);
                (octets.len(), octets.len())
            });
            if !taken.is_ok_and(|octets| octets > 0) {
                break;
            }
        }
        let closed_by_peer = socket.is_active() && !socket.may_recv() && socket.may_send();
        if closed_by_peer {
            socket.close();
            if !self.finished {
                self.finished = true;
                watch.event(now, Event::Finished { flow: self.flow });
            }
        }
    }

    fn take(&mut self, now: Instant, octets: &[u8], watch: &mut impl Watch) {
        let (flow, len) = (self.flow, octets.len());
        watch.octets(flow, octets);
        if !is_pattern(self.read, octets) {
            self.damaged += len as u64;
            watch.event(now, Event::Damaged { flow, octets: len });
        }
        self.read += len as u64;
        self.last_arrival = Some(now);
        watch.event(now, Event::Read { flow, octets: len });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::pattern;

    #[test]
    fn octets_that_were_not_written_are_damaged() {
        let mut reader = Reader::new(1);
        let mut octets = [0; 20];
        pattern(0, &mut octets);
        reader.take(Instant::ZERO, &octets[..10], &mut ());
        // Ten octets too early.
        reader.take(Instant::ZERO, &octets[..10], &mut ());
        assert_eq!((reader.read(), reader.damaged()), (20, 10));
    }
}
