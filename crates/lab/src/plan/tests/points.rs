//! What plans become.

use airtime_ble::air::Phy;
use airtime_ble::personality::{CreditPolicy, TaskPriority};
use airtime_ble_link::plan::{Carrier, Direction, Pacing};
use airtime_core::Duration;
use airtime_core::loss::Loss;
use serde_json::json;

use crate::personality::Library;
use crate::plan::{Plan, Point, personality_files, set_argument};
use crate::verdict::Verdict;

fn plan(text: &str) -> Plan {
    Plan::parse("plans/x.toml", text, &Library::builtin(), &[]).unwrap()
}

fn only(text: &str) -> Point {
    let mut points = plan(text).points();
    assert_eq!(points.len(), 1);
    points.remove(0)
}

const WHOLE: &str = r#"
name = "coc-mac"
link = "ble-coc"
[central]
personality = "macos"
host = "model"
[peripheral]
personality = "zephyr-ll"
[ble]
conn_interval = "15ms"
phy = "2M"
frame_space = "150us"
encrypted = true
direction = "p2c"
interference = "co-channel"
loss = { good = 0.001, bad = 0.5, every = "200ms", burst = "5ms" }
[coc]
sdu = 495
in_flight = 6
channels = 2
tx_buffers = 7
pacing = "sleep:2ms"
credits = { initial = 10, on_connect = 10, grant = 1, every = 1 }
[acl]
count = 6
size = 502
[host]
task_priority = "above"
[run]
duration = "70s"
warmup = "3s"
seed = 7
repeat = 2
[threshold]
goodput = ">= 500kbps"
delay_p99 = "< 50ms"
loss = "<= 1%"
[need]
rate = "15Mbps"
"#;

#[test]
fn the_contract_s_example_reads() {
    let plan = plan(WHOLE);
    assert_eq!(plan.name, "coc-mac");
    assert_eq!(plan.threshold.unwrap().to_string(), ">= 500kbps");
    assert_eq!(plan.limits.iter().map(ToString::to_string).collect::<Vec<_>>(), ["delay_p99 < 50ms", "loss <= 1%"]);
    assert_eq!(plan.need.unwrap().to_string(), "15Mbps");
    let scenario = plan.point(0).unwrap().scenario.of::<airtime_ble_link::plan::Scenario>().cloned().unwrap();
    assert_eq!(
        (scenario.link, scenario.connection.direction, scenario.phy()),
        (Carrier::BleCoc, Direction::PeripheralToCentral, Phy::Le2M)
    );
    assert_eq!(scenario.conn_interval(), Duration::from_millis(15));
    assert_eq!(scenario.connection.negotiated_frame_space(), None, "150us needs no negotiation");
    assert!(scenario.connection.encrypted && scenario.connection.co_channel() && scenario.connection.data_length_gate);
    let burst = Duration::from_millis(5);
    let loss = Loss::Burst { good: 0.001, bad: 0.5, every: Duration::from_millis(200), burst, missed: 0.0 };
    assert_eq!(scenario.connection.loss, loss);
    assert_eq!((scenario.sdu(), scenario.coc.channels), (495, 2));
    assert_eq!(scenario.pacing(), Pacing::Sleep(Duration::from_millis(2)));
    assert_eq!((scenario.run.seed, scenario.run.repeat), (7, 2));
}

