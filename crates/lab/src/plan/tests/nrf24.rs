//! Plans of IP over the nRF24L01+: what they become, and every message about a wrong one.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;
use airtime_nrf24::air::{Crc, Rate};
use airtime_nrf24::{legacy, station};

use crate::personality::Library;
use crate::plan::{Plan, Point};
use airtime_net::traffic::{Direction, Pace, Transport};
use airtime_nrf24::plan::{Mode, Scenario};

fn parse(text: &str) -> Result<Plan, String> {
    let text = format!("link = \"nrf24-ip\"\n{text}");
    Plan::parse("plans/x.toml", &text, &Library::builtin(), &[]).map_err(|error| error.to_string())
}

fn point(text: &str) -> Point {
    parse(text).unwrap().point(0).unwrap()
}

fn scenario(text: &str) -> Scenario {
    point(text).scenario.of::<airtime_nrf24::plan::Scenario>().unwrap().clone()
}

const WHOLE: &str = r#"
[nrf24]
mode = "legacy"
rate = "1M"
channel_a = 3
channel_b = 90
address_width = 5
crc = 1
ard = "1250us"
arc = 7
spi_clock = "8MHz"
mtu = 600
batch = 2
delay = "20us"
framing = "sequence"
loss = { good = 0.001, bad = 0.5, every = "200ms", burst = "5ms" }
stall = { every = "50ms", for = "2ms" }
[nrf24_host]
transaction = "20us"
sleep_slack = "80us"
[traffic]
payload = 100
offered = "300kbps"
pace = "iperf3"
flows = 3
direction = "both"
ping = "50ms"
drain = true
[run]
duration = "5s"
seed = 9
"#;

#[test]
fn every_key_reaches_the_scenario() {
    let found = scenario(WHOLE);
    let radio = &found.radio;
    assert_eq!((found.mode(), radio.rate, radio.channels()), (Mode::Legacy, Rate::M1, [3, 90]));
    assert_eq!((radio.address_width(), radio.crc(), radio.arc()), (5, Crc::One, 7));
    assert_eq!((radio.ard(), radio.auto_ack, radio.power.level()), (Duration::from_micros(1_250), true, 3));
    assert_eq!((found.cost().spi_hz, found.cost().transaction), (8_000_000, Duration::from_micros(20)));
    assert_eq!(found.cost().sleep_slack, Duration::from_micros(80));
    let tunnel = &found.tunnel;
    assert_eq!((tunnel.mtu, tunnel.batch, tunnel.framing), (600, 2, legacy::Framing::Sequence));
    assert_eq!(tunnel.delay, Duration::from_micros(20));
    let stall = found.stall.period().unwrap();
    assert_eq!((stall.every, stall.length), (Duration::from_millis(50), Duration::from_millis(2)));
    assert!(matches!(found.air.loss, Loss::Burst { .. }));
    let udp = Transport::Udp { payload: 100, offered: Some(Bitrate(300_000)), pace: Pace::Iperf3 };
    assert_eq!((found.traffic.transport(), found.traffic.direction), (udp, Direction::Both));
    assert_eq!((found.traffic.flows, found.traffic.ping), (3, Some(Duration::from_millis(50))));
    assert!(found.traffic.drain);
    assert_eq!(found.run.seed, 9);
}

#[test]
fn the_shortest_plan_streams_on_a_raspberry_pi() {
    let found = scenario("");
    assert_eq!(found.mode(), Mode::Stream);
    assert_eq!(found.cost(), station::RASPBERRY_PI, "one set of host costs for every tunnel");
    assert_eq!((found.radio.channels(), found.radio.ard()), ([108, 116], Duration::from_micros(250)));
    let Transport::Udp { payload, offered, .. } = found.traffic.transport() else { panic!("udp is the default") };
    // 25 frames of 156.5 us and a break of 130 us carry 1583.178 kbps, and half as much again saturates.
    assert_eq!((payload, offered), (1_472, Some(Bitrate(1_583_178 * 3 / 2))));
    assert_eq!(
        scenario("nrf24.mtu = 576").traffic.transport(),
        Transport::Udp { payload: 548, offered: Some(Bitrate(1_583_178 * 548 / 576 * 3 / 2)), pace: Pace::Constant }
    );
}

