//! The sequence of the published report on the host's code, over a card, an air and an access point.

use airtime_core::{Duration, Instant};
use airtime_hosted_ends::host::{Plan, Words};

use crate::air::{Air, Grants};
use crate::card::Rig;
use crate::chips::{NEW, firmware};
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
    println!("{text}");
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
