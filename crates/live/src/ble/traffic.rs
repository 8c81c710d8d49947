//! Traffic across one HCI: counts, and the time the host takes to use a buffer that has come free.

use std::collections::BTreeMap;

use airtime_ble::controller::CONNECTIONS_MAX;
use airtime_ble::hci::{Acl, H4, PB_CONTINUING, event, opcode};
use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::l2cap::{ATT_CHANNEL, BASIC_HEADER_OCTETS, DYNAMIC_CHANNELS};
use airtime_ble::ledger::l2cap::value;
use airtime_ble::ll::pdu::{LLID_CONTINUATION, LLID_START};
use airtime_ble_link::credits::Credits;
use airtime_core::Instant;
use airtime_core::bytes::Reader;

use crate::figures::Spans;

/// Traffic across one HCI since the start of the server.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Hosts that have come.
    pub clients: u64,
    /// Octets from hosts.
    pub bytes_in: u64,
    /// Octets to hosts, as far as they were taken.
    pub bytes_out: u64,
    /// Packets from hosts.
    pub packets_in: u64,
    /// Packets to hosts.
    pub packets_out: u64,
    /// Commands from hosts.
    pub commands: u64,
    /// ACL packets from hosts.
    pub acl_in: u64,
    /// ACL packets to hosts.
    pub acl_out: u64,
    /// Number of packets from hosts that are none for a controller.
    pub malformed: u64,
    /// Ends of connections that hosts were told of, by reason.
    pub disconnects: BTreeMap<u8, u64>,
    /// From handing out what the host waited for to the arrival of its next ACL packet: a Number Of Completed Packets, when every
    /// ACL buffer of the controller was in use or its stream had run out there, or a credit, when it had none.
    pub host_latency: Spans,
    buffers: Buffers,
    links: BTreeMap<ConnHandle, Credits>,
    /// The last ACL packet of the host was of a stream.
    streams: bool,
}

/// The host's end and its peer's, in [`Credits`].
const HOST: usize = 0;
const PEER: usize = 1;

/// The ACL buffers of a controller, as its host may count them.
#[derive(Clone, Debug, Default)]
struct Buffers {
    count: u64,
    /// Buffers in use by each connection; none for a handle without one.
    in_use: [Option<u64>; CONNECTIONS_MAX],
    /// A buffer that is free again and that the host was waiting for.
    freed: Option<Freed>,
}

/// End of a wait of the host.
#[derive(Clone, Copy, Debug)]
struct Freed {
    since: Instant,
    /// Only the stream ran out: another packet does not go on with it, and tells nothing of the host's time.
    of_stream: bool,
}

impl Traffic {
    /// Nothing has crossed yet to a controller with `acl_count` buffers.
    pub fn new(acl_count: u8) -> Self {
        Self {
            clients: 0,
            bytes_in: 0,
            bytes_out: 0,
            packets_in: 0,
            packets_out: 0,
            commands: 0,
            acl_in: 0,
            acl_out: 0,
            malformed: 0,
            disconnects: BTreeMap::new(),
            host_latency: Spans::new(),
            buffers: Buffers { count: acl_count.into(), ..Buffers::default() },
            links: BTreeMap::new(),
            streams: false,
        }
    }

    /// Reason that nothing of connection `handle` is with the controller, as far as it shows: the host has no credit left, or
    /// it is late.
    pub fn starved(&self, handle: ConnHandle) -> Starved {
        if self.has_credits(handle) { Starved::Unseen } else { Starved::Credits }
    }

    /// False if the host has channels on `handle` and no credit for any.
    fn has_credits(&self, handle: ConnHandle) -> bool {
        self.credits(handle) != Some(0)
    }

    /// Credits of the host on `handle`, the most of any channel; none without one.
    fn credits(&self, handle: ConnHandle) -> Option<u64> {
        self.links.get(&handle).and_then(|credits| credits.left(PEER))
    }

    /// The rest of a packet from the host has not come.
    pub fn broken_off(&mut self) {
        self.malformed += 1;
    }

    /// The controller has lost power, and its connections and buffers with it.
    pub fn power_off(&mut self) {
        self.buffers = Buffers { count: self.buffers.count, ..Buffers::default() };
        (self.links, self.streams) = (BTreeMap::new(), false);
    }

    /// A packet goes from the host to its controller.
    pub fn from_host(&mut self, now: Instant, packet: &[u8]) {
        self.packets_in += 1;
        match H4::parse(packet) {
            Ok(H4::Command { opcode, .. }) => {
                self.commands += 1;
                if opcode == opcode::RESET {
                    self.power_off();
                }
            }
            Ok(H4::Acl(acl)) => {
                self.acl_in += 1;
                let goes_on = acl.boundary == PB_CONTINUING || is_of_stream(acl.data);
                if let Some(freed) = self.buffers.freed.take().filter(|freed| goes_on || !freed.of_stream) {
                    self.host_latency.record(now.saturating_since(freed.since));
                }
                self.buffers.fill(acl.handle);
                self.follow(HOST, &acl);
            }
            Ok(H4::Event { .. }) | Err(_) => self.malformed += 1,
        }
    }

