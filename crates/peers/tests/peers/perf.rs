//! `airtime perf` with the real iperf3 and ping, over loopback: figures, files, going on, and being stopped.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::{close, output};
use crate::peer::{Peer, trial};
use crate::program::airtime;

/// iperf3 keeps to a rate within a datagram or two; the rest is for its clock.
const TOLERANCE: f64 = 0.03;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    const PEERS: &[Peer] = &[Peer::Airtime, Peer::Iperf3, Peer::Ping];
    vec![
        trial("perf measures loopback with iperf3 and ping", PEERS, loopback),
        trial("perf that is stopped goes on", PEERS, stopped),
        trial("a speed test streams both ways", PEERS, speedtest),
        trial("perf ends at a server that refuses", PEERS, refused),
    ]
}

/// An iperf3 that serves until it is dropped.
struct Server {
    child: Child,
    port: String,
}

impl Server {
    fn start() -> Result<Self, Failed> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
        let mut command = Command::new("iperf3");
        command.args(["--server", "--forceflush", "--bind", "127.0.0.1", "--port", &port]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().ok_or("a pipe")?).lines();
        let listens = |line: &std::io::Result<String>| line.as_ref().is_ok_and(|line| line.contains("listening"));
        lines.find(listens).ok_or("iperf3 did not listen")??;
        // What it says later is read by nobody and must not stop it.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { child, port })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn perf(server: &Server, folder: &Path, more: &[&str]) -> Command {
    let mut command = airtime();
    command.arg("perf").args(more).args(["--server", "127.0.0.1", "--port", &server.port]);
    command.args(["--for", "2s", "--warm-up", "1s", "--repeat", "1", "--json", "--output"]).arg(folder);
    command
}

fn loopback() -> Result<(), Failed> {
    let server = Server::start()?;
    let folder = tempfile::tempdir()?;
    let measure = |more: &[&str]| -> Result<Value, Failed> {
        let mut command =
            perf(&server, folder.path(), &["--load", "200kbps,1Mbps", "--payload", "64", "--link", "nrf24-ip"]);
        Ok(serde_json::from_str(&output(command.args(more))?)?)
    };
    let document = measure(&[])?;
    let rows = document["rows"].as_array().ok_or("rows")?;
    assert_eq!((document["schema"].as_str(), rows.len()), (Some("airtime/perf/1"), 3));
    for (row, offered) in rows.iter().zip([0.0, 200.0, 1_000.0]) {
        assert_eq!(row["offered_kbps"], offered);
        let pings = &row["round_trip_ms"];
        // Half of what 20 a second make, for a machine that does other things as well.
        assert!(pings["samples"].as_u64() >= Some(20) && pings["p99"].as_f64() < Some(1_000.0), "{row}");
        if offered > 0.0 {
            assert_eq!(row["payload_bytes"], 64);
            close("goodput in kbps", row["goodput_kbps"]["median"].as_f64().ok_or("goodput")?, offered, TOLERANCE)?;
            let ip = row["ip_kbps"]["median"].as_f64().ok_or("IP")?;
            close("IP in kbps", ip, offered * 92.0 / 64.0, TOLERANCE)?;
        }
    }
    for name in [
        "index.html",
        "goodput.svg",
        "loss.svg",
        "delay.svg",
        "overrun.svg",
        "figures.csv",
        "raw/udp-1Mbps-1.iperf3.json",
    ] {
        assert!(fs::metadata(folder.path().join(name))?.len() > 0, "{name}");
    }
    // The page is a report: what reads results reads it.
    let again = folder.path().join("again.html");
    let page = folder.path().join("index.html");
    output(airtime().arg("report").arg(&page).arg("-o").arg(&again))?;
    assert!(fs::read_to_string(&again)?.contains("udp-1Mbps-1"));
    // All is measured: nothing is started, and the same comes out.
    assert_eq!(measure(&["--resume"])?["rows"], document["rows"]);
    Ok(())
}

fn stopped() -> Result<(), Failed> {
    let server = Server::start()?;
    let folder = tempfile::tempdir()?;
    let arguments = ["--load", "100kbps,200kbps"];
    let mut child = perf(&server, folder.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(child.stderr.take().ok_or("a pipe")?).lines();
    let first = lines.next().ok_or("a line for each run")??;
    assert!(first.starts_with("1/3 "), "{first}");
    output(Command::new("kill").args(["-INT", &child.id().to_string()]))?;
    lines.for_each(drop);
    assert_eq!(child.wait()?.code(), Some(130));
    let kept = fs::read_to_string(folder.path().join("records.jsonl"))?;
    assert_eq!(kept.lines().count(), 2, "a head and a run: {kept}");
    let document: Value = serde_json::from_str(&output(perf(&server, folder.path(), &arguments).arg("--resume"))?)?;
    assert_eq!(document["runs"].as_array().map(Vec::len), Some(3));
    Ok(())
}

fn speedtest() -> Result<(), Failed> {
    let server = Server::start()?;
    let folder = tempfile::tempdir()?;
    let document: Value = serde_json::from_str(&output(&mut perf(&server, folder.path(), &["speedtest"]))?)?;
    let rows = document["rows"].as_array().ok_or("rows")?;
    let directions: Vec<_> = rows.iter().map(|row| (row["load"].as_str(), row["direction"].as_str())).collect();
    assert_eq!(directions, [(Some("idle"), Some("up")), (Some("tcp"), Some("up")), (Some("tcp"), Some("down"))]);
    // Any machine's loopback carries more than ten radios.
    assert!(rows[1..].iter().all(|row| row["goodput_kbps"]["low"].as_f64() > Some(10_000.0)), "{rows:?}");
    Ok(())
}

/// Nobody listens at a port that was free a moment ago.
fn refused() -> Result<(), Failed> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
    let folder = tempfile::tempdir()?;
    let mut command = airtime();
    command.args(["perf", "speedtest", "--server", "127.0.0.1", "--port", &port, "--for", "1s", "--warm-up", "0s"]);
    let refused = command.args(["--repeat", "1", "--output"]).arg(folder.path()).output()?;
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("no iperf3 server answers at 127.0.0.1") && said.contains("--resume"), "{said}");
    let last = said.lines().rfind(|line| line.contains("/3 "));
    assert!(last.is_none_or(|line| line.starts_with("1/3 idle")), "only what was measured counts: {said}");
    Ok(())
}
