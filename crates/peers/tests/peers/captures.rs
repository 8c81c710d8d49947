//! What other programs read in our captures.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use tempfile::TempDir;

use crate::command::output;
use crate::peer::{Peer, beside, python};
use crate::program::airtime;

/// A run short enough for readers in Python: a quarter of a second behind the warm-up.
const SHORT: [&str; 2] = ["run.duration=2250ms", "coc.sdu=495"];
/// Direction of a PDU in the pseudo-header: peripheral to central.
const P2C: &str = "3";

/// Peers of a test of tshark on our captures.
const TSHARK: &[Peer] = &[Peer::Airtime, Peer::Tshark];

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![
        beside("tshark dissects the air on 2M", TSHARK, || tshark_reads_air("2M", "1", &[])),
        beside("tshark dissects the air on 1M, encrypted", TSHARK, || {
            tshark_reads_air("1M", "0", &["ble.encrypted=true"])
        }),
        beside("tshark dissects the air on LE Coded", TSHARK, || tshark_reads_air("S2", "2", &[])),
        beside("tshark finds the same wrong CRCs as we wrote", TSHARK, tshark_finds_wrong_crcs),
        beside("tshark reads the HCI of both hosts", TSHARK, tshark_reads_hci),
        beside("scapy reads the air and writes the same bytes", &[Peer::Airtime, Peer::Scapy], scapy_reads_air),
        beside("Perfetto's definitions decode the time line", &[Peer::Airtime, Peer::Perfetto], perfetto_decodes),
    ]
}

/// Captures the plan `coc-nrf` with these changes to `name` in a folder of its own.
fn capture(name: &str, changes: &[&str]) -> Result<TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    let mut command = airtime();
    command.args(["trace", "coc-nrf", "-o"]).arg(folder.path().join(name));
    for change in SHORT.iter().chain(changes) {
        command.args(["--set", change]);
    }
    output(&mut command)?;
    Ok(folder)
}

/// The values of `fields` in every packet that passes `filter`.
pub fn dissect(file: &Path, filter: &str, fields: &[&str]) -> Result<Vec<Vec<String>>, Failed> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(file).args(["-Y", filter, "-T", "fields"]);
    for field in fields {
        command.args(["-e", field]);
    }
    Ok(output(&mut command)?.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

pub fn count(file: &Path, filter: &str) -> Result<usize, Failed> {
    Ok(dissect(file, filter, &["frame.number"])?.len())
}

pub fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), Failed> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}").into()) }
}

/// No packet is malformed, and none deserves more than a note.
pub fn is_clean(file: &Path) -> Result<(), Failed> {
    let bad =
        dissect(file, "_ws.malformed || _ws.expert.severity == \"Error\"", &["frame.number", "_ws.expert.message"])?;
    expect("malformed packets", bad, Vec::new())
}

fn tshark_reads_air(phy: &str, written: &str, changes: &[&str]) -> Result<(), Failed> {
    let phy_change = format!("ble.phy={phy}");
    let personality = ["central.personality=ideal", "peripheral.personality=ideal", phy_change.as_str()];
    let folder = capture("air.pcapng", &[&personality, changes].concat())?;
    let file = &folder.path().join("air.pcapng");
    is_clean(file)?;
    expect("CONNECT_IND", count(file, "btle.advertising_header.pdu_type == 5")?, 1)?;
    // LL_LENGTH_REQ and _RSP, and what changes the PHY where it is changed.
    let opcodes: &[&str] = if phy == "1M" { &["0x14", "0x15"] } else { &["0x14", "0x15", "0x16", "0x17", "0x18"] };
    for opcode in opcodes {
        expect(opcode, count(file, &format!("btle.control_opcode == {opcode}"))? > 0, true)?;
    }
    // On LE Coded the data length is that of 2120 us: 140 octets.
    let long = dissect(file, "btle.data_header.length >= 100", &["btle_rf.pdu_type", "btle_rf.phy"])?;
    expect("long PDUs", long.len() > 50, true)?;
    let other = long.iter().find(|row| *row != &[P2C, written]);
    expect("direction and PHY of a long PDU", other, None)?;
    let lengths = dissect(file, "btl2cap.le_sdu.reassembled.length", &["btl2cap.le_sdu.reassembled.length"])?;
    expect("reassembled SDUs", lengths.len() > 20, true)?;
    expect("another length", lengths.iter().find(|length| *length != &["495"]), None)?;
    expect("wrong CRCs", count(file, "btle.crc.incorrect")?, 0)
}

