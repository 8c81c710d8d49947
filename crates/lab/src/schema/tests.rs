use super::*;
use crate::explain::values::values;
use crate::personality::Library;
use crate::plan::{Plan, Scenario, turns};
use airtime_ble::personality::CreditWord;
use serde_json::{Value, json};

fn scenario(text: &str) -> Scenario {
    Plan::parse("t.toml", text, &Library::builtin(), &[]).unwrap().points().remove(0).scenario
}

fn near(name: &str, current: &Value, text: &str) -> Vec<Value> {
    values(find(name).unwrap(), current, &scenario(text)).into_iter().map(|trial| trial.value).collect()
}

/// `rungs` has each of these values, whatever else a ladder has above and below them.
fn has<const N: usize>(rungs: &[Value], values: [Value; N]) {
    assert!(values.iter().all(|value| rungs.contains(value)), "{values:?} of {rungs:?}");
}

#[test]
fn keys_are_unique_and_their_defaults_are_possible() {
    for (i, key) in KEYS.iter().enumerate() {
        assert_eq!(index(key), i, "{} is there twice", key.name);
        let Some(value) = key.default.value() else { continue };
        assert_eq!(key.kind.check(key.name, &value), Ok(value), "{}", key.name);
        assert!(key.doc.ends_with('.'), "{}", key.name);
    }
}

#[test]
fn sdu_steps_fit_the_frames() {
    // 247 spills one octet over a K-frame of 247: 245 and 492 fit (n * MPS - 2).
    let zephyr = "[coc]\nsdu = 247\nmps = 247\n";
    has(&near("coc.sdu", &json!(247), zephyr), [json!(245), json!(492)]);
    // One K-frame of up to 1251 octets is cut into PDUs of 251: 245, 496, ... fit.
    let mac = "[central]\npersonality = \"macos\"\n[coc]\nsdu = 247\n";
    has(&near("coc.sdu", &json!(247), mac), [json!(1249), json!(245), json!(496)]);
}

#[test]
fn interval_steps_are_on_the_central_s_grid() {
    let zephyr = near("ble.conn_interval", &json!("15ms"), "[ble]\nconn_interval = \"15ms\"\n");
    has(&zephyr, [json!("13.75ms"), json!("16.25ms"), json!("7.5ms"), json!("30ms")]);
    let mac = "[central]\npersonality = \"macos\"\n[ble]\nconn_interval = \"11.25ms\"\n";
    has(&near("ble.conn_interval", &json!("11.25ms"), mac), [json!("15ms")]);
    has(&near("ble.request_interval", &Value::Null, mac), [json!("15ms")]);
}

#[test]
fn other_steps() {
    has(&near("ble.phy", &json!("2M"), ""), [json!("1M"), json!("S2"), json!("S8")]);
    has(&near("ble.encrypted", &json!(true), ""), [json!(false)]);
    has(&near("ble.encrypted", &json!(false), ""), [json!(true)]);
    has(&near("acl.count", &json!(3), ""), [json!(2), json!(4), json!(6)]);
    has(&near("coc.in_flight", &json!(1), ""), [json!(2)]);
    has(&near("coc.channels", &Value::Null, "link = \"ble-gatt\"\n"), [json!(2)]);
    has(&near("ble.data_length", &json!(27), ""), [json!(251)]);
    has(&near("ble.frame_space", &json!("150us"), ""), [json!("52us")]);
    has(&near("gatt.mtu", &json!(247), ""), [json!(498)]);
    assert_eq!(near("coc.credits", &json!("zephyr-recv"), "").len(), CreditWord::ALL.len() - 1);
    assert!(near("central.personality", &json!("macos"), "").is_empty());
}

#[test]
fn steps_of_wifi_are_those_of_the_declarations() {
    let wifi = "link = \"wifi-hosted\"\n";
    has(&near("lwip.snd_buf", &json!(30_000), wifi), [json!(5_760), json!(15_000), json!(60_000), json!(65_535)]);
    has(&near("lwip.rto_time", &json!("1.5s"), wifi), [json!("300ms"), json!("3s")]);
    has(&near("hosted.throttle_low", &json!(3), wifi), [json!(0), json!(8)]);
    has(&near("traffic.payload", &json!(1_400), wifi), [json!(700), json!(1_472)]);
    // Whatever declares none is halved and doubled.
    has(&near("hosted.tx_queue", &json!(20), wifi), [json!(10), json!(40)]);
    has(&near("path.rtt", &json!("2ms"), wifi), [json!("1ms"), json!("4ms")]);
    has(&near("hosted.mode", &json!("packet"), wifi), [json!("streaming")]);
}

#[test]
fn every_step_of_a_key_is_a_value_of_it() {
    let plan = Plan::parse("t.toml", "", &Library::builtin(), &[]).unwrap();
    let point = plan.point(0).unwrap();
    let mut tried = 0;
    let in_effect = |key: &&&Key| key.name == "ble.request_interval" || point.scenario.params.get(key.name).is_some();
    for key in KEYS.iter().filter(in_effect) {
        let current = point.scenario.params.get(key.name).cloned().unwrap_or_default();
        for value in values(key, &current, &point.scenario).into_iter().map(|trial| trial.value) {
            assert_ne!(value, current, "{}", key.name);
            assert_eq!(key.kind.check(key.name, &value), Ok(value.clone()), "{}", key.name);
            if let Ok(varied) = plan.vary(&point, &[(key.name.to_owned(), value.clone())]) {
                assert_ne!(varied.scenario, point.scenario, "{} = {value} changes nothing", key.name);
            }
            tried += 1;
        }
    }
    assert!(tried > 50);
}

#[test]
fn knobs_belong_to_whom_the_direction_says() {
    let credits = find("coc.credits").unwrap();
    assert_eq!(turns(credits, &scenario("central.personality = \"macos\"\n")), Turns::Os);
    assert_eq!(turns(credits, &scenario("")), Turns::CentralApplication);
    assert_eq!(turns(credits, &scenario("ble.direction = \"c2p\"\n")), Turns::Firmware);
    assert_eq!(turns(find("coc.sdu").unwrap(), &scenario("")), Turns::Firmware);
    let interval = find("ble.conn_interval").unwrap();
    assert_eq!(turns(interval, &scenario("")), Turns::CentralApplication);
    assert_eq!(turns(interval, &scenario("central.personality = \"macos\"\n")), Turns::Firmware, "it can ask");
    assert_eq!(turns(find("ble.loss.per").unwrap(), &scenario("")), Turns::Nobody);
}

#[test]
fn the_page_about_plans_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plan.md");
    if std::env::var_os("AIRTIME_BLESS").is_some() {
        std::fs::write(path, markdown()).unwrap();
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == markdown(), "docs/plan.md is out of date: AIRTIME_BLESS=1 cargo test -p airtime-lab");
}

#[test]
fn whatever_somebody_can_turn_eases_a_mechanism() {
    // A time after which a link is lost and an image that a co-processor has cost no throughput by themselves, and fewer links are no
    // remedy for any of them.
    const NONE: [&str; 3] = ["ble.supervision_timeout", "ble.peripherals", "hosted.firmware"];
    // The parts of a table are changed together, as the word that stands for them.
    let is_part = |key: &Key| find(key.table()).is_some_and(|head| head.eases.is_some());
    let missing = |key: &&&'static Key| key.knob != Knob::Of(Turns::Nobody) && key.eases.is_none() && !is_part(key);
    let without: Vec<&str> = KEYS.iter().filter(missing).map(|key| key.name).collect();
    assert_eq!(without, NONE);
}
