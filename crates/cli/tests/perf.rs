//! `airtime perf` as scripts see it, without the programs it drives.
#![cfg(unix)]

use std::process::{Command, Output};

use tempfile::TempDir;

fn airtime(arguments: &[&str]) -> (Output, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    // Where no program is.
    command.arg("perf").args(arguments).current_dir(folder.path()).env("PATH", folder.path());
    (command.output().unwrap(), folder)
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn what_makes_no_sense_is_bad_input_and_touches_no_folder() {
    const SERVER: [&str; 2] = ["--server", "10.0.0.2"];
    for (arguments, said) in [
        (&["--load", "200kbps"][..], "--server"),
        (&["--server", "10.0.0.2"], "--load"),
        (&[&SERVER[..], &["--load", "200"]].concat(), "has no unit"),
        (&[&SERVER[..], &["--load", "200kbps,200kbps"]].concat(), "200kbps is there twice"),
        (&[&SERVER[..], &["--load", "0"]].concat(), "an idle link is measured anyway"),
        (&[&SERVER[..], &["--load", "1Mbps", "--payload", "15"]].concat(), "--payload 15: iperf3 sends 16 to 65507"),
        (&[&SERVER[..], &["--load", "1Mbps", "--for", "1500ms"]].concat(), "expected whole seconds"),
        (&[&SERVER[..], &["--load", "1Mbps", "--warm-up", "61s"]].concat(), "--warm-up at most 60s"),
        (&[&SERVER[..], &["--load", "1Mbps", "--ping-every", "1ms"]].concat(), "from 2ms to 10s"),
        (&[&SERVER[..], &["--load", "1Mbps", "--repeat", "0"]].concat(), "expected 1 to 1000"),
        (&["--load", "1Mbps", "--server=-f"], "`-f` is not the name of a host"),
        (&["speedtest"], "--server"),
        (&["speedtest", "--server", "10.0.0.2", "--load", "1Mbps"], "--load"),
    ] {
        let (output, folder) = airtime(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(said) && output.stdout.is_empty(), "{}", stderr(&output));
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
}

#[test]
fn a_missing_program_is_named_with_its_remedy() {
    for arguments in [&["--server", "127.0.0.1", "--load", "1Mbps"][..], &["speedtest", "--server", "127.0.0.1"]] {
        let (output, _folder) = airtime(arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("iperf3 is not installed") && stderr(&output).contains("apt install iperf3"));
    }
}
