//! Logs of boards and programs, most of them published: what is read of each, and where a damaged one is.

use airtime_core::Duration;
use airtime_lab::record::Goodput;
use airtime_lab::{Library, Plan, Record, Verdict};
use airtime_study::log::{CountingEnd, LogError, Options, read, row};

fn options() -> Options {
    Options { source: "its publication".to_owned(), ..Options::default() }
}

fn over(link: &str) -> Options {
    Options { link: Some(link.to_owned()), ..options() }
}

fn only(text: &str, options: &Options) -> Record {
    let records = read(text, options).unwrap();
    assert_eq!(records.len(), 1);
    records.into_iter().next().unwrap()
}

fn param<'a>(record: &'a Record, key: &str) -> Option<&'a str> {
    record.params.get(key).and_then(|value| value.as_str())
}

#[test]
fn totals_of_both_ends_of_nordics_sample() {
    let record = only(include_str!("logs/ncs-throughput.txt"), &options());
    assert_eq!((record.link.as_str(), record.radio.as_deref()), ("ble-gatt", Some("real")));
    assert_eq!(Some(record.goodput_kbps.median), Some(1395.6));
    assert_eq!(record.accepted_kbps, Some(1260.0), "612684 octets in 3890 ms are 1260.02 kbps");
    assert_eq!(record.delivered_bytes, 612_684);
    let terms = record.negotiated.as_ref().unwrap();
    assert_eq!((terms.conn_interval.as_str(), terms.phy.as_str(), terms.dle.c2p), ("400ms", "2M", 251));
    assert_eq!(record.verdict, Some(Verdict::Predicted));

    let peer = only(include_str!("logs/ncs-throughput-peer.txt"), &options());
    assert_eq!(Some(peer.goodput_kbps.median), Some(1261.6));
    let environment = peer.environment.as_ref().unwrap();
    assert_eq!(environment.firmware.as_deref(), Some("Zephyr OS build v2.4.0-ncs1-1715-g3366927a5498"));
    assert!(environment.controller.as_deref().unwrap().contains("Version 122.46081"));
    assert!(matches!(&peer.verdict, Some(Verdict::NotPredicted(why)) if why.contains("data length")));
}

#[test]
fn a_line_a_second_of_zephyrs_sample() {
    let record = only(include_str!("logs/zephyr-72090.txt"), &options());
    assert_eq!(record.series_kbps, [312.3, 312.3, 312.3, 312.3, 312.3]);
    assert_eq!(Some(record.goodput_kbps.median), Some(312.3));
    assert_eq!(param(&record, "ble.conn_interval"), Some("50ms"));
    assert_eq!(param(&record, "ble.direction"), Some("c2p"));
    // 8 × 244 octets in 50 ms are 312.32 kbps: four seconds of them, for the first is the warm-up.
    assert!(record.delivered_bytes.abs_diff(3 * 39_040 + 38_796) < 2, "{}", record.delivered_bytes);

    let changed = only(include_str!("logs/zephyr-84496.txt"), &options());
    assert_eq!(param(&changed, "ble.conn_interval"), Some("200ms"));
    assert_eq!(changed.series_kbps, [428.1, 429.5, 429.5, 490.0, 475.5]);
    assert!(changed.note.as_deref().unwrap().contains("PHY changed from 1M to 2M behind 4 figures"));
}

#[test]
fn packets_of_zperf_and_not_its_rounded_rate() {
    let record = only(include_str!("logs/zperf-72403.txt"), &over("wifi-hosted"));
    // 11051 × 256 octets in 2 s.
    assert_eq!(Some(record.series_kbps[0]), Some(11_316.2));
    // The first stretch of 2 s is dropped whole: the warm-up ends within it.
    assert_eq!(record.accepted_kbps, Some(11_325.2));
    assert_eq!(record.goodput_kbps.runs, 0, "what TCP took is not what arrived");
    assert!(record.measured.unwrap().accepted);
}

