//! The published vectors, `docs/rpc-vectors.json`: made here with `AIRTIME_BLESS=1`, and checked here otherwise.

use std::path::PathBuf;

use airtime_rpc::extended::{Limits, Record, Records, VERSION, Writer};
use airtime_rpc::{CallId, Kind};
use serde_json::{Value, json};

use super::support::{Pair, Talk, frame, text};

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/rpc-vectors.json")
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn octets(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("text");
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal")).collect()
}

#[test]
fn the_published_vectors_are_what_is_implemented() {
    let made = json!({
        "protocol": "airtime extended mode, docs/rpc-protocol.md",
        "version": VERSION,
        "records": records(),
        "frames": frames(),
        "refused_frames": refused(),
        "key_exchange": {
            "client_ephemeral": hex(&std::array::from_fn::<u8, 32, _>(|at| at as u8)),
            "server_ephemeral": hex(&std::array::from_fn::<u8, 32, _>(|at| 0x20 + at as u8)),
            "session_key": "59188316c47d2d7b25253662fa227f3b",
        },
        "open": conversation(Pair::ready()),
        "sealed": conversation(Pair::sealed()),
        "limits_first": greeting(),
        "crc32": { "ascii": "123456789", "value": "cbf43926" },
    });
    let made = format!("{}\n", serde_json::to_string_pretty(&made).expect("JSON"));
    if std::env::var_os("AIRTIME_BLESS").is_some() {
        std::fs::write(path(), &made).expect("docs can be written");
    }
    let published = std::fs::read_to_string(path()).expect("docs/rpc-vectors.json is there");
    assert!(published == made, "docs/rpc-vectors.json differs: AIRTIME_BLESS=1 writes it anew");
}

/// What the file says of records is what its octets are: it is read here as somebody else would.
#[test]
fn the_published_records_read_as_they_say() {
    let published = std::fs::read_to_string(path()).expect("docs/rpc-vectors.json is there");
    let published: Value = serde_json::from_str(&published).expect("JSON");
    let all = published["records"].as_array().expect("a list");
    assert!(all.len() > 8);
    for vector in all {
        let octets = octets(&vector["octets"]);
        let mut records = Records::new_checked(&octets).expect("whole");
        let record = records.next().expect("one");
        assert_eq!(describe(&record), vector["record"], "{vector}");
        assert!(records.next().is_none());
    }
    for vector in published["frames"].as_array().expect("a list") {
        let whole = octets(&vector["frame"]);
        let head = u16::from_le_bytes([whole[0], whole[1]]);
        assert_eq!(u64::from(head % 4096), vector["number"].as_u64().expect("a number") % 4096);
        assert_eq!(usize::from(head / 4096), whole.len() % 15);
        assert_eq!(hex(&whole[2..]), vector["records"].as_str().expect("text"));
    }
}

#[test]
fn the_published_refused_frames_are_refused() {
    let published = std::fs::read_to_string(path()).expect("docs/rpc-vectors.json is there");
    let published: Value = serde_json::from_str(&published).expect("JSON");
    let mut pair = Pair::ready();
    pair.start("slow", Kind::Unary, Talk::of([super::support::request(1, 0)]));
    pair.settle();
    for vector in published["refused_frames"].as_array().expect("a list") {
        pair.server.receive(pair.now, &octets(&vector["frame"]), &mut [], &mut pair.works);
    }
    let faults = pair.server.faults();
    assert_eq!((faults.malformed, faults.old), (3, 2));
    assert_eq!(faults.missed + faults.stale + faults.misplaced, 0);
    assert_eq!(pair.works.standing.len(), 1);
}

fn describe(record: &Record<'_>) -> Value {
    match *record {
        Record::Open { call, window, deadline_ms, name } => {
            json!({ "kind": "OPEN", "call": call.0, "window": window, "deadline_ms": deadline_ms, "name": name })
        }
        Record::Data { call, end_of_message, end_of_stream, octets } => json!({
            "kind": "DATA", "call": call.0, "end_of_message": end_of_message, "end_of_stream": end_of_stream,
            "octets": hex(octets),
        }),
        Record::Credit { call, limit } => json!({ "kind": "CREDIT", "call": call.0, "limit": limit }),
        Record::Status { call, code } => json!({ "kind": "STATUS", "call": call.0, "code": code }),
        Record::Cancel { call } => json!({ "kind": "CANCEL", "call": call.0 }),
        Record::Limits(Limits { version, calls, window }) => {
            json!({ "kind": "LIMITS", "version": version, "calls": calls, "window": window })
        }
        Record::Lost { first } => json!({ "kind": "LOST", "first": first }),
        Record::Unknown { kind } => json!({ "kind": kind }),
        Record::Malformed { kind, call } => json!({ "malformed": kind, "call": call.0 }),
        _ => panic!("a record without a vector"),
    }
}