#[test]
fn keys_reach_the_end_they_are_about() {
    let p2c = plan(WHOLE).point(0).unwrap().scenario.of::<airtime_ble_link::plan::Scenario>().cloned().unwrap();
    let credits = CreditPolicy::PerFrames { initial: 10, on_connect: 10, grant: 1, every: 1 };
    assert_eq!((p2c.peripheral.controller.acl_count, p2c.peripheral.controller.acl_size), (6, 502));
    assert_eq!((p2c.peripheral.host.l2cap_tx_buffers, p2c.peripheral.host.stream_task), (7, TaskPriority::Above));
    assert_eq!((p2c.central.host.credits, p2c.central.host.coc_mps), (credits, 1251));
    assert_eq!(p2c.peripheral.host.credits, CreditPolicy::ZephyrRecv);
    assert_eq!((p2c.central.controller.acl_count, p2c.central.host.stream_task), (8, TaskPriority::Below));

    let c2p = only("ble.direction = \"c2p\"\nacl.count = 9\n[coc]\nmps = 100\ncredits = \"bumble\"\n[peer_host]\nlatency = \"9us\"").scenario.of::<airtime_ble_link::plan::Scenario>().cloned().unwrap();
    assert_eq!((c2p.central.controller.acl_count, c2p.peripheral.controller.acl_count), (9, 3));
    assert_eq!((c2p.central.host.coc_mps, c2p.peripheral.host.coc_mps), (247, 100));
    assert_eq!(c2p.peripheral.host.credits, CreditPolicy::RefillAtHalf { max: 256 });
    assert_eq!(c2p.peripheral.host.latency, Duration::from_micros(9));

    let both = only("ble.direction = \"both\"\nacl.count = 9\ncoc.mps = 100")
        .scenario
        .of::<airtime_ble_link::plan::Scenario>()
        .cloned()
        .unwrap();
    assert_eq!((both.central.controller.acl_count, both.peripheral.controller.acl_count), (9, 9));
    assert_eq!((both.central.host.coc_mps, both.peripheral.host.coc_mps), (100, 100));
}

#[test]
fn the_empty_plan_has_every_default() {
    let point = only("");
    let scenario = point.scenario.of::<airtime_ble_link::plan::Scenario>().unwrap();
    assert_eq!((point.id.as_str(), point.label.as_str()), ("x", "x"));
    assert_eq!((scenario.sdu(), scenario.data_length(), scenario.connection.peripherals), (492, 251, 1));
    assert_eq!(scenario.conn_interval(), Duration::from_millis(30));
    assert_eq!(scenario.supervision_timeout(), Duration::from_secs(4));
    assert_eq!(scenario.connection.name, "nRF54L15_Test");
    assert_eq!(scenario.connection.scan_timeout, Duration::from_secs(15));
    // A small MTU takes the default SDU with it, a long interval the timeout.
    assert_eq!(only("coc.mtu = 100").scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().sdu(), 100);
    assert_eq!(
        only("ble.conn_interval = \"4s\"")
            .scenario
            .of::<airtime_ble_link::plan::Scenario>()
            .unwrap()
            .supervision_timeout(),
        Duration::from_secs(24)
    );
}

#[test]
fn gatt_values_fill_the_mtu() {
    let gatt = |text: &str| {
        only(&format!("link = \"ble-gatt\"\n{text}"))
            .scenario
            .of::<airtime_ble_link::plan::Scenario>()
            .cloned()
            .unwrap()
    };
    assert_eq!((gatt("").payload(), gatt("").att_mtu()), (244, 247));
    assert_eq!(gatt("gatt.mtu = 498").payload(), 495);
    assert_eq!(gatt("gatt.mtu = 1000").payload(), 512, "the largest attribute value");
    assert_eq!(gatt("gatt.payload = 20").payload(), 20);
    // A Mac offers 527 whatever the firmware does; the smaller offer wins.
    assert_eq!(gatt("central.personality = \"macos\"\ngatt.mtu = 600").att_mtu(), 527);
    let params = only("link = \"ble-gatt\"").scenario.params;
    assert_eq!(params.get("gatt.method"), Some(&json!("notify")));
    assert_eq!(params.get("coc.sdu"), None);
}

#[test]
fn off_grid_for_apple_is_no_error() {
    let scenario = only("central.personality = \"macos\"\nble.conn_interval = \"11.25ms\"")
        .scenario
        .of::<airtime_ble_link::plan::Scenario>()
        .cloned()
        .unwrap();
    assert_eq!(scenario.conn_interval(), Duration::from_micros(11_250));
}

