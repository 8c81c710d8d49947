//! Plans of remote calls.

use airtime_ble::personality::CreditPolicy;
use airtime_ble_link::plan::{Carrier, Direction, Transport, rpc};
use airtime_core::Duration;
use airtime_rpc::client::Mode;
use airtime_rpc::suite::{BenchConfig, Method};
use serde_json::{Value, json};

use crate::personality::Library;
use crate::plan::{Plan, Scenario};
use crate::schema::{self, Turns};

fn scenario(text: &str) -> Scenario {
    let text = format!("link = \"ble-rpc\"\n{text}");
    Plan::parse("x.toml", &text, &Library::builtin(), &[]).unwrap().point(0).unwrap().scenario
}

fn param(scenario: &Scenario, name: &str) -> Value {
    scenario.params.get(name).cloned().unwrap_or(Value::Null)
}

#[test]
fn the_shortest_plan_is_the_published_benchmark() {
    let scenario = scenario("");
    let ble = scenario.of::<airtime_ble_link::plan::Scenario>().unwrap();
    let rpc = ble.rpc.as_ref().unwrap();
    assert_eq!(
        (ble.link, ble.connection.direction, ble.transport()),
        (Carrier::BleRpc, Direction::Both, Transport::Gatt)
    );
    let bench = BenchConfig { call: Method::FlashRead, payload: 8_192, calls: Some(10), warmup: 1, outstanding: 1 };
    assert_eq!(rpc.benches(), [bench]);
    assert_eq!((rpc.mode, rpc.encrypted, rpc.frame, rpc.in_flight), (Mode::Compatible, false, Some(244), None));
    assert_eq!(scenario.link(), "ble-rpc");
    assert_eq!(param(&scenario, "rpc.payload"), json!(8_192));
    assert_eq!(param(&scenario, "rpc.calls"), json!(10));
    assert_eq!(param(&scenario, "gatt.mtu"), json!(247));
    for absent in ["coc.mps", "coc.sdu", "gatt.payload", "ble.direction", "run.warmup", "rpc.suite"] {
        assert!(scenario.params.get(absent).is_none(), "{absent} means nothing here");
    }
}

#[test]
fn each_method_has_the_payload_of_the_published_benchmark() {
    for (call, payload, calls) in
        [("echo", 5, 50), ("data_write", 200, 20), ("counter_stream", 20, 1), ("counter_upload", 20, 1)]
    {
        let scenario = scenario(&format!("rpc.call = \"{call}\"\n"));
        let bench = scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().rpc.as_ref().unwrap().bench().unwrap();
        assert_eq!((bench.call.name(), bench.payload, bench.calls), (call, payload, Some(calls)));
    }
    for call in ["bulk_read", "bulk_write"] {
        let scenario = scenario(&format!("rpc.call = \"{call}\"\nrpc.mode = \"extended\"\n"));
        let bench = scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().rpc.as_ref().unwrap().bench().unwrap();
        assert_eq!((bench.call.name(), bench.payload, bench.calls), (call, 262_144, Some(3)));
    }
    let endless = scenario("rpc.calls = \"none\"\n");
    assert!(endless.of::<airtime_ble_link::plan::Scenario>().unwrap().rpc.as_ref().unwrap().is_open_ended());
}

#[test]
fn a_channel_s_frames_fill_the_pdus_of_the_link() {
    let scenario = |text: &str| scenario(&format!("rpc.transport = \"coc\"\nrpc.mode = \"extended\"\n{text}"));
    let frame = |text: &str| scenario(text).of::<airtime_ble_link::plan::Scenario>().unwrap().payload();
    assert_eq!(frame(""), 245, "an MPS of 247 less the SDU length");
    assert_eq!(frame("central.personality = \"macos\"\n"), 245, "251 octets less a K-frame's first header");
    assert_eq!(frame("ble.data_length = 100\n"), 94);
    assert_eq!(frame("coc.mps = 50\n"), 48);
    let channel = scenario("");
    assert_eq!(param(&channel, "coc.mps"), json!(247));
    assert!(channel.params.get("gatt.mtu").is_none());
}

#[test]
fn keys_of_buffers_are_the_firmware_s() {
    let text = "central.personality = \"macos\"\nacl.count = 20\ngatt.tx_buffers = 21\npeer_host.latency = \"9us\"\n";
    let ble = scenario(text).of::<airtime_ble_link::plan::Scenario>().cloned().unwrap();
    assert_eq!((ble.central.controller.acl_count, ble.peripheral.controller.acl_count), (8, 20));
    assert_eq!((ble.central.host.l2cap_tx_buffers, ble.peripheral.host.l2cap_tx_buffers), (16, 21));
    assert_eq!(ble.central.host.latency, Duration::from_micros(9));
    let by_segment = CreditPolicy::PerFrames { initial: 10, on_connect: 10, grant: 1, every: 1 };
    assert_eq!(ble.peripheral.host.credits, by_segment, "firmware gives credits back frame by frame");
    assert_ne!(ble.central.host.credits, by_segment, "an operating system has its own policy");
    let turns = |name: &str| crate::plan::turns(schema::find(name).unwrap(), &scenario(text));
    assert_eq!((turns("acl.count"), turns("peer_host.latency")), (Turns::Firmware, Turns::Os));
    assert_eq!((turns("coc.sdu"), turns("rpc.outstanding")), (Turns::Nobody, Turns::CentralApplication));
}

#[test]
fn suites_have_their_own_calls() {
    let bench = scenario("rpc.suite = \"bench\"\n");
    let calls = bench.of::<airtime_ble_link::plan::Scenario>().unwrap().rpc.unwrap();
    assert_eq!(calls.benches(), rpc::BENCHES);
    assert!(bench.params.get("rpc.payload").is_none());
    let checks = scenario("rpc.suite = \"conformance\"\nrpc.check = \"echo_empty\"\n");
    let calls = checks.of::<airtime_ble_link::plan::Scenario>().unwrap().rpc.unwrap();
    assert!(calls.counts("echo_empty") && !calls.counts("echo_basic"));
    assert!(calls.benches().is_empty() && !calls.is_open_ended());
}
