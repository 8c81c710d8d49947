//! Plans of IP over Wi-Fi: what they become, and every message about a wrong one.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::{Bitrate, Frequency, Size};
use airtime_keys::OrNone;
use airtime_net::traffic::{Direction, Pace, Transport};
use airtime_wifi::air::{Access, Guard, Phy, Preamble, Responses, Width};
use airtime_wifi::cell::WidePolicy;
use airtime_wifi::hosted::wire::start::SdioMode;
use airtime_wifi::mac::Backoff;
use airtime_wifi::plan::{
    Band, ControlRate, Firmware, Lines, OnError, RateControl, Receiver, Scenario, Slot, Test, Version,
};

use crate::personality::Library;
use crate::plan::{Plan, Point};

fn parse(text: &str) -> Result<Plan, String> {
    let text = format!("link = \"wifi-hosted\"\n{text}");
    Plan::parse("plans/x.toml", &text, &Library::builtin(), &[]).map_err(|error| error.to_string())
}

fn point(text: &str) -> Point {
    parse(text).unwrap().point(0).unwrap()
}

fn scenario(text: &str) -> Scenario {
    point(text).scenario.of::<airtime_wifi::plan::Scenario>().unwrap().clone()
}

const WHOLE: &str = r#"
[wifi]
channel = 11
standard = "n"
width = "40MHz"
guard_interval = "800ns"
mcs = 5
rate = "minstrel"
encrypted = false
ampdu_max = 16
ampdu_octets = 32767
amsdu = 3839
ppdu_max = "4ms"
backoff = "mean"
cw_min = 7
cw_max = 63
aifsn = 2
txop = "3.008ms"
slot = "20us"
ba_rate = "12M"
rts_threshold = 2346
retry_limit = "none"
eifs = true
stations = 5
others_rate = "2Mbps"
neighbour_load = 0.25
neighbour_burst = "2ms"
secondary_busy = "defer"
beacons = true
loss = { per = 0.01 }
[hosted]
sdio_clock = "25MHz"
sdio_lines = "1"
mode = "packet"
version = "2.12"
firmware = "custom"
checksum = true
shared_core = true
read_frame = "90us"
tx_queue = 60
rx_queue = 50
tx_buffers = 10
rx_buffers = 15
throttle_high = 90
throttle_low = 40
wifi_tx_buffers = 32
wifi_tx_retry = false
wifi_static_rx = 10
wifi_dynamic_rx = 24
rx_ba_window = 6
[lwip]
snd_buf = 5760
wnd = 5840
mss = 1460
rto_time = "300ms"
nodelay = false
so_sndbuf = "131072B"
sack_out = false
ooseq_max_pbufs = 4
core_locking = false
shared_core = true
on_error = "yield"
tcp_recvmbox = 6
tcpip_recvmbox = 32
[lwip_host]
call = "1us"
switch = "2us"
[path]
rtt = "10ms"
queue = 20
rate = "40Mbps"
ap_queue = 30
[traffic]
kind = "tcp"
write = "1400B"
direction = "both"
flows = 2
ping = "50ms"
[run]
duration = "5s"
seed = 9
"#;

