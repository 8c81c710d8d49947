//! Cost of one lost packet, link by link, as text: the table of docs/findings.md.
//!
//! Every hundredth packet of a kind is lost; goodput that goes with it is told in per cent of what there is without losses: 1.0 is a
//! packet that costs as much as itself. A tenth of it is run, and the rest is as it was committed;
//! `AIRTIME_WHOLE=1 INSTA_UPDATE=always cargo test -p airtime-lab cost_of_loss` writes the table anew.

use std::fmt::Write as _;

use airtime_testing::{Known, Tenth};

use crate::support;

type Keys = &'static [(&'static str, &'static str)];

/// A link, and the keys by which it loses packets with data, and what answers them.
struct Row {
    name: &'static str,
    link: Keys,
    data: &'static str,
    /// Keys that spare the answers while data is lost.
    spares: Keys,
    answers: &'static str,
}

const BLE: Row = Row {
    name: "",
    link: &[
        ("coc.sdu", "492"),
        ("coc.in_flight", "6"),
        ("coc.tx_buffers", "6"),
        ("coc.credits", "batched"),
        ("acl.count", "6"),
        ("run.duration", "60s"),
    ],
    data: "ble.loss_at_central",
    spares: &[],
    answers: "ble.loss_at_peripheral",
};

const NRF24: Keys = &[("link", "nrf24-ip"), ("traffic.payload", "1472"), ("run.duration", "20s")];

const WIFI: Keys =
    &[("link", "wifi-hosted"), ("hosted.bus", "none"), ("wifi.backoff", "random"), ("run.duration", "10s")];

/// Goodput in kbit/s, mean of three seeds.
fn kbps(row: &Row, more: &[(&str, &str)]) -> f64 {
    let seeds = ["1", "2", "3"];
    let goodput = |seed| {
        let set = [row.link, more, &[("run.seed", seed), ("run.repeat", "1")]].concat();
        support::record(&set).goodput_kbps.median
    };
    seeds.into_iter().map(goodput).sum::<f64>() / seeds.len() as f64
}

/// Goodput that is lost with a hundredth of the packets that `key` is about, in per cent of `clear`.
fn cost(row: &Row, clear: f64, key: &str, kind: &str) -> f64 {
    let spares = if key == row.data { row.spares } else { &[] };
    100.0 * (1.0 - kbps(row, &[spares, &[(format!("{key}.{kind}").as_str(), "0.01")]].concat()) / clear)
}

#[test]
fn what_one_lost_packet_costs() {
    let with = |row: Keys, more: Keys| -> Keys { Box::leak([row, more].concat().into_boxed_slice()) };
    let ble = |name, more| Row { name, link: with(BLE.link, more), ..BLE };
    let nrf24 =
        |name, more, answers| Row { name, link: with(NRF24, more), data: "nrf24.loss_at_b", spares: &[], answers };
    let wifi = |name, more| Row {
        name,
        link: with(WIFI, more),
        data: "wifi.loss_uplink",
        spares: &[],
        answers: "wifi.loss_response",
    };
    let rows = [
        ble("BLE, 7.5 ms", &[("ble.conn_interval", "7.5ms")]),
        ble("BLE, 30 ms", &[("ble.conn_interval", "30ms")]),
        ble("BLE, 100 ms", &[("ble.conn_interval", "100ms")]),
        nrf24("nRF24, stream", &[("nrf24.mode", "stream")], "nrf24.loss_at_a"),
        nrf24("nRF24, auto-ack", &[("nrf24.mode", "auto-ack")], "nrf24.loss_acknowledgement"),
        nrf24(
            "nRF24, auto-ack, ARD 500 us",
            &[("nrf24.mode", "auto-ack"), ("nrf24.ard", "500us")],
            "nrf24.loss_acknowledgement",
        ),
        wifi("Wi-Fi, A-MPDU", &[]),
        wifi("Wi-Fi, single MPDUs", &[("wifi.ampdu_max", "1")]),
        wifi("Wi-Fi, 802.11g, EIFS", &[("wifi.standard", "g"), ("wifi.eifs", "true")]),
        Row {
            name: "802.15.4",
            link: &[("link", "ieee802154"), ("run.duration", "200s")],
            data: "ieee802154.loss",
            spares: &[("ieee802154.loss_acknowledgement.per", "0")],
            answers: "ieee802154.loss_acknowledgement",
        },
    ];
    let columns = ["kbps", "missed", "damaged", "answer missed", "answer damaged"];
    let known = Known::of(include_str!("snapshots/all__cost_of_loss__what_one_lost_packet_costs.snap"));
    // Column by column, and begun there: so every kind of loss and every kind of link has one.
    let chosen =
        Tenth::behind(20).of((1..columns.len()).flat_map(|column| (0..rows.len()).map(move |row| (row, column))));
    let mut table = String::new();
    write!(table, "{:<28}", "").expect("a string takes everything");
    columns.iter().for_each(|column| write!(table, "{column:>16}").expect("a string takes everything"));
    for (number, row) in rows.iter().enumerate() {
        write!(table, "\n{:<28}", row.name).expect("a string takes everything");
        let known = |column: usize| known.cell(1 + number, 28 + 16 * column..44 + 16 * column);
        let runs = |column: usize| known(column).is_none() || chosen.contains(&(number, column));
        let clear = (1..columns.len()).any(runs).then(|| kbps(row, &[]));
        let losses = [(row.data, "miss"), (row.data, "damage"), (row.answers, "miss"), (row.answers, "damage")];
        let made = |column: usize| match (clear, column) {
            (Some(clear), 0) => Some(clear),
            (Some(clear), _) if runs(column) => Some(cost(row, clear, losses[column - 1].0, losses[column - 1].1)),
            _ => None,
        };
        for column in 0..columns.len() {
            let cell = made(column).map(|figure| format!("{figure:>16.1}"));
            table.push_str(&cell.unwrap_or_else(|| known(column).unwrap_or_default().to_owned()));
        }
    }
    insta::assert_snapshot!(table);
}
