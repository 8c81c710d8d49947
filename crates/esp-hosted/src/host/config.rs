//! Configuration of the host's side.

use airtime_core::Duration;

use crate::wire::start::{SdioMode, Version, chip};
use crate::wire::{Bus, Interface, Layout};

/// The version that the published test ran.
pub const V2_11_7: Version = Version { major: 2, minor: 11, patch: 7 };
/// From here on buffers come from a pool of fixed size.
pub const FIXED_POOL: Version = Version { major: 2, minor: 12, patch: 4 };
/// From here on the reading task waits for the splitting one instead of dropping a burst, and looks again then. What the
/// release does in detail is *assumed*: issue 197 of esp-hosted-mcu reports the message of a dropped burst with it too.
pub const PENDING_READ: Version = Version { major: 2, minor: 12, patch: 12 };

/// Driver of the host's side, where drivers differ in how they treat a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Driver {
    /// ESP-Hosted-MCU's. A task that finds its queue full stands still; the writing task holds the bus while it waits for credits, through
    /// 50 polls.
    #[default]
    Mcu,
    /// The Linux module of ESP-Hosted-FG and -NG (espressif/esp-hosted at 0ed22cbc, `esp_sdio.c`). The packet that finds its queue full is freed, and
    /// the queue is stopped until a fifth of it is left (`TX_MAX_PENDING_COUNT`, `TX_RESUME_THRESHOLD`); two polls for a credit, each followed by
    /// a sleep without the bus, and the frame is freed (`MAX_WRITE_RETRIES`, `usleep_range(10, 50)`). Both without a word.
    Linux {
        /// Sleep of the writing task where it finds nothing to write: none in FG, which waits; `msleep(1)` in NG.
        nap: Duration,
    },
}

/// Configuration of the host's side (Kconfig).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostConfig {
    /// Version of the host's side.
    pub version: Version,
    /// Bus that it is built for.
    pub bus: Bus,
    /// Frames of each priority in front of the bus. Kconfig: 20.
    pub tx_queue: u16,
    /// Frames of each priority behind it. Kconfig: 20.
    pub rx_queue: u16,
    /// Set if headers carry checksums; off for SDIO unless configured on both sides.
    pub checksum: bool,
    /// Mode of SDIO: one frame per read, or all that is available at once. Has to be the co-processor's mode.
    pub mode: SdioMode,
    /// Load of the co-processor's receive queue in percent above which it is to throttle, and below which it is to stop.
    /// A first mark of 0 turns throttling off. Kconfig: 80 and 60.
    pub throttle_percent: (u8, u8),
    /// From the reset of the co-processor until the card is looked for. Source: `H_HOST_SDIO_RESET_DELAY_MS`; what a
    /// board needs beyond it until the link is up is added here by its personality.
    pub reset_delay: Duration,
    /// Chip of the co-processor that it is built for.
    pub chip: u8,
    /// Set if packets go through the interface of a soft access point and not through that of a station. That one looks at no throttle.
    /// Source: `transport_drv_ap_tx`.
    pub access_point: bool,
    /// Driver that it is.
    pub driver: Driver,
}

impl Default for HostConfig {
    fn default() -> Self {
        Self {
            version: V2_11_7,
            bus: Bus::Sdio,
            tx_queue: 20,
            rx_queue: 20,
            checksum: false,
            mode: SdioMode::Streaming,
            throttle_percent: (80, 60),
            reset_delay: Duration::from_millis(1_500),
            chip: chip::ESP32_C6,
            access_point: false,
            driver: Driver::Mcu,
        }
    }
}

impl HostConfig {
    /// Interface of its packets.
    pub const fn interface(&self) -> Interface {
        Interface::of_network(self.access_point)
    }

    /// Number of frames below which a queue that was stopped goes on; none where tasks stand still for a single place.
    pub(super) fn resume_below(&self) -> Option<usize> {
        matches!(self.driver, Driver::Linux { .. }).then(|| (usize::from(self.tx_queue) / 5).max(1))
    }

    /// Layout of its frames.
    pub const fn layout(&self) -> Layout {
        Layout { checksum: self.checksum, ..Layout::of(self.bus.transport()) }
    }
}
