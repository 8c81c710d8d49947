//! Programs of others through a live nRF24 link: as fast as in virtual time, whole over lossy radios, whatever dies.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::{close, output};
use crate::namespaces::{Joined, exists, gone};
use crate::peer::{Peer, python_path, trial};
use crate::program::airtime;
use crate::server::Process;

const BOTH: &[Peer] = &[Peer::Airtime, Peer::Namespaces, Peer::Ping, Peer::Iperf3];
const HTTP: &[Peer] = &[Peer::Airtime, Peer::Namespaces, Peer::Ping, Peer::Curl];
const NONE: &[Peer] = &[Peer::Airtime, Peer::Namespaces, Peer::Ping];

/// How far real time may be from virtual time. The issue of this link asks for it.
const TOLERANCE: f64 = 0.10;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![
        trial("iperf3 with small datagrams through live nRF24 as predicted", BOTH, || datagrams(32, "1200kbps")),
        trial("iperf3 with large datagrams through live nRF24 as predicted", BOTH, || datagrams(1_472, "2200kbps")),
        trial("iperf3 with TCP through live nRF24 as predicted", BOTH, stream),
        trial("ping through live nRF24 as predicted", NONE, echo),
        trial("2 MB over lossy live nRF24 radios arrive whole", HTTP, transfer),
        trial("either end of live nRF24 is killed and started again, and a transfer goes on", HTTP, restarts),
        trial("what a killed live nRF24 server leaves, the next one undoes", NONE, leftovers),
    ]
}

/// What the lab says of the shipped plan with these keys.
fn predicted(set: &[(&str, &str)]) -> Result<Value, Failed> {
    let mut command = airtime();
    command.args(["run", "nrf24-stream", "--json"]);
    for (key, value) in [&[("run.duration", "8s"), ("run.warmup", "1s")], set].concat() {
        command.args(["--set", &format!("{key}={value}")]);
    }
    let document: Value = serde_json::from_str(&output(&mut command)?)?;
    Ok(document["records"][0].clone())
}

pub fn number(value: &Value, of: &Value) -> Result<f64, Failed> {
    value.as_f64().ok_or_else(|| format!("a figure is missing in {of}").into())
}

/// Runs iperf3 from `a` to `b` with these arguments; what the receiving side reports.
pub fn iperf3(joined: &Joined, arguments: &[&str]) -> Result<Value, Failed> {
    let server = Process::start(joined.on_time(1, "iperf3").args(["-s", "-1", "-J"]), false)?;
    for _ in 0..100 {
        let mut client = joined.on_time(0, "iperf3");
        client.args(["-c", "10.0.0.2", "-J"]).args(arguments);
        let client = client.output()?;
        let says = String::from_utf8_lossy(&client.stdout).into_owned();
        // The server may not listen yet.
        if says.contains("Connection refused") {
            continue;
        }
        if !client.status.success() {
            return Err(says.into());
        }
        let report = server.lines_to_end()?.join("\n");
        return Ok(serde_json::from_str(&report)?);
    }
    Err("the iperf3 server does not listen".into())
}

/// Ends the link, and says how late the machine was.
pub fn wound_up(joined: Joined) -> Result<Value, Failed> {
    let report = joined.report()?;
    println!("lag {}", report["lag"]);
    Ok(report)
}

fn datagrams(payload: u32, offered: &str) -> Result<(), Failed> {
    let (payload, rate) = (payload.to_string(), offered.trim_end_matches("bps"));
    let set = [("traffic.payload", payload.as_str()), ("traffic.offered", offered), ("traffic.pace", "iperf3")];
    let expected = predicted(&set)?;
    let joined = Joined::start(&[])?;
    let report = iperf3(&joined, &["-u", "-l", &payload, "-b", rate, "-t", "6", "-O", "1"])?;
    let found = number(&report["end"]["sum_received"]["bits_per_second"], &report["end"])? / 1e3;
    wound_up(joined)?;
    close("kbps of UDP", found, number(&expected["goodput_kbps"]["median"], &expected)?, TOLERANCE)
}

fn stream() -> Result<(), Failed> {
    let expected = predicted(&[("traffic.kind", "tcp")])?;
    let joined = Joined::start(&[])?;
    // The lab's TCP has Reno; the kernel's usual Cubic gets about a tenth less out of a queue of 20 ms.
    let report = iperf3(&joined, &["-t", "10", "-O", "2", "-C", "reno"])?;
    let found = number(&report["end"]["sum_received"]["bits_per_second"], &report["end"])? / 1e3;
    wound_up(joined)?;
    close("kbps of TCP", found, number(&expected["goodput_kbps"]["median"], &expected)?, TOLERANCE)
}

/// Round trips of echo requests, in up to three series: another load of the machine makes them longer, and none of them shorter.
fn echo() -> Result<(), Failed> {
    let again = |failed: Failed| {
        println!("{}", failed.message().unwrap_or_default());
        echoes()
    };
    echoes().or_else(again).or_else(again)
}

