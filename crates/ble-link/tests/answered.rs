//! Values that are answered, each beside its closed form: one exchange at a time, whose answer goes in an event behind it.

use airtime_ble::host::Starved;
use airtime_ble::ledger::Account;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::run::build;
use airtime_ble_link::station::StationOutput;
use airtime_core::{Duration, EventLoop, Instant};

use crate::support::{self, outcome, record, refused};

/// ATT opcodes, each once or more. Core 6.0, Vol 3, Part F, 3.4.8.
const WRITE: [u8; 2] = [0x12, 0x13];
const INDICATION: [u8; 2] = [0x1d, 0x1e];
const READ: [u8; 2] = [0x0a, 0x0b];
/// Three parts and their execution.
const LONG_WRITE: [u8; 8] = [0x16, 0x17, 0x16, 0x17, 0x16, 0x17, 0x18, 0x19];

/// Values in the steady state that are compared.
const VALUES: usize = 20;

/// Arrivals of values, and the ATT opcodes on the air.
#[derive(Debug, Default)]
struct Seen {
    arrivals: Vec<Instant>,
    opcodes: Vec<u8>,
    octets: Vec<u16>,
}

impl Observer<StationOutput> for Seen {
    fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        // LLID 2 begins an L2CAP PDU; 4 is the channel of ATT.
        let packet = &sent.packet;
        let is_att = packet.len() > 6 && packet[0] & 3 == 2 && packet[4..6] == [4, 0];
        if matches!(sent.place, Place::Event { .. }) && verdict == Verdict::New && is_att && !self.arrivals.is_empty() {
            self.opcodes.push(packet[6]);
        }
    }

    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}

    fn event(&mut self, now: Instant, _: usize, event: &StationOutput) {
        if let StationOutput::Delivered(unit) = event {
            self.arrivals.push(now);
            self.octets.push(unit.octets);
        }
    }
}

/// Run of the plan with these keys until enough values have arrived.
fn seen(set: &[(&str, &str)]) -> Seen {
    let (_, point) = support::plan(set);
    let mut network = build(support::ble(&point), 1, Seen::default());
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    let limit = Instant::ZERO + Duration::from_secs(60);
    while network.observer.arrivals.len() < VALUES + 1 && events.step(&mut network, limit) {}
    network.observer
}

/// Values of `octets` by `method` at 50 ms between two boards whose hosts take 50 µs for a packet.
fn keys<'a>(method: &'a str, octets: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let direction = if ["indication", "read"].contains(&method) { "p2c" } else { "c2p" };
    let mut keys = vec![
        ("link", "ble-gatt"),
        ("ble.conn_interval", "50ms"),
        ("ble.direction", direction),
        ("gatt.method", method),
        ("gatt.payload", octets),
        ("gatt.mtu", "247"),
    ];
    keys.extend(more);
    keys
}

/// Asserts that one value arrives every `events` connection intervals, to the nanosecond, and what goes on the air between two.
fn every(events: u64, opcodes: &[u8], method: &str, octets: &str, more: &[(&str, &str)]) {
    let Seen { arrivals, opcodes: sent, octets: each } = seen(&keys(method, octets, more));
    assert!(each.iter().all(|len| len.to_string() == octets), "{method}: {each:?}");
    assert_eq!(arrivals.len(), VALUES + 1, "{method}");
    // With the first one there is still something of the set-up in the event.
    let gaps: Vec<Duration> = arrivals[1..].windows(2).map(|pair| pair[1] - pair[0]).collect();
    let interval = Duration::from_millis(50);
    assert!(gaps.iter().all(|gap| *gap == interval * events), "{method}: {gaps:?}");
    // From the first arrival on, one of a value's own PDUs is behind it at most.
    let place = opcodes.iter().position(|code| sent.first() == Some(code)).expect("one of the method's");
    let expected = opcodes.iter().cycle().skip(place).take(sent.len());
    assert!(sent.len() > opcodes.len() && sent.iter().eq(expected), "{method}: {sent:02x?}");
}

