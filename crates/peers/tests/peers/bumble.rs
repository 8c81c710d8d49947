//! Unmodified Bumble hosts on virtual controllers, in real time.

use std::path::Path;
use std::process::Command;

use airtime_core::Duration;
use airtime_live::ble::predict;
use libtest_mimic::Failed;
use serde_json::Value;

use crate::command::{close, output, predicted_kbps, scenario};
use crate::peer::python_path;
use crate::program::airtime;
use crate::server::{Process, Server, script};

/// How far a stream in real time may be from its prediction.
const TOLERANCE: f64 = 0.05;
/// The same where the prediction is made from a distribution of latencies: Bumble's own are not independent.
const TOLERANCE_OF_LATENCY: f64 = 0.10;
/// Virtual time that a prediction from latencies runs for.
const PREDICTED_TIME: Duration = Duration::from_secs(20);

/// What both hosts came to.
struct Streamed {
    /// What the receiving central printed.
    central: Value,
    /// The server's own report.
    report: Value,
}

/// The peripheral streams to the central over a channel.
fn stream(endpoint: &str, interval: f64, server: &[&str], more: &[&str]) -> Result<Streamed, Failed> {
    let server = Server::start(&[endpoint, endpoint], server)?;
    let peripheral = script("coc.py", &[&["peripheral", &server.transport(1)], more].concat())?;
    peripheral.line()?;
    let interval = interval.to_string();
    let arguments = ["central", &server.transport(0), "--interval", &interval];
    let process = script("coc.py", &[&arguments, more].concat())?;
    let central = process.json()?;
    println!("{central}");
    process.end()?;
    let ended = peripheral.json()?;
    // Remote User Terminated Connection: the central has hung up.
    assert_eq!(ended["disconnected"], 0x13, "{ended}");
    Ok(Streamed { central, report: server.report()? })
}

fn kbps(streamed: &Streamed) -> Result<f64, Failed> {
    streamed.central["kbps"].as_f64().ok_or_else(|| "no rate".into())
}

fn plan<'a>(interval: &'a str, buffers: &'a str, credits: &'a str) -> [(&'a str, &'a str); 8] {
    [
        ("central.personality", "nordic-sdc"),
        ("peripheral.personality", "nordic-sdc"),
        ("ble.conn_interval", interval),
        ("coc.sdu", "492"),
        ("coc.mps", "247"),
        ("coc.mtu", "2048"),
        ("coc.credits", credits),
        ("acl.count", buffers),
    ]
}

/// Enough buffers in the controller hide the outside host: what is left is the air.
pub fn streams_as_predicted(interval: f64) -> Result<(), Failed> {
    let streamed = stream(",personality=nordic-sdc,acl.count=24", interval, &[], &[])?;
    let central = &streamed.central;
    assert_eq!(central["interval_ms"].as_f64(), Some(interval), "{central}");
    assert_eq!(central["phy"], serde_json::json!([2, 2]), "{central}");
    let interval = format!("{interval}ms");
    let expected = predicted_kbps(&plan(&interval, "24", "{ max = 64 }"))?;
    close(&format!("Bumble at {interval}"), kbps(&streamed)?, expected, TOLERANCE)
}

/// Three buffers do not hide it: the loss follows from the latency that the server has measured.
pub fn few_buffers() -> Result<(), Failed> {
    let streamed = stream(",personality=nordic-sdc,acl.count=3", 15.0, &[], &[])?;
    let sender = &streamed.report["endpoints"][1]["host_latency_percentiles_us"];
    let latencies: Vec<f64> = sender.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    assert_eq!(latencies.len(), 101, "{sender}");
    let scenario = scenario(&plan("15ms", "3", "{ max = 64 }"))?;
    let [_, never_late] = predict::goodput_kbps(&scenario, &[], PREDICTED_TIME, 1);
    let [_, expected] = predict::goodput_kbps(&scenario, &latencies, PREDICTED_TIME, 1);
    println!("median latency {:.0} us: {expected:.1} kbps of {never_late:.1}", latencies[50]);
    close("Bumble with 3 buffers", kbps(&streamed)?, expected, TOLERANCE_OF_LATENCY)
}

/// With one credit a K-frame waits for the credit that the one before has earned.
pub fn one_credit() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let capture = folder.path().join("one-credit.pcapng");
    let path = capture.to_str().ok_or("a path that is text")?;
    let arguments = ["--capture", path];
    let streamed = stream(",personality=nordic-sdc,acl.count=24", 15.0, &arguments, &["--credits", "1"])?;
    let expected = predicted_kbps(&plan("15ms", "24", "{ max = 1 }"))?;
    close("Bumble with one credit", kbps(&streamed)?, expected, TOLERANCE)?;
    let counters = explained(&capture)?["links"][0]["record"]["counters"].clone();
    let count = |name: &str| counters[name].as_f64().ok_or_else(|| format!("no {name} in {counters}"));
    // Between the first K-frame, which waited for nothing, and the last.
    let per_frame = (count("events")? - 1.0) / (count("k_frames")? - 1.0);
    println!("{per_frame:.2} connection events per K-frame");
    if (2.0..=2.3).contains(&per_frame) { Ok(()) } else { Err(format!("{per_frame} events per K-frame").into()) }
}

fn explained(capture: &Path) -> Result<Value, Failed> {
    Ok(serde_json::from_str(&output(airtime().args(["trace", "read", "--json"]).arg(capture))?)?)
}

/// Just Works over LE Secure Connections, between the hosts alone: the controllers get the key at the end.
pub fn pairs() -> Result<(), Failed> {
    let streamed = stream(",personality=nordic-sdc,acl.count=24", 15.0, &[], &["--pair"])?;
    assert_eq!(streamed.central["encrypted"], true, "{}", streamed.central);
    let link = &streamed.report["links"][0];
    assert_eq!(link["negotiated"]["encrypted"], true, "{link}");
    let mut plan = plan("15ms", "24", "{ max = 64 }").to_vec();
    plan.push(("ble.encrypted", "true"));
    close("Bumble, encrypted", kbps(&streamed)?, predicted_kbps(&plan)?, TOLERANCE)
}

/// Bumble's own benchmark, as it comes.
pub fn bench() -> Result<(), Failed> {
    let server = Server::start(&[",personality=nordic-sdc,acl.count=24"; 2], &[])?;
    let bench = |scenario: &str, mode: &str, role: &[&str]| {
        let mut command = Command::new(python_path());
        command.args(["-m", "bumble.apps.bench", "--scenario", scenario, "--mode", mode]);
        command.args(["--packet-size", "492", "--packet-count", "500", "--extended-data-length", "251/17040"]);
        command.args(["--start-delay", "1"]).args(role);
        // It logs what it has to say.
        Process::start(&mut command, true)
    };
    let peripheral = bench("receive", "l2cap-server", &["peripheral", &server.transport(1)])?;
    let sender = ["central", "--ci", "15", "--phy", "2m", &server.transport(0)];
    let central = bench("send", "l2cap-client", &sender)?;
    central.end()?;
    let lines = peripheral.lines_to_end()?;
    let received =
        lines.iter().rev().find(|line| line.contains("Received last packet")).ok_or("nothing was received")?;
    println!("{}", received.trim());
    let link = server.report()?["links"][0].clone();
    let octets = link["octets"]["c2p"].as_u64().unwrap_or_default();
    if octets >= 500 * 492 { Ok(()) } else { Err(format!("{octets} octets went over the air: {link}").into()) }
}
