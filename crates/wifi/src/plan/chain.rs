//! The chain of host, bus and co-processor: the key that names it, and the keys of its personality.

use alloc::string::String;

use airtime_core::Duration;
use airtime_core::units::Frequency;
use airtime_keys::{Keys, Personality, Words};
use airtime_net::lwip;

use crate::hosted::host::Driver;
use crate::network::Costs;

/// Key that names the chain.
#[derive(Clone, Debug, PartialEq, Eq, Keys)]
#[keys(table = "wifi")]
pub struct Board {
    /// Chain of host, bus and co-processor.
    #[key(kind = Kind::Personality, default = "esp32-p4-c6")]
    pub personality: String,
}

/// Chain of host, bus and co-processor: the keys of its personality.
#[derive(Clone, Debug, PartialEq, Keys)]
#[keys(table = "", required)]
pub struct Chain {
    /// Operating system of the host.
    #[key(nested)]
    pub system: System,
    /// Time of the host's tasks at the bus.
    #[key(nested)]
    pub bus: Tasks,
    /// CPU time of the host's TCP/IP stack.
    #[key(nested)]
    pub stack: lwip::Costs,
    /// The co-processor.
    #[key(nested)]
    pub coprocessor: Coprocessor,
    /// Memories of the chips and sizes of what is in them.
    #[key(nested)]
    pub memory: Memory,
}

impl Personality for Chain {
    const LINK: &'static str = "wifi-hosted";
    const ABOUT: &'static str = "a chain of host, bus and Wi-Fi co-processor";
}

impl Chain {
    /// Time of tasks at both ends of the bus. That they share a core with the sender is the plan's business.
    pub fn costs(&self) -> Costs {
        let Tasks { transaction, wake, write_frame, read_frame, copy_frame, spi } = self.bus;
        let Coprocessor { to_air, from_air, .. } = self.coprocessor;
        Costs {
            transaction,
            wake,
            write_frame,
            read_frame,
            copy_frame,
            turn: spi.turn.unwrap_or_default(),
            exchange_frame: spi.exchange_frame.unwrap_or_default(),
            command: spi.command,
            to_air,
            from_air,
            shared_core: false,
        }
    }
}

/// Operating system of the host, which brings the TCP/IP stack and the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "host")]
pub struct System {
    /// Operating system: FreeRTOS has lwIP and the driver of ESP-Hosted-MCU, Linux its own stack and the module of ESP-Hosted-FG or -NG.
    #[key(default = "freertos")]
    pub system: OperatingSystem,
    /// Sleep of the writing task of the Linux module where it finds nothing to write; 0us is none, as in ESP-Hosted-FG.
    #[key(range = "0us"..="1s", default = "0us")]
    pub nap: Duration,
}

/// Operating system of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum OperatingSystem {
    /// FreeRTOS, with ESP-IDF.
    #[word("freertos")]
    FreeRtos,
    /// Linux.
    Linux,
}

impl System {
    /// Driver of the host's side.
    pub fn driver(&self) -> Driver {
        match self.system {
            OperatingSystem::FreeRtos => Driver::Mcu,
            OperatingSystem::Linux => Driver::Linux { nap: self.nap },
        }
    }
}

/// Times of the host's tasks at the bus, besides the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "bus", required)]
pub struct Tasks {
    /// Host: a register access besides the wire.
    #[key(range = "0us"..="1s")]
    pub transaction: Duration,
    /// Host: from the card's interrupt to the first transaction of the task that reads.
    #[key(range = "0us"..="1s")]
    pub wake: Duration,
    /// Host: a frame that is written, besides the wire: buffer, header, copy, mutex, switch of tasks.
    #[key(range = "0us"..="1s")]
    pub write_frame: Duration,
    /// Host: a frame that is read, besides the wire.
    #[key(range = "0us"..="1s")]
    pub read_frame: Duration,
    /// Host: the second copy of a frame that was read, in the task behind the reading one.
    #[key(range = "0us"..="1s")]
    pub copy_frame: Duration,
    /// Times of SPI.
    #[key(nested)]
    pub spi: Exchanges,
}

/// Times of SPI besides the wire. Those of one pair of chips say nothing of another: a plan with SPI has them from the personality, or says them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Keys)]
#[keys(table = "bus")]
pub struct Exchanges {
    /// SPI: from the end of a transaction until the host begins the next: the co-processor queues it and raises its handshake line, the
    /// host's task hears of it.
    #[key(range = "0us"..="1s", from = "the plan, where it has SPI")]
    pub turn: Option<Duration>,
    /// SPI, host: a frame that goes into a transaction, besides: buffer, header, copy, checksum.
    #[key(range = "0us"..="1s", from = "the plan, where it has SPI")]
    pub exchange_frame: Option<Duration>,
    /// SPI in half duplex, host: a transaction of the SPI driver besides the wire. That of an ESP32-P4 at most: ESP-IDF, spi_performance.h.
    #[key(range = "0us"..="1s", default = "44us")]
    pub command: Duration,
}

/// Properties of the co-processor: time of its tasks, and limits of its radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "coprocessor", required)]
pub struct Coprocessor {
    /// A frame from the SDIO buffers of the co-processor to its Wi-Fi transmit buffers.
    #[key(range = "0us"..="1s")]
    pub to_air: Duration,
    /// A frame from its Wi-Fi receive buffers to its SDIO buffers.
    #[key(range = "0us"..="1s")]
    pub from_air: Duration,
    /// Support of HE in 40 MHz.
    pub he_40mhz: bool,
    /// Highest HE rate index of the radio.
    #[key(range = 0..=11)]
    pub he_mcs_max: u8,
    /// Support of 5 GHz.
    pub band_5ghz: bool,
    /// Limits that only older chips have.
    #[key(nested)]
    pub limits: Limits,
}

/// Limits that only older chips have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "coprocessor")]
pub struct Limits {
    /// Support of 802.11ax.
    #[key(default = true)]
    pub he: bool,
    /// Highest clock that its SPI takes as a slave.
    #[key(range = "1MHz"..="40MHz", default = "40MHz")]
    pub spi_clock_max: Frequency,
    /// Support of SPI in half duplex.
    #[key(default = true)]
    pub spi_half_duplex: bool,
}

/// Memories of a chain's chips and sizes of what is in them, in octets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Keys)]
#[keys(table = "memory", required)]
pub struct Memory {
    /// RAM within the host chip that its program can use.
    #[key(octets, range = "0B"..="1000MB")]
    pub host_internal: u64,
    /// RAM beside it.
    #[key(octets, range = "0B"..="1000MB")]
    pub host_external: u64,
    /// RAM within the co-processor that its program can use.
    #[key(octets, range = "0B"..="1000MB")]
    pub coprocessor: u64,
    /// Octets of a buffer of the transport, on either side.
    #[key(octets, range = "0B"..="1000MB")]
    pub transport_block: u64,
    /// Octets of a Wi-Fi buffer.
    #[key(octets, range = "0B"..="1000MB")]
    pub wifi_buffer: u64,
    /// Octets of a packet of the stack with its descriptor.
    #[key(octets, range = "0B"..="1000MB")]
    pub pbuf: u64,
}
