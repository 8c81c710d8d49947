//! `airtime hw ble` by names: BlueZ's daemon finds the board, and reads where its channel is.

use airtime_rpc::service::pattern;
use libtest_mimic::Failed;
use serde_json::Value;

use super::back_end::{record, refused};
use super::machine::Machine;
use super::{Server, arrived_whole, least, length};
use crate::command::close;

/// The board by its name.
const BOARD: &str = "airtime hw ble coc --adapter any --name board --radio live";

/// The board, and its address.
const SOURCE: &str = "coc-source,name=board,sdu=492";
const ADDRESS: &str = "C0:00:5E:00:01:02";

/// The board that notifies, at a third of what the air could carry: each value is a message on the bus of a machine whose processor
/// is software, and what falls behind is no question of the radio.
const VALUES: &str = "gatt-source,name=values,gatt.offered=100kbps";

/// The board that values are written to, each with a request.
const WRITTEN: &str = "gatt-sink,role=peripheral,name=written,gatt.method=write-request";

/// Share by which the figure of a program and that of the air may differ: the program's is of the time behind its warm-up.
const TOLERANCE: f64 = 0.05;

/// A scan hears a name, and a stream comes from whoever has it, though nobody has said an address or a PSM. Values that another board
/// notifies come through the daemon, and those that a third takes go through it. The air has carried as many of each.
pub fn takes() -> Result<(), Failed> {
    let server = Server::start(&[SOURCE, VALUES, WRITTEN])?;
    let mut machine = server.machine()?;
    machine.daemon()?;
    let said = machine.does("airtime hw ble scan --adapter any --name board --json")?;
    let heard: Value = serde_json::from_str(&said).map_err(|error| format!("{error}: {said}"))?;
    let of_board = |device: &Value| device["name"] == "board" && device["address"] == ADDRESS;
    assert!(heard["advertisers"].as_array().is_some_and(|all| all.iter().any(of_board)), "{heard}");
    let streamed = record(&mut machine, &format!("{BOARD} {}", length(8)))?;
    // The daemon has let the board go, so that it advertises again.
    machine.does("airtime hw ble scan --adapter any --name board")?;
    let values = BOARD.replace("coc", "gatt").replace("board", "values");
    let notified = record(&mut machine, &format!("{values} --for 8s"))?;
    machine.does("airtime hw ble scan --adapter any --name values")?;
    let writes = format!("{} --plan gatt-notify --set ble.direction=c2p", values.replace("values", "written"));
    refused(&mut machine, &writes, "--hci writes commands")?;
    let written = record(&mut machine, &format!("{writes} --set gatt.method=write-request --for 8s"))?;
    drop(machine);
    server.ended(|report, _| {
        let links: [Value; 3] = super::streams::links(report)?;
        is_of_the_air(&streamed, least(200_000), &links[0])?;
        is_of_the_air(&notified, 50_000, &links[1])?;
        println!("written with requests: {} kbps, of the air {}", written["accepted_kbps"], links[2]["goodput_kbps"]);
        let kbps = |value: &Value| value.as_f64().ok_or_else(|| format!("no figure in {written}"));
        close("answered", kbps(&written["accepted_kbps"])?, kbps(&links[2]["goodput_kbps"]["c2p"])?, TOLERANCE)
    })
}

/// Remote calls to a server that is found by its name, by the published client's library and by us: the published checks, sealed, and a piece of
/// its memory. It is called no more once its key is another.
pub fn calls() -> Result<(), Failed> {
    let server = Server::serving()?;
    let mut machine = server.machine_with_python()?;
    machine.daemon()?;
    super::python::calls(&mut machine)?;
    let call = |work: &str| format!("airtime hw ble rpc {work} --adapter any --known-keys /tmp/keys --quiet");
    let said = machine.does(&call("conformance --json"))?;
    let report: Value = serde_json::from_str(&said).map_err(|error| format!("{error}: {said}"))?;
    let checks = report["checks"].as_array().ok_or("no checks")?;
    assert!(checks.len() >= 9 && checks.iter().all(|check| check["passed"] == true), "{checks:?}");
    machine.does("grep -q C0:00:5E:00:01: /tmp/keys")?;
    machine.does(&call("read 0x40 8K -o /tmp/read"))?;
    let read = machine.does("od -An -v -tx1 /tmp/read | tr -d ' \\n'")?;
    let expected: String = (0x40..0x2040).map(|address| format!("{:02x}", pattern(address))).collect();
    assert!(read.trim() == expected, "{} digits instead of {}", read.trim().len(), expected.len());
    machine.does("sed -i 's/[0-9a-f]\\{8\\}$/00000000/' /tmp/keys")?;
    refused(&mut machine, &call("call echo message=hello"), "the one that is known is")?;
    refused(&mut machine, &call("call echo message=hello --set rpc.transport=coc"), "frames as values")?;
    refused(
        &mut machine,
        &call("call echo message=hello --name nobody --timeout 1min"),
        "nobody advertises as `nobody`",
    )?;
    Ok(())
}

/// Fails where the record `taken` says another rate than `link` of the air, or less than so many octets.
fn is_of_the_air(taken: &Value, octets: u64, link: &Value) -> Result<(), Failed> {
    arrived_whole(taken, octets);
    let kbps = |value: &Value| value.as_f64().ok_or_else(|| format!("no figure in {taken}"));
    let arrived = kbps(&taken["goodput_kbps"]["median"])?;
    close("arrived", arrived, kbps(&link["goodput_kbps"]["p2c"])?, TOLERANCE)
}

/// Each refusal says what to do: the kernel's, and the daemon's from no bus to no channel.
pub fn refuses() -> Result<(), Failed> {
    let server = Server::start(&[SOURCE])?;
    let mut machine = Machine::boot(&server.hci())?;
    super::back_end::refuses(&mut machine)?;
    refused(&mut machine, BOARD, "no D-Bus system bus")?;
    machine.does("dbus-daemon --config-file=/etc/bus.conf --fork")?;
    refused(&mut machine, BOARD, "BlueZ's daemon does not run: `systemctl start bluetooth`")?;
    machine.does("kill $(pidof dbus-daemon)")?;
    machine.daemon()?;
    refused(&mut machine, &BOARD.replace("board", "nobody"), "nobody advertises as `nobody` (heard board)")?;
    refused(&mut machine, &format!("{BOARD} --psm 0x0090 --for 4s"), "takes no channel on that PSM")?;
    refused(&mut machine, &BOARD.replace("any", "00:00:00:00:00:01"), "there is no adapter 00:00:00:00:00:01")?;
    machine.bluetooth("power off", "Set Powered complete")?;
    refused(&mut machine, BOARD, "is off: `bluetoothctl power on`")?;
    Ok(())
}
