//! The sequence of the published report on the host's code, over a card, an air and an access point.

use std::fs;

use airtime_core::{Duration, Instant};
use airtime_hosted_ends::host::{Plan, Words};
use airtime_ota::boot::Finding;
use airtime_ota::direct::Side;

use crate::air::{Air, Grants};
use crate::card::Rig;
use crate::chips::{EVER, Happened, NEW, Pair, firmware, with_slots};
use crate::slot::Fate;
use crate::spoken;

const WORDS: Words<'static> = Words {
    ssid: Some("lab"),
    password: Some("not a secret"),
    server: Some("10.0.0.2"),
    address: None,
    seconds: None,
    kbps: Some("5000"),
};

fn plan(words: Words<'static>) -> Option<Plan<'static>> {
    Plan::of(&words).expect("words of a plan")
}

fn rig(grants: Grants, image: &[u8], words: Words<'static>) -> Rig {
    let mut rig = Rig::new(Fate::Works, image, 0);
    rig.card.0.borrow_mut().air = Some(Air::new(grants));
    rig.plan = plan(words);
    rig
}

fn has(lines: &[String], words: &str) -> bool {
    lines.iter().any(|line| line.contains(words))
}

/// The whole of it: joined, 30 s of datagrams, 30 s of a stream, everything that is heard, commands, and then the update.
#[test]
fn the_sequence_goes_through_and_the_update_behind_it() {
    spoken::listen();
    // The whole is that of the report; in a tenth of the time the same things happen.
    let whole = std::env::var_os("AIRTIME_WHOLE").is_some();
    let (seconds, sent, octets) = if whole { (None, 13_393, 18_750_200) } else { (Some("3"), 1_340, 1_876_000) };
    let mut rig = rig(Grants::All, &firmware(NEW, 65_536), Words { seconds, ..WORDS });
    assert_eq!(rig.boot(), None, "it restarts behind the update");
    let lines = spoken::said();
    assert_eq!(rig.version(), NEW);
    let text = lines.join("\n");
    let card = rig.card.0.borrow();
    let air = card.air.as_ref().unwrap();
    let arrived = air.arrived.borrow();
    // 5 Mbit/s in datagrams of 1400 octets, every one of which has arrived, once.
    assert_eq!((arrived.datagrams, air.strange()), (sent, (0, 0, 0)), "{text}");
    assert!(has(&lines, &format!(" accepted_bytes {octets} datagrams {sent} throttled 0")), "{text}");
    let words = format!("accepted_bytes {} unacknowledged 0", arrived.stream);
    assert!(arrived.finished && has(&lines, &words), "{words}: {text}");
    assert_eq!((arrived.damaged, arrived.foreign, air.far().damaged, air.far().aborted), (0, 0, 0, 0));
    assert_eq!(air.injected.len(), 1);
    assert!(rig.unfed < Duration::from_secs(3), "{}", rig.unfed);
    for words in ["promiscuous: done", "channel: done", "filter: done", "inject: done", "monitor RESULT frames "] {
        assert!(has(&lines, words), "{words}: {text}");
    }
    assert!(rig.clock.now() < Instant::ZERO + Duration::from_secs(90), "{}", rig.clock.now());
    if !whole {
        is_the_log_that_is_read(&format!("{text}\n"));
    }
}

/// The log is what `airtime hw log` is tested with; `AIRTIME_BLESS=1` writes it.
fn is_the_log_that_is_read(text: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/study/tests/logs/esp32p4-host.txt");
    if std::env::var_os("AIRTIME_BLESS").is_some() {
        fs::write(path, text).expect("a file that can be written");
    }
    assert_eq!(text, fs::read_to_string(path).expect("a log"), "AIRTIME_BLESS=1 writes {path}");
}

/// A network that gives no address, or is not there, costs its time and no more: the update comes all the same.
#[test]
fn a_network_that_is_not_there_keeps_no_update_waiting() {
    for (grants, words) in
        [(Grants::NoAddress, "no address: DHCP"), (Grants::Nothing, "the access point is not joined")]
    {
        spoken::listen();
        let mut rig = rig(grants, &firmware(NEW, 8_192), WORDS);
        assert_eq!(rig.boot(), None, "{grants:?}");
        let lines = spoken::said();
        assert!(has(&lines, words) && has(&lines, "monitor RESULT"), "{lines:#?}");
        assert_eq!(rig.version(), NEW);
        let card = rig.card.0.borrow();
        let arrived = card.air.as_ref().unwrap().arrived.borrow();
        assert_eq!((arrived.datagrams, arrived.stream), (0, 0));
    }
}

/// Without a rate the interface says how fast it goes. What it accepts is not what arrives: the co-processor throttles, and where its
/// radio has no buffer it gives up on a frame behind two attempts.
#[test]
fn datagrams_go_as_fast_as_the_interface_takes_them() {
    spoken::listen();
    let words = Words { address: Some("10.0.0.1/24"), seconds: Some("1"), kbps: None, ..WORDS };
    let mut rig = rig(Grants::NoAddress, &[], words);
    assert_eq!(rig.boot(), Some(Finding::Nothing));
    let text = spoken::said().join("\n");
    let card = rig.card.0.borrow();
    let air = card.air.as_ref().unwrap();
    let arrived = air.arrived.borrow().datagrams;
    let number = |word: &str| -> u64 {
        let rest = text.split_once(word).and_then(|(_, rest)| rest.split_whitespace().next());
        rest.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{word}: {text}"))
    };
    let (accepted, throttled) = (number(" datagrams "), number(" throttled "));
    assert!(arrived <= accepted && arrived * 10 > accepted * 9, "{arrived} of {accepted}: {text}");
    assert!(throttled > 0 && arrived * 1_400 * 8 > 20_000_000, "{arrived} datagrams in a second: {text}");
    assert!(rig.unfed < Duration::from_secs(3), "{}", rig.unfed);
}

/// The image of the C6 joins no network and says so; raw frames and the update go on over the UART.
#[test]
fn a_co_processor_that_joins_nothing_is_no_obstacle() {
    spoken::listen();
    let mut pair = Pair::new(with_slots(&firmware(NEW, 8_192)), true);
    pair.plan = plan(WORDS);
    pair.power_on(Side::Both);
    assert_eq!(pair.run(EVER), Happened::Restarted);
    let lines = spoken::said();
    for words in [
        "what a station needs: status 0x106",
        "no network: datagrams and stream are left out",
        "monitor RESULT frames 0",
        "command inject: done",
    ] {
        assert!(has(&lines, words), "{words}: {lines:#?}");
    }
    assert_eq!(
        pair.run(EVER),
        Happened::Found(Finding::Nothing),
        "the sequence is gone through again, and nothing is staged"
    );
    assert_eq!(pair.booted, Some(NEW));
}

/// Words of a build that are none are told, each with its variable.
#[test]
fn a_word_that_is_none_is_said() {
    assert_eq!(Plan::of(&Words::default()), Ok(None));
    assert!(Plan::of(&Words { address: Some("10.0.0.1/24,10.0.0.254"), ..WORDS }).is_ok());
    let long = "a name of more than 32 octets is none";
    for (words, variable) in [
        (Words { ssid: Some(long), ..WORDS }, "AIRTIME_SSID"),
        (Words { ssid: Some(""), ..WORDS }, "AIRTIME_SSID"),
        (Words { server: Some("lab:5201"), ..WORDS }, "AIRTIME_SERVER"),
        (Words { server: Some("10.0.0.2:0"), ..WORDS }, "AIRTIME_SERVER"),
        (Words { server: Some("255.255.255.255"), ..WORDS }, "AIRTIME_SERVER"),
        (Words { address: Some("10.0.0.1"), ..WORDS }, "AIRTIME_ADDRESS"),
        (Words { address: Some("10.0.0.1/33"), ..WORDS }, "AIRTIME_ADDRESS"),
        (Words { seconds: Some("601"), ..WORDS }, "AIRTIME_SECONDS"),
        (Words { kbps: Some("fast"), ..WORDS }, "AIRTIME_KBPS"),
    ] {
        let wrong = Plan::of(&words).unwrap_err().to_string();
        assert!(wrong.starts_with(variable), "{wrong}");
    }
}
