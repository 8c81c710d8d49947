//! The two ends of a link: personalities, and the programs that are their hosts.

use airtime_core::Duration;
use airtime_core::units::Frequency;
use airtime_keys::config::{ConfigOption, Side};
use airtime_keys::{Keys, Words};

use airtime_ble::personality::{Controller, Host};
use airtime_ble::transport::Bus;

use super::bus::HciBus;
use super::program::Program;

/// Distance between the links of a central with Zephyr's own controller. zephyr, subsys/bluetooth/controller/Kconfig.ll_sw_split.
const ACL_SPACING: &str = "CONFIG_BT_CTLR_CENTRAL_SPACING";

/// Keys of the end that initiates.
#[derive(Clone, Debug, PartialEq, Eq, Keys)]
#[keys(table = "central")]
pub struct Initiator {
    /// Device that initiates the connection.
    #[key(kind = Kind::Personality, default = "zephyr-ll")]
    pub personality: String,
    /// Host on the central: the lab's own, TrouBLE (`trouble-host`), unmodified, or an image of firmware in an ELF, executed instruction
    /// by instruction.
    #[key(kind = Program::KIND, default = "model")]
    pub host: Program,
    /// Clock of the CPU that executes an image on the central.
    #[key(range = "1MHz"..="1000MHz", from = "64MHz; of an image only", whose = Central, steps = [Double], mechanism = Cpu, way = More)]
    pub host_clock: Option<Frequency>,
    /// Time before the start of its radio by which an event of the central cuts what is on the air: Zephyr's `EVENT_OVERHEAD_START_US`.
    #[key(range = "0us"..="5ms", from = "the personality's", mechanism = Interval, way = Less)]
    pub prepare_lead: Option<Duration>,
    /// Wait of the central's control PDUs for the next event where one is running; instants count from there.
    #[key(from = "the personality's", mechanism = Interval)]
    pub controls_wait: Option<bool>,
    /// Distance between the anchors of two connections of the central.
    #[key(
        range = "0us"..="1s", from = "the personality's", whose = Central, steps = [Fitting],
        config = [
            zephyr("CONFIG_BT_CTLR_SDC_CENTRAL_ACL_EVENT_SPACING_DEFAULT", Form::Microseconds),
            zephyr(ACL_SPACING, Form::Microseconds)
        ],
        mechanism = Neighbours, way = More
    )]
    pub link_spacing: Option<Duration>,
    /// Packets per event: most of the central's in one connection event; what follows waits for the next one. A personality's
    /// `event_pdu_cap`.
    #[key(range = 1..=65_535, from = "the personality's", whose = Central, mechanism = Interval, way = More)]
    pub event_packets: Option<u16>,
    /// Event length: time set aside for a connection event of the central; no exchange begins that would end later, unless
    /// `central.event_extension` lets it. A personality's `event_time_cap`; of a SoftDevice `NRF_SDH_BLE_GAP_EVENT_LENGTH`, in units
    /// of 1.25 ms.
    #[key(
        range = "100us"..="4s", from = "the personality's", whose = Central,
        config = [
            zephyr("CONFIG_BT_CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT", Form::Microseconds),
            softdevice("NRF_SDH_BLE_GAP_EVENT_LENGTH", Form::Intervals)
        ],
        mechanism = Interval, way = More
    )]
    pub event_length: Option<Duration>,
    /// Extension of the central's events past their length while both ends have data and nothing else wants the radio: `conn_evt_ext` of
    /// a SoftDevice (off), connection event length extension of the SoftDevice Controller (on).
    #[key(
        from = "the personality's", whose = Central,
        config = [zephyr("CONFIG_BT_CTLR_SDC_CONN_EVENT_EXTEND_DEFAULT", Form::Flag)],
        mechanism = Interval
    )]
    pub event_extension: Option<bool>,
    /// Bus between the central's host and its controller: a UART with H4 and flow control, a three-wire one (H5), USB at full speed, as of a
    /// dongle, which is asked for events once a millisecond, SPI, or memory that two cores share. None: they are on one core.
    #[key(mechanism = Handover)]
    pub hci: Option<HciBus>,
    /// Baud of a UART of either kind.
    #[key(
        range = 9_600..=12_000_000, from = "1000000 of a UART", whose = Central, steps = [Double], mechanism = Handover, way = More
    )]
    pub hci_baud: Option<u32>,
    /// Window of a three-wire UART: frames that may be without acknowledgement.
    #[key(
        range = 1..=7, from = "4 of a three-wire UART", whose = Central, steps = [To(7)], mechanism = Handover, way = More
    )]
    pub hci_window: Option<u8>,
    /// Check of two octets behind each payload on a three-wire UART.
    #[key(from = "false of a three-wire UART", whose = Central, mechanism = Handover)]
    pub hci_crc: Option<bool>,
    /// Clock of SPI, in Hz.
    #[key(
        range = 100_000..=50_000_000, from = "8000000 of SPI", whose = Central, steps = [Double], mechanism = Handover, way = More
    )]
    pub hci_spi_hz: Option<u32>,
    /// Time that each packet takes from one core to the other over shared memory; on SPI that it waits between a header and its data.
    #[key(
        range = "0us"..="100ms", from = "21.5us of shared memory, 0us of SPI", whose = Central, steps = [Half], mechanism = Handover,
        way = Less
    )]
    pub hci_delay: Option<Duration>,
    /// Interval of a passive scan of the central beside its links, from their first stream on.
    // Core 6.0, Vol 4, Part E, 7.8.10: 2.5 ms to 10.24 s.
    #[key(range = "2500us"..="10240ms", whose = CentralApplication, mechanism = Neighbours)]
    pub scan_interval: Option<Duration>,
    /// Window of that scan.
    #[key(range = "2500us"..="10240ms", from = "all of its interval", whose = CentralApplication, mechanism = Neighbours)]
    pub scan_window: Option<Duration>,
    /// Interval at which the central advertises beside its links without taking connections, from their first stream on.
    // Core 6.0, Vol 4, Part E, 7.8.5: 20 ms to 10.24 s.
    #[key(range = "20ms"..="10240ms", whose = CentralApplication, mechanism = Neighbours)]
    pub advertising_interval: Option<Duration>,
}

