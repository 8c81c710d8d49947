//! Connection subrating between two controllers: which events take place, to the nanosecond. Core 6.2, Vol 6, Part B, 4.5.1 and 5.1.19.

use airtime_ble::hci::{Status, event, opcode};
use airtime_ble::personality::Controller;
use airtime_ble::trace::Trace;
use airtime_core::Duration;
use airtime_core::loss::Loss;

use crate::support::{CENTRAL, OnAir, PERIPHERAL, PLAIN, Pair};

const ABLE: Controller = Controller { subrating: true, ..PLAIN };

/// Connection interval of all cases, 15 ms.
const UNITS: u16 = 12;
const INTERVAL_NS: u64 = 15_000_000;

fn words(fields: &[u16]) -> Vec<u8> {
    fields.iter().flat_map(|field| field.to_le_bytes()).collect()
}

/// Two controllers whose hosts support subrating, which both of them find acceptable up to a factor of 50.
fn supporting(loss: Loss) -> Pair {
    let mut pair = Pair::new(ABLE, ABLE, loss);
    for device in [CENTRAL, PERIPHERAL] {
        pair.done(device, opcode::LE_SET_HOST_FEATURE, &[38, 1]);
        pair.done(device, opcode::LE_SET_DEFAULT_SUBRATE, &words(&[1, 50, 9, 0, 3_200]));
    }
    pair
}

/// The same, connected; the central knows what its peripheral supports.
fn connected() -> Pair {
    let mut pair = supporting(Loss::None);
    pair.connect(UNITS, 0);
    pair.done(CENTRAL, opcode::LE_READ_REMOTE_FEATURES, &words(&[0]));
    pair.run(Duration::from_millis(200));
    pair
}

/// Asks for one of `factor` events, with this latency, continuation number and timeout, and waits until it is so.
fn subrate(pair: &mut Pair, by: usize, [factor, latency, continuation, timeout]: [u16; 4]) {
    pair.done(by, opcode::LE_SUBRATE_REQUEST, &words(&[0, factor, factor, latency, continuation, timeout]));
    pair.run(Duration::from_secs(2));
    for device in [CENTRAL, PERIPHERAL] {
        let told = pair.script(device).le_event(event::LE_SUBRATE_CHANGE).expect("it is told");
        assert_eq!(told, [vec![0], words(&[0, factor, latency, continuation, timeout])].concat(), "{device}");
    }
    pair.taken();
}

/// Counters of the events in which somebody sent, and those in which the peripheral did.
fn used(packets: &[OnAir]) -> (Vec<u16>, Vec<u16>) {
    let counters = |from_central: bool| {
        let mut counters: Vec<u16> =
            packets.iter().filter(|p| p.from_central == from_central).map(|p| p.event).collect();
        counters.dedup();
        counters
    };
    (counters(true), counters(false))
}

/// Distances of neighbours.
fn steps(counters: &[u16]) -> Vec<u16> {
    counters.windows(2).map(|pair| pair[1].wrapping_sub(pair[0])).collect()
}

#[test]
fn one_of_so_many_events_takes_place_on_the_anchors_there_were() {
    for factor in [2, 3, 7, 20, 50] {
        for by in [CENTRAL, PERIPHERAL] {
            let mut pair = connected();
            let first = pair.taken()[0];
            subrate(&mut pair, by, [factor, 0, 0, 3_000]);
            pair.run(Duration::from_secs(20));
            let packets = pair.taken();
            let (central, peripheral) = used(&packets);
            assert!(steps(&central).iter().all(|step| *step == factor), "{factor}: {central:?}");
            assert_eq!(central, peripheral, "{factor}");
            assert!(central.len() >= (20_000 / (15 * usize::from(factor))) - 1, "{factor}: {}", central.len());
            // The anchors are those of a link without it.
            for packet in packets.iter().filter(|p| p.from_central) {
                let events = u64::from(packet.event - first.event);
                assert_eq!((packet.at - first.at).as_nanos(), events * INTERVAL_NS, "{factor}: {}", packet.event);
            }
            subrate(&mut pair, by, [1, 0, 0, 400]);
            pair.run(Duration::from_secs(1));
            assert!(steps(&used(&pair.taken()).0).iter().all(|step| *step == 1), "{factor}: and back");
        }
    }
}

