//! The server without sockets, on a clock that the test turns.

use airtime_core::Duration;
use airtime_lab::{Library, Plan};
use airtime_live::ble::config::DEVICES_MAX;
use airtime_live::ble::endpoint::{LINE_PACKETS, OUTGOING_FULL, OUTGOING_MAX};
use airtime_live::ble::watch::CLOSED_MAX;
use airtime_live::rpc::ServedConfig;
use proptest::prelude::*;

use crate::support::{Desk, config, peer};

const RESET: [u8; 4] = [1, 3, 0x0c, 0];

/// A central source and a peripheral sink that find one another.
const SOURCE: &str = "coc-source,role=central,interval=15ms";
const SINK: &str = "coc-sink,role=peripheral,interval=15ms,credits=bumble";

fn pair() -> Desk {
    let mut desk = Desk::new(config(&["pty,acl.count=24", "pty,acl.count=24"]));
    desk.plug(0, SOURCE);
    desk.plug(1, SINK);
    desk
}

#[test]
fn two_hosts_meet_and_stream() {
    let mut desk = pair();
    desk.run(Duration::from_secs(5));
    let report = desk.report();
    let [link] = &report.links[..] else { panic!("{:?}", report.links) };
    assert_eq!((link.central, link.peripheral), (Some(0), Some(1)));
    let terms = link.negotiated.as_ref().unwrap();
    assert_eq!((terms.conn_interval.as_str(), terms.phy.c2p, terms.dle.c2p), ("15ms", "2M", 251));
    let delivered = desk.hosts[1].as_ref().unwrap().progress().delivered;
    assert!(link.octets.c2p >= delivered && link.octets.c2p - delivered < 10_000, "{} {delivered}", link.octets.c2p);
    assert_eq!(link.octets.p2c, 0);
    assert!(link.goodput_kbps.c2p > 900.0, "{}", link.goodput_kbps.c2p);
    let booked: u64 = link.ledger_ns.iter().map(|(_, ns)| ns).sum();
    assert!(booked > 4_000_000_000 && booked <= report.elapsed_ns - link.opened_ns, "{booked}");
}

#[test]
fn rates_are_those_of_virtual_time_however_seldom_the_server_wakes_up() {
    // With room for more than an event the host is not needed within one.
    let goodput = |turn_us: u64| {
        let mut desk = pair();
        desk.turn = Duration::from_micros(turn_us);
        desk.run(Duration::from_secs(10));
        desk.report().links[0].goodput_kbps.c2p
    };
    let (often, seldom) = (goodput(100), goodput(3_000));
    assert!((often - seldom).abs() / often < 0.01, "{often} against {seldom}");
}

#[test]
fn a_peer_of_our_own_streams_with_an_outside_host() {
    let mut config = config(&["pty"]);
    config.peers.push(peer(1, "gatt-source"));
    let mut desk = Desk::new(config);
    desk.plug(0, "gatt-sink,role=central");
    desk.run(Duration::from_secs(4));
    let report = desk.report();
    assert!(report.links[0].octets.p2c > 100_000, "{:?}", report.links[0].octets);
    assert_eq!(report.peers[0].role, "peripheral");
}

/// A UART of 115200 baud carries 11520 octets a second, headers included, however seldom the server wakes up.
#[test]
fn a_bus_of_a_peer_takes_its_time() {
    let goodput = |bus: &str| {
        let mut config = config(&[]);
        config.peers.push(peer(0, &format!("coc-source,interval=15ms{bus}")));
        config.peers.push(peer(1, "coc-sink,role=central,interval=15ms"));
        let mut desk = Desk::new(config);
        desk.turn = Duration::from_millis(3);
        desk.run(Duration::from_secs(10));
        desk.report().links[0].goodput_kbps.p2c
    };
    assert!(goodput("") > 500.0, "{}", goodput(""));
    for bus in ["uart", "three-wire"] {
        let slow = goodput(&format!(",hci={bus},hci_baud=115200"));
        assert!((60.0..92.2).contains(&slow), "{bus}: {slow}");
    }
}

