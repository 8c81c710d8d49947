//! A sentence for each mechanism of each link: a plan that has that cause, and what its explanation says first.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use airtime_lab::{Library, Plan, run};
use airtime_study::Depth;

/// Cause in a plan of a link: its mechanism, and the settings that plant it.
type Case = (&'static str, &'static [(&'static str, &'static str)]);

/// Link, settings of a plan of it that streams well, and its causes.
type Link = (&'static str, &'static [(&'static str, &'static str)], &'static [Case]);

const BLE: &[(&str, &str)] = &[
    ("ble.frame_space", "52us"),
    ("ble.conn_interval", "30ms"),
    ("coc.credits", "batched"),
    ("coc.in_flight", "16"),
    ("coc.tx_buffers", "16"),
    ("acl.count", "16"),
    ("run.duration", "3s"),
    ("run.warmup", "500ms"),
];
const GATT: &[(&str, &str)] = &[
    ("ble.frame_space", "52us"),
    ("ble.conn_interval", "30ms"),
    ("gatt.mtu", "498"),
    ("run.duration", "3s"),
    ("run.warmup", "500ms"),
];
const RPC: &[(&str, &str)] = &[
    ("ble.frame_space", "52us"),
    ("gatt.mtu", "498"),
    ("rpc.mode", "extended"),
    ("rpc.outstanding", "4"),
    ("rpc.calls", "20"),
    ("ble.conn_interval", "7.5ms"),
];
const NRF24: &[(&str, &str)] = &[("run.duration", "700ms"), ("run.warmup", "100ms"), ("run.repeat", "1")];
const NRF24_RAW: &[(&str, &str)] = &[
    ("traffic.kind", "raw"),
    ("nrf24.auto_ack", "false"),
    ("run.duration", "700ms"),
    ("run.warmup", "100ms"),
    ("run.repeat", "1"),
];
const NRF24_GATEWAY: &[(&str, &str)] = &[
    ("nrf24.mode", "rf24-gateway"),
    ("nrf24.radios", "1"),
    ("run.duration", "3s"),
    ("run.warmup", "500ms"),
    ("run.repeat", "1"),
];
const WIFI_UDP: &[(&str, &str)] = &[("run.duration", "500ms"), ("run.warmup", "100ms"), ("run.repeat", "1")];
const WIFI_TCP: &[(&str, &str)] =
    &[("traffic.kind", "tcp"), ("run.duration", "800ms"), ("run.warmup", "200ms"), ("run.repeat", "1")];
const IEEE802154: &[(&str, &str)] =
    &[("ieee802154.min_be", "0"), ("run.duration", "6s"), ("run.warmup", "500ms"), ("run.repeat", "1")];

const LINKS: &[Link] = &[
    (
        "ble-coc",
        BLE,
        &[
            ("packet", &[("ble.data_length", "27")]),
            ("packet", &[("coc.sdu", "20")]),
            ("underway", &[("acl.count", "1")]),
            ("underway", &[("coc.credits", "{ initial = 1, grant = 1, every = 1 }")]),
            ("underway", &[("acl.count", "1"), ("coc.in_flight", "1"), ("coc.tx_buffers", "1")]),
            ("handover", &[("coc.pacing", "sleep:10ms")]),
            ("handover", &[("host.latency", "20ms")]),
            ("interval", &[("ble.conn_interval", "7.5ms")]),
            ("gaps", &[("ble.frame_space", "800us")]),
            ("rate", &[("ble.phy", "S8")]),
            ("cpu", &[("host.packet_time", "5ms")]),
            ("losses", &[("ble.loss", "{ per = 0.1 }")]),
            ("neighbours", &[("central.scan_interval", "40ms"), ("central.scan_window", "30ms")]),
            ("answers", &[("peer_host.packet_time", "5ms")]),
        ],
    ),
    (
        "ble-gatt",
        GATT,
        &[
            ("packet", &[("gatt.mtu", "23")]),
            ("packet", &[("ble.data_length", "27")]),
            ("underway", &[("gatt.in_flight", "1")]),
            ("handover", &[("gatt.pacing", "sleep:10ms")]),
            ("gaps", &[("ble.frame_space", "800us")]),
            ("rate", &[("ble.phy", "1M")]),
            ("cpu", &[("host.packet_time", "5ms")]),
            ("losses", &[("ble.loss", "{ per = 0.1 }")]),
            ("neighbours", &[("central.scan_interval", "40ms"), ("central.scan_window", "30ms")]),
            ("answers", &[("peer_host.packet_time", "5ms")]),
        ],
    ),
    (
        "ble-rpc",
        RPC,
        &[
            ("packet", &[("ble.data_length", "27")]),
            ("underway", &[("rpc.outstanding", "1")]),
            ("interval", &[("ble.request_interval", "400ms")]),
            ("gaps", &[("ble.frame_space", "800us")]),
            ("rate", &[("ble.phy", "S8")]),
            ("cpu", &[("host.packet_time", "10ms")]),
            ("losses", &[("ble.loss", "{ per = 0.2 }")]),
            ("answers", &[("peer_host.packet_time", "20ms")]),
        ],
    ),
    (
        "nrf24-ip",
        NRF24,
        &[
            ("packet", &[("traffic.payload", "32")]),
            ("underway", &[("nrf24.window", "1")]),
            ("handover", &[("nrf24.delay", "5ms"), ("nrf24.mode", "legacy")]),
            ("handover", &[("nrf24_host.wake", "3ms")]),
            ("rate", &[("nrf24.rate", "250k")]),
            ("bus", &[("nrf24.spi_clock", "500kHz")]),
            ("cpu", &[("nrf24_host.transaction", "2ms")]),
            ("losses", &[("nrf24.loss", "{ per = 0.3 }")]),
            ("offered", &[("traffic.offered", "50kbps")]),
            ("answers", &[("nrf24.mode", "legacy")]),
        ],
    ),
    (
        "nrf24-ip",
        NRF24_RAW,
        &[
            ("packet", &[("traffic.payload", "8")]),
            ("packet", &[("nrf24.payload_length", "dynamic"), ("traffic.payload", "31")]),
            ("underway", &[("nrf24.write", "blocking")]),
            ("rate", &[("nrf24.rate", "250k")]),
            ("bus", &[("nrf24.spi_clock", "500kHz")]),
            ("offered", &[("nrf24.serial", "115200")]),
        ],
    ),
    ("nrf24-ip", NRF24_GATEWAY, &[("answers", &[]), ("rate", &[("nrf24.rate", "250k")])]),
    (
        "wifi-hosted",
        WIFI_UDP,
        &[
            ("packet", &[("wifi.ampdu_max", "1")]),
            ("packet", &[("traffic.payload", "64")]),
            ("underway", &[("hosted.wifi_tx_buffers", "1")]),
            ("rate", &[("wifi.mcs", "0")]),
            ("bus", &[("hosted.sdio_clock", "5MHz")]),
            ("cpu", &[("lwip_host.call", "5ms")]),
            ("losses", &[("wifi.loss", "{ per = 0.5 }")]),
            ("neighbours", &[("wifi.stations", "10")]),
            ("contention", &[("wifi.cw_min", "1023"), ("wifi.cw_max", "1023"), ("wifi.ampdu_max", "2")]),
            ("offered", &[("traffic.offered", "1Mbps")]),
        ],
    ),
    (
        "wifi-hosted",
        WIFI_TCP,
        &[
            ("underway", &[("lwip.snd_buf", "2440")]),
            ("underway", &[("lwip.wnd", "2440"), ("traffic.direction", "down")]),
            ("answers", &[("path.rtt", "100ms")]),
            ("packet", &[("lwip.mss", "536")]),
        ],
    ),
    (
        "ieee802154",
        IEEE802154,
        &[
            ("packet", &[("ieee802154.payload", "10")]),
            ("handover", &[("ieee802154.load", "10ms")]),
            ("contention", &[("ieee802154.min_be", "8"), ("ieee802154.max_be", "8")]),
            ("losses", &[("ieee802154.loss", "{ per = 0.3 }")]),
            ("contention", &[("ieee802154.stations", "5")]),
            ("offered", &[("ieee802154.offered", "10kbps")]),
            ("packet", &[("traffic.payload", "100"), ("ieee802154.ip_addresses", "global")]),
            ("bus", &[("ieee802154.rcp", "senders"), ("ieee802154.rcp_baud", "115200")]),
            ("bus", &[("traffic.payload", "1000"), ("ieee802154.rcp", "both"), ("ieee802154.rcp_baud", "115200")]),
            ("neighbours", &[("traffic.payload", "1128"), ("ieee802154.hops", "3"), ("ieee802154.min_be", "3")]),
            ("bus", &[("traffic.payload", "1000"), ("ieee802154.rcp", "receiver"), ("ieee802154.rcp_baud", "115200")]),
        ],
    ),
];

/// Mechanisms and sentence of the cause of a plan of `link` with `settings`.
fn cause(link: &str, settings: &[&(&str, &str)]) -> Option<(Vec<&'static str>, String)> {
    // The last of two settings of a key is the one that is planted.
    let mut said: Vec<(String, String)> = Vec::new();
    for (key, value) in settings {
        said.retain(|(other, _)| other != key);
        said.push(((*key).to_owned(), (*value).to_owned()));
    }
    let plan = Plan::parse("planted", &format!("link = \"{link}\"\n"), &Library::builtin(), &said)
        .unwrap_or_else(|error| panic!("{link}: {error}"));
    let point = plan.point(0).expect("a plan has a point");
    let depth = Depth { rungs: Some(1), also: Vec::new() };
    let found = airtime_study::explain(&plan, &point, &depth, &run::record, &|_| {}, &AtomicBool::new(false));
    found.cause.map(|cause| (cause.mechanisms, cause.says))
}

#[test]
fn a_mechanism_that_limits_a_link_is_named_with_its_figures() {
    let mut page = String::new();
    let mut strangers = Vec::new();
    for (link, healthy, cases) in LINKS {
        for (mechanism, planted) in *cases {
            let settings: Vec<&(&str, &str)> = healthy.iter().chain(*planted).collect();
            let planted: Vec<String> = planted.iter().map(|(key, value)| format!("{key}={value}")).collect();
            let (named, says) = cause(link, &settings).unwrap_or_default();
            let line = format!("{link} {}\n    {}: {says}\n", planted.join(" "), named.join(", "));
            if !named.contains(mechanism) {
                strangers.push(format!("{mechanism} expected: {line}"));
            }
            write!(page, "{line}").expect("a text takes everything");
        }
    }
    assert!(strangers.is_empty(), "{}", strangers.concat());
    insta::assert_snapshot!(page);
}