/// A value that comes at any time waits for the next event that is used: its delay, to the nanosecond.
#[test]
fn data_waits_for_the_next_event_that_is_used() {
    for (factor, by) in [(4, CENTRAL), (4, PERIPHERAL), (20, PERIPHERAL)] {
        let mut pair = connected();
        subrate(&mut pair, CENTRAL, [factor, 0, 0, 3_000]);
        let turn = INTERVAL_NS * u64::from(factor);
        pair.run(Duration::from_nanos(2 * turn));
        let anchor = pair.taken().iter().rev().find(|p| p.from_central).expect("it goes on").at;
        for wait_ns in [1_000_000, turn / 3, turn / 2, turn - 1_000_000] {
            // From some time behind an event to the one that is used next.
            let now = pair.events.now();
            let turns = (now - anchor).as_nanos() / turn + 2;
            let at = anchor + Duration::from_nanos(turns * turn - wait_ns);
            pair.run(at - now);
            pair.taken();
            pair.acl(by, 20);
            pair.run(Duration::from_nanos(turn));
            let packets = pair.taken();
            let sent = packets.iter().find(|p| p.payload == 20).expect("it is sent");
            let reply_ns = if by == CENTRAL { 0 } else { 80_000 + 150_000 };
            assert_eq!((sent.at - at).as_nanos(), wait_ns + reply_ns, "{factor}: {wait_ns}");
        }
    }
}

#[test]
fn events_behind_one_that_carried_something_are_used_as_well() {
    for (continuation, expected) in [(0, vec![8]), (1, vec![1, 7]), (3, vec![1, 1, 1, 5]), (7, vec![1; 8])] {
        for by in [CENTRAL, PERIPHERAL] {
            let mut pair = connected();
            subrate(&mut pair, CENTRAL, [8, 0, continuation, 3_000]);
            pair.run(Duration::from_millis(600));
            pair.taken();
            pair.acl(by, 20);
            pair.run(Duration::from_millis(600));
            let packets = pair.taken();
            let (central, peripheral) = used(&packets);
            assert_eq!(central, peripheral, "{continuation}");
            let carried = packets.iter().find(|p| p.payload == 20).expect("it is sent").event;
            let from = central.iter().position(|counter| *counter == carried).expect("it is one of them");
            assert_eq!(steps(&central[from..])[..expected.len()], expected, "{continuation}");
            assert_eq!(steps(&central)[..from], vec![8; from], "{continuation}: and none before");
        }
    }
}

/// Core 6.2, Vol 6, Part B, 4.5.1: with a factor of 3 and a latency of 6 a peripheral may listen to every 21st event.
#[test]
fn peripheral_latency_counts_events_that_are_used() {
    let mut pair = connected();
    subrate(&mut pair, CENTRAL, [3, 6, 0, 3_000]);
    pair.run(Duration::from_secs(10));
    let (central, peripheral) = used(&pair.taken());
    assert!(steps(&central).iter().all(|step| *step == 3) && steps(&peripheral).iter().all(|step| *step == 21));
    // With something to send it takes part in the next one.
    let last = *peripheral.last().expect("it listens");
    let since = pair.network.devices[CENTRAL].controller.connection(0).expect("it stands").counter.wrapping_sub(last);
    let quiet = if since < 12 { 0 } else { 12 };
    pair.run(Duration::from_nanos(INTERVAL_NS * quiet));
    pair.taken();
    pair.acl(PERIPHERAL, 20);
    pair.run(Duration::from_nanos(INTERVAL_NS * 4));
    let packets = pair.taken();
    let (central, peripheral) = used(&packets);
    assert!(peripheral.contains(&central[0]) || peripheral.contains(&central[1]), "{central:?}, {peripheral:?}");
    assert_eq!(pair.script(CENTRAL).received().len(), 20);
}

#[test]
fn another_interval_ends_it_at_its_instant() {
    let mut pair = connected();
    subrate(&mut pair, CENTRAL, [6, 0, 2, 3_000]);
    pair.done(CENTRAL, opcode::LE_CONNECTION_UPDATE, &words(&[0, 24, 24, 0, 400, 0, 0]));
    pair.run(Duration::from_secs(3));
    let packets = pair.taken();
    let (central, peripheral) = used(&packets);
    assert_eq!(central, peripheral);
    // One of six, then the events before and at the instant, then every one.
    let steps = steps(&central);
    let at = steps.iter().rposition(|step| *step > 1).expect("it was subrated");
    assert!(steps.len() > at + 50 && steps[at + 1] == 1, "{steps:?}");
    let distance = |n: usize| (packets.iter().filter(|p| p.from_central).nth(n).expect("it is there")).at;
    assert_eq!((distance(central.len() - 1) - distance(central.len() - 2)).as_nanos(), 2 * INTERVAL_NS);
    // A new interval has a new subrating; what the central asked for last is what it finds acceptable.
    subrate(&mut pair, CENTRAL, [5, 0, 0, 3_000]);
    subrate(&mut pair, PERIPHERAL, [5, 0, 3, 3_000]);
    pair.run(Duration::from_secs(3));
    assert!(self::steps(&used(&pair.taken()).0).iter().all(|step| *step == 5));
}

