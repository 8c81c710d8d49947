//! Sentences about bottlenecks: what was planted is what they name.

use crate::support::record;

/// Link and keys, the account that the record names, and a part of its sentence.
type Row = (&'static [(&'static str, &'static str)], &'static str, &'static str);

fn check(rows: &[Row]) {
    for (set, account, part) in rows {
        let set: Vec<_> = [("run.duration", "4s"), ("run.repeat", "1")].iter().chain(*set).copied().collect();
        let record = record(&set);
        let told = (&record.bottleneck, &record.outcome);
        assert_eq!(record.bottleneck.account, *account, "{set:?} {told:?}");
        assert!(record.bottleneck.says.contains(part), "{set:?} {told:?}");
    }
}

const COC: [(&str, &str); 2] = [("link", "ble-coc"), ("coc.credits", "batched")];

#[test]
fn a_receiver_slower_than_the_air_is_the_cause_on_every_link() {
    check(&[
        (
            &[("link", "ble-gatt"), ("peer_host.packet_time", "4ms")],
            "undelivered",
            "the central's host is slower than the air, at 4ms a packet",
        ),
        (&[COC[0], COC[1], ("peer_host.packet_time", "20ms")], "idle.peer", "the receiver's host is late"),
        (&[("link", "wifi-hosted"), ("traffic.direction", "down")], "dropped", "drops.wifi_rx"),
        (
            &[("link", "wifi-hosted"), ("traffic.direction", "down"), ("hosted.sdio_lines", "1")],
            "dropped",
            "the air brings more than the SDIO bus takes",
        ),
        (
            &[("link", "nrf24-ip"), ("nrf24.mode", "stream"), ("nrf24_host.wake", "5ms")],
            "idle.wake",
            "the receiver's FIFO of three full, because its host is late",
        ),
    ]);
}

#[test]
fn short_packets_are_no_saturated_link() {
    check(&[
        (&[COC[0], COC[1], ("ble.data_length", "27"), ("acl.size", "27")], "ifs", "carries 25 of 251 octets"),
        (&[COC[0], COC[1], ("coc.sdu", "20")], "ifs", "of 251 octets"),
        (&[("link", "ble-gatt"), ("gatt.mtu", "23")], "ifs", "carries 27 of 251 octets"),
        (&COC, "ifs", "the link is saturated"),
    ]);
}

#[test]
fn counts_that_hold_a_sender_back_are_named() {
    const EXTENDED: [(&str, &str); 3] = [("link", "ble-rpc"), ("rpc.mode", "extended"), ("rpc.payload", "8192")];
    check(&[
        (&[COC[0], COC[1], ("host.conn_tx_max", "1")], "idle.pool", "the stack has one PDU under way"),
        (
            &[
                ("link", "ble-coc"),
                ("central.personality", "ideal"),
                ("peripheral.personality", "ideal"),
                ("ble.direction", "c2p"),
                ("coc.credits", "{ initial = 1, on_connect = 0, grant = 1, every = 1 }"),
            ],
            "idle.credits",
            "one credit at a time",
        ),
        (
            &[EXTENDED[0], EXTENDED[1], EXTENDED[2], ("rpc.call", "flash_read"), ("rpc.in_flight", "1")],
            "idle.window",
            "No call ended in the time: an end gives its host one frame at a time",
        ),
        (
            &[("link", "ble-rpc"), ("rpc.call", "counter_stream"), ("acl.count", "1")],
            "idle.window",
            "as many as its controller has ACL buffers",
        ),
    ]);
}

#[test]
fn wifi_names_the_wire_and_the_round_trip() {
    check(&[
        (
            &[("link", "wifi-hosted"), ("hosted.sdio_clock", "5MHz")],
            "idle.bus",
            "on the wire of SDIO at 5MHz over four lines",
        ),
        (
            &[
                ("link", "wifi-hosted"),
                ("traffic.kind", "tcp"),
                ("lwip.snd_buf", "65534"),
                ("lwip.wnd", "65534"),
                ("path.rtt", "100ms"),
            ],
            "idle.window",
            "a round trip takes about 10",
        ),
    ]);
}

#[test]
fn a_figure_of_nothing_says_why() {
    let early = record(&[("link", "wifi-hosted"), ("traffic.kind", "tcp"), ("traffic.size", "60kB")]);
    assert_eq!(early.outcome, "the transfer was over within the warm-up");
    assert!(early.bottleneck.says.contains("run.warmup=0us"), "{:?}", early.bottleneck);
    let raw = record(&[("link", "nrf24-ip"), ("nrf24.mode", "legacy"), ("nrf24.auto_ack", "false")]);
    assert_eq!(raw.outcome, "nothing arrived");
    assert!(raw.bottleneck.says.contains("lint.dynamic_length_without_ack"), "{:?}", raw.bottleneck);
}
