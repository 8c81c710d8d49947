//! Link of the timeline: all that is known of one connection.

use airtime_ble::air::{HEADER_OCTETS, MIC_OCTETS};
use airtime_ble::host::Role;
use airtime_ble::ledger::l2cap::{Kind, Parsers};
use airtime_ble::ll::pdu::{DataHeader, LLID_CONTROL};
use airtime_ble::medium::Transmission;
use airtime_ble::trace::Verdict;
use airtime_capture::Sink;
use airtime_capture::perfetto::{Track, Writer};
use airtime_core::Instant;

use super::stall::{Closing, Skips};
use crate::credits::Credits;

/// Index of an end in pairs: the central's is 0.
pub(super) const fn side(role: Role) -> usize {
    match role {
        Role::Central => 0,
        Role::Peripheral => 1,
    }
}

/// A connection, its ends by [`side`].
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub access_address: u32,
    pub ends: [Option<End>; 2],
    /// Counter and anchor of the event that opened last.
    pub anchor: Option<(u16, Instant)>,
    /// Counter of the last packet's event, and its end.
    pub last: Option<(u16, Instant)>,
    pub skips: Skips,
    pub credits: Credits,
    parsers: Parsers,
}

impl Link {
    pub fn new(access_address: u32) -> Self {
        Self {
            access_address,
            ends: [None, None],
            anchor: None,
            last: None,
            skips: Skips::default(),
            credits: Credits::default(),
            parsers: Parsers::default(),
        }
    }

    /// End of the event that was closed so: that of its last packet, or the instant behind it at which its end gave it
    /// up.
    pub fn ended(&self, closing: &Closing) -> Instant {
        let last = self.last.filter(|(counter, _)| *counter == closing.counter);
        last.map_or(closing.at, |(_, end)| closing.at.max(end))
    }

    /// Content of a new PDU; `from` sent it.
    pub fn classify(&mut self, from: usize, header: DataHeader, payload: &[u8]) -> Kind {
        if payload.is_empty() {
            Kind::Empty
        } else if header.llid == LLID_CONTROL {
            Kind::Control
        } else {
            self.parsers.fragment(from, header.llid, payload)
        }
    }
}

/// Header and payload without MIC of a packet that was new to its receiver.
pub(super) fn new_pdu(sent: &Transmission, verdict: Verdict) -> Option<(DataHeader, &[u8])> {
    let (header, payload) = DataHeader::parse(&sent.packet).filter(|_| verdict == Verdict::New)?;
    let sealed = sent.encrypted && !payload.is_empty();
    let clear = payload.len().saturating_sub(if sealed { MIC_OCTETS as usize } else { 0 });
    Some((header, &payload[..clear]))
}

/// Octets of payload and MIC.
pub(super) fn octets(sent: &Transmission) -> u64 {
    (sent.packet.len() as u64).saturating_sub(HEADER_OCTETS)
}

/// One end of a connection and its tracks, in the order in which they are shown.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub device: usize,
    pub handle: u16,
    pub closing: Option<Closing>,
    /// Anchors of the first event behind the last one that the link does not use, and of the next one that it does.
    pub unused: Option<(Instant, Instant)>,
    /// ACL packets in the controller.
    pub queued: u64,
    pub events: Track,
    pub stalls: Track,
    pub pdus: Track,
    pub queue: Track,
    group: Track,
    /// Credits this end may spend, by identifier of the peer.
    credits: Vec<(u16, Track)>,
}

impl End {
    pub fn new<S: Sink>(writer: &mut Writer<S>, process: Track, link: u32, role: Role, at: (usize, u16)) -> Self {
        let (device, handle) = at;
        let role = match role {
            Role::Central => "central",
            Role::Peripheral => "peripheral",
        };
        let group = writer.track(process, u32::from(handle), &format!("link {link:#010x}, {role}"));
        Self {
            device,
            handle,
            closing: None,
            unused: None,
            queued: 0,
            events: writer.track(group, 0, "connection events"),
            stalls: writer.track(group, 1, "stalls"),
            pdus: writer.track(group, 2, "PDUs"),
            queue: writer.counter_track(group, 3, "ACL packets in the controller"),
            group,
            credits: Vec::new(),
        }
    }

    /// The counter of the credits for channel `cid` of the peer.
    pub fn credits<S: Sink>(&mut self, writer: &mut Writer<S>, cid: u16) -> Track {
        if let Some((_, track)) = self.credits.iter().find(|(c, _)| *c == cid) {
            return *track;
        }
        let track = writer.counter_track(self.group, 4, &format!("credits for channel {cid:#06x}"));
        self.credits.push((cid, track));
        track
    }
}
