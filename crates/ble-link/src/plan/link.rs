//! Keys of the link between the two devices: the kind of link, its intervals and everything else that it is asked for.

use airtime_core::Duration;
use airtime_core::level::Level;
use airtime_core::loss::Loss;
use airtime_keys::{Keys, Words};

use super::channels::{CHANNELS, Channels};
use airtime_ble::air::{Phy, T_IFS};
use airtime_ble::words::Role;

/// Connection intervals are multiples of this. Core 6.0, Vol 6, Part B, 4.5.1.
pub const INTERVAL_GRID: Duration = Duration::from_micros(1_250);

/// Shortest connection interval without shorter connection intervals. Core 6.0, Vol 6, Part B, 4.5.1.
pub const INTERVAL_MIN: Duration = Duration::from_micros(7_500);

/// Kind of link: what carries the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Carrier {
    /// L2CAP credit-based channels.
    BleCoc,
    /// GATT notifications and write commands.
    BleGatt,
    /// Remote calls over either.
    BleRpc,
}

impl Carrier {
    /// Name as plans and records write it.
    pub fn name(self) -> &'static str {
        self.word()
    }
}

/// Keys of the intervals that are asked for from the start.
// Whether an interval is on the grid is checked with both personalities at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "ble")]
pub struct Intervals {
    /// Connection interval asked for at the start; the one granted is the central's business. Not with `ble.priority`.
    #[key(range = "125us"..="4s", from = "the central's first interval", whose = Interval, steps = [Fitting], mechanism = Interval)]
    pub conn_interval: Option<Duration>,
    /// Connection interval asked for at the start from the second peripheral on.
    #[key(range = "125us"..="4s", from = "that of the first", whose = CentralApplication, steps = [Fitting], mechanism = Interval)]
    pub further_interval: Option<Duration>,
    /// Interval the peripheral asks for after connecting.
    #[key(range = "125us"..="4s", whose = Firmware, steps = [Fitting], mechanism = Interval)]
    pub request_interval: Option<Duration>,
    /// Request that the peripheral's host makes by itself some time after connecting, where no other interval is requested: Zephyr's asks
    /// for 30 to 50 ms after five seconds (`CONFIG_BT_GAP_AUTO_UPDATE_CONN_PARAMS`).
    #[key(default = false, config = [zephyr("CONFIG_BT_GAP_AUTO_UPDATE_CONN_PARAMS", Form::Flag)], mechanism = Interval)]
    pub auto_interval: bool,
    /// Connection priority that the central's application asks for as soon as the connection stands, Android's `requestConnectionPriority`: the
    /// ranges of its personality. The shortest of a range is taken; which one a phone's controller takes is published of none.
    #[key(whose = CentralApplication, mechanism = Interval)]
    pub priority: Option<Priority>,
}

/// Connection priority of Android.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Priority {
    /// `CONNECTION_PRIORITY_HIGH`: 11.25 to 15 ms since Android 6, 7.5 to 10 ms before.
    High,
    /// `CONNECTION_PRIORITY_BALANCED`: 30 to 50 ms.
    Balanced,
    /// `CONNECTION_PRIORITY_LOW_POWER`: 100 to 125 ms, and a peripheral latency of 2.
    LowPower,
}

impl Priority {
    /// Shortest and longest interval, and the peripheral latency, of a central with these intervals; none where it has no priorities.
    // AOSP, GattService.connectionParameterUpdate and config.xml: 24 to 40, 80 to 100 units of 1.25 ms.
    pub fn asks(self, own: &airtime_ble::personality::Intervals) -> Option<(Duration, Duration, u16)> {
        let high = own.high_priority_min.zip(own.high_priority_max)?;
        Some(match self {
            Self::High => (high.0, high.1, 0),
            Self::Balanced => (Duration::from_millis(30), Duration::from_millis(50), 0),
            Self::LowPower => (Duration::from_millis(100), Duration::from_millis(125), 2),
        })
    }
}

/// Keys of a change of the interval during the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "ble.change_interval", head = "Change of the interval during the stream.")]
pub struct ChangeInterval {
    /// Moment of the change, from the start of the stream.
    #[key(range = "0us"..="24h")]
    pub at: Option<Duration>,
    /// Interval asked for then.
    #[key(range = "125us"..="4s", steps = [Fitting])]
    pub to: Option<Duration>,
    /// End that asks.
    #[key(from = "the peripheral")]
    pub by: Option<Asker>,
}

/// Keys of a change of the PHY during the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "ble.change_phy", head = "Change of the PHY, in both directions, during the stream.")]
pub struct ChangePhy {
    /// Moment of the change, from the start of the stream.
    #[key(range = "0us"..="24h")]
    pub at: Option<Duration>,
    /// PHY asked for then.
    pub to: Option<Phy>,
    /// End that asks.
    #[key(from = "the central")]
    pub by: Option<Asker>,
}

