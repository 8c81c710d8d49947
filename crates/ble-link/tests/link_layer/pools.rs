//! Pools of a receiver: what its host holds, what its controller keeps behind that, and what it refuses.

use crate::support::outcome;

/// Central to peripheral at 30 ms, where a macOS central ends its events after four packets; the peripheral's host has a packet 7 ms after
/// its controller: after the event that brought it, and before the next one.
const SLOW_HOST: [(&str, &str); 14] = [
    ("central.personality", "macos"),
    ("peripheral.personality", "zephyr-ll"),
    ("ble.direction", "c2p"),
    ("ble.conn_interval", "30ms"),
    ("coc.sdu", "245"),
    // For the whole run: a grant would wait for this host as well.
    ("coc.credits", "{ initial = 60000, on_connect = 0, grant = 1, every = 60000 }"),
    ("coc.in_flight", "20"),
    ("peer_host.latency", "7ms"),
    // The sender is never late.
    ("host.latency", "0us"),
    ("host.packet_time", "0us"),
    ("host.sdu_time", "0us"),
    ("acl.count", "20"),
    ("coc.tx_buffers", "20"),
    ("run.duration", "10s"),
];

/// New data PDUs an event, refused ones an event, and events.
fn an_event(pools: &[(&str, &str)]) -> (f64, f64) {
    let counts = outcome(&SLOW_HOST.iter().chain(pools).copied().collect::<Vec<_>>()).counts;
    let each = |count: u64| count as f64 / counts.events as f64;
    (each(counts.data_pdus), each(counts.refused))
}

/// An event brings as many packets as the two pools hold together, or as many as fit: Zephyr's hci_driver.c keeps a PDU in the controller
/// until the host has a buffer for it, and lll_conn.c, isr_rx_pdu, acknowledges no more than that has room for.
#[test]
fn an_event_brings_what_host_and_controller_have_room_for() {
    let (fits, refused) = an_event(&[]);
    assert!(refused == 0.0 && fits > 2.9, "{fits} {refused}");
    for (rx_count, rx_buffers, both) in
        [("1", "1", 2.0), ("1", "2", 3.0), ("2", "1", 3.0), ("2", "2", 4.0), ("9", "9", fits)]
    {
        let (new, refused) = an_event(&[("acl.rx_count", rx_count), ("acl.rx_buffers", rx_buffers)]);
        assert!((new - both).abs() < 0.02 * both, "{rx_count} {rx_buffers}: {new}, expected {both}");
        assert_eq!(refused > 0.5, both < fits, "{rx_count} {rx_buffers}: {refused}");
    }
}
