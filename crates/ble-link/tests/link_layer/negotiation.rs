//! What both ends agree on, and what a central refuses.

use airtime_ble::air::Phy;
use airtime_ble::hci::Status;
use airtime_core::Duration;

use super::watch::Watch;
use crate::support::{outcome, plan, record};

#[test]
fn everything_asked_for_is_negotiated_by_both() {
    let outcome = outcome(&[
        ("ble.phy", "S2"),
        ("ble.conn_interval", "50ms"),
        ("ble.data_length", "100"),
        ("ble.encrypted", "true"),
        ("ble.frame_space", "100us"),
        ("run.duration", "5s"),
    ]);
    let (central, peripheral) = outcome.negotiated.expect("they connect");
    for side in [central, peripheral] {
        assert_eq!(side.interval, Duration::from_millis(50));
        assert!(side.phy.is_coded(), "{}", side.phy);
        assert_eq!((side.tx_octets, side.rx_octets), (100, 100));
        assert_eq!(side.frame_space, Duration::from_micros(100));
        assert!(side.encrypted);
        assert_eq!((side.interval_refused, side.phy_refused, side.frame_space_refused), (None, None, None));
    }
    assert_eq!(central.phy, Phy::LeCodedS2, "the central's host has named the coding");
}

#[test]
fn nothing_asked_for_is_nothing_changed() {
    let outcome = outcome(&[("ble.phy", "1M"), ("ble.data_length", "27"), ("run.duration", "5s")]);
    let (central, _) = outcome.negotiated.expect("they connect");
    assert_eq!((central.phy, central.tx_octets, central.rx_octets), (Phy::Le1M, 27, 27));
    assert_eq!((central.frame_space, central.encrypted), (Duration::from_micros(150), false));
}

/// Octets that central and peripheral may send when the data length is asked for like this, and what the run says of it.
fn lengths(by: &str, more: &[(&str, &str)]) -> ((u16, u16), String) {
    let set = [&[("ble.data_length_by", by), ("run.duration", "5s"), ("run.repeat", "1")], more].concat();
    let record = record(&set);
    let dle = record.negotiated.expect("they connect").dle;
    ((dle.c2p, dle.p2c), record.bottleneck.says)
}

#[test]
fn an_end_that_never_asks_for_longer_packets_sends_27_octets() {
    let (both, says) = lengths("both", &[]);
    assert_eq!(both, (251, 251));
    assert!(!says.contains("never asked"), "{says}");
    let (by_the_central, says) = lengths("central", &[]);
    assert_eq!(by_the_central, (251, 27));
    assert!(says.ends_with("The peripheral never asked for longer packets: 27 octets each."), "{says}");
    let (by_the_peripheral, says) = lengths("peripheral", &[]);
    assert_eq!(by_the_peripheral, (27, 251));
    assert!(!says.contains("never asked"), "its own packets are long: {says}");
}

#[test]
fn devices_see_to_their_length_each_in_its_own_way() {
    let (asking, _) = lengths("devices", &[]);
    assert_eq!(asking, (251, 251), "Zephyr's hosts ask");
    let sdc = [("central.personality", "nordic-sdc"), ("peripheral.personality", "nordic-sdc")];
    let (beginning, _) = lengths("devices", &sdc);
    assert_eq!(beginning, (251, 251), "the SoftDevice Controllers begin");
}

#[test]
fn a_mac_refuses_an_interval_off_its_grid_and_stays_at_30_ms() {
    for (asked, granted) in [("11.25ms", 30), ("12.5ms", 30), ("50ms", 30), ("15ms", 15), ("45ms", 45)] {
        let outcome =
            outcome(&[("central.personality", "macos"), ("ble.conn_interval", asked), ("run.duration", "8s")]);
        let (central, peripheral) = outcome.negotiated.expect("they connect");
        assert_eq!(central.interval, Duration::from_millis(granted), "{asked}");
        assert_eq!(peripheral.interval, central.interval, "{asked}");
        let refused = central.interval_refused.or(peripheral.interval_refused);
        assert_eq!(refused.is_some(), granted == 30, "{asked}: {refused:?}");
        assert!(refused.is_none_or(|status| status != Status::SUCCESS));
    }
}

#[test]
fn the_record_says_what_was_granted() {
    let (plan, point) = plan(&[
        ("central.personality", "macos"),
        ("ble.conn_interval", "11.25ms"),
        ("run.duration", "8s"),
        ("run.repeat", "1"),
    ]);
    let negotiated = airtime_lab::run::record(&plan, &point).negotiated.expect("they connect");
    assert_eq!((negotiated.conn_interval.as_str(), negotiated.phy.as_str()), ("30ms", "2M"));
    assert_eq!((negotiated.dle.p2c, negotiated.frame_space.as_str()), (251, "150us"));
}

#[test]
fn the_interval_changes_during_the_stream() {
    let set = [("ble.conn_interval", "15ms"), ("ble.change_interval", "{ at = \"2s\", to = \"40ms\" }")];
    let mut watch = Watch::new(&set);
    let started = watch.until(|seen| seen.delivered > 0).openings.len();
    let seen = watch.until(|seen| seen.openings.len() > started + 300);
    let gaps: Vec<u64> =
        seen.openings[started..].windows(2).map(|pair| (pair[1].start - pair[0].start).as_micros()).collect();
    let change = gaps.iter().position(|gap| *gap != 15_000).expect("the interval changes");
    // Two seconds of 15 ms, and the events until the instant of the update.
    assert!((132..160).contains(&change), "after {change} events");
    assert!(gaps[change + 1..].iter().all(|gap| *gap == 40_000), "40 ms from the instant on");
    // The first anchor behind the instant is one old interval and a transmit window offset away.
    assert!((15_000..15_000 + 40_000).contains(&gaps[change]), "{}", gaps[change]);
}
