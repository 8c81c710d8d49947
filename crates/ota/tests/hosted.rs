//! The update over ESP-hosted itself: frames, calls and start-up on an SDIO bus.

use airtime_core::{Duration, Instant, random};
use airtime_ota::boot::{Finding, Phase};
use airtime_ota::direct::{Happened, Side};
use airtime_ota::flash::Nor;
use airtime_ota::hosted::{Session, SessionConfig};
use airtime_ota::image::{Chip, Description, compose};
use airtime_ota::stage::stage;

use super::support::{NEW, OLD, PUBLISHED, firmware, room, slots};

const EVER: Instant = Instant::from_nanos(u64::MAX);

fn link(image: &[u8], rollback: bool) -> Session {
    let (partition, _) = stage(image, Chip::ESP32_C6, room(), None).unwrap();
    let mut link = Session::new(SessionConfig::published(room()), Nor::holding(partition, 1), slots(rollback, 1));
    link.power_on().unwrap();
    link
}

fn run(link: &mut Session, limit: Instant) -> Happened {
    for _ in 0..10_000_000 {
        match link.step(limit) {
            Happened::Step => {}
            other => return other,
        }
    }
    panic!("the sequence does not end");
}

fn version(link: &Session) -> [u32; 3] {
    link.running().unwrap().image.description.numbers().unwrap()
}

#[test]
fn the_published_image_takes_845_writes_and_more_than_8_45_seconds() {
    for rollback in [false, true] {
        let mut link = link(&firmware(NEW, PUBLISHED), rollback);
        let (mut begun, mut ended) = (None, None);
        while ended.is_none() {
            assert_eq!(link.step(EVER), Happened::Step);
            match link.progress().map(|progress| progress.phase) {
                Some(Phase::Write) => begun = begun.or(Some(link.now())),
                Some(Phase::Activate) => ended = Some(link.now()),
                _ => {}
            }
        }
        // No update begins before the transport is up.
        assert!(begun.unwrap() >= Instant::ZERO + Duration::from_secs(18));
        let took = ended.unwrap() - begun.unwrap();
        assert!(took >= Duration::from_millis(8450) && took < Duration::from_secs(20), "{took}");
        assert_eq!(link.writes(), 845);
        assert_eq!(run(&mut link, EVER), Happened::Restarted);
        assert!(link.flash().contents().iter().all(|octet| *octet == 0xFF));
        assert_eq!(run(&mut link, EVER), Happened::Runs(Finding::Nothing));
        assert_eq!((version(&link), link.writes()), (NEW, 845));
    }
}

#[test]
fn power_that_goes_anywhere_on_the_bus_ends_well() {
    let image = firmware(NEW, 32_768);
    let mut chance = random::stream(1, "test/bus-cuts");
    for rollback in [false, true] {
        let mut whole = link(&image, rollback);
        while run(&mut whole, EVER) == Happened::Restarted {}
        let time = (whole.now() - Instant::ZERO).as_nanos();
        for _ in 0..60 {
            let side = [Side::Host, Side::Coprocessor, Side::Both][chance.below(3) as usize];
            let at = Instant::from_nanos(chance.below(time));
            survives(link(&image, rollback), side, at);
        }
    }
}

fn survives(mut link: Session, side: Side, at: Instant) {
    while run(&mut link, at) == Happened::Restarted {}
    link.cut(side);
    for boot in 0..4 {
        link.power_on().unwrap_or_else(|error| panic!("{side:?} {at:?}, boot {boot}: {error}"));
        assert!([OLD, NEW].contains(&version(&link)), "{side:?} {at:?}");
        let mut happened = run(&mut link, EVER);
        while happened == Happened::Restarted {
            happened = run(&mut link, EVER);
        }
        if happened == Happened::Runs(Finding::Nothing) {
            assert_eq!(version(&link), NEW, "{side:?} {at:?}: nothing is staged, and the old firmware runs");
            return;
        }
        link.cut(Side::Both);
    }
    panic!("{side:?} {at:?}: not complete after four boots");
}

fn nightly(elf_sha256: [u8; 32]) -> Description {
    Description { version: "nightly".into(), project: "network_adapter".into(), idf: "v5.5.1".into(), elf_sha256 }
}

/// What is staged may run already: power went before that was noted, or the host's flash is older than the co-processor's.
#[test]
fn firmware_whose_version_is_no_number_is_known_when_it_runs_already() {
    let description = nightly([9; 32]);
    let image = compose(Chip::ESP32_C6, &description, &[0x5A; 8000]);
    for rollback in [false, true] {
        let mut first = link(&image, rollback);
        let staged = first.flash().clone();
        while run(&mut first, EVER) == Happened::Restarted {}
        assert_eq!(first.running().unwrap().image.description, description);
        let mut second = Session::new(SessionConfig::published(room()), staged, first.slots().clone());
        second.power_on().unwrap();
        assert_eq!(run(&mut second, EVER), Happened::Restarted);
        assert_eq!(run(&mut second, EVER), Happened::Runs(Finding::Nothing));
        assert_eq!(second.running().unwrap().image.description, description);
    }
}

/// Then numbers that have changed have to do.
#[test]
fn firmware_that_tells_neither_a_number_nor_a_digest_is_installed() {
    let description = nightly([0; 32]);
    let mut link = link(&compose(Chip::ESP32_C6, &description, &[0x5A; 8000]), true);
    assert_eq!(run(&mut link, EVER), Happened::Restarted);
    assert_eq!(run(&mut link, EVER), Happened::Runs(Finding::Nothing));
    assert_eq!(link.running().unwrap().image.description, description);
}