#[test]
fn text_of_iperf_on_boards_and_pcs() {
    let esp = only(include_str!("logs/esp-idf-10870.txt"), &over("wifi-hosted"));
    assert_eq!(esp.series_kbps.len(), 10, "the line of the whole is no interval");
    // (0.13 + 0.06 + 0.19 + 0.24 + 0.15 + 0.01) / 9
    assert_eq!(Some(esp.goodput_kbps.median), Some(86.7));
    assert_eq!(esp.note.as_deref(), Some("Log of iperf: its first 3 s are left out."), "an interval is dropped whole");

    let sender = Options { end: Some(CountingEnd::Sender), ..over("wifi-hosted") };
    let nuttx = only(include_str!("logs/nuttx-19423.txt"), &sender);
    assert_eq!(nuttx.series_kbps.len(), 11, "a shell's echo before a line is no part of it");
    assert_eq!(nuttx.accepted_kbps, Some(3_554.5));

    let uneven = only(include_str!("logs/iperf3-734.txt"), &sender);
    assert_eq!(Some(uneven.goodput_kbps.median), Some(87_600.0), "the receiver's total");
    assert_eq!(uneven.accepted_kbps, Some(88_368.7), "by the length of each interval");

    let esphome = only(include_str!("logs/iperf3-5678.txt"), &over("wifi-hosted"));
    assert_eq!(esphome.accepted_kbps, Some(90_733.3));
    assert_eq!(Some(esphome.series_kbps[0]), Some(108_000.0));

    let both = read(include_str!("logs/iperf2-5621.txt"), &over("wifi-hosted")).unwrap();
    let figures: Vec<_> = both.iter().map(|record| (record.id.as_str(), record.accepted_kbps)).collect();
    assert_eq!(figures, [("iperf-1", Some(1_050.0)), ("iperf-2", Some(386.0))]);
}

#[test]
fn documents_of_iperf3() {
    let text = include_str!("../src/perf/samples/lossy.json");
    let record = only(text, &over("nrf24-ip"));
    assert_eq!(Some(record.goodput_kbps.median), Some(172.9));
    assert_eq!(record.params.get("traffic.payload").unwrap(), 32);
    let refused = read(include_str!("../src/perf/samples/refused.json"), &over("nrf24-ip")).unwrap_err();
    assert!(matches!(&refused, LogError::Refused(why) if why.contains("Connection refused")), "{refused}");
    let half = read(&text[..text.len() / 2], &over("nrf24-ip")).unwrap_err();
    assert!(matches!(half, LogError::Json { line, .. } if line > 1), "{half}");
}

#[test]
fn a_version_of_no_letters_or_of_others_is_one() {
    let text = include_str!("../src/perf/samples/lossy.json");
    let version = text.lines().find(|line| line.contains("\"version\"")).unwrap();
    let note = only(text, &over("nrf24-ip")).note.unwrap();
    let bare = note.strip_suffix(" Iperf 3.12.").unwrap();
    for (other, said) in [("", ""), ("ñ3", " Ñ3.")] {
        let changed = text.replace(version, &format!("\"version\": \"{other}\","));
        assert_eq!(only(&changed, &over("nrf24-ip")).note.unwrap(), format!("{bare}{said}"));
    }
    // A file that an editor of Windows has saved begins with a mark.
    assert_eq!(only(&format!("\u{feff}{text}"), &over("nrf24-ip")), only(text, &over("nrf24-ip")));
    let mac = include_str!("logs/nrf-tests-mac.txt");
    assert_eq!(only(&format!("\u{feff}{mac}"), &options()), only(mac, &options()));
}