#[test]
fn shorter_intervals_need_both_ends() {
    let mut library = Library::builtin();
    let short = "based_on = \"ideal\"\n[controller]\n\
                 interval_min = { value = \"375us\", status = \"assumed\", source = \"Core 6.2\" }\n";
    library.add("short.toml", short).unwrap();
    let text = |interval: &str, peripheral: &str| {
        format!(
            "central.personality = \"short.toml\"\nperipheral.personality = \"{peripheral}\"\nble.conn_interval = \"{interval}\""
        )
    };
    let parse = |text: String| Plan::parse("x.toml", &text, &library, &[]);
    assert!(parse(text("1ms", "short.toml")).is_ok());
    assert!(parse(text("1.1ms", "short.toml")).is_err());
    assert!(parse(text("250us", "short.toml")).is_err());
    assert!(parse(text("1ms", "ideal")).is_err());
}

#[test]
fn rows_candidates_and_grid_unfold_in_order() {
    let plan = plan(
        r#"
source = "the log"
[sweep]
"ble.conn_interval" = { from = "15ms", to = "30ms", step = "15ms" }
[[row]]
id = "a"
set = { "coc.sdu" = 247, ble.phy = "1M" }
measured = { value = 395, approx = true }
[[row]]
id = "b"
changed = "central's interval"
measured = { value = 1, unit = "Mbps", source = "elsewhere" }
candidates = [{ "coc.sdu" = 1 }, { "coc.sdu" = 2 }]
"#,
    );
    let points = plan.points();
    let ids: Vec<&str> = points.iter().map(|p| p.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "a/ble.conn_interval=15ms",
            "a/ble.conn_interval=30ms",
            "b/candidate-1/ble.conn_interval=15ms",
            "b/candidate-1/ble.conn_interval=30ms",
            "b/candidate-2/ble.conn_interval=15ms",
            "b/candidate-2/ble.conn_interval=30ms",
        ]
    );
    assert_eq!(
        (
            points[0].scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().sdu(),
            points[0].scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().phy()
        ),
        (247, Phy::Le1M)
    );
    let row = points[0].row.as_ref().unwrap();
    assert_eq!(row.verdict, Some(Verdict::Predicted));
    assert_eq!(row.measured.as_ref().unwrap().source, "the log");
    let last = &points[5];
    assert_eq!((last.scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().sdu(), last.candidate), (2, Some(1)));
    assert_eq!(last.row.as_ref().unwrap().verdict, Some(Verdict::Candidate));
    assert_eq!(last.label, "central's interval, coc.sdu 2, ble.conn_interval 30ms");
    assert_eq!(last.set, [("coc.sdu".to_owned(), json!(2)), ("ble.conn_interval".to_owned(), json!("30ms"))]);
}

#[test]
fn a_plan_knows_what_its_points_vary() {
    let varied = |text: &str| plan(text).varied().into_iter().collect::<Vec<_>>();
    assert_eq!(varied("coc.sdu = 100"), [""; 0]);
    let rows = "[[row]]\nid = \"a\"\nset = { \"acl.count\" = 3 }\ncandidates = [{ \"coc.mps\" = 65 }, { \"coc.mps\" = 247 }]\n\
                [sweep]\n\"central.personality\" = [\"macos\", \"iphone\"]";
    assert_eq!(varied(rows), ["acl.count", "central.personality", "coc.mps"]);
}

