//! Configuration of the co-processor.

use airtime_core::Duration;

use crate::host::V2_11_7;
use crate::raw::{Firmware, id};
use crate::rpc::proto::WifiInitConfig;
use crate::wire::start::{SdioMode, Version, chip};
use crate::wire::{Bus, Interface, Layout};

/// Configuration of the co-processor (Kconfig of the slave).
#[derive(Clone, Debug, PartialEq)]
pub struct CoprocessorConfig {
    /// Version of its firmware.
    pub version: Version,
    /// Number of its chip.
    pub chip: u8,
    /// Bus that it is built for.
    pub bus: Bus,
    /// SDIO buffers from the host, or frames of each priority that SPI has brought. Kconfig: 20.
    pub rx_buffers: u16,
    /// Buffers to the host. Kconfig: 20.
    pub tx_buffers: u16,
    /// Load of the receive queue in percent above which it throttles, and below which it stops; 0 is never. The host's
    /// start-up event sets both; these count for [`booted`](super::Coprocessor::booted) only.
    pub throttle_percent: (u8, u8),
    /// Set if headers carry checksums.
    pub checksum: bool,
    /// Mode of SDIO: one frame per read of the host, or many.
    pub mode: SdioMode,
    /// Attempts to hand a frame to the Wi-Fi driver. Source: `MAX_WIFI_STA_TX_RETRY`; 1 without
    /// `ESP_HOSTED_WIFI_TX_RETRY_ENABLED`.
    pub wifi_tries: u8,
    /// Delay after each attempt in vain when there are several.
    pub wifi_retry_delay: Duration,
    /// Set if it is a soft access point and no station: then there is one attempt, whatever `wifi_tries` says. Source: `process_rx_pkt`.
    pub access_point: bool,
    /// Its address, and that of the access point it joins. *Assumed*, locally administered.
    pub mac: [u8; 6],
    /// The access point's.
    pub bssid: [u8; 6],
    /// Custom messages that its table holds: 3 unless `MAX_CUSTOM_MSG_HANDLERS` says otherwise; 0 without
    /// `ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER`, as in a factory image.
    pub handlers: usize,
    /// Number of the event that carries a heard frame, in a firmware with the extension for
    /// [raw frames](crate::raw), whose commands take four places of that table. None in a factory image.
    pub raw: Option<u32>,
    /// Values of Wi-Fi that it was compiled with.
    pub wifi: WifiInitConfig,
    /// From reset until the card answers. *Assumed*: the host waits 1.5 s and finds it at its first attempt.
    pub boot_time: Duration,
}

impl Default for CoprocessorConfig {
    fn default() -> Self {
        Self {
            version: V2_11_7,
            bus: Bus::Sdio,
            chip: chip::ESP32_C6,
            rx_buffers: 20,
            tx_buffers: 20,
            throttle_percent: (80, 60),
            checksum: false,
            mode: SdioMode::Streaming,
            wifi_tries: 2,
            wifi_retry_delay: Duration::from_millis(1),
            access_point: false,
            mac: [2, 0, 0, 0, 0, 1],
            bssid: [2, 0, 0, 0, 0, 3],
            handlers: 0,
            raw: None,
            wifi: compiled_wifi(),
            boot_time: Duration::from_millis(800),
        }
    }
}

impl CoprocessorConfig {
    /// Adds the extension for raw frames, built as it has to be: `MAX_CUSTOM_MSG_HANDLERS=8`.
    #[must_use]
    pub fn with_raw_frames(self, packet_id: u32) -> Self {
        Self { handlers: 8, raw: Some(packet_id), ..self }
    }

    /// Firmware as its service for raw frames sees it.
    pub(super) fn firmware(&self) -> Firmware {
        self.raw.map_or(Firmware::Factory, |packet_id| Firmware::Raw { handlers: self.handlers, packet_id })
    }

    /// Places of the table that are left for the application.
    pub(super) fn free_handlers(&self) -> usize {
        if self.raw.is_some() { self.handlers.saturating_sub(id::COMMANDS.len()) } else { self.handlers }
    }

    /// Interface of its packets.
    pub const fn interface(&self) -> Interface {
        Interface::of_network(self.access_point)
    }

    /// Attempts to hand a frame to the Wi-Fi driver.
    pub(super) fn tries(&self) -> u8 {
        if self.access_point { 1 } else { self.wifi_tries.max(1) }
    }

    /// Layout of its frames.
    pub const fn layout(&self) -> Layout {
        Layout { checksum: self.checksum, ..Layout::of(self.bus.transport()) }
    }
}

/// Source: `slave/sdkconfig.defaults.esp32c6`, and ESP-IDF's defaults for what is not in it.
fn compiled_wifi() -> WifiInitConfig {
    WifiInitConfig {
        static_rx_buf_num: 10,
        dynamic_rx_buf_num: 32,
        tx_buf_type: 1,
        dynamic_tx_buf_num: 32,
        ampdu_rx_enable: 1,
        ampdu_tx_enable: 1,
        nvs_enable: 1,
        rx_ba_win: 6,
        beacon_max_len: 752,
        mgmt_sbuf_num: 32,
        espnow_max_encrypt_num: 7,
        // `WIFI_INIT_CONFIG_MAGIC`
        magic: 0x1f2f_3f4f,
        rx_mgmt_buf_num: 5,
        ..WifiInitConfig::default()
    }
}