#[test]
fn counts_that_no_link_has_are_refused_with_their_line() {
    let zperf = format!(
        "zperf udp upload\nPacket size:\t1024 bytes\nDuration: 1 s | Packets: {} | Errors: 0 | Rate: 1 Mbps\n",
        u64::MAX
    );
    let error = read(&zperf, &over("wifi-hosted")).unwrap_err();
    assert!(matches!(error, LogError::Figure { line: 3 }), "{error}");
    let digits = "9".repeat(400);
    let endless = format!("Connecting to host a\n[  5]   0.00-1.00   sec  1 MBytes  {digits} Mbits/sec\n");
    assert!(matches!(read(&endless, &over("wifi-hosted")), Err(LogError::Figure { line: 2 })));
    // What stands before an interval may be any character.
    assert!(matches!(read("é5-6 sec  1 MBytes  8 Mbits/sec\n", &over("wifi-hosted")), Err(LogError::End { line: 1 })));
    let idle = r#"{"schema":"airtime/hw-sink/1","udp":[],"tcp":[]}"#;
    assert!(matches!(read(idle, &over("wifi-hosted")), Err(LogError::Empty)));
}

#[test]
fn a_server_of_iperf3_counts_its_own_end() {
    // Forms of esnet/iperf, issue 476: a server is not told what the other end has counted.
    let head = "Accepted connection from 10.0.0.2, port 50010\n[  5] local 10.0.0.1 port 5201 connected to 10.0.0.2 port 50012\n";
    let takes = format!(
        "{head}[ ID] Interval           Transfer     Bandwidth
[  5]   0.00-1.00   sec  1.00 MBytes  8.39 Mbits/sec
[  5]   1.00-2.00   sec  1.00 MBytes  8.40 Mbits/sec
[  5]   2.00-2.00   sec  0.00 Bytes  0.00 bits/sec
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID] Interval           Transfer     Bandwidth
[  5]   0.00-2.00   sec  0.00 Bytes  0.00 Kbits/sec                  sender
[  5]   0.00-2.00   sec  2.00 MBytes  8.39 Mbits/sec                  receiver
"
    );
    let record = only(&takes, &over("wifi-hosted"));
    assert_eq!((record.goodput_kbps.median, record.accepted_kbps), (8_400.0, None));
    assert_eq!(record.series_kbps, [8_390.0, 8_400.0]);
    let sends = format!(
        "{head}[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec  1.00 MBytes  8.39 Mbits/sec    0   51.0 KBytes
[  5]   1.00-2.00   sec  1.00 MBytes  8.40 Mbits/sec    3   51.0 KBytes
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-2.04   sec  2.00 MBytes  8.20 Mbits/sec    3             sender
[  5]   0.00-2.04   sec  0.00 Bytes  0.00 bits/sec                  receiver
"
    );
    let record = only(&sends, &over("wifi-hosted"));
    assert_eq!(
        (record.goodput_kbps.runs, record.accepted_kbps),
        (0, Some(8_400.0)),
        "what it has sent, of which who knows"
    );
    // A client is told what the other end has counted, and nothing is what arrived.
    let lost = takes.replace("Accepted connection from 10.0.0.2, port 50010", "Connecting to host 10.0.0.1, port 5201");
    let lost =
        lost.replace("2.00 MBytes  8.39 Mbits/sec                  receiver", "0.00 Bytes  0.00 bits/sec  receiver");
    let record = only(&lost, &over("wifi-hosted"));
    assert_eq!((record.goodput_kbps, record.accepted_kbps), (Goodput::of(&[0.0]), Some(8_400.0)));
}

