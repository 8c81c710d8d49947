//! One connection of an HCI log, followed packet by packet.

use alloc::vec::Vec;

use airtime_ble::air::{DATA_OCTETS_MIN, Phy, T_IFS};
use airtime_ble::hci::heard::{Change, Terms};
use airtime_ble::hci::{PB_CONTINUING, PB_FIRST_NON_FLUSHABLE};
use airtime_ble::ledger::l2cap::Kind;
use airtime_ble::ll::pdu::{LLID_CONTINUATION, LLID_START};
use airtime_core::{Duration, Instant};

use super::lane::{Lane, Wait};
use super::queue::Queue;
use crate::l2cap::L2cap;

/// Intervals that are reported: of more the first ones and the last.
pub(super) const INTERVALS_MAX: usize = 32;
/// Channel of ATT. Core 6.0, Vol 3, Part A, 2.1.
const CID_ATT: u16 = 0x0004;
/// Channels of BR/EDR alone: signalling, connectionless data, AMP.
const CIDS_CLASSIC: core::ops::RangeInclusive<u16> = 1..=3;
/// Requests and indications of ATT that are answered, and the answers. Core 6.0, Vol 3, Part F, 3.4.
const ATT_ASKS: [u8; 10] = [0x02, 0x04, 0x06, 0x08, 0x0a, 0x0c, 0x0e, 0x10, 0x12, 0x16];
const ATT_EXECUTE: u8 = 0x18;
const ATT_INDICATION: u8 = 0x1d;
const ATT_CONFIRMATION: u8 = 0x1e;
/// Index of this host in pairs, and of the other device.
pub(super) const OWN: usize = 0;
pub(super) const PEER: usize = 1;

/// A connection that is followed.
#[derive(Debug)]
pub(super) struct LoggedLink {
    pub handle: u16,
    /// Terms of its beginning, if the log has that.
    pub start: Option<Terms>,
    /// Intervals used, oldest first, with the times they were reported at.
    pub intervals: Vec<(Instant, Duration)>,
    pub latency: u16,
    pub timeout: Option<Duration>,
    /// PHY of what is sent and received, once it was reported.
    pub phy: Option<[Phy; 2]>,
    /// Octets and µs of what is sent and received, once they were reported.
    pub data_length: Option<[u16; 4]>,
    pub frame_space: Option<Duration>,
    pub subrate: Option<u16>,
    pub encrypted: bool,
    pub l2cap: L2cap,
    pub lanes: [Lane; 2],
    pub queue: Queue,
    /// Set if its packets show that it is no connection of LE.
    pub classic: bool,
    /// ACL packets of both directions.
    pub packets: u64,
    /// Packets cut by the log's writer.
    pub cut: u64,
    /// Sides that wait for an answer of ATT.
    asked: [bool; 2],
    /// The host sent the last packet that began an L2CAP PDU.
    began_own: bool,
    now: Instant,
    whole: Vec<u8>,
}

impl LoggedLink {
    /// A connection that begins, or is met in the middle.
    pub fn new(handle: u16, start: Option<Terms>, now: Instant) -> Self {
        Self {
            handle,
            intervals: start.iter().map(|start| (now, start.interval)).collect(),
            latency: start.as_ref().map_or(0, |start| start.latency),
            timeout: start.as_ref().map(|start| start.timeout),
            start,
            phy: None,
            data_length: None,
            frame_space: None,
            subrate: None,
            encrypted: false,
            l2cap: L2cap::default(),
            lanes: Default::default(),
            queue: Queue::default(),
            classic: false,
            packets: 0,
            cut: 0,
            asked: [false; 2],
            began_own: false,
            now,
            whole: Vec::new(),
        }
    }

    /// The interval in use, once it was reported.
    pub fn interval(&self) -> Option<Duration> {
        self.intervals.last().map(|(_, interval)| *interval)
    }

    /// Packets of it that the controller holds.
    pub fn held(&self) -> u64 {
        self.queue.len()
    }

    /// The controller has reported a change.
    pub fn change(&mut self, now: Instant, change: Change) {
        match change {
            Change::Interval { interval, latency, timeout } => {
                (self.latency, self.timeout) = (latency, Some(timeout));
                if self.interval() != Some(interval) {
                    self.intervals.truncate(INTERVALS_MAX - 1);
                    self.intervals.push((now, interval));
                }
            }
            Change::DataLength(lengths) => self.data_length = Some(lengths),
            Change::Phy(phy) => self.phy = Some(phy),
            Change::Encrypted(on) => self.encrypted = on,
            Change::FrameSpace(space) => self.frame_space = Some(space),
            Change::Subrate(factor, _) => self.subrate = Some(factor),
        }
    }

