//! What every test of a station needs: a controller below it, and terms above.

use airtime_ble::controller::Controller;
use airtime_ble::personality;
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
    frame_space_min: None,
    phy_coded: false,
    suggested_octets: 251,
    ..personality::Controller::ZEPHYR_LL
};

/// The controller of device number `index`.
pub fn controller(index: u8, pool: &Pool) -> Controller {
    Controller::new(PLAIN, [index, 0, 0, 0x5e, 0x00, 0xc0], pool.clone())
}
