//! The co-processor's side of ESP-hosted, compiled for RISC-V and executed by QEMU, with the host's side beside it: `firmware/emulated-rv32`.
//!
//! ```text
//!   image ── UART ── `airtime-image host`: the code of `esp32p4-host`, in real time
//!     └──── semihosting ── this test
//! ```

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::firmware;
use crate::peer::{Peer, beside};
use crate::server::Process;

const PEERS: &[Peer] = &[Peer::QemuRiscv, Peer::HostedImage];

/// The longest that one thing is waited for: bounds a hang, measures nothing.
const LONGEST: Duration = Duration::from_secs(300);

pub fn trials() -> Vec<Trial> {
    vec![beside("an emulated co-processor answers its host and takes an update", PEERS, update)]
}

/// Where `cargo xtask firmware emulated-rv32` leaves the image.
pub fn image() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/firmware/emulated-rv32/coprocessor"))
}

/// A port that nobody has; the emulator takes it next.
fn port() -> Result<u16, Failed> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Lines of `process` up to the one with each of `wanted` in it, in their order; none of them may tell of a panic.
fn says(process: &Process, wanted: &[&str]) -> Result<(), Failed> {
    let deadline = Instant::now() + LONGEST;
    for words in wanted {
        loop {
            let line = process.line().map_err(|_| format!("`{words}` is not said"))?;
            println!("{line}");
            if line.contains(words) {
                break;
            }
            if line.contains("panicked") || Instant::now() > deadline {
                return Err(format!("`{words}` is not said, but: {line}").into());
            }
        }
    }
    Ok(())
}

fn update() -> Result<(), Failed> {
    let (line, monitor) = (port()?, port()?);
    let server = |port| format!("tcp:127.0.0.1:{port},server=on,wait=off,nodelay=on");
    let mut emulator = Command::new("qemu-system-riscv32");
    emulator.args(["-M", "virt", "-bios", "none", "-display", "none", "-kernel"]).arg(image());
    emulator.args(["-serial", &server(line), "-monitor", &server(monitor), "-chardev", "stdio,id=log"]);
    emulator.args(["-semihosting-config", "enable=on,target=native,chardev=log"]);
    let emulator = Process::start(&mut emulator, false)?;
    says(&emulator, &["the factory's firmware is in its slot", "boots 2.11.7", "waiting for a host"])?;
    let place = |port| format!("127.0.0.1:{port}");
    let mut host = Command::new(firmware::reader());
    let host = Process::start(host.args(["host", &place(line), &place(monitor), "2.12.5"]), false)?;
    // It joins nothing and has no radio, and says so; it answers all the same, and is brought up to date.
    let sequence = ["the co-processor is there", "status 0x106", "monitor RESULT frames 0", "command filter: done"];
    says(&host, &[&sequence[..], &["the sequence is over", "the host restarts", "nothing is staged"]].concat())?;
    host.end()?;
    // The host resets it before it restarts by itself, and once more when it has restarted itself.
    says(&emulator, &["a host is there", "boots 2.12.5", "a host is there"])
}
