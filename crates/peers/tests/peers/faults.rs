//! What hosts may do to a live server: come and go, stream at length, and send rubbish.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::{close, predicted_kbps};
use crate::h4::Host;
use crate::peer::real_time;
use crate::program::airtime;
use crate::server::{Process, Server};

/// Connections made and ended, and after how many memory counts.
const CYCLES: usize = 200;
const WARM: usize = 40;
/// What a process may hold more after it is warm: pages that its allocator has not given back. *Assumed*.
const SLACK_KB: u64 = 256;
/// Seconds of the long stream, and of one that only has to last while others misbehave.
const LONG_S: u64 = 15;
const SHORT_S: u64 = 8;
/// How far a stream in real time may be from its prediction.
const TOLERANCE: f64 = 0.05;
/// A supervision timeout of a second, in units of 10 ms.
const TIMEOUT: u16 = 100;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![
        real_time("200 connections leave a live server as it was", connections),
        real_time("a host that dies is missed by its peer in time", death),
        real_time("a long stream leaves a live server as it was", long_stream),
        real_time("rubbish harms only the controller it is sent to", rubbish),
    ]
}

/// Resident memory of a process in kB.
fn resident_kb(process: u32) -> Result<u64, Failed> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

fn is_flat(warm: u64, end: u64) -> Result<(), Failed> {
    println!("{warm} kB when warm, {end} kB at the end");
    if end <= warm + SLACK_KB { Ok(()) } else { Err(format!("memory grew from {warm} kB to {end} kB").into()) }
}

fn connections() -> Result<(), Failed> {
    let server = Server::start(&["", ""], &[])?;
    let [mut central, mut peripheral] = [Host::open(server.ports[0])?, Host::open(server.ports[1])?];
    let address = peripheral.address()?;
    let mut warm = 0;
    for cycle in 0..CYCLES {
        if cycle == WARM {
            warm = resident_kb(server.id())?;
        }
        peripheral.advertise()?;
        let handle = central.connect(address, TIMEOUT)?;
        peripheral.connected()?;
        central.disconnect(handle)?;
        // Remote User Terminated Connection. Core 6.0, Vol 1, Part F, 2.16.
        assert_eq!(peripheral.disconnected()?, 0x13);
    }
    is_flat(warm, resident_kb(server.id())?)?;
    let report = server.report()?;
    assert_eq!(report["endpoints"][0]["disconnects"]["0x16"], CYCLES, "{report}");
    Ok(())
}

fn death() -> Result<(), Failed> {
    let server = Server::start(&["", ""], &[])?;
    let mut peripheral = Host::open(server.ports[1])?;
    let address = peripheral.address()?;
    for _ in 0..3 {
        let mut central = Host::open(server.ports[0])?;
        peripheral.advertise()?;
        let handle = central.connect(address, TIMEOUT)?;
        peripheral.connected()?;
        central.exchange_version(handle)?;
        drop(central);
        // Connection Timeout. Core 6.0, Vol 1, Part F, 2.8.
        assert_eq!(peripheral.disconnected()?, 0x08);
    }
    Ok(())
}

/// A pair of our own hosts that stream over sockets for so many seconds, and what the server reports of their link.
/// `meanwhile` gets the server while they do.
fn streaming(
    seconds: u64,
    more: &[&str],
    meanwhile: impl FnOnce(&Server) -> Result<(), Failed>,
) -> Result<Value, Failed> {
    let endpoints = [&[",personality=nordic-sdc,acl.count=24"; 2], more].concat();
    let server = Server::start(&endpoints, &[])?;
    let host = |kind: &str, role: &str, endpoint: usize| {
        let mut command = airtime();
        command.args(["live", "host", &format!("{kind},interval=15ms,credits=batched"), "--role", role, "--quiet"]);
        command.args(["--hci", &format!("tcp:127.0.0.1:{}", server.ports[endpoint])]);
        Process::start(command.args(["--for", &format!("{seconds}s")]), false)
    };
    let peripheral = host("coc-source", "peripheral", 1)?;
    let central = host("coc-sink", "central", 0)?;
    meanwhile(&server)?;
    central.end()?;
    peripheral.end()?;
    let report = server.report()?;
    println!("lag {}", report["lag"]);
    Ok(report["links"][0].clone())
}

fn expected_kbps() -> Result<f64, Failed> {
    predicted_kbps(&[
        ("central.personality", "nordic-sdc"),
        ("peripheral.personality", "nordic-sdc"),
        ("ble.conn_interval", "15ms"),
        ("coc.credits", "batched"),
        ("acl.count", "24"),
    ])
}

fn streams_as_predicted(link: &Value) -> Result<(), Failed> {
    let kbps = link["goodput_kbps"]["p2c"].as_f64().ok_or_else(|| format!("no stream: {link}"))?;
    close("our hosts", kbps, expected_kbps()?, TOLERANCE)
}

fn long_stream() -> Result<(), Failed> {
    let link = streaming(LONG_S, &[], |server| {
        // Memory counts from the first tenth on, while the stream lasts.
        let begun = Instant::now();
        let sample = |at: Duration| {
            std::thread::park_timeout((begun + at).saturating_duration_since(Instant::now()));
            resident_kb(server.id())
        };
        let warm = sample(Duration::from_secs(LONG_S / 10))?;
        is_flat(warm, sample(Duration::from_secs(LONG_S - 5))?)
    })?;
    streams_as_predicted(&link)
}

fn rubbish() -> Result<(), Failed> {
    let link = streaming(SHORT_S, &["", ""], |server| {
        let open = |endpoint: usize| TcpStream::connect(("127.0.0.1", server.ports[endpoint]));
        // A host that half speaks, one that never reads, and one that makes noise, over and over.
        let half = {
            let mut half = open(2)?;
            half.write_all(&[0x01, 0x03])?;
            half
        };
        for round in 0..50u32 {
            let mut noise = open(3)?;
            let bytes: Vec<u8> = (0..2_000u32).map(|i| (i.wrapping_mul(2_654_435_761 ^ round) >> 13) as u8).collect();
            // The server may have had enough of it already.
            let _ = noise.write_all(&bytes);
        }
        let mut flood = open(3)?;
        flood.set_nonblocking(true)?;
        let resets = [0x01, 0x03, 0x0c, 0x00].repeat(1_000);
        for _ in 0..1_000 {
            // What does not go through is back pressure.
            let _ = flood.write(&resets);
        }
        drop((half, flood));
        Ok(())
    })?;
    streams_as_predicted(&link)
}
