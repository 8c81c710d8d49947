//! `airtime hw ble` on virtual controllers, as scripts see it.
#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};

use serde_json::Value;

use crate::schema::conforms;

/// A server with one controller, ended with the test.
pub struct Server {
    child: Child,
    // A server whose words nobody takes may end.
    _said: BufReader<ChildStderr>,
}

impl Server {
    /// Starts it, and waits until it listens.
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = airtime(folder, arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        // One of remote calls says first whom it serves as.
        while !line.starts_with("listening ") {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "it has ended");
        }
        Self { child, _said: said }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn airtime(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    command.args(arguments).current_dir(folder).env("XDG_STATE_HOME", folder);
    command
}

fn done(folder: &Path, arguments: &[&str]) -> Output {
    airtime(folder, arguments).output().unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn a_scan_lists_who_advertises_and_ends_with_a_name_that_is_heard() {
    const SCHEMA: &str = include_str!("../../../schemas/hw-scan.schema.json");
    let folder = tempfile::tempdir().unwrap();
    let peers = ["--peer", "coc-source,name=board", "--peer", "coc-sink,role=peripheral,name=other"];
    let _server = Server::start(folder.path(), &[&["live", "ble", "--hci", "unix:hci"][..], &peers].concat());
    let scan = ["hw", "ble", "scan", "--hci", "unix:hci"];
    let named = done(folder.path(), &[&scan[..], &["--name", "board", "--for", "1h", "--json"]].concat());
    assert_eq!(named.status.code(), Some(0), "{}", stderr(&named));
    let document: Value = serde_json::from_slice(&named.stdout).unwrap();
    conforms(&document, SCHEMA);
    let heard = document["advertisers"].as_array().unwrap();
    let board = heard.iter().find(|heard| heard["name"] == "board").unwrap();
    assert_eq!((&board["address"], &board["connectable"]), (&"C0:00:5E:00:01:01".into(), &true.into()));
    let missed = done(folder.path(), &[&scan[..], &["--name", "bored", "--for", "2s"]].concat());
    assert_eq!(missed.status.code(), Some(1));
    assert!(stderr(&missed).contains("nobody advertises as `bored`"), "{}", stderr(&missed));
    let listed = str::from_utf8(&missed.stdout).unwrap();
    assert!(listed.contains("board") && listed.contains("other"), "{listed}");
}

#[test]
fn remote_calls_go_over_the_same_controller() {
    let folder = tempfile::tempdir().unwrap();
    let _server = Server::start(folder.path(), &["live", "rpc", "--open", "--hci", "unix:hci"]);
    let rpc = |words: &[&str]| {
        let hci = ["--hci", "unix:hci", "--open", "--json", "--timeout", "1h"];
        let output = done(folder.path(), &[&["hw", "ble", "rpc"], words, &hci[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let checks = rpc(&["conformance"]);
    let all = checks["checks"].as_array().unwrap();
    assert!(all.len() == 9 && all.iter().all(|check| check["passed"] == true), "{checks}");
    let read = rpc(&["read", "0x100", "4096"]);
    assert_eq!(read["transfer"]["done"], 4_096, "{read}");
}

#[test]
fn what_has_no_controller_is_bad_input_or_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code, said) in [
        (&["scan"][..], 2, "--hci"),
        (&["scan", "--hci", "unix:none", "--for", "0"], 2, "--for 0"),
        (&["scan", "--hci", "unix:none"], 1, "there is no controller at unix:none"),
        (&["scan", "--hci", "unix:none", "--adapter", "any"], 2, "cannot be used with"),
        (&["rpc", "conformance"], 2, "--hci"),
        (&["rpc", "conformance", "--hci", "rpc-sealed"], 2, "--hci `rpc-sealed` is no controller"),
        (&["doctor"], 2, "--hci"),
        (&["coc", "--adapter", "any", "--address", "C0:00:5E:00:01:01"], 2, "or --name instead of it"),
        (&["gatt", "--adapter", "any", "--address", "C0:00:5E:00:01:01"], 2, "values are found by --name"),
        (
            &["coc", "--role", "peripheral", "--adapter", "any", "--address", "C0:00:5E:00:01:01"],
            2,
            "--role peripheral goes without",
        ),
        (&["coc", "--role", "observer", "--hci", "unix:none"], 2, "central, peripheral"),
        (&["gatt", "--role", "peripheral", "--adapter", "any"], 2, "has each one confirmed"),
    ] {
        let output = done(folder.path(), &[&["hw", "ble"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(said) && output.stdout.is_empty(), "{arguments:?}: {}", stderr(&output));
    }
}
