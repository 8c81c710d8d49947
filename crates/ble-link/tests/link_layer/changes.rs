//! Changes in mid-stream, beside Zephyr v3.2's own link layer in BabbleSim, with `EVENT_OVERHEAD_START_US` 275 and `drift_skip`. The
//! stream was one of SDUs of 492 octets, six in flight.

use airtime_ble::air::Phy;
use airtime_ble::hci::opcode;
use airtime_core::Duration;
use airtime_lab::explain::candidates;

use super::watch::{Opening, Watch};
use crate::support::{outcome, plan, record};

const ZEPHYR: [(&str, &str); 13] = [
    ("central.personality", "zephyr-ll-v3.2"),
    ("central.controls_wait", "true"),
    ("central.prepare_lead", "275us"),
    ("peripheral.personality", "zephyr-ll-v3.2"),
    ("peripheral.prepare_lead", "275us"),
    ("peripheral.controls_wait", "true"),
    ("peripheral.drift_skip", "true"),
    ("ble.conn_interval", "15ms"),
    ("acl.count", "6"),
    ("coc.tx_buffers", "6"),
    ("coc.credits", "{ initial = 60, on_connect = 0, grant = 2, every = 2 }"),
    ("run.duration", "12s"),
    ("run.warmup", "1s"),
];

/// Goodput in kbps before and behind a change in the sixth second.
fn goodput(change: &[(&str, &str)]) -> (f64, f64) {
    let series = outcome(&[&ZEPHYR, change].concat()).series;
    let kbps = |octets: &[u64]| octets.iter().sum::<u64>() as f64 * 8.0 / 1e3 / octets.len() as f64;
    (kbps(&series[1..4]), kbps(&series[7..10]))
}

/// Events from the first one behind the command `opcode` to the first with the change, which `is_new` tells from it and the next, and
/// the time between their anchors.
fn events(change: &[(&str, &str)], command: u16, is_new: impl Fn(&Opening, &Opening) -> bool) -> (usize, Duration) {
    let mut watch = Watch::new(&[&ZEPHYR, change].concat());
    let set_up = watch.until(|seen| seen.delivered > 100).commands.len();
    let asked = watch.until(|seen| seen.commands[set_up..].iter().any(|(_, code)| *code == command));
    let (at, _) =
        asked.commands[set_up..].iter().find(|(_, code)| *code == command).copied().expect("it was asked for");
    let before = asked.openings.len();
    let seen = watch.until(|seen| seen.openings.len() > before + 20);
    let after: Vec<_> = seen.openings.iter().filter(|opening| opening.start > at).collect();
    let changed = after.windows(2).position(|pair| is_new(pair[0], pair[1])).expect("it takes effect");
    (changed, after[changed].start - after[0].start)
}

fn kbps_are((before, behind): (f64, f64), expected: (f64, f64)) {
    // Whole SDUs of 3.9 kbit in three or four seconds.
    let is = |kbps: f64, expected: f64| (kbps - expected).abs() < 0.003 * expected;
    assert!(is(before, expected.0) && is(behind, expected.1), "{before}, {behind} for {expected:?}");
}

/// LL_CONNECTION_PARAM_REQ, an event later its answer, an event later the indication, and six events behind that the instant:
/// 126.0 ms from a command that had 5.1 ms to wait for its event.
#[test]
fn the_interval_changes_eight_events_behind_the_request_of_a_central() {
    let change = [("ble.change_interval", "{ at = \"5s\", to = \"30ms\", by = \"central\" }")];
    let thirty = Duration::from_millis(30);
    let (count, time) =
        events(&change, opcode::LE_CONNECTION_UPDATE.0, |first, next| next.start - first.start == thirty);
    assert_eq!(count, 8);
    // The first anchor lies in a transmit window of 1.25 ms, and 120.9 ms is where Zephyr's was.
    let window = Duration::from_micros(120_000)..=Duration::from_micros(121_250);
    assert!(window.contains(&time), "{time}");
    kbps_are(goodput(&change), (1312.0, 1375.9));
}

