//! The server: TUN devices, the clock and [`Link`] in one loop, on one thread.

use std::io;
use std::os::fd::AsFd;

use airtime_core::{Duration, Instant};
use airtime_nrf24::host::Host;
use rustix::event::{PollFd, PollFlags};

use super::ENDS;
use super::command::{Command, Commands};
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

/// A link whose ends have devices. It stays on the thread that has made it; [`stopper`](Self::stopper) reaches it from
/// others.
pub struct Server<H> {
    clock: Clock,
    link: Link<H>,
    /// The device of each end, while its program runs.
    devices: [Option<Tun>; ENDS.len()],
    /// Packets that a device did not take.
    refused: [u64; ENDS.len()],
    commands: Option<Commands>,
    stop: Stop,
    says: Box<dyn FnMut(&str)>,
    buffer: Vec<u8>,
    // Behind the devices: those go first.
    namespaces: Namespaces,
}

impl<H: Host> Server<H> {
    /// Gives the ends of `link` their devices. Time starts now; nothing moves before [`run`](Self::run).
    ///
    /// # Errors
    /// When a device cannot be made.
    pub fn open(
        mut namespaces: Namespaces,
        link: impl FnOnce() -> Link<H>,
        commands: Option<Commands>,
        says: Box<dyn FnMut(&str)>,
    ) -> Result<Self, SystemError> {
        let devices = [Some(namespaces.open(0)?), Some(namespaces.open(1)?)];
        let stop = Stop::new().map_err(SystemError::file("make", "a socket pair"))?;
        let buffer = vec![0; PACKET_MAX];
        Ok(Self {
            clock: Clock::start(),
            link: link(),
            devices,
            refused: [0; ENDS.len()],
            commands,
            stop,
            says,
            buffer,
            namespaces,
        })
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// The nodes.
    pub fn link(&self) -> &Link<H> {
        &self.link
    }

    /// Namespaces where the devices are.
    pub fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }

    /// Packets out of the tunnel that the device of `end` did not take.
    pub fn refused(&self, end: usize) -> u64 {
        self.refused[end] + self.link.network().above[end].overflow()
    }

    /// Serves until it is stopped, or for `time` of the wall clock.
    ///
    /// # Errors
    /// When the system refuses to wait.
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
            rest = self.turn(ready, wall);
            rest = rest.min(end.map_or(Duration::MAX, |end| end.saturating_since(self.clock.now())));
        }
    }

    /// Sleeps for `rest`, or until a device has a packet or a command has come: which devices have, and whether one has.
    fn wait(&mut self, rest: Duration) -> io::Result<([bool; ENDS.len()], bool)> {
        let mut fds = vec![PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN)];
        let mut of = vec![];
        for (end, device) in self.devices.iter().enumerate() {
            // A device that may not be read is not waited for either.
            if let Some(device) = device.as_ref().filter(|_| self.link.has_room(end)) {
                fds.push(PollFd::from_borrowed_fd(device.as_fd(), PollFlags::IN));
                of.push(end);
            }
        }
        if let Some(commands) = &self.commands {
            fds.push(PollFd::from_borrowed_fd(commands.as_fd(), PollFlags::IN));
        }
        let mut ready = [false; ENDS.len()];
        if !sleep(&mut fds, rest.min(REST_MAX))? {
            return Ok((ready, false));
        }
        for (fd, end) in fds[1..].iter().zip(&of) {
            ready[*end] = !fd.revents().is_empty();
        }
        let told = fds.get(1 + of.len()).is_some_and(|fd| !fd.revents().is_empty());
        Ok((ready, told))
    }

    /// One turn; says how long nothing is to do.
    fn turn(&mut self, (ready, told): ([bool; ENDS.len()], bool), wall: Instant) -> Duration {
        if told {
            self.obey();
        }
        for end in (0..ENDS.len()).filter(|end| ready[*end]) {
            self.read(end, wall);
        }
        let clock = self.clock;
        let done = self.link.catch_up(|| clock.now());
        for end in 0..ENDS.len() {
            self.write(end);
        }
        if !done {
            return Duration::ZERO;
        }
        let due = self.link.pacer().next_due();
        due.map_or(Duration::MAX, |due| due.saturating_since(clock.now()))
    }

    /// Reads all there is: nothing is to stand in the kernel, where no bound of ours counts.
    fn read(&mut self, end: usize, wall: Instant) {
        while self.link.has_room(end)
            && let Some(device) = &self.devices[end]
        {
            match device.read(&mut self.buffer) {
                Ok(Some(octets)) => self.link.receive(end, wall, &self.buffer[..octets]),
                Ok(None) => return,
                Err(error) => return self.lose(end, &error),
            }
        }
    }

    /// Writes what has come out of the tunnel; what the device does not take is lost.
    fn write(&mut self, end: usize) {
        while let Some(packet) = self.link.outgoing(end) {
            match self.devices[end].as_ref().map(|device| device.write(&packet)) {
                Some(Ok(true)) => {}
                Some(Ok(false)) | None => self.refused[end] += 1,
                Some(Err(error)) => self.lose(end, &error),
            }
        }
    }

    /// Somebody has deleted the device: the end is as good as killed.
    fn lose(&mut self, end: usize, error: &io::Error) {
        self.devices[end] = None;
        self.link.kill(end);
        (self.says)(&format!("end {}: its device is lost: {error}", ENDS[end]));
    }

    fn obey(&mut self) {
        let Some(mut commands) = self.commands.take() else { return };
        let goes_on = commands.read();
        while let Some(command) = commands.command() {
            match command {
                Ok(Command::Kill(end)) => self.kill(end),
                Ok(Command::Start(end)) => self.start(end),
                Ok(Command::Restart(end)) => {
                    self.kill(end);
                    self.start(end);
                }
                Err(error) => (self.says)(&error.to_string()),
            }
        }
        self.commands = goes_on.then_some(commands);
    }

    fn kill(&mut self, end: usize) {
        self.devices[end] = None;
        let says = if self.link.kill(end) { "killed" } else { "nothing runs" };
        (self.says)(&format!("end {}: {says}", ENDS[end]));
    }

    fn start(&mut self, end: usize) {
        if self.link.is_up(end) {
            return (self.says)(&format!("end {}: it runs", ENDS[end]));
        }
        match self.namespaces.open(end) {
            Ok(device) => {
                self.devices[end] = Some(device);
                self.link.start(end);
                (self.says)(&format!("end {}: started", ENDS[end]));
            }
            Err(error) => (self.says)(&format!("end {}: {error}", ENDS[end])),
        }
    }
}
