//! The mechanisms that the published reports are about.

use airtime_wifi::ledger::Account;

use super::{kbps, outcome, recorded};

const TCP: (&str, &str) = ("traffic.kind", "tcp");

#[test]
fn an_rto_time_below_two_ticks_times_out_at_every_tick() {
    let path = [TCP, ("path.rate", "32Mbps"), ("path.rtt", "10ms"), ("run.duration", "12s"), ("wifi.backoff", "mean")];
    let of = |rto: &'static str| outcome(&[&path[..], &[("lwip.rto_time", rto)]].concat());
    let (short, default) = (of("300ms"), of("1.5s"));
    // Ten seconds of steady state have twenty ticks.
    assert!((19..=20).contains(&short.counted.of_stack("timeouts")), "{}", short.counted.of_stack("timeouts"));
    assert!(short.counted.of_stack("cwnd_collapses") >= 19);
    assert_eq!(default.counted.of_stack("timeouts"), 0);
    assert!(short.octets() < default.octets(), "{} against {}", short.octets(), default.octets());
}

#[test]
fn goodput_follows_the_send_buffer_until_the_link_limits() {
    let of = |buffer: &'static str| {
        kbps(&[TCP, ("lwip.snd_buf", buffer), ("path.rtt", "30ms"), ("run.duration", "6s"), ("wifi.backoff", "mean")])
    };
    let (small, double) = (of("11520"), of("23040"));
    assert!((double / small - 2.0).abs() < 0.1, "{small}, {double}");
    // A round trip is that of the path, and what the chain adds.
    let ceiling = 11_520.0 * 8.0 / 30.0;
    assert!(small < ceiling && small > 0.7 * ceiling, "{small} against {ceiling}");
}

/// MCS 2 carries less than the bus brings. A co-processor that sleeps over a packet without a buffer holds up those behind it, until
/// the host is throttled; one that drops it at once never does.
#[test]
fn a_co_processor_without_the_retry_loses_packets_and_keeps_the_host_going() {
    let slow = [("wifi.mcs", "2"), ("wifi.backoff", "mean"), ("run.duration", "4s"), ("run.warmup", "1s")];
    let of = |retry: &'static str| recorded(&[&slow[..], &[("hosted.wifi_tx_retry", retry)]].concat());
    let (patient, hasty) = (of("true"), of("false"));
    let count = |record: &airtime_lab::Record, name: &str| record.counters.get(name).copied().unwrap_or(0);
    let lost = |record| count(record, "drops.slave_no_buffer");
    let goodput = |record: &airtime_lab::Record| record.goodput_kbps.median;
    assert!(count(&patient, "call_errors") > 1_000 && count(&hasty, "call_errors") == 0);
    assert!((1..=1_500).contains(&lost(&patient)), "two sleeps of 1 ms each, in three seconds: {}", lost(&patient));
    assert!(lost(&hasty) > 2 * lost(&patient), "{} against {}", lost(&hasty), lost(&patient));
    assert!(!hasty.bottleneck.says.contains("SDIO bus"), "it brings too much: {}", hasty.bottleneck.says);
    // What the air carries is the same.
    assert!((goodput(&hasty) / goodput(&patient) - 1.0).abs() < 0.02, "{} {}", goodput(&hasty), goodput(&patient));
    assert!(hasty.accepted_kbps > patient.accepted_kbps, "{:?} {:?}", hasty.accepted_kbps, patient.accepted_kbps);
}

