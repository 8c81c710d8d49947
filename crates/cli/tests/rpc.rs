//! `airtime rpc` and `airtime live rpc` as scripts see them.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::schema::conforms;

/// The command, whose files are below `home`.
fn airtime(home: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).env("XDG_STATE_HOME", home).output().unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The document that a run prints.
fn document(arguments: &[&str]) -> Value {
    let home = home();
    let output = airtime(home.path(), &[&["rpc", "--json"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0, "virtual servers are not remembered");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_call_prints_what_it_was_answered() {
    let home = home();
    let output = airtime(home.path(), &["rpc", "call", "echo", "message=hello", "--markdown"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(str::from_utf8(&output.stdout).unwrap().contains("hello"));
    assert!(stderr(&output).trim_end().ends_with("ms"), "{}", stderr(&output));
    let quiet = airtime(home.path(), &["rpc", "call", "echo", "message=hello", "-q"]);
    assert_eq!(stderr(&quiet), "");
}

#[test]
fn documents_are_as_published() {
    const SCHEMA: &str = include_str!("../../../schemas/rpc.schema.json");
    let read = document(&["read", "0x100", "32"]);
    assert_eq!(read["transfer"]["data"].as_str().unwrap().len(), 64);
    let bench = document(&["bench", "--mode", "compatible"]);
    assert_eq!(bench["benchmarks"].as_array().unwrap().len(), 6);
    for document in [read, bench, document(&["call", "echo", "message=hello"]), document(&["conformance"])] {
        conforms(&document, SCHEMA);
    }
}

#[test]
fn a_run_of_a_plan_is_the_same_every_time() {
    let run = || document(&["read", "0", "10000", "--over", "rpc-sealed", "--seed", "3"]);
    let first = run();
    assert!(first["server"]["identity"].is_string(), "the plan seals");
    assert_eq!(first, run());
}

#[test]
fn the_published_checks_pass_in_both_modes() {
    for mode in ["compatible", "extended"] {
        let checks = document(&["conformance", "--mode", mode, "--set", "rpc.encrypted=true"]);
        assert_eq!(checks["server"]["mode"], mode);
        let all = checks["checks"].as_array().unwrap();
        assert!(all.len() == 9 && all.iter().all(|check| check["passed"] == true), "{checks}");
    }
}

#[test]
fn what_is_written_can_be_read() {
    let home = home();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("sent"), vec![0x5a; 70_000]).unwrap();
    let written = document(&["write", &path("sent"), "--at", "4K"]);
    assert_eq!(written["transfer"]["done"], 70_000, "{written}");
    let read = document(&["read", "0", "70000", "-o", &path("came")]);
    assert_eq!(std::fs::read(path("came")).unwrap().len(), 70_000);
    assert_eq!(read["transfer"]["data"], Value::Null);
}

#[test]
fn one_of_a_thing_is_said_as_one() {
    let home = home();
    let said = |arguments: &[&str]| {
        let output = airtime(home.path(), &[&["rpc", "read", "0", "--markdown"], arguments].concat());
        stderr(&output).trim_end().to_owned()
    };
    let one = said(&["1"]);
    assert!(one.starts_with("1 octet read in ") && one.ends_with(", 1 call"), "{one}");
    // The published protocol reads 8192 octets at a time.
    let more = said(&["10KiB", "--mode", "compatible"]);
    assert!(more.starts_with("10240 octets read in ") && more.ends_with(", 2 calls"), "{more}");
}

#[test]
fn what_goes_wrong_is_said() {
    let home = home();
    for (code, arguments, said) in [
        (2, &["rpc", "call", "echo", "text=hello"][..], "there are message"),
        (2, &["rpc", "call", "echo", "--hex", "0"], "pairs of hexadecimal digits"),
        (2, &["rpc", "call", "echo", "--pin", "00"], "64 hexadecimal digits"),
        (2, &["rpc", "call", "echo", "--over", "coc-mac"], "it is no plan of ble-rpc"),
        (2, &["rpc", "call", "echo", "--over", "pty"], "serial:DEVICE"),
        (2, &["rpc", "call", "echo", "--timeout", "0"], "--timeout 0"),
        (2, &["rpc", "call", "echo", "--set", "rpc.mod=extended"], "did you mean `rpc.mode`?"),
        (2, &["rpc", "read", "0", "1G"], "expected a number of octets"),
        (2, &["rpc", "read", "0xffffffff", "2"], "beyond the 4 GiB"),
        (2, &["rpc", "bench", "--outstanding", "8", "--mode", "compatible"], "--mode extended"),
        (1, &["rpc", "read", "0", "1", "-o", "/no/such/folder/file"], "cannot open"),
        (1, &["rpc", "write", "/no/such/file"], "cannot open"),
        (1, &["rpc", "call", "nothing"], "no such method"),
        (1, &["rpc", "call", "echo", "--pin", &"5a".repeat(32)], "not the one whose key was pinned"),
        (1, &["rpc", "call", "echo", "--over", "unix:/no/such/socket"], "cannot reach"),
        (2, &["live", "rpc", "--hci", "pty", "--memory", "2048M"], "at most"),
        (2, &["live", "rpc"], "--hci"),
    ] {
        let output = airtime(home.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{arguments:?}: {}", stderr(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_does_not_have_is_said() {
    let home = home();
    // Memory of the program in KiB: setrlimit(2), RLIMIT_AS.
    let script = "ulimit -v 400000; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_airtime"), "live", "rpc", "--open", "--memory", "1024M"]);
    command.args(["--hci", "tcp:127.0.0.1:0", "--for", "1ms"]).env("XDG_STATE_HOME", home.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("has no 1073741824 octets"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
}

#[test]
fn a_server_makes_itself_an_identity_and_keeps_it() {
    let home = home();
    let serve = || {
        let output =
            airtime(home.path(), &["live", "rpc", "--hci", "tcp:127.0.0.1:0", "--for", "20ms", "--json", "-q"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let lines: Vec<String> = stderr(&output).lines().map(str::to_owned).collect();
        assert!(lines[0].starts_with("serving blerpc C0:00:5E:00:01:01 "), "{lines:?}");
        assert!(lines[1].starts_with("listening tcp:127.0.0.1:"), "{lines:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(lines[0].ends_with(report["rpc"][0]["identity"].as_str().unwrap()), "{lines:?}");
        lines[0].clone()
    };
    assert_eq!(serve(), serve());
    let open = airtime(home.path(), &["live", "rpc", "--open", "--hci", "tcp:127.0.0.1:0", "--for", "20ms", "-q"]);
    assert!(stderr(&open).starts_with("serving blerpc C0:00:5E:00:01:01 open\n"), "{}", stderr(&open));
}
