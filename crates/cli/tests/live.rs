//! `airtime live` as scripts see it.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Output, Stdio};

fn airtime(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn what_makes_no_sense_is_bad_input_and_says_what_would() {
    for (arguments, said) in [
        (&["ble", "--hci", "pty,acl.cuont=3"][..], "did you mean `acl.count`?"),
        (&["ble", "--hci", "pty,personality=zephyr-l"], "did you mean `zephyr-ll`?"),
        (&["ble", "--hci", "tcp:0.0.0.0:0"], "--allow-remote"),
        (&["ble", "--hci", "pty", "--peer", "rpc"], "`airtime live rpc`"),
        (&["ble", "--hci", "pty", "--peer", "coc-source", "--peer", "coc-sink"], "never meet"),
        (
            &["ble", "--hci", "pty,address=C0:00:00:00:00:01", "--hci", "pty,address=C0:00:00:00:00:01"],
            "two controllers",
        ),
        (&["ble", "--hci", "pty", "--for", "0"], "--for 0"),
        (&["ble"], "--hci"),
        (&["host", "coc-sauce", "--hci", "tcp:127.0.0.1:1"], "did you mean `coc-source`?"),
    ] {
        let output = airtime(&[&["live"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(said) && output.stdout.is_empty(), "{}", stderr(&output));
    }
}

#[test]
fn too_many_controllers_are_refused() {
    let hci = ["--hci", "pty"].repeat(65);
    let output = airtime(&[&["live", "ble"], &hci[..]].concat());
    assert!(output.status.code() == Some(2) && stderr(&output).contains("room for 64"), "{}", stderr(&output));
}

#[test]
fn a_server_says_where_it_listens_and_what_it_saw() {
    let arguments = ["live", "ble", "--hci", "tcp:127.0.0.1:0", "--hci", "pty", "--peer", "coc-sink", "--for", "20ms"];
    let output = airtime(&[&arguments[..], &["--json", "-q"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines: Vec<&str> = stderr(&output).lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("listening tcp:127.0.0.1:") && !lines[0].contains(":0 "), "{lines:?}");
    assert!(lines[1].starts_with("listening pty:/dev/") && lines[1].ends_with("C0:00:5E:00:01:01 zephyr-ll"));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["schema"], "airtime/live/1");
    assert!(lines[0].contains(report["endpoints"][0]["hci"].as_str().unwrap()));
    assert_eq!(report["peers"][0]["peer"], "coc-sink");
    let tables = airtime(&arguments);
    assert!(str::from_utf8(&tables.stdout).unwrap().starts_with("Endpoints\n"));
}

#[test]
fn a_host_that_reaches_nobody_fails() {
    let output = airtime(&["live", "host", "coc-sink", "--hci", "unix:/nowhere/at/all"]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("cannot reach"), "{}", stderr(&output));
}

#[test]
fn a_host_that_carries_nothing_fails_and_names_what_did_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| format!("unix:{}", folder.path().join(name).display());
    // Whoever connects to it waits: nobody accepts, and nobody answers.
    let _silent = std::os::unix::net::UnixListener::bind(folder.path().join("silent")).unwrap();
    let (mut server, _) = serving(&["live", "ble", "--hci", &place("hci")]);
    for (kind, at, said) in [
        ("coc-sink", "silent", "has not answered HCI Reset"),
        ("coc-sink", "hci", "nobody advertises as `nRF54L15_Test`"),
        ("coc-source", "hci", "nobody has connected to `nRF54L15_Test`"),
    ] {
        let output = airtime(&["live", "host", kind, "--hci", &place(at), "--for", "1s", "-q"]);
        assert!(output.status.code() == Some(1) && stderr(&output).contains(said), "{}", stderr(&output));
        assert!(!output.stdout.is_empty(), "what was measured is printed");
    }
    let output = airtime(&["rpc", "call", "echo", "--open", "--over", &place("silent"), "--timeout", "100ms"]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("HCI Reset"), "{}", stderr(&output));
    server.kill().unwrap();
    server.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn options_of_radios_that_make_no_sense_are_bad_input() {
    let one = ["--spi", "/nowhere/spidev0.0", "--ce", "gpiochip0:25", "--irq", "gpiochip0:24"];
    let hw = |more: &[&'static str]| [&["hw", "nrf24", "--node", "a"], &one[..], more].concat();
    for (arguments, said) in [
        (vec!["live", "nrf24"], "--netns"),
        (vec!["live", "nrf24", "coc-nrf", "--netns"], "expected one of nrf24-ip"),
        (vec!["live", "nrf24", "--netns", "--set", "nrf24.mdoe=stream"], "did you mean `nrf24.mode`?"),
        (vec!["live", "nrf24", "--netns=much-too-long-for-a-device"], "is no name"),
        (vec!["live", "nrf24", "--netns="], "the name is empty"),
        (vec!["live", "wifi", "--netns="], "the name is empty"),
        (vec!["hw", "sink", "--udp", "0", "--bind", "0.0.0.0"], "--allow-remote"),
        (
            vec!["hw", "ble", "gatt", "--hci", "unix:x", "--psm", "0x80"],
            "--psm 0x0080: values of GATT go by no channel",
        ),
        (vec!["hw", "ble", "coc", "--hci", "unix:x", "--for", "2s"], "the warm-up of 2s is left out"),
        (vec!["hw", "nrf24", "doctor", "--ce", "0:25"], "--irq <CHIP:LINE>"),
        (vec!["hw", "nrf24", "doctor", "--ce", "25", "--irq", "0:24"], "`25` is no line of a GPIO chip"),
        (hw(&[]), "nrf24.mode=stream needs --spi once for each radio, 2 in all; given: 1"),
        (hw(&one), "cannot use `/nowhere/spidev0.0`"),
        (hw(&["nrf24-ack-payload"]), "dtparam=spi=on"),
        (
            hw(&["nrf24-ack-payload", "--irq", "25"]),
            "nrf24.mode=ack-payload needs --irq once for each radio, 1 in all; given: 2",
        ),
        (hw(&["nrf24-legacy"]), "nrf24.mode=legacy needs --spi once for each radio, 2 in all; given: 1"),
        (hw(&["nrf24-legacy", "--spi", "x", "--ce", "0:1", "--irq", "0:2"]), "cannot use `/nowhere/spidev0.0`"),
        (hw(&["nrf24-legacy", "--key", "/nowhere/key"]), "nrf24.mode=legacy encrypts nothing"),
        (hw(&["nrf24-gateway"]), "not shipped; expected stream, auto-ack, ack-payload or legacy"),
        (hw(&["nrf24-ack-payload", "--set", "nrf24.encrypted=true"]), "--key FILE"),
        (hw(&["nrf24-ack-payload", "--key", "/nowhere/key"]), "--key /nowhere/key"),
    ] {
        let output = airtime(&arguments);
        assert!(stderr(&output).contains(said) && output.stdout.is_empty(), "{arguments:?}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

/// A server in another process, once it has said where it listens.
fn serving(arguments: &[&str]) -> (Child, Vec<String>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    let mut server = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    let places = arguments.iter().filter(|argument| **argument == "--hci").count();
    (server, lines.take(places).collect())
}

#[test]
fn a_server_takes_over_from_one_that_was_killed_and_not_from_one_that_lives() {
    let folder = tempfile::tempdir().unwrap();
    let [tty, unix] = ["pty:tty", "unix:hci"].map(|place| {
        let (kind, name) = place.split_once(':').unwrap();
        format!("{kind}:{}", folder.path().join(name).display())
    });
    let both = ["live", "ble", "--hci", &tty, "--hci", &unix];
    for _ in 0..3 {
        let (mut server, lines) = serving(&both);
        assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("listening ")), "{lines:?}");
        for place in [&tty, &unix] {
            let second = airtime(&["live", "ble", "--hci", place, "--for", "1ms"]);
            assert!(stderr(&second).contains("another server listens"), "{}", stderr(&second));
        }
        server.kill().unwrap();
        server.wait().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "link, lock and socket stay behind");
    }
    let last = airtime(&[&both[..], &["--for", "1ms", "-q"]].concat());
    assert_eq!(last.status.code(), Some(0), "{}", stderr(&last));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_crowd_that_takes_the_last_descriptor_keeps_nobody_out_afterwards() {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    let arguments = ["live", "ble", "--hci", "tcp:127.0.0.1:0", "--hci", "tcp:127.0.0.1:0"];
    let (mut server, _) = serving(&arguments);
    let taken = std::fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap().count();
    server.kill().unwrap();
    server.wait().unwrap();
    // Room for one host at one of the two.
    let script = format!("ulimit -n {}; exec \"$@\"", taken + 1);
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_airtime")]).args(arguments);
    let mut server = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    let places: Vec<String> = lines.by_ref().take(2).collect();
    // What else is said has a reader, for a pipe has an end.
    let reader = std::thread::spawn(move || lines.filter(|line| line.contains("turned away")).count());
    let at = |line: &String| line.split(' ').nth(1).unwrap().strip_prefix("tcp:").unwrap().to_owned();
    let places: Vec<String> = places.iter().map(at).collect();
    // All of them knock before any goes.
    let crowd: Vec<TcpStream> = (0..60).map(|_| TcpStream::connect(&places[0]).unwrap()).collect();
    drop(crowd);
    for place in &places {
        let answered = (0..60).any(|_| {
            let mut host = TcpStream::connect(place).unwrap();
            // No more than a guard: who is turned away is told at once.
            host.set_read_timeout(Some(std::time::Duration::from_secs(5))).unwrap();
            let mut answer = [0; 7];
            let asked = host.write_all(&[0x01, 0x03, 0x0c, 0x00]).and_then(|()| host.read_exact(&mut answer));
            assert!(
                !asked.as_ref().is_err_and(|e| e.kind() == std::io::ErrorKind::WouldBlock),
                "{place} does not answer"
            );
            asked.is_ok()
        });
        assert!(answered, "{place}");
    }
    server.kill().unwrap();
    server.wait().unwrap();
    reader.join().unwrap();
}

#[test]
fn a_receiver_is_for_this_machine_unless_others_are_asked_for() {
    let said = |more: &[&str]| {
        let output = airtime(&[&["hw", "sink", "--udp", "0", "--tcp", "0", "--for", "1ms", "-q"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output).to_owned()
    };
    let own = said(&[]);
    assert!(own.lines().count() == 2 && own.starts_with("udp 127.0.0.1:") && own.contains("\ntcp 127.0.0.1:"), "{own}");
    let remote = said(&["--allow-remote"]);
    assert!(remote.starts_with("udp 0.0.0.0:") && remote.matches("can be reached from other machines").count() == 2);
}