fn echoes() -> Result<(), Failed> {
    // Next to nothing beside the echo requests: the lab's are of 64 octets of ICMP, as ping's are.
    let set = [("traffic.ping", "20ms"), ("traffic.offered", "1kbps"), ("traffic.payload", "32")];
    let expected = predicted(&set)?;
    let expected_us = number(&expected["counters"]["round_trip_ns.p50"], &expected)? / 1e3;
    let joined = Joined::start(&[])?;
    let mut times = vec![];
    let says = output(joined.on_time(0, "ping").args(["-c", "300", "-i", "0.02", "10.0.0.2"]))?;
    for line in says.lines() {
        if let Some((_, time)) = line.split_once("time=") {
            times.push(time.trim_end_matches(" ms").parse::<f64>()? * 1e3);
        }
    }
    if times.len() < 299 {
        return Err(format!("{} of 300 echo requests were answered: {says}", times.len()).into());
    }
    times.sort_by(f64::total_cmp);
    let median_us = times[times.len() / 2];
    let report = wound_up(joined)?;
    // A packet waits for the server to wake up four times: into and out of the tunnel at each end. Four waits take about four
    // times the mean, also on a machine that is nearly always in time and now and then late by a millisecond.
    let lag_us = 4.0 * number(&report["lag"]["mean_us"], &report)?;
    println!("round trip {median_us:.0} us, predicted {expected_us:.0} us and up to {lag_us:.0} us of lag");
    let range = expected_us * (1.0 - TOLERANCE)..=expected_us * (1.0 + TOLERANCE) + lag_us;
    if range.contains(&median_us) { Ok(()) } else { Err(format!("{median_us:.0} us is not in {range:?}").into()) }
}

/// A server of HTTP in `b` with a file of `octets` that no compression shortens; `act` has its URL and its path.
fn served(
    joined: &mut Joined,
    octets: usize,
    act: impl FnOnce(&mut Joined, &str, &Path) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let mut state = 1u64;
    let noise = std::iter::repeat_with(|| {
        // Knuth's MMIX: The Art of Computer Programming, volume 2, 3.3.4.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    });
    let file = folder.path().join("noise");
    fs::write(&file, noise.take(octets).collect::<Vec<_>>())?;
    let mut server = joined.within(1, python_path().to_str().ok_or("a path in UTF-8")?);
    server.args(["-u", "-m", "http.server", "8000", "--bind", "10.0.0.2", "--directory"]).arg(folder.path());
    let server = Process::start(&mut server, false)?;
    let line = server.line()?;
    if !line.starts_with("Serving HTTP") {
        return Err(line.into());
    }
    act(joined, "http://10.0.0.2:8000/noise", &file)
}

/// The SHA-256 of a file, as the outside program has it.
fn sha256(path: &Path) -> Result<String, Failed> {
    Ok(output(Command::new("sha256sum").arg("-b").arg(path))?.split(' ').next().unwrap_or_default().to_owned())
}

fn is_same(sent: &Path, got: &Path) -> Result<(), Failed> {
    let [sent, got] = [sha256(sent)?, sha256(got)?];
    if sent == got { Ok(()) } else { Err(format!("SHA-256 {got}, sent {sent}").into()) }
}

fn transfer() -> Result<(), Failed> {
    let mut joined = Joined::start(&[("nrf24.loss", "{ per = 0.03 }")])?;
    served(&mut joined, 2_000_000, |joined, url, sent| {
        let got = sent.with_extension("got");
        output(joined.within(0, "curl").args(["-sS", "--fail", "--max-time", "120", "-o"]).arg(&got).arg(url))?;
        is_same(sent, &got)
    })?;
    let report = wound_up(joined)?;
    let lost = number(&report["links"][1]["counters"]["frames.lost"], &report)?;
    println!("frames lost from b to a: {lost}");
    if lost > 0.0 { Ok(()) } else { Err("the radios lost nothing".into()) }
}

fn restarts() -> Result<(), Failed> {
    let mut joined = Joined::start(&[])?;
    served(&mut joined, 1_500_000, |joined, url, sent| {
        let got = sent.with_extension("got");
        let mut curl = joined.within(0, "curl");
        curl.args(["-sS", "--fail", "--max-time", "90", "-o"]).arg(&got).arg(url);
        let curl = Process::start(&mut curl, false)?;
        for end in ["a", "b"] {
            // In the middle of it: some of the file is there.
            let has = || fs::metadata(&got).map_or(0, |found| found.len());
            let before = has();
            while has() < before + 100_000 {
                std::thread::park_timeout(std::time::Duration::from_millis(20));
                if has() >= 1_500_000 {
                    return Err("the transfer was over before its ends were killed".into());
                }
            }
            joined.tell(&format!("kill {end}"))?;
            joined.tell(&format!("start {end}"))?;
        }
        curl.end()?;
        is_same(sent, &got)
    })?;
    let report = joined.report()?;
    let starts = [&report["ends"][0]["starts"], &report["ends"][1]["starts"]];
    if starts == [2, 2] { Ok(()) } else { Err(format!("it was started {starts:?} times").into()) }
}

fn leftovers() -> Result<(), Failed> {
    let killed = Joined::start(&[])?.kill()?;
    let journal = killed[0].strip_prefix("airtime-").and_then(|name| name.strip_suffix("-a")).unwrap_or_default();
    let journal = Path::new("/run/airtime").join(format!("live-nrf24-{journal}.deeds"));
    if !journal.exists() {
        return Err(format!("there is no journal {}", journal.display()).into());
    }
    if !killed.iter().all(|name| exists(name)) {
        return Err("nothing was left behind, so nothing is tested".into());
    }
    let next = Joined::start(&[])?;
    gone(&killed)?;
    next.report()?;
    if journal.exists() { Err(format!("{} is left", journal.display()).into()) } else { Ok(()) }
}
