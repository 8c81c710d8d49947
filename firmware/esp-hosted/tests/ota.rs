//! A whole update over the cable, and power that goes at any point of it.

use airtime_core::{Duration, Instant, random};
use airtime_ota::boot::{Finding, Phase};
use airtime_ota::direct::Side;
use airtime_ota::flash::Nor;
use airtime_ota::partition::{HOST, SLAVE_FW, Table};

use crate::chips::{EVER, Happened, NEW, OLD, Pair, firmware, flashes, with_slots};

const SIDES: [Side; 3] = [Side::Host, Side::Coprocessor, Side::Both];
/// For which power is off, while the other side goes on.
const OFF: Duration = Duration::from_millis(700);

/// Place at which power goes.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// At this time.
    At(Instant),
    /// When the host's flash has done this work: in the middle of it.
    HostFlash(u64),
    /// The same, of the co-processor's.
    ChipFlash(u64),
}

/// Update that nothing disturbs: until the next boot finds nothing staged, and the work of both flashes from what to what.
struct Whole {
    time: Instant,
    host: (u64, u64),
    chip: (u64, u64),
    pair: Pair,
}

fn whole(flashes: &(Nor, Nor), rollback: bool) -> Whole {
    let mut pair = Pair::new(flashes.clone(), rollback);
    pair.power_on(Side::Both);
    let work = |pair: &Pair| (pair.host_memory.0.borrow().work(), pair.chip_memory.0.borrow().work());
    let before = work(&pair);
    assert_eq!(pair.run(EVER), Happened::Restarted);
    assert_eq!(pair.run(EVER), Happened::Found(Finding::Nothing));
    let after = work(&pair);
    Whole { time: pair.now(), host: (before.0, after.0), chip: (before.1, after.1), pair }
}

fn staged(pair: &Pair) -> u8 {
    let at = Table::parse(HOST).unwrap().find(SLAVE_FW).unwrap().offset as usize;
    pair.host_memory.0.borrow().contents()[at]
}

#[test]
fn an_update_ends_with_the_new_firmware() {
    for (octets, rollback) in [(8_192, false), (65_536, true)] {
        let Whole { time, pair, .. } = whole(&with_slots(&firmware(NEW, octets)), rollback);
        assert_eq!((pair.booted, staged(&pair)), (Some(NEW), 0xFF));
        assert!(pair.to_chip.carried() > octets as u64);
        // 65,536 octets of 921,600 baud are 711 ms; erasing both partitions takes 10 s.
        assert!(time < Instant::ZERO + Duration::from_secs(25), "{time}");
        assert_eq!((pair.to_host.overruns(), pair.to_chip.overruns()), (0, 0));
        // A slot of 2 MB is erased in one go.
        assert!(pair.unfed < Duration::from_secs(6), "{}", pair.unfed);
    }
}

#[test]
fn without_anything_staged_the_link_comes_up() {
    let mut pair = Pair::new(with_slots(&[]), true);
    pair.power_on(Side::Both);
    assert_eq!(pair.run(EVER), Happened::Found(Finding::Nothing));
    assert_eq!(pair.run(pair.now() + Duration::from_secs(60)), Happened::Nothing);
    assert_eq!(pair.booted, Some(OLD));
}

/// Cuts the power of `side` at `cut`, and lets boots go on from there.
fn survives(flashes: &(Nor, Nor), rollback: bool, side: Side, cut: Cut) {
    let mut pair = Pair::new(flashes.clone(), rollback);
    pair.power_on(Side::Both);
    let limit = match cut {
        Cut::At(at) => at,
        Cut::HostFlash(work) => {
            pair.host_memory.0.borrow_mut().cut_at(work);
            EVER
        }
        Cut::ChipFlash(work) => {
            pair.chip_memory.0.borrow_mut().cut_at(work);
            EVER
        }
    };
    loop {
        match pair.step(limit) {
            Happened::Nothing => break,
            Happened::Found(_) if limit == EVER => break,
            _ if !pair.powered() => break,
            _ => {}
        }
    }
    pair.cut(side);
    for boot in 0..4 {
        let found = rest(&mut pair);
        pair.power_on(Side::Both);
        let mut happened = found.map_or(Happened::Restarted, Happened::Found);
        while happened == Happened::Restarted {
            happened = pair.run(EVER);
        }
        if happened == Happened::Found(Finding::Nothing) {
            // The host looks at its own flash alone: the co-processor may be booting still.
            rest(&mut pair);
            assert_eq!(pair.booted, Some(NEW), "{side:?} {cut:?}: nothing is staged, and the old firmware runs");
            assert_eq!(staged(&pair), 0xFF, "{side:?} {cut:?}");
            return;
        }
        assert!(pair.booted.is_none_or(|version| [OLD, NEW].contains(&version)), "{side:?} {cut:?}, boot {boot}");
        pair.cut(Side::Both);
    }
    panic!("{side:?} {cut:?}: not complete after four boots");
}

