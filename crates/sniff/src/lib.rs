//! Explains a real capture of Bluetooth LE: packets of the air in, and for every connection its interval, its terms, the rules and
//! margins that both controllers are consistent with, and the books of its air.
//!
//! Packets come one by one, in the order of their stamps, and are forgotten once they are judged: hours of capture
//! need no more memory than seconds. Each packet is placed in its event by the grid of anchors (the instants at which events
//! begin), judged by the sequence numbers of what answers it, and booked by the same sink that books a run
//! ([`airtime_ble::ledger::Books`]). Where an event ends, what both sides had announced says who stopped, and how
//! much time was left says what rule and margin that fits.
//!
//! What the air does not show stays open and is said: whether a sender without data lacked an application, buffers
//! or a fast host is all booked to `idle.app`; a packet that was not answered and one that was heard too late to be
//! answered look alike, and so do a rule with an empty and one with a full reply while lengths and PHYs stay.
//!
//! An idle connection whose beginning the sniffer has missed: an empty packet and an empty reply every 30 ms.
//!
//! ```
//! use airtime_ble::air::Phy;
//! use airtime_core::{Duration, Instant};
//! use airtime_sniff::{Explainer, Mic, Sniffed, Stamps};
//!
//! let mut explainer = Explainer::new(Stamps::EXACT);
//! for event in 0..50_u64 {
//!     let anchor = Instant::ZERO + Duration::from_millis(30) * event;
//!     // Sequence number and next expected sequence number change with every event. Core 6.0, Vol 6, Part B, 4.5.9.
//!     let (sn, reply_nesn) = (event as u8 & 1, (event as u8 + 1) & 1);
//!     let reply = anchor + Phy::Le1M.packet(0) + Duration::from_micros(150);
//!     for (at, from_central, nesn) in [(anchor, true, sn), (reply, false, reply_nesn)] {
//!         explainer.take(&Sniffed {
//!             at,
//!             link: 0x5065_4e96,
//!             channel: None,
//!             phy: Phy::Le1M,
//!             from_central: Some(from_central),
//!             crc_ok: Some(true),
//!             mic: Mic::None,
//!             readable: true,
//!             pdu: &[0x01 | nesn << 2 | sn << 3, 0],
//!         });
//!     }
//! }
//! let explained = explainer.finish();
//! let link = &explained.links[0];
//! assert_eq!((explained.packets, explained.left_out, link.misplaced), (100, 0, 0));
//! assert!(link.interval_inferred && !link.from_start);
//! assert_eq!(link.intervals[0].interval_ns, 30_000_000);
//! assert!(link.books.as_ref().expect("there is an interval").whole.balances());
//! ```
//!
//! The three types to begin with:
//!
//! - [`Sniffed`]: one packet as a sniffer heard it; [`Stamps`] says how good its clock is
//! - [`Explainer`]: takes the packets
//! - [`Explained`]: every connection that was found, and [`ExplainedLink::says`], what to say of it
//!
//! [`host`] does what can be done with the HCI log of one host.
//!
//! # Features
//!
//! - `serde`: an explanation can be serialised; off unless it is asked for
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod account;
mod air;
mod body;
mod books;
mod bounds;
mod closing;
mod credits;
mod explained;
mod finder;
mod gap;
mod grid;
pub mod host;
mod l2cap;
mod link;
mod nordic_clock;
mod opaque;
mod rules;
mod seen;
mod sentences;
mod sniffed;
mod sniffer;

use alloc::vec::Vec;

use airtime_ble::air::Phy;
pub use airtime_ble::capture::{LINK_TYPE, LINK_TYPE_BARE};
use airtime_ble::ll::pdu::{ADVERTISING_ACCESS_ADDRESS, Advertising, AdvertisingType, ConnectData};
use airtime_ble::ll::pdu::{UNIT_1_25_MS, UNIT_10_MS};
use airtime_core::{Duration, Instant, Pool};

pub use books::{Lengths, LinkBooks, Terms};
pub use explained::{Explained, ExplainedLink, Interval};
use link::{FollowedLink, Start};
pub use rules::{Consistent, RangeEnd, Rule};
pub use sniffed::{Mic, Sniffed, Stamps};
pub use sniffer::{Counted, Sniffer};

/// Connections followed at once; the one silent for longest gives way.
const LINKS_MAX: usize = 32;
/// Connections reported.
const REPORTED_MAX: usize = 256;
/// Packets on an access address before it counts as a connection whose beginning was missed: fewer are noise.
const PACKETS_MIN: u64 = 16;
/// Bits of the type of a PDU in its header, and the type of CONNECT_IND and AUX_CONNECT_REQ. Core 6.0, Vol 6, Part B, 2.3.
const PDU_TYPE: u8 = 0x0f;
const CONNECT_IND: u8 = 0x05;
/// Stamps beyond this, 146 years, are taken for garbage: sums of them would overflow.
const STAMP_MAX: Instant = Instant::from_nanos(u64::MAX / 4);

