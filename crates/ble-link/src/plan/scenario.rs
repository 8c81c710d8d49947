//! Everything one run over a Bluetooth LE link needs to know.

use airtime_core::Duration;
use airtime_core::units::Bitrate;
use airtime_keys::{Key, Keys, Knob, Run, Table, Turns, Value, Words};

use super::check;
use super::coc::Coc;
use super::device::{Advertiser, Device, Initiator, Stack};
use super::gatt::{Gatt, Method, VALUE_MAX};
use super::host::{Acl, Host, PeerHost};
use super::link::{Carrier, ChangeInterval, ChangePhy, Connection, Direction, Intervals, LengthBy};
use super::pacing::Pacing;
use super::personality::Personality;
use super::program::Program;
use super::rpc::{Rpc, Transport};
use super::subrate::Subrate;
use super::upload::Upload;
use airtime_ble::air::{DATA_OCTETS_MAX, Phy};
use airtime_ble::host::ValueMethod;
use airtime_ble::personality::Credits;

const ALL: &[&str] = Carrier::WORDS;
const STREAMS: &[&str] = &["ble-coc", "ble-gatt"];
const CHANNEL: &[&str] = &["ble-coc"];
const CHARACTERISTIC: &[&str] = &["ble-gatt"];
const CALLS: &[&str] = &["ble-rpc"];

/// Keys of the three links, in the order of documentation and records. Those of a stream say nothing about remote calls.
pub const TABLES: &[Table] = &[
    Table::new(Initiator::KEYS, ALL),
    Table::new(Advertiser::KEYS, ALL),
    Table::new(Intervals::KEYS, STREAMS),
    Table { keys: Intervals::KEYS, links: CALLS, without: &[Intervals::AUTO_INTERVAL, Intervals::PRIORITY] },
    Table::new(ChangeInterval::KEYS, STREAMS),
    Table::new(ChangePhy::KEYS, STREAMS),
    Table::new(Connection::KEYS, STREAMS),
    Table {
        keys: Connection::KEYS,
        links: CALLS,
        without: &[Connection::DIRECTION, Connection::PERIPHERALS, Connection::DATA_LENGTH_BY],
    },
    Table::new(Subrate::KEYS, STREAMS),
    Table::new(Coc::KEYS, CHANNEL),
    Table {
        keys: Coc::KEYS,
        links: CALLS,
        without: &[Coc::SDU, Coc::PSM, Coc::IN_FLIGHT, Coc::CHANNELS, Coc::PACING, Coc::OFFERED],
    },
    Table::new(Credits::KEYS, &["ble-coc", "ble-rpc"]),
    Table::new(Gatt::KEYS, CHARACTERISTIC),
    Table::new(Upload::KEYS, CHARACTERISTIC),
    Table {
        keys: Gatt::KEYS,
        links: CALLS,
        without: &[
            Gatt::PAYLOAD,
            Gatt::METHOD,
            Gatt::IN_FLIGHT,
            Gatt::MBUFS,
            Gatt::MBUF_OCTETS,
            Gatt::PACING,
            Gatt::WRITE_OVERFLOW,
            Gatt::OFFERED,
        ],
    },
    Table::new(Acl::KEYS, ALL),
    Table::new(Host::KEYS, ALL),
    Table::new(PeerHost::KEYS, ALL),
    Table::new(Rpc::KEYS, CALLS),
];

/// Octets of an SDU when the plan does not say: two K-frames of Zephyr's usual 247 octets.
const SDU: u16 = 492;

