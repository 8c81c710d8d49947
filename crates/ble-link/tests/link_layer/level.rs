//! Losses by the level of what is heard.

use airtime_lab::{Library, Plan};

use crate::support::outcome;

const STREAM: [(&str, &str); 5] = [
    ("coc.sdu", "492"),
    ("coc.in_flight", "6"),
    ("coc.tx_buffers", "6"),
    ("acl.count", "6"),
    ("coc.credits", "{ initial = 65535, on_connect = 0, grant = 1000, every = 1000 }"),
];

/// Two decibels above its sensitivity on 2M a receiver gets ½ · 0.002^1.585 of the bits wrong. One among the 32 of the access address
/// hides a packet; what is found, 2 + 251 + 3 octets behind it, is damaged by any other.
#[test]
fn packets_are_missed_and_damaged_by_their_bits() {
    let more = [("ble.level_at_central", "-92dBm"), ("ble.conn_interval", "7.5ms"), ("run.duration", "120s")];
    let counts = outcome(&STREAM.iter().chain(&more).copied().collect::<Vec<_>>()).counts;
    let wrong = 0.5 * 0.002_f64.powf(10.0_f64.powf(0.2));
    let (missed, damaged) = (1.0 - (1.0 - wrong).powi(32), 1.0 - (1.0 - wrong).powi(8 * 256));
    let heard = (counts.data_pdus + counts.lost) as f64;
    let near = |count: u64, share: f64| {
        let expected = heard * share;
        assert!((count as f64 - expected).abs() < 4.0 * expected.sqrt(), "{count} for {expected}: {counts:?}");
    };
    near(counts.missed, missed);
    near(counts.lost - counts.missed, damaged);
    assert!(counts.missed > 20 && counts.lost > 2_000, "{counts:?}");
}

/// The nearer, the faster the PHY; the further, the slower. LE Coded ends where LE 1M does, on which its connection is set up.
#[test]
fn slower_phys_reach_further() {
    let goodput = |phy: &str, level: &str| {
        let more = [("ble.phy", phy), ("ble.level", level), ("ble.conn_interval", "50ms"), ("run.duration", "20s")];
        let octets = outcome(&STREAM.iter().chain(&more).copied().collect::<Vec<_>>()).octets(0);
        octets as f64 * 8.0 / 20_000.0
    };
    let phys = ["2M", "1M", "S2", "S8"];
    let rows: Vec<String> = (-98..=-90)
        .rev()
        .map(|level| {
            let level = format!("{level}dBm");
            let cells: Vec<String> = phys.iter().map(|phy| format!("{:>7.0}", goodput(phy, &level))).collect();
            format!("{level:<8}{}", cells.concat())
        })
        .collect();
    insta::assert_snapshot!(format!("kbps at 50 ms on {}\n{}", phys.join(", "), rows.join("\n")));
}

#[test]
fn a_level_beside_a_loss_is_refused() {
    for (link, level, loss) in [
        ("ble-coc", "ble.level", "ble.loss.per"),
        ("ble-coc", "ble.level_at_central", "ble.loss.miss"),
        ("nrf24-ip", "nrf24.level", "nrf24.loss_at_b.per"),
        ("ieee802154", "ieee802154.level", "ieee802154.loss.per"),
    ] {
        let set =
            [("link", link), (level, "-80dBm"), (loss, "0.1")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        let refused = Plan::parse("test", "", &Library::builtin(), &set).expect_err("it is refused").to_string();
        assert!(refused.contains("what is lost follows from one of them"), "{refused}");
        assert!(Plan::parse("test", "", &Library::builtin(), &set[..2]).is_ok(), "{level}");
    }
}
