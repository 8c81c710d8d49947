//! Nobody at the other end.

use airtime_core::{Duration, Instant};
use airtime_ota::boot::Finding;
use airtime_ota::direct::Side;

use crate::chips::{EVER, Happened, NEW, Pair, firmware, with_slots};

#[test]
fn a_line_that_is_silent_is_found_out() {
    let mut pair = Pair::new(with_slots(&firmware(NEW, 8_192)), true);
    pair.power_on(Side::Host);
    assert_eq!(pair.run(EVER), Happened::Found(Finding::Unreachable));
    assert!(pair.now() < Instant::ZERO + Duration::from_secs(180), "{}", pair.now());
    assert_eq!(Finding::Unreachable.to_string(), "the co-processor does not answer, though it was reset");
}