#[test]
fn every_key_reaches_the_scenario() {
    let found = scenario(WHOLE);
    let radio = &found.radio;
    assert_eq!((radio.band, radio.channel(), radio.rate), (Band::Ghz2, 11, RateControl::Minstrel));
    assert_eq!((found.phy(), radio.encrypted), (Phy::ht(Width::Mhz40, Guard::Ns800, 5), false));
    assert_eq!((radio.ampdu_max, radio.ppdu_max), (16, Duration::from_millis(4)));
    let aggregation = radio.aggregation();
    assert_eq!((aggregation.window, aggregation.octets, radio.amsdu()), (16, 32_767, Some(3_839)));
    let access = &found.access;
    assert_eq!(access.txop(), Duration::from_micros(3_008));
    let contention = Access { aifsn: 2, cw_min: 7, cw_max: 63, edca: true };
    assert_eq!((access.backoff, access.contention(radio.standard())), (Backoff::Mean, contention));
    assert_eq!((access.slot, access.ba_rate), (Some(Slot::Long), Some(ControlRate::M12)));
    let timing = found.timing();
    let responses = Responses::Fixed(Phy::ofdm(12).unwrap());
    assert_eq!((timing.slot, timing.responses), (Duration::from_micros(20), responses));
    assert_eq!((access.rts_threshold, access.retry_limit), (Some(OrNone(Some(2_346))), OrNone(None)));
    let cell = &found.cell;
    assert_eq!((access.eifs, cell.stations, cell.others_rate), (true, 5, Some(Bitrate(2_000_000))));
    let secondary = cell.secondary().unwrap();
    let (exchange, every) = (Duration::from_millis(2), Duration::from_millis(8));
    assert_eq!((secondary.exchange, secondary.every, secondary.policy), (exchange, every, WidePolicy::Defer));
    assert_eq!((cell.beacons, cell.loss), (Some(true), Loss::Packet { per: 0.01 }));
    let hosted = found.chips().unwrap();
    assert_eq!((hosted.sdio_clock, hosted.sdio_lines), (Frequency(25_000_000), Lines::One));
    assert_eq!((hosted.mode(), hosted.version, hosted.firmware), (SdioMode::Packet, Version::V2_12, Firmware::Custom));
    assert_eq!((hosted.checksum, hosted.shared_core), (true, true));
    assert_eq!((hosted.tx_queue(), hosted.rx_queue, hosted.tx_buffers(), hosted.rx_buffers), (60, 50, 10, 15));
    assert_eq!((hosted.throttle(), hosted.wifi_tx_buffers, hosted.wifi_tx_retry), ((90, 40), 32, false));
    assert_eq!((hosted.wifi_static_rx, hosted.wifi_dynamic_rx, hosted.rx_ba_window), (10, 24, 6));
    let costs = found.costs();
    assert_eq!((costs.write_frame, costs.shared_core), (found.chain.bus.write_frame, true), "the personality's");
    assert_eq!(costs.read_frame, Duration::from_micros(90));
    let lwip = &found.lwip;
    assert_eq!((lwip.snd_buf, lwip.wnd, lwip.mss), (5_760, 5_840, 1_460));
    assert_eq!((lwip.rto_time, lwip.nodelay, lwip.sack_out), (Duration::from_millis(300), false, false));
    assert_eq!((lwip.ooseq_max_pbufs, lwip.core_locking, lwip.shared_core), (4, false, true));
    assert_eq!((lwip.on_error, lwip.tcp_recvmbox, lwip.tcpip_recvmbox), (OnError::Yield, 6, 32));
    assert_eq!((lwip.so_sndbuf, lwip.udp_recvmbox), (Some(Size(131_072)), 64));
    let costs = found.stack_costs();
    assert_eq!((costs.call, costs.switch), (Duration::from_micros(1), Duration::from_micros(2)));
    assert_eq!(costs.segment, Duration::from_micros(20), "the personality's");
    let path = found.path;
    assert_eq!(
        (path.rtt, path.queue, path.rate, path.ap_queue),
        (Duration::from_millis(10), 20, Bitrate(40_000_000), 30)
    );
    let tcp = Transport::Tcp { write: 1_400, window: 5_840, size: None };
    assert_eq!((found.traffic.transport(), found.traffic.direction), (tcp, Direction::Both));
    assert_eq!((found.traffic.flows, found.traffic.ping), (2, Some(Duration::from_millis(50))));
    assert_eq!((found.run.seed, found.test()), (9, Test::Traffic));
}