/// Keys of the end that advertises; with several peripherals, of each of them.
#[derive(Clone, Debug, PartialEq, Eq, Keys)]
#[keys(table = "peripheral")]
pub struct Advertiser {
    /// Device that advertises.
    #[key(kind = Kind::Personality, default = "zephyr-ll")]
    pub personality: String,
    /// Host on the peripheral.
    #[key(kind = Program::KIND, default = "model")]
    pub host: Program,
    /// Clock of the CPU that executes an image on the peripheral.
    #[key(range = "1MHz"..="1000MHz", from = "64MHz; of an image only", whose = Peripheral, steps = [Double], mechanism = Cpu, way = More)]
    pub host_clock: Option<Frequency>,
    /// Time before the start of its radio by which an event of the peripheral cuts what is on the air: Zephyr's
    /// `EVENT_OVERHEAD_START_US`.
    #[key(range = "0us"..="5ms", from = "the personality's", mechanism = Interval, way = Less)]
    pub prepare_lead: Option<Duration>,
    /// Correction of the peripheral's timer made once where its event was cut; false: twice, as Zephyr did before 2025.
    #[key(from = "the personality's", whose = Firmware, mechanism = Interval)]
    pub drift_skip: Option<bool>,
    /// Wait of the peripheral's control PDUs for the next event where one is running.
    #[key(from = "the personality's", mechanism = Interval)]
    pub controls_wait: Option<bool>,
    /// Packets per event: most of the peripheral's in one connection event; what follows waits for the next one. A personality's
    /// `event_pdu_cap`.
    #[key(range = 1..=65_535, from = "the personality's", whose = Peripheral, mechanism = Interval, way = More)]
    pub event_packets: Option<u16>,
    /// Event length: time set aside for a connection event of the peripheral; no exchange begins that would end later, unless
    /// `peripheral.event_extension` lets it. A personality's `event_time_cap`; of a SoftDevice `NRF_SDH_BLE_GAP_EVENT_LENGTH`, in units
    /// of 1.25 ms.
    #[key(
        range = "100us"..="4s", from = "the personality's", whose = Peripheral,
        config = [
            zephyr("CONFIG_BT_CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT", Form::Microseconds),
            softdevice("NRF_SDH_BLE_GAP_EVENT_LENGTH", Form::Intervals)
        ],
        mechanism = Interval, way = More
    )]
    pub event_length: Option<Duration>,
    /// Extension of the peripheral's events past their length while both ends have data and nothing else wants the radio: `conn_evt_ext` of
    /// a SoftDevice (off), connection event length extension of the SoftDevice Controller (on).
    #[key(
        from = "the personality's", whose = Peripheral,
        config = [zephyr("CONFIG_BT_CTLR_SDC_CONN_EVENT_EXTEND_DEFAULT", Form::Flag)],
        mechanism = Interval
    )]
    pub event_extension: Option<bool>,
    /// Bus between the peripheral's host and its controller: a UART with H4 and flow control, a three-wire one (H5), USB at full speed, as of a
    /// dongle, which is asked for events once a millisecond, SPI, or memory that two cores share. None: they are on one core.
    #[key(mechanism = Handover)]
    pub hci: Option<HciBus>,
    /// Baud of a UART of either kind.
    #[key(
        range = 9_600..=12_000_000, from = "1000000 of a UART", whose = Peripheral, steps = [Double], mechanism = Handover, way = More
    )]
    pub hci_baud: Option<u32>,
    /// Window of a three-wire UART: frames that may be without acknowledgement.
    #[key(
        range = 1..=7, from = "4 of a three-wire UART", whose = Peripheral, steps = [To(7)], mechanism = Handover, way = More
    )]
    pub hci_window: Option<u8>,
    /// Check of two octets behind each payload on a three-wire UART.
    #[key(from = "false of a three-wire UART", whose = Peripheral, mechanism = Handover)]
    pub hci_crc: Option<bool>,
    /// Clock of SPI, in Hz.
    #[key(
        range = 100_000..=50_000_000, from = "8000000 of SPI", whose = Peripheral, steps = [Double], mechanism = Handover, way = More
    )]
    pub hci_spi_hz: Option<u32>,
    /// Time that each packet takes from one core to the other over shared memory; on SPI that it waits between a header and its data.
    #[key(
        range = "0us"..="100ms", from = "21.5us of shared memory, 0us of SPI", whose = Peripheral, steps = [Half], mechanism = Handover,
        way = Less
    )]
    pub hci_delay: Option<Duration>,
}

