//! `airtime hw ble --hci usb`: a dongle in the machine's USB port, and Linux's own driver beside us.

use libtest_mimic::Failed;

use super::Server;
use super::back_end::{record, refused};
use super::dongle::NUMBERS;
use super::machine::Machine;
use crate::command::close;

/// Share by which the figure of a program and that of the air may differ: the program's is of the time behind its warm-up.
const TOLERANCE: f64 = 0.05;

/// The kernel's driver brings the dongle up, we take it, stream both ways and say what is not there, and the driver has it again.
pub fn takes() -> Result<(), Failed> {
    let server =
        Server::start(&["coc-source,name=board,sdu=492", "coc-sink,role=peripheral,name=sink,mtu=2048,mps=247"])?;
    let mut machine = Machine::with_dongle(&server.hci())?;
    machine.bluetooth("power on", "Set Powered complete, settings: powered")?;
    let said = machine.does("airtime hw ble doctor --hci usb 2>&1")?;
    assert!(said.contains("ok: usb opens") && said.contains("the controller can be used"), "{said}");
    machine.until("[ -e /sys/class/bluetooth/hci0 ]", 60)?;
    let central = |more: &str| format!("airtime hw ble coc --hci usb:{NUMBERS} --radio live {more}");
    let taken = record(&mut machine, &central("--name board --for 8s"))?;
    let sent = record(&mut machine, &central("--name sink --plan coc-nrf --set ble.direction=c2p --for 8s"))?;
    refused(&mut machine, &central("--name board").replace("2FE3", "0A12"), "there is usb:2FE3:000B:1 (airtime)")?;
    machine.until("[ -e /sys/class/bluetooth/hci0 ]", 60)?;
    drop(machine);
    server.ended(|report, _| {
        let links: [serde_json::Value; 2] = super::streams::links(report)?;
        let kbps = |value: &serde_json::Value| value.as_f64().ok_or_else(|| format!("no figure in {taken} or {sent}"));
        let arrived = kbps(&taken["goodput_kbps"]["median"])?;
        println!("over USB {arrived} kbps arrived, {} were accepted", sent["accepted_kbps"]);
        close("arrived", arrived, kbps(&links[0]["goodput_kbps"]["p2c"])?, TOLERANCE)?;
        close("accepted", kbps(&sent["accepted_kbps"])?, kbps(&links[1]["goodput_kbps"]["c2p"])?, TOLERANCE)
    })
}
