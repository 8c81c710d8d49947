//! TrouBLE wakes itself until its controller has answered the whole start-up. Time has to go on
//! meanwhile when the answers take time.

use std::collections::VecDeque;

use airtime_app::PeripheralConfig;
use airtime_ble::controller::Input;
use airtime_ble::controller::outbox::Output;
use airtime_ble::host::HostEvent;
use airtime_ble::network::{Station, StationOutput};
use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_guest::guest::STEP;
use airtime_guest::report::Report;
use airtime_guest::trouble::TroubleStation;

use crate::support::{HOST, controller};

/// A host whose controller answers `delay` after it was asked: when it was ready, how many commands
/// it took, and how often it was made to rest.
fn start(delay: Duration) -> (Instant, u64, u64) {
    let pool = Pool::new();
    let mut controller = controller(1, &pool);
    let mut station = TroubleStation::peripheral(PeripheralConfig::default(), HOST, pool);
    let (mut now, mut commands) = (Instant::ZERO, 0);
    let mut answers: VecDeque<(Instant, Packet)> = VecDeque::new();
    loop {
        while let Some(output) = station.poll(now) {
            match output {
                StationOutput::Event(Report::Host(HostEvent::Ready)) => {
                    return (now, commands, station.guest().rests());
                }
                StationOutput::Event(other) => panic!("not yet: {other:?}"),
                StationOutput::Hci(packet) => {
                    commands += 1;
                    controller.handle(now, Input::Hci(&packet));
                    while let Some(output) = controller.poll(now) {
                        if let Output::Hci(answer) = output {
                            answers.push_back((now + delay, answer));
                        }
                    }
                }
            }
        }
        let wake = station.deadline();
        let answer = answers.front().map(|(due, _)| *due);
        now = wake.into_iter().chain(answer).min().expect("somebody wants to be woken");
        assert!(now < Instant::ZERO + Duration::from_secs(10), "the host starts");
        match answers.pop_front_if(|(due, _)| *due <= now) {
            Some((_, answer)) => station.hci(now, &answer),
            None => station.wake(now),
        }
    }
}

#[test]
fn answers_at_once_cost_no_time() {
    let (ready, commands, rests) = start(Duration::ZERO);
    assert_eq!((ready, rests), (Instant::ZERO, 0));
    assert!(commands >= 8, "a start-up takes some commands: {commands}");
}

#[test]
fn late_answers_are_waited_for_in_steps() {
    let delay = Duration::from_millis(1);
    let (ready, commands, rests) = start(delay);
    assert_eq!(ready, Instant::ZERO + delay * commands, "not a step later");
    assert!(rests > 0 && rests <= commands * (delay / STEP), "{rests} rests for {commands} commands");
}
