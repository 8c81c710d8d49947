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
        }
    }
}

impl HostConfig {
    /// Interface of its packets.
    pub const fn interface(&self) -> Interface {
        Interface::of_network(self.access_point)
    }

    /// Layout of its frames.
    pub const fn layout(&self) -> Layout {
        Layout { checksum: self.checksum, ..Layout::of(self.bus.transport()) }
    }
}
