//! The server: TUN devices, the clock and a link in one loop, on one thread.

use std::io;
use std::os::fd::AsFd;

use airtime_core::{Duration, Instant};
use airtime_system::SystemError;
use airtime_system::clock::{Clock, TIME_MAX};
use airtime_system::sleep::{REST_MAX, sleep, wake_up_exactly};
use airtime_system::stop::{Stop, Stopper};
use rustix::event::{PollFd, PollFlags};

use super::namespaces::{ENDS, Namespaces};
use super::served::Served;

/// Room for the largest packet of a TUN device, whatever somebody sets its MTU to.
const PACKET_MAX: usize = 65_536;

/// A link whose ends have devices. It stays on the thread that has made it; [`stopper`](Self::stopper) reaches it from
/// others.
pub struct Server<L> {
    clock: Clock,
    served: L,
    /// Packets that a device did not take.
    refused: [u64; ENDS.len()],
    stop: Stop,
    buffer: Vec<u8>,
    namespaces: Namespaces,
}

/// Parts that have something to be read.
#[derive(Clone, Copy, Debug, Default)]
struct Ready {
    devices: [bool; ENDS.len()],
    orders: bool,
}

impl<L: Served> Server<L> {
    /// Gives the ends of a link their devices. Time starts now; nothing moves before [`run`](Self::run).
    ///
    /// # Errors
    /// When a device cannot be made.
    pub fn open(mut namespaces: Namespaces, served: impl FnOnce() -> L) -> Result<Self, SystemError> {
        (0..ENDS.len()).try_for_each(|end| namespaces.open(end))?;
        let stop = Stop::new().map_err(SystemError::file("make", "a socket pair"))?;
        let buffer = vec![0; PACKET_MAX];
        Ok(Self { clock: Clock::start(), served: served(), refused: [0; ENDS.len()], stop, buffer, namespaces })
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// The link that it serves.
    pub fn served(&self) -> &L {
        &self.served
    }

    /// Namespaces where the devices are.
    pub fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }

    /// Packets out of the link that the device of `end` did not take.
    pub fn refused(&self, end: usize) -> u64 {
        self.refused[end] + self.served.link().overflow(end)
    }

    /// Serves until it is stopped, or for `time` of the wall clock.
    ///
    /// # Errors
    /// When the system refuses to wait, or a device is lost without which the link cannot go on.
    pub fn run(&mut self, time: Option<Duration>) -> io::Result<()> {
        wake_up_exactly();
        let end = time.map(|time| self.clock.now() + time.min(TIME_MAX));
        let mut rest = Duration::ZERO;
        loop {
            let ready = self.wait(rest)?;
            let wall = self.clock.now();
            if self.stop.is_asked() || end.is_some_and(|end| end <= wall) {
                // The books are of all the time, however long nothing has been due.
                self.served.link_mut().catch_up(|| wall);
                return Ok(());
            }
            rest = self.turn(ready, wall)?;
            rest = rest.min(end.map_or(Duration::MAX, |end| end.saturating_since(self.clock.now())));
        }
    }

    /// Sleeps for `rest`, or until a device has a packet or an order has come.
    fn wait(&self, rest: Duration) -> io::Result<Ready> {
        let mut fds = vec![PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN)];
        let mut of = vec![];
        for end in 0..ENDS.len() {
            // A device that may not be read is not waited for either.
            if let Some(device) = self.namespaces.device(end).filter(|_| self.served.link().has_room(end)) {
                fds.push(PollFd::from_borrowed_fd(device.as_fd(), PollFlags::IN));
                of.push(end);
            }
        }
        fds.extend(self.served.orders().map(|orders| PollFd::from_borrowed_fd(orders, PollFlags::IN)));
        let mut ready = Ready::default();
        if sleep(&mut fds, rest.min(REST_MAX))? {
            for (fd, end) in fds[1..].iter().zip(&of) {
                ready.devices[*end] = !fd.revents().is_empty();
            }
            ready.orders = fds.get(1 + of.len()).is_some_and(|fd| !fd.revents().is_empty());
        }
        Ok(ready)
    }

    /// One turn; says how long nothing is to do.
    fn turn(&mut self, ready: Ready, wall: Instant) -> io::Result<Duration> {
        if ready.orders {
            self.served.obey(&mut self.namespaces);
        }
        for end in (0..ENDS.len()).filter(|end| ready.devices[*end]) {
            self.read(end, wall)?;
        }
        let clock = self.clock;
        let done = self.served.link_mut().catch_up(|| clock.now());
        for end in 0..ENDS.len() {
            self.write(end)?;
        }
        if !done {
            return Ok(Duration::ZERO);
        }
        let due = self.served.link().pacer().next_due();
        Ok(due.map_or(Duration::MAX, |due| due.saturating_since(clock.now())))
    }

    /// Reads all there is: nothing is to stand in the kernel, where no bound of ours counts.
    fn read(&mut self, end: usize, wall: Instant) -> io::Result<()> {
        while self.served.link().has_room(end)
            && let Some(device) = self.namespaces.device(end)
        {
            match device.read(&mut self.buffer) {
                Ok(Some(octets)) => self.served.link_mut().receive(end, wall, &self.buffer[..octets]),
                Ok(None) => break,
                Err(error) => self.lose(end, error)?,
            }
        }
        Ok(())
    }

    /// Writes what has come out of the link; what the device does not take is lost.
    fn write(&mut self, end: usize) -> io::Result<()> {
        while let Some(packet) = self.served.link_mut().outgoing(end) {
            match self.namespaces.device(end).map(|device| device.write(&packet)) {
                Some(Ok(true)) => {}
                Some(Ok(false)) | None => self.refused[end] += 1,
                Some(Err(error)) => self.lose(end, error)?,
            }
        }
        Ok(())
    }

    fn lose(&mut self, end: usize, error: io::Error) -> io::Result<()> {
        self.namespaces.close(end);
        self.served.lost(end, error)
    }
}