/// Follows the connections of a capture.
#[derive(Debug)]
pub struct Explainer {
    stamps: Stamps,
    pool: Pool,
    links: Vec<FollowedLink>,
    current: usize,
    /// Anchors and intervals of the other connections of a link's central.
    others: Vec<(Instant, Duration)>,
    over: Vec<ExplainedLink>,
    /// The latest stamp.
    last: Instant,
    packets: u64,
    left_out: u64,
    advertising: u64,
    requests: u64,
}

impl Explainer {
    /// Nothing captured yet.
    pub fn new(stamps: Stamps) -> Self {
        Self {
            stamps,
            pool: Pool::new(),
            links: Vec::new(),
            current: 0,
            others: Vec::new(),
            over: Vec::new(),
            last: Instant::ZERO,
            packets: 0,
            left_out: 0,
            advertising: 0,
            requests: 0,
        }
    }

    /// Takes the next packet; stamps ascend.
    pub fn take(&mut self, packet: &Sniffed<'_>) {
        self.packets += 1;
        if packet.at > STAMP_MAX || packet.pdu.len() < 2 {
            self.left_out += 1;
            return;
        }
        self.last = self.last.max(packet.at);
        if packet.link == ADVERTISING_ACCESS_ADDRESS {
            self.advertising(packet);
        } else {
            let index = self.link(packet);
            self.note_others(index);
            self.links[index].take(packet, &self.others, &self.pool);
        }
    }

    /// Ends the capture and gives its explanation.
    pub fn finish(mut self) -> Explained {
        for link in core::mem::take(&mut self.links) {
            self.report(link);
        }
        let Self { packets, left_out, over: links, advertising, requests, .. } = self;
        Explained { packets, left_out, links, advertising, requests }
    }

    /// Index of the link of a packet, looked up once for all packets in a row.
    fn link(&mut self, packet: &Sniffed<'_>) -> usize {
        if self.links.get(self.current).is_none_or(|link| link.address != packet.link) {
            self.current = match self.links.iter().position(|link| link.address == packet.link) {
                Some(index) => index,
                None => self.add(FollowedLink::new(packet.link, None, packet.at, self.stamps)),
            };
        }
        self.current
    }

    /// Looks up where the other connections of the link's central have their anchors.
    fn note_others(&mut self, index: usize) {
        self.others.clear();
        let central = |link: &FollowedLink| link.start.map(|start| start.central);
        let Some(own) = central(&self.links[index]).filter(|_| self.links.len() > 1) else { return };
        let rivals =
            self.links.iter().enumerate().filter(|(other, link)| *other != index && central(link) == Some(own));
        self.others.extend(rivals.filter_map(|(_, link)| link.anchors()));
    }

    fn add(&mut self, link: FollowedLink) -> usize {
        if self.links.len() >= LINKS_MAX {
            // Noise goes first, then whoever is silent for longest.
            let rank = |link: &FollowedLink| (link.account.is_some() && link.packets >= PACKETS_MIN, link.heard);
            if let Some(index) = (0..self.links.len()).min_by_key(|index| rank(&self.links[*index])) {
                let gone = self.links.swap_remove(index);
                self.report(gone);
            }
        }
        self.links.push(link);
        self.links.len() - 1
    }

    fn report(&mut self, mut link: FollowedLink) {
        link.flush(&self.pool);
        let noise = link.start.is_none() && link.packets < PACKETS_MIN;
        if noise || self.over.len() >= REPORTED_MAX {
            self.left_out += link.packets;
        } else {
            self.over.push(ExplainedLink::of(link, self.last));
        }
    }

    fn advertising(&mut self, packet: &Sniffed<'_>) {
        self.advertising += 1;
        self.requests += u64::from(packet.pdu[0] & PDU_TYPE == CONNECT_IND);
        if packet.crc_ok == Some(false) {
            return;
        }
        let Some(pdu) = Advertising::parse(packet.pdu).filter(|pdu| pdu.kind == AdvertisingType::ConnectInd) else {
            return;
        };
        let Some(data) = ConnectData::parse(pdu.data) else { return };
        let created = packet.at + packet.phy.packet(packet.pdu.len() as u64 - 2);
        let start = Start {
            created,
            central: pdu.sender.octets,
            window_start: created + window_delay(packet) + UNIT_1_25_MS * u64::from(data.win_offset),
            window: UNIT_1_25_MS * u64::from(data.win_size),
            interval: UNIT_1_25_MS * u64::from(data.interval),
            latency: data.latency,
            timeout: UNIT_10_MS * u64::from(data.timeout),
        };
        if let Some(index) = self.links.iter().position(|link| link.address == data.access_address) {
            // The same request as another observer captured it.
            if self.links[index].start.is_some_and(|known| known.created == created) {
                return;
            }
            let gone = self.links.swap_remove(index);
            self.report(gone);
        }
        self.current = self.add(FollowedLink::new(data.access_address, Some(start), packet.at, self.stamps));
    }
}

/// From the end of a CONNECT_IND or AUX_CONNECT_REQ to the transmit window. Core 6.0, Vol 6, Part B, 4.5.3.
fn window_delay(packet: &Sniffed<'_>) -> Duration {
    let auxiliary = packet.channel.is_some_and(|channel| channel < 37) || packet.phy != Phy::Le1M;
    UNIT_1_25_MS
        * if !auxiliary {
            1
        } else if packet.phy.is_coded() {
            3
        } else {
            2
        }
}
