//! Power that goes at any point: it always ends bootable, and a later boot completes the update.

use airtime_core::{Duration, Instant, random};
use airtime_ota::boot::Finding;
use airtime_ota::direct::{Direct, DirectConfig, Happened, Side};
use airtime_ota::flash::Nor;
use airtime_ota::image::Chip;
use airtime_ota::partition::{COPROCESSOR, Table};
use airtime_ota::slots::Slots;

use super::support::{NEW, OLD, PUBLISHED, firmware, pair, room, run, version};

const EVER: Instant = Instant::from_nanos(u64::MAX);
const SIDES: [Side; 3] = [Side::Host, Side::Coprocessor, Side::Both];

/// Where power goes.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// At this time.
    At(Instant),
    /// When the host's flash has done this work: in the middle of it.
    HostFlash(u64),
    /// The same, of the co-processor's.
    CoprocessorFlash(u64),
}

/// What a whole update takes: the time until the next boot runs the tests, and the work of both flashes.
struct Whole {
    time: Duration,
    host: (u64, u64),
    coprocessor: (u64, u64),
}

fn whole(image: &[u8], rollback: bool) -> Whole {
    let mut whole = pair(DirectConfig::published(room()), image, rollback, 1);
    let before = (whole.flash().work(), whole.slots().storage().work());
    assert_eq!(run(&mut whole, EVER), Happened::Restarted);
    assert_eq!(run(&mut whole, EVER), Happened::Runs(Finding::Nothing));
    let time = whole.now() - Instant::ZERO;
    Whole { time, host: (before.0, whole.flash().work()), coprocessor: (before.1, whole.slots().storage().work()) }
}

/// Cuts the power of `side` at `cut` and lets `boots` boots go on from there.
fn survives(start: &Direct, side: Side, cut: Cut) {
    let mut pair = start.clone();
    let limit = match cut {
        Cut::At(at) => at,
        Cut::HostFlash(work) => {
            pair.flash_mut().cut_at(work);
            EVER
        }
        Cut::CoprocessorFlash(work) => {
            pair.slots_mut().storage_mut().cut_at(work);
            EVER
        }
    };
    while let Happened::Step | Happened::Restarted = pair.step(limit) {
        if !pair.flash().powered() || !pair.slots().storage().powered() {
            break;
        }
    }
    pair.cut(side);
    for boot in 0..4 {
        pair.power_on().unwrap_or_else(|error| panic!("{side:?} {cut:?}, boot {boot}: {error}"));
        assert!(pair.running().is_some(), "{side:?} {cut:?}: nothing boots");
        assert!([OLD, NEW].contains(&version(&pair)), "{side:?} {cut:?}");
        let mut happened = run(&mut pair, EVER);
        while happened == Happened::Restarted {
            happened = run(&mut pair, EVER);
        }
        if happened == Happened::Runs(Finding::Nothing) {
            assert_eq!(version(&pair), NEW, "{side:?} {cut:?}: nothing is staged, and the old firmware runs");
            assert_eq!(pair.flash().contents()[0], 0xFF);
            return;
        }
        pair.cut(Side::Both);
    }
    panic!("{side:?} {cut:?}: not complete after four boots");
}

#[test]
fn a_thousand_random_cuts_of_the_published_update_end_well() {
    let image = firmware(NEW, PUBLISHED);
    let mut chance = random::stream(1, "test/cuts");
    for rollback in [false, true] {
        let whole = whole(&image, rollback);
        let start = pair(DirectConfig::published(room()), &image, rollback, 1);
        for _ in 0..500 {
            let side = SIDES[chance.below(3) as usize];
            let within = |(from, to): (u64, u64), chance: &mut random::Stream| from + chance.below(to - from);
            let cut = match (side, chance.below(2)) {
                (Side::Host, 0) => Cut::HostFlash(within(whole.host, &mut chance)),
                (Side::Coprocessor, 0) => Cut::CoprocessorFlash(within(whole.coprocessor, &mut chance)),
                _ => Cut::At(Instant::from_nanos(chance.below(whole.time.as_nanos()))),
            };
            survives(&start, side, cut);
        }
    }
}

/// Every octet of the host's flash work around its ends, every boundary between steps, and every octet of `otadata`.
#[test]
fn every_boundary_ends_well() {
    let image = firmware(NEW, 8192);
    for rollback in [false, true] {
        let whole = whole(&image, rollback);
        let start = pair(DirectConfig::published(room()), &image, rollback, 1);
        let (host, last) = whole.host;
        for work in (host..host + 3).chain((host..last).step_by(4096)).chain(last - 4100..last) {
            survives(&start, Side::Host, Cut::HostFlash(work));
        }
        let (begin, end) = whole.coprocessor;
        // The slot is erased, then 8192 octets are written, then `otadata` is rewritten sector by sector.
        let written = begin + 0x1F_0000;
        let slot = (begin..written).step_by(0x1_0000).chain(written - 1..written + 1402);
        for work in slot.chain((written..written + 8192).step_by(700)).chain(written + 8190..end) {
            if work % 97 == 0 || work < written + 2 || work + 2 > end || (work - written) % 4096 > 4060 {
                survives(&start, Side::Coprocessor, Cut::CoprocessorFlash(work));
            }
        }
    }
}

#[test]
fn every_step_of_the_sequence_ends_well() {
    let image = firmware(NEW, 8192);
    for rollback in [false, true] {
        let start = pair(DirectConfig::published(room()), &image, rollback, 1);
        let mut times = Vec::new();
        let mut steps = start.clone();
        while steps.step(EVER) != Happened::Runs(Finding::Nothing) {
            times.push(steps.now());
        }
        times.dedup();
        for at in times {
            for side in SIDES {
                survives(&start, side, Cut::At(at));
            }
        }
    }
}

/// Flashes that are kept in files are kept one after the other, the host's last: after a cut it may be as old as the run's
/// beginning, whatever the co-processor has done since.
#[test]
fn a_host_whose_flash_is_older_than_the_co_processors_ends_well() {
    let image = firmware(NEW, 8192);
    for rollback in [false, true] {
        let start = pair(DirectConfig::published(room()), &image, rollback, 1);
        let mut later = start.clone();
        let mut ended = false;
        while !ended {
            let at = later.now();
            while !ended && later.now() == at {
                ended = later.step(EVER) == Happened::Runs(Finding::Nothing);
            }
            let (host, coprocessor) = (start.flash().clone(), later.slots().storage().contents().to_vec());
            let table = Table::parse(COPROCESSOR).unwrap();
            let slots = Slots::new(Nor::holding(coprocessor, 1), &table, Chip::ESP32_C6, rollback).unwrap();
            survives(&Direct::new(DirectConfig::published(room()), host, slots), Side::Both, Cut::At(Instant::ZERO));
        }
    }
}
