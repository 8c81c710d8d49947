//! `airtime hw ble coc --adapter`: our back end on the kernel's L2CAP sockets, within the machine.

use libtest_mimic::Failed;
use serde_json::Value;

use super::machine::Machine;
use super::{Server, arrived_whole, least, length};
use crate::command::close;
use crate::program::airtime;
use crate::server::Process;

/// The boards: the one that sends, the one that receives, and nobody.
const SOURCE: &str = "C0:00:5E:00:01:02";
const SINK: &str = "C0:00:5E:00:01:03";
const NOBODY: &str = "C0:00:5E:00:01:7F";

/// Share by which what a program and what the air have counted may differ: the program's figure is of the time behind its warm-up.
const TOLERANCE: f64 = 0.05;

/// The same of a sender: its socket takes 200 kB before the air is what it waits for, and is not yet full behind the warm-up.
const SENDER_TOLERANCE: f64 = 0.15;

fn central(address: &str, more: &str) -> String {
    format!("airtime hw ble coc --adapter any --address {address} --radio live {more}")
}

pub fn record(machine: &mut Machine, line: &str) -> Result<Value, Failed> {
    let said = machine.does(&format!("{line} --json --quiet > /tmp/record; s=$?; cat /tmp/record; (exit $s)"))?;
    let document: Value = serde_json::from_str(&said).map_err(|error| format!("{error}: {said}"))?;
    Ok(document["records"][0].clone())
}

/// Takes a stream, and sends one; the air has carried what the program says.
pub fn streams() -> Result<(), Failed> {
    let server = Server::start(&["coc-source,sdu=492", "coc-sink,role=peripheral,name=sink,mtu=2048,mps=247"])?;
    let mut machine = server.machine()?;
    let taken = record(&mut machine, &central(SOURCE, &format!("--psm 0x0080 {}", length(14))))?;
    let plan = format!("--plan coc-nrf --set ble.direction=c2p {}", length(15));
    let sent = record(&mut machine, &central(SINK, &format!("--psm 0x0080 {plan}")))?;
    drop(machine);
    server.ended(|report, _| {
        let links: [Value; 2] = super::streams::links(report)?;
        arrived_whole(&taken, least(300_000));
        assert!(links[0]["octets"]["p2c"].as_u64() >= taken["delivered_bytes"].as_u64(), "{links:?}, {taken}");
        let kbps = |value: &Value| value.as_f64().ok_or_else(|| format!("no figure in {taken} or {sent}"));
        let arrived = kbps(&taken["goodput_kbps"]["median"])?;
        close("arrived", arrived, kbps(&links[0]["goodput_kbps"]["p2c"])?, TOLERANCE)?;
        close("accepted", kbps(&sent["accepted_kbps"])?, kbps(&links[1]["goodput_kbps"]["c2p"])?, SENDER_TOLERANCE)
    })
}

/// Asserts that `line` ends badly, and says `words`.
pub fn refused(machine: &mut Machine, line: &str, words: &str) -> Result<(), Failed> {
    let (well, said) = machine.tries(line)?;
    println!("{said}");
    if !well && said.contains(words) { Ok(()) } else { Err(format!("`{line}`: {said}").into()) }
}

/// Each refusal of the kernel's says what to do, in a machine that has no adapter yet, and is left with one.
pub fn refuses(machine: &mut Machine) -> Result<(), Failed> {
    let source = central(SOURCE, "--psm 0x0080 --for 4s");
    refused(machine, &source, "no Bluetooth adapter")?;
    machine.joins()?;
    refused(machine, &central(SOURCE, "--psm 0x0090 --for 4s"), "takes no channel on that PSM")?;
    refused(machine, &central(NOBODY, "--psm 0x0080 --for 4s"), "nobody advertises")?;
    machine.bluetooth("power off", "Set Powered complete")?;
    refused(machine, &source, "no adapter is powered")?;
    machine.bluetooth("power on", "Set Powered complete, settings: powered")?;
    Ok(())
}

/// A board that loses its power in mid-stream is told of by its supervision timeout.
pub fn loses() -> Result<(), Failed> {
    let server = Server::start(&[])?;
    let mut board = airtime();
    board.args(["live", "host", "coc-source,psm=0x0080,sdu=492", "--role", "peripheral", "--quiet", "--hci"]);
    let board = Process::start(board.arg(format!("unix:{}", server.second().display())), false)?;
    let mut machine = server.machine()?;
    machine.does(&format!("{} > /tmp/l2 2>&1 & l2=$!", central("C0:00:5E:00:01:01", "--psm 0x0080 --for 1h")))?;
    machine.until("grep -q '^3.0 s: ' /tmp/l2", 60)?;
    board.kill()?;
    let (well, said) = machine.tries("wait $l2; s=$?; cat /tmp/l2; (exit $s)")?;
    println!("{said}");
    assert!(!well && said.contains("0x08, supervision timeout"), "{said}");
    Ok(())
}