/// LL_PHY_REQ, LL_PHY_RSP and LL_PHY_UPDATE_IND in an event each, and six events behind the last the instant: 126.9 ms.
#[test]
fn the_phy_changes_eight_events_behind_the_request() {
    let change = [("ble.phy", "1M"), ("ble.change_phy", "{ at = \"5s\", to = \"2M\" }")];
    let (count, time) = events(&change, opcode::LE_SET_PHY.0, |first, _| first.phy == Phy::Le2M);
    assert_eq!((count, time), (8, Duration::from_millis(120)));
    kbps_are(goodput(&change), (656.5, 1311.7));
}

#[test]
fn both_change_in_one_plan_whoever_asks() {
    let both = [
        ("ble.phy", "1M"),
        ("ble.change_interval", "{ at = \"4s\", to = \"30ms\" }"),
        ("ble.change_phy", "{ at = \"4s\", to = \"2M\", by = \"peripheral\" }"),
    ];
    let (before, behind) = goodput(&both);
    assert!((before - 656.5).abs() < 3.0, "{before}");
    assert!((behind - 1375.9).abs() < 5.0, "{behind}");
    let (central, _) = outcome(&[&ZEPHYR, &both[..]].concat()).negotiated.expect("they connect");
    assert_eq!((central.interval, central.phy), (Duration::from_millis(30), Phy::Le2M));
}

/// `CONFIG_BT_GAP_AUTO_UPDATE_CONN_PARAMS`, default y: a test that forgets it changes its interval in its sixth second.
#[test]
fn a_host_left_to_itself_asks_for_its_own_interval_after_five_seconds() {
    let interval = |set: &[(&str, &str)]| {
        let set = [&[("ble.auto_interval", "true"), ("run.duration", "8s")], set].concat();
        let (central, _) = outcome(&set).negotiated.expect("they connect");
        (central.first_interval, central.interval)
    };
    let ms = Duration::from_millis;
    assert_eq!(interval(&[("ble.conn_interval", "15ms")]), (ms(15), ms(30)));
    assert_eq!(interval(&[("ble.conn_interval", "15ms"), ("run.duration", "4s")]), (ms(15), ms(15)));
    assert_eq!(interval(&[("ble.conn_interval", "40ms")]), (ms(40), ms(40)), "it has one that it prefers");
    let asked = interval(&[("ble.conn_interval", "15ms"), ("ble.request_interval", "20ms")]);
    assert_eq!(asked, (ms(15), ms(20)), "the application has said what it wants");
    assert_eq!(interval(&[("ble.conn_interval", "15ms"), ("peripheral.personality", "macos")]), (ms(15), ms(15)));
    // Linux does not wait: l2cap_core.c, l2cap_le_conn_ready.
    let linux = |set: &[(&str, &str)]| {
        interval(&[&[("peripheral.personality", "bluez"), ("run.duration", "4s")], set].concat())
    };
    assert_eq!(linux(&[("ble.conn_interval", "15ms")]), (ms(15), ms(30)));
    assert_eq!(linux(&[("ble.conn_interval", "50ms")]), (ms(50), ms(50)));
}

/// Keys of the changes that an explanation of `set` tries.
fn tried(set: &[(&str, &str)]) -> Vec<&'static str> {
    let (plan, point) = plan(set);
    candidates(&plan, &point).into_iter().map(|candidate| candidate.key).collect()
}

#[test]
fn a_build_that_loses_its_own_anchors_is_named_and_a_newer_one_is_tried() {
    let old = [&ZEPHYR, &[("peripheral.drift_skip", "false"), ("ble.phy", "1M"), ("run.repeat", "1")][..]].concat();
    let says = record(&old).bottleneck.says;
    assert!(says.contains("corrects its timer twice") && says.contains("peripheral.drift_skip"), "{says}");
    let missed = record(&[&old[..], &[("ble.loss", "{ miss = 0.05 }")]].concat()).bottleneck.says;
    assert!(!missed.contains("twice"), "nobody knows which of them the timer lost: {missed}");
    assert!(tried(&old).contains(&"peripheral.drift_skip"));
    let ordinary = tried(&[]);
    for key in ["peripheral.drift_skip", "ble.data_length_by", "ble.auto_interval"] {
        assert!(!ordinary.contains(&key), "{key} means nothing there, or can only lose");
    }
    assert!(tried(&[("ble.data_length_by", "central")]).contains(&"ble.data_length_by"));
}
