//! One signal ends whatever runs without an end of its own, and what was measured is printed.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::ota_bench::Bench;

/// SIGINT and SIGTERM: the word for kill(1), and the bit in the set of caught signals. proc_pid_status(5), SigCgt.
const SIGNALS: [(&str, u64); 2] = [("-INT", 1 << 1), ("-TERM", 1 << 14)];

/// The code of who was stopped before the time that was asked for.
const INTERRUPTED: i32 = 130;

/// Starts the program in `folder`, signals it once when it listens for that and `is_due`, and gives its code and its document.
fn stopped(folder: &Path, arguments: &[&str], (signal, bit): (&str, u64), is_due: impl Fn() -> bool) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    command.args(arguments).args(["--json", "-q"]).current_dir(folder).env("XDG_STATE_HOME", folder);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    while !(listens(&mut child, bit) && is_due()) {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let document = serde_json::from_slice(&output.stdout);
    let code = output.status.code().unwrap_or_else(|| panic!("{arguments:?}: {}", output.status));
    (code, document.unwrap_or_else(|error| panic!("{arguments:?}: {error}")))
}

/// Tells if a child listens for a signal; it must not have ended.
fn listens(child: &mut Child, bit: u64) -> bool {
    assert!(child.try_wait().unwrap().is_none(), "it has ended by itself");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & bit != 0
}

#[test]
fn servers_and_clients_end_with_their_report() {
    for signal in SIGNALS {
        let folder = tempfile::tempdir().unwrap();
        // Whoever connects to it waits for an answer.
        let _silent = UnixListener::bind(folder.path().join("silent")).unwrap();
        for arguments in [
            &["live", "ble", "--hci", "unix:hci"][..],
            &["live", "rpc", "--open", "--hci", "unix:rpc"],
            &["live", "host", "coc-sink", "--hci", "unix:silent"],
            &["hw", "sink", "--udp", "0"],
        ] {
            let timed = [arguments, &["--for", "1h"]].concat();
            let (code, document) = stopped(folder.path(), &timed, signal, || true);
            assert_eq!(code, INTERRUPTED, "{timed:?}");
            assert!(document["elapsed_ns"].as_u64().is_some(), "{document}");
        }
        let calls = ["rpc", "call", "echo", "--open", "--timeout", "1h", "--over", "unix:silent"];
        let (code, document) = stopped(folder.path(), &calls, signal, || true);
        assert_eq!((code, &document["server"]), (INTERRUPTED, &Value::Null));
    }
}

#[test]
fn an_update_that_takes_for_ever_ends_and_keeps_what_there_is() {
    for signal in SIGNALS {
        let bench = Bench::new();
        bench.json(&["stage", "new.bin", "-o", "partition.bin"], 0);
        // The host is on the network after eleven years, and asks for it meanwhile.
        let run =
            ["ota", "run", "partition.bin", "--coprocessor", "c6.bin", "--in-place", "--set", "ota.connect=100000h"];
        let (code, document) = stopped(bench.folder.path(), &run, signal, || true);
        assert_eq!((code, &document["completed"]), (INTERRUPTED, &Value::Bool(false)), "{document}");
        assert_eq!(bench.names(), ["c6.bin", "new.bin", "old.bin", "partition.bin"]);
        assert_eq!(bench.json(&["status", "partition.bin"], 0)["state"], "image");
    }
}