#[test]
fn the_mode_decides_what_the_plan_does_not_say() {
    let of = |mode: &str| scenario(&format!("nrf24.mode = \"{mode}\"")).radio;
    assert_eq!(of("legacy").ard(), Duration::from_micros(750));
    assert_eq!(of("auto-ack").ard(), Duration::from_micros(250));
    assert_eq!((of("ack-payload").ard(), of("ack-payload").channels()), (Duration::from_micros(500), [108, 108]));
    let slow = scenario("nrf24.mode = \"ack-payload\"\nnrf24.rate = \"250k\"");
    assert_eq!(slow.radio.ard(), Duration::from_micros(1_500));
}

#[test]
fn channels_that_the_plan_does_not_say_fit_the_radios_and_the_channel_it_says() {
    let of = |mode: &str, rate: &str, a: u8| {
        scenario(&format!("[nrf24]\nmode = \"{mode}\"\nrate = \"{rate}\"\nchannel_a = {a}")).radio.channels()
    };
    for mode in ["legacy", "auto-ack", "stream"] {
        assert_eq!([114, 115, 116, 117, 118].map(|a| of(mode, "2M", a)[1]), [116, 108, 108, 108, 116], "{mode}");
        assert_eq!([115, 116, 117].map(|a| of(mode, "1M", a)[1]), [116, 108, 116], "{mode}");
    }
    for mode in ["ack-payload", "rf24-gateway"] {
        assert_eq!([1, 116].map(|a| of(mode, "2M", a)), [[1; 2], [116; 2]], "{mode}");
    }
}

#[test]
fn raw_frames_and_the_gateway_begin_as_their_driver_does() {
    let [tunnel, raw, gateway] =
        ["", "traffic.kind = \"raw\"", "nrf24.mode = \"rf24-gateway\""].map(|text| scenario(text).radio);
    assert_eq!([tunnel, raw, gateway].map(|radio| radio.address_width()), [3, 5, 5]);
    assert_eq!([raw, gateway].map(|radio| radio.ard()), [Duration::from_micros(1_500); 2]);
    let interrupts = scenario("[nrf24]\nmode = \"rf24-gateway\"\ninterrupts = true").radio;
    assert_eq!([gateway, interrupts].map(|radio| radio.loop_sleep().as_micros()), [2_000, 1_000]);
    let said = scenario("[nrf24]\nmode = \"rf24-gateway\"\ninterrupts = true\nloop_sleep = \"3ms\"").radio;
    assert_eq!(said.loop_sleep().as_micros(), 3_000);
}

/// Modes that an explanation may turn to from `text`, as `--set` takes them.
fn modes(text: &str) -> Vec<String> {
    let plan = parse(text).unwrap();
    let candidates = crate::explain::candidates(&plan, &plan.point(0).unwrap());
    candidates.into_iter().filter(|one| one.key == "nrf24.mode").map(|one| one.set).collect()
}

#[test]
fn a_mode_of_two_radios_is_offered_with_the_channel_it_needs_and_never_where_the_plan_has_one() {
    let gateway = |more: &str| modes(&format!("[nrf24]\nmode = \"rf24-gateway\"\n{more}"));
    for (more, behind) in [
        ("", ""),
        ("channel_a = 116", ""),
        ("channel_b = 108", " --set nrf24.channel_b=116"),
        ("channel_a = 117\nchannel_b = 117", " --set nrf24.channel_b=108"),
    ] {
        let modes = gateway(more);
        for mode in ["auto-ack", "stream"] {
            assert!(modes.contains(&format!("nrf24.mode={mode}{behind}")), "{more}: {modes:?}");
        }
    }
    for more in ["radios = 1", "radios = 1\nchannel_b = 108"] {
        assert_eq!(gateway(more), ["nrf24.mode=ack-payload"], "{more}");
    }
    let stream = modes("nrf24.channel_b = 90");
    assert!(stream.iter().any(|set| set == "nrf24.mode=rf24-gateway --set nrf24.channel_b=108"), "{stream:?}");
}

#[test]
fn a_second_radio_is_a_price() {
    let record = |mode: &str, radios: u64| {
        let mut record = crate::record::Record { link: "nrf24-ip".into(), ..Default::default() };
        record.params.set("nrf24.mode", mode.into());
        record.params.set("nrf24.radios", radios.into());
        record
    };
    let (gateway, stream) = (record("rf24-gateway", 1), record("stream", 2));
    assert_eq!(crate::explain::cost::costs(&gateway, &stream), ["a second radio at each end"]);
    assert_eq!(crate::explain::cost::costs(&stream, &gateway), [""; 0]);
    assert_eq!(crate::explain::cost::costs(&stream, &stream), [""; 0]);
}