    /// A packet goes from the controller to its host.
    pub fn to_host(&mut self, now: Instant, packet: &[u8]) {
        self.packets_out += 1;
        match H4::parse(packet) {
            Ok(H4::Acl(acl)) => {
                self.acl_out += 1;
                let had_none = self.credits(acl.handle) == Some(0);
                self.follow(PEER, &acl);
                // The end of a channel gives no credit.
                if had_none && self.credits(acl.handle).is_some_and(|left| left > 0) && !self.buffers.are_full() {
                    self.buffers.freed = Some(Freed { since: now, of_stream: false });
                }
            }
            Ok(H4::Event { code, params }) => {
                // The controller's own events are whole; one that is not counts for nothing.
                let _ = self.event(now, code, &mut Reader::new(params));
            }
            Ok(H4::Command { .. }) | Err(_) => {}
        }
    }

    /// Layouts are those of Core 6.0, Vol 4, Part E, 7.7.5, 7.7.19 and 7.7.65.
    fn event(&mut self, now: Instant, code: u8, r: &mut Reader<'_>) -> Option<()> {
        match code {
            event::DISCONNECTION_COMPLETE if r.u8()? == 0 => {
                let handle = r.u16()?;
                self.buffers.close(handle);
                self.links.remove(&handle);
                *self.disconnects.entry(r.u8()?).or_default() += 1;
            }
            event::NUMBER_OF_COMPLETED_PACKETS => {
                let was_full = self.buffers.are_full();
                let (mut waits, mut of_stream) = (false, true);
                for _ in 0..r.u8()? {
                    let handle = r.u16()?;
                    self.buffers.free(handle, r.u16()?.into());
                    let ran_out = self.streams && self.buffers.is_empty(handle) && self.buffers.freed.is_none();
                    // Without a credit it waits for that, and from then on.
                    waits |= (was_full || ran_out) && self.has_credits(handle);
                    of_stream &= !was_full;
                }
                if waits && !self.buffers.are_full() {
                    self.buffers.freed = Some(Freed { since: now, of_stream });
                }
            }
            event::LE_META if is_connection(r.u8()?) && r.u8()? == 0 => self.buffers.open(r.u16()?),
            _ => {}
        }
        Some(())
    }

    /// Follows the credits of a connection, and the host's stream.
    fn follow(&mut self, from: usize, acl: &Acl<'_>) {
        // A handle without a connection is nobody's.
        if self.buffers.slot(acl.handle).is_none_or(|slot| slot.is_none()) {
            return;
        }
        let starts = acl.boundary != PB_CONTINUING;
        let llid = if starts { LLID_START } else { LLID_CONTINUATION };
        self.links.entry(acl.handle).or_default().fragment(from, llid, acl.data, &mut |_| {});
        if from == HOST && starts {
            self.streams = is_of_stream(acl.data);
        }
    }
}

/// Tells if a PDU is a K-frame, or carries a value of a stream.
fn is_of_stream(pdu: &[u8]) -> bool {
    let mut r = Reader::new(pdu);
    match (r.u16(), r.u16()) {
        (Some(_), Some(ATT_CHANNEL)) => value(pdu.get(BASIC_HEADER_OCTETS..).unwrap_or_default()).is_some(),
        (Some(_), Some(cid)) => DYNAMIC_CHANNELS.contains(&cid),
        _ => false,
    }
}

/// LE Connection Complete, and LE Enhanced Connection Complete in both versions.
/// Core 6.0, Vol 4, Part E, 7.7.65.1 and 7.7.65.10.
fn is_connection(subevent: u8) -> bool {
    [0x01, 0x0a, 0x29].contains(&subevent)
}

impl Buffers {
    fn are_full(&self) -> bool {
        self.in_use.iter().flatten().sum::<u64>() >= self.count
    }

    fn is_empty(&self, handle: u16) -> bool {
        self.in_use.get(usize::from(handle)).is_some_and(|in_use| *in_use == Some(0))
    }

    fn slot(&mut self, handle: u16) -> Option<&mut Option<u64>> {
        self.in_use.get_mut(usize::from(handle))
    }

    fn open(&mut self, handle: u16) {
        if let Some(slot) = self.slot(handle) {
            *slot = Some(0);
        }
    }

    fn close(&mut self, handle: u16) {
        if let Some(slot) = self.slot(handle) {
            *slot = None;
        }
        self.freed = None;
    }

    /// A packet that finds no buffer takes none: the controller refuses it.
    fn fill(&mut self, handle: u16) {
        let full = self.are_full();
        if let Some(Some(in_use)) = self.slot(handle).filter(|_| !full) {
            *in_use += 1;
        }
    }

