//! A connection that is lost: both ends hear of it, and keep nothing of it.

mod support;

use airtime_app::Outcome;
use airtime_ble::medium::Medium;
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{Duration, EventLoop, Instant};
use support::Kind::Trouble;
use support::{build, scenario};

/// Connection timeout. Core 6.0, Vol 1, Part F, 2.8.
const TIMEOUT: u8 = 0x08;

#[test]
fn a_supervision_timeout_ends_the_stream_at_both_ends() {
    let scenario = scenario(&[("coc.credits", "{ initial = 16, on_connect = 0, grant = 1, every = 1 }")]);
    let mut network = build(&scenario, [Trouble, Trouble], 1);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    let limit = Instant::ZERO + Duration::from_secs(60);
    while network.observer.streaming() == 0 {
        assert!(events.step(&mut network, limit), "the stream starts");
    }
    let second = events.now() + Duration::from_secs(1);
    events.run_until(&mut network, second);

    let nothing_arrives = LossProcess::new(Loss::Packet { per: 1.0 }, stream(1, "test/cut"));
    network.medium = Medium::new(network.devices.len(), nothing_arrives, false);
    events.refresh(&network);
    let later = events.now() + Duration::from_secs(10);
    events.run_until(&mut network, later);

    assert_eq!(network.observer.ended(), Some(Outcome::Disconnected { reason: TIMEOUT }));
    for device in &network.devices {
        let station = device.station.trouble().expect("both ends have TrouBLE");
        assert_eq!(station.application().reasons().as_slice(), [TIMEOUT]);
        assert_eq!(station.guest().node().packets_in_use(), 0);
    }
}
