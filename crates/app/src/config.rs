//! Configuration of a test. Both ends get the same [`StreamConfig`].

use airtime_core::Duration;

use crate::{Name, Phy};

/// Transport of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Transport {
    /// SDUs on L2CAP credit-based channels.
    #[default]
    Coc,
    /// Values of a GATT characteristic: notifications from the peripheral, write commands from the
    /// central.
    Gatt,
}

/// Direction of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// The peripheral.
    #[default]
    P2c,
    /// The central.
    C2p,
    /// Both at once.
    Both,
}

impl Direction {
    /// True if the peripheral sends.
    pub const fn from_peripheral(self) -> bool {
        matches!(self, Self::P2c | Self::Both)
    }

    /// True if the central sends.
    pub const fn from_central(self) -> bool {
        matches!(self, Self::C2p | Self::Both)
    }
}

/// Pacing of the sender, besides flow control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pacing {
    /// Only the semaphore: it sends whenever a place is free.
    #[default]
    Semaphore,
    /// It sends one SDU, then sleeps this long; a place must be free as well.
    Sleep(Duration),
    /// It has an SDU to send each so long, and makes up for what was late; a place must be free as well.
    Every(Duration),
    /// It gives its host one each so long, whatever is under way: those that the host has no room for are lost.
    Blind(Duration),
    /// It gives its host one after the other until that refuses one for want of room, sleeps this long, and gives that one again.
    Retry(Duration),
}

/// Room that an ATT bearer leaves for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRoom {
    /// Rest of the ATT MTU behind so many octets of header: 3 of notifications, indications and writes, 1 of read responses.
    Behind(u16),
    /// As much as an attribute holds, 512 octets: long writes go in parts.
    Long,
}

impl ValueRoom {
    /// Most octets of a value at an ATT MTU of `mtu`.
    pub const fn at(self, mtu: u16) -> u16 {
        match self {
            Self::Behind(header) => mtu.saturating_sub(header),
            // Core 6.0, Vol 3, Part F, 3.2.9.
            Self::Long => 512,
        }
    }
}

impl Default for ValueRoom {
    fn default() -> Self {
        // Core 6.0, Vol 3, Part F, 3.4.7.1 and 3.4.5.3.
        Self::Behind(3)
    }
}

/// Requests of an upload, which its receiver answers one by one: SMP's, or what comes between two receipts of Nordic's older DFU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requests {
    /// Octets of a request, in values of which the last may be shorter.
    pub octets: u16,
    /// Most requests that have no answer, at least 1.
    pub outstanding: u8,
    /// Time that the receiver takes for each, such as for writing to its flash.
    pub busy: Duration,
    /// Octets of the answer, a notification.
    pub answer: u16,
}

/// The stream, the same at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamConfig {
    /// Transport of the stream; default [`Transport::Coc`].
    pub transport: Transport,
    /// Direction of the stream; default [`Direction::P2c`].
    pub direction: Direction,
    /// Room for a value; default that of notifications and write commands. SDUs have their channel's.
    pub value_room: ValueRoom,
    /// Octets of an SDU or value, at least 1; clipped to what the peer takes. Default 492.
    pub sdu: u16,
    /// SDUs on their way per channel, at least 1; default 6.
    pub in_flight: u8,
    /// Credit-based channels, 1..=4; default 1. GATT has one whatever this says.
    pub channels: u8,
    /// Pacing of the sender, besides flow control; default [`Pacing::Semaphore`].
    pub pacing: Pacing,
    /// Requests that values of the central make up, each of which the peripheral answers; default none.
    pub requests: Option<Requests>,
    /// Time from the first SDU to the steady state; default 2 s.
    pub warmup: Duration,
}

impl Default for StreamConfig {
    fn default() -> Self {
        Self {
            transport: Transport::Coc,
            direction: Direction::P2c,
            value_room: ValueRoom::default(),
            sdu: 492,
            in_flight: 6,
            channels: 1,
            pacing: Pacing::Semaphore,
            requests: None,
            warmup: Duration::from_secs(2),
        }
    }
}

