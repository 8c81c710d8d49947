//! Keys of the bus and of the chips at both of its ends.

use airtime_core::Duration;
use airtime_core::units::{Frequency, Size};
use airtime_keys::{Keys, Words};

use super::Context;
use super::chain::Tasks;
use crate::hosted::wire::start::SdioMode;
use crate::network::{BusTiming, Costs, HalfDuplexTiming, SpiTiming};

/// Key of the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "hosted")]
pub struct Bus {
    /// Bus between host and co-processor; `none` leaves out both chips and all of their buffers: a station that is always fed,
    /// for the air alone.
    #[key(default = "sdio", config = [
        host("CONFIG_ESP_HOSTED_SDIO_HOST_INTERFACE", Form::Word("sdio")),
        host("CONFIG_ESP_HOSTED_SPI_HOST_INTERFACE", Form::Word("spi")),
        host("CONFIG_ESP_HOSTED_SPI_HD_HOST_INTERFACE", Form::Word("spi-hd")),
    ])]
    pub bus: Transport,
}

/// Transport between host and co-processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Transport {
    /// SDIO.
    Sdio,
    /// SPI in full duplex: transactions of 1600 octets each way, a handshake and a data-ready line.
    Spi,
    /// SPI in half duplex: registers that say what there is room for and what there is to read, then a frame one way.
    SpiHd,
    /// Neither bus nor chips.
    None,
}