#[test]
fn a_host_that_goes_is_missed_by_supervision_timeout() {
    let mut desk = pair();
    desk.run(Duration::from_secs(3));
    desk.unplug(1);
    desk.run(Duration::from_secs(3));
    assert_eq!(desk.report().links[0].closed_ns, None, "the timeout is 4 s");
    desk.run(Duration::from_millis(1_500));
    let report = desk.report();
    let link = &report.links[0];
    assert_eq!(link.ended.p2c.as_deref(), Some("silent"));
    assert!(link.ended.c2p.as_deref().unwrap().starts_with("0x08"), "{:?}", link.ended);
    assert_eq!(report.endpoints[0].disconnects.get("0x08"), Some(&1));
}

#[test]
fn hosts_come_back_any_number_of_times_and_nothing_grows() {
    let mut desk = pair();
    desk.turn = Duration::from_millis(2);
    let mut held = Vec::new();
    for cycle in 0..220 {
        let device = cycle % 2;
        desk.run(Duration::from_millis(1_200));
        desk.unplug(device);
        // The other one goes as well, so that the next cycle need not wait for its timeout.
        desk.unplug(1 - device);
        let report = desk.report();
        assert!(report.links.len() <= CLOSED_MAX && desk.radios.network().observer.open() == 0);
        held.push((0..2).map(|device| desk.radios.endpoint(device).unwrap().held()).sum::<usize>());
        desk.plug(0, SOURCE);
        desk.plug(1, SINK);
    }
    let report = desk.report();
    assert!(held.iter().all(|held| *held == 0));
    assert_eq!(report.endpoints[0].clients, 221);
    let links = report.links.len() as u64 + report.links_before;
    assert!(links >= 200, "{links} connections in 220 cycles");
    let mut addresses: Vec<&str> = report.links.iter().map(|link| link.access_address.as_str()).collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), report.links.len(), "no access address comes back");
}

#[test]
fn a_host_that_does_not_read_is_not_read_from_and_then_cut_off() {
    let mut desk = Desk::new(config(&["pty"]));
    desk.radios.plug(0);
    // Read Local Supported Commands: its answer is much longer than itself.
    let flood = [1u8, 2, 0x10, 0].repeat(1_000);
    let mut taken = 0;
    for _ in 0..1_000 {
        if desk.radios.endpoint(0).unwrap().has_room() {
            desk.send(0, &flood);
            taken += flood.len();
        }
        desk.run(Duration::from_millis(1));
    }
    let endpoint = desk.radios.endpoint(0).unwrap();
    assert!(!endpoint.has_room() && !endpoint.is_choked());
    assert!(endpoint.held() < 2 * OUTGOING_FULL, "{} held of {taken} octets", endpoint.held());
    assert!(!desk.radios.can_refill(), "what cannot go on is nothing to stay awake for");
    desk.take(0);
    desk.run(Duration::from_millis(1));
    assert!(!desk.take(0).is_empty(), "it goes on once it reads");
}

#[test]
fn a_stream_for_a_host_that_does_not_read_waits_on_the_air() {
    let mut desk = Desk::new(config(&["pty,acl.count=24", "pty,acl.count=24"]));
    desk.plug(0, SOURCE);
    desk.plug(1, "coc-sink,role=peripheral,credits.initial=65000,credits.grant=1,credits.every=1");
    desk.run(Duration::from_secs(2));
    // The sink stops reading: its controller acknowledges nothing any more, and the source's takes no more than it has buffers for.
    let host = desk.hosts[1].take();
    desk.run(Duration::from_secs(1));
    let carried = |desk: &Desk| desk.report().links[0].octets.c2p;
    let before = carried(&desk);
    desk.run(Duration::from_secs(30));
    let endpoint = desk.radios.endpoint(1).unwrap();
    assert!(!endpoint.is_choked());
    assert_eq!(endpoint.held(), usize::from(LINE_PACKETS) * (5 + 4 + 247 + 2), "ACL packets of a K-frame each");
    assert_eq!(carried(&desk), before);
    // It reads again, and the stream goes on where it was.
    desk.hosts[1] = host;
    desk.run(Duration::from_secs(2));
    assert!(carried(&desk) > before + 100_000);
}