#[test]
fn terms_that_change_on_the_way_predict_nothing() {
    let verdict = |lines: &[&str]| only(&lines.join("\n"), &over("ble-gatt")).verdict.unwrap();
    let (interval, length) = (
        "Conn. interval is 40 units (50 ms)",
        "LE data len updated: TX (len: 251 time: 2120) RX (len: 251 time: 2120)",
    );
    let (phy, one) = ("LE PHY updated: TX PHY LE 2M, RX PHY LE 2M", "LE PHY updated: TX PHY LE 1M, RX PHY LE 1M");
    let second = "write_cmd_cb: count= 160, len= 39040, rate= 312320 bps.";
    let agreed = [interval, length, phy];
    assert_eq!(verdict(&[&agreed[..], &[second, second, second]].concat()), Verdict::Predicted);
    // Told again, or changed before what counts, or behind it.
    assert_eq!(verdict(&[&agreed[..], &[second, second, phy, second]].concat()), Verdict::Predicted);
    assert_eq!(verdict(&[&[one], &agreed[..], &[second, second]].concat()), Verdict::Predicted);
    let idle = [&agreed[..], &[second, second, "Conn. interval is 800 units (1000 ms)"]].concat();
    assert_eq!(verdict(&idle), Verdict::Predicted);
    assert_eq!(param(&only(&idle.join("\n"), &options()), "ble.conn_interval"), Some("50ms"), "what the figures had");
    for (changed, words) in [
        (one, "the PHY changed while it was measured"),
        ("Conn. interval is 24 units (30 ms)", "the connection interval changed while it was measured"),
        (
            "LE data len updated: TX (len: 27 time: 328) RX (len: 27 time: 328)",
            "the data length changed while it was measured",
        ),
    ] {
        let lines = [&agreed[..], &[second, second, changed, second]].concat();
        assert_eq!(verdict(&lines), Verdict::NotPredicted(words.to_owned()));
    }
    let within_the_warm_up = [interval, length, one, second, phy, second, second];
    let long = Options { warmup: Duration::from_secs(2), ..over("ble-gatt") };
    assert_eq!(only(&within_the_warm_up.join("\n"), &long).verdict, Some(Verdict::Predicted));
}

#[test]
fn documents_of_our_own() {
    let sink = r#"{"schema":"airtime/hw-sink/1","airtime":"0","elapsed_ns":9,"refused":0,"tcp":[],"udp":[{"from":"10.0.0.7:5001",
        "bytes":350000,"arrivals":75,"first_ns":0,"last_ns":3500000000,"goodput_kbps":800.0,"series_kbps":[640.0,840.0,860.0,460.0],
        "closed":false,"loss":null}]}"#;
    let record = only(sink, &over("wifi-hosted"));
    assert_eq!(
        (record.series_kbps.len(), record.goodput_kbps.median),
        (3, 850.0),
        "the half second at the end is no second"
    );
    assert_eq!(record.label, "udp from 10.0.0.7:5001");

    let perf = r#"{"schema":"airtime/perf/1","runs":[{"name":"idle","load":"idle","seconds":5,"sent_kbps":0,"goodput_kbps":0,"payload_bytes":null},
        {"name":"200kbps-1","load":"udp","seconds":5,"sent_kbps":200.0,"goodput_kbps":184.6,"payload_bytes":32}]}"#;
    let record = only(perf, &over("nrf24-ip"));
    assert_eq!((record.goodput_kbps.median, record.accepted_kbps), (184.6, Some(200.0)));
}

/// The lines of `firmware/nrf54l15-coc/src/log.rs`, as `probe-rs run` prints them.
const OURS: &str = "INFO  airtime peripheral of plan coc-nrf, point 0
INFO  conn 0 connected, interval 15000 us
INFO  conn 0 data length out 251 in 251
INFO  conn 0 PHY out Le2M
INFO  conn 0 channel 0x0040 open, peer's MTU 2048 MPS 247
INFO  link 0 second 0: 900.0 kbps delivered
INFO  link 0 second 1: 1180.4 kbps delivered
INFO  link 1 second 0: 640.1 kbps delivered
INFO  link 0 RESULT goodput_kbps 1181.2 delivered_bytes 1476480 sdus 3000 lost 0 duplicated 0 reordered 0
INFO  link 1 RESULT goodput_kbps 650.2 delivered_bytes 812000 sdus 1650 lost 0 duplicated 0 reordered 0
";

