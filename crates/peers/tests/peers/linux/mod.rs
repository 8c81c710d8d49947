//! Linux's own Bluetooth stack on our controllers: the distribution's kernel in a virtual machine, and BlueZ's `l2test` above it.
//!
//! ```text
//!   BlueZ's daemon ────┐
//!   l2test ── L2CAP sockets ── kernel ── /dev/vhci ── `airtime hw vhci`     within the machine
//!                                                          │ a port of it
//!                                        `airtime live ble`                 outside, in real time
//! ```

mod archive;
mod back_end;
mod daemon;
mod dongle;
mod image;
mod machine;
mod peripheral;
mod python;
mod streams;
mod usb;

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use tempfile::TempDir;

use self::machine::Machine;
use crate::peer::{Peer, beside, trial};
use crate::program::airtime;
use crate::server::Process;

pub use image::kernel;

/// Peers of each test of this folder.
const LINUX: &[Peer] = &[Peer::Airtime, Peer::Qemu, Peer::Linux, Peer::Tshark];

/// Peers of those with Python within.
const PYTHON: &[Peer] = &[Peer::Airtime, Peer::Qemu, Peer::Linux, Peer::Bleak, Peer::BlerpcProtocol];

/// The tests of this folder.
pub fn trials() -> Vec<Trial> {
    vec![
        trial("linux finds who advertises, and streams as the central, both ways", LINUX, streams::as_central),
        trial("linux streams as the peripheral, both ways", LINUX, streams::as_peripheral),
        beside("linux goes on after a reset in mid-stream, and loses what is pulled", LINUX, streams::faults),
        beside("hw ble streams over linux's own stack, both ways", LINUX, back_end::streams),
        beside("hw ble says that a board has gone, over linux's own stack", LINUX, back_end::loses),
        beside("hw ble takes a stream and values by name through bluez's daemon", LINUX, daemon::takes),
        trial("hw ble takes a dongle from linux's own driver, and gives it back", LINUX, usb::takes),
        beside(
            "hw ble and blerpc-protocol on bleak call a server by name through bluez's daemon",
            PYTHON,
            daemon::calls,
        ),
        trial("hw ble is a board through bluez's daemon, both ways", LINUX, peripheral::streams),
        beside("hw ble says what linux's own stack and bluez's daemon lack", LINUX, daemon::refuses),
    ]
}

/// Set where a stream is to be a megabyte, and not as long as a run of all tests has time for.
fn is_whole() -> bool {
    std::env::var_os("AIRTIME_WHOLE").is_some()
}

/// Length of a stream that takes `seconds` here, and carries a megabyte where it is to be whole, for `--for`.
pub fn length(seconds: u32) -> String {
    format!("--for {}s", if is_whole() { 40 } else { seconds })
}

/// The least that such a stream carries, which is so many octets here.
pub fn least(octets: u64) -> u64 {
    if is_whole() { 1_000_000 } else { octets }
}

/// Asserts that a record says of its payload, so many octets at least, that all of it has arrived, once, in order and as it was sent.
pub fn arrived_whole(record: &Value, octets: u64) {
    assert!(record["delivered_bytes"].as_u64() >= Some(octets), "{record}");
    let note = record["note"].as_str().unwrap_or_default();
    assert!(note.contains("none was lost, doubled, out of order or spoilt"), "{record}");
}

/// A server whose capture is beside the sockets of its endpoints.
pub struct Server {
    process: Process,
    folder: TempDir,
}

impl Server {
    /// One with these peers of our own, on a controller as Linux machines have them.
    pub fn start(peers: &[&str]) -> Result<Self, Failed> {
        let folder = tempfile::tempdir()?;
        let mut command = airtime();
        command.args(["live", "ble"]);
        for peer in peers {
            command.args(["--peer", peer]);
        }
        Self::listening(command, folder)
    }

    /// A server of remote calls, whose key nobody has met yet.
    pub fn serving() -> Result<Self, Failed> {
        let folder = tempfile::tempdir()?;
        let mut command = airtime();
        command.args(["live", "rpc", "--identity"]).arg(folder.path().join("identity"));
        Self::listening(command, folder)
    }

    fn listening(mut command: Command, folder: TempDir) -> Result<Self, Failed> {
        // Whoever kills the test does not kill this.
        command.args(["--json", "--for", "600s", "--capture"]).arg(folder.path().join("air.pcapng"));
        for endpoint in ["hci", "second"] {
            command.arg("--hci").arg(format!("unix:{},personality=bluez", folder.path().join(endpoint).display()));
        }
        let process = Process::start(&mut command, true)?;
        let mut listening = 0;
        while listening < 2 {
            listening += usize::from(process.line()?.starts_with("listening"));
        }
        Ok(Self { process, folder })
    }

    /// Socket of its endpoint.
    pub fn hci(&self) -> PathBuf {
        self.folder.path().join("hci")
    }

    /// Socket of an endpoint that is free for a host outside of the machine.
    pub fn second(&self) -> PathBuf {
        self.folder.path().join("second")
    }

    /// A virtual machine whose adapter is the endpoint's controller.
    pub fn machine(&self) -> Result<Machine, Failed> {
        let mut machine = Machine::boot(&self.hci())?;
        machine.joins()?;
        Ok(machine)
    }

    /// The same, with Python in it.
    pub fn machine_with_python(&self) -> Result<Machine, Failed> {
        let mut machine = Machine::with_python(&self.hci())?;
        machine.joins()?;
        Ok(machine)
    }

    /// Ends it, and gives its report to `of` with the place of the capture.
    pub fn ended<T>(self, of: impl FnOnce(&Value, &Path) -> Result<T, Failed>) -> Result<T, Failed> {
        let text = self.process.interrupt()?;
        let report: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
        println!("lag {}", report["lag"]);
        of(&report, &self.folder.path().join("air.pcapng"))
    }

    /// Kills it, which nobody can see coming.
    pub fn kill(self) -> Result<(), Failed> {
        self.process.kill()
    }
}
