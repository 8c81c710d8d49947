//! What every test of a station needs: a controller below it, and terms above.

use airtime_ble::controller::Controller;
use airtime_ble::host::Starved;
use airtime_ble::medium::{Medium, Transmission};
use airtime_ble::network::{Device, Network, Observer};
use airtime_ble::personality;
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{Duration, Instant, Pool};
use airtime_guest::report::Report;
use airtime_guest::trouble::{PACKETS_DEFAULT, TroubleConfig, TroubleStation};
use airtime_trouble::Terms;

/// The PSM of every test.
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

/// Observer that takes no notes.
pub struct Nobody;

impl Observer<Report> for Nobody {
    fn transmission(&mut self, _transmission: &Transmission, _verdict: Verdict) {}
    fn trace(&mut self, _now: Instant, _device: usize, _trace: &Trace, _starved: Option<Starved>) {}
    fn event(&mut self, _now: Instant, _device: usize, _event: &Report) {}
}

/// Both stations on an air without loss, the central first.
pub fn network([central, peripheral]: [TroubleStation; 2], pool: &Pool) -> Network<TroubleStation, Nobody> {
    let devices = vec![
        Device { controller: controller(0, pool), station: central },
        Device { controller: controller(1, pool), station: peripheral },
    ];
    let loss = LossProcess::new(Loss::None, stream(1, "link/loss"));
    Network::new(Medium::new(2, loss, false), devices, Nobody)
}