#[test]
fn a_value_that_is_answered_takes_two_events() {
    every(2, &WRITE, "write-request", "241", &[]);
    every(2, &INDICATION, "indication", "241", &[]);
    // One octet of header leaves two octets more than a notification has.
    every(2, &READ, "read", "246", &[]);
}

#[test]
fn a_long_write_takes_two_events_for_each_part_and_for_its_execution() {
    // Parts of MTU - 5 = 242 octets: 242, 242 and 16.
    every(2 * 4, &LONG_WRITE, "long-write", "500", &[]);
    every(2 * 2, &[0x16, 0x17, 0x18, 0x19], "long-write", "242", &[]);
}

#[test]
fn hosts_that_are_late_for_an_event_take_another_one() {
    for (method, opcodes, octets) in
        [("write-request", WRITE, "241"), ("indication", INDICATION, "241"), ("read", READ, "241")]
    {
        every(3, &opcodes, method, octets, &[("peer_host.latency", "60ms")]);
        every(3, &opcodes, method, octets, &[("host.latency", "60ms")]);
        every(4, &opcodes, method, octets, &[("peer_host.latency", "60ms"), ("host.latency", "60ms")]);
    }
}

/// More values under way wait in the stack: a bearer has one exchange at a time.
#[test]
fn more_values_under_way_gain_nothing() {
    for in_flight in ["1", "6", "40"] {
        every(2, &WRITE, "write-request", "241", &[("gatt.in_flight", in_flight)]);
    }
}

// hbldh/bleak#338: BlueZ, write with response, 241 octets at 50 ms: 100 ms each.
#[test]
fn a_write_with_response_is_19_kbps_whoever_makes_it() {
    let more = [("central.personality", "bluez"), ("run.duration", "10s")];
    let record = record(&keys("write-request", "241", &more));
    assert_eq!(record.outcome, "ok");
    assert!((record.goodput_kbps.median - 241.0 * 8.0 / 100.0).abs() < 0.05, "{}", record.goodput_kbps.median);
    let says = &record.bottleneck.says;
    assert_eq!(record.bottleneck.account, "idle.response");
    assert!(says.ends_with("a write request waits for its response: one value per two events."), "{says}");
}

#[test]
fn every_octet_is_booked_once() {
    for (method, octets) in [
        ("write-request", "3"),
        ("write-request", "244"),
        ("indication", "100"),
        ("read", "246"),
        ("long-write", "512"),
    ] {
        let more = [("run.duration", "10s"), ("ble.phy", "1M"), ("ble.data_length", "27")];
        let outcome = outcome(&keys(method, octets, &more));
        let ledger = outcome.ledger.expect("there was a link");
        assert_eq!(ledger.entries().map(|(_, time)| time).sum::<Duration>(), ledger.elapsed(), "{method}");
        // 8 us an octet on LE 1M: what is booked as payload is what arrived, and a value on the air at the end at most.
        let ledger = outcome.steady_ledger.expect("it became steady");
        let payload = ledger.of(Account::PayloadC2p) + ledger.of(Account::PayloadP2c);
        let arrived = outcome.links[0].octets;
        let booked = payload.as_nanos() / 8_000;
        assert!(booked.abs_diff(arrived) <= octets.parse().expect("a number"), "{method}: {booked} of {arrived}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let way = refused(&[("link", "ble-gatt"), ("gatt.method", "write-request")]);
    assert!(way.contains("`write-request` does not go p2c"), "{way}");
    let short = refused(&keys("indication", "4", &[]));
    assert!(short.contains("5 to 244"), "{short}");
    let long = refused(&keys("read", "247", &[]));
    assert!(long.contains("246"), "{long}");
    let foreign = refused(&keys("indication", "20", &[("peripheral.host", "trouble")]));
    assert!(foreign.contains("the lab's own host"), "{foreign}");
}
