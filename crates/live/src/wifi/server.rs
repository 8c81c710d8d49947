//! The server: TUN devices, the clock and [`Link`] in one loop, on one thread.

use std::io;
use std::os::fd::AsFd;

use airtime_core::{Duration, Instant};
use airtime_wifi::network::End;
use rustix::event::{PollFd, PollFlags};

use super::link::Link;
use crate::clock::Clock;
use crate::ip::Namespaces;
use crate::server::Stopper;
use crate::server::stop::Stop;
use crate::sleep::{TIME_MAX, sleep, wake_up_exactly};
use crate::system::{SystemError, Tun};

/// Longest sleep: somebody may have set back the clock of a suspended machine.
const REST_MAX: Duration = Duration::from_secs(60);

/// Room for the largest packet of a TUN device, whatever somebody sets its MTU to.
const PACKET_MAX: usize = 65_536;

/// The ends, in the order of their namespaces.
pub(super) const ENDS: [End; 2] = [End::Host, End::Far];

/// A pipeline whose ends have devices. It stays on the thread that has made it; [`stopper`](Self::stopper) reaches it from others.
pub struct Server {
    clock: Clock,
    link: Link,
    devices: [Tun; 2],
    /// Packets that a device did not take.
    refused: [u64; 2],
    stop: Stop,
    buffer: Vec<u8>,
    // Behind the devices: those go first.
    namespaces: Namespaces,
}

impl Server {
    /// Gives the ends of `link` their devices. Time starts now; nothing moves before [`run`](Self::run).
    ///
    /// # Errors
    /// When a device cannot be made.
    pub fn open(mut namespaces: Namespaces, link: impl FnOnce() -> Link) -> Result<Self, SystemError> {
        let devices = [namespaces.open(0)?, namespaces.open(1)?];
        let stop = Stop::new().map_err(SystemError::file("make", "a socket pair"))?;
        let buffer = vec![0; PACKET_MAX];
        Ok(Self { clock: Clock::start(), link: link(), devices, refused: [0; 2], stop, buffer, namespaces })
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// The pipeline.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Namespaces where the devices are.
    pub fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }

    /// Packets that the device of the end with this number did not take.
    pub fn refused(&self, end: usize) -> u64 {
        self.refused[end] + self.link.overflow(ENDS[end])
    }

    /// Serves until it is stopped, or for `time` of the wall clock.
    ///
    /// # Errors
    /// When the system refuses to wait, or a device is lost.
    pub fn run(&mut self, time: Option<Duration>) -> io::Result<()> {
        wake_up_exactly();
        let end = time.map(|time| self.clock.now() + time.min(TIME_MAX));
        let mut rest = Duration::ZERO;
        loop {
            let ready = self.wait(rest)?;
            let wall = self.clock.now();
            if self.stop.is_asked() || end.is_some_and(|end| end <= wall) {
                // The books are of all the time, however long nothing has been due.
                self.link.catch_up(|| wall);
                return Ok(());
            }
            rest = self.turn(ready, wall)?;
            rest = rest.min(end.map_or(Duration::MAX, |end| end.saturating_since(self.clock.now())));
        }
    }

    /// Sleeps for `rest`, or until a device has a packet: which devices have.
    fn wait(&self, rest: Duration) -> io::Result<[bool; 2]> {
        let mut fds = vec![PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN)];
        let mut of = vec![];
        for (end, device) in self.devices.iter().enumerate() {
            // A device that may not be read is not waited for either.
            if self.link.has_room(ENDS[end]) {
                fds.push(PollFd::from_borrowed_fd(device.as_fd(), PollFlags::IN));
                of.push(end);
            }
        }
        let mut ready = [false; 2];
        if sleep(&mut fds, rest.min(REST_MAX))? {
            for (fd, end) in fds[1..].iter().zip(&of) {
                ready[*end] = !fd.revents().is_empty();
            }
        }
        Ok(ready)
    }

    /// One turn; says how long nothing is to do.
    fn turn(&mut self, ready: [bool; 2], wall: Instant) -> io::Result<Duration> {
        for end in (0..2).filter(|end| ready[*end]) {
            while self.link.has_room(ENDS[end])
                && let Some(octets) = self.devices[end].read(&mut self.buffer)?
            {
                self.link.receive(ENDS[end], wall, &self.buffer[..octets]);
            }
        }
        let clock = self.clock;
        let done = self.link.catch_up(|| clock.now());
        for (end, (device, refused)) in ENDS.iter().zip(self.devices.iter().zip(&mut self.refused)) {
            // What the device does not take is lost.
            while let Some(packet) = self.link.outgoing(*end) {
                *refused += u64::from(!device.write(&packet)?);
            }
        }
        if !done {
            return Ok(Duration::ZERO);
        }
        let due = self.link.pacer().next_due();
        Ok(due.map_or(Duration::MAX, |due| due.saturating_since(clock.now())))
    }
}
