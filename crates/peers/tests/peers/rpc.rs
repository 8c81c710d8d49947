//! Remote calls between our ends and those of somebody else: Bumble as the host, blerpc-protocol above it.

use std::path::Path;

use airtime_core::Duration;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::peer::{Peer, real_time, trial};
use crate::program::airtime;
use crate::server::{Process, listening_port, script};

const PEERS: &[Peer] = &[Peer::Airtime, Peer::Bumble, Peer::BlerpcProtocol];

/// The most that anything here waits for; what goes well takes seconds.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Octets of the flash of the Python peripheral begin with these: `(a * 7 + (a >> 8) * 13) & 0xff`.
fn flash(address: u32) -> u8 {
    address.wrapping_mul(7).wrapping_add((address >> 8).wrapping_mul(13)) as u8
}

pub fn trials() -> Vec<Trial> {
    vec![
        trial("blerpc-protocol on Bumble calls our live server", PEERS, || called(false)),
        trial("blerpc-protocol on Bumble calls our live server, encrypted", PEERS, || called(true)),
        trial("a client that pins another key does not call our live server", PEERS, refused),
        trial("we call blerpc-protocol on Bumble", PEERS, || calling(false)),
        trial("we call blerpc-protocol on Bumble, encrypted, and know its key afterwards", PEERS, || calling(true)),
        real_time("our client and our live server call each other, extended and sealed", extended),
    ]
}

/// A running `airtime live …` with a TCP endpoint for each of `endpoints`, and the lines it began with.
struct Live {
    process: Process,
    ports: Vec<u16>,
    /// The server's key as it says it, or `open`.
    key: String,
}

impl Live {
    fn start(command: &str, endpoints: usize, more: &[&str]) -> Result<Self, Failed> {
        let mut airtime = airtime();
        airtime.args(["live", command, "--json"]).args(more);
        for _ in 0..endpoints {
            airtime.args(["--hci", "tcp:127.0.0.1:0,personality=nordic-sdc,acl.count=24"]);
        }
        let process = Process::start(&mut airtime, true)?;
        let (mut ports, mut key) = (Vec::new(), String::new());
        while ports.len() < endpoints {
            let line = process.line()?;
            if line.starts_with("serving ") {
                key = line.split(' ').next_back().unwrap_or_default().to_owned();
            }
            ports.extend(listening_port(&line));
        }
        Ok(Self { process, ports, key })
    }

    /// As Bumble names the endpoint.
    fn transport(&self, endpoint: usize) -> String {
        format!("tcp-client:127.0.0.1:{}", self.ports[endpoint])
    }

    /// As we name it.
    fn place(&self, endpoint: usize) -> String {
        format!("tcp:127.0.0.1:{}", self.ports[endpoint])
    }

    fn report(self) -> Result<Value, Failed> {
        let text = self.process.interrupt()?;
        serde_json::from_str(&text).map_err(|error| format!("{error}: {text}").into())
    }
}

/// Every method of the published service, by the published library, from our server.
fn called(encrypted: bool) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let identity = folder.path().join("identity");
    let identity = identity.to_str().ok_or("a path that is text")?;
    let manner = if encrypted { vec!["--identity", identity] } else { vec!["--open"] };
    let server = Live::start("rpc", 1, &manner)?;
    let key = server.key.clone();
    let transport = server.transport(0);
    let mut arguments = vec![transport.as_str()];
    if encrypted {
        arguments.extend(["--encrypted", "--pin", &key]);
    }
    let client = script("rpc_central.py", &arguments)?;
    let result = client.json()?;
    println!("{result}");
    client.end()?;
    assert_eq!(result["mtu"], 247, "{result}");
    assert_eq!(result["server"]["offers"], encrypted, "{result}");
    assert_eq!(
        result["server"]["flags"].as_u64().map(|flags| flags & 0x8000),
        Some(0),
        "nobody asked for the extension"
    );
    let checks = result["checks"].as_object().ok_or("no checks")?;
    for name in
        ["echo", "echo_empty", "echo_256", "flash_read_8kb", "data_write_8kb", "counter_stream", "counter_upload"]
    {
        assert_eq!(checks[name], true, "{name}: {result}");
    }
    let report = server.report()?;
    let methods = &report["rpc"][0]["methods"];
    assert_eq!(methods["echo"]["calls"], 3, "{report}");
    assert_eq!(methods["flash_read"]["calls"], 2, "{report}");
    let faults = report["rpc"][0]["faults"].as_object().ok_or("no faults")?;
    assert!(faults.values().all(|count| count == 0), "{report}");
    Ok(())
}

/// Nothing is called of a server with another key.
fn refused() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let identity = folder.path().join("identity");
    let server = Live::start("rpc", 1, &["--identity", identity.to_str().ok_or("a path that is text")?])?;
    let place = server.place(0);
    let other = "5a".repeat(32);
    let output = client(&place, &["call", "echo", "message=hello", "--pin", &other])?;
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.says.contains("not the one whose key was pinned"), "{output:?}");
    let report = server.report()?;
    assert_eq!(report["rpc"][0]["methods"], serde_json::json!({}), "{report}");
    Ok(())
}

/// What a run of `airtime rpc` came to.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    document: Option<Value>,
    says: String,
}

