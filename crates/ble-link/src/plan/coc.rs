//! Keys of a credit-based channel.

use airtime_core::units::Bitrate;
use airtime_keys::Keys;

use super::pacing::{PACING, Pacing};
use airtime_ble::personality;
use airtime_ble::personality::{CREDITS, CreditWord};

/// Keys of a credit-based channel, but for the parts of its credit policy.
// Core 6.0, Vol 3, Part A, 4.22: MTU 23..=65535, MPS 23..=65533.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "coc")]
pub struct Coc {
    /// Octets per SDU.
    #[key(
        range = 1..=65_535, from = "492, or the receiver's MTU if that is less", whose = Sender, steps = [Fitting],
        mechanism = Packet
    )]
    pub sdu: Option<u16>,
    /// Largest K-frame payload the receiver takes.
    #[key(
        range = 23..=65_533, from = "the receiver's personality", whose = Receiver, steps = [Fitting],
        config = [
            // esp-idf, nimble/port/include/esp_nimble_cfg.h: BLE_L2CAP_COC_MPS is the size of these blocks less 8.
            radio("CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE", Form::CountAnd(8)), radio("CONFIG_BT_BLE_L2CAP_COC_MPS", Form::Count),
            mynewt("BLE_L2CAP_COC_MPS", Form::Count)
        ],
        mechanism = Packet
    )]
    pub mps: Option<u16>,
    /// Largest SDU the receiver takes.
    #[key(
        range = 23..=65_535, from = "the receiver's personality", whose = Receiver, steps = [Half, Double],
        mechanism = Packet, way = More
    )]
    pub mtu: Option<u16>,
    /// PSM on which channels are opened, without a look at what the peripheral publishes. Absent: it publishes the first dynamic one, 128, and
    /// the central reads it.
    // LE dynamic PSMs. Core 6.0, Vol 3, Part A, 4.22.
    #[key(range = 128..=255)]
    pub psm: Option<u16>,
    /// SDUs per channel the application has under way at once.
    #[key(range = 1..=255, default = 6, whose = Sender, steps = [Half, Double], mechanism = Underway, way = More)]
    pub in_flight: u8,
    /// Channels per connection that stream at once.
    #[key(range = 1..=4, default = 1, whose = Sender, steps = [Less(1), More(1)], mechanism = Underway, way = More)]
    pub channels: u8,
    /// L2CAP transmit buffers of the sender's stack.
    #[key(
        range = 1..=255, from = "the sender's personality", whose = Sender, steps = [Half, Double],
        config = [zephyr("CONFIG_BT_L2CAP_TX_BUF_COUNT", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub tx_buffers: Option<u8>,
    /// Pace of the application: it waits for room, or sleeps after each SDU.
    #[key(kind = PACING, default = "semaphore", whose = Sender, mechanism = Handover)]
    pub pacing: Pacing,
    /// Payload that the application offers on each connection, an SDU at even times; what is late is made up for. Absent: it always has more.
    #[key(mechanism = Offered)]
    pub offered: Option<Bitrate>,
    /// Policy by which the receiver hands out credits.
    #[key(kind = CREDITS, from = "the receiver's personality", whose = Receiver, mechanism = Underway)]
    pub credits: Option<CreditWord>,
}

impl Coc {
    /// Puts the terms that the plan names into a receiver's host.
    pub(super) fn apply(&self, host: &mut personality::Host) {
        host.coc_mps = self.mps.unwrap_or(host.coc_mps);
        host.coc_mtu = self.mtu.unwrap_or(host.coc_mtu);
    }
}