#[test]
fn the_shortest_plan_has_published_defaults() {
    let found = scenario("");
    let udp = Transport::Udp { payload: 1_400, offered: None, pace: Pace::Constant };
    assert_eq!((found.traffic.transport(), found.traffic.direction), (udp, Direction::Up));
    assert_eq!((found.radio.channel, found.phy()), (Some(6), Phy::ht(Width::Mhz20, Guard::Ns400, 7)));
    assert_eq!((found.access.rts_threshold, found.access.retry_limit), (None, OrNone(Some(7))));
    assert_eq!(found.lwip.rto_time, Duration::from_millis(1_500));
    let ax = scenario("wifi.standard = \"ax\"\nwifi.band = \"5GHz\"\nhosted.bus = \"none\"\n");
    assert_eq!((ax.radio.channel, ax.phy().guard, ax.chips()), (Some(36), Guard::Ns800, None));
}

#[test]
fn esp_now_brings_its_own_defaults() {
    let text = "hosted.bus = \"none\"\ntraffic.kind = \"esp-now\"\n";
    let found = scenario(text);
    assert_eq!((found.test(), found.phy()), (Test::EspNow, Phy::dsss1()));
    assert_eq!((found.timing().slot, found.timing().responses), (Duration::from_micros(9), Responses::Mandatory));
    assert_eq!((found.traffic.payload, found.espnow.to, found.espnow.in_flight), (Some(250), Receiver::Unicast, 1));
    let params = point(text).scenario.params;
    for absent in ["wifi.ampdu_max", "wifi.cw_min", "wifi.txop", "wifi.encrypted", "traffic.pace", "lwip.mss"] {
        assert_eq!(params.get(absent), None, "{absent}");
    }
    let fast = scenario(&format!("{text}wifi.standard = \"n\"\ntraffic.payload = 1470\n"));
    assert_eq!((fast.phy().mcs, fast.espnow.version.body_max()), (0, 1_470));
}

#[test]
fn dsss_brings_its_own_defaults() {
    let found = scenario("wifi.standard = \"b\"\nwifi.preamble = \"short\"\n");
    let (access, timing) = (&found.access, found.timing());
    assert_eq!((found.phy(), timing.slot), (Phy::dsss(Preamble::Short, 3), Duration::from_micros(20)));
    assert_eq!((access.cw_min, access.cw_max, timing.responses), (Some(31), 1_023, Responses::Mandatory));
    let set = scenario(
        "wifi.standard = \"b\"\nwifi.mcs = 0\nwifi.slot = \"9us\"\nwifi.cw_min = 15\nwifi.ba_rate = \"5.5M\"\n",
    );
    assert_eq!((set.phy(), set.timing().slot), (Phy::dsss1(), Duration::from_micros(9)));
    let responses = Responses::Fixed(Phy::dsss(Preamble::Long, 2));
    assert_eq!((set.access.cw_min, set.timing().responses), (Some(15), responses));
}

#[test]
fn what_follows_from_the_standard_is_in_the_params() {
    let names = ["wifi.mcs", "wifi.cw_min", "wifi.slot", "wifi.ba_rate", "wifi.preamble", "wifi.guard_interval"];
    let params = |text: &str| names.map(|name| point(text).scenario.params.get(name).map(|value| value.to_string()));
    let of = |values: [&str; 6]| values.map(|value| (!value.is_empty()).then(|| value.to_owned()));
    assert_eq!(params(""), of(["7", "15", "\"9us\"", "\"24M\"", "", "\"400ns\""]));
    assert_eq!(params("wifi.standard = \"b\"\n"), of(["3", "31", "\"20us\"", "\"mandatory\"", "\"long\"", ""]));
    let rate = params("wifi.standard = \"b\"\nwifi.ba_rate = \"5.5M\"\n")[3].clone();
    assert_eq!(rate.as_deref(), Some("\"5.5M\""));
}

#[test]
fn params_are_what_is_in_effect() {
    let point = point("traffic.kind = \"tcp\"\nlwip.so_sndbuf = \"131072B\"\n");
    let param = |name: &str| point.scenario.params.get(name).cloned();
    assert_eq!(param("wifi.guard_interval"), Some("400ns".into()));
    assert_eq!(param("lwip.so_sndbuf"), Some("131072B".into()), "in the record, though nothing reads it");
    assert_eq!(param("lwip_host.segment"), Some("20us".into()));
    for absent in
        ["traffic.payload", "traffic.window", "wifi.neighbour_load", "hosted.image", "nrf24.mode", "lwip.udp_recvmbox"]
    {
        assert_eq!(param(absent), None, "{absent}");
    }
    let alone = self::point("hosted.bus = \"none\"\n");
    assert!(alone.scenario.params.iter().all(|(name, _)| !name.starts_with("lwip") && !name.starts_with("path.")));
}

