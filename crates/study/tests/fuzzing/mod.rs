//! Byte strings read as logs: what the fuzz target `log` runs, and what the ordinary tests run with random strings and with the corpus in
//! `fuzz/corpus/log`.
//!
//! Most of a string is plausible, lines of the programs that are known with numbers in their places, so that figures come to records; the
//! rest is anything.

use airtime_core::Duration;
use airtime_study::log::{CountingEnd, Options, read, row};
use airtime_testing::Script;

/// Strings longer than this add time and no new states.
const OCTETS_MAX: usize = 1024;

/// Lines of programs; a number takes the place of each `#`.
const LINES: [&str; 30] = [
    "le_param_updated: int 0x# lat 0 to 42",
    "write_cmd_cb: count= #, len= #, rate= # bps.",
    "LE PHY Updated: F4:81:FA:23:32:D0 (random) Tx 0x#, Rx 0x#",
    "*** Booting Zephyr OS build # ***",
    "==== Starting throughput test ====",
    "Conn. interval is # units",
    "LE PHY updated: TX PHY LE 2M, RX PHY LE #",
    "LE data len updated: TX (len: # time: #) RX (len: # time: #)",
    "[local] sent # bytes (# KB) in # ms at # kbps",
    "[peer] received # bytes (# KB) in # GATT writes at # bps",
    "uart:~$ zperf udp upload #",
    "Packet size:\t# bytes",
    "Duration: # s | Packets: # | Errors: # | Rate: # Mbps",
    "Connecting to host #",
    "Accepted connection from #",
    "Reverse mode, remote host # is sending",
    "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd",
    "[  5]   #-#   sec  # MBytes  # Mbits/sec    0    # KBytes",
    "[SUM]   #-#   sec  # Bytes  # bits/sec  receiver",
    "[  #]   #-#   sec  # KBytes  # Gbits/sec  # sender",
    "INFO  airtime peripheral of plan #, point 0",
    "INFO  conn 0 connected, interval # us",
    "INFO  conn # data length out # in #",
    "INFO  conn 0 channel 0x0040 open, peer's MTU # MPS #",
    "INFO  link # second #: # kbps delivered",
    "INFO  link # RESULT goodput_kbps # delivered_bytes # sdus # lost # duplicated 0",
    "L2CAP channel connected: tx.mtu=# tx.mps=#",
    "Data Length Updated: TX len=# RX len=#",
    "TX: # bytes total, # kbps",
    "RX: # kbps (avg: # kbps) | # bytes in #s",
];

/// Documents of programs.
const DOCUMENTS: [&str; 4] = [
    "{\"start\":{\"version\":\"#\",\"connecting_to\":{},\"test_start\":{\"protocol\":\"UDP\",\"blksize\":#,\"omit\":#,\"reverse\":#}},\
     \"intervals\":[{\"sum\":{\"bytes\":#,\"seconds\":#}},{\"sum\":{\"bytes\":#,\"seconds\":#}}],\
     \"end\":{\"sum_sent\":{\"bytes\":#,\"seconds\":#},\"sum_received\":{\"bytes\":#,\"seconds\":#}}}",
    "{\"start\":{\"version\":\"#\",\"test_start\":{\"protocol\":\"TCP\",\"blksize\":#}},\"intervals\":[],\"end\":{\"sum_sent\":{\"bytes\":#,\"seconds\":#}}}",
    "{\"schema\":\"airtime/hw-sink/1\",\"tcp\":[],\"udp\":[{\"from\":\"#\",\"bytes\":#,\"first_ns\":#,\"last_ns\":#,\"goodput_kbps\":#,\"series_kbps\":[#,#,#]}]}",
    "{\"schema\":\"airtime/perf/1\",\"runs\":[{\"name\":\"#\",\"load\":\"udp\",\"seconds\":#,\"sent_kbps\":#,\"goodput_kbps\":#,\"payload_bytes\":#}]}",
];

/// Reads `bytes` as a log, makes records and rows of it, and checks what holds for any.
pub fn log(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let how = script.octet();
    let options = Options {
        link: [None, Some("ble-coc"), Some("ble-gatt"), Some("wifi-hosted")][usize::from(how & 3)].map(str::to_owned),
        end: [None, Some(CountingEnd::Sender), Some(CountingEnd::Receiver), None][usize::from(how >> 2 & 3)],
        warmup: Duration::from_secs(u64::from(how >> 4 & 1)),
        ..Options::default()
    };
    let text = if how & 0xe0 == 0xe0 { document(&mut script) } else { lines(&mut script) };
    let Ok(records) = read(&text, &options) else { return };
    assert!(!records.is_empty());
    for record in records {
        let figures = [record.goodput_kbps.median, record.accepted_kbps.unwrap_or(0.0)];
        for figure in figures.iter().chain(&record.series_kbps) {
            assert!(figure.is_finite() && *figure >= 0.0, "{text}: {record:?}");
        }
        assert!(record.measured.is_none() || row(&record, "row").is_some());
        assert!(record.verdict.is_some() && record.note.is_some());
    }
}

fn lines(script: &mut Script<'_>) -> String {
    let mut text = String::new();
    while !script.is_over() {
        match LINES.get(usize::from(script.octet() & 0x1f)) {
            Some(line) => text.push_str(&filled(line, script)),
            None => text.push_str(&String::from_utf8_lossy(script.packet())),
        }
        text.push('\n');
    }
    text
}

fn document(script: &mut Script<'_>) -> String {
    let which = script.octet();
    match DOCUMENTS.get(usize::from(which & 7)) {
        Some(document) => filled(document, script),
        None => format!("\u{feff}{{{}", String::from_utf8_lossy(script.packet())),
    }
}

/// `form` with numbers, or what is none, in their places.
fn filled(form: &str, script: &mut Script<'_>) -> String {
    let mut text = String::new();
    for (index, piece) in form.split('#').enumerate() {
        if index > 0 {
            text.push_str(&number(script));
        }
        text.push_str(piece);
    }
    text
}

fn number(script: &mut Script<'_>) -> String {
    let octet = script.octet();
    match octet {
        0xe0..=0xe7 => "1".repeat(1 << (octet & 7)),
        0xe8..=0xeb => u64::MAX.to_string(),
        0xec => "0.000001".to_owned(),
        0xed => ".".to_owned(),
        0xee => "1e308".to_owned(),
        0xef => "é".to_owned(),
        0xf0..=0xf7 => String::from_utf8_lossy(script.packet()).into_owned(),
        0xf8..=0xff => script.word().to_string(),
        0xc0..=0xdf => format!("{}.{:02}", octet & 0x1f, script.octet() % 100),
        _ => octet.to_string(),
    }
}