/// Stations that collide lose a whole A-MPDU each time, or an RTS; a lone one pays for RTS and CTS and has nothing of it.
#[test]
fn rts_and_cts_help_where_long_frames_collide_and_cost_where_none_does() {
    let air = [("hosted.bus", "none"), ("run.duration", "6s"), ("run.warmup", "1s")];
    let of = |stations: &'static str, rts: &'static str| {
        outcome(&[&air[..], &[("wifi.stations", stations), ("wifi.rts_threshold", rts)]].concat())
    };
    let share = |outcome: &airtime_wifi::run::Outcome, account: Account| {
        outcome.steady_ledger.of(account).as_nanos() as f64 / outcome.steady_ledger.elapsed().as_nanos() as f64
    };
    let (without, with) = (of("10", "none"), of("10", "0"));
    assert!(share(&without, Account::Collision) > 0.15, "{}", share(&without, Account::Collision));
    assert!(share(&with, Account::Collision) < 0.02, "{}", share(&with, Account::Collision));
    let (alone, asking) = (of("1", "none"), of("1", "0"));
    assert!(asking.octets() < alone.octets());
    assert_eq!((share(&alone, Account::RtsCts), alone.counted.of("ppdus.rts")), (0.0, 0));
    assert!(share(&asking, Account::RtsCts) > 0.01 && asking.counted.of("ppdus.rts") > 800);
}

#[test]
fn a_factory_image_refuses_raw_frames_and_a_custom_one_hears_the_beacons() {
    let set = [
        ("traffic.kind", "capture"),
        ("hosted.handlers", "8"),
        ("hosted.peer_data", "true"),
        ("wifi.beacons", "true"),
        ("run.duration", "10s"),
    ];
    let factory = recorded(&set);
    assert!(factory.outcome.contains("factory image has no handler for SET_PROMISCUOUS"), "{}", factory.outcome);
    let custom = recorded(&[&set[..], &[("hosted.firmware", "custom")]].concat());
    // One each 102.4 ms.
    let beacons = custom.counters.get("frames_heard.management").copied().unwrap_or(0);
    assert!((97..=98).contains(&beacons), "{beacons}");
}

#[test]
fn an_update_takes_a_call_and_ten_milliseconds_a_chunk() {
    let found = recorded(&[("traffic.kind", "ota"), ("run.duration", "120s")]);
    let count = |name: &str| found.counters.get(name).copied().unwrap_or(0);
    assert_eq!(found.outcome, "ok, the co-processor runs 2.12.5");
    assert_eq!(count("chunks"), 845, "1,182,176 octets in chunks of 1400");
    assert!(count("installing_ns") >= 8_450_000_000, "{}", count("installing_ns"));
    assert!(count("whole_sequence_ns") > 18_000_000_000, "it waits for the transport");
}

#[test]
fn what_nobody_logged_makes_an_interval_and_one_key_narrows_it() {
    let text = "link = \"wifi-hosted\"\n[run]\nduration = \"2s\"\nwarmup = \"1s\"\nrepeat = 1\n[wifi]\nbackoff = \"mean\"\n\
                [unlogged]\n\"wifi.mcs\" = [2, 5, 7]\n\"path.rtt\" = [\"1ms\", \"2ms\", \"3ms\"]\n\
                [[row]]\nid = \"a\"\nunlogged = [\"wifi.mcs\", \"path.rtt\"]\nmeasured = { value = 20, unit = \"Mbps\" }\n";
    let library = airtime_lab::Library::builtin();
    let plan = airtime_lab::Plan::parse("x.toml", text, &library, &[]).unwrap();
    let record = airtime_lab::run::record(&plan, &plan.point(0).unwrap());
    let lab = record.lab.as_ref().unwrap();
    assert!(lab.low < 20.0 && lab.high > 45.0 && lab.low < lab.value && lab.value <= lab.high, "{lab:?}");
    assert!(record.verdict.as_ref().unwrap().to_string().starts_with("not predicted"), "{:?}", record.verdict);
    let narrowed = record.narrowed_by.as_ref().unwrap();
    assert_eq!(narrowed.key, "wifi.mcs", "datagrams do not feel the round trip");
    assert!(narrowed.high / narrowed.low < 1.05, "{narrowed:?}");
    assert_eq!(record.unlogged.len(), 2);
    // What somebody has measured is no range any more.
    let set = [("wifi.mcs".to_owned(), "7".to_owned())];
    let plan = airtime_lab::Plan::parse("x.toml", text, &library, &set).unwrap();
    let record = airtime_lab::run::record(&plan, &plan.point(0).unwrap());
    assert_eq!(record.unlogged.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["path.rtt"]);
    assert_eq!(record.verdict.as_ref().unwrap().to_string(), "predicted");
}

