//! Values that are asked for, beside those in effect, over every link.

use airtime_ble_link::plan::{Personality, Stack};
use airtime_lab::Library;
use airtime_lab::record::Asked;
use serde_json::Value;

use crate::support::record;

/// Values that the plan with these keys asks for and does not have.
fn asked(set: &[(&str, &str)]) -> Vec<Asked> {
    let short = [("run.duration", "1500ms"), ("run.warmup", "500ms"), ("run.repeat", "1")];
    record(&[&short, set].concat()).asked
}

/// The only thing that is asked for in vain: its key, the value in effect, and who decides.
fn only(set: &[(&str, &str)]) -> (String, Value, String) {
    match asked(set).as_slice() {
        [one] => (one.key.clone(), one.granted.clone(), one.by.clone()),
        several => panic!("{set:?}: {several:?}"),
    }
}

#[test]
fn every_personality_says_what_it_grants_instead() {
    let library = Library::builtin();
    let names: Vec<&str> =
        library.iter().filter(|known| known.kind.link == "ble").map(|known| known.name.as_str()).collect();
    assert!(names.len() >= 7, "{names:?}");
    let mut refused = 0;
    for name in names {
        for interval in ["7.5ms", "11.25ms", "15ms", "20ms", "50ms"] {
            for key in ["ble.conn_interval", "ble.request_interval"] {
                let record = record(&[
                    ("central.personality", name),
                    (key, interval),
                    ("run.duration", "1500ms"),
                    ("run.warmup", "500ms"),
                    ("run.repeat", "1"),
                ]);
                let granted = record.negotiated.expect("they connect").conn_interval;
                let told = record.asked.iter().find(|asked| asked.key == key);
                assert_eq!(told.is_some(), granted != interval, "{name}, {key}={interval}: {:?}", record.asked);
                if let Some(told) = told {
                    assert_eq!((&told.asked, &told.granted), (&interval.into(), &granted.into()), "{name}");
                    assert_eq!(told.by, name);
                    refused += 1;
                }
            }
        }
        let mtu = asked(&[("central.personality", name), ("link", "ble-gatt"), ("gatt.mtu", "2000")]);
        let device = library.get(name).and_then(|known| known.of::<Personality>()).expect("a device of Bluetooth LE");
        let system = device.stack == Stack::Os;
        assert_eq!(mtu.iter().any(|asked| asked.key == "gatt.mtu" && asked.by == name), system, "{name}: {mtu:?}");
    }
    assert!(refused >= 12, "{refused}");
}

#[test]
fn nothing_is_told_of_what_is_granted() {
    for link in ["ble-coc", "ble-gatt", "ble-rpc", "nrf24-ip", "wifi-hosted", "ieee802154"] {
        assert_eq!(asked(&[("link", link)]), [], "{link}");
    }
    let all = [("ble.phy", "1M"), ("ble.data_length", "100"), ("ble.frame_space", "100us"), ("coc.mps", "100")];
    assert_eq!(asked(&all), []);
    assert_eq!(asked(&[("coc.credits", "batched"), ("ble.loss.per", "0.01")]), [], "words are shown as their parts");
}

#[test]
fn a_chip_that_never_repeats_has_no_retries() {
    let stream = only(&[("link", "nrf24-ip"), ("nrf24.arc", "3")]);
    assert_eq!(stream, ("nrf24.arc".into(), Value::Null, "nrf24.mode=stream".into()));
    assert_eq!(asked(&[("link", "nrf24-ip"), ("nrf24.mode", "auto-ack"), ("nrf24.arc", "3")]), []);
    let window = only(&[("link", "nrf24-ip"), ("nrf24.mode", "auto-ack"), ("nrf24.window", "8")]);
    assert_eq!(window, ("nrf24.window".into(), Value::Null, "nrf24.mode=auto-ack".into()));
    let scaled = only(&[("link", "nrf24-ip"), ("traffic.kind", "tcp"), ("traffic.window", "100001B")]);
    assert_eq!(scaled, ("traffic.window".into(), "100kB".into(), "window scale 1".into()));
    let retries = only(&[("link", "ieee802154"), ("ieee802154.ack", "false"), ("ieee802154.retries", "5")]);
    assert_eq!(retries, ("ieee802154.retries".into(), Value::Null, "ieee802154.ack=false".into()));
}

#[test]
fn the_air_and_lwip_have_the_last_word() {
    let wifi = |set: &[(&str, &str)]| only(&[&[("link", "wifi-hosted")], set].concat());
    let longest = wifi(&[("wifi.ampdu_max", "64")]);
    assert_eq!(longest, ("wifi.ampdu_max".into(), 33.into(), "the longest PPDU".into()));
    let received = wifi(&[("traffic.direction", "down"), ("wifi.ampdu_max", "32"), ("hosted.rx_ba_window", "6")]);
    assert_eq!(received, ("wifi.ampdu_max".into(), 6.into(), "hosted.rx_ba_window=6".into()));
    let alone = wifi(&[("wifi.standard", "g"), ("wifi.ampdu_max", "32")]);
    assert_eq!(alone, ("wifi.ampdu_max".into(), 1.into(), "wifi.standard=g".into()));
    let ticks = wifi(&[("traffic.kind", "tcp"), ("lwip.rto_time", "700ms")]);
    assert_eq!(ticks, ("lwip.rto_time".into(), "500ms".into(), "lwIP's ticks of 500ms".into()));
    let buffer = wifi(&[("traffic.kind", "tcp"), ("lwip.so_sndbuf", "131072B")]);
    assert_eq!((buffer.0.as_str(), buffer.2.as_str()), ("lwip.so_sndbuf", "lwIP's sockets"));
    let slow = wifi(&[("wifi.mcs", "7"), ("wifi.rate", "minstrel"), ("wifi.loss.per", "0.9")]);
    assert_eq!((slow.0.as_str(), slow.2.as_str()), ("wifi.mcs", "wifi.rate=minstrel, for most frames"));
    let kind = wifi(&[("lwip.mss", "1000")]);
    assert_eq!(kind, ("lwip.mss".into(), Value::Null, "traffic.kind=udp".into()));
}