/// Records on their own: each to the end of its frame, and with a length where another follows.
fn records() -> Value {
    let call = CallId(0x0102);
    let long = text(1, 300);
    let limits = Limits { version: VERSION, calls: 8, window: 512 };
    let writes: [&dyn Fn(&mut Writer<'_>) -> bool; 9] = [
        &|writer| writer.open(call, 16_384, 2000, "echo"),
        &|writer| writer.open(CallId(u16::MAX), 0x7fff_ffff, 0, "sixteen_letters_"),
        &|writer| writer.data(call, true, true, b"hello"),
        &|writer| writer.data(call, false, false, b"part"),
        &|writer| writer.data(call, false, true, b""),
        &|writer| writer.credit(call, 0x0102_0304),
        &|writer| writer.status(call, 3),
        &|writer| writer.cancel(call),
        &|writer| writer.limits(limits),
    ];
    let mut vectors: Vec<Value> = writes.iter().map(|write| vector(&written(64, |writer| write(writer)))).collect();
    vectors.push(vector(&written(64, |writer| writer.lost(9))));
    // With lengths of one octet and of two.
    for octets in [&b"hello"[..], &long] {
        let pair = written(400, |writer| writer.data(call, true, false, octets) && writer.cancel(call));
        vectors.push(vector(&pair[..pair.len() - 3]));
    }
    // Octets by hand: what a receiver passes over, and what it counts as making no sense.
    vectors.push(vector(&[0xf1, 9, 9, 1, 2]));
    vectors.push(vector(&[0x11, 1, 0, 0, 0, 0, 0, 0, 0, 0]));
    vectors.push(vector(&[0x31, 1, 0, 1, 2, 3]));
    Value::from(vectors)
}

fn vector(octets: &[u8]) -> Value {
    let record = Records::new_checked(octets).expect("whole").next().expect("one");
    json!({ "record": describe(&record), "octets": hex(octets) })
}

fn written(room: usize, write: impl FnOnce(&mut Writer<'_>) -> bool) -> Vec<u8> {
    let mut octets = vec![0; room];
    let mut writer = Writer::new(&mut octets);
    assert!(write(&mut writer));
    let length = writer.finish();
    octets.truncate(length);
    octets
}

fn frames() -> Value {
    let records = written(64, |writer| writer.cancel(CallId(7)));
    let of = |number: u32| json!({ "number": number, "records": hex(&records), "frame": hex(&frame((number % 4096) as u16, &records)) });
    Value::from([0, 1, 4095, 4096, 70_000].map(of).to_vec())
}

/// Frames that a server which expects number 1 drops, and why.
fn refused() -> Value {
    let whole = frame(1, &written(64, |writer| writer.status(CallId(7), 3)));
    let beyond = frame(1, &[0x40, 7, 0, 2, 3]);
    json!([
        { "frame": hex(&whole[..1]), "why": "shorter than its head" },
        { "frame": hex(&whole[..whole.len() - 1]), "why": "its length is not that of the check" },
        { "frame": hex(&beyond), "why": "a record reaches beyond it" },
        { "frame": hex(&frame(0, &[0x51, 7, 0])), "why": "its number has come" },
        { "frame": hex(&frame(4095, &[0x51, 7, 0])), "why": "its number is behind the one expected" },
    ])
}

fn greeting() -> Value {
    let mut server = airtime_rpc::extended::Server::new(244, 16_384, None);
    let mut into = [0; 244];
    let works = &mut super::support::Works::default();
    let length = server.transmit(airtime_core::Instant::ZERO, &mut into, works).expect("the first frame");
    Value::from(hex(&into[..length]))
}

/// Calls of each kind, frame by frame. The server's first frame has been sent.
fn conversation(mut pair: Pair) -> Value {
    pair.start("echo", Kind::Unary, Talk::of([b"hello".to_vec()]));
    pair.start("none", Kind::Unary, Talk::of([b"x".to_vec()]));
    let mut log = Vec::new();
    exchange(&mut pair, &mut log);
    pair.start("count", Kind::ServerStream, Talk::of([super::support::request(5, 3)]));
    pair.start("sum", Kind::ClientStream, Talk::of([b"ab".to_vec(), b"c".to_vec()]));
    pair.start("chat", Kind::Bidirectional, Talk::of([b"one".to_vec(), Vec::new()]));
    exchange(&mut pair, &mut log);
    let slow = pair.start("slow", Kind::Unary, Talk::of([super::support::request(6, 0)]));
    exchange(&mut pair, &mut log);
    pair.client.cancel(pair.now, slow, &mut pair.person);
    exchange(&mut pair, &mut log);
    Value::from(log)
}

fn exchange(pair: &mut Pair, log: &mut Vec<Value>) {
    loop {
        pair.client_sends();
        log.extend(pair.to_server.iter().map(|frame| json!({ "from": "client", "frame": hex(frame) })));
        pair.server_hears();
        pair.server_sends();
        log.extend(pair.to_client.iter().map(|frame| json!({ "from": "server", "frame": hex(frame) })));
        if pair.to_client.is_empty() {
            return;
        }
        pair.client_hears();
    }
}

/// The sealed conversation is the open one under the published key, as another implementation of the cipher has it.
#[test]
fn the_published_sealed_frames_open_with_the_published_key() {
    use aes_gcm::aead::{Aead, KeyInit};

    let published = std::fs::read_to_string(path()).expect("docs/rpc-vectors.json is there");
    let published: Value = serde_json::from_str(&published).expect("JSON");
    let key = octets(&published["key_exchange"]["session_key"]);
    let cipher = aes_gcm::Aes128Gcm::new_from_slice(&key).expect("sixteen octets");
    let (open, sealed) =
        (published["open"].as_array().expect("a list"), published["sealed"].as_array().expect("a list"));
    assert_eq!(open.len(), sealed.len());
    for (open, sealed) in open.iter().zip(sealed) {
        let frame = octets(&sealed["frame"]);
        let (counter, sealed_records) = frame.split_at(4);
        let direction = if sealed["from"] == "client" { 2 } else { 3 };
        let nonce = [counter, &[direction], &[0; 7]].concat();
        let records = cipher.decrypt(nonce[..].into(), sealed_records).expect("genuine");
        assert_eq!(hex(&records), open["frame"].as_str().expect("text")[4..]);
        assert_eq!(sealed["from"], open["from"]);
    }
}