/// Keys of the bus and of both sides of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "hosted", context = Context)]
pub struct Hosted {
    /// Clock of SDIO.
    #[key(
        range = "400kHz"..="50MHz", default = "40MHz", whose = HostFirmware, when = Context::is_sdio,
        config = [host("CONFIG_ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ", Form::Kilohertz)],
        mechanism = Bus, way = More
    )]
    pub sdio_clock: Frequency,
    /// Data lines of SDIO.
    #[key(default = "4", whose = HostFirmware, when = Context::is_sdio, config = [
        host("CONFIG_ESP_HOSTED_SDIO_4_BIT_BUS", Form::Word("4")),
        host("CONFIG_ESP_HOSTED_SDIO_1_BIT_BUS", Form::Word("1")),
    ], mechanism = Bus)]
    pub sdio_lines: Lines,
    /// Mode of SDIO: one read takes all that the co-processor has, or one packet.
    #[key(from = "streaming; packet for a Linux host", whose = HostFirmware, when = Context::is_sdio, config = [
        host("CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_STREAMING_MODE", Form::Word("streaming")),
        host("CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE", Form::Word("packet")),
        host("CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_MAX_SIZE", Form::Word("packet")),
    ], mechanism = Bus)]
    pub mode: Option<SdioMode>,
    /// Clock of SPI.
    #[key(
        range = "1MHz"..="40MHz", default = "40MHz", whose = HostFirmware, when = Context::is_clocked_as_spi,
        config = [
            host("CONFIG_ESP_HOSTED_SPI_FREQ_ESP32C6", Form::Megahertz),
            host("CONFIG_ESP_HOSTED_SPI_CLK_FREQ", Form::Megahertz),
            host("CONFIG_ESP_HOSTED_SPI_HD_FREQ_ESP32C6", Form::Megahertz),
            host("CONFIG_ESP_HOSTED_SPI_HD_CLK_FREQ", Form::Megahertz),
        ],
        mechanism = Bus, way = More
    )]
    pub spi_clock: Frequency,
    /// Data lines of SPI in half duplex.
    #[key(default = "4", whose = HostFirmware, when = Context::is_half_duplex, config = [
        host("CONFIG_ESP_HOSTED_SPI_HD_PRIV_INTERFACE_4_DATA_LINES", Form::Word("4")),
        host("CONFIG_ESP_HOSTED_SPI_HD_PRIV_INTERFACE_2_DATA_LINES", Form::Word("2")),
        host("CONFIG_ESP_HOSTED_SPI_HD_PRIV_INTERFACE_1_DATA_LINE", Form::Word("1")),
    ], mechanism = Bus)]
    pub spi_lines: SpiLines,
    /// Version of esp-hosted-mcu that both sides behave like: from 2.12 on a read is tried again when the task behind it was
    /// late, and the host's pool is fixed.
    #[key(default = "2.11", whose = HostFirmware, mechanism = Bus)]
    pub version: Version,
    /// Image of the co-processor; a factory image refuses commands for raw frames.
    #[key(default = "factory", whose = CoprocessorFirmware)]
    pub firmware: Firmware,
    /// Checksums in headers; not by default on SDIO, and always on SPI.
    #[key(default = false, whose = HostFirmware, when = Context::is_sdio, config = [host("CONFIG_ESP_HOSTED_SDIO_CHECKSUM", Form::Flag)], mechanism = Bus)]
    pub checksum: bool,
    /// One core for the tasks of the driver and the task that sends, which has no lower priority. Of a turn of SPI nobody published how
    /// much is the host's: it takes none of the core.
    #[key(default = false, whose = HostFirmware, mechanism = Cpu)]
    pub shared_core: bool,
    /// Time of a frame that the host writes, besides the wire: buffer, header, copy, mutex, switch of tasks.
    #[key(range = "0us"..="1s", from = "the personality", mechanism = Cpu, way = Less)]
    pub write_frame: Option<Duration>,
    /// Time of a frame that the host reads, besides the wire.
    #[key(range = "0us"..="1s", from = "the personality", when = Context::reads_alone, mechanism = Cpu, way = Less)]
    pub read_frame: Option<Duration>,
    /// Time between two transactions of SPI: the co-processor queues the next and raises its handshake line, the host's task hears of it.
    #[key(range = "0us"..="1s", from = "the personality", when = Context::is_spi, mechanism = Cpu, way = Less)]
    pub turn: Option<Duration>,
    /// Frames of each priority in front of the bus on the host; over SPI 20 whatever `ESP_HOSTED_SPI_TX_Q_SIZE` says (`spi_drv.h`,
    /// `TO_SLAVE_QUEUE_SIZE`); Kconfig has 15 for half duplex. Linux: `TX_MAX_PENDING_COUNT` of ESP-Hosted-FG; 200 in -NG.
    #[key(
        range = 1..=200, from = "20; 100 for a Linux host", whose = HostFirmware,
        config = [
            host("CONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE", Form::Count),
            host("CONFIG_ESP_HOSTED_SPI_HD_TX_Q_SIZE", Form::Count),
        ],
        mechanism = Underway, way = More
    )]
    pub tx_queue: Option<u16>,
    /// Frames of each priority behind the bus on the host; over SPI 20 whatever `ESP_HOSTED_SPI_RX_Q_SIZE` says (`spi_drv.h`,
    /// `FROM_SLAVE_QUEUE_SIZE`); Kconfig has 15 for half duplex.
    #[key(
        range = 1..=200, default = 20, whose = HostFirmware,
        config = [
            host("CONFIG_ESP_HOSTED_SDIO_RX_Q_SIZE", Form::Count),
            host("CONFIG_ESP_HOSTED_SPI_HD_RX_Q_SIZE", Form::Count),
        ],
        mechanism = Underway, way = More
    )]
    pub rx_queue: u16,
    /// Buffers of the co-processor to the host. ESP-Hosted-FG has 10 (`SDIO_DRIVER_TX_QUEUE_SIZE`).
    #[key(
        range = 1..=100, from = "20; 10 for a Linux host", whose = CoprocessorFirmware,
        config = [
            coprocessor("CONFIG_ESP_SDIO_TX_Q_SIZE", Form::Count),
            coprocessor("CONFIG_ESP_SPI_TX_Q_SIZE", Form::Count),
        ],
        mechanism = Underway, way = More
    )]
    pub tx_buffers: Option<u16>,
    /// Buffers of the co-processor from the host.
    #[key(
        range = 1..=100, default = 20, whose = CoprocessorFirmware,
        config = [
            coprocessor("CONFIG_ESP_SDIO_RX_Q_SIZE", Form::Count),
            coprocessor("CONFIG_ESP_SPI_RX_Q_SIZE", Form::Count),
        ],
        mechanism = Underway, way = More
    )]
    pub rx_buffers: u16,
    /// Load of the co-processor's receive queue, in percent, above which it throttles the host; 0 is never. Over SPI a throttle ends with the next
    /// frame to the host, and without one not at all.
    // A share of twenty buffers: a step is one of them.
    #[key(
        range = 0..=100, from = "80; 90 over SPI; 0 for a Linux host", whose = HostFirmware, steps = [Less(5), More(5), To(0)], when = Context::is_station,
        config = [
            host("CONFIG_ESP_HOSTED_PRIV_WIFI_TX_SDIO_HIGH_THRESHOLD", Form::Count),
            host("CONFIG_ESP_HOSTED_PRIV_WIFI_TX_SPI_HIGH_THRESHOLD", Form::Count),
            host("CONFIG_ESP_HOSTED_PRIV_WIFI_TX_SPI_HD_HIGH_THRESHOLD", Form::Count),
        ],
        mechanism = Underway
    )]
    pub throttle_high: Option<u8>,
    /// Load below which it stops.
    #[key(
        range = 0..=99, default = 60, whose = HostFirmware, steps = [Less(5), More(5)], when = Context::is_station,
        config = [host("CONFIG_ESP_HOSTED_TO_WIFI_DATA_THROTTLE_LOW_THRESHOLD", Form::Count)],
        mechanism = Underway
    )]
    pub throttle_low: u8,
    /// Wi-Fi transmit buffers, which the host's `WifiInit` sets on the co-processor: dynamic ones, or static ones where those are chosen, as they
    /// are in external memory.
    #[key(
        range = 1..=128, default = 64, whose = HostFirmware,
        config = [
            host("CONFIG_WIFI_RMT_DYNAMIC_TX_BUFFER_NUM", Form::Count),
            host("CONFIG_WIFI_RMT_STATIC_TX_BUFFER_NUM", Form::Count)
        ],
        mechanism = Underway, way = More
    )]
    pub wifi_tx_buffers: u16,
    /// Second try when no Wi-Fi transmit buffer is free: the co-processor sleeps for 1ms and tries once more, and sleeps again
    /// before it gives the packet up; otherwise it drops it at once.
    #[key(
        default = true, whose = CoprocessorFirmware, when = Context::is_station,
        config = [coprocessor("CONFIG_ESP_HOSTED_WIFI_TX_RETRY_ENABLED", Form::Flag)],
        mechanism = Underway
    )]
    pub wifi_tx_retry: bool,
    /// Static Wi-Fi receive buffers, set likewise.
    #[key(
        range = 2..=128, default = 16, whose = HostFirmware,
        config = [host("CONFIG_WIFI_RMT_STATIC_RX_BUFFER_NUM", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub wifi_static_rx: u16,
    /// Dynamic Wi-Fi receive buffers, set likewise.
    #[key(
        range = 0..=128, default = 64, whose = HostFirmware,
        config = [host("CONFIG_WIFI_RMT_DYNAMIC_RX_BUFFER_NUM", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub wifi_dynamic_rx: u16,
    /// Block Ack window the co-processor grants to who sends to it, set likewise.
    #[key(
        range = 1..=64, default = 32, whose = HostFirmware, steps = [To(6), Half, Double, To(64)],
        config = [host("CONFIG_WIFI_RMT_RX_BA_WIN", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub rx_ba_window: u8,
    /// Places for handlers of custom messages; raw frames take eight.
    #[key(
        range = 1..=32, default = 3, whose = HostFirmware, steps = [To(3), To(8)], when = Context::is_capture,
        config = [host("CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS", Form::Count)],
        mechanism = Handover, way = More
    )]
    pub handlers: u8,
    /// Custom messages built in at all; raw frames need them.
    #[key(
        default = false, whose = HostFirmware, when = Context::is_capture,
        config = [host("CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER", Form::Flag)],
        mechanism = Handover
    )]
    pub peer_data: bool,
    /// Time from power on until the transport is up, which an update waits for; about 18 s was observed.
    #[key(range = "0us"..="10min", default = "18s", when = Context::is_update)]
    pub start_up: Duration,
    /// Octets of the image of an update.
    #[key(range = 1_024..=2_097_152, default = "1182176B", when = Context::is_update)]
    pub image: Size,
}

/// Data lines of SDIO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Lines {
    /// One.
    #[word("1")]
    One,
    /// Four.
    #[word("4")]
    Four,
}

