//! Hosts that hang up while a stream fills every event.

use airtime_core::Duration;
use airtime_lab::Library;
use airtime_testing::{Tenth, is_whole};
use rayon::prelude::*;

use super::hang_up::hang_up;
use crate::support;

/// Distance between two instants at which a host hangs up.
const STEP_US: u64 = 100;

/// The reason at the one who asked and at the other: connection terminated by local host, remote user
/// terminated connection. Core 6.0, Vol 1, Part F, 1.3.
const REASONS: [u8; 2] = [0x16, 0x13];

/// Values that fill a packet, shorter ones, and K-frames, for which credits come back.
const STREAMS: [&[(&str, &str)]; 3] = [
    &[("link", "ble-gatt"), ("gatt.in_flight", "20"), ("gatt.tx_buffers", "20"), ("gatt.payload", "244")],
    &[("link", "ble-gatt"), ("gatt.in_flight", "20"), ("gatt.tx_buffers", "20"), ("gatt.payload", "120")],
    &[("coc.in_flight", "20"), ("coc.credits", "{ initial = 40, on_connect = 0, grant = 1, every = 1 }")],
];

/// The reasons the two hosts are given, and whether both are told within a few events.
fn is_good(ends: &[(Duration, u8); 2], asks: usize, interval: Duration) -> bool {
    [ends[asks].1, ends[1 - asks].1] == REASONS && ends.iter().all(|(after, _)| *after < interval * 4)
}

/// Phases of an event, in steps: a tenth of them, or all. Where events are cut, what goes wrong goes wrong for half a millisecond of few
/// events: every fifth finds it.
fn phases(tenth: &mut Tenth, interval_us: u64, is_cut: bool) -> Vec<u64> {
    let all = 0..interval_us / STEP_US;
    if is_cut && !is_whole() { all.step_by(5).collect() } else { tenth.of(all) }
}

/// Hangs up at some phases of an event, from either side, beside each stream both ways; gives what goes wrong.
fn at_phases(tenth: &mut Tenth, (central, peripheral): (&str, &str), interval_us: u64, direction: &str) -> Vec<String> {
    let library = Library::builtin();
    let controller = |name: &str| {
        library
            .get(name)
            .and_then(|found| found.of::<airtime_ble_link::plan::Personality>())
            .expect("it is shipped")
            .controller
    };
    let (interval, text) = (Duration::from_micros(interval_us), format!("{interval_us}us"));
    let mut wrong = Vec::new();
    for (stream, asks) in STREAMS.into_iter().flat_map(|stream| [(stream, 0), (stream, 1)]) {
        let link = [("ble.conn_interval", text.as_str()), ("ble.direction", direction)];
        let (_, point) = support::plan(&[&link, stream].concat());
        let mut scenario = support::ble(&point).clone();
        scenario.central.controller = controller(central);
        scenario.peripheral.controller = controller(peripheral);
        let is_cut = scenario.peripheral.controller.prepare_lead.is_some();
        let steps = phases(tenth, interval_us, is_cut).into_par_iter();
        let ends = steps.map(|step| {
            let phase = Duration::from_micros(step * STEP_US);
            (phase, hang_up(&scenario, asks, phase))
        });
        let bad: Vec<_> = ends.filter(|(_, ends)| !is_good(ends, asks, interval)).collect();
        let say =
            |first| format!("{central}, {peripheral}, {link:?}, {stream:?}, {asks} asks: {}, {first:?}", bad.len());
        wrong.extend(bad.first().map(say));
    }
    wrong
}

/// Every shipped device as the peripheral of the central that `central` chooses for it.
fn with_every_device(cut: bool, central: impl Fn(&str) -> &str) {
    let library = Library::builtin();
    let devices: Vec<_> = library
        .iter()
        .filter(|found| {
            let device = found.of::<airtime_ble_link::plan::Personality>();
            device.is_some_and(|device| cut || device.controller.prepare_lead.is_none())
        })
        .map(|found| &*found.name)
        .collect();
    assert!(devices.len() > 5, "{devices:?}");
    let (mut wrong, mut tenth) = (Vec::new(), Tenth::new());
    for peripheral in devices {
        for (interval_us, direction) in [7_500, 15_000].into_iter().flat_map(|i| ["p2c", "c2p", "both"].map(|d| (i, d)))
        {
            wrong.extend(at_phases(&mut tenth, (central(peripheral), peripheral), interval_us, direction));
        }
    }
    assert!(wrong.is_empty(), "central, peripheral, stream, how often it goes wrong and the first time: {wrong:#?}");
}

#[test]
fn both_hosts_are_told_with_the_same_controller_at_both_ends() {
    with_every_device(true, |device| device);
}

/// A central that goes on until the next event is due, and peripherals that fall silent earlier. One that is cut cannot hear the
/// acknowledgement that such a central sends later, and learns of the end by its timeout. Core 6.0, Vol 6, Part B, 5.1.6.
#[test]
fn both_hosts_are_told_with_the_longest_events_of_a_central() {
    with_every_device(false, |_| "ideal");
}