#[test]
fn options_win_over_rows_and_end_axes() {
    let text = "[sweep]\n\"coc.sdu\" = [1, 2, 3]\n\"ble.loss.per\" = [0.1, 0.2]\n[[row]]\nid = \"a\"\nset = { \"coc.in_flight\" = 2 }\n";
    let set =
        [("coc.sdu", "495"), ("coc.in_flight", "9"), ("ble.name", "123")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    let plan = Plan::parse("x.toml", text, &Library::builtin(), &set).unwrap();
    assert_eq!(plan.len(), 2);
    assert_eq!(plan.varied().into_iter().collect::<Vec<_>>(), ["ble.loss.per", "coc.in_flight"]);
    let scenario = plan.point(1).unwrap().scenario.of::<airtime_ble_link::plan::Scenario>().cloned().unwrap();
    assert_eq!((scenario.sdu(), scenario.coc.in_flight, scenario.connection.name.as_str()), (495, 9, "123"));
    assert_eq!(scenario.connection.loss, Loss::Packet { per: 0.2 });
    assert_eq!(plan.overrides(), ["coc.sdu=495", "coc.in_flight=9", "ble.name=123"]);
    let set = [("ble.loss".to_owned(), "none".to_owned())];
    assert_eq!(Plan::parse("x.toml", text, &Library::builtin(), &set).unwrap().len(), 3);
}

#[test]
fn parts_of_a_table_are_set_one_by_one() {
    let with = |text: &str, key: &str, value: &str| {
        let set = [(key.to_owned(), value.to_owned())];
        Plan::parse("x.toml", text, &Library::builtin(), &set)
            .unwrap()
            .point(0)
            .unwrap()
            .scenario
            .of::<airtime_ble_link::plan::Scenario>()
            .cloned()
            .unwrap()
    };
    let credits = |text, key, value| with(text, key, value).central.host.credits;
    let frames = |initial, on_connect| CreditPolicy::PerFrames { initial, on_connect, grant: 1, every: 1 };
    assert_eq!(credits("coc.credits = \"zephyr-seg-recv\"", "coc.credits.initial", "1"), frames(1, 10));
    assert_eq!(credits("coc.credits = { initial = 4 }", "coc.credits.on_connect", "2"), frames(4, 2));
    assert_eq!(credits("coc.credits = { initial = 4 }", "coc.credits.max", "2"), CreditPolicy::RefillAtHalf { max: 2 });
    let mac = CreditPolicy::PerFrames { initial: 64, on_connect: 0, grant: 3, every: 32 };
    assert_eq!(credits("central.personality = \"macos\"", "coc.credits.grant", "3"), mac);
    assert_eq!(with("ble.loss = { ber = 0.1 }", "ble.loss.per", "0.5").connection.loss, Loss::Packet { per: 0.5 });
    assert_eq!(
        with("ble.loss = { ber = 0.1 }", "ble.loss", "{ per = 0.5 }").connection.loss,
        Loss::Packet { per: 0.5 }
    );
}

#[test]
fn params_replay_the_scenario() {
    let personalities = "central.personality = \"nordic-sdc\"\nperipheral.personality = \"ideal\"\n";
    let texts = [
        WHOLE.to_owned(),
        String::new(),
        personalities.to_owned(),
        format!("link = \"ble-gatt\"\n{personalities}"),
        "ble.direction = \"c2p\"\nble.loss = { ber = 1e-6 }\nble.frame_space = \"52us\"".to_owned(),
        "ble.direction = \"both\"\nble.change_interval = { at = \"5s\", to = \"30ms\" }".to_owned(),
        "central.personality = \"bluez\"\nperipheral.personality = \"android-pixel\"\nble.loss.per = 0.25".to_owned(),
    ];
    for text in texts {
        let scenario = plan(&text).point(0).unwrap().scenario;
        let set: Vec<(String, String)> = scenario
            .params
            .iter()
            .map(|(name, value)| {
                let argument = set_argument(name, value);
                let (name, value) = argument.split_once('=').unwrap();
                (name.to_owned(), value.to_owned())
            })
            .collect();
        let link = format!("link = \"{}\"", scenario.link());
        let again = Plan::parse("x.toml", &link, &Library::builtin(), &set).unwrap().point(0).unwrap().scenario;
        assert_eq!(again, scenario, "{text}");
    }
}

#[test]
fn params_are_flat_and_say_every_default() {
    let params = only("ble.loss.per = 0.1").scenario.params;
    for (name, value) in params.iter() {
        assert!(!value.is_object() && !value.is_array() && !value.is_null(), "{name}");
    }
    assert_eq!(params.get("ble.phy"), Some(&json!("2M")));
    assert_eq!(params.get("coc.mps"), Some(&json!(247)));
    assert_eq!(params.get("coc.credits"), Some(&json!("zephyr-recv")));
    assert_eq!(params.get("ble.loss.per"), Some(&json!(0.1)));
    assert_eq!(params.get("ble.loss"), None);
    assert_eq!(params.get("peer_host.packet_time"), Some(&json!("20us")));
    assert_eq!(params.get("run.duration"), Some(&json!("60s")));
}

#[test]
fn a_point_can_be_varied() {
    let plan = plan("[sweep]\n\"coc.sdu\" = [100, 200]\n");
    let point = plan.point(1).unwrap();
    let varied = plan.vary(&point, &[("ble.phy".into(), json!("1M"))]).unwrap();
    assert_eq!(
        (
            varied.scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().sdu(),
            varied.scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().phy()
        ),
        (200, Phy::Le1M)
    );
    assert_eq!(varied.label, "ble.phy 1M");
    let credits = json!({ "initial": 3, "every": 2, "grant": 2 });
    let varied = plan.vary(&varied, &[("coc.credits".into(), credits.clone())]).unwrap();
    assert_eq!(varied.scenario.of::<airtime_ble_link::plan::Scenario>().unwrap().phy(), Phy::Le1M);
    assert_eq!(set_argument("coc.credits", &credits), "coc.credits={ initial = 3, every = 2, grant = 2 }");
    let error = plan.vary(&point, &[("coc.sdu".into(), json!(9_999))]).unwrap_err();
    assert!(error.to_string().contains("above the MTU"), "{error}");
}

#[test]
fn what_was_varied_stands_above_an_option_when_it_is_varied_again() {
    let option = [("coc.in_flight".to_owned(), "1".to_owned())];
    let plan = Plan::parse("x.toml", "", &Library::builtin(), &option).unwrap();
    let more = plan.vary(&plan.point(0).unwrap(), &[("coc.in_flight".into(), json!(4))]).unwrap();
    let shorter = plan.vary(&more, &[("run.duration".into(), json!("9s"))]).unwrap();
    let in_effect = |key: &str| shorter.scenario.params.get(key).cloned();
    assert_eq!((in_effect("coc.in_flight"), in_effect("run.duration")), (Some(json!(4)), Some(json!("9s"))));
}

#[test]
fn files_of_personalities_are_found() {
    let text = "central.personality = \"my/mac.toml\"\n[sweep]\n\"peripheral.personality\" = [\"a.toml\", \"ideal\"]\n";
    assert_eq!(personality_files(text, &[("x".into(), "b.toml".into())]), ["a.toml", "b.toml", "my/mac.toml"]);
    assert!(personality_files("[", &[]).is_empty());
}

#[test]
fn nothing_behind_a_key_takes_back_what_a_plan_sets() {
    let text = "[coc]\nsdu = 245\ncredits = { initial = 3, every = 2, grant = 2 }\n[central]\nscan_interval = \"50ms\"\n\
                [sweep]\n\"acl.count\" = [1, 2]\n";
    let own = Plan::parse("x.toml", "", &Library::builtin(), &[]).unwrap().point(0).unwrap().scenario.params;
    let keys = ["coc.sdu", "coc.credits", "central.scan_interval", "acl.count"];
    let back: Vec<_> = keys.iter().map(|key| ((*key).to_owned(), String::new())).collect();
    let plan = Plan::parse("x.toml", text, &Library::builtin(), &back).unwrap();
    assert_eq!(plan.len(), 1, "an axis is taken back, too");
    let point = plan.point(0).unwrap();
    assert_eq!(point.scenario.params, own);
    assert_eq!(plan.overrides(), ["coc.sdu=", "coc.credits=", "central.scan_interval=", "acl.count="]);
    // A change takes back an option as well.
    let option = [("coc.sdu".to_owned(), "245".to_owned())];
    let plan = Plan::parse("x.toml", "", &Library::builtin(), &option).unwrap();
    let varied = plan.vary(&plan.point(0).unwrap(), &[("coc.sdu".into(), serde_json::Value::Null)]).unwrap();
    assert_eq!(varied.scenario.params, own);
}
