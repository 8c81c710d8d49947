//! Unmodified Bumble hosts on virtual controllers, in real time.

use libtest_mimic::Failed;
use serde_json::Value;

use crate::command::{close, predicted_kbps};
use crate::peer::python_path;
use crate::server::{PATIENCE, Process, Server, script};

/// How far a stream in real time may be from its prediction.
const TOLERANCE: f64 = 0.05;

/// What both hosts came to.
struct Streamed {
    /// What the receiving central printed.
    central: Value,
    /// The server's own report.
    report: Value,
}

/// The peripheral streams to the central over a channel.
fn stream(endpoint: &str, interval: f64, more: &[&str]) -> Result<Streamed, Failed> {
    let server = Server::start(&[endpoint, endpoint], &[])?;
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

/// Enough buffers in the controller hide the outside host: what is left is the air.
pub fn streams_as_predicted(interval: f64) -> Result<(), Failed> {
    let streamed = stream(",personality=nordic-sdc,acl.count=24", interval, &[])?;
    let central = &streamed.central;
    assert_eq!(central["interval_ms"].as_f64(), Some(interval), "{central}");
    assert_eq!(central["phy"], serde_json::json!([2, 2]), "{central}");
    let interval = format!("{interval}ms");
    let expected = predicted_kbps(&[
        ("central.personality", "nordic-sdc"),
        ("peripheral.personality", "nordic-sdc"),
        ("ble.conn_interval", &interval),
        ("coc.sdu", "492"),
        ("coc.mps", "247"),
        ("coc.mtu", "2048"),
        ("coc.credits", "{ max = 64 }"),
        ("acl.count", "24"),
    ])?;
    close(&format!("Bumble at {interval}"), kbps(&streamed)?, expected, TOLERANCE)
}
