//! Published rows of P4 and C6 (esp-hosted-mcu `docs/performance_optimization.md`). UDP from the host chose the time of the
//! co-processor's CPU for a frame; the other three chose nothing.

use airtime_core::Instant;
use airtime_core::ledger::Account as _;
use airtime_core::units::Bitrate;
use airtime_wifi::air::Aggregation;
use airtime_wifi::ledger::{Books, Direction};
use airtime_wifi::mac::Backoff;

use super::rig::{Scenario, Test};

/// What has arrived, in Mbit/s.
fn goodput(test: Test) -> f64 {
    let scenario = Scenario::espressif(test);
    let network = scenario.run(());
    let up = matches!(test, Test::UdpUp { .. } | Test::TcpUp { .. });
    let meter = if up { network.far.0.watch() } else { network.above.0.watch() };
    scenario.mbps(meter.octets)
}

#[test]
fn what_was_calibrated_comes_out_and_what_was_not_is_near() {
    let rate = Bitrate(60_000_000);
    for (test, published, tolerance) in [
        (Test::UdpUp { payload: 1_470, rate: None }, 50.0, 0.01),
        (Test::UdpDown { payload: 1_470, rate }, 49.0, 0.15),
        (Test::TcpUp { write: 16_384, nodelay: true }, 32.0, 0.15),
        (Test::TcpDown, 30.0, 0.15),
    ] {
        let goodput = goodput(test);
        assert!((goodput / published - 1.0).abs() < tolerance, "{test:?}: {goodput:.2} against {published}");
    }
}

/// Nothing but the air: a stack right on the station is as fast as the closed form of reference tables, HT20 MCS 7 with
/// the short guard interval, 1400 octets of UDP: 65.47 Mbit/s with 32 MPDUs and 31.24 with one.
#[test]
fn the_air_alone_is_the_closed_form() {
    for (window, cycle_ns, mpdus) in [(32, 5_474_500u64, 32u64), (1, 358_500, 1)] {
        let mut scenario = Scenario::air(Test::UdpUp { payload: 1_400, rate: None });
        scenario.cell.backoff = Backoff::Mean;
        scenario.cell.stations[0].aggregation = Aggregation::ht(window);
        let network = scenario.run(Books::new(Instant::ZERO, Direction::Up));
        let octets = network.observer.counts().payload[0];
        let cycles = scenario.span.as_nanos() / cycle_ns;
        // The first A-MPDU goes with what there was, so all others are early by the rest; the last may not be over.
        let (exact, ampdu) = (cycles * mpdus * 1_400, mpdus * 1_400);
        assert!(octets.abs_diff(exact) <= ampdu, "{octets} of {exact}");
        // Up to the last exchange: one under way counts as idle so far.
        let idle = network.observer.ledger().entries().filter(|(account, _)| account.name().starts_with("idle."));
        assert_eq!(idle.map(|(_, span)| span.as_nanos()).sum::<u64>(), 0, "a saturated station is never idle");
    }
}
