//! The handshake: who the co-processor is, and what the host answers. Source: `generate_startup_event`,
//! `host_to_slave_reconfig`.

use super::{Coprocessor, CoprocessorDrop, Power, Received};
use crate::rpc::Event;
use crate::rpc::proto::EspInit;
use crate::wire::start::{CoprocessorStart, HostStart, Version, capability, extended, raw_throughput};
use crate::wire::{Bus, Header};

/// From here on it says how it sends over SDIO.
const SDIO_MODE: Version = Version { major: 2, minor: 12, patch: 0 };

impl Coprocessor {
    /// Over SPI and a UART nobody has to open anything: it says who it is, and queues its first transaction. Source: `datapath` in
    /// `app_main`, `generate_startup_event` of `spi_slave_api.c`, and `uart_rx_task`, which opens the data path itself.
    pub(super) fn start_exchanges(&mut self) {
        if !matches!(self.config.bus, Bus::Spi | Bus::Uart) {
            return;
        }
        (self.power, self.data_path) = (Power::Runs, true);
        self.say_who();
        self.prepare_exchange();
        self.update_line();
    }

    /// The host has opened the data path: it hears who this is, and that the server is there.
    pub(super) fn say_who(&mut self) {
        let config = &self.config;
        let checksum = if config.checksum { capability::CHECKSUM } else { 0 };
        let [major, minor, patch] = self.server.firmware.version.map(|number| number as u8);
        let firmware = Version { major, minor, patch };
        let (wlan, sdio) = match config.bus {
            Bus::Spi => (capability::WLAN_SPI, false),
            Bus::SpiHalfDuplex | Bus::Uart => (0, false),
            Bus::Sdio => (capability::WLAN_SDIO, true),
        };
        let start = CoprocessorStart {
            chip: Some(config.chip),
            capabilities: Some(wlan | checksum),
            raw_throughput: Some(raw_throughput::NONE),
            tx_queue: Some(config.tx_buffers.min(255) as u8),
            rx_queue: Some(config.rx_buffers.min(255) as u8),
            firmware: Some(firmware),
            // Support of Wi-Fi over transports that have no bit among the capabilities.
            extended: match config.bus {
                Bus::SpiHalfDuplex => Some(1 << 4),
                Bus::Uart => Some(extended::WLAN_UART),
                Bus::Sdio | Bus::Spi => None,
            },
            sdio_mode: (sdio && firmware >= SDIO_MODE).then_some(config.mode),
            ..CoprocessorStart::default()
        };
        let mut frame = self.pool.packet();
        start.emit(&config.layout(), &mut frame);
        self.serial.push_back(frame);
        self.send_serial();
        self.event(Event::EspInit(EspInit::default()));
    }

    /// The host has answered.
    pub(super) fn host_started(&mut self, received: &Received) {
        let octets = received.payload.len();
        if received.header.kind != Header::PRIVATE_EVENT {
            return self.told.lost(CoprocessorDrop::Invalid, octets);
        }
        let Ok(start) = HostStart::parse(&received.payload) else {
            return self.told.lost(CoprocessorDrop::Invalid, octets);
        };
        let (high, low) = self.throttle_percent;
        self.throttle_percent =
            (start.throttle_high_percent.unwrap_or(high), start.throttle_low_percent.unwrap_or(low));
        // Firmware on trial has met its host before it says which version it is.
        if let Some(flash) = &mut self.server.flash {
            self.told.counters.flash_errors += u64::from(flash.confirm().result.is_err());
        }
    }
}
