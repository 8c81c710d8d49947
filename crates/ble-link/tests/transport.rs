//! A bus between host and controller that takes time: what it lets through to the nanosecond, and the account that names it.

use crate::support::record;
use airtime_lab::Record;

/// Values of 244 octets at 15 ms, an ACL packet of 256 octets with H4 each.
fn values(more: &[(&str, &str)]) -> Record {
    let own = [
        ("link", "ble-gatt"),
        ("gatt.payload", "244"),
        ("gatt.mtu", "247"),
        ("ble.conn_interval", "15ms"),
        ("ble.stop_advertising", "true"),
        ("acl.count", "10"),
        ("gatt.in_flight", "12"),
        ("gatt.tx_buffers", "12"),
        ("run.duration", "20s"),
        ("run.repeat", "1"),
    ];
    record(&[&own[..], more].concat())
}

/// Connection interval of the plan.
const INTERVAL_NS: u64 = 15_000_000;

/// Values of the steady state are as many as the bus carries in it; at either end of it those of one interval may wait for their event.
fn close(record: &Record, each_ns: u64) {
    let got = record.delivered_bytes / 244;
    let carried = record.steady_ns / each_ns;
    assert!(got.abs_diff(carried) <= INTERVAL_NS / each_ns + 1, "{got} of {carried}");
}

#[test]
fn a_slow_uart_of_the_sender_is_what_values_take_on_it() {
    for (baud, each_ns) in [("115200", 22_222_223), ("460800", 5_555_556), ("1000000", 2_560_000)] {
        let record = values(&[("peripheral.hci", "uart"), ("peripheral.hci_baud", baud)]);
        close(&record, each_ns);
        assert_eq!(record.bottleneck.account, "idle.hci", "{baud}: {}", record.bottleneck.says);
        assert!(record.bottleneck.says.contains(&format!("a UART of {baud} baud")), "{}", record.bottleneck.says);
    }
}

/// The receiver's controller has room for a few packets, and refuses the others until its UART has taken them.
#[test]
fn a_slow_uart_of_the_receiver_is_backpressure() {
    for (baud, each_ns) in [("115200", 22_222_223), ("460800", 5_555_556)] {
        let record = values(&[("central.hci", "uart"), ("central.hci_baud", baud)]);
        close(&record, each_ns);
        let backpressure = record.steady_ledger_ns.get("backpressure").copied().unwrap_or_default();
        assert!(backpressure > 0, "{baud}: {:?}", record.steady_ledger_ns);
        let says = &record.bottleneck.says;
        assert!(
            record.bottleneck.account != "backpressure" || says.contains(&format!("a UART of {baud} baud")),
            "{says}"
        );
    }
}

#[test]
fn a_fast_bus_costs_nothing_but_its_delay() {
    let free = values(&[]).goodput_kbps.median;
    for (bus, baud) in [("peripheral.hci", "peripheral.hci_baud"), ("central.hci", "central.hci_baud")] {
        let with = values(&[(bus, "uart"), (baud, "12000000")]).goodput_kbps.median;
        assert!((with / free - 1.0).abs() < 0.01, "{bus}: {with} of {free}");
    }
}

/// One report a frame lets short packets go no faster than one a millisecond once the buffers are full, where the air would carry two.
#[test]
fn usb_asks_for_reports_once_a_millisecond() {
    let short = [("gatt.payload", "20"), ("gatt.mtu", "23"), ("ble.data_length", "27"), ("acl.count", "3")];
    let on_chip = values(&short).goodput_kbps.median;
    let dongle = values(&[&short[..], &[("peripheral.hci", "usb")]].concat());
    assert!(dongle.goodput_kbps.median < 0.7 * on_chip, "{} of {on_chip}", dongle.goodput_kbps.median);
    assert_eq!(dongle.bottleneck.account, "idle.hci", "{}", dongle.bottleneck.says);
}

#[test]
fn a_baud_is_that_of_a_uart() {
    let set = [("link", "ble-gatt"), ("central.hci_baud", "115200"), ("central.hci", "usb")];
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let refused =
        airtime_lab::Plan::parse("x", "", &airtime_lab::Library::builtin(), &set).expect_err("it is impossible");
    assert!(refused.to_string().contains("`central.hci_baud` without `central.hci` = \"uart\""), "{refused}");
    let (_, point) = crate::support::plan(&[("link", "ble-gatt"), ("central.hci", "uart")]);
    assert_eq!(point.scenario.params.get("central.hci_baud"), Some(&1_000_000.into()));
}
