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

/// 255 octets between delimiters behind a header of four are 261 of eleven bits, and values that count up escape a few more.
#[test]
fn a_three_wire_uart_takes_a_frame_of_eleven_bits_an_octet() {
    for (baud, each_ns) in [("115200", 24_921_875), ("460800", 6_230_469)] {
        let more = [("peripheral.hci", "three-wire"), ("peripheral.hci_baud", baud)];
        let record = values(&more);
        escaped(&record, each_ns);
        assert_eq!(record.bottleneck.account, "idle.hci", "{baud}: {}", record.bottleneck.says);
        assert!(record.bottleneck.says.contains("a three-wire UART of"), "{}", record.bottleneck.says);
        // Nothing goes the other way but reports; each frame waits for an acknowledgement of six octets.
        let one = values(&[&more[..], &[("peripheral.hci_window", "1")]].concat());
        let octet_ns = each_ns / 261;
        escaped(&one, each_ns + 6 * octet_ns);
        assert!(one.delivered_bytes <= record.delivered_bytes);
    }
}

/// As many values as frames of this length took, or up to a fiftieth fewer for what is escaped.
fn escaped(record: &Record, each_ns: u64) {
    let got = record.delivered_bytes / 244;
    let (most, least) = (record.steady_ns / each_ns, record.steady_ns / (each_ns + each_ns / 50));
    let edge = INTERVAL_NS / each_ns + 1;
    assert!((least.saturating_sub(edge)..=most + edge).contains(&got), "{got} of {least} to {most}");
}

/// Two pieces of 256 octets with a header of five each are 266 octets; reports of eight are thirteen, and go by the same clock.
#[test]
fn spi_of_the_sender_is_what_values_and_reports_take_on_it() {
    let record = values(&[("peripheral.hci", "spi"), ("peripheral.hci_spi_hz", "400000")]);
    let (value_ns, report_ns) = (266 * 8 * 2_500, 13 * 8 * 2_500);
    let got = record.delivered_bytes / 244;
    let (most, least) = (record.steady_ns / value_ns, record.steady_ns / (value_ns + report_ns));
    let edge = INTERVAL_NS / value_ns + 1;
    assert!((least - edge..=most + edge).contains(&got), "{got} of {least} to {most}");
    assert_eq!(record.bottleneck.account, "idle.hci", "{}", record.bottleneck.says);
    assert!(record.bottleneck.says.contains("SPI at 400000 Hz"), "{}", record.bottleneck.says);
}

#[test]
fn two_cores_hand_over_one_value_in_each_delay() {
    for (delay, each_ns) in [("8ms", 8_000_000), ("20ms", 20_000_000)] {
        let record = values(&[("peripheral.hci", "ipc"), ("peripheral.hci_delay", delay)]);
        close(&record, each_ns);
        assert_eq!(record.bottleneck.account, "idle.hci", "{delay}: {}", record.bottleneck.says);
        assert!(record.bottleneck.says.contains("memory shared by two cores"), "{}", record.bottleneck.says);
        let receiver = values(&[("central.hci", "ipc"), ("central.hci_delay", delay)]);
        close(&receiver, each_ns);
        assert!(receiver.steady_ledger_ns.get("backpressure").is_some_and(|ns| *ns > 0), "{delay}");
    }
    let none = values(&[("peripheral.hci", "ipc"), ("peripheral.hci_delay", "0us")]);
    assert_eq!(none.delivered_bytes, values(&[]).delivered_bytes);
    let (free, fast) = (values(&[]), values(&[("peripheral.hci", "ipc"), ("central.hci", "ipc")]));
    let share = fast.goodput_kbps.median / free.goodput_kbps.median;
    assert!((0.99..=1.001).contains(&share), "{share}");
}

/// Slow SPI and a slow three-wire UART of the receiver hold its controller up, as a UART does.
#[test]
fn any_slow_bus_of_the_receiver_is_backpressure() {
    let buses = [
        [("central.hci", "spi"), ("central.hci_spi_hz", "400000")],
        [("central.hci", "three-wire"), ("central.hci_baud", "460800")],
    ];
    for bus in buses {
        let record = values(&bus);
        let backpressure = record.steady_ledger_ns.get("backpressure").copied().unwrap_or_default();
        assert!(backpressure > 0, "{bus:?}: {:?}", record.steady_ledger_ns);
        let sum: u64 = record.steady_ledger_ns.iter().map(|(_, ns)| *ns).sum();
        assert_eq!(sum, record.steady_ns);
    }
}

#[test]
fn what_is_said_of_a_bus_is_of_that_bus() {
    let refused = |set: &[(&str, &str)]| {
        let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        let library = airtime_lab::Library::builtin();
        airtime_lab::Plan::parse("x", "", &library, &set).expect_err("it is impossible").to_string()
    };
    for (key, value, hci, said) in [
        ("hci_baud", "115200", "usb", "= \"uart\" or \"three-wire\""),
        ("hci_window", "2", "uart", "= \"three-wire\""),
        ("hci_crc", "true", "uart", "= \"three-wire\""),
        ("hci_spi_hz", "1000000", "ipc", "= \"spi\""),
        ("hci_delay", "1ms", "uart", "= \"spi\" or \"ipc\""),
    ] {
        for end in ["central", "peripheral"] {
            let (own, bus) = (format!("{end}.{key}"), format!("{end}.hci"));
            let error = refused(&[("link", "ble-gatt"), (&own, value), (&bus, hci)]);
            assert!(error.contains(&format!("`{own}` without `{bus}` {said}")), "{error}");
        }
    }
    assert!(refused(&[("central.hci", "three-wire"), ("central.hci_window", "8")]).contains("from 1 to 7"));
    for (hci, key, value) in [
        ("uart", "central.hci_baud", serde_json::json!(1_000_000)),
        ("three-wire", "central.hci_window", 4.into()),
        ("spi", "central.hci_spi_hz", 8_000_000.into()),
        ("ipc", "central.hci_delay", "21.5us".into()),
    ] {
        let (_, point) = crate::support::plan(&[("link", "ble-gatt"), ("central.hci", hci)]);
        assert_eq!(point.scenario.params.get(key), Some(&value));
    }
}