#[test]
fn lines_of_our_firmware_and_of_the_published_one() {
    let records = read(OURS, &options()).unwrap();
    let figures: Vec<_> = records.iter().map(|record| (record.label.as_str(), record.goodput_kbps.median)).collect();
    assert_eq!(figures, [("link 0", 1181.2), ("link 1", 650.2)]);
    assert_eq!(records[0].series_kbps, [900.0, 1180.4]);
    assert_eq!(param(&records[0], "ble.conn_interval"), Some("15ms"));
    assert_eq!(records[0].negotiated.as_ref().unwrap().mps, Some(247));

    let board = include_str!("logs/nrf-tests-board.txt");
    let longer = format!("{board}TX: 194500 bytes total, 532 kbps\nTX: 260800 bytes total, 530 kbps\n");
    let record = only(&longer, &options());
    assert_eq!((record.link.as_str(), record.accepted_kbps), ("ble-coc", Some(531.0)));
    assert_eq!(param(&record, "ble.direction"), Some("p2c"));
    assert_eq!(record.params.get("coc.mps").unwrap(), 1251);
    let mac = only(include_str!("logs/nrf-tests-mac.txt"), &options());
    assert_eq!(Some(mac.goodput_kbps.median), Some(850.0), "a single second is all there is");
}

#[test]
fn an_image_of_ours_that_streams_values_names_their_mtu() {
    let channel = "channel 0x0040 open, peer's MTU 2048 MPS 247";
    assert!(OURS.contains(channel));
    let records = read(&OURS.replace(channel, "ATT MTU 247, values of at most 244"), &options()).unwrap();
    assert_eq!(records.iter().map(|record| record.link.as_str()).collect::<Vec<_>>(), ["ble-gatt"; 2]);
    let terms = records[1].negotiated.as_ref().unwrap();
    assert_eq!((terms.conn_interval.as_str(), terms.mps), ("15ms", None));
}

#[test]
fn the_application_for_zephyr_writes_the_same_words() {
    let record = only(include_str!("logs/zephyr-coc.txt"), &options());
    assert_eq!((record.link.as_str(), record.label.as_str()), ("ble-coc", "link 0"));
    assert_eq!((record.goodput_kbps.median, record.delivered_bytes), (1312.0, 10_003_836));
    assert_eq!(record.series_kbps.len(), 60);
    assert!(record.series_kbps.iter().all(|kbps| (1306.0..1315.0).contains(kbps)), "colours end no figure");
    let terms = record.negotiated.as_ref().unwrap();
    assert_eq!(
        (terms.conn_interval.as_str(), terms.phy.as_str(), terms.dle.p2c, terms.mps),
        ("15ms", "2M", 251, Some(247))
    );
    assert_eq!(record.environment.unwrap().firmware.as_deref(), Some("airtime Central, plan bench"));
}

#[test]
fn a_host_of_a_co_processor_has_datagrams_and_a_stream() {
    let records = read(include_str!("logs/esp32p4-host.txt"), &options()).unwrap();
    let [datagrams, stream] = records.as_slice() else { panic!("{} records", records.len()) };
    for (record, kind) in [(datagrams, "udp"), (stream, "tcp")] {
        assert_eq!((record.link.as_str(), record.label.as_str()), ("wifi-hosted", kind));
        assert_eq!(param(record, "traffic.kind"), Some(kind));
        assert_eq!(record.environment.as_ref().unwrap().firmware.as_deref(), Some("airtime host, plan report"));
        // The first of three seconds is the warm-up; what arrived is the far end's to say.
        assert_eq!((record.series_kbps.len(), record.delivered_bytes), (3, 0));
        assert_eq!(record.goodput_kbps, Goodput::default());
        let steady = (record.series_kbps[1] + record.series_kbps[2]) / 2.0;
        assert!(
            record.accepted_kbps.is_some_and(|kbps| (kbps - steady).abs() < 0.1),
            "{kind}: {:?}",
            record.accepted_kbps
        );
    }
    let payload = |record: &Record| record.params.get("traffic.payload").and_then(|value| value.as_u64());
    assert_eq!((payload(datagrams), payload(stream)), (Some(1_400), None));
    assert_eq!(datagrams.series_kbps, [5_006.4, 4_995.2, 5_006.4]);
}

