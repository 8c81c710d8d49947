//! `airtime hw ble --role peripheral`: Linux is the board, advertised by BlueZ's daemon, and our own hosts are the centrals of it.

use libtest_mimic::Failed;
use serde_json::Value;

use super::back_end::{record, refused};
use super::machine::Machine;
use super::{Server, arrived_whole, least, length};
use crate::command::close;

/// Centrals, each of a board of another name.
const CENTRALS: [&str; 4] = [
    "coc-source,role=central,name=takes,sdu=492,interval=30ms",
    "coc-sink,role=central,name=sends,mtu=2048,mps=247,interval=30ms",
    "gatt-source,role=central,name=written,gatt.method=write-request",
    "gatt-sink,role=central,name=indicates,gatt.method=indication,interval=7.5ms",
];

/// Share by which the figure of a program and that of the air may differ: the program's is of the time behind its warm-up.
const TOLERANCE: f64 = 0.05;

/// The same of a channel: the air's figure has the time in which the interval and the data length of the kernel's request were not there yet, and
/// a socket that sends takes 200 kB before the air is what it waits for.
const CHANNEL_TOLERANCE: f64 = 0.15;

/// The most that rounding puts between them, in kbit/s: each has one decimal.
const ROUNDED: f64 = 0.1;

/// Plan of a stream from the central.
const TO_IT: &str = "--plan coc-nrf --set ble.direction=c2p";

fn board(carrier: &str, name: &str, more: &str) -> String {
    format!("airtime hw ble {carrier} --role peripheral --adapter any --name {name} --radio live {more}")
}

/// The daemon advertises, a central reads the PSM and opens the channel: a stream each way. Then values that are written to it with requests, and
/// values that it indicates. The air has carried as many of each.
pub fn streams() -> Result<(), Failed> {
    let server = Server::start(&CENTRALS)?;
    let mut machine = server.machine()?;
    machine.daemon()?;
    let mut done = |line: &str| record(&mut machine, line);
    let taken = done(&board("coc", "takes", &format!("{TO_IT} {}", length(12))))?;
    let sent = done(&board("coc", "sends", &format!("--plan coc-nrf {}", length(15))))?;
    let written = done(&board("gatt", "written", "--plan gatt-notify --set ble.direction=c2p --for 10s"))?;
    let values = "--plan gatt-notify --set gatt.method=indication --set gatt.payload=20 --for 10s";
    let indicated = done(&board("gatt", "indicates", values))?;
    refuses(&mut machine)?;
    drop(machine);
    server.ended(|report, _| {
        let links: [Value; 4] = super::streams::links(report)?;
        // A report has them by their centrals, and not by their time: of each way the channel is the faster one.
        let [values, takes] = of_way(&links, "c2p")?;
        let [indicates, sends] = of_way(&links, "p2c")?;
        let kbps = |value: &Value| value.as_f64().ok_or_else(|| format!("no figure: {value}"));
        for (what, record, link, way, tolerance) in [
            ("takes", &taken["goodput_kbps"]["median"], takes, "c2p", CHANNEL_TOLERANCE),
            ("sends", &sent["accepted_kbps"], sends, "p2c", CHANNEL_TOLERANCE),
            ("written", &written["goodput_kbps"]["median"], values, "c2p", TOLERANCE),
            ("indicates", &indicated["accepted_kbps"], indicates, "p2c", TOLERANCE),
        ] {
            println!("{what}: {record} kbps, of the air {}, {}", link["goodput_kbps"], link["negotiated"]);
            let air = kbps(&link["goodput_kbps"][way])?;
            close(what, kbps(record)?, air, tolerance + ROUNDED / air)?;
        }
        arrived_whole(&taken, least(300_000));
        // What it has taken was in the air, and only what was stopped on its way is missing.
        assert!(takes["octets"]["c2p"].as_u64() >= taken["delivered_bytes"].as_u64(), "{links:?}, {taken}");
        Ok(())
    })
}

/// The two links that carried payload that way, the slower one first.
fn of_way<'a>(links: &'a [Value], way: &str) -> Result<[&'a Value; 2], Failed> {
    let mut of: Vec<&Value> = links.iter().filter(|link| link["octets"][way].as_u64() > Some(0)).collect();
    of.sort_by_key(|link| link["octets"][way].as_u64());
    of.try_into().map_err(|of| format!("two links were expected {way}: {of:?}").into())
}

/// Each refusal, for what it lacks or BlueZ cannot do, says what to do.
fn refuses(machine: &mut Machine) -> Result<(), Failed> {
    refused(machine, &board("gatt", "notifies", "--for 4s"), "gatt.method=indication has each one confirmed")?;
    refused(machine, &board("coc", "nobodys", "").replace("any", "00:00:00:00:00:01"), "there is no adapter 00:00")?;
    machine.bluetooth("power off", "Set Powered complete")?;
    refused(machine, &board("coc", "nobodys", ""), "is off: `bluetoothctl power on`")
}
