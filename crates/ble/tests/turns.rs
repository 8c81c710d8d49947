//! Activities that want the one radio of a controller at the same time.

use airtime_ble::personality::Controller as Personality;
use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::Frequency;

use super::support::{CENTRAL, PERIPHERAL, PLAIN, Pair};

/// Zephyr's link layer as it cuts its events on a clock of 32 kHz.
const CUTS: Personality = Personality {
    prepare_lead: Some(Duration::from_micros(275)),
    slot_reservation: Some(Duration::from_micros(846)),
    ticker_clock: Frequency(32_768),
    drift_skip: true,
    link_spacing: Duration::from_micros(3_406),
    ..PLAIN
};

const FURTHER: usize = 2;

/// Keeps the peripheral's queue filled for so long.
fn stream(pair: &mut Pair, span: Duration) {
    let until = pair.events.now() + span;
    while pair.events.now() < until {
        while pair.network.devices[PERIPHERAL].controller.connection(0).is_some_and(|c| c.queue.acl_packets() < 10) {
            pair.acl(PERIPHERAL, 247);
        }
        pair.run(Duration::from_millis(1));
    }
}

/// Time that a central which streams with one peripheral at `interval` (1.25 ms) takes to have another one, scanning all the time.
fn time_to_connect(kind: Personality, interval: u16) -> Option<Duration> {
    let mut pair = Pair::with_further(&[kind, kind, kind], Loss::None);
    pair.connect(interval, 0);
    pair.fast();
    stream(&mut pair, Duration::from_millis(500));
    pair.ask_to_connect(FURTHER, [0x60, 0x60], interval, 0);
    let asked = pair.events.now();
    while pair.network.devices[FURTHER].controller.connection(0).is_none() {
        stream(&mut pair, Duration::from_millis(10));
        if pair.events.now() > asked + Duration::from_secs(10) {
            return None;
        }
    }
    let took = pair.events.now() - asked;
    stream(&mut pair, Duration::from_secs(1));
    let stands = |device: usize, handle| pair.network.devices[device].controller.connection(handle).is_some();
    assert!(stands(CENTRAL, 1) && stands(FURTHER, 0), "the new connection stands");
    let (before, from) = (pair.script(CENTRAL).received().len(), pair.events.now());
    stream(&mut pair, Duration::from_secs(1));
    assert!(pair.script(CENTRAL).received().len() > before, "the stream goes on after {from}");
    Some(took)
}

#[test]
fn another_peripheral_is_found_beside_a_stream() {
    for (kind, interval) in [CUTS, PLAIN].into_iter().flat_map(|kind| [6, 12, 24, 80].map(|interval| (kind, interval)))
    {
        let took = time_to_connect(kind, interval);
        // It advertises every 100 to 110 ms and is heard in every other interval of the scan or more.
        assert!(took.is_some_and(|took| took < Duration::from_millis(600)), "{kind:?} {interval}: {took:?}");
    }
}

/// A device in the middle, peripheral of one and central of another: each of its links carries what they leave each other, and both
/// stand.
#[test]
fn a_device_is_peripheral_and_central_at_once() {
    for kind in [CUTS, PLAIN] {
        let mut pair = Pair::with_further(&[kind, kind, kind], Loss::None);
        pair.connect(24, 0);
        pair.fast();
        pair.ask_to_connect_from(PERIPHERAL, FURTHER, [0x60, 0x60], 24, 0);
        let links = |pair: &Pair, device: usize| {
            (0..20).filter(|handle| pair.network.devices[device].controller.connection(*handle).is_some()).count()
        };
        let until = pair.events.now() + Duration::from_secs(5);
        while links(&pair, PERIPHERAL) < 2 || links(&pair, FURTHER) < 1 {
            assert!(pair.events.step(&mut pair.network, until), "no second link: {kind:?}");
        }
        let before = (pair.script(CENTRAL).received().len(), pair.script(FURTHER).received().len());
        let ends = pair.events.now() + Duration::from_secs(10);
        while pair.events.now() < ends {
            for handle in [0, 1] {
                let queued = |pair: &Pair| {
                    pair.network.devices[PERIPHERAL].controller.connection(handle).map(|c| c.queue.acl_packets())
                };
                while queued(&pair).is_some_and(|queued| queued < 8) {
                    pair.acl_on(PERIPHERAL, handle, if handle == 0 { 247 } else { 27 });
                }
            }
            pair.run(Duration::from_millis(1));
        }
        let carried =
            (pair.script(CENTRAL).received().len() - before.0, pair.script(FURTHER).received().len() - before.1);
        assert_eq!((links(&pair, CENTRAL), links(&pair, PERIPHERAL), links(&pair, FURTHER)), (1, 2, 1), "{kind:?}");
        // 333 events, and at least one packet in nearly each of them, both up and down.
        assert!(carried.0 > 300 * 247 && carried.1 > 300 * 27, "{kind:?}: {carried:?}");
    }
}

/// A controller that plans its events and keeps no time for them leaves a scan what they leave: a stream leaves nothing.
#[test]
fn a_stream_that_fills_every_event_leaves_no_time_to_scan_where_nothing_is_kept_for_it() {
    assert_eq!(time_to_connect(Personality { slot_reservation: None, ..PLAIN }, 6), None);
}