#[test]
fn a_flood_takes_its_turns_and_leaves_others_theirs() {
    let carried = |flood: bool| {
        let mut desk = Desk::new(config(&["pty,acl.count=24", "pty,acl.count=24", "pty"]));
        desk.plug(0, SOURCE);
        desk.plug(1, SINK);
        desk.radios.plug(2);
        for _ in 0..6_000 {
            if flood && desk.radios.endpoint(2).unwrap().has_room() {
                desk.send(2, &RESET.repeat(1_000));
            }
            desk.run(Duration::from_millis(1));
            desk.take(2);
        }
        let report = desk.report();
        (report.links[0].octets.c2p, report.endpoints[2].commands)
    };
    let ((alone, _), (flooded, commands)) = (carried(false), carried(true));
    assert_eq!(alone, flooded);
    // 64 a turn, two turns a millisecond.
    assert!((600_000..=770_000).contains(&commands), "{commands}");
}

#[test]
fn what_is_no_packet_is_a_hardware_error_and_a_reset_mends_it() {
    let mut desk = Desk::new(config(&["pty"]));
    desk.radios.plug(0);
    let mut exchange = |bytes: &[u8]| {
        desk.send(0, bytes);
        desk.run(Duration::from_millis(1));
        desk.take(0)
    };
    const HARDWARE_ERROR: [u8; 4] = [4, 0x10, 1, 1];
    const RESET_DONE: [u8; 7] = [4, 0x0e, 4, 1, 3, 0x0c, 0];
    assert_eq!(exchange(&[0x55, 1, 2, 3]), HARDWARE_ERROR);
    assert!(exchange(&[1, 2, 3]).is_empty(), "nothing more until it is reset");
    assert_eq!(exchange(&RESET), RESET_DONE);
    // Synchronous and isochronous data are whole packets that no controller here takes.
    assert_eq!(exchange(&[3, 0, 0, 2, 9, 9]), HARDWARE_ERROR);
    assert_eq!(exchange(&[5, 0, 0, 1, 0, 9]), HARDWARE_ERROR);
    assert_eq!(exchange(&RESET), RESET_DONE);
    assert_eq!(desk.report().endpoints[0].malformed, 3);
}

#[test]
fn half_a_packet_waits_for_its_other_half() {
    let mut desk = Desk::new(config(&["pty"]));
    desk.radios.plug(0);
    desk.send(0, &RESET[..3]);
    desk.run(Duration::from_secs(1));
    assert!(desk.take(0).is_empty());
    desk.send(0, &RESET[3..]);
    desk.run(Duration::from_millis(1));
    assert_eq!(desk.take(0), [4, 0x0e, 4, 1, 3, 0x0c, 0]);
}

#[test]
fn half_a_packet_is_not_waited_for_without_end() {
    const ANSWER: [u8; 7] = [4, 0x0e, 4, 1, 3, 0x0c, 0];
    let mut desk = Desk::new(config(&["pty"]));
    desk.radios.plug(0);
    // The header of an ACL packet of 300 octets, from whoever has had the terminal before.
    let half = [2, 0, 0, 44, 1, 9];
    let quiet = |desk: &mut Desk, ms: u64| {
        let now = desk.now;
        desk.radios.endpoint(0).unwrap().hears_nothing(now);
        desk.run(Duration::from_millis(ms));
        let now = desk.now;
        desk.radios.endpoint(0).unwrap().hears_nothing(now);
    };
    desk.send(0, &half);
    quiet(&mut desk, 1_001);
    desk.send(0, &RESET);
    desk.run(Duration::from_millis(1));
    assert_eq!(desk.take(0), ANSWER, "a second of silence ends it");
    // Within the second its rest may come.
    desk.send(0, &RESET[..2]);
    quiet(&mut desk, 900);
    desk.send(0, &RESET[2..3]);
    quiet(&mut desk, 900);
    desk.send(0, &RESET[3..]);
    desk.run(Duration::from_millis(1));
    assert_eq!(desk.take(0), ANSWER);
    assert_eq!(desk.report().endpoints[0].malformed, 1, "what was broken off is counted");
}