/// Parameters of one run, each with its value in effect. The devices have every key of the plan already in them; what
/// shows a key of the sender's or the receiver's is empty where both ends are and differ in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Kind of link: what carries the stream.
    pub link: Carrier,
    /// The end that initiates.
    pub central: Device,
    /// The end that advertises; with several peripherals, each of them.
    pub peripheral: Device,
    /// Keys of the end that initiates.
    pub initiator: Initiator,
    /// Keys of the end that advertises.
    pub advertiser: Advertiser,
    /// Intervals that are asked for from the start.
    pub intervals: Intervals,
    /// Change of the interval during the stream.
    pub change_interval: ChangeInterval,
    /// Change of the PHY during the stream.
    pub change_phy: ChangePhy,
    /// The connection, and the air it is on.
    pub connection: Connection,
    /// The credit-based channel; meaningful where it carries the stream or the calls.
    pub coc: Coc,
    /// Parts of its credit policy.
    pub credits: Credits,
    /// The characteristic; meaningful where it carries the stream or the calls.
    pub gatt: Gatt,
    /// The requests of an upload; meaningful where the characteristic carries the stream.
    pub upload: Upload,
    /// The subrating that is asked for.
    pub subrate: Subrate,
    /// Buffers of the sender's controller.
    pub acl: Acl,
    /// The sender's host.
    pub host: Host,
    /// The receiver's host.
    pub peer_host: PeerHost,
    /// The remote calls, exactly when `link` is [`Carrier::BleRpc`].
    pub rpc: Option<Rpc>,
    /// Length and repeats.
    pub run: Run,
}

impl Scenario {
    /// Tells every key that means something in this scenario, with its value in effect.
    pub fn show(&self, told: &mut dyn FnMut(&'static Key, Value)) {
        let is_stream = self.rpc.is_none();
        let told = &mut |key: &'static Key, value: Value| {
            // Calls have a warm-up of their own, which is counted in calls.
            let of_run = key.table() == Run::WARMUP.table() && key.name != Run::WARMUP.name;
            if is_stream || of_run || self.covers(key) {
                told(key, value);
            }
        };
        self.initiator.show(&(), told);
        self.advertiser.show(&(), told);
        self.intervals.show(&(), told);
        self.change_interval.show(&(), told);
        self.change_phy.show(&(), told);
        self.connection.show(&(), told);
        if is_stream {
            self.subrate.show(&self.subrate.subrate_factor, told);
        }
        match self.transport() {
            Transport::Coc => {
                self.coc.show(&(), told);
                self.credits.show(&(), told);
            }
            Transport::Gatt => {
                self.gatt.show(&(), told);
                self.upload.show(&self.upload.request, told);
            }
        }
        self.acl.show(&(), told);
        self.host.show(&(), told);
        self.peer_host.show(&(), told);
        if let Some(rpc) = &self.rpc {
            rpc.show(&rpc.suite, told);
        }
        self.run.show(&(), told);
    }

    /// Tells every value of both devices, with the end that each is.
    pub fn devices(&self, told: &mut dyn FnMut(&'static str, &'static Key, Value)) {
        for (end, device) in
            [(Initiator::PERSONALITY.table(), &self.central), (Advertiser::PERSONALITY.table(), &self.peripheral)]
        {
            let Device { controller, host, stack, image, .. } = *device;
            Personality { stack, image, controller, host }.show(&(), &mut |key, value| told(end, key, value));
        }
        for (host, device) in [(Initiator::HOST, &self.central), (Advertiser::HOST, &self.peripheral)] {
            if let Program::Firmware(firmware) = &device.program {
                told(host.table(), host, format!("{:016x}", firmware.digest()).into());
            }
        }
    }

    /// Owner of `key`: who can turn it in this scenario.
    pub fn turns(&self, key: &Key) -> Turns {
        let of = |central: bool| {
            let device = if central { &self.central } else { &self.peripheral };
            match (device.stack, central) {
                (Stack::Os, _) => Turns::Os,
                (Stack::Firmware, true) => Turns::CentralApplication,
                (Stack::Firmware, false) => Turns::Firmware,
            }
        };
        let central_sends = self.connection.direction == Direction::CentralToPeripheral;
        let is_both = self.connection.data_length_by == LengthBy::Both;
        match key.knob {
            // Where both ends see to it nothing is left to gain.
            Knob::Of(_) if key.name == Connection::DATA_LENGTH_BY.name && is_both => Turns::Nobody,
            Knob::Of(turns) => turns,
            Knob::Interval if self.central.host.intervals.application_chooses => Turns::CentralApplication,
            Knob::Interval => Turns::Firmware,
            Knob::Sender | Knob::Receiver if self.rpc.is_some() && !self.covers(key) => Turns::Nobody,
            // The keys of both ends of calls are about the peripheral, but for those of its peer.
            Knob::Sender | Knob::Receiver if self.rpc.is_some() => {
                of(PeerHost::KEYS.iter().any(|own| own.name == key.name))
            }
            Knob::Central => of(true),
            Knob::Peripheral => of(false),
            Knob::Program if central_sends => Turns::CentralApplication,
            Knob::Program => Turns::Firmware,
            Knob::Sender => of(central_sends),
            Knob::Receiver => of(!central_sends),
        }
    }

