//! Captures as other programs write them: what a run's own captures say in each of their formats.

use std::fs;
use std::path::{Path, PathBuf};

use airtime_ble::air::Phy;
use airtime_ble::capture::{Frame, Kind};
use airtime_capture::btsnoop::Records;
use airtime_capture::pcapng::{Packets, Writer};
use serde_json::Value;
use tempfile::TempDir;

use super::program::{airtime, airtime_with, json, text};

/// A folder with five seconds of a plan, as every kind of file.
fn traced(plan: &str, set: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let set: Vec<&str> = ["run.duration=5s"].iter().chain(set).copied().collect();
    let [air, host] = ["x.pcapng", "x.btsnoop"].map(|name| folder.path().join(name));
    json(&airtime_with(&["trace", plan, "-o", text(&air), "-o", text(&host), "--json"], &set));
    folder
}

fn read(path: &Path) -> Value {
    json(&airtime(&["trace", "read", text(path), "--json"]))
}

fn written(folder: &TempDir, name: &str, octets: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, octets).unwrap();
    path
}

/// Record of the run that was captured.
fn record(plan: &str, set: &[&str]) -> Value {
    let set: Vec<&str> = ["run.duration=5s"].iter().chain(set).copied().collect();
    json(&airtime_with(&["run", plan, "--json"], &set))["records"][0].take()
}

/// The HCI log of either host tells interval, MTU, data length, PHY and rate of the run.
#[test]
fn an_hci_log_tells_what_the_run_says() {
    let cases: [(&str, &[&str]); 4] = [
        ("gatt-notify", &[]),
        ("gatt-notify", &["ble.conn_interval=50ms", "ble.phy=1M", "gatt.mtu=185", "gatt.payload=182"]),
        ("coc-nrf", &[]),
        ("coc-nrf", &["ble.direction=c2p", "ble.encrypted=true"]),
    ];
    for (plan, set) in cases {
        let (folder, record) = (traced(plan, set), record(plan, set));
        let terms = &record["negotiated"];
        let up = set.contains(&"ble.direction=c2p");
        for (side, sends) in [("central", up), ("peripheral", !up)] {
            let log = read(&folder.path().join(format!("x.{side}.btsnoop")));
            let link = &log["links"][0];
            let case = format!("{plan} {set:?} {side}: {:#}", link["says"]);
            assert_eq!(log["links"].as_array().unwrap().len(), 1, "{case}");
            assert_eq!(link["role"], side, "{case}");
            // Nothing is reported of a PHY that stays.
            assert_eq!(link["phy"][0].as_str().unwrap_or("1M"), terms["phy"], "{case}");
            assert_eq!(
                link["intervals"].as_array().unwrap().last().unwrap()["interval"],
                terms["conn_interval"],
                "{case}"
            );
            let (c2p, p2c) = (&terms["dle"]["c2p"], &terms["dle"]["p2c"]);
            let (sent, received) = if side == "central" { (c2p, p2c) } else { (p2c, c2p) };
            // Without a change nothing is reported.
            if link["data_length"].is_object() {
                let lengths = &link["data_length"];
                assert_eq!((&lengths["sent_octets"], &lengths["received_octets"]), (sent, received), "{case}");
            }
            if plan == "gatt-notify" {
                let mtu = link["att_mtu"].as_array().unwrap().iter().map(|mtu| mtu.as_u64().unwrap()).min();
                assert_eq!(mtu, terms["mtu"].as_u64(), "{case}");
            } else {
                let channel = [&link["mtu"], &link["mps"], &link["credits"]];
                assert_eq!(channel, [&terms["mtu"], &terms["mps"], &terms["initial_credits"]], "{case}");
            }
            assert_eq!(link["encrypted"], terms["encrypted"], "{case}");
            let stream = if sends { &link["sent"] } else { &link["received"] };
            let (told, ran) =
                (stream["goodput_kbps"].as_f64().unwrap(), record["goodput_kbps"]["median"].as_f64().unwrap());
            assert!((told / ran - 1.0).abs() < 0.01, "{case}: {told} for {ran}");
        }
    }
}

/// A stack that sends one packet at a time, and one whose receiver gives one credit at a time, are told by what they wait for.
#[test]
fn an_hci_log_tells_what_a_stream_waits_for() {
    let most = |plan: &str, set: &[&str], side: &str, stream: &str| {
        let folder = traced(plan, set);
        let log = read(&folder.path().join(format!("x.{side}.btsnoop")));
        let waits = log["links"][0][stream]["waits"].as_array().unwrap().clone();
        let most = waits.iter().max_by_key(|wait| wait["ns"].as_u64()).unwrap();
        most["account"].as_str().unwrap().to_owned()
    };
    assert_eq!(most("gatt-notify", &[], "peripheral", "sent"), "controller.full");
    assert_eq!(most("gatt-notify", &["gatt.in_flight=1"], "peripheral", "sent"), "controller.some");
    assert_eq!(most("gatt-notify", &["gatt.pacing=sleep:100ms"], "peripheral", "sent"), "host");
    assert_eq!(most("one-credit", &[], "peripheral", "sent"), "credits");
    assert_eq!(most("gatt-notify", &[], "central", "received"), "unknown");
}