#[test]
fn params_replay_the_scenario() {
    let texts = [
        "",
        WHOLE,
        "nrf24.mode = \"ack-payload\"\nnrf24.encrypted = true",
        "traffic.kind = \"tcp\"\ntraffic.size = \"5MB\"\nnrf24.loss = { per = 0.03 }",
        "nrf24.mode = \"auto-ack\"\nnrf24.rate = \"250k\"\ntraffic.direction = \"down\"",
    ];
    for text in texts {
        let found = point(text).scenario;
        let plain = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let set: Vec<_> = found.params.iter().map(|(name, value)| (name.to_owned(), plain(value))).collect();
        let again = Plan::parse("x", "link = \"nrf24-ip\"", &Library::builtin(), &set).unwrap();
        let again = again.point(0).unwrap().scenario;
        // What saturates is a rate like any other once it is written down.
        let params = |of: &crate::Scenario| of.params.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>();
        assert_eq!(params(&again), params(&found), "{text}");
    }
}

#[test]
fn params_name_what_has_a_meaning_only() {
    let names =
        |text: &str| -> Vec<String> { point(text).scenario.params.iter().map(|(name, _)| name.to_owned()).collect() };
    let stream = names("");
    assert!(stream.contains(&"nrf24.queue".to_owned()) && !stream.contains(&"nrf24.batch".to_owned()));
    assert!(!stream.iter().any(|name| name.starts_with("ble") || name.starts_with("coc")), "{stream:?}");
    let legacy = names("nrf24.mode = \"legacy\"\ntraffic.kind = \"tcp\"");
    assert!(legacy.contains(&"nrf24.batch".to_owned()) && !legacy.contains(&"nrf24.queue".to_owned()));
    assert!(legacy.contains(&"traffic.window".to_owned()) && !legacy.contains(&"traffic.payload".to_owned()));
    let raw = names("traffic.kind = \"raw\"\nnrf24.auto_ack = false");
    let only = ["nrf24.write", "nrf24.payload_length", "nrf24.pll_break", "traffic.payload"];
    assert!(only.iter().all(|&key| raw.contains(&key.to_owned())), "{raw:?}");
    let none =
        ["nrf24.mode", "nrf24.mtu", "nrf24.queue", "nrf24.batch", "nrf24_host.tun", "traffic.flows", "traffic.pace"];
    assert!(none.iter().all(|&key| !raw.contains(&key.to_owned())), "{raw:?}");
    let gateway = names("nrf24.mode = \"rf24-gateway\"");
    assert!(gateway.contains(&"nrf24.loop_sleep".to_owned()) && !gateway.contains(&"nrf24.queue".to_owned()));
}

