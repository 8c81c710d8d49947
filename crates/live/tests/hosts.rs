//! Our own hosts on controllers of somebody else's.

use airtime_core::Duration;
use airtime_lab::Library;
use airtime_live::PeerConfig;
use airtime_live::ble::options::host;

use crate::support::{Desk, config, peer};

fn own(text: &str, role: Option<&str>) -> Result<PeerConfig, String> {
    host(text, role, &Library::builtin()).map_err(|error| error.to_string())
}

/// A source and a sink, each told as little as can be.
fn plain() -> Desk {
    let mut desk = Desk::new(config(&["pty,acl.count=24", "pty,acl.count=24"]));
    for (device, text) in ["coc-source", "coc-sink"].into_iter().enumerate() {
        desk.plug_host(device, &own(text, None).unwrap());
    }
    desk
}

#[test]
fn a_source_and_a_sink_that_were_told_nothing_meet_and_are_not_short_of_credits() {
    let mut desk = plain();
    desk.run(Duration::from_secs(8));
    let [source, sink] = [0, 1].map(|device| desk.hosts[device].as_ref().unwrap());
    assert!(source.progress().submitted >= sink.progress().delivered && sink.progress().delivered > 100_000);
    // One credit is 32.9 kbps here.
    let steady = sink.rate().steady_kbps().unwrap();
    assert!(steady > 300.0, "{steady}");
    assert!(sink.rate().series_kbps().len() >= 4 && sink.is_up() && sink.progress().ready);
}

#[test]
fn noise_on_the_line_is_passed_over_and_the_host_begins_again() {
    let mut desk = plain();
    desk.run(Duration::from_secs(4));
    let before = desk.hosts[1].as_ref().unwrap().progress();
    desk.disturb(1, b"*** Booting Zephyr OS ***\r\n");
    desk.run(Duration::from_secs(12));
    let after = desk.hosts[1].as_ref().unwrap().progress();
    assert!(before.streams == 1 && after.streams == 2, "{before:?} {after:?}");
    assert!(after.delivered > before.delivered + 100_000, "{before:?} {after:?}");
}

#[test]
fn a_channel_is_opened_where_psm_says_without_asking_gatt() {
    let streamed = |source: &str, sink: &str| {
        let mut desk = Desk::new(config(&["pty,acl.count=24", "pty,acl.count=24"]));
        desk.plug(0, source);
        desk.plug(1, sink);
        desk.run(Duration::from_secs(3));
        let progress = desk.hosts[1].as_ref().unwrap().progress();
        (progress.delivered > 100_000, progress.outcome.map(|outcome| outcome.to_string()))
    };
    assert_eq!(streamed("coc-source,psm=0x0085", "coc-sink,role=central,psm=133"), (true, None));
    let refused = streamed("coc-source", "coc-sink,role=central,psm=0x0085");
    assert_eq!(refused, (false, Some("the peripheral refused the channel (0x0002)".to_owned())));
}

#[test]
fn a_central_that_cannot_encrypt_says_so_once() {
    let mut config = config(&["pty"]);
    config.peers.push(peer(1, "coc-source,role=central,encrypted=true"));
    let mut desk = Desk::new(config);
    desk.radios.plug(0);
    // A host that advertises, and has no key.
    let name = b"nRF54L15_Test";
    let mut advertising = vec![1, 0x08, 0x20, 32, 2 + name.len() as u8, 1 + name.len() as u8, 9];
    advertising.extend(name);
    advertising.resize(4 + 32, 0);
    // HCI Reset, Set Event Mask for LE events, an advertising interval of 100 ms, the name.
    const SET_UP: &[u8] = &[
        1, 3, 0x0c, 0, 1, 1, 0x0c, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, 0, 0x20, 1, 6, 0x20, 15, 0xa0, 0, 0xa0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 7, 0,
    ];
    const ENABLE: &[u8] = &[1, 0x0a, 0x20, 1, 1];
    const NO_KEY: &[u8] = &[1, 0x1b, 0x20, 2, 0, 0];
    desk.send(0, &[SET_UP, &advertising, ENABLE].concat());
    let mut news = Vec::new();
    for _ in 0..1_000 {
        desk.run(Duration::from_millis(10));
        let heard = desk.take(0);
        let heard = |code: u8, sub: Option<u8>| {
            heard.windows(4).any(|event| event[0] == 4 && event[1] == code && sub.is_none_or(|sub| sub == event[3]))
        };
        // Long Term Key Request, and Disconnection Complete.
        if heard(0x3e, Some(5)) {
            desk.send(0, NO_KEY);
        }
        if heard(0x05, None) {
            desk.send(0, ENABLE);
        }
        news.extend(desk.radios.take_news());
    }
    let said: Vec<String> = news.iter().map(|(device, outcome)| format!("{device}: {outcome}")).collect();
    assert_eq!(said, ["1: encryption failed (0x06)"]);
    assert!(desk.report().links.len() >= 3, "it tries again each second");
}

