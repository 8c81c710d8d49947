use airtime_ble::host::Role;
use airtime_ble::personality::Controller;
use airtime_ble::transport::Bus;
use airtime_ble_link::plan::{Carrier, Direction};
use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_lab::Library;

use super::{endpoint, host, peer, personality_files};
use crate::address::written;
use crate::ble::place::Place;

fn wrong(text: &str) -> String {
    endpoint(0, text, &Library::builtin()).unwrap_err().to_string()
}

fn wrong_peer(text: &str) -> String {
    peer(0, text, &Library::builtin()).unwrap_err().to_string()
}

#[test]
fn an_endpoint_is_a_place_and_what_differs() {
    let library = Library::builtin();
    let plain = endpoint(3, "tcp:127.0.0.1:9000", &library).unwrap();
    assert_eq!(plain.place, Place::Tcp("127.0.0.1:9000".into()));
    assert_eq!((plain.personality.as_str(), plain.loss), ("zephyr-ll", Loss::None));
    // Like a plan that says nothing else, an endpoint offers what it can send, whoever asks.
    let shipped = library.get("zephyr-ll").unwrap().of::<airtime_ble_link::plan::Personality>().unwrap().controller;
    assert_eq!(plain.controller, Controller { suggested_octets: shipped.data_octets, ..shipped });
    assert_eq!(written(plain.address), "C0:00:5E:00:01:03");

    let text = "unix:/tmp/x,personality=bluez,loss.per=0.01,seed=3,address=C0:01:02:03:04:05,acl.count=24,\
                controller.margin=20us,controller.phy_2m=false";
    let other = endpoint(0, text, &library).unwrap();
    assert_eq!(other.place, Place::Unix("/tmp/x".into()));
    assert_eq!((other.loss, other.seed), (Loss::Packet { per: 0.01 }, 3));
    assert_eq!(other.address, [5, 4, 3, 2, 1, 0xc0]);
    assert_eq!((other.controller.acl_count, other.controller.margin), (24, Duration::from_micros(20)));
    let bluez = library.get("bluez").unwrap().of::<airtime_ble_link::plan::Personality>().unwrap().controller;
    assert!(!other.controller.phy_2m);
    assert_eq!(other.controller.acl_size, bluez.acl_size);
}

#[test]
fn places_are_read() {
    let place = |text: &str| endpoint(0, text, &Library::builtin()).unwrap().place;
    assert_eq!(place("pty"), Place::Pty(None));
    assert_eq!(place("pty:/tmp/tty"), Place::Pty(Some("/tmp/tty".into())));
    assert_eq!(place("tcp:[::1]:0"), Place::Tcp("[::1]:0".into()));
    for text in ["", "tcp", "tcp:9000", "udp:127.0.0.1:9", "unix:", "pty:"] {
        assert!(wrong(text).contains("is no endpoint"), "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_with_the_nearest_spelling() {
    for (text, said) in [
        ("pty,acl.cuont=3", "did you mean `acl.count`?"),
        ("pty,controller.margni=3us", "did you mean `controller.margin`?"),
        ("pty,personality=zephyr-l", "did you mean `zephyr-ll`?"),
        ("pty,loss.per=2", "2 is not a probability"),
        ("pty,acl.count=0", "a whole number from 1 to 255"),
        ("pty,controller.budget=full", "\"full-reply\""),
        ("pty,controller.margin=3", "`controller.margin`"),
        ("pty,address=C0:00", "expected six octets"),
        ("pty,seed", "expected KEY=VALUE"),
        ("pty,host.latency=1ms", "unknown key `host.latency`"),
        ("pty,loss.good=0.1", "is not one kind of loss"),
        ("pty,hci=uart", "`hci`: an outside host brings a transport of its own"),
        ("pty,hci_baud=115200", "a bus is for a `--peer`, or for a plan"),
    ] {
        let error = wrong(text);
        assert!(error.starts_with(&format!("--hci {text}: ")) && error.contains(said), "{error}");
    }
}

#[test]
fn a_peer_is_an_end_of_a_test() {
    let library = Library::builtin();
    let text = "coc-source,role=central,sdu=247,interval=30ms,phy=1M,credits.initial=64,credits.grant=8,credits.every=8,\
                loss.per=0.1,personality=ideal";
    let source = peer(2, text, &library).unwrap();
    assert_eq!((source.role, source.scenario.connection.direction), (Role::Central, Direction::CentralToPeripheral));
    assert_eq!((source.scenario.sdu(), source.scenario.conn_interval()), (247, Duration::from_millis(30)));
    assert_eq!(source.scenario.connection.loss, Loss::Packet { per: 0.1 });
    assert_eq!(source.scenario.central.name, "ideal");

    let sink = peer(2, "gatt-sink,sdu=100,mtu=247", &library).unwrap();
    assert_eq!((sink.role, sink.scenario.connection.direction), (Role::Peripheral, Direction::CentralToPeripheral));
    assert_eq!((sink.scenario.link, sink.scenario.gatt.payload), (Carrier::BleGatt, Some(100)));
}

#[test]
fn a_peer_has_the_bus_of_its_own_end() {
    let library = Library::builtin();
    let bus = |text: &str| peer(0, text, &library).unwrap().device().bus;
    assert_eq!(bus("coc-source"), Bus::Memory);
    assert_eq!(bus("coc-source,hci=uart,hci_baud=460800"), Bus::Uart { baud: 460_800 });
    // A role may be said behind the bus.
    let window = Bus::ThreeWire { baud: 1_000_000, window: 2, crc: false };
    assert_eq!(bus("gatt-sink,hci=three-wire,hci_window=2,role=central"), window);
    let error = host("coc-sink,hci=usb", None, &library).unwrap_err().to_string();
    assert!(error.contains("`hci`: the bus of this host is the one to `--hci`"), "{error}");
}

#[test]
fn wrong_peers_are_told() {
    for (text, said) in [
        ("coc-sauce", "did you mean `coc-source`?"),
        ("rpc", "`airtime live rpc`"),
        ("coc-sink,role=both", "\"central\", \"peripheral\""),
        ("coc-sink,intervall=15ms", "did you mean `interval`?"),
        ("coc-sink,interval=16ms", "did you mean `15ms`?"),
        ("coc-sink,coc.sud=3", "did you mean `coc.sdu`?"),
        ("gatt-source,peripheral.personality=x", "unknown key"),
        ("gatt-source,hci=urat", "did you mean `uart`?"),
        ("gatt-source,hci_bauds=1", "did you mean `peripheral.hci_baud`?"),
        ("coc-sink,role=central,hci_window=2,hci=uart", "`central.hci_window` without `central.hci` = \"three-wire\""),
    ] {
        let error = wrong_peer(text);
        assert!(error.starts_with(&format!("--peer {text}: ")) && error.contains(said), "{error}");
    }
}

#[test]
fn files_of_personalities_are_found_before() {
    assert_eq!(personality_files("pty,seed=1,personality=a/b.toml"), ["a/b.toml"]);
    assert!(personality_files("pty,personality=bluez").is_empty());
}