#[test]
fn what_is_wrong_is_said_where() {
    let cases = [
        (
            "wifi.standard = \"ax\"\nwifi.width = \"40MHz\"\n",
            "x.toml:3:6: `wifi.width`: the radio of `esp32-p4-c6` has ax in 20 MHz only",
        ),
        (
            "wifi.standard = \"g\"\nwifi.guard_interval = \"400ns\"\n",
            "x.toml:3:6: `wifi.guard_interval`: g has no such one; allowed here: 800ns",
        ),
        ("wifi.mcs = 8\n", "x.toml:2:6: `wifi.mcs`: n has no 8 with one stream; allowed here: 0 to 7"),
        (
            "wifi.standard = \"ax\"\nwifi.mcs = 11\n",
            "`wifi.mcs`: 11 is beyond the radio of `esp32-p4-c6`, which has HE MCS 0 to 9; did you mean `9`?",
        ),
        ("wifi.preamble = \"short\"\n", "`wifi.preamble`: n has one of its own; allowed here: wifi.standard = \"b\""),
        ("wifi.standard = \"b\"\nwifi.mcs = 4\n", "b has no 4 with one stream; allowed here: 0 to 3"),
        ("wifi.standard = \"b\"\nwifi.band = \"5GHz\"\n", "`wifi.standard`: there is no b in 5 GHz"),
        ("wifi.standard = \"b\"\nwifi.ba_rate = \"24M\"\n", "b is not answered at such a rate; allowed here: 1M, 2M"),
        ("wifi.ba_rate = \"11M\"\n", "n is not answered at such a rate; allowed here: 6M, 12M, 24M, mandatory"),
        ("wifi.band = \"5GHz\"\n", "the radio of `esp32-p4-c6` has no 5 GHz"),
        ("wifi.channel = 40\n", "`wifi.channel`: 40 is in the other band; allowed here: 1 to 14"),
        ("wifi.cw_min = 16\n", "`wifi.cw_min`: 16 is not a power of two less one; did you mean `31`?"),
        ("wifi.cw_min = 31\nwifi.cw_max = 15\n", "is above `wifi.cw_max`, 15"),
        (
            "wifi.amsdu = 7935\n",
            "`wifi.amsdu`: 7935 octets do not fit an MPDU of an A-MPDU of n; did you mean `4049`? \
             allowed here: 256 to 4049, or wifi.ampdu_max = 1",
        ),
        ("wifi.access = \"dcf\"\nwifi.txop = \"1ms\"\n", "the distributed coordination function has no TXOPs"),
        ("traffic.kind = \"esp-now\"\n", "ESP-NOW is between native chips"),
        (
            "hosted.bus = \"none\"\ntraffic.kind = \"esp-now\"\nespnow.version = \"1.0\"\ntraffic.payload = 251\n",
            "251 does not fit a frame of ESP-NOW 1.0; did you mean `250`?",
        ),
        (
            "hosted.bus = \"none\"\ntraffic.kind = \"esp-now\"\nespnow.to = \"broadcast\"\nespnow.encrypted = true\n",
            "ESP-NOW encrypts no broadcast",
        ),
        ("hosted.throttle_low = 80\n", "80 is not below `hosted.throttle_high`, 80"),
        ("hosted.bus = \"none\"\ntraffic.kind = \"tcp\"\n", "without chips there is only a station that is always fed"),
        ("traffic.kind = \"raw\"\ntraffic.direction = \"both\"\n", "one way at a time; allowed here: \"up\", \"down\""),
        ("traffic.kind = \"capture\"\n", "CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER=y"),
        (
            "traffic.kind = \"capture\"\nhosted.peer_data = true\n",
            "raw frames take 8 handlers, not 3; did you mean `8`?",
        ),
        ("traffic.kind = \"tcp\"\ntraffic.offered = \"1Mbps\"\n", "only UDP is offered at a rate"),
        ("traffic.size = \"1MB\"\n", "only a TCP transfer has a size"),
        ("traffic.window = \"65535B\"\n", "`traffic.window` means nothing to the link `wifi-hosted`"),
        ("nrf24.rate = \"2M\"\n", "`nrf24.rate` means nothing to the link `wifi-hosted`"),
        (
            "wifi.personality = \"macos\"\n",
            "`macos` is a Bluetooth LE device, not a chain of host, bus and Wi-Fi co-processor; allowed here: esp32-p4-c6",
        ),
        ("wifi.personality = \"esp32-p4-c7\"\n", "did you mean `esp32-p4-c"),
        ("lwip.rto_tim = \"300ms\"\n", "did you mean `lwip.rto_time`?"),
        ("hosted.image = \"1001B\"\n", "is out of range"),
        ("hosted.image = \"1025B\"\n", "is not in blocks of 16; did you mean `1040B`?"),
        ("run.duration = \"1s\"\n", "is not longer than the warm-up of 2s"),
    ];
    for (text, expected) in cases {
        let error = parse(text).unwrap_err();
        assert!(error.contains(expected), "{text}\n{error}");
    }
}

