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

/// Starts the program in `folder`, signals it once when it listens for that, and gives its code and its document; nothing if it has
/// ended by itself before.
fn signalled(folder: &Path, arguments: &[&str], (signal, bit): (&str, u64)) -> Option<(i32, Value)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    command.args(arguments).args(["--json", "-q"]).current_dir(folder).env("XDG_STATE_HOME", folder);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    while !listens(&child, bit) {
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success();
    let output = child.wait_with_output().unwrap();
    let document = serde_json::from_slice(&output.stdout);
    let code = output.status.code().unwrap_or_else(|| panic!("{arguments:?}: {}", output.status));
    sent.then(|| (code, document.unwrap_or_else(|error| panic!("{arguments:?}: {error}"))))
}

/// The same of what does not end by itself.
fn stopped(folder: &Path, arguments: &[&str], signal: (&str, u64)) -> (i32, Value) {
    signalled(folder, arguments, signal).unwrap_or_else(|| panic!("{arguments:?} has ended by itself"))
}

/// Tells if a child listens for a signal.
fn listens(child: &Child, bit: u64) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    // One that has ended, and that nobody has waited for, catches nothing any more.
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).unwrap() & bit != 0
}

/// Waits until a child listens for a signal, which one that has ended never does.
fn wait_for(child: &mut Child, bit: u64) {
    while !listens(child, bit) {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it listened");
        std::thread::yield_now();
    }
}

/// Tells if a signal is ignored here, and so by children unless they care.
fn is_ignored(bit: u64) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(ignored.trim(), 16).unwrap() & bit != 0
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
            let (code, document) = stopped(folder.path(), &timed, signal);
            assert_eq!(code, INTERRUPTED, "{timed:?}");
            assert!(document["elapsed_ns"].as_u64().is_some(), "{document}");
        }
        let calls = ["rpc", "call", "echo", "--open", "--timeout", "1h", "--over", "unix:silent"];
        let (code, document) = stopped(folder.path(), &calls, signal);
        assert_eq!((code, &document["server"]), (INTERRUPTED, &Value::Null));
    }
}

#[test]
fn a_central_that_waits_for_its_controller_can_be_left() {
    for (signal, bit) in SIGNALS {
        let folder = tempfile::tempdir().unwrap();
        let _silent = UnixListener::bind(folder.path().join("silent")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
        command.args(["hw", "ble", "coc", "--hci", "unix:silent", "--for", "1h"]).current_dir(folder.path());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&mut child, bit);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(INTERRUPTED), "{said}");
        assert!(said.contains("stopped before the stream began") && output.stdout.is_empty(), "{said}");
    }
}

#[test]
fn a_pipe_that_nobody_writes_to_is_told_of_and_can_be_left() {
    use std::io::BufRead as _;

    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.toml");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for arguments in [&["trace", "read"][..], &["run"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
        command.args(arguments).arg(&pipe).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
        let said = lines.next().unwrap().unwrap();
        assert!(said.contains("is a pipe that nobody writes to"), "{said}");
        if arguments[0] == "trace" {
            assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(INTERRUPTED));
        } else {
            // Who waits for a writer gets one, and a plan that says nothing.
            drop(fs::OpenOptions::new().write(true).open(&pipe).unwrap());
            assert_eq!(child.wait().unwrap().code(), Some(2));
            assert!(lines.next().unwrap().unwrap().contains("the plan says nothing"));
        }
    }
}

/// SIGHUP, and its bit.
const HANGUP: u64 = 1 << 0;

#[test]
fn who_was_told_to_outlive_a_terminal_does() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code) in [
        (&["live", "ble", "--hci", "unix:hci"][..], 0),
        (&["run", "coc-nrf", "--set", "run.duration=1h"], INTERRUPTED),
        (&["sweep", "interval-sweep", "--set", "run.duration=1h"], INTERRUPTED),
    ] {
        // Whoever is told to outlive a terminal itself has children that are told so too.
        for ignored in [false, true].into_iter().filter(|ignored| *ignored || !is_ignored(HANGUP)) {
            // nohup(1) is no more than this.
            let script = if ignored { "trap '' HUP; exec \"$@\"" } else { "exec \"$@\"" };
            let mut command = Command::new("sh");
            command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_airtime"), "-q"]).args(arguments);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir(folder.path());
            let mut child = command.spawn().unwrap();
            wait_for(&mut child, SIGNALS[1].1);
            // Handlers are set one after the other, that of the hang-up last.
            if !ignored {
                wait_for(&mut child, HANGUP);
            }
            let id = child.id().to_string();
            let kill = |signal: &str| assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            kill("-HUP");
            if ignored {
                assert!(!listens(&child, HANGUP), "{arguments:?}");
                kill("-TERM");
            }
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments:?}, ignored: {ignored}");
        }
    }
}

/// Updates of a virtual board, at most, of which one is still under way when the signal comes: each takes some hundredths of a second.
const UPDATES: usize = 200;

#[test]
fn an_update_ends_and_a_later_one_goes_on() {
    for signal in SIGNALS {
        let interrupted = (0..UPDATES).any(|_| {
            let bench = Bench::new();
            bench.json(&["stage", "new.bin", "-o", "partition.bin"], 0);
            let run = ["run", "partition.bin", "--coprocessor", "c6.bin", "--in-place"];
            let ended = signalled(bench.folder.path(), &[&["ota"], &run[..]].concat(), signal);
            let Some((code, document)) = ended.filter(|(_, document)| document["completed"] == false) else {
                return false;
            };
            assert_eq!(code, INTERRUPTED, "{document}");
            assert_eq!(bench.names(), ["c6.bin", "new.bin", "old.bin", "partition.bin"]);
            // It is an image still, or one that was being erased: the signal comes when it comes.
            let later = bench.json(&run, 0);
            assert_eq!((&later["completed"], &later["firmware_now"]), (&true.into(), &"2.12.5".into()), "{document}");
            true
        });
        assert!(interrupted, "{signal:?}: it came too late each time");
    }
}

#[test]
fn a_measurement_says_how_much_of_it_there_is() {
    for arguments in [["run", "coc-nrf"], ["sweep", "interval-sweep"], ["field", "wifi_hosted"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
        command.args(arguments).args(["-q", "--set", "run.duration=1h"]).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&mut child, SIGNALS[0].1);
        assert!(Command::new("kill").args([SIGNALS[0].0, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let said = str::from_utf8(&output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(INTERRUPTED), "{arguments:?}: {said}");
        assert!(said.contains("stopped: ") && said.contains("points are in what was printed"), "{arguments:?}: {said}");
    }
}