#[test]
fn a_damaged_log_says_the_line() {
    for (text, line, cut) in [
        (include_str!("logs/ncs-throughput.txt"), 11, "612684 bytes (598 KB) in 3890"),
        (include_str!("logs/zephyr-72090.txt"), 5, "312329 bps"),
        (include_str!("logs/zperf-72403.txt"), 9, "| Errors"),
        (include_str!("logs/esp-idf-10870.txt"), 8, "Mbits/sec"),
        (include_str!("logs/nrf-tests-board.txt"), 6, "kbps"),
        (include_str!("logs/nrf-tests-mac.txt"), 5, "bytes in"),
        (OURS, 7, "kbps delivered"),
        (include_str!("logs/esp32p4-host.txt"), 6, "kbps accepted"),
    ] {
        let damaged: Vec<String> = text
            .lines()
            .enumerate()
            .map(|(index, text)| if index + 1 == line { text.replace(cut, "~\u{fffd}") } else { text.to_owned() })
            .collect();
        let error = read(&damaged.join("\n"), &over("ble-gatt")).unwrap_err();
        assert!(matches!(error, LogError::Damaged { line: found, .. } if found == line), "{line}: {error}");
    }
}

#[test]
fn what_a_log_does_not_say_is_asked_for() {
    let esp = include_str!("logs/esp-idf-10870.txt");
    assert!(matches!(read(esp, &options()), Err(LogError::Link)));
    let nuttx = read(include_str!("logs/nuttx-19423.txt"), &over("wifi-hosted"));
    assert!(matches!(nuttx, Err(LogError::End { line: 1 })));
    let long = Options { warmup: Duration::from_secs(30), ..over("wifi-hosted") };
    assert!(matches!(read(esp, &long), Err(LogError::Short { line: 6, .. })));
    let parallel = "Connecting to host a\n[  5]   0.00-1.00   sec  1 MBytes  8 Mbits/sec\n[  7]   0.00-1.00   sec  1 MBytes  8 Mbits/sec\n";
    assert!(matches!(read(parallel, &over("wifi-hosted")), Err(LogError::Streams { line: 3, .. })));
    let sum = format!("{parallel}[SUM]   0.00-1.00   sec  2 MBytes  16 Mbits/sec\n");
    assert_eq!(only(&sum, &over("wifi-hosted")).accepted_kbps, Some(16_000.0));
    assert!(matches!(read("hello\nworld\n", &options()), Err(LogError::Unknown)));
}

#[test]
fn rows_are_read_back_by_a_plan() {
    let mut plan = "name = \"mine\"\nsource = \"my desk\"\nlink = \"ble-gatt\"\n".to_owned();
    for (id, text) in
        [("ncs", include_str!("logs/ncs-throughput.txt")), ("zephyr", include_str!("logs/zephyr-72090.txt"))]
    {
        let mut options = options();
        options.source = "a \"quoted\" name\\".to_owned();
        options.environment.board = Some("nrf52840dk".to_owned());
        plan.push_str(&row(&only(text, &options), id).unwrap());
    }
    let plan = Plan::parse("mine.toml", &plan, &Library::builtin(), &[]).unwrap();
    let points = plan.points();
    let rows: Vec<_> = points.iter().map(|point| point.row.as_ref().unwrap()).collect();
    assert_eq!(Some(rows[0].measured.as_ref().unwrap().value), Some(1395.6));
    assert_eq!(rows[0].source, "a \"quoted\" name\\");
    assert!(rows[0].note.as_deref().unwrap().ends_with("Real radio: board nrf52840dk."));
    assert!(matches!(&rows[1].verdict, Some(Verdict::NotPredicted(_))), "neither PHY nor data length is told");
}
