//! One of our own hosts on a controller behind a socket: a server's endpoint, or silicon.

use std::io::{self, ErrorKind};
use std::os::fd::AsFd;

use airtime_ble::network::Station;
use airtime_ble_link::station::StationOutput;
use airtime_core::{Duration, Instant};
use airtime_system::clock::{Clock, TIME_MAX};
use airtime_system::serial;
use airtime_system::sleep::{LEFT, REST_MAX, sleep, wake_up_exactly};
use airtime_system::stop::{Stop, Stopper};
use rustix::event::{PollFd, PollFlags};

use crate::ble::client::{Client, Fault};
use crate::ble::config::PeerConfig;
use crate::ble::host::{Own, Restart};
use crate::ble::place::Place;
use crate::ble::stream::{Duplex, dialled, waits};

/// Octets read from the controller in one turn.
const READ_OCTETS: usize = 4_096;

/// A host in real time.
pub struct Dialled<S = Own> {
    clock: Clock,
    client: Client<S>,
    stream: Box<dyn Duplex>,
    stop: Stop,
}

impl Dialled {
    /// The host of `config` on the controller at `place`, whose power it has from now on.
    ///
    /// # Errors
    /// When nothing answers there.
    pub fn open(config: &PeerConfig, place: &Place) -> io::Result<Self> {
        Self::over(Client::new(config), place)
    }
}

impl<S: Restart + Station<Event = StationOutput>> Dialled<S> {
    /// Client on the controller at `place`, whose power it has from now on.
    ///
    /// # Errors
    /// When nothing answers there.
    pub fn over(client: Client<S>, place: &Place) -> io::Result<Self> {
        let stream = dialled(place, serial::open)?;
        Ok(Self { clock: Clock::start(), client, stream, stop: Stop::new()? })
    }

    /// The client: a host above its controller.
    pub fn client(&self) -> &Client<S> {
        &self.client
    }

    /// Time since the controller was reached.
    pub fn elapsed(&self) -> Duration {
        self.clock.now() - Instant::ZERO
    }

    /// The host, to tell it something.
    pub fn client_mut(&mut self) -> &mut Client<S> {
        &mut self.client
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Runs until it is stopped, or for `time`.
    ///
    /// # Errors
    /// When the controller has gone, does not answer, or makes no sense any more.
    pub fn run(&mut self, time: Option<Duration>) -> io::Result<()> {
        self.run_until(time, |_| false)
    }

    /// Runs until `done` says so of the host, until it is stopped, or for `time`.
    ///
    /// # Errors
    /// When the controller has gone, does not answer, or makes no sense any more.
    pub fn run_until(&mut self, time: Option<Duration>, mut done: impl FnMut(&S) -> bool) -> io::Result<()> {
        wake_up_exactly();
        let end = time.map_or(Instant::FAR_FUTURE, |time| self.clock.now() + time.min(TIME_MAX));
        let mut rest = Duration::ZERO;
        loop {
            let readable = self.wait(rest.min(REST_MAX).min(end.saturating_since(self.clock.now())))?;
            let wall = self.clock.now();
            if self.stop.is_asked() || end <= wall {
                return Ok(());
            }
            rest = self.turn(readable, wall)?;
            if done(self.client.own()) {
                return Ok(());
            }
        }
    }

    fn wait(&mut self, rest: Duration) -> io::Result<bool> {
        let mut flags = PollFlags::IN;
        flags.set(PollFlags::OUT, !self.client.outgoing().is_empty());
        let stream = PollFd::from_borrowed_fd(self.stream.as_fd(), flags);
        let mut fds = [stream, PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN)];
        let whole = sleep(&mut fds, rest)?;
        Ok(whole && fds[0].revents().intersects(PollFlags::IN | LEFT))
    }

    fn turn(&mut self, readable: bool, wall: Instant) -> io::Result<Duration> {
        if readable {
            let mut bytes = [0; READ_OCTETS];
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, "the controller has gone")),
                Ok(octets) => self.client.receive(wall, &bytes[..octets]),
                Err(error) if waits(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let clock = self.clock;
        let done = self.client.catch_up(|| clock.now());
        self.write()?;
        if let Some(fault) = self.client.fault() {
            let kind = match fault {
                Fault::Unanswered => ErrorKind::TimedOut,
                Fault::Nonsense => ErrorKind::InvalidData,
            };
            return Err(io::Error::new(kind, fault));
        }
        let due = self.client.pacer().next_due().filter(|_| done).map(|due| due.saturating_since(clock.now()));
        Ok(due.unwrap_or(if done { Duration::MAX } else { Duration::ZERO }))
    }

    fn write(&mut self) -> io::Result<()> {
        while !self.client.outgoing().is_empty() {
            match self.stream.write(self.client.outgoing()) {
                Ok(octets) => self.client.sent(octets),
                Err(error) if waits(&error) => break,
                Err(error) => return Err(error),
            }
        }
        let choked = self.client.is_choked();
        if choked { Err(io::Error::new(ErrorKind::TimedOut, "the controller does not read")) } else { Ok(()) }
    }
}