    fn free(&mut self, handle: u16, packets: u64) {
        if let Some(Some(in_use)) = self.slot(handle) {
            *in_use = in_use.saturating_sub(packets);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: u64) -> Instant {
        Instant::from_nanos(us * 1_000)
    }

    const CONNECTED: &[u8] = &[0x04, 0x3e, 19, 0x01, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 42, 0, 0];
    const ACL: &[u8] = &[0x02, 1, 0, 1, 0, 9];
    const COMPLETED: &[u8] = &[0x04, 0x13, 5, 1, 1, 0, 1, 0];

    #[test]
    fn a_host_that_waited_for_a_buffer_is_timed() {
        let mut traffic = Traffic::new(2);
        traffic.to_host(at(0), CONNECTED);
        traffic.from_host(at(1), ACL);
        traffic.to_host(at(2), COMPLETED);
        traffic.from_host(at(900), ACL);
        assert_eq!(traffic.host_latency.summary(), None, "it had a buffer left and did not wait");
        traffic.from_host(at(901), ACL);
        traffic.to_host(at(1_000), COMPLETED);
        traffic.to_host(at(1_100), COMPLETED);
        traffic.from_host(at(1_300), ACL);
        traffic.from_host(at(1_301), ACL);
        let found = traffic.host_latency.summary().unwrap();
        assert_eq!(found.count, 1, "from the first buffer to the first packet");
        assert!((found.mean_us - 300.0).abs() < 5.0, "{found:?}");
    }

    /// A channel whose ends call it 0x40 and 0x41, with as many credits for the host.
    fn channel(traffic: &mut Traffic, credits: u8) {
        let request = [0x02, 1, 0, 18, 0, 14, 0, 5, 0, 0x14, 1, 10, 0, 0x80, 0, 0x40, 0, 0xec, 1, 247, 0, 10, 0];
        let response = [0x02, 1, 0x20, 18, 0, 14, 0, 5, 0, 0x15, 1, 10, 0, 0x41, 0, 0xec, 1, 247, 0, credits, 0, 0, 0];
        traffic.to_host(at(0), CONNECTED);
        traffic.from_host(at(1), &request);
        traffic.to_host(at(2), COMPLETED);
        traffic.to_host(at(3), &response);
    }

    const K_FRAME: &[u8] = &[0x02, 1, 0, 7, 0, 3, 0, 0x41, 0, 1, 0, 9];
    const CREDIT: &[u8] = &[0x02, 1, 0x20, 12, 0, 8, 0, 5, 0, 0x16, 2, 4, 0, 0x41, 0, 1, 0];

    #[test]
    fn a_host_without_credits_waits_for_them_and_is_timed_from_then_on() {
        let mut traffic = Traffic::new(3);
        channel(&mut traffic, 1);
        assert_eq!(traffic.starved(1), Starved::Unseen);
        traffic.from_host(at(10), K_FRAME);
        assert_eq!(traffic.starved(1), Starved::Credits);
        traffic.to_host(at(100), COMPLETED);
        // What it says meanwhile is no answer to anything.
        traffic.from_host(at(5_000), CREDIT);
        assert_eq!(traffic.host_latency.summary(), None);
        traffic.to_host(at(29_000), CREDIT);
        assert_eq!(traffic.starved(1), Starved::Unseen);
        traffic.from_host(at(29_150), K_FRAME);
        let found = traffic.host_latency.summary().unwrap();
        assert!(found.count == 1 && (found.mean_us - 150.0).abs() < 5.0, "{found:?}");
    }

    #[test]
    fn a_host_whose_stream_runs_out_is_timed_though_it_fills_no_buffers() {
        let mut traffic = Traffic::new(24);
        channel(&mut traffic, 200);
        traffic.from_host(at(10), K_FRAME);
        traffic.to_host(at(1_000), COMPLETED);
        traffic.from_host(at(11_000), K_FRAME);
        let found = traffic.host_latency.summary().unwrap();
        assert!(found.count == 1 && (found.mean_us - 10_000.0).abs() < 100.0, "{found:?}");
    }

    #[test]
    fn the_buffers_of_a_lost_connection_are_free() {
        let mut traffic = Traffic::new(1);
        traffic.to_host(at(0), CONNECTED);
        traffic.from_host(at(1), ACL);
        assert!(traffic.buffers.are_full());
        traffic.to_host(at(2), &[0x04, 0x05, 4, 0, 1, 0, 0x08]);
        assert!(!traffic.buffers.are_full());
        assert_eq!(traffic.disconnects, BTreeMap::from([(0x08, 1)]));
        traffic.from_host(at(3), ACL);
        assert!(!traffic.buffers.are_full(), "data for no connection takes no buffer");
    }

    #[test]
    fn packets_are_counted_by_what_they_are() {
        let mut traffic = Traffic::new(1);
        for packet in [&[0x01, 0x03, 0x0c, 0][..], ACL, &[0x77], &[0x04, 0x10, 1, 0]] {
            traffic.from_host(at(0), packet);
        }
        let Traffic { packets_in, commands, acl_in, malformed, .. } = traffic;
        assert_eq!((packets_in, commands, acl_in, malformed), (4, 1, 1, 2));
    }
}
