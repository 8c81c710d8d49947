//! One endpoint's door: it listens, has at most one host, and reads and writes for it.

use std::os::fd::BorrowedFd;

use airtime_core::{Duration, Instant};
use airtime_system::sleep::{LEFT, sleep};
use rustix::event::PollFd;
use rustix::io::Errno;

use super::bind::Listener;
use super::error::BindError;
use super::spare::{Spare, is_exhausted};
use crate::ble::place::Place;
use crate::ble::radios::Radios;
use crate::ble::stream::{Duplex, waits};

/// Octets read from a host in one turn.
const READ_OCTETS: usize = 4_096;

/// Time that a door stays shut after the system has refused to let a host in, for lack of descriptors for instance.
/// *Assumed.*
const SHUT_FOR: Duration = Duration::from_secs(1);

/// One endpoint's door.
pub struct Port {
    listener: Listener,
    stream: Option<Box<dyn Duplex>>,
    /// Until when nobody is let in, after the system has refused to.
    shut_until: Option<Instant>,
}

impl Port {
    /// Opens the door at `place`.
    pub fn open(place: &Place, allow_remote: bool) -> Result<Self, BindError> {
        Ok(Self { listener: Listener::open(place, allow_remote)?, stream: None, shut_until: None })
    }

    /// Address of the port.
    pub fn address(&self) -> String {
        self.listener.address()
    }

    /// Descriptor to wait on for somebody to come.
    pub fn listener(&self) -> Option<BorrowedFd<'_>> {
        self.listener.fd().filter(|_| self.shut_until.is_none())
    }

    /// True if nobody is there, and nothing will tell when somebody comes.
    pub fn must_be_looked_at(&self) -> bool {
        self.shut_until.is_some() || self.stream.is_none() && self.listener.is_silent()
    }

    /// Descriptor to wait on for octets.
    pub fn stream(&self) -> Option<BorrowedFd<'_>> {
        self.stream.as_ref().map(|stream| stream.as_fd())
    }

    /// Lets a host in, if one `knocks`, with a descriptor to turn him away; a second one is.
    pub fn admit(
        &mut self,
        device: usize,
        knocks: Option<&mut Spare>,
        radios: &mut Radios,
        wall: Instant,
        says: &mut dyn FnMut(&str),
    ) {
        self.shut_until = self.shut_until.filter(|until| wall < *until);
        if self.shut_until.is_some() || knocks.is_none() && !self.listener.is_silent() {
            return;
        }
        let stream = match self.listener.accept() {
            Ok(Some(stream)) => stream,
            Ok(None) => return,
            Err(error) if is_exhausted(&error) && self.turns_away(knocks) => {
                return says(&format!("{}: a host was turned away: {error}", self.address()));
            }
            Err(error) => {
                // Whoever has knocked still does; without a pause the system would be asked for ever.
                self.shut_until = Some(wall + SHUT_FOR);
                return says(&format!("{}: cannot let a host in: {error}", self.address()));
            }
        };
        // Whoever closes and comes back at once must not be in his own way.
        if self.stream.as_ref().is_some_and(|stream| has_left(stream.as_fd())) {
            self.close(device, radios, "has gone", says);
        }
        if self.stream.is_some() {
            return says(&format!("{}: a second host was turned away", self.address()));
        }
        self.stream = Some(stream);
        radios.plug(device);
        says(&format!("{}: a host is there", self.address()));
    }

    /// Lets a host in that there is no descriptor for, and out at once; false where that is impossible.
    fn turns_away(&mut self, spare: Option<&mut Spare>) -> bool {
        // A terminal is not knocked at.
        let Some(spare) = spare.filter(|_| !self.listener.is_silent()) else { return false };
        spare.lent(|| self.listener.accept().is_ok_and(|stream| stream.is_some()))
    }

    /// Reads once, as much as a turn takes.
    pub fn read(&mut self, device: usize, radios: &mut Radios, wall: Instant, says: &mut dyn FnMut(&str)) {
        let Some(stream) = &mut self.stream else { return };
        if !radios.endpoint(device).is_some_and(|endpoint| endpoint.has_room()) {
            // Nothing was asked for, so this is the end of the stream.
            return self.close(device, radios, "has gone", says);
        }
        let mut bytes = [0; READ_OCTETS];
        match stream.read(&mut bytes) {
            Ok(0) => self.close(device, radios, "has gone", says),
            Ok(octets) => radios.receive(device, wall, &bytes[..octets]),
            Err(error) if waits(&error) => {}
            // This is how the last one who closes a terminal is missed.
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => {
                self.close(device, radios, "has gone", says);
            }
            Err(error) => self.close(device, radios, &format!("is lost: {error}"), says),
        }
    }

    /// There was nothing to read: of a terminal, whose opener may be another one by now, a packet is not waited for without end. Streams lose
    /// nothing, and theirs may come late.
    pub fn hears_nothing(&mut self, device: usize, radios: &mut Radios, wall: Instant) {
        if self.waits_for_the_rest(device, radios)
            && let Some(endpoint) = radios.endpoint(device)
        {
            endpoint.hears_nothing(wall);
        }
    }

    /// True if the rest of a packet may never come, and nothing will tell.
    pub fn waits_for_the_rest(&self, device: usize, radios: &mut Radios) -> bool {
        self.listener.is_silent()
            && self.stream.is_some()
            && radios.endpoint(device).is_some_and(|endpoint| endpoint.has_room() && endpoint.is_within_packet())
    }

    /// Writes what waits for the host, as much as it takes.
    pub fn write(&mut self, device: usize, radios: &mut Radios, says: &mut dyn FnMut(&str)) {
        let Some(stream) = &mut self.stream else { return };
        while let Some(endpoint) = radios.endpoint(device).filter(|endpoint| !endpoint.outgoing().is_empty()) {
            match stream.write(endpoint.outgoing()) {
                Ok(octets) => radios.sent(device, octets),
                Err(error) if waits(&error) => break,
                Err(error) => return self.close(device, radios, &format!("is lost: {error}"), says),
            }
        }
        if radios.endpoint(device).is_some_and(|endpoint| endpoint.is_choked()) {
            self.close(device, radios, "does not read and is disconnected", says);
        }
    }

    fn close(&mut self, device: usize, radios: &mut Radios, why: &str, says: &mut dyn FnMut(&str)) {
        self.stream = None;
        self.listener.left();
        radios.unplug(device);
        says(&format!("{}: the host {why}", self.address()));
    }
}

fn has_left(stream: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::from_borrowed_fd(stream, LEFT)];
    sleep(&mut fds, Duration::ZERO).is_ok() && fds[0].revents().intersects(LEFT)
}
