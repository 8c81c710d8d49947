//! `airtime hw ble`: its central on a virtual controller, against our own board's host on another.

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::{close, output};
use crate::peer::real_time;
use crate::program::airtime;
use crate::server::{Process, Server};

/// Share by which a stream in real time may differ from the run of its plan.
const TOLERANCE: f64 = 0.02;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![
        real_time("hw ble takes a channel's stream as its plan predicts", as_planned),
        real_time("hw ble is the board of a central, as its plan predicts", as_board),
        real_time("hw ble that is stopped in mid-stream keeps what it has", stopped),
        real_time("hw ble says that a board has gone in mid-stream", gone),
    ]
}

fn record(command: &str, arguments: &[&str]) -> Result<Value, Failed> {
    let words = command.split(' ').chain(arguments.iter().copied());
    let document: Value = serde_json::from_str(&output(airtime().args(words).args(["--json", "--quiet"]))?)?;
    Ok(document["records"][0].clone())
}

fn median(record: &Value) -> Result<f64, Failed> {
    record["goodput_kbps"]["median"].as_f64().ok_or_else(|| format!("no goodput in {record}").into())
}

fn as_planned() -> Result<(), Failed> {
    let options = [",personality=zephyr-ll,acl.count=24"];
    let server = Server::start(&options, &["--peer", "coc-source,interval=15ms,sdu=492,in_flight=6,acl.count=6"])?;
    let place = format!("tcp:127.0.0.1:{}", server.ports[0]);
    output(airtime().args(["hw", "ble", "doctor", "--hci", &place]))?;
    let live = record("hw ble coc --plan coc-nrf --for 8s", &["--hci", &place])?;
    assert_eq!(live["radio"], "live", "a socket is no radio");
    let terms = &live["negotiated"];
    assert_eq!((&terms["conn_interval"], &terms["phy"], &terms["mps"]), (&"15ms".into(), &"2M".into(), &247.into()));
    close("hw ble coc", median(&live)?, median(&record("run coc-nrf", &[])?)?, TOLERANCE)
}

/// The other way round: its end is the peripheral, whose stack says what it has taken.
fn as_board() -> Result<(), Failed> {
    let options = [",personality=zephyr-ll,acl.count=24"];
    let central = "coc-sink,role=central,interval=15ms,name=pi,mtu=2048,mps=247";
    let server = Server::start(&options, &["--peer", central])?;
    let place = format!("tcp:127.0.0.1:{}", server.ports[0]);
    let live = record("hw ble coc --role peripheral --name pi --plan coc-nrf --for 8s", &["--hci", &place])?;
    let terms = &live["negotiated"];
    assert_eq!((&terms["conn_interval"], &terms["phy"], &terms["mps"]), (&"15ms".into(), &"2M".into(), &247.into()));
    assert_eq!(live["params"]["ble.direction"], "p2c", "{live}");
    let accepted = live["accepted_kbps"].as_f64().ok_or_else(|| format!("no figure in {live}"))?;
    let credits = "--set coc.credits=bumble --set coc.mtu=2048";
    close("hw ble coc", accepted, median(&record(&format!("run coc-nrf {credits}"), &[])?)?, TOLERANCE)
}

fn stopped() -> Result<(), Failed> {
    let server = Server::start(&[""], &["--peer", "coc-source"])?;
    let place = format!("tcp:127.0.0.1:{}", server.ports[0]);
    let mut central = airtime();
    central.args(["hw", "ble", "coc", "--for", "1h", "--json", "--hci", &place]);
    let central = Process::start(&mut central, true)?;
    while !central.line()?.starts_with("4.0 s: ") {}
    let document: Value = serde_json::from_str(&central.interrupt()?)?;
    let record = &document["records"][0];
    let seconds = record["series_kbps"].as_array().map_or(0, Vec::len);
    if seconds >= 4 && median(record)? > 0.0 { Ok(()) } else { Err(format!("{record}").into()) }
}

fn gone() -> Result<(), Failed> {
    let server = Server::start(&["", ""], &[])?;
    let place = |endpoint: usize| format!("tcp:127.0.0.1:{}", server.ports[endpoint]);
    let mut board = airtime();
    board.args(["live", "host", "coc-source", "--quiet", "--hci", &place(1)]);
    let board = Process::start(&mut board, false)?;
    let mut central = airtime();
    central.args(["hw", "ble", "coc", "--for", "60s", "--hci", &place(0)]);
    let central = Process::start(&mut central, true)?;
    while !central.line()?.starts_with("2.0 s: ") {}
    board.kill()?;
    let failed = central.lines_to_end().err().ok_or("it has not noticed")?;
    let said = failed.message().unwrap_or_default();
    if said.contains("(0x08, supervision timeout)") { Ok(()) } else { Err(said.into()) }
}