/// Keys of the connection, and of the air it is on.
#[derive(Clone, Debug, PartialEq, Keys)]
#[keys(table = "ble")]
pub struct Connection {
    /// Peripheral latency: connection events the peripheral may sleep through.
    // Core 6.0, Vol 6, Part B, 4.5.1: peripheral latency at most 499, supervision timeout 100 ms to 32 s.
    #[key(range = 0..=499, default = 0, whose = CentralApplication, steps = [To(0), More(1)], mechanism = Interval, way = Less)]
    pub latency: u16,
    /// Silence after which the link is lost.
    #[key(
        range = "100ms"..="32s", from = "4 s, or six times what the interval and the latency need",
        whose = CentralApplication
    )]
    pub supervision_timeout: Option<Duration>,
    /// PHY in both directions.
    #[key(from = "2M, or 1M when one end has no 2M", whose = Firmware, mechanism = Rate)]
    pub phy: Option<Phy>,
    /// Time between two packets; other than 150us is negotiated by the frame space update procedure.
    // Core 6.0, Vol 4, Part E, 7.8.151: frame space 0 to 10000 µs.
    #[key(range = "0us"..="10ms", default = "150us", whose = Firmware, steps = [Fitting], mechanism = Gaps, way = Less)]
    pub frame_space: Duration,
    /// LL payload octets both ends ask for.
    #[key(
        range = 27..=251, from = "251, or the controllers' own limit", whose = Firmware,
        steps = [To(251), Half, To(27)], config = [
            zephyr("CONFIG_BT_CTLR_DATA_LENGTH_MAX", Form::Count), softdevice("NRF_SDH_BLE_GAP_DATA_LENGTH", Form::Count),
            mynewt("BLE_LL_MAX_PKT_SIZE", Form::Count),
        ],
        mechanism = Packet, way = More
    )]
    pub data_length: Option<u16>,
    /// LL packet time that both ends offer to send: `ble.data_length` octets go in a packet only where they take no longer on the PHY in
    /// use. 328 us is the least, 27 octets and a MIC on LE 1M (TX_Time of LE Set Data Length).
    // Core 6.0, Vol 4, Part E, 7.8.33: 328 µs to 17.04 ms.
    #[key(
        range = "328us"..="17040us", from = "the sender's personality", whose = Sender, steps = [To(2_120_000), To(17_040_000)],
        mechanism = Packet, way = More
    )]
    pub data_length_time: Option<Duration>,
    /// End that asks for it: the central, while the peripheral's host wants it too (`both`); one alone, while the other answers with
    /// what its controller suggests; or each as its personality says (`devices`).
    #[key(default = "both", whose = Firmware, mechanism = Packet)]
    pub data_length_by: LengthBy,
    /// Gate of the stream: it waits until the data length is negotiated.
    #[key(default = true, whose = Firmware, mechanism = Packet)]
    pub data_length_gate: bool,
    /// Stop of the peripheral's advertising once it is connected.
    #[key(default = true, whose = Firmware, mechanism = Neighbours)]
    pub stop_advertising: bool,
    /// Encryption of the link: four octets of MIC per data PDU.
    #[key(default = false, whose = Firmware, mechanism = Packet, guards = Security)]
    pub encrypted: bool,
    /// Way the stream goes: peripheral to central, central to peripheral, or both at once.
    #[key(default = "p2c")]
    pub direction: Direction,
    /// Peripherals that stream with one central at the same time.
    #[key(range = 1..=20, default = 1, whose = CentralApplication, steps = [Less(1), More(1)])]
    pub peripherals: u8,
    /// Interference between links: those that meet on a channel at the same time destroy each other's packets, or not.
    #[key(default = "none", mechanism = Neighbours)]
    pub interference: Interference,
    /// Loss of packets at both ends: in shares, per bit, or in bursts (Gilbert-Elliott).
    #[key(loss = "packet")]
    pub loss: Loss,
    /// Loss at the central instead.
    #[key(loss = "packet")]
    pub loss_at_central: Loss,
    /// Loss at the peripherals instead.
    #[key(loss = "packet")]
    pub loss_at_peripheral: Loss,
    /// Channels on which packets get lost, the others being clear: those under a Wi-Fi network, say. A connection event stays on its
    /// channel.
    #[key(kind = CHANNELS, default = "all", mechanism = Losses)]
    pub loss_channels: Channels,
    /// Level of what either end hears: bits are wrong by it and by the sensitivity of the end's personality on the PHY in use, as in
    /// white noise and nothing else. Absent: without noise. Not together with a loss.
    #[key(kind = Kind::LEVEL, mechanism = Losses)]
    pub level: Option<Level>,
    /// Level of what the central hears, instead of `ble.level`.
    #[key(kind = Kind::LEVEL, mechanism = Losses)]
    pub level_at_central: Option<Level>,
    /// Level of what the peripherals hear, instead of `ble.level`.
    #[key(kind = Kind::LEVEL, mechanism = Losses)]
    pub level_at_peripheral: Option<Level>,
    /// Bits of preamble and access address of which a wrong one hides a packet: 32 of a receiver that wants the whole address, 0 of one
    /// that forgives.
    // The address is 32 bits, the preamble 8 on LE 1M and 16 on LE 2M. Core 6.0, Vol 6, Part B, 2.1.
    #[key(range = 0..=48, default = 32, mechanism = Losses)]
    pub sync_bits: u8,
    /// Name the peripheral advertises and the central scans for.
    // A complete local name fits a scan response of 31 octets with its length and type.
    #[key(range = 1..=29, default = "nRF54L15_Test")]
    pub name: String,
    /// Time for which the central scans.
    #[key(range = "10ms"..="10min", default = "15s")]
    pub scan_timeout: Duration,
}