fn tshark_finds_wrong_crcs() -> Result<(), Failed> {
    let folder = capture("air.pcapng", &["ble.loss={ per = 0.05 }"])?;
    let file = &folder.path().join("air.pcapng");
    let flagged = count(file, "btle_rf.flags.crc_checked == 1 && btle_rf.flags.crc_valid == 0")?;
    expect("packets were lost", flagged > 0, true)?;
    expect("wrong CRCs", count(file, "btle.crc.incorrect")?, flagged)
}

fn tshark_reads_hci() -> Result<(), Failed> {
    let folder = capture("hci.btsnoop", &[])?;
    for host in ["central", "peripheral"] {
        let file = &folder.path().join(format!("hci.{host}.btsnoop"));
        is_clean(file)?;
        for filter in ["bthci_cmd", "bthci_evt.le_meta_subevent == 0x01", "bthci_acl"] {
            expect(&format!("{host}: {filter}"), count(file, filter)? > 0, true)?;
        }
        let sdus = dissect(file, "btl2cap.le_sdu.reassembled.length == 495", &["hci_h4.direction"])?;
        // Sent by the host, or received by it.
        let direction = if host == "central" { "0x01" } else { "0x00" };
        expect("reassembled SDUs", sdus.len() > 20, true)?;
        expect("the other direction", sdus.iter().find(|row| *row != &[direction]), None)?;
    }
    Ok(())
}

/// What one of the reading scripts says of a file.
fn read(script: &str, file: &Path) -> Result<Value, Failed> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/");
    Ok(serde_json::from_str(&output(python().arg(format!("{path}{script}")).arg(file))?)?)
}

fn scapy_reads_air() -> Result<(), Failed> {
    let folder = capture("air.pcapng", &[])?;
    let summary = read("read_air.py", &folder.path().join("air.pcapng"))?;
    println!("{summary}");
    expect("packets that are not BTLE_RF", summary["foreign"].as_u64(), Some(0))?;
    expect("packets rebuilt differently", summary["changed"].as_u64(), Some(0))?;
    expect("CONNECT_IND", summary["connect_ind"].as_u64(), Some(1))?;
    expect("PHYs", summary["phys"].clone(), serde_json::json!([0, 1]))?;
    expect("data packets", summary["data"].as_u64() > Some(100), true)
}

fn perfetto_decodes() -> Result<(), Failed> {
    let folder = capture("line.perfetto", &[])?;
    let summary = read("read_timeline.py", &folder.path().join("line.perfetto"))?;
    println!("{summary}");
    expect("processes", summary["processes"].clone(), serde_json::json!(["air", "central", "peripheral"]))?;
    for track in ["connection events", "stalls", "PDUs", "ACL packets in the controller", "credits for channel 0x0040"]
    {
        let tracks = summary["tracks"].as_array().ok_or("no tracks")?;
        expect(track, tracks.iter().any(|name| name == track), true)?;
    }
    expect("slices that do not end", summary["open"].as_u64(), Some(0))?;
    expect("slices that end before they begin", summary["backwards"].as_u64(), Some(0))?;
    expect("events on tracks nobody described", summary["orphans"].as_u64(), Some(0))?;
    expect("slices", summary["slices"].as_u64() > Some(200), true)
}