    /// Tells if `key` means something to this link.
    fn covers(&self, key: &Key) -> bool {
        TABLES.iter().any(|table| table.covers(key, self.link.name()))
    }

    /// Carrier of the stream, or of the frames of calls.
    pub fn transport(&self) -> Transport {
        match (self.link, &self.rpc) {
            (Carrier::BleRpc, Some(rpc)) => rpc.transport,
            (Carrier::BleCoc, _) => Transport::Coc,
            (Carrier::BleGatt | Carrier::BleRpc, _) => Transport::Gatt,
        }
    }

    /// Octets per SDU or value; of calls, of the longest frame.
    pub fn payload(&self) -> u16 {
        match (self.link, &self.rpc) {
            (Carrier::BleRpc, Some(rpc)) => rpc.frame.unwrap_or_else(|| self.own_frame(rpc)),
            (Carrier::BleCoc, _) => self.sdu(),
            (Carrier::BleGatt | Carrier::BleRpc, _) => self.value(),
        }
    }

    /// SDUs or values under way at once, per channel. What carries calls has its own rule.
    pub const fn in_flight(&self) -> u8 {
        match self.link {
            Carrier::BleCoc => self.coc.in_flight,
            Carrier::BleGatt if self.asks_the_stack() => self.sender().host.l2cap_tx_buffers,
            Carrier::BleGatt | Carrier::BleRpc => self.gatt.in_flight,
        }
    }

    /// Pace of the application between SDUs or values.
    pub const fn pacing(&self) -> Pacing {
        match self.link {
            Carrier::BleCoc => self.coc.pacing,
            Carrier::BleGatt | Carrier::BleRpc => self.gatt.pacing,
        }
    }

    /// True if it is the stack that says how many values are under way.
    const fn asks_the_stack(&self) -> bool {
        matches!(self.gatt.pacing, Pacing::Ready | Pacing::Retry(_) | Pacing::Blind(_))
    }

    /// Payload that the application offers on each connection; none saturates.
    pub const fn offered(&self) -> Option<Bitrate> {
        match self.link {
            Carrier::BleCoc => self.coc.offered,
            Carrier::BleGatt | Carrier::BleRpc => self.gatt.offered,
        }
    }

    /// Time between two SDUs or values of what is offered, to the nanosecond below.
    pub fn every(&self) -> Option<Duration> {
        let rate = self.offered()?.0.max(1);
        let bits = u128::from(self.payload()) * 8 * 1_000_000_000;
        Some(Duration::from_nanos(u64::try_from(bits / u128::from(rate)).unwrap_or(u64::MAX)))
    }

    /// Channels per connection; only a stream over credit-based channels has several.
    pub const fn channels(&self) -> u8 {
        match self.link {
            Carrier::BleCoc => self.coc.channels,
            Carrier::BleGatt | Carrier::BleRpc => 1,
        }
    }

    /// The device whose buffers and tasks carry the stream: with both directions and with calls, the peripheral.
    pub const fn sender(&self) -> &Device {
        if self.connection.direction.peripheral_sends() { &self.peripheral } else { &self.central }
    }

    /// The device at the other end of [`sender`](Self::sender).
    pub const fn receiver(&self) -> &Device {
        if self.connection.direction.peripheral_sends() { &self.central } else { &self.peripheral }
    }
}

/// Values that follow from others where the plan does not say; once it is read, what is in effect.
impl Scenario {
    /// Interval asked for at the start.
    pub fn conn_interval(&self) -> Duration {
        self.intervals
            .conn_interval
            .filter(|_| self.priority().is_none())
            .unwrap_or(self.central.host.intervals.initial)
    }

