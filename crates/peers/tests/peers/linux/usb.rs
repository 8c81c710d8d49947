//! `airtime hw ble --hci usb` and `--hci hci0`: a dongle in the machine's USB port, taken from Linux's own driver, and from the host above that.

use libtest_mimic::Failed;
use serde_json::Value;

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
    let by_channel = by_user_channel(&mut machine)?;
    drop(machine);
    server.ended(|report, _| {
        let links: [Value; 3] = super::streams::links(report)?;
        let kbps =
            |value: &Value| value.as_f64().ok_or_else(|| format!("no figure in {taken} or {sent} or {by_channel}"));
        let arrived = kbps(&by_channel["goodput_kbps"]["median"])?;
        close("by the user channel", arrived, kbps(&links[2]["goodput_kbps"]["p2c"])?, TOLERANCE)?;
        let arrived = kbps(&taken["goodput_kbps"]["median"])?;
        println!("over USB {arrived} kbps arrived, {} were accepted", sent["accepted_kbps"]);
        close("arrived", arrived, kbps(&links[0]["goodput_kbps"]["p2c"])?, TOLERANCE)?;
        close("accepted", kbps(&sent["accepted_kbps"])?, kbps(&links[1]["goodput_kbps"]["c2p"])?, TOLERANCE)
    })
}

/// The driver goes on, and the controller is taken from the kernel's host: not while that is on, and it can be switched on again behind it.
fn by_user_channel(machine: &mut Machine) -> Result<Value, Failed> {
    machine.bluetooth("power on", "Set Powered complete, settings: powered")?;
    refused(machine, "airtime hw ble doctor --hci hci0", "hci0 is the kernel's: `bluetoothctl power off`")?;
    refused(machine, "airtime hw ble doctor --hci hci7", "there is no hci7: `ls /sys/class/bluetooth`")?;
    machine.bluetooth("power off", "Set Powered complete")?;
    let said = machine.does("airtime hw ble doctor --hci hci0 2>&1")?;
    assert!(said.contains("ok: hci0 opens") && said.contains("the controller can be used"), "{said}");
    let taken = record(machine, "airtime hw ble coc --hci hci0 --radio live --name board --for 8s")?;
    machine.bluetooth("power on", "Set Powered complete, settings: powered")?;
    Ok(taken)
}
