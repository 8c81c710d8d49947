//! Limits of one connection event that a plan sets: packets, time with and without extension, and the time of a packet.

use crate::support::record;

/// An iPhone that is notified of 20 octets at a time by a SoftDevice, at 30 ms on LE 1M without longer packets.
const NOTIFIED: [(&str, &str); 9] = [
    ("link", "ble-gatt"),
    ("central.personality", "iphone"),
    ("peripheral.personality", "nordic-sdc"),
    ("ble.conn_interval", "30ms"),
    ("ble.phy", "1M"),
    ("ble.data_length", "27"),
    ("gatt.mtu", "23"),
    ("gatt.payload", "20"),
    ("run.duration", "10s"),
];

/// Goodput in 10³ bit/s, exchanges of an event, and the sentence on what limits.
fn notified(more: &[(&str, &str)]) -> (f64, f64, String) {
    let record = record(&[&NOTIFIED[..], more].concat());
    assert_eq!(record.outcome, "ok");
    let count = |name: &str| *record.counters.get(name).expect("it is counted") as f64;
    let per_event = count("exchanges") / count("events");
    (record.goodput_kbps.median, per_event, record.bottleneck.says)
}

fn near(kbps: f64, expected: f64) {
    assert!((kbps / expected - 1.0).abs() < 1e-3, "{kbps} instead of {expected}");
}

// A. Imtiaz, "nRF52 BLE continuous data transmission": 10.67 and 32 kbps, of two and of six packets an event.
#[test]
fn packets_of_an_event_are_counted_at_either_end() {
    for packets in [2_u32, 6] {
        let count = packets.to_string();
        let expected = f64::from(packets * 20 * 8) / 30.0;
        for key in ["peripheral.event_packets", "central.event_packets"] {
            let (kbps, per_event, says) = notified(&[(key, &count)]);
            // Records have a tenth.
            assert!((kbps - expected).abs() <= 0.05, "{kbps} instead of {expected}");
            near(per_event, f64::from(packets));
            let device = if key.starts_with("peripheral") { "nordic-sdc" } else { "iphone" };
            assert!(says.contains(&format!("the {device} controller ends each event at its own limit")), "{says}");
        }
    }
}

/// On LE 1M a packet of 27 octets takes 296 us and an empty one 80: an exchange with its gap in front is 676 us, the first 526.
#[test]
fn an_event_length_ends_events_unless_they_are_extended() {
    let length = |length, extended| {
        let extended = ("peripheral.event_extension", extended);
        let (_, per_event, _) =
            notified(&[("central.personality", "ideal"), ("peripheral.event_length", length), extended]);
        per_event
    };
    // The third ends after 1878 us, the fourth would after 2554; the fifth after 3230, the sixth would after 3906.
    near(length("2.5ms", "false"), 3.0);
    near(length("3.75ms", "false"), 5.0);
    let free = length("2.5ms", "true");
    assert!(free > 40.0, "{free} exchanges of an event of 30 ms");
}

#[test]
fn a_central_starts_no_exchange_that_would_end_behind_its_event_length() {
    let sdc = [("central.personality", "nordic-sdc"), ("peripheral.personality", "ideal")];
    let capped = |extended: &str| {
        let keys = [("central.event_length", "2.5ms"), ("central.event_extension", extended)];
        notified(&[&sdc[..], &keys].concat()).1
    };
    // Exchanges begin every 676 us; its budget is the longest reply: the fourth would end after 2028 + 80 + 150 + 296 us.
    near(capped("false"), 3.0);
    assert!(capped("true") > 40.0);
}

// Core 6.0, Vol 6, Part B, 4.5.10: the time of a data packet limits its octets, with a MIC and without.
#[test]
fn a_data_length_of_many_octets_in_a_short_time_is_a_short_packet() {
    let long =
        [("gatt.mtu", "252"), ("gatt.payload", "249"), ("ble.data_length", "251"), ("central.personality", "ideal")];
    let carried = |phy, encrypted| {
        let more = [("ble.data_length_time", "328us"), ("ble.phy", phy), ("ble.encrypted", encrypted)];
        notified(&[&long[..], &more].concat()).2
    };
    assert!(carried("1M", "true").contains("251 octets in at most 328us, which leaves 27 octets each on 1M"));
    assert!(carried("1M", "false").contains("which leaves 31 octets each on 1M"), "a MIC of 4 octets is allowed for");
    assert!(carried("2M", "false").contains("which leaves 71 octets each on 2M"));
    // On LE Coded a packet may always take 2704 us: Core 6.0, Vol 6, Part B, 4.5.10.
    assert!(carried("S2", "false").contains("which leaves 140 octets each on S2"), "{}", carried("S2", "false"));
    let whole = notified(&[&long[..], &[("ble.data_length_time", "2120us")]].concat()).2;
    assert!(!whole.contains("in at most"), "{whole}");
}

// raspberrypi/pico-sdk#1465: 251 octets granted in 328 us to send and 2120 us to receive.
#[test]
fn a_chip_that_grants_octets_without_the_time_sends_short_packets_and_receives_long_ones() {
    let pico = |more: &[(&str, &str)]| {
        let own = [
            ("peripheral.personality", "cyw43439"),
            ("ble.conn_interval", "15ms"),
            ("gatt.mtu", "252"),
            ("gatt.payload", "244"),
            ("ble.data_length", "251"),
        ];
        notified(&[&own[..], more].concat())
    };
    let (sends, _, says) = pico(&[]);
    assert!(says.contains("251 octets in at most 328us, which leaves 31 octets each on 1M"), "{says}");
    let (receives, _, says) = pico(&[("ble.direction", "c2p")]);
    assert!(!says.contains("in at most"), "{says}");
    assert!(receives > 2.0 * sends, "{receives} against {sends}");
}