/// Data lines of SPI in half duplex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum SpiLines {
    /// One; from ESP-IDF 6.1 on.
    #[word("1")]
    One,
    /// Two.
    #[word("2")]
    Two,
    /// Four.
    #[word("4")]
    Four,
}

/// Version of esp-hosted-mcu, where its behaviour changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Version {
    /// 2.11.
    #[word("2.11")]
    V2_11,
    /// 2.12.
    #[word("2.12")]
    V2_12,
}

/// Image of the co-processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Firmware {
    /// As shipped.
    Factory,
    /// With handlers for raw frames.
    Custom,
}

impl Hosted {
    /// Fills in what the plan left to the bus, and to the personality, whose times are `own`.
    pub fn fill(&mut self, bus: Transport, linux: bool, own: &Tasks) {
        // The SDIO slave of ESP-Hosted-FG tells no throttle, and its host reads a frame at a time.
        let (mode, tx_queue, tx_buffers) =
            if linux { (SdioMode::Packet, 100, 10) } else { (SdioMode::Streaming, 20, 20) };
        self.mode.get_or_insert(mode);
        self.tx_queue.get_or_insert(tx_queue);
        self.tx_buffers.get_or_insert(tx_buffers);
        self.throttle_high.get_or_insert(if linux { 0 } else { throttle_high(bus) });
        // A frame that is read in half duplex gets a buffer and has its checksum tested, as one that is written: *assumed* to take as long.
        let [write_frame, read_frame] = match bus {
            Transport::Spi | Transport::SpiHd => [own.spi.exchange_frame; 2],
            Transport::Sdio | Transport::None => [Some(own.write_frame), Some(own.read_frame)],
        };
        self.write_frame = self.write_frame.or(write_frame);
        self.read_frame = self.read_frame.or(read_frame);
        self.turn = self.turn.or(own.spi.turn);
    }

