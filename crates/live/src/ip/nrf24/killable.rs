//! A host that can be killed: its program is gone, and its chips stay as it has left them.

use airtime_core::Instant;
use airtime_nrf24::host::{Host, HostOutput};

/// One end of the link: a host, or none.
#[derive(Debug)]
pub enum Killable<H> {
    /// Its program runs.
    Up(H),
    /// Nothing runs; packets for it are lost and interrupts find nobody.
    Down,
}

impl<H> Killable<H> {
    /// True while its program runs.
    pub fn is_up(&self) -> bool {
        matches!(self, Self::Up(_))
    }

    /// The host, if it runs.
    pub fn host(&self) -> Option<&H> {
        match self {
            Self::Up(host) => Some(host),
            Self::Down => None,
        }
    }

    fn host_mut(&mut self) -> Option<&mut H> {
        match self {
            Self::Up(host) => Some(host),
            Self::Down => None,
        }
    }
}

impl<H: Host> Host for Killable<H> {
    fn wake(&mut self, now: Instant) {
        if let Some(host) = self.host_mut() {
            host.wake(now);
        }
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        if let Some(host) = self.host_mut() {
            host.irq(now, radio, asserted);
        }
    }

    fn packet(&mut self, now: Instant, packet: &[u8]) {
        if let Some(host) = self.host_mut() {
            host.packet(now, packet);
        }
    }

    fn poll(&mut self, now: Instant) -> Option<HostOutput> {
        self.host_mut()?.poll(now)
    }

    fn is_quiet(&self) -> bool {
        self.host().is_none_or(Host::is_quiet)
    }

    fn watched(&mut self, watched: bool) {
        if let Some(host) = self.host_mut() {
            host.watched(watched);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.host()?.deadline()
    }
}