/// Way the stream goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Direction {
    /// From the peripheral to the central.
    #[word("p2c")]
    PeripheralToCentral,
    /// From the central to the peripheral.
    #[word("c2p")]
    CentralToPeripheral,
    /// Both ways at once.
    Both,
}

/// End of a link that asks for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Asker {
    /// The end that initiated the connection.
    Central,
    /// The end that advertised.
    Peripheral,
}

/// End that asks for the data length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum LengthBy {
    /// The central asks, and the peripheral answers with all it can send.
    Both,
    /// The central alone: the peripheral answers with what its controller suggests.
    Central,
    /// The peripheral alone: the central answers with what its controller suggests.
    Peripheral,
    /// Each host and controller as its personality says.
    Devices,
}

/// Interference between the links of one central.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Interference {
    /// None: each link has the air for itself.
    None,
    /// Packets that meet on a channel destroy each other.
    CoChannel,
}

/// Change during the stream, of the interval or of the PHY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<T> {
    /// Moment of it, from the start of the stream.
    pub at: Duration,
    /// Interval or PHY asked for.
    pub to: T,
    /// End that asks.
    pub by: Role,
}

impl From<Asker> for Role {
    fn from(asker: Asker) -> Self {
        match asker {
            Asker::Central => Self::Central,
            Asker::Peripheral => Self::Peripheral,
        }
    }
}

impl Direction {
    /// Name as plans and records write it.
    pub fn name(self) -> &'static str {
        self.word()
    }

    /// Tells if the central streams.
    pub const fn central_sends(self) -> bool {
        matches!(self, Self::CentralToPeripheral | Self::Both)
    }

    /// Tells if the peripheral streams.
    pub const fn peripheral_sends(self) -> bool {
        matches!(self, Self::PeripheralToCentral | Self::Both)
    }
}

impl ChangeInterval {
    /// The change, if there is one.
    pub fn change(&self) -> Option<Change<Duration>> {
        let (at, to) = (self.at?, self.to?);
        Some(Change { at, to, by: self.by.unwrap_or(Asker::Peripheral).into() })
    }

    /// Says who asks where there is a change.
    pub(super) fn fill(&mut self) {
        self.by = self.change().and(self.by.or(Some(Asker::Peripheral)));
    }
}

impl ChangePhy {
    /// The change, if there is one.
    pub fn change(&self) -> Option<Change<Phy>> {
        let (at, to) = (self.at?, self.to?);
        Some(Change { at, to, by: self.by.unwrap_or(Asker::Central).into() })
    }

    /// Says who asks where there is a change.
    pub(super) fn fill(&mut self) {
        self.by = self.change().and(self.by.or(Some(Asker::Central)));
    }
}

impl Connection {
    /// Tells if links that meet on a channel destroy each other's packets.
    pub fn co_channel(&self) -> bool {
        self.interference == Interference::CoChannel
    }

    /// Loss of the packets that an end hears: its own, or else that of both ends.
    pub fn loss_at(&self, end: Role) -> Loss {
        let own = match end {
            Role::Central => self.loss_at_central,
            Role::Peripheral => self.loss_at_peripheral,
        };
        if own == Loss::None { self.loss } else { own }
    }

    /// Level of what an end hears: its own, or else that of both.
    pub fn level_at(&self, end: Role) -> Option<Level> {
        let own = match end {
            Role::Central => self.level_at_central,
            Role::Peripheral => self.level_at_peripheral,
        };
        own.or(self.level)
    }

    /// Frame space to negotiate; none when it stays at 150 µs.
    pub fn negotiated_frame_space(&self) -> Option<Duration> {
        (self.frame_space != T_IFS).then_some(self.frame_space)
    }
}