#[test]
fn what_a_chain_lacks_is_said_where() {
    let cases = [
        (
            "wifi.personality = \"esp32-p4-esp32\"\nwifi.standard = \"ax\"\n",
            "`wifi.standard`: the radio of `esp32-p4-esp32` has no ax; allowed here: \"b\", \"g\", \"n\", or hosted.bus = \"none\"",
        ),
        (
            "wifi.personality = \"esp32-p4-esp32\"\nhosted.bus = \"spi\"\n",
            "`hosted.spi_clock`: the co-processor of `esp32-p4-esp32` takes 10 MHz at most; did you mean `10MHz`?",
        ),
        (
            "wifi.personality = \"esp32-p4-esp32\"\nhosted.bus = \"spi-hd\"\n",
            "`hosted.bus`: the co-processor of `esp32-p4-esp32` has no SPI in half duplex; allowed here: \"sdio\", \"spi\"",
        ),
        (
            "wifi.mode = \"access-point\"\ntraffic.kind = \"raw\"\n",
            "`wifi.mode`: an access point is measured with datagrams or a stream; allowed here: traffic.kind = \"udp\", \"tcp\"",
        ),
        (
            "wifi.personality = \"rpi-esp32c6\"\nhosted.bus = \"spi\"\nhosted.turn = \"1us\"\nhosted.write_frame = \"1us\"\n",
            "`hosted.bus`: the driver of `rpi-esp32c6`, a Linux host, is modelled over SDIO; allowed here: \"sdio\"",
        ),
        (
            "wifi.personality = \"rpi-esp32c6\"\ntraffic.kind = \"ota\"\n",
            "`traffic.kind`: raw frames and updates are of a host with ESP-Hosted-MCU, not of `rpi-esp32c6`; allowed here: \"udp\", \"tcp\", \"raw\"",
        ),
    ];
    for (text, expected) in cases {
        let error = parse(text).unwrap_err();
        assert!(error.contains(expected), "{text}\n{error}");
    }
}

#[test]
fn other_links_refuse_what_is_not_theirs() {
    let refused = |text: &str| {
        Plan::parse("x.toml", text, &Library::builtin(), &[]).map_err(|error| error.to_string()).unwrap_err()
    };
    assert!(
        refused("link = \"nrf24-ip\"\ntraffic.kind = \"capture\"\n").contains("capture is a test of a co-processor")
    );
    assert!(refused("central.personality = \"esp32-p4-c6\"\n").contains("not a Bluetooth LE device"));
    assert!(refused("wifi.mcs = 3\n").contains("`wifi.mcs` means nothing to the link `ble-coc`"));
}
