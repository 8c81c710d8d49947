//! A connection that is lost: both ends hear of it, and keep nothing of it.

use airtime_app::Outcome;
use airtime_ble::hci::Status;
use airtime_ble::medium::Medium;
use airtime_ble_link::run::{Recorder, build};
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{Duration, EventLoop, Instant};

use super::hosts::{Trouble, plan};
use crate::support;

#[test]
fn a_supervision_timeout_ends_the_stream_at_both_ends() {
    let credits = "{ initial = 16, on_connect = 0, grant = 1, every = 1 }";
    let (_, point) = plan([Trouble, Trouble], &[("coc.credits", credits)]);
    let mut network = build(support::ble(&point), 1, Recorder::new(support::ble(&point)));
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

    let timeout = Status::CONNECTION_TIMEOUT;
    assert_eq!(network.observer.ended(), Some(Outcome::Disconnected { reason: timeout.0 }));
    assert_eq!(network.observer.lost(), [timeout]);
    for device in &network.devices {
        let station = device.station.trouble().expect("both ends have TrouBLE");
        assert_eq!(station.application().reasons().as_slice(), [timeout.0]);
        assert_eq!(station.guest().node().packets_in_use(), 0);
    }
}