/// Connection intervals that this end asks for once connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntervalConfig {
    /// Asked for as soon as the data length stands; default none.
    pub request: Option<Duration>,
    /// Shortest interval that will do in the place of [`request`](Self::request): the central chooses, and where the
    /// connection's interval lies between the two already, nothing is asked for. Default none: nothing else will do.
    pub request_from: Option<Duration>,
    /// Time from the connection to the request, which is then judged by the interval there is; default zero: as soon as the data length
    /// stands.
    pub request_after: Duration,
    /// Asked for this long after the stream's first SDU: time, then interval; default none.
    pub change_at: Option<(Duration, Duration)>,
    /// Peripheral latency in events, of the connection and of every request; default 0.
    pub latency: u16,
    /// Supervision timeout, of the connection and of every request; default 4 s.
    pub supervision_timeout: Duration,
}

impl Default for IntervalConfig {
    fn default() -> Self {
        Self {
            request: None,
            request_from: None,
            request_after: Duration::ZERO,
            change_at: None,
            latency: 0,
            supervision_timeout: Duration::from_secs(4),
        }
    }
}

/// A peripheral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeripheralConfig {
    /// The stream.
    pub stream: StreamConfig,
    /// Its name; default `nRF54L15_Test`.
    pub name: Name,
    /// Advertising interval; default 100 ms.
    pub advertising_interval: Duration,
    /// Stays silent beside its connection; default true. If not, it advertises on, as a host does that takes further
    /// connections.
    pub stop_advertising: bool,
    /// Waits for a data length above 27 octets before it streams; default true.
    pub data_length_gate: bool,
    /// Data length it asks for, 27..=251; 27 asks for nothing, which is the default.
    pub data_octets: u16,
    /// PSM of its channels; default 0x0080, the first dynamic one.
    pub psm: u16,
    /// Other intervals it asks for.
    pub interval: IntervalConfig,
    /// PHY asked for this long after the stream's first SDU: time, then PHY; default none.
    pub change_phy: Option<(Duration, Phy)>,
}

impl Default for PeripheralConfig {
    fn default() -> Self {
        Self {
            stream: StreamConfig::default(),
            name: Name::default(),
            advertising_interval: Duration::from_millis(100),
            stop_advertising: true,
            data_length_gate: true,
            data_octets: 27,
            psm: 0x0080,
            interval: IntervalConfig::default(),
            change_phy: None,
        }
    }
}

/// Step at which the central asks for the data length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DataLengthStep {
    /// First of all.
    #[default]
    First,
    /// After the channels are open: SDUs that a peripheral without the gate then sends leave in PDUs of 27 octets.
    AfterChannels,
}

/// A central.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CentralConfig {
    /// The stream.
    pub stream: StreamConfig,
    /// Name of the first peripheral; the others' are [`Name::numbered`]. Default `nRF54L15_Test`.
    pub name: Name,
    /// Number of peripherals, 1 to [`LINKS_MAX`](crate::LINKS_MAX); default 1.
    pub peripherals: u8,
    /// Time for which it looks for each; default 15 s.
    pub scan_timeout: Duration,
    /// Connection interval it asks for; default 15 ms.
    pub conn_interval: Duration,
    /// Connection interval it asks for from the second peripheral on; default none: the same.
    pub further_interval: Option<Duration>,
    /// Other intervals it asks for, and the latency and supervision timeout of its connections.
    pub interval: IntervalConfig,
    /// Data length it asks for, 27..=251; 27 asks for nothing. Default 251.
    pub data_octets: u16,
    /// Step at which it asks for the data length; default [`DataLengthStep::First`].
    pub data_length: DataLengthStep,
    /// PHY it asks for; [`Phy::Le1M`] asks for nothing. Default [`Phy::Le2M`].
    pub phy: Phy,
    /// PHY asked for this long after the stream's first SDU: time, then PHY; default none.
    pub change_phy: Option<(Duration, Phy)>,
    /// Frame space it asks for; default none.
    pub frame_space: Option<Duration>,
    /// Starts encryption; default false.
    pub encrypted: bool,
    /// Exchanges the ATT MTU; default true.
    pub exchange_mtu: bool,
    /// PSM to open channels on without discovery; default none: it is discovered.
    pub psm: Option<u16>,
}

impl Default for CentralConfig {
    fn default() -> Self {
        Self {
            stream: StreamConfig::default(),
            name: Name::default(),
            peripherals: 1,
            scan_timeout: Duration::from_secs(15),
            conn_interval: Duration::from_millis(15),
            further_interval: None,
            interval: IntervalConfig::default(),
            data_octets: 251,
            data_length: DataLengthStep::First,
            phy: Phy::Le2M,
            change_phy: None,
            frame_space: None,
            encrypted: false,
            exchange_mtu: true,
            psm: None,
        }
    }
}