    /// Range of intervals and latency of the connection priority that is asked for.
    pub fn priority(&self) -> Option<(Duration, Duration, u16)> {
        self.intervals.priority.and_then(|priority| priority.asks(&self.central.host.intervals))
    }

    /// Peripheral latency: the plan's, or that of the priority asked for.
    pub fn latency(&self) -> u16 {
        self.priority().map_or(self.connection.latency, |(.., latency)| latency.max(self.connection.latency))
    }

    /// Supervision timeout; of its own 4 s, or six times what the longest interval needs, at most 32 s.
    pub fn supervision_timeout(&self) -> Duration {
        let own = || {
            let longest = check::intervals(self).map(|(_, interval)| interval).max().unwrap_or_default();
            let events = (u64::from(self.latency()) + 1).max(self.subrate.events());
            let needed = longest * 6 * events;
            let steps = needed.as_nanos().div_ceil(check::TIMEOUT_GRID.as_nanos());
            (check::TIMEOUT_GRID * steps).clamp(Duration::from_secs(4), Duration::from_secs(32))
        };
        self.connection.supervision_timeout.unwrap_or_else(own)
    }

    /// PHY of both directions; of its own LE 2M, if both controllers can and both hosts let them.
    pub fn phy(&self) -> Phy {
        let takes_2m = |device: &Device| device.controller.phy_2m && device.host.takes_2m;
        let both = takes_2m(&self.central) && takes_2m(&self.peripheral);
        self.connection.phy.unwrap_or(if both { Phy::Le2M } else { Phy::Le1M })
    }

    /// LL payload octets both ends ask for, 27..=251.
    pub fn data_length(&self) -> u16 {
        let own = self.central.controller.data_octets.min(self.peripheral.controller.data_octets);
        self.connection.data_length.unwrap_or(DATA_OCTETS_MAX).min(own)
    }

    /// Octets per SDU.
    pub fn sdu(&self) -> u16 {
        let direction = self.connection.direction;
        let mtu = |receives: bool, device: &Device| if receives { device.host.coc_mtu } else { u16::MAX };
        let mtu =
            mtu(direction.peripheral_sends(), &self.central).min(mtu(direction.central_sends(), &self.peripheral));
        self.coc.sdu.unwrap_or(mtu.min(SDU))
    }

    /// ATT MTU the two ends will agree on.
    pub fn att_mtu(&self) -> u16 {
        self.central.host.att_mtu.min(self.peripheral.host.att_mtu)
    }

    /// Octets per value.
    pub fn value(&self) -> u16 {
        self.gatt.payload.unwrap_or(self.value_room().min(VALUE_MAX))
    }

    /// Most octets of a value by its method and the ATT MTU that the two ends will agree on.
    pub fn value_room(&self) -> u16 {
        self.method().octets_max(self.att_mtu())
    }

    /// Method by which values travel, as hosts have it.
    pub fn method(&self) -> ValueMethod {
        let method = self.gatt.method.filter(|_| self.link == Carrier::BleGatt);
        method.map_or(ValueMethod::Unanswered, Method::values)
    }

    /// The frame that fills one LL PDU both ways.
    fn own_frame(&self, rpc: &Rpc) -> u16 {
        // The basic header of a K-frame and the SDU length in its first one. Core 6.0, Vol 3, Part A, 3.4.3.
        const FIRST_K_FRAME: u16 = 6;
        match rpc.transport {
            Transport::Gatt => self.value(),
            Transport::Coc => {
                let (central, peripheral) = (&self.central.host, &self.peripheral.host);
                let (mps, mtu) = (central.coc_mps.min(peripheral.coc_mps), central.coc_mtu.min(peripheral.coc_mtu));
                // What a K-frame has besides its payload is counted once: in the PDU, and in the MPS but for the basic header.
                self.data_length().saturating_sub(FIRST_K_FRAME).min(mps.saturating_sub(2)).min(mtu)
            }
        }
    }
}
