//! Steps of keys whose values worth trying follow from the rest of the scenario.

use airtime_core::Duration;
use airtime_keys::Key;

use super::coc::Coc;
use super::device::Initiator;
use super::gatt::{Gatt, VALUE_HEADER};
use super::host::Acl;
use super::link::{ChangeInterval, Connection, Intervals};
use super::rpc::{Rpc, Transport};
use super::scenario::Scenario;
use airtime_ble::air::DATA_OCTETS_MAX;
use airtime_ble::air::T_IFS;
use airtime_ble::host::ValueMethod;
use airtime_ble::ll::pdu::UNIT_1_25_MS;

/// Lowest value of a key for intervals, which also stands for one that nobody has set.
const NOT_SET: Duration = Duration::from_micros(125);

/// Octets of an L2CAP basic header. Core 6.0, Vol 3, Part A, 3.1.
const L2CAP_HEADER: u64 = 4;

/// Octets of the SDU length in the first K-frame of an SDU. Core 6.0, Vol 3, Part A, 3.4.3.
const SDU_LENGTH: u64 = 2;

impl Scenario {
    /// Values of `key` near `now` that follow from the rest of the scenario: counts, and times in nanoseconds.
    pub fn fitting(&self, key: &Key, now: u64) -> Vec<u64> {
        let is = |other: &Key| key.name == other.name;
        if is(Intervals::CONN_INTERVAL) || is(ChangeInterval::TO) {
            self.near_intervals(now)
        } else if is(Intervals::REQUEST_INTERVAL) {
            // What nobody asked for yet is stepped from the interval at the start.
            let asked = now > NOT_SET.as_nanos() || self.intervals.request_interval.is_some();
            self.near_intervals(if asked { now } else { self.conn_interval().as_nanos() })
        } else if is(Initiator::LINK_SPACING) {
            // Links that share the interval alike.
            vec![self.share() / UNIT_1_25_MS.as_nanos() * UNIT_1_25_MS.as_nanos()]
        } else if is(Connection::FRAME_SPACE) {
            let ends = [&self.central, &self.peripheral];
            let shortest = ends.iter().filter_map(|end| end.controller.frame_space_min).max();
            shortest.into_iter().chain([T_IFS]).map(Duration::as_nanos).collect()
        } else if is(Coc::SDU) {
            self.near_sdus(now)
        } else if is(Coc::MPS) || is(Gatt::MTU) {
            // What fits the PDUs exactly, and what a host without data length extension takes.
            self.near_pdus(now, L2CAP_HEADER)
        } else if is(Gatt::PAYLOAD) {
            self.near_pdus(now, L2CAP_HEADER + u64::from(self.value_header()))
        } else if is(Rpc::FRAME) {
            self.near_frames(now)
        } else if is(Acl::SIZE) {
            // A packet on the air, as it is and as long as one can be.
            vec![u64::from(self.data_length()), u64::from(DATA_OCTETS_MAX)]
        } else {
            Vec::new()
        }
    }

    /// Largest value of `key` that makes sense beside the rest of the scenario.
    pub fn most(&self, key: &Key) -> Option<u64> {
        // Farther apart than that the last link meets the first.
        (key.name == Initiator::LINK_SPACING.name).then(|| self.share())
    }

    /// Nanoseconds of the interval that each of the links has, if all have as much.
    fn share(&self) -> u64 {
        self.conn_interval().as_nanos() / u64::from(self.connection.peripherals)
    }

    /// Octets of ATT in front of a value.
    fn value_header(&self) -> u16 {
        match self.method() {
            ValueMethod::Read => 1,
            // Opcode, handle and offset of each part. Core 6.0, Vol 3, Part F, 3.4.6.1.
            ValueMethod::LongWrite => 5,
            _ => VALUE_HEADER,
        }
    }

    /// Sizes that fill whole PDUs together with `headers`.
    fn near_pdus(&self, now: u64, headers: u64) -> Vec<u64> {
        let pdu = u64::from(self.data_length());
        near(now, |n| (n * pdu).saturating_sub(headers))
    }

    /// Frames of calls that fill whole PDUs: of a characteristic, and of a channel whose K-frames fit them.
    fn near_frames(&self, now: u64) -> Vec<u64> {
        match self.transport() {
            Transport::Gatt => self.near_pdus(now, L2CAP_HEADER + u64::from(VALUE_HEADER)),
            Transport::Coc => {
                let mps = u64::from(self.central.host.coc_mps.min(self.peripheral.host.coc_mps));
                near(now, |n| (n * mps).saturating_sub(SDU_LENGTH))
            }
        }
    }

    /// SDU sizes that fit whole K-frames (`n * MPS - 2`), and such that a K-frame longer than a PDU fits whole PDUs, just
    /// below and above `now`.
    fn near_sdus(&self, now: u64) -> Vec<u64> {
        let mps = u64::from(self.receiver().host.coc_mps);
        let mut found = near(now, |n| (n * mps).saturating_sub(SDU_LENGTH));
        if mps + L2CAP_HEADER > u64::from(self.data_length()) {
            let whole = self.near_pdus(now, L2CAP_HEADER + SDU_LENGTH);
            found.extend(whole.into_iter().filter(|sdu| sdu + SDU_LENGTH <= mps));
        }
        found
    }

    /// The next shorter and longer intervals the central grants, and half and twice as long.
    fn near_intervals(&self, now: u64) -> Vec<u64> {
        let granted = self.central.host.intervals;
        let grid = granted.multiple_of.as_nanos().max(1);
        let shorter = now.saturating_sub(1) / grid * grid;
        let longer = (now / grid + 1) * grid;
        let half = (now / 2).div_ceil(grid) * grid;
        let double = now.saturating_mul(2) / grid * grid;
        let range = granted.min.as_nanos()..=granted.max.as_nanos();
        [shorter, longer, half, double].into_iter().filter(|interval| range.contains(interval)).collect()
    }
}

/// The sizes of a series just below and just above `now`.
fn near(now: u64, series: impl Fn(u64) -> u64) -> Vec<u64> {
    let above = (1..).map(&series).take(3_000).find(|size| *size > now);
    let below = (1..).map(&series).take(3_000).take_while(|size| *size < now).last();
    below.into_iter().chain(above).collect()
}