/// H4 with a direction, without one, and as the monitor and older writers have it.
#[test]
fn every_format_of_hci_says_the_same() {
    let folder = traced("coc-nrf", &["ble.direction=both"]);
    let snooped = folder.path().join("x.peripheral.btsnoop");
    let octets = fs::read(&snooped).unwrap();
    let records: Vec<_> = Records::new(&octets).unwrap().map(Result::unwrap).collect();
    let expected = read(&snooped);
    assert!(expected["links"][0]["sent"].is_object() && expected["links"][0]["received"].is_object());
    let opcode = |h4: &[u8], from_host: bool| match (h4[0], from_host) {
        (1, _) => 2_u16,
        (4, _) => 3,
        (_, true) => 4,
        (_, false) => 5,
    };
    for link_type in [187, 201, 254] {
        let mut writer = Writer::new(Vec::new(), "test");
        let interface = writer.interface(link_type, "hci", "");
        for record in &records {
            writer.packet(interface, record.unix_us as u64 * 1000, |out| match link_type {
                187 => out.extend_from_slice(record.packet),
                201 => {
                    out.extend_from_slice(&[0, 0, 0, u8::from(!record.from_host())]);
                    out.extend_from_slice(record.packet);
                }
                _ => {
                    out.extend_from_slice(&[0, 0]);
                    out.extend_from_slice(&opcode(record.packet, record.from_host()).to_be_bytes());
                    out.extend_from_slice(&record.packet[1..]);
                }
            });
        }
        let path = written(&folder, "other.pcapng", &writer.into_sink());
        assert_eq!(read(&path), expected, "link type {link_type}");
    }
    for data_link in [1001_u32, 2001] {
        let mut other = [b"btsnoop\0\0\0\0\x01", &data_link.to_be_bytes()[..]].concat();
        for record in &records {
            let packet = &record.packet[1..];
            let flags = match data_link {
                1001 => record.flags,
                _ => opcode(record.packet, record.from_host()).into(),
            };
            for field in [packet.len() as u32, packet.len() as u32, flags, 0] {
                other.extend_from_slice(&field.to_be_bytes());
            }
            other.extend_from_slice(&(0x00dc_ddb3_0f2f_8000 + record.unix_us).to_be_bytes());
            other.extend_from_slice(packet);
        }
        let path = written(&folder, "other.btsnoop", &other);
        assert_eq!(read(&path), expected, "data link {data_link}");
    }
}

/// A phone writes the beginning of each packet alone: the rest is counted by the lengths, and a cut end is named.
#[test]
fn packets_and_files_that_are_cut_are_read_as_far_as_they_go() {
    let folder = traced("gatt-notify", &[]);
    let snooped = folder.path().join("x.central.btsnoop");
    let octets = fs::read(&snooped).unwrap();
    let whole = read(&snooped);
    let mut filtered = octets[..16].to_vec();
    for record in Records::new(&octets).unwrap().map(Result::unwrap) {
        let kept = &record.packet[..record.packet.len().min(32)];
        for field in [record.packet.len() as u32, kept.len() as u32, record.flags, 0] {
            filtered.extend_from_slice(&field.to_be_bytes());
        }
        filtered.extend_from_slice(&(0x00dc_ddb3_0f2f_8000 + record.unix_us).to_be_bytes());
        filtered.extend_from_slice(kept);
    }
    let cut = read(&written(&folder, "cut.btsnoop", &filtered));
    assert_eq!(cut["links"][0]["received"], whole["links"][0]["received"]);
    assert!(cut["links"][0]["cut"].as_u64().unwrap() > 1000);
    let ended = written(&folder, "ended.btsnoop", &octets[..octets.len() - 5]);
    let output = airtime(&["trace", "read", text(&ended)]);
    let said = super::program::stderr(&output);
    assert!(output.status.success() && said.contains("the capture ends in the middle of a record: "), "{said}");
}