    /// Costs of the tasks around the bus where the personality says `own`.
    pub fn costs(&self, own: Costs) -> Costs {
        Costs {
            write_frame: self.write_frame.unwrap_or(own.write_frame),
            exchange_frame: self.write_frame.unwrap_or(own.exchange_frame),
            read_frame: self.read_frame.unwrap_or(own.read_frame),
            turn: self.turn.unwrap_or(own.turn),
            shared_core: self.shared_core,
            ..own
        }
    }

    /// Mode of SDIO.
    pub fn mode(&self) -> SdioMode {
        self.mode.unwrap_or(SdioMode::Streaming)
    }

    /// Frames of each priority in front of the bus on the host.
    pub fn tx_queue(&self) -> u16 {
        self.tx_queue.unwrap_or_default()
    }

    /// Buffers of the co-processor to the host.
    pub fn tx_buffers(&self) -> u16 {
        self.tx_buffers.unwrap_or_default()
    }

    /// The clock and the lines.
    pub const fn timing(&self) -> BusTiming {
        let lines = match self.sdio_lines {
            Lines::One => 1,
            Lines::Four => 4,
        };
        // The key keeps it within 50 MHz.
        BusTiming { hz: self.sdio_clock.0 as u32, lines }
    }

    /// The clock and the lines of SPI in half duplex.
    pub const fn half_duplex(&self) -> HalfDuplexTiming {
        let lines = match self.spi_lines {
            SpiLines::One => 1,
            SpiLines::Two => 2,
            SpiLines::Four => 4,
        };
        HalfDuplexTiming { hz: self.spi_clock.0 as u32, lines }
    }

    /// The clock of SPI. The key keeps it within 40 MHz.
    pub const fn spi(&self) -> SpiTiming {
        SpiTiming { hz: self.spi_clock.0 as u32 }
    }

    /// Octets of the image of an update. The key keeps them within 2 MB.
    pub const fn image_octets(&self) -> u32 {
        self.image.0 as u32
    }

    /// Load in percent above which the co-processor throttles, and below which it stops.
    pub fn throttle(&self) -> (u8, u8) {
        (self.throttle_high.unwrap_or_default(), self.throttle_low)
    }
}

/// Kconfig of the host: `ESP_HOSTED_PRIV_WIFI_TX_SPI_HIGH_THRESHOLD` and `..._SDIO_...`.
const fn throttle_high(bus: Transport) -> u8 {
    match bus {
        Transport::Spi => 90,
        Transport::Sdio | Transport::SpiHd | Transport::None => 80,
    }
}