#[test]
fn a_stall_is_told_when_it_is_longer_than_an_interval() {
    let stalls = |turn: u64| {
        let mut desk = Desk::new(config(&["pty,acl.count=24", "pty,acl.count=24"]));
        desk.plug(0, "coc-source,role=central,interval=15ms");
        desk.plug(1, "coc-sink,interval=15ms");
        desk.run(Duration::from_secs(3));
        assert_eq!(desk.radios.take_stall(), None);
        desk.turn = Duration::from_millis(turn);
        desk.run(Duration::from_secs(1));
        desk.radios.take_stall()
    };
    assert_eq!(stalls(10), None);
    let stall = stalls(100).unwrap();
    assert!(stall.interval == Duration::from_millis(15) && stall.lag > Duration::from_millis(80), "{stall:?}");
}

#[test]
fn silence_behind_a_stream_is_in_no_account() {
    let mut desk = plain();
    desk.run(Duration::from_secs(3));
    let before = desk.report().links[0].clone();
    // The host is held: nothing more is sent, and the connection stands.
    let _held = desk.hosts[0].take();
    desk.run(Duration::from_secs(3));
    let after = desk.report().links[0].clone();
    assert!(
        before.silent_ns < 1_000_000_000 && after.silent_ns > 2_000_000_000,
        "{} {}",
        before.silent_ns,
        after.silent_ns
    );
    let booked: u64 = after.ledger_ns.iter().map(|(_, ns)| ns).sum();
    assert!(booked < 3_500_000_000, "{booked}");
    assert_eq!(after.bottleneck, before.bottleneck);
}

#[test]
fn a_sender_with_one_credit_is_booked_as_short_of_credits() {
    let mut desk = Desk::new(config(&["pty", "pty"]));
    desk.plug(0, "coc-source,role=central,interval=15ms");
    desk.plug(1, "coc-sink,interval=15ms,credits=zephyr-recv");
    desk.run(Duration::from_secs(5));
    let report = desk.report();
    assert_eq!(report.links[0].bottleneck, "idle.credits");
    let answers = report.endpoints[0].host_latency.unwrap();
    assert!(answers.p50_us < 2_000.0, "its answer to a credit, not its wait for one: {answers:?}");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (text, role, said) in [
        ("coc-sink,psm=0x100", None, "is no LE PSM"),
        ("gatt-sink,psm=0x80", None, "go by no channel"),
        ("coc-sink,role=central", Some("peripheral"), "which of them is meant?"),
    ] {
        let error = own(text, role).unwrap_err();
        assert!(error.starts_with("live host ") && error.contains(said), "{error}");
    }
    assert_eq!(own("gatt-sink", Some("peripheral")).unwrap().role_name(), "peripheral");
    assert_eq!(own("gatt-sink,role=peripheral", None).unwrap().role_name(), "peripheral");
}

#[test]
fn a_source_and_a_sink_beside_it_are_not_both_the_same() {
    let refused = |texts: &[&str]| {
        let peers: Vec<_> = texts.iter().enumerate().map(|(index, text)| peer(index, text)).collect();
        airtime_live::ble::options::check_roles(&peers).err()
    };
    let said = refused(&["coc-source", "coc-sink"]).unwrap();
    assert!(said.contains("both peripherals and never meet") && said.contains("role=central"), "{said}");
    for meets in [
        &["coc-source", "coc-sink,role=central"][..],
        &["coc-source", "gatt-sink"],
        &["coc-source", "coc-sink,name=two"],
        &["gatt-source", "gatt-sink,role=central", "coc-source"],
    ] {
        assert_eq!(refused(meets), None, "{meets:?}");
    }
}