/// The air of a run as nRF Sniffer has it in each header version, and without a pseudo-header.
#[test]
fn every_format_of_the_air_says_the_same() {
    // Version 1 has an octet for the length.
    let short = traced("coc-nrf", &["ble.phy=1M", "ble.data_length=27"]);
    let folder = traced("coc-nrf", &["ble.phy=1M"]);
    for (folder, version) in [(&short, 1), (&folder, 2), (&folder, 3)] {
        let path = folder.path().join("x.pcapng");
        let octets = fs::read(&path).unwrap();
        let expected = read(&path);
        let found = read(&written(folder, "nordic.pcapng", &nordic(&octets, version)));
        let (link, same) = (&found["links"][0], &expected["links"][0]);
        for (name, value) in same.as_object().unwrap() {
            // Stamps of whole µs begin elsewhere by less than one.
            if !matches!(name.as_str(), "intervals" | "central" | "peripheral" | "says") {
                assert_eq!(&link[name], value, "version {version}: {name}");
            }
        }
        for name in ["intervals", "central", "peripheral"] {
            let (entries, expected) = (link[name].as_array().unwrap(), same[name].as_array().unwrap());
            assert_eq!(entries.len(), expected.len());
            for (entry, expected) in entries.iter().zip(expected) {
                for field in ["interval", "rule", "possible", "stops", "contradicted"] {
                    assert_eq!(entry[field], expected[field], "version {version}: {name}");
                }
            }
        }
    }
    let path = folder.path().join("x.pcapng");
    let (octets, expected) = (fs::read(&path).unwrap(), read(&path));
    let mut writer = Writer::new(Vec::new(), "test");
    let bare = writer.interface(251, "air", "");
    for packet in Packets::new(&octets).map(Result::unwrap) {
        writer.packet(bare, packet.unix_ns as u64, |out| out.extend_from_slice(&packet.data[10..]));
    }
    let found = read(&written(&folder, "bare.pcapng", &writer.into_sink()));
    let (link, same) = (&found["links"][0], &expected["links"][0]);
    for name in ["intervals", "longest", "missed_events", "from_start"] {
        assert_eq!(link[name], same[name], "{name}: {:#}", link["says"]);
    }
    for name in ["negotiated", "delivered_bytes", "steady_ledger_ns"] {
        assert_eq!(link["record"][name], same["record"][name], "{name}");
    }
}

/// A capture of the air as nRF Sniffer would have it: stamps of whole µs in the file that are 0 to 400 µs late, its own clock exact.
fn nordic(octets: &[u8], version: u8) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), "test");
    let interface = writer.interface(272, "nRF Sniffer", "");
    let (mut ended_us, mut first) = (0, None);
    for (number, packet) in Packets::new(octets).map(Result::unwrap).enumerate() {
        let frame = Frame::parse(packet.data).unwrap();
        assert_eq!(frame.phy, Phy::Le1M);
        let at_us = packet.unix_ns as u64 / 1000;
        first.get_or_insert(at_us);
        let (data, from_central) = match frame.kind {
            Kind::Data { from_central } => (true, from_central),
            _ => (false, false),
        };
        let time = if version == 3 { at_us as u32 } else { (at_us - ended_us.min(at_us)) as u32 };
        ended_us = at_us + frame.phy.packet(frame.air_octets() as u64).as_micros();
        let air = &packet.data[10..];
        let octets = (10 + air.len()) as u16;
        let [low, high] = octets.to_le_bytes();
        let late = (number as u64 * 97 % 400) * u64::from(first != Some(at_us));
        writer.packet(interface, (at_us + late) * 1000, |out| {
            out.push(1);
            out.extend_from_slice(&if version == 1 { [6, low] } else { [low, high] });
            out.push(version);
            out.extend_from_slice(&(number as u16).to_le_bytes());
            out.push(if version == 3 && !data { 2 } else { 6 });
            let flags = u8::from(frame.crc_valid == Some(true)) | u8::from(from_central) << 1;
            out.extend_from_slice(&[10, flags, frame.channel, 40, 0, 0]);
            out.extend_from_slice(&time.to_le_bytes());
            out.extend_from_slice(air);
        });
    }
    writer.into_sink()
}

/// Of a sniffer that loses a tenth of its messages the counter says how many; the books say what they infer, and nothing of it is loss
/// on the air.
#[test]
fn messages_that_a_sniffer_lost_are_counted() {
    let folder = traced("coc-nrf", &["ble.phy=1M"]);
    let whole = nordic(&fs::read(folder.path().join("x.pcapng")).unwrap(), 3);
    let mut writer = Writer::new(Vec::new(), "test");
    let interface = writer.interface(272, "nRF Sniffer", "");
    let (mut lost, mut all) = (0, 0);
    for packet in Packets::new(&whole).map(Result::unwrap) {
        all += 1;
        if all > 200 && all % 10 == 3 {
            lost += 1;
        } else {
            writer.packet(interface, packet.unix_ns as u64, |out| out.extend_from_slice(packet.data));
        }
    }
    let path = written(&folder, "lost.pcapng", &writer.into_sink());
    let output = airtime(&["trace", "read", text(&path)]);
    let said = String::from_utf8(output.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(&format!("; {lost} messages of the sniffer are not in the file")), "{said} {lost}");
    let (found, expected) = (read(&path), read(&folder.path().join("x.pcapng")));
    let inferred = found["links"][0]["record"]["counters"]["pdus.inferred"].as_u64().unwrap();
    assert!(inferred * 10 > lost * 9, "{inferred} of {lost}");
    let octets = |value: &Value| value["links"][0]["record"]["delivered_bytes"].as_f64().unwrap();
    assert!((octets(&found) / octets(&expected) - 1.0).abs() < 0.01, "{} {}", octets(&found), octets(&expected));
    assert_eq!(found["links"][0]["record"]["steady_ledger_ns"]["loss"], 0);
}
