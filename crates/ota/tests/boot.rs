//! The host's sequence.

use airtime_core::{Duration, Instant};
use airtime_ota::boot::{Boot, BootConfig, BootOutput, Finding, Phase};
use airtime_ota::direct::{Direct, DirectConfig, Happened};
use airtime_ota::flash::Nor;
use airtime_ota::image::ImageFault;
use airtime_ota::stage::STRIKES;

use super::support::{NEW, OLD, PUBLISHED, firmware, pair, room, run, slots, version};

const EVER: Instant = Instant::from_nanos(u64::MAX);

#[test]
fn the_published_image_takes_845_writes_and_more_than_8_45_seconds() {
    for rollback in [false, true] {
        let mut pair = pair(DirectConfig::published(room()), &firmware(NEW, PUBLISHED), rollback, 1);
        let mut begun = None;
        while pair.progress().is_some_and(|progress| progress.phase < Phase::Activate) {
            assert_eq!(pair.step(EVER), Happened::Step);
            let progress = pair.progress().unwrap();
            if progress.phase == Phase::Write && begun.is_none() {
                begun = Some(pair.now());
            }
        }
        assert_eq!(pair.writes(), 845);
        let took = pair.now() - begun.unwrap();
        assert!(took >= Duration::from_millis(8450), "{took}");
        assert_eq!(run(&mut pair, EVER), Happened::Restarted);
        assert_eq!((version(&pair), pair.flash().contents()[0]), (NEW, 0xFF));
        assert!(pair.flash().contents().iter().all(|octet| *octet == 0xFF));
        // The next boot skips the update and runs the tests.
        assert_eq!(run(&mut pair, EVER), Happened::Runs(Finding::Nothing));
        assert_eq!((version(&pair), pair.writes()), (NEW, 845));
    }
}

#[test]
fn no_update_begins_before_its_time_nor_before_the_transport_is_up() {
    let mut boot = Boot::new(Instant::ZERO, BootConfig::published(room()));
    boot.transport_up(Instant::ZERO + Duration::from_secs(3));
    assert_eq!(boot.poll(Instant::ZERO), None);
    let earliest = Instant::ZERO + Duration::from_secs(18);
    assert_eq!(boot.deadline(), Some(earliest));
    boot.wake(earliest);
    assert_eq!(boot.poll(earliest), Some(BootOutput::Connect));

    let mut config = DirectConfig::published(room());
    config.transport = Duration::from_secs(25);
    let mut late = pair(config, &firmware(NEW, 65_536), false, 1);
    while late.progress().unwrap().phase == Phase::Transport {
        late.step(EVER);
    }
    assert_eq!(late.now(), Instant::ZERO + Duration::from_secs(25));
}

#[test]
fn a_host_with_nothing_staged_runs_at_once() {
    let config = DirectConfig::published(room());
    let mut pair = Direct::new(config, Nor::new(room(), 1), slots(false, 1));
    pair.power_on().unwrap();
    assert_eq!(run(&mut pair, EVER), Happened::Runs(Finding::Nothing));
    assert_eq!((version(&pair), pair.writes()), (OLD, 0));
}

#[test]
fn a_damaged_image_is_not_sent() {
    let mut octets =
        pair(DirectConfig::published(room()), &firmware(NEW, 65_536), false, 1).flash().contents().to_vec();
    octets[40_000] ^= 1;
    let mut pair = Direct::new(DirectConfig::published(room()), Nor::holding(octets.clone(), 1), slots(false, 1));
    pair.power_on().unwrap();
    let Happened::Runs(Finding::Damaged(error)) = run(&mut pair, EVER) else { panic!("sent") };
    assert!(matches!(error.fault, ImageFault::Checksum { .. }));
    assert_eq!((version(&pair), pair.writes()), (OLD, 0));
    assert_eq!(pair.flash().contents(), octets, "what is staged stays for whoever looks at it");
}

#[test]
fn firmware_that_does_not_answer_is_rolled_back_and_given_up_after_three_attempts() {
    let mut config = DirectConfig::published(room());
    config.mute = Some(NEW);
    let mut pair = pair(config, &firmware(NEW, 65_536), true, 1);
    for _ in 0..STRIKES {
        assert_eq!(run(&mut pair, EVER), Happened::Runs(Finding::RolledBack));
        assert_eq!(version(&pair), OLD);
        reboot(&mut pair);
    }
    let writes = pair.writes();
    assert_eq!(run(&mut pair, EVER), Happened::Runs(Finding::GivenUp));
    assert_eq!((version(&pair), pair.writes()), (OLD, writes));
}

#[test]
fn without_rollback_it_stays_and_the_host_says_so() {
    let mut config = DirectConfig::published(room());
    config.mute = Some(NEW);
    let mut pair = pair(config, &firmware(NEW, 65_536), false, 1);
    assert_eq!(run(&mut pair, EVER), Happened::Runs(Finding::Silent));
    assert_eq!(version(&pair), NEW);
}

#[test]
fn a_coprocessor_that_never_answers_ends_the_attempts() {
    let mut config = DirectConfig::published(room());
    config.mute = Some(OLD);
    let mut pair = pair(config, &firmware(NEW, 65_536), false, 1);
    assert_eq!(run(&mut pair, EVER), Happened::Runs(Finding::Unreachable));
}

/// Power off and on again.
fn reboot(pair: &mut Direct) {
    pair.cut(airtime_ota::direct::Side::Both);
    pair.power_on().unwrap();
}