/// Text of a plan behind its line `link = "nrf24-ip"`, and what the message must say.
const WRONG: &[(&str, &str)] = &[
    ("[nrf24]\nmod = \"legacy\"", "x.toml:3:1: unknown key `nrf24.mod`; did you mean `nrf24.mode`?"),
    ("[nrf24]\nmode = \"strem\"", "3:8: `nrf24.mode`: `strem` is not one of its values; did you mean `stream`?"),
    ("nrf24.rate = \"3M\"", "2:14: `nrf24.rate`: `3M` is not one of its values; did you mean `1M`?"),
    ("nrf24.channel_a = 126", "`nrf24.channel_a`: 126 is impossible; allowed here: a whole number from 0 to 125"),
    (
        "nrf24.spi_clock = \"12MHz\"",
        "`nrf24.spi_clock`: 12MHz is out of range; allowed here: a clock from \"10kHz\" to \"10MHz\"",
    ),
    ("nrf24.spi_clock = 8", "`nrf24.spi_clock`: 8 has no unit"),
    ("nrf24.ard = \"300us\"", "`nrf24.ard`: 300us is not a multiple of 250us; did you mean `250us`?"),
    (
        "[nrf24]\nmode = \"ack-payload\"\nard = \"250us\"",
        "4:1: `nrf24.ard`: 250us is too short at 2M for the 32 octets on an acknowledgement of ack-payload; did you mean `500us`?",
    ),
    (
        "[nrf24]\nmode = \"auto-ack\"\nrate = \"250k\"\nard = \"250us\"",
        "`nrf24.ard`: 250us is too short at 250k for the 0 octets on an acknowledgement of auto-ack; did you mean `500us`?",
    ),
    ("nrf24.channel_b = 109", "`nrf24.channel_b`: at 2M the channels 108 and 109 overlap: they are 2 or more apart"),
    ("[nrf24]\nmode = \"ack-payload\"\nchannel_b = 110", "4:1: `nrf24.channel_b`: with one radio per node"),
    ("[nrf24]\nradios = 1", "3:1: `nrf24.radios`: mode stream needs 2 per node, not 1; did you mean `2`?"),
    ("nrf24.auto_ack = false", "`nrf24.auto_ack`: mode stream needs Enhanced ShockBurst"),
    ("nrf24.mtu = 400", "`nrf24.mtu`: 400 is below the 576 that every host must take"),
    ("nrf24.framing = \"sequence\"", "`nrf24.framing`: mode stream has a chunk header of its own"),
    ("nrf24.delay = \"20us\"", "`nrf24.delay`: mode stream never sleeps between batches"),
    ("[nrf24]\nmode = \"legacy\"\nencrypted = true", "4:1: `nrf24.encrypted`: the published tunnel has no encryption"),
    ("nrf24.batch = 4", "`nrf24.batch`: 4 is impossible; allowed here: a whole number from 1 to 3"),
    ("nrf24.stall.every = \"50ms\"", "`nrf24.stall` needs both `every` and `for`"),
    (
        "nrf24.stall = { every = \"1ms\", for = \"1ms\" }",
        "`nrf24.stall.for`: 1ms is not shorter than half the 1ms between stalls",
    ),
    ("nrf24.loss = { per = 0.1, ber = 0.1 }", "`nrf24.loss` with per, ber is not one kind of loss"),
    (
        "[nrf24]\nmtu = 600\n[traffic]\npayload = 1472",
        "5:1: `traffic.payload`: 1472 does not fit an MTU of 600, which leaves 572",
    ),
    ("traffic.payload = 15", "`traffic.payload`: 15 is less than the 16 octets of a datagram's stamp"),
    (
        "[traffic]\nkind = \"raw\"\npayload = 33",
        "4:1: `traffic.payload`: 33 does not fit a raw frame, which has 32 at most",
    ),
    (
        "[traffic]\nkind = \"raw\"\ndirection = \"both\"",
        "4:1: `traffic.direction`: a program of raw frames either sends or",
    ),
    ("[traffic]\nkind = \"raw\"\nflows = 2", "4:1: `traffic.flows`: raw frames are one flow"),
    ("[nrf24]\nradios = 2\n[traffic]\nkind = \"raw\"", "3:1: `nrf24.radios`: raw frames need 1 per node, not 2"),
    ("[nrf24]\nmode = \"rf24-gateway\"\nradios = 2", "4:1: `nrf24.radios`: mode rf24-gateway needs 1 per node, not 2"),
    ("traffic.kind = \"ota\"", "`traffic.kind`: a tunnel carries IP, and ota is a test of a co-processor"),
    ("traffic.offered = \"0kbps\"", "`traffic.offered`: a rate of nothing"),
    ("traffic.offered = 400", "`traffic.offered`: 400 has no unit"),
    ("[traffic]\nkind = \"tcp\"\noffered = \"1Mbps\"", "4:1: `traffic.offered`: TCP takes what it gets"),
    ("traffic.size = \"5MB\"", "`traffic.size`: only a TCP transfer has a size"),
    ("run.warmup = \"60s\"", "`run.duration`: 60s is not longer than the warm-up of 60s"),
    (
        "[ble]\nphy = \"2M\"",
        "3:1: `ble.phy` means nothing to the link `nrf24-ip`; allowed here: nrf24, nrf24_host, traffic, run",
    ),
    ("central.personality = \"macos\"", "`central.personality` means nothing to the link `nrf24-ip`"),
];

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in WRONG {
        let message = parse(text).map(|_| ()).unwrap_err();
        assert!(message.contains(expected), "{text}\n{message}\nexpected {expected}");
    }
}

#[test]
fn a_plan_of_bluetooth_has_no_use_for_radio_channels() {
    let message = Plan::parse("x.toml", "nrf24.rate = \"2M\"\n", &Library::builtin(), &[]).unwrap_err().to_string();
    assert!(message.contains("x.toml:1:7: `nrf24.rate` means nothing to the link `ble-coc`"), "{message}");
}
