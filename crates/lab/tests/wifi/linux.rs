//! A Linux host of a co-processor: its own stack and the driver of ESP-Hosted-FG.

use super::{outcome, recorded};

const PI: [(&str, &str); 4] =
    [("wifi.personality", "rpi-esp32c6"), ("wifi.backoff", "mean"), ("run.duration", "3s"), ("run.warmup", "1s")];
const TCP: (&str, &str) = ("traffic.kind", "tcp");

/// 60 and 40 Mbit/s are the two figures that its times come from, at 41.67 MHz.
#[test]
fn the_raw_test_makes_the_published_figures_again() {
    let of = |direction| {
        let raw = [("traffic.kind", "raw"), ("traffic.direction", direction), ("hosted.sdio_clock", "41666667Hz")];
        recorded(&[&PI[..], &raw].concat()).goodput_kbps.median
    };
    for (direction, mbps) in [("up", 60.0), ("down", 40.0)] {
        let kbps = of(direction);
        assert!((kbps / (mbps * 1e3) - 1.0).abs() < 0.005, "{direction}: {kbps}");
    }
}

/// The stack is that of Linux: no lwIP in the parameters, no timer of 500 ms, and a stream that fills the air.
#[test]
fn its_stack_is_not_lwip() {
    let record = recorded(&[&PI[..], &[TCP]].concat());
    assert!(record.params.iter().all(|(key, _)| !key.starts_with("lwip")), "{:?}", record.params);
    assert_eq!(record.counters.get("timeouts"), Some(&0));
    assert!(record.goodput_kbps.median > 20_000.0, "{}", record.goodput_kbps.median);
    // With lwIP this key makes every tick a timeout.
    let short = [&PI[..], &[TCP, ("lwip.rto_time", "300ms")]].concat();
    assert_eq!(outcome(&[&PI[..], &[TCP]].concat()).octets(), outcome(&short).octets());
}

/// MCS 2 carries less than the bus brings. Nothing throttles this host: frames without a credit are freed after two polls, TCP finds them gone and
/// sends them again.
#[test]
fn what_the_air_does_not_take_is_freed_by_the_driver() {
    let slow = [&PI[..], &[("wifi.mcs", "2")]].concat();
    let udp = outcome(&slow);
    let count = |name: &str| udp.counted.of(name);
    assert_eq!(count("drops.throttled"), 0);
    assert!(count("drops.credits_timeout") > 1_000, "{}", count("drops.credits_timeout"));
    // What more there is than the bus takes waits in front of its queue, but for a packet each time that fills: 100 and 80 at a time.
    let fast = outcome(&PI);
    let (freed, arrived) = (fast.counted.of("drops.host_stopped"), fast.counted.of("packets.delivered.up"));
    assert!((arrived / 110..arrived / 60).contains(&freed), "{freed} of {arrived}");
    // The window of a stream, 44 segments, fits 64 transmit buffers; those of four do not fit 8, and 4 of SDIO.
    let few = [TCP, ("hosted.wifi_tx_buffers", "8"), ("hosted.rx_buffers", "4"), ("traffic.flows", "4")];
    let tcp = outcome(&[&slow[..], &few].concat());
    assert!(tcp.counted.of("drops.credits_timeout") > 0 && tcp.counted.of_stack("retransmissions") > 0);
}

/// ESP-Hosted-NG sleeps when it finds no frame: an echo of the far end waits for the end of that sleep.
#[test]
fn the_sleep_of_ng_holds_answers_up() {
    let ping =
        [("traffic.offered", "100kbps"), ("traffic.direction", "down"), ("traffic.ping", "50ms"), ("path.rtt", "1ms")];
    let of = |personality| {
        let set = [&PI[1..], &ping, &[("wifi.personality", personality)]].concat();
        outcome(&set).round_trips.expect("echoes came back").p50
    };
    let (waits, sleeps) = (of("rpi-esp32c6"), of("rpi-esp32c6-ng"));
    let longer = sleeps.saturating_sub(waits).as_nanos();
    assert!((1_000_000..8_000_000).contains(&longer), "{waits} and {sleeps}");
}
