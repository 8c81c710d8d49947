//! What every test of a station needs: a controller below it, and terms above.

use airtime_ble::controller::Controller;
use airtime_ble::personality::{self, Budget, CompletedPackets};
use airtime_core::{Duration, Pool};
use airtime_guest::trouble::{PACKETS_DEFAULT, TroubleConfig};
use airtime_trouble::Terms;

/// The PSM of every test: there is no discovery.
pub const PSM: u16 = 0x0080;

/// TrouBLE's own terms on it.
pub const HOST: TroubleConfig = TroubleConfig { terms: Terms::new(PSM), packets: PACKETS_DEFAULT };

/// A controller without quirks: no margin, decides when a packet ends, no caps.
const PLAIN: personality::Controller = personality::Controller {
    margin: Duration::ZERO,
    budget: Budget::EmptyReply,
    event_time_cap: None,
    event_pdu_cap: None,
    crc_errors_close: 2,
    queue_ahead: Duration::from_micros(150),
    completed_packets: CompletedPackets::PerPdu,
    acl_count: 3,
    acl_size: 251,
    rx_buffers: 6,
    data_octets: 251,
    frame_space_min: None,
    phy_2m: true,
    phy_coded: false,
    csa2: true,
    parameter_request: true,
    link_spacing: Duration::from_micros(3_750),
    clock_ppm: 50,
    interval_min: Duration::from_micros(7_500),
};

/// The controller of device number `index`.
pub fn controller(index: u8, pool: &Pool) -> Controller {
    Controller::new(PLAIN, [index, 0, 0, 0x5e, 0x00, 0xc0], pool.clone())
}
