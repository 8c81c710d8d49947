//! The kernel's L2CAP as either end of a credit-based channel, and what it agrees on.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Failed;
use serde_json::Value;

use super::Server;
use super::machine::Machine;
use crate::command::{close, output, predicted_kbps};

/// Octets of one SDU, and SDUs of a stream: ten seconds of it.
const SDU: u64 = 492;
const SDUS: u64 = 300_000_u64.div_ceil(SDU);

/// MTU that `l2test` is told to take; and that of a socket that is told nothing. Linux `l2cap.h`, L2CAP_DEFAULT_MTU.
const MTU: u64 = 2_048;
const MTU_UNTOLD: u64 = 672;

/// Largest payload of a K-frame here: the controller's ACL buffer less the header. Linux `l2cap_core.c`, l2cap_le_flowctl_init.
const MPS: u64 = 247;

/// Command codes of L2CAP. Core 6.0, Vol 3, Part A, 4.22 and 4.23.
const REQUEST: &str = "0x14";
const RESPONSE: &str = "0x15";

/// Share by which a stream in real time, with a machine in software beside it, may differ from its run.
const TOLERANCE: f64 = 0.05;

/// The first and the second peer of a server, behind its two endpoints.
const FIRST: &str = "C0:00:5E:00:01:02";
const SECOND: &str = "C0:00:5E:00:01:03";

/// Counts the SDUs that `l2test` tells of: it has a line for each, with the length, since their content is not its own.
const COUNT: &str = "grep -c 'size mismatch: 492 ' /tmp/l2";

/// The kernel takes a controller and finds who advertises. As the central it opens the channel, and takes a stream; then it opens another, and sends as much.
pub fn as_central() -> Result<(), Failed> {
    let server = Server::start(&["coc-source,sdu=492", "coc-sink,role=peripheral,name=sink,mtu=2048,mps=247"])?;
    let mut machine = server.machine()?;
    let info = machine.bluetooth("info", "Primary controller")?;
    assert!(info.contains("current settings: powered"), "{info}");
    let found = machine.bluetooth("find -l", "name sink")?;
    assert!(found.contains(&format!("dev_found: {SECOND} type LE Public")), "{found}");
    machine.does(&format!("l2test -u -P 128 -V le_public -I {MTU} {FIRST} > /tmp/l2 2>&1 & l2=$!"))?;
    machine.until(&format!("[ $({COUNT}) -ge {SDUS} ]"), 200)?;
    machine.does("kill $l2; wait $l2; true")?;
    // What the socket still holds when it is closed is lost: it waits for the last of it.
    let send = format!("l2test -s -N {SDUS} -b {SDU} -g 15000 -P 128 -V le_public {SECOND} > /tmp/l2 2>&1");
    machine.does(&format!("{send} & l2=$!"))?;
    machine.until("grep -q Done /tmp/l2", 200)?;
    let version = machine.version().to_owned();
    drop(machine);
    server.ended(|report, capture| {
        let endpoint = &report["endpoints"][0];
        println!("{} commands", endpoint["commands"]);
        assert_eq!(endpoint["malformed"], 0, "{endpoint}");
        let [receives, sends] = links(report)?;
        print(&version, "central", &receives);
        print(&version, "central", &sends);
        assert!(receives["octets"]["p2c"].as_u64() >= Some(SDUS * SDU), "{receives}");
        assert_eq!(sends["octets"]["c2p"], SDUS * SDU, "{sends}");
        for link in [&receives, &sends] {
            let terms = &link["negotiated"];
            // bluez, host.intervals.initial; no procedure of the kernel, and none of its controller's.
            assert_eq!(terms["conn_interval"], "50ms", "{terms}");
        }
        for (way, link, credits) in [("p2c", &receives, "bluez"), ("c2p", &sends, "bumble")] {
            let kbps = link["goodput_kbps"][way].as_f64().ok_or("no goodput")?;
            close(way, kbps, predicted(way, credits)?, TOLERANCE)?;
        }
        let asked = channels(capture, REQUEST)?;
        println!("Linux asks for {asked:?}");
        assert_eq!(asked.iter().map(|channel| channel.mtu).collect::<Vec<_>>(), [MTU, MTU_UNTOLD]);
        for channel in &asked {
            assert_eq!((channel.mps, channel.credits), (MPS, channel.mtu / MPS + 1), "{channel:?}");
        }
        Ok(())
    })
}