/// Whatever is lost on the way, both ends come to the same events, and the central uses those of either until it knows.
#[test]
fn losses_delay_it_and_break_nothing() {
    let loss = Loss::Shares { miss: 0.15, damage: 0.15 };
    for start in 0..20 {
        let mut pair = supporting(loss);
        pair.connect(UNITS, 0);
        pair.done(CENTRAL, opcode::LE_READ_REMOTE_FEATURES, &words(&[0]));
        pair.run(Duration::from_millis(500 + 37 * start));
        pair.done(CENTRAL, opcode::LE_SUBRATE_REQUEST, &words(&[0, 5, 5, 0, 1, 1_000]));
        pair.run(Duration::from_secs(3));
        pair.done(CENTRAL, opcode::LE_SUBRATE_REQUEST, &words(&[0, 3, 3, 0, 0, 1_000]));
        pair.run(Duration::from_secs(3));
        pair.taken();
        pair.run(Duration::from_secs(3));
        let (central, _) = used(&pair.taken());
        assert!(steps(&central).iter().all(|step| *step == 3), "{start}: {central:?}");
        let skips = pair.log().traces.iter().filter(|(_, trace)| matches!(trace, Trace::EventsUnused { .. })).count();
        assert!(skips > 100, "{start}: {skips}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let status = |status: Status| status.0;
    let mut pair = connected();
    let mut ask = |device, code, fields: &[u16]| pair.ask(device, code, &words(fields)).0;
    for (fields, expected) in [
        (&[0, 0, 2, 0, 0, 400][..], Status::INVALID_PARAMETERS),
        (&[0, 3, 2, 0, 0, 400], Status::INVALID_PARAMETERS),
        (&[0, 1, 501, 0, 0, 400], Status::INVALID_PARAMETERS),
        (&[0, 1, 251, 1, 0, 400], Status::INVALID_PARAMETERS),
        (&[0, 1, 4, 0, 4, 400], Status::INVALID_PARAMETERS),
        // 15 ms, every tenth, two of those are 300 ms.
        (&[0, 10, 10, 0, 0, 30], Status::INVALID_PARAMETERS),
        (&[7, 2, 2, 0, 0, 400], Status::UNKNOWN_CONNECTION),
    ] {
        assert_eq!(ask(CENTRAL, opcode::LE_SUBRATE_REQUEST, fields), status(expected), "{fields:?}");
    }
    assert_eq!(pair.ask(CENTRAL, opcode::LE_SET_HOST_FEATURE, &[38, 0]).0, status(Status::COMMAND_DISALLOWED));
    // More than the central finds acceptable.
    pair.done(PERIPHERAL, opcode::LE_SUBRATE_REQUEST, &words(&[0, 60, 60, 0, 0, 3_000]));
    pair.run(Duration::from_millis(200));
    let told = pair.script(PERIPHERAL).le_event(event::LE_SUBRATE_CHANGE).expect("it is told");
    assert_eq!(told[0], status(Status::UNACCEPTABLE_PARAMETERS));
    // A peripheral whose host has not said that it supports it.
    let mut pair = Pair::new(ABLE, ABLE, Loss::None);
    pair.connect(UNITS, 0);
    let asked = words(&[0, 2, 2, 0, 0, 400]);
    let unsupported = status(Status::UNSUPPORTED_REMOTE_FEATURE);
    assert_eq!(pair.ask(CENTRAL, opcode::LE_SUBRATE_REQUEST, &asked).0, unsupported);
    pair.done(PERIPHERAL, opcode::LE_SUBRATE_REQUEST, &asked);
    pair.run(Duration::from_millis(200));
    assert_eq!(pair.script(PERIPHERAL).le_event(event::LE_SUBRATE_CHANGE).expect("it is told")[0], unsupported);
    // A central that does not know the PDU.
    let mut pair = Pair::new(PLAIN, ABLE, Loss::None);
    pair.connect(UNITS, 0);
    pair.done(PERIPHERAL, opcode::LE_SUBRATE_REQUEST, &asked);
    pair.run(Duration::from_millis(200));
    assert_eq!(pair.script(PERIPHERAL).le_event(event::LE_SUBRATE_CHANGE).expect("it is told")[0], unsupported);
    assert_eq!(pair.ask(CENTRAL, opcode::LE_SUBRATE_REQUEST, &asked).0, status(Status::UNKNOWN_COMMAND));
}
