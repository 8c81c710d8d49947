//! An image of firmware in the place of the lab's own host.

use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::network::{self, Station};
use airtime_core::{Instant, Pool};
use airtime_interpreted::{Account, Fault, Image, NoImage};

use super::{Negotiated, Overheard, StationOutput};

/// Image that is executed, with what crosses its HCI.
#[derive(Debug)]
pub struct Executed(Overheard<Image<StationOutput>>);

impl Executed {
    /// The image of an ELF after a reset, on a CPU of so many cycles a second.
    ///
    /// # Errors
    /// When `elf` is none of a board that is known.
    pub fn new(elf: &[u8], hertz: u32, pool: Pool) -> Result<Self, NoImage> {
        Ok(Self(Overheard::new(Image::new(elf, hertz, pool)?)))
    }

    /// Account of its CPU's time.
    pub fn account(&self) -> Account {
        self.0.station().account()
    }

    /// Reason for which it goes no further, if it does not.
    pub fn fault(&self) -> Option<Fault> {
        self.0.station().fault()
    }

    pub(super) fn negotiated(&self, link: usize) -> Option<&Negotiated> {
        self.0.negotiated(link)
    }

    pub(super) fn received(&self, link: usize) -> Option<u64> {
        self.0.received(link)
    }
}

impl Station for Executed {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        self.0.wake(now);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.0.hci(now, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<network::StationOutput<StationOutput>> {
        self.0.poll(now)
    }

    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }

    /// While neither buffers nor credits keep it from sending, a CPU that executes does. One that sleeps waits for its own packets to
    /// be sent, where there are any, or has none to send.
    fn starved(&self, conn: ConnHandle) -> Starved {
        match self.0.starved(conn) {
            Starved::Unseen if self.0.station().is_awake() => Starved::LateHost,
            Starved::Unseen if self.0.has_sent(conn) => Starved::InFlight,
            Starved::Unseen => Starved::Application,
            starved => starved,
        }
    }
}
