//! Programs of others through a live pipeline of an ESP host, and the receiver for a real board.

use std::io::Write;
use std::net::{TcpStream, UdpSocket};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::{close, output};
use crate::namespaces::Joined;
use crate::nrf24::{iperf3, number, wound_up};
use crate::peer::{Peer, trial};
use crate::program::airtime;
use crate::server::Process;

const BOTH: &[Peer] = &[Peer::Airtime, Peer::Namespaces, Peer::Ping, Peer::Iperf3];

/// How far real time may be from virtual time where the same is sent.
const TOLERANCE: f64 = 0.10;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![
        trial("iperf3 with datagrams through live Wi-Fi as predicted", BOTH, || datagrams(30)),
        trial("iperf3 with more datagrams than live Wi-Fi carries as predicted", BOTH, || datagrams(70)),
        trial("iperf3 with TCP through live Wi-Fi as the chain allows", BOTH, stream),
        trial("the receiver for a real board counts what arrives and what does not", &[Peer::Airtime], sink),
    ]
}

/// Goodput in kbps of a shipped plan with these keys.
fn predicted(plan: &str, set: &[&str]) -> Result<f64, Failed> {
    let mut command = airtime();
    command.args(["run", plan, "--json", "--set", "run.duration=8s"]);
    set.iter().for_each(|set| _ = command.args(["--set", set]));
    let document: Value = serde_json::from_str(&output(&mut command)?)?;
    number(&document["records"][0]["goodput_kbps"]["median"], &document)
}

fn datagrams(offered_mbps: u32) -> Result<(), Failed> {
    let expected = predicted("wifi-udp-tx", &[&format!("traffic.offered={offered_mbps}Mbps")])?;
    let joined = Joined::wifi(&[])?;
    let rate = format!("{offered_mbps}M");
    let report = iperf3(&joined, &["-u", "-l", "1400", "-b", &rate, "-t", "10", "-O", "1"])?;
    let found = number(&report["end"]["sum_received"]["bits_per_second"], &report["end"])? / 1e3;
    wound_up(joined)?;
    close("kbps of UDP", found, expected, TOLERANCE)
}

fn stream() -> Result<(), Failed> {
    // The stack that sends is the kernel's, not lwIP: what both have in common is what the chain carries of datagrams.
    let ceiling = predicted("wifi-udp-tx", &["traffic.offered=70Mbps"])?;
    let joined = Joined::wifi(&[])?;
    let report = iperf3(&joined, &["-t", "10", "-O", "1"])?;
    let found = number(&report["end"]["sum_received"]["bits_per_second"], &report["end"])? / 1e3;
    wound_up(joined)?;
    println!("{found:.0} kbps of TCP, {ceiling:.0} kbps of UDP in virtual time");
    if (0.3 * ceiling..=1.1 * ceiling).contains(&found) {
        Ok(())
    } else {
        Err(format!("{found:.0} kbps of TCP where {ceiling:.0} of UDP are predicted").into())
    }
}

/// A datagram as iperf 2 numbers them.
fn datagram(number: i32) -> Vec<u8> {
    let mut datagram = number.to_be_bytes().to_vec();
    datagram.extend_from_slice(&1_700_000_000_u32.to_be_bytes());
    datagram.extend_from_slice(&[0; 4]);
    datagram.resize(1_400, 0);
    datagram
}

fn sink() -> Result<(), Failed> {
    let mut command = airtime();
    command.args(["hw", "sink", "--udp", "0", "--tcp", "0", "--bind", "127.0.0.1", "--json", "--every", "100ms"]);
    let process = Process::start(&mut command, true)?;
    let mut places = vec![];
    while places.len() < 2 {
        let line = process.line()?;
        places.extend(line.split_once(' ').map(|(_, place)| place.to_owned()));
    }
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    for number in (0..100).filter(|number| number % 10 != 3) {
        socket.send_to(&datagram(number), &places[0])?;
    }
    TcpStream::connect(&places[1])?.write_all(&[0x55; 300_000])?;
    // A line of progress that has both says that they were read.
    loop {
        let line = process.line()?;
        if line.contains("tcp") && !line.ends_with("tcp 0.00 Mbps") {
            break;
        }
    }
    let report: Value = serde_json::from_str(&process.interrupt()?)?;
    let (udp, tcp) = (&report["udp"][0], &report["tcp"][0]);
    let found = [&udp["bytes"], &udp["loss"]["lost"], &udp["loss"]["numbers"], &tcp["bytes"]].map(Value::to_string);
    if found == ["126000", "10", "\"iperf2\"", "300000"] { Ok(()) } else { Err(format!("{report}").into()) }
}