/// `airtime rpc` with these arguments on the controller at `place`.
fn client(place: &str, arguments: &[&str]) -> Result<Ran, Failed> {
    let timeout = format!("{}s", TIMEOUT.as_nanos() / 1_000_000_000);
    let output =
        airtime().arg("rpc").args(arguments).args(["--json", "--over", place, "--timeout", &timeout]).output()?;
    let says = String::from_utf8_lossy(&output.stderr).into_owned();
    println!("{}{says}", String::from_utf8_lossy(&output.stdout));
    Ok(Ran { code: output.status.code(), document: serde_json::from_slice(&output.stdout).ok(), says })
}

/// The document of a run that went well.
fn called_well(place: &str, arguments: &[&str]) -> Result<Value, Failed> {
    let ran = client(place, arguments)?;
    match ran.document {
        Some(document) if ran.code == Some(0) => Ok(document),
        _ => Err(format!("{arguments:?}: {ran:?}").into()),
    }
}

/// Our client with a server that knows nothing of the extension: it is asked for and not had.
fn calling(encrypted: bool) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (known, read, written) = (path("known"), path("read"), path("written"));
    let radios = Live::start("ble", 2, &[])?;
    let transport = radios.transport(1);
    let manner = if encrypted { vec!["--encrypted"] } else { Vec::new() };
    let server = script("rpc_peripheral.py", &[&[transport.as_str()], &manner[..]].concat())?;
    let key = server.json()?["key"].clone();
    let place = radios.place(0);
    let with = |more: &[&str]| {
        let manner: &[&str] = if encrypted { &["--known-keys", &known] } else { &["--open"] };
        called_well(&place, &[more, manner].concat())
    };

    let echo = with(&["call", "echo", "message=hello"])?;
    assert_eq!(echo["call"]["responses"][0]["message"], "hello", "{echo}");
    assert_eq!(echo["server"]["mode"], "compatible", "extended mode was asked for, and the server has none: {echo}");
    assert_eq!(echo["server"]["identity"], key, "{echo}");
    over(&server, 0x8000)?;

    let checks = with(&["conformance"])?;
    let all = checks["checks"].as_array().ok_or("no checks")?;
    assert!(all.len() >= 9 && all.iter().all(|check| check["passed"] == true), "{checks}");
    over(&server, 0x8000)?;

    let transfer = with(&["read", "0x100", "20000", "-o", &read])?;
    assert_eq!(transfer["transfer"]["done"], 20_000, "{transfer}");
    let octets = std::fs::read(&read)?;
    assert!(octets.iter().zip(0x100..).all(|(octet, address)| *octet == flash(address)), "octets of another place");
    over(&server, 0x8000)?;

    std::fs::write(&written, &octets[..8_192])?;
    let transfer = with(&["write", &written])?;
    assert_eq!(transfer["transfer"]["done"], 8_192, "{transfer}");
    for (way, answers) in [("down", 5), ("up", 1)] {
        let streamed = with(&["stream", way, "5"])?;
        assert_eq!(streamed["call"]["responses"].as_array().map(Vec::len), Some(answers), "{streamed}");
    }
    if encrypted {
        knows(&place, &known, key.as_str().ok_or("no key")?)?;
    }
    Ok(())
}

/// The key of the first meeting is the one that counts.
fn knows(place: &str, known: &str, key: &str) -> Result<(), Failed> {
    let kept = std::fs::read_to_string(known)?;
    assert_eq!(kept.lines().count(), 1, "{kept}");
    assert!(kept.contains(key), "{kept}");
    // Somebody else had this address before.
    std::fs::write(Path::new(known), kept.replace(key, &"5a".repeat(32)))?;
    let ran = client(place, &["call", "echo", "message=hello", "--known-keys", known])?;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.says.contains("somebody is in between"), "{ran:?}");
    Ok(())
}

/// The peripheral says that a connection is over, and which flags the client's capabilities had.
fn over(server: &Process, flags: u64) -> Result<(), Failed> {
    let line = server.json()?;
    assert_eq!(line["flags"].as_u64(), Some(flags), "{line}");
    // Remote User Terminated Connection: the client has hung up.
    assert_eq!(line["disconnected"], 0x13, "{line}");
    Ok(())
}

/// Both ends ours: extended mode, sealed, a large object there and back.
fn extended() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (identity, known, sent, came) = (path("identity"), path("known"), path("sent"), path("came"));
    let server = Live::start("rpc", 1, &["--identity", &identity])?;
    let place = server.place(0);
    let octets: Vec<u8> = (0..100_000_u32).map(|at| (at ^ at >> 7) as u8).collect();
    std::fs::write(&sent, &octets)?;
    let with = |more: &[&str]| called_well(&place, &[more, &["--known-keys", &known]].concat());
    let write = with(&["write", &sent, "--at", "0x4000"])?;
    assert_eq!(write["server"]["mode"], "extended", "{write}");
    assert_eq!(write["server"]["identity"].as_str(), Some(server.key.as_str()), "{write}");
    let read = with(&["read", "0x4000", "100000", "-o", &came])?;
    assert_eq!(read["transfer"]["crc32"], write["transfer"]["crc32"], "{read}");
    assert!(std::fs::read(&came)? == octets, "other octets came back");
    let chat = with(&["stream", "both", "5"])?;
    assert_eq!(chat["call"]["responses"][4]["message"], "item 4", "{chat}");
    let report = server.report()?;
    assert_eq!(report["rpc"][0]["methods"]["bulk_write"]["calls"], 1, "{report}");
    Ok(())
}