#[test]
fn as_many_controllers_as_the_medium_has_room_for() {
    let mut desk = Desk::new(config(&["pty"; DEVICES_MAX]));
    for device in 0..DEVICES_MAX {
        desk.radios.plug(device);
        desk.send(device, &RESET);
    }
    desk.run(Duration::from_millis(1));
    assert!((0..DEVICES_MAX).all(|device| desk.take(device).len() == 7));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_bytes_harm_only_their_own_controller(
        chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..300), 1..60),
    ) {
        let mut desk = Desk::new(config(&["pty", "pty"]));
        desk.radios.plug(0);
        desk.radios.plug(1);
        for chunk in chunks {
            desk.send(0, &chunk);
            desk.run(Duration::from_millis(1));
            prop_assert!(desk.radios.endpoint(0).unwrap().held() < OUTGOING_MAX);
            desk.send(1, &RESET);
            desk.run(Duration::from_millis(1));
            prop_assert_eq!(desk.take(1), [4, 0x0e, 4, 1, 3, 0x0c, 0]);
        }
    }
}

#[test]
fn the_published_schema_has_every_field() {
    let mut config = config(&["pty,acl.count=24", "pty,acl.count=3"]);
    config.peers.push(peer(2, "gatt-source,name=nobody"));
    config.served.push(served());
    let mut desk = Desk::new(config);
    desk.plug(0, SINK);
    desk.plug(1, SOURCE);
    desk.run(Duration::from_secs(3));
    let report = serde_json::to_value(desk.report()).unwrap();
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../../schemas/live.schema.json")).unwrap();
    let fields = |object: &serde_json::Value| -> Vec<String> { object.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(fields(&schema["properties"]), fields(&report));
    assert_eq!(schema["properties"]["schema"]["const"], report["schema"]);
    for (part, value) in [
        ("spans", &report["lag"]),
        ("spans", &report["endpoints"][1]["host_latency"]),
        ("endpoint", &report["endpoints"][0]),
        ("peer", &report["peers"][0]),
        ("rpc", &report["rpc"][0]),
        ("link", &report["links"][0]),
        ("negotiated", &report["links"][0]["negotiated"]),
        ("ways", &report["links"][0]["goodput_kbps"]),
    ] {
        assert_eq!(fields(&schema["$defs"][part]["properties"]), fields(value), "{part}");
    }
}

/// A server of remote calls that nobody looks for.
fn served() -> ServedConfig {
    let plan = Plan::parse("calls", "link = \"ble-rpc\"\n", &Library::builtin(), &[]).unwrap();
    let scenario = plan.point(0).unwrap().scenario.of::<airtime_ble_link::plan::Scenario>().cloned().unwrap();
    ServedConfig { scenario, address: [9, 0, 0, 0x5e, 0, 0xc0], identity: Some([1; 32]), extended: true, memory: 1_024 }
}

#[test]
fn a_central_of_our_own_looks_for_its_peripheral_again() {
    let mut config = config(&["pty"]);
    config.peers.push(peer(1, "coc-source,role=central"));
    let mut desk = Desk::new(config);
    // Nobody is there for longer than it scans.
    desk.run(Duration::from_secs(20));
    for _ in 0..3 {
        desk.plug(0, SINK);
        desk.run(Duration::from_secs(22));
        assert!(desk.hosts[0].as_ref().unwrap().progress().delivered > 100_000);
        desk.unplug(0);
        desk.run(Duration::from_secs(5));
    }
    let report = desk.report();
    let streamed: Vec<bool> = report.links.iter().map(|link| link.octets.c2p > 100_000).collect();
    assert_eq!(streamed, [true; 3]);
    assert!(report.links.iter().all(|link| link.ended.c2p.is_some() && link.central == Some(1)));
}