/// An octet that the cable loses costs a frame, its answer a time-out, and the sequence begins again.
#[test]
fn an_octet_that_is_lost_costs_no_update() {
    let flashes = with_slots(&firmware(NEW, 8_192));
    let whole = whole(&flashes, true);
    let mut chance = random::stream(1, "test/octets");
    let mut longest = whole.time;
    for _ in 0..40 {
        let mut pair = Pair::new(flashes.clone(), true);
        let (down, up) = (chance.below(whole.pair.to_chip.carried()), chance.below(whole.pair.to_host.carried()));
        pair.to_chip.lose(down);
        pair.to_host.lose(up);
        pair.power_on(Side::Both);
        let mut happened = pair.run(EVER);
        while happened == Happened::Restarted {
            happened = pair.run(EVER);
        }
        assert_eq!(happened, Happened::Found(Finding::Nothing), "octets {down} and {up}");
        assert_eq!(pair.booted, Some(NEW), "octets {down} and {up}");
        longest = longest.max(pair.now());
    }
    assert!(longest > whole.time + Duration::from_secs(5), "nothing was lost that mattered");
}

/// Lets time go by; what a host that has power has found meanwhile.
fn rest(pair: &mut Pair) -> Option<Finding> {
    let (end, mut found) = (pair.now() + OFF, None);
    loop {
        match pair.step(end) {
            Happened::Nothing => return found,
            Happened::Found(finding) => found = Some(finding),
            Happened::Step | Happened::Restarted => {}
        }
    }
}

#[test]
fn power_that_goes_anywhere_ends_well() {
    let flashes = with_slots(&firmware(NEW, 8_192));
    let mut chance = random::stream(1, "test/ends");
    for rollback in [false, true] {
        let whole = whole(&flashes, rollback);
        for _ in 0..200 {
            let side = SIDES[chance.below(3) as usize];
            let mut within = |(from, to): (u64, u64)| from + chance.below(to - from);
            let (host, chip, at) = (within(whole.host), within(whole.chip), within((0, whole.time.as_nanos())));
            let cut = match (side, chance.below(2)) {
                (Side::Host, 0) => Cut::HostFlash(host),
                (Side::Coprocessor, 0) => Cut::ChipFlash(chip),
                _ => Cut::At(Instant::from_nanos(at)),
            };
            survives(&flashes, rollback, side, cut);
        }
    }
}

/// Behind the last octet of the image: `otadata` is erased and programmed when it is activated, when the bootloader begins its trial, and
/// when it is confirmed.
#[test]
fn power_that_goes_while_the_slot_is_chosen_ends_well() {
    let flashes = with_slots(&firmware(NEW, 8_192));
    for rollback in [false, true] {
        let whole = whole(&flashes, rollback);
        let (begin, end) = whole.chip;
        // The slot is erased, and the image programmed.
        let chosen = begin + 0x1F_0000 + 8_192;
        assert_eq!(end - chosen, if rollback { 3 * (4_096 + 32) } else { 4_096 + 32 });
        let cuts: Vec<_> =
            (chosen..end).filter(|work| (work - chosen) % (4_096 + 32) >= 4_090 || work % 512 == 0).collect();
        assert!(cuts.len() >= 40, "{}", cuts.len());
        for work in cuts {
            survives(&flashes, rollback, Side::Coprocessor, Cut::ChipFlash(work));
        }
    }
}

/// ESP_ERR_NOT_SUPPORTED.
const NOT_SUPPORTED: Finding = Finding::Refused { phase: Phase::Begin, code: 0x106 };

#[test]
fn without_a_word_of_the_bootloader_an_update_is_refused() {
    let mut pair = Pair::new(with_slots(&firmware(NEW, 8_192)), false);
    pair.told = false;
    pair.power_on(Side::Both);
    assert_eq!(pair.run(EVER), Happened::Found(NOT_SUPPORTED));
    assert_eq!(pair.booted, Some(OLD));
}

/// As espflash flashes it when nobody names a table: an update would be taken, and never boot.
#[test]
fn without_otadata_an_update_is_refused() {
    let mut pair = Pair::new(flashes(&firmware(NEW, 8_192), HOST), false);
    pair.power_on(Side::Both);
    assert_eq!(pair.run(EVER), Happened::Found(NOT_SUPPORTED));
}
