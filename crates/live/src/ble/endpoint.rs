//! An outside host as a station: the bytes of its stream on one side, H4 packets on the other.
//!
//! Everything that waits is bounded. A host that sends too much is read from later; one that does not
//! read is not read from, and is disconnected when [`OUTGOING_MAX`] wait for it.

use std::collections::VecDeque;

use airtime_ble::hci::ACL_DATA;
use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::network::{Station, StationOutput};
use airtime_core::{Duration, Instant, Packet, Pool};

use crate::ble::event::Event;
use crate::ble::h4::Framer;
use crate::ble::traffic::Traffic;

/// Packets a host can have waiting for its controller. What more has arrived waits in the stream, so a
/// flood of commands gets as many into a turn of the server, and no more.
const INBOX_MAX: usize = 64;

/// With so many octets waiting for a host, nothing is read from it until it has read.
pub const OUTGOING_FULL: usize = 64 << 10;

/// A host that lets so many octets wait is not there any more.
pub const OUTGOING_MAX: usize = 1 << 20;

/// Packets of data that a controller hands over before the stream has taken what it handed over before: RTS of a UART keeps it from more, and
/// its peer is not acknowledged then. Between two turns of the server is 1 ms at most, in which fewer end on the air: one of 27 octets and
/// the empty packet that answers it take 496 us on LE 2M. Core 6.0, Vol 6, Part B, 2.1 and 4.1.1.
pub const LINE_PACKETS: u16 = 8;

/// Silence within a packet after which its rest is not expected any more. *Assumed*: a serial line that carries 10 octets a second is none,
/// and hosts wait longer for the answer to a Reset.
const SILENCE: Duration = Duration::from_secs(1);

/// An outside host's end of an HCI.
#[derive(Debug)]
pub struct Endpoint {
    pool: Pool,
    present: bool,
    framer: Framer,
    /// Since when nothing has come although a packet is not whole.
    silent_since: Option<Instant>,
    /// Packets with the time of their arrival, which is when the controller gets them.
    inbox: VecDeque<(Instant, Packet)>,
    outgoing: VecDeque<u8>,
    /// Packets of data among what waits for the host.
    lined_up: u16,
    traffic: Traffic,
}

impl Endpoint {
    /// An endpoint without a host, on a controller that buffers `acl_count` packets.
    pub fn new(acl_count: u8, pool: Pool) -> Self {
        Self {
            pool,
            present: false,
            framer: Framer::default(),
            silent_since: None,
            inbox: VecDeque::new(),
            outgoing: VecDeque::new(),
            lined_up: 0,
            traffic: Traffic::new(acl_count),
        }
    }

    /// A host has come.
    pub fn plug(&mut self) {
        self.unplug();
        self.present = true;
        self.traffic.clients += 1;
    }

    /// The host has gone: nothing that it has sent or that waits for it is left.
    pub fn unplug(&mut self) {
        self.present = false;
        (self.framer, self.silent_since) = Default::default();
        self.inbox = VecDeque::new();
        (self.outgoing, self.lined_up) = Default::default();
        self.traffic.power_off();
    }

    /// True while a host is there.
    pub fn is_present(&self) -> bool {
        self.present
    }

    /// True if more octets may be given to [`receive`](Self::receive).
    pub fn has_room(&self) -> bool {
        self.present && self.framer.is_hungry() && self.takes_packets()
    }

    /// True if [`refill`](Self::refill) has something to do: octets wait, and there is room for packets.
    pub fn can_refill(&self) -> bool {
        !self.framer.is_hungry() && self.takes_packets()
    }

    fn takes_packets(&self) -> bool {
        self.inbox.len() < INBOX_MAX && self.outgoing.len() < OUTGOING_FULL
    }

    /// Takes in octets that have arrived.
    pub fn receive(&mut self, bytes: &[u8]) {
        self.traffic.bytes_in += bytes.len() as u64;
        self.silent_since = None;
        self.framer.push(bytes);
    }

    /// Nothing had come by `now`, though it would have been read: after a second of that within a packet, the rest of it is somebody
    /// else's, and the next octet begins another one.
    pub fn hears_nothing(&mut self, now: Instant) {
        if !self.framer.is_within_packet() {
            self.silent_since = None;
        } else if now.saturating_since(*self.silent_since.get_or_insert(now)) >= SILENCE {
            self.framer.begin_afresh();
            self.silent_since = None;
            self.traffic.broken_off();
        }
    }

    /// True while the rest of a packet is waited for.
    pub fn is_within_packet(&self) -> bool {
        self.framer.is_within_packet()
    }

    /// Turns octets into packets, as many as there is room for; `at` is when they count as arrived.
    pub fn refill(&mut self, at: Instant) {
        while self.takes_packets() {
            let Some(packet) = self.framer.packet() else { return };
            self.inbox.push_back((at, self.pool.copy(packet)));
        }
    }

    /// The first octets that wait for the host.
    pub fn outgoing(&self) -> &[u8] {
        self.outgoing.as_slices().0
    }

    /// The host has taken the first `octets`; gives the packets of data that went with the last of them, for which the controller has room again.
    #[must_use]
    pub fn sent(&mut self, octets: usize) -> u16 {
        self.outgoing.drain(..octets);
        self.traffic.bytes_out += octets as u64;
        if self.outgoing.is_empty() { std::mem::take(&mut self.lined_up) } else { 0 }
    }

    /// True if the host has not read for too long.
    pub fn is_choked(&self) -> bool {
        self.outgoing.len() >= OUTGOING_MAX
    }

    /// Traffic exchanged with every host so far.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Octets that the endpoint holds: in its framer, its inbox and towards the host.
    pub fn held(&self) -> usize {
        self.framer.waiting() + self.inbox.iter().map(|(_, packet)| packet.len()).sum::<usize>() + self.outgoing.len()
    }
}

impl Station for Endpoint {
    type Event = Event;

    fn wake(&mut self, _now: Instant) {}

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        // An unpowered controller says nothing; what one said just before it lost power is lost too.
        if self.present && !self.is_choked() {
            self.traffic.to_host(now, packet);
            self.outgoing.extend(packet);
            self.lined_up += u16::from(packet.first() == Some(&ACL_DATA));
        }
    }

    fn poll(&mut self, now: Instant) -> Option<StationOutput<Event>> {
        let (_, packet) = self.inbox.pop_front_if(|(at, _)| *at <= now)?;
        self.traffic.from_host(now, &packet);
        Some(StationOutput::Hci(packet))
    }

    fn deadline(&self) -> Option<Instant> {
        self.inbox.front().map(|(at, _)| *at)
    }

    /// Of the needs of an outside host, credits can be seen from here.
    fn starved(&self, handle: ConnHandle) -> Starved {
        self.traffic.starved(handle)
    }
}