impl Initiator {
    /// `device` with what the plan says about the central.
    pub fn apply(&self, mut device: Device) -> Device {
        device.program = self.host.clone();
        device.bus = self.bus_keys().bus();
        device.controller.prepare_lead = self.prepare_lead.or(device.controller.prepare_lead);
        device.controller.controls_wait = self.controls_wait.unwrap_or(device.controller.controls_wait);
        device.controller.event_pdu_cap = self.event_packets.or(device.controller.event_pdu_cap);
        device.controller.event_time_cap = self.event_length.or(device.controller.event_time_cap);
        device.controller.event_extension = self.event_extension.unwrap_or(device.controller.event_extension);
        device.controller.link_spacing = self.link_spacing.unwrap_or(device.controller.link_spacing);
        device
    }
}

impl Advertiser {
    /// `device` with what the plan says about the peripheral.
    pub fn apply(&self, mut device: Device) -> Device {
        device.program = self.host.clone();
        device.bus = self.bus_keys().bus();
        device.controller.prepare_lead = self.prepare_lead.or(device.controller.prepare_lead);
        device.controller.controls_wait = self.controls_wait.unwrap_or(device.controller.controls_wait);
        device.controller.event_pdu_cap = self.event_packets.or(device.controller.event_pdu_cap);
        device.controller.event_time_cap = self.event_length.or(device.controller.event_time_cap);
        device.controller.event_extension = self.event_extension.unwrap_or(device.controller.event_extension);
        device.controller.drift_skip = self.drift_skip.unwrap_or(device.controller.drift_skip);
        device
    }
}

/// One end of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Name of its personality.
    pub name: String,
    /// Its controller.
    pub controller: Controller,
    /// Its host.
    pub host: Host,
    /// Program that is that host.
    pub program: Program,
    /// Bus between the host and the controller.
    pub bus: Bus,
    /// Owner of the host's stack, who can turn its knobs.
    pub stack: Stack,
    /// Image that it runs.
    pub image: Image,
}

/// Owner of a device's stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Stack {
    /// Built with the application; everything can be turned.
    Firmware,
    /// An operating system's.
    Os,
}

/// Image that a device runs, by the build configuration that has its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Words)]
pub enum Image {
    /// None that has a configuration, or none that is known.
    #[default]
    None,
    /// Zephyr with its own controller.
    Zephyr,
    /// Zephyr with Nordic's SoftDevice Controller.
    ZephyrSdc,
    /// ESP-IDF.
    EspIdf,
    /// The nRF5 SDK with a SoftDevice.
    Softdevice,
    /// Mynewt.
    Mynewt,
}

impl Image {
    /// Tells if its build configuration has `option`.
    pub fn has(self, option: &ConfigOption) -> bool {
        // sdk-nrf, subsys/bluetooth/controller/Kconfig: its options are named after the controller.
        let is_sdc = option.config.contains("_SDC_");
        match option.side {
            Side::Zephyr if option.config == ACL_SPACING => self == Self::Zephyr,
            Side::Zephyr => self == Self::ZephyrSdc || self == Self::Zephyr && !is_sdc,
            Side::Radio => self == Self::EspIdf,
            Side::SoftDevice => self == Self::Softdevice,
            Side::Mynewt => self == Self::Mynewt,
            Side::Host | Side::Coprocessor => false,
        }
    }
}
