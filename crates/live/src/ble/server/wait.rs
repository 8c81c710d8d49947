//! Ports that have something to be done, and sleeping until one has.

use std::io;
use std::os::fd::AsFd;

use airtime_core::Duration;
use airtime_system::sleep::{LEFT, REST_MAX, sleep};
use airtime_system::stop::Stop;
use rustix::event::{PollFd, PollFlags};

use super::port::Port;
use super::pty::LOOK_EVERY;
use crate::ble::radios::Radios;

/// Ports that have something to be done.
#[derive(Debug, Default)]
pub struct Ready {
    listeners: u64,
    streams: u64,
    whole: bool,
}

impl Ready {
    /// Tells if somebody knocks at port `device`.
    pub fn listener(&self, device: usize) -> bool {
        self.listeners >> device & 1 == 1
    }

    /// True if all ports were looked at: not where a signal has cut the sleep short.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Tells if the stream of port `device` can be read, or has ended.
    pub fn stream(&self, device: usize) -> bool {
        self.streams >> device & 1 == 1
    }
}

/// Sleeps for `rest`, or until a port has something to be done or the server is to stop.
pub fn wait(ports: &[Port], radios: &mut Radios, stop: &Stop, rest: Duration) -> io::Result<Ready> {
    let mut fds = vec![PollFd::from_borrowed_fd(stop.as_fd(), PollFlags::IN)];
    let mut of: Vec<(usize, bool)> = Vec::with_capacity(2 * ports.len());
    for (device, port) in ports.iter().enumerate() {
        if let Some(listener) = port.listener() {
            fds.push(PollFd::from_borrowed_fd(listener, PollFlags::IN));
            of.push((device, false));
        }
        if let (Some(stream), Some(endpoint)) = (port.stream(), radios.endpoint(device)) {
            let mut flags = LEFT;
            flags.set(PollFlags::IN, endpoint.has_room());
            flags.set(PollFlags::OUT, !endpoint.outgoing().is_empty());
            fds.push(PollFd::from_borrowed_fd(stream, flags));
            of.push((device, true));
        }
    }
    let is_broken_off = |(device, port): (usize, &Port)| port.waits_for_the_rest(device, radios);
    let look = ports.iter().any(Port::must_be_looked_at) || ports.iter().enumerate().any(is_broken_off);
    let rest = rest.min(if look { LOOK_EVERY } else { REST_MAX });
    if !sleep(&mut fds, rest)? {
        return Ok(Ready::default());
    }
    let mut ready = Ready { whole: true, ..Ready::default() };
    for (fd, (device, is_stream)) in fds[1..].iter().zip(of) {
        let set = if is_stream { &mut ready.streams } else { &mut ready.listeners };
        let due = fd.revents().intersects(PollFlags::IN | LEFT);
        *set |= u64::from(due) << device;
    }
    Ok(ready)
}