/// The kernel as the peripheral: it takes the channel, and a stream on it; then another, and sends as much.
pub fn as_peripheral() -> Result<(), Failed> {
    let source = "coc-source,role=central,psm=0x0080,name=takes,sdu=492,interval=15ms";
    let sink = "coc-sink,role=central,psm=0x0080,name=sends,mtu=2048,mps=247,interval=15ms";
    let server = Server::start(&[source, sink])?;
    let mut machine = server.machine()?;
    machine.does(&format!("l2test -r -P 128 -V le_public -I {MTU} > /tmp/l2 2>&1 & l2=$!"))?;
    machine.bluetooth("name takes", "")?;
    machine.bluetooth("connectable on", "Set Connectable complete")?;
    machine.bluetooth("advertising on", "Set Advertising complete")?;
    machine.until(&format!("[ $({COUNT}) -ge {SDUS} ]"), 200)?;
    machine.does("kill $(pidof l2test); wait $l2; true")?;
    machine.does(&format!("l2test -w -N {SDUS} -b {SDU} -g 15000 -P 128 -V le_public > /tmp/l2 2>&1 & l2=$!"))?;
    // It advertises again by itself as soon as the connection is over.
    machine.bluetooth("name sends", "")?;
    machine.until("grep -q Done /tmp/l2", 200)?;
    let version = machine.version().to_owned();
    drop(machine);
    server.ended(|report, capture| {
        let all = report["links"].as_array().ok_or("no links")?;
        let carried = |way: &str| all.iter().filter_map(|link| link["octets"][way].as_u64()).max();
        for link in all {
            print(&version, "peripheral", link);
        }
        let terms = all
            .iter()
            .filter(|link| link["octets"]["c2p"].as_u64() > Some(0) || link["octets"]["p2c"].as_u64() > Some(0));
        for terms in terms.map(|link| &link["negotiated"]) {
            // As a peripheral it asks for 30 to 50 ms at once (l2cap_core.c, l2cap_le_conn_ready), and prefers 1M whoever asks for more.
            assert_eq!((&terms["conn_interval"], &terms["phy"]["c2p"]), (&"30ms".into(), &"1M".into()), "{terms}");
            assert_eq!((&terms["dle"]["c2p"], &terms["dle"]["p2c"]), (&251.into(), &251.into()), "{terms}");
        }
        assert!(carried("c2p") >= Some(SDUS * SDU), "{all:?}");
        assert!(carried("p2c") >= Some(SDUS * SDU), "{all:?}");
        let answered = channels(capture, RESPONSE)?;
        println!("Linux answers {answered:?}");
        let first = answered.first().ok_or("no channel")?;
        assert_eq!((first.mtu, first.mps, first.credits), (MTU, MPS, MTU / MPS + 1));
        Ok(())
    })
}

/// A reset in mid-stream ends the channel, and the adapter goes on; a controller that is pulled takes the adapter with it.
pub fn faults() -> Result<(), Failed> {
    let server = Server::start(&["coc-source,sdu=492"])?;
    let mut machine = server.machine()?;
    let stream = |machine: &mut Machine| {
        // An adapter that is pulled while the kernel connects has it stumble, so that it is to stream for sure: what the first
        // stream has said is not to be counted for the second.
        machine.does(": > /tmp/l2")?;
        machine.does(&format!("l2test -u -P 128 -V le_public -I {MTU} {FIRST} >> /tmp/l2 2>&1 & l2=$!"))?;
        machine.until(&format!("[ $({COUNT}) -ge 50 ]"), 60)
    };
    stream(&mut machine)?;
    machine.bluetooth("power off", "Set Powered complete")?;
    // It ends by itself: its channel is gone.
    machine.until("! kill -0 $l2 2> /dev/null", 60)?;
    machine.bluetooth("power on", "Set Powered complete")?;
    stream(&mut machine)?;
    server.kill()?;
    machine.until("! kill -0 $l2 2> /dev/null", 60)?;
    machine.until("grep -q 'the controller has gone' /tmp/vhci", 60)?;
    machine.until("[ -z \"$(ls /sys/class/bluetooth)\" ]", 60)?;
    Ok(())
}

/// Goodput in kbps of the same in virtual time: the kernel as the central, with what it agrees on.
fn predicted(way: &str, credits: &str) -> Result<f64, Failed> {
    predicted_kbps(&[
        ("central.personality", "bluez"),
        ("ble.conn_interval", "50ms"),
        ("ble.phy", "1M"),
        ("ble.data_length", "27"),
        ("coc.sdu", "492"),
        ("ble.direction", way),
        ("coc.credits", credits),
    ])
}

/// The links of a report that carried something, of which there are so many.
pub fn links<const N: usize>(report: &Value) -> Result<[Value; N], Failed> {
    let all = report["links"].as_array().ok_or("no links")?;
    let carried = |link: &&Value| ["c2p", "p2c"].iter().any(|way| link["octets"][way].as_u64() > Some(0));
    let carried: Vec<Value> = all.iter().filter(carried).cloned().collect();
    carried.try_into().map_err(|all| format!("{N} links were expected: {all:?}").into())
}

fn print(version: &str, role: &str, link: &Value) {
    println!(
        "Linux {version} as the {role}: {} at {} kbps, {}",
        link["octets"], link["goodput_kbps"], link["negotiated"]
    );
}

/// Terms of a credit-based channel as one end says them.
#[derive(Debug)]
struct Channel {
    mtu: u64,
    mps: u64,
    credits: u64,
}

/// Terms that the packets with this command code have, in a capture of the air.
fn channels(capture: &Path, code: &str) -> Result<Vec<Channel>, Failed> {
    let mut tshark = Command::new("tshark");
    tshark.arg("-r").arg(capture).args(["-Y", &format!("btl2cap.cmd_code == {code}"), "-T", "fields"]);
    tshark.args(["-e", "btl2cap.option_mtu", "-e", "btl2cap.mps", "-e", "btl2cap.initial_credits"]);
    let listed = output(&mut tshark)?;
    let terms = |line: &str| {
        let mut numbers = line.split('\t').map(|number| number.parse().ok());
        Some(Channel { mtu: numbers.next()??, mps: numbers.next()??, credits: numbers.next()?? })
    };
    listed.lines().map(|line| terms(line).ok_or_else(|| format!("what is this of tshark: {line}").into())).collect()
}
