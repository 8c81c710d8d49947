//! Outside programs: where they are, and what happens to a test when they are not there.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use libtest_mimic::{Completion, Failed, Trial};

use crate::book;
use crate::explorer;
use crate::firmware;
use crate::hosted;
use crate::linux;
use crate::program;

/// What a test can need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// The program under test.
    Airtime,
    /// The Bluetooth stack in Python.
    Bumble,
    /// The Bluetooth library of Python above the system's stack.
    Bleak,
    /// The published RPC protocol in Python.
    BlerpcProtocol,
    /// Wireshark's command line.
    Tshark,
    /// The packet library in Python.
    Scapy,
    /// Google's definitions of its trace format.
    Perfetto,
    /// The database, and the data frames of Python.
    Frames,
    /// The load generator.
    Iperf3,
    /// The program that sends echo requests.
    Ping,
    /// The client of HTTP.
    Curl,
    /// Network namespaces: iproute2, `/dev/net/tun`, and the right to make them.
    Namespaces,
    /// The browser.
    Chromium,
    /// The page that `cargo xtask explorer` builds, with what its tests need.
    Explorer,
    /// The book that `cargo xtask book` renders.
    Book,
    /// The runtime of JavaScript.
    Node,
    /// The emulator of a PC.
    Qemu,
    /// The emulator of a microcontroller.
    QemuArm,
    /// Our firmware for it.
    Images,
    /// The emulator of a RISC-V board.
    QemuRiscv,
    /// Our firmware for that.
    HostedImage,
    /// The kernel and the Bluetooth tools of a distribution, as files.
    Linux,
}

impl Peer {
    fn name(self) -> &'static str {
        match self {
            Self::Airtime => "airtime",
            Self::Bumble => "bumble",
            Self::Bleak => "bleak",
            Self::BlerpcProtocol => "blerpc_protocol",
            Self::Tshark => "tshark",
            Self::Scapy => "scapy",
            Self::Perfetto => "perfetto",
            Self::Frames => "duckdb, pandas, polars, pyarrow",
            Self::Iperf3 => "iperf3",
            Self::Ping => "ping",
            Self::Curl => "curl",
            Self::Chromium => "chromium",
            Self::Explorer => "explorer (cargo xtask explorer)",
            Self::Book => "book (cargo xtask book)",
            Self::Node => "node",
            Self::Qemu => "qemu-system-x86_64",
            Self::QemuArm => "qemu-system-arm",
            Self::Images => "images (cargo xtask firmware emulated-m33)",
            Self::QemuRiscv => "qemu-system-riscv32",
            Self::HostedImage => "image (cargo xtask firmware emulated-rv32)",
            Self::Linux => "linux (unpacked packages in target/peers/linux, or where AIRTIME_PEERS_LINUX says)",
            Self::Namespaces => "network namespaces (iproute2, /dev/net/tun, root)",
        }
    }

    /// Why a test cannot have it, if it cannot.
    fn lacking(self) -> Option<String> {
        match self {
            Self::Airtime => program::lacking().map(str::to_owned),
            _ if self.is_installed() => None,
            _ => Some(format!("peer {} not installed", self.name())),
        }
    }

    fn is_installed(self) -> bool {
        match self {
            Self::Airtime => program::lacking().is_none(),
            Self::Tshark
            | Self::Iperf3
            | Self::Curl
            | Self::Qemu
            | Self::QemuArm
            | Self::QemuRiscv
            | Self::Chromium
            | Self::Node => succeeds(Command::new(self.name()).arg("--version")),
            Self::Explorer => {
                let page = explorer::folder().join("index.html");
                page.exists() && explorer::web().join("node_modules/playwright-core").exists()
            }
            Self::Book => book::folder().join("book/introduction.html").exists(),
            Self::Images => firmware::reader().exists() && firmware::folder().join("rpc-sealed").exists(),
            Self::HostedImage => firmware::reader().exists() && hosted::image().exists(),
            Self::Linux => linux::kernel().is_some(),
            Self::Ping => succeeds(Command::new("ping").arg("-V")),
            Self::Namespaces => {
                let name = format!("airtime-probe-{}", std::process::id());
                let netns = |verb: &str| succeeds(Command::new("ip").args(["netns", verb, &name]));
                Path::new("/dev/net/tun").exists() && netns("add") && netns("del")
            }
            module => succeeds(python().args(["-c", &format!("import {}", module.name())])),
        }
    }
}

/// The interpreter that has the peers from the Python index.
pub fn python_path() -> PathBuf {
    env::var_os("AIRTIME_PEERS_PYTHON").map_or_else(|| "python3".into(), PathBuf::from)
}

/// A command of that interpreter.
pub fn python() -> Command {
    Command::new(python_path())
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The machine: of whoever holds a figure against the wall clock alone, else of all who run.
static MACHINE: RwLock<()> = RwLock::new(());

/// A test that needs `peers`, and the machine for itself: it measures.
pub fn trial(name: &str, peers: &'static [Peer], test: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    needing(name, peers, move || {
        let _machine = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        timed(test)
    })
}

/// Kind of the tests that run beside others of it.
pub const BESIDE: &str = "beside";

/// A test that needs `peers` and is about what happens, or holds two figures of one time against each other: others of its kind run beside it.
pub fn beside(name: &str, peers: &'static [Peer], test: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    let trial = needing(name, peers, move || {
        let _machine = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        timed(test)
    });
    trial.with_kind(BESIDE)
}

fn needing(
    name: &str,
    peers: &'static [Peer],
    test: impl FnOnce() -> Result<Completion, Failed> + Send + 'static,
) -> Trial {
    Trial::ignorable_test(name, move || {
        let Some((peer, says)) = peers.iter().find_map(|peer| Some((*peer, peer.lacking()?))) else {
            return test();
        };
        // The book is made by a stage of its own, which whoever asks for this one alone has not run.
        if are_required() && peer != Peer::Book { Err(says.into()) } else { Ok(ignored(says)) }
    })
}

/// A test of files that only whoever has them can run: ignored whatever is required, and says why.
pub fn without(name: &str, says: String) -> Trial {
    Trial::ignorable_test(name, move || Ok(ignored(says)))
}

/// A test that needs nothing but time of the wall clock, and a machine that does little else.
pub fn real_time(name: &str, test: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || {
        if are_required() {
            let _machine = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
            return timed(test);
        }
        Ok(ignored("it runs in real time, with AIRTIME_REQUIRE_PEERS=1".to_owned()))
    })
}

/// Runs `test` and prints the time it took: whoever looks for what makes them long finds it there.
fn timed(test: impl FnOnce() -> Result<(), Failed>) -> Result<Completion, Failed> {
    let begun = Instant::now();
    let found = test();
    println!("{:.1} s", begun.elapsed().as_secs_f64());
    found.map(|()| Completion::Completed)
}

fn are_required() -> bool {
    env::var_os("AIRTIME_REQUIRE_PEERS").is_some_and(|value| value == "1")
}

fn ignored(says: String) -> Completion {
    println!("ignored: {says}");
    Completion::ignored_with(says)
}
