//! Keys of a characteristic.

use airtime_core::units::Bitrate;
use airtime_keys::{Keys, Words};

use super::device::{Device, Stack};
use super::link::Direction;
use super::pacing::{Pacing, VALUE_PACING};
use airtime_ble::host::ValueMethod;
use airtime_ble::personality::WriteOverflow;

/// Largest attribute value. Core 6.0, Vol 3, Part F, 3.2.9.
pub(super) const VALUE_MAX: u16 = 512;

/// Opcode and handle of a notification or a write command. Core 6.0, Vol 3, Part F, 3.4.7.1.
pub(super) const VALUE_HEADER: u16 = 3;

/// Keys of a characteristic.
// Core 6.0, Vol 3, Part F, 3.2.8 and 3.2.9: ATT MTU from 23, values up to 512 octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "gatt")]
pub struct Gatt {
    /// ATT MTU the firmware offers; the smaller of both ends' is used.
    #[key(
        range = 23..=65_535, from = "the smaller of both personalities'", whose = Firmware, steps = [Fitting],
        config = [
            zephyr("CONFIG_BT_L2CAP_TX_MTU", Form::Count), radio("CONFIG_BT_NIMBLE_ATT_PREFERRED_MTU", Form::Count),
            softdevice("NRF_SDH_BLE_GATT_MAX_MTU_SIZE", Form::Count), mynewt("BLE_ATT_PREFERRED_MTU", Form::Count),
        ],
        mechanism = Packet
    )]
    pub mtu: Option<u16>,
    /// Octets per value.
    #[key(
        range = 1..=VALUE_MAX, from = "what fits the MTU by the method: 3 less, of a read 1 less, of a long write 512 whatever it is; at most 512", whose = Sender, steps = [Fitting],
        mechanism = Packet
    )]
    pub payload: Option<u16>,
    /// Method by which values travel: notifications and write commands go one behind the other; write requests, indications, reads and long
    /// writes (prepared and executed) each wait for their answer, one at a time.
    #[key(
        from = "notify for p2c, write-command for c2p, each its own for both", whose = Program, mechanism = Answers
    )]
    pub method: Option<Method>,
    /// Values the application has under way at once; with the pacing `ready`, `retry` or `blind` its stack says how many.
    #[key(range = 1..=255, default = 6, whose = Sender, steps = [Half, Double], mechanism = Underway, way = More)]
    pub in_flight: u8,
    /// Transmit buffers of the sender's stack.
    #[key(
        range = 1..=255, from = "the sender's personality", whose = Sender, steps = [Half, Double],
        config = [
            zephyr("CONFIG_BT_ATT_TX_COUNT", Form::Count), softdevice("NRF_SDH_BLE_HVN_TX_QUEUE_SIZE", Form::Count),
            softdevice("BLE_GATTS_HVN_TX_QUEUE_SIZE", Form::Count),
        ],
        mechanism = Underway, way = More
    )]
    pub tx_buffers: Option<u8>,
    /// Blocks of the pool of which the sender's stack makes values, NimBLE's `msys_1`: one for the ATT header of each, and as many as the value
    /// fills. Of them follows `gatt.tx_buffers`, unless that is given.
    #[key(
        range = 1..=4_096, from = "the sender's personality", whose = Sender, steps = [Double],
        config = [radio("CONFIG_BT_NIMBLE_MSYS_1_BLOCK_COUNT", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub mbufs: Option<u16>,
    /// Octets of each, 16 of which describe it, and 21 more of the first of a value.
    #[key(
        range = 48..=4_096, from = "the sender's personality", whose = Sender, steps = [Double],
        config = [radio("CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub mbuf_octets: Option<u16>,
    /// Pace of the application: it waits until fewer than `gatt.in_flight` are under way (`semaphore`), or until its stack has a transmit
    /// buffer for the next value (`ready`), or sleeps after each value besides; or it gives values until its stack refuses one and sleeps
    /// before it gives that again (`retry`); or it gives a value each so long without a look (`blind`), and those that find every transmit buffer taken wait, are dropped or refused as `write_overflow` of its personality says.
    #[key(kind = VALUE_PACING, default = "semaphore", whose = Sender, mechanism = Handover)]
    pub pacing: Pacing,
    /// Treatment of a value that finds every transmit buffer taken, where the pacing is `blind` or `retry`: the call waits (`waits`), or
    /// the value is gone without a word (`drops`), or the call returns an error (`refuses`), also while the value before it is still on its
    /// way to the stack (`busy`). An application that is blind does not heed it.
    #[key(from = "the sender's personality")]
    pub write_overflow: Option<WriteOverflow>,
    /// Payload that the application offers on each connection, a value at even times; what is late is made up for. Absent: it always has more.
    #[key(mechanism = Offered)]
    pub offered: Option<Bitrate>,
}

/// Method by which values travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Method {
    /// Notifications of the server, which is the peripheral.
    Notify,
    /// Write commands to it.
    WriteCommand,
    /// Write requests to it: each waits for its response.
    WriteRequest,
    /// Indications of the server: each waits for its confirmation.
    Indication,
    /// Reads of its value, one as soon as the one before is answered.
    Read,
    /// Values in prepared writes and their execution: each waits for its response.
    LongWrite,
}

impl Method {
    /// The method of a direction where the plan names none; with both, each way has its own.
    pub const fn of(direction: Direction) -> Option<Self> {
        match direction {
            Direction::PeripheralToCentral => Some(Self::Notify),
            Direction::CentralToPeripheral => Some(Self::WriteCommand),
            Direction::Both => None,
        }
    }

    /// Direction in which values travel by it.
    pub const fn direction(self) -> Direction {
        match self {
            Self::Notify | Self::Indication | Self::Read => Direction::PeripheralToCentral,
            Self::WriteCommand | Self::WriteRequest | Self::LongWrite => Direction::CentralToPeripheral,
        }
    }

    /// Method of the same direction whose values wait for nothing; none of one of those.
    pub const fn unanswered(self) -> Option<Self> {
        match self {
            Self::Notify | Self::WriteCommand => None,
            _ => Self::of(self.direction()),
        }
    }

    /// The method as hosts have it.
    pub const fn values(self) -> ValueMethod {
        match self {
            Self::Notify | Self::WriteCommand => ValueMethod::Unanswered,
            Self::WriteRequest => ValueMethod::WriteRequest,
            Self::Indication => ValueMethod::Indication,
            Self::Read => ValueMethod::Read,
            Self::LongWrite => ValueMethod::LongWrite,
        }
    }

    /// Fewest octets of a value: shorter ones of these opcodes are taken for what is no stream, a configuration, a range of handles or a
    /// PSM.
    pub const fn octets_min(self) -> u16 {
        match self {
            Self::WriteRequest | Self::Read => 3,
            Self::Indication => 5,
            _ => 1,
        }
    }

    /// Name of what waits for an answer, and of the answer.
    pub const fn exchange(self) -> [&'static str; 2] {
        match self {
            Self::Notify => ["notification", "nothing"],
            Self::WriteCommand => ["write command", "nothing"],
            Self::WriteRequest => ["write request", "response"],
            Self::Indication => ["indication", "confirmation"],
            Self::Read => ["read", "response"],
            Self::LongWrite => ["prepared write", "response"],
        }
    }
}

impl Gatt {
    /// Puts the MTU that the plan names into the host of an end.
    pub(super) fn apply(&self, device: &mut Device) {
        let own = device.host.att_mtu;
        let mtu = self.mtu.unwrap_or(own);
        device.host.att_mtu = match device.stack {
            Stack::Firmware => mtu,
            // An operating system offers what it offers; a smaller offer of the firmware still wins.
            Stack::Os => mtu.min(own),
        };
    }
}