#[test]
fn a_stage_that_is_always_busy_is_named_though_the_air_is_never_idle() {
    let set = [("traffic.kind", "udp"), ("wifi.backoff", "mean"), ("run.duration", "3s"), ("run.warmup", "1s")];
    let found = recorded(&set);
    let share = |name: &str| found.counters.get(name).copied().unwrap_or(0) as f64 / found.steady_ns as f64;
    assert!((0.97..=1.0).contains(&share("busy.coprocessor_ns")), "{}", share("busy.coprocessor_ns"));
    assert!(share("busy.bus_ns") > 0.1 && share("busy.bus_ns") <= 1.0, "{}", share("busy.bus_ns"));
    assert!(share("busy.air_ns") > 0.97 && share("busy.air_ns") <= 1.0, "{}", share("busy.air_ns"));
    let says = &found.bottleneck.says;
    assert!(says.starts_with("the co-processor is busy 100 % of the time, 235.2us a frame: the air gets "), "{says}");
    // With A-MPDUs of one nothing is shorter than it may be, and the air is what limits.
    let single = recorded(&[&set[..], &[("wifi.ampdu_max", "1")]].concat());
    assert!(!single.bottleneck.says.contains("is busy"), "{}", single.bottleneck.says);
}

/// One bad station among three loses its own throughput; who contends with two bad ones gains, since those back off.
#[test]
fn one_station_can_have_a_loss_of_its_own() {
    let cell = [("hosted.bus", "none"), ("wifi.stations", "3"), ("wifi.ampdu_max", "1"), ("run.duration", "4s")];
    let own = |more: &[(&str, &str)]| kbps(&[&cell[..], more].concat());
    let clear = own(&[]);
    let alone = own(&[("wifi.loss.damage", "0.3"), ("wifi.loss_others", "{ per = 0 }")]);
    let spared = own(&[("wifi.loss_others", "{ damage = 0.3 }")]);
    assert!(alone < 0.7 * clear && spared > 1.05 * clear, "{alone}, {clear}, {spared}");
}

/// A throttle of SPI is told in dummies, and the last one says to stop: esp-hosted-mcu has nothing that ends it but a frame to the host. Where the
/// air is slower than the bus and nothing comes back, that is the end of the stream.
#[test]
fn a_throttle_over_spi_lasts_until_a_frame_comes_to_the_host() {
    let slow = [
        ("hosted.bus", "spi"),
        ("wifi.mcs", "0"),
        ("wifi.backoff", "mean"),
        ("run.duration", "4s"),
        ("run.warmup", "1s"),
    ];
    let of = |more: &[(&'static str, &'static str)]| recorded(&[&slow[..], more].concat());
    let count = |record: &airtime_lab::Record, name: &str| record.counters.get(name).copied().unwrap_or(0);
    let alone = of(&[]);
    assert!(alone.goodput_kbps.median < 0.1 && count(&alone, "drops.throttled") > 1_000, "{:?}", alone.goodput_kbps);
    assert_eq!(count(&alone, "throttled_for_good"), 1);
    assert!(alone.bottleneck.says.contains("nothing ends that"), "{}", alone.bottleneck.says);
    // Whatever comes to the host ends it, and a host that asks for none never has it.
    for more in [("traffic.ping", "20ms"), ("hosted.throttle_high", "0")] {
        let record = of(&[more]);
        assert!(record.goodput_kbps.median > 1_000.0, "{more:?}: {:?}", record.goodput_kbps);
        assert_eq!(count(&record, "throttled_for_good"), 0);
        assert!(!record.bottleneck.says.contains("nothing ends that"), "{}", record.bottleneck.says);
    }
}