    /// Books the time until `now`; `full` if the controller had no buffer left.
    pub fn advance(&mut self, now: Instant, full: bool) {
        let passed = now.saturating_since(self.now);
        self.now = now;
        let waits = [OWN, PEER].map(|side| self.wait(side, full));
        for (lane, wait) in self.lanes.iter_mut().zip(waits) {
            lane.waited(passed, wait);
        }
    }

    /// Reason that a side's stream does not go on at this moment.
    fn wait(&self, side: usize, full: bool) -> Wait {
        match side {
            OWN if full && self.queue.len() > 0 => Wait::Full,
            _ if self.asked[side] => Wait::Answer,
            _ if self.l2cap.is_out_of_credits(side) => Wait::Credits,
            OWN if self.queue.len() > 0 => Wait::Held,
            _ => Wait::Nothing,
        }
    }

    /// Sender of a packet, of a log that does not say it: the host alone begins with one flag, the controller with the other.
    /// Core 6.0, Vol 4, Part E, 5.4.2.
    pub const fn told_by(&self, boundary: u16) -> bool {
        match boundary {
            PB_FIRST_NON_FLUSHABLE => true,
            PB_CONTINUING => self.began_own,
            _ => false,
        }
    }

    /// The controller is done with packets: the stream went on until now, if any was of it.
    pub fn completed(&mut self, now: Instant, count: u16) {
        if self.queue.pop(now, count) {
            self.lanes[OWN].goes_on(now);
        }
    }

    /// An ACL packet of `octets`, of which `payload` is in the log.
    pub fn acl(&mut self, now: Instant, from_host: bool, boundary: u16, payload: &[u8], octets: usize) {
        let from = if from_host { OWN } else { PEER };
        let mut whole = core::mem::take(&mut self.whole);
        whole.clear();
        whole.extend_from_slice(payload);
        whole.resize(octets, 0);
        self.packets += 1;
        self.cut += u64::from(payload.len() < octets);
        let llid = if boundary == PB_CONTINUING { LLID_CONTINUATION } else { LLID_START };
        if llid == LLID_START {
            self.began_own = from_host;
            self.begins(from, payload);
        }
        let kind = self.l2cap.take(from, llid, &whole);
        if let Kind::Data { payload, .. } = kind {
            let air = self.air(from, octets);
            self.lanes[from].data(now, octets, payload, air);
        }
        // A host has the credits once it has the packet that grants them.
        (0..2).for_each(|side| self.l2cap.channels.begin(side));
        self.whole = whole;
        if from_host {
            self.queue.push(now, matches!(kind, Kind::Data { .. }));
        }
    }

    /// Looks at the header of an L2CAP PDU, and at the opcode of ATT behind it.
    fn begins(&mut self, from: usize, payload: &[u8]) {
        let &[_, _, a, b, ref rest @ ..] = payload else { return };
        let cid = u16::from_le_bytes([a, b]);
        self.classic |= self.start.is_none() && CIDS_CLASSIC.contains(&cid);
        if cid != CID_ATT {
            return;
        }
        match rest.first() {
            Some(&opcode) if ATT_ASKS.contains(&opcode) || matches!(opcode, ATT_EXECUTE | ATT_INDICATION) => {
                self.asked[from] = true;
            }
            // Responses are the odd numbers below the notification, and the confirmation.
            Some(&opcode) if (opcode < 0x1b && opcode % 2 == 1) || opcode == ATT_CONFIRMATION => {
                self.asked[1 - from] = false;
            }
            _ => {}
        }
    }

    /// The least time that the air needs for a packet of `octets`: each PDU, a gap, an empty answer, and a gap.
    fn air(&self, from: usize, octets: usize) -> Duration {
        let phy = self.phy.unwrap_or([Phy::Le1M; 2]);
        let space = self.frame_space.unwrap_or(T_IFS);
        let most = self.data_octets(from).unwrap_or(DATA_OCTETS_MIN).max(1).into();
        let pdu = |octets: usize| phy[from].data_pdu(octets as u64, self.encrypted);
        let rest = octets % most;
        let data = pdu(most) * (octets / most) as u64 + if rest > 0 { pdu(rest) } else { Duration::ZERO };
        data + (phy[1 - from].data_pdu(0, false) + space * 2) * octets.div_ceil(most) as u64
    }

    /// Octets of the longest PDU that a side sends, where the log has it: 27 until a change is reported.
    pub fn data_octets(&self, from: usize) -> Option<u16> {
        match self.data_length {
            Some(lengths) => Some(lengths[2 * from]),
            None => self.start.as_ref().map(|_| DATA_OCTETS_MIN),
        }
    }
}
