//! Our firmware, compiled for a Cortex-M33 and executed by QEMU, on our controllers: `firmware/emulated-m33`.
//!
//! ```text
//!   image ── UART, H4 ── `airtime live ble` ── another image, Bumble, or `airtime rpc`
//!     └───── UART, defmt ── `airtime-image log` ── this test
//! ```
//!
//! A CPU in software proves logic, order and stack; how fast it is says nothing.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::io::Write;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::peer::{Peer, beside};
use crate::program::airtime;
use crate::server::{Process, told_script};

const CALLS: &[Peer] = &[Peer::Airtime, Peer::QemuArm, Peer::Images];
const STREAMS: &[Peer] = &[Peer::Airtime, Peer::QemuArm, Peer::Images, Peer::Bumble];

/// Octets that a stream out of an image carries at least.
const OUT: u64 = 1_000_000;

/// Octets that a stream into an image carries at least: the emulator brings one after the other, some ten thousand a second.
fn into_image() -> u64 {
    if env::var_os("AIRTIME_WHOLE").is_some_and(|value| value == "1") { 1_000_000 } else { 100_000 }
}

/// Name that the images' plan gives the peripheral: the plan's default.
const NAME: &str = "nRF54L15_Test";

/// The longest that one thing is waited for: bounds a hang, measures nothing.
const LONGEST: Duration = Duration::from_secs(600);

/// Octets of the region that the RPC images serve: `firmware/rpc/src/flash.rs`.
const SERVED: usize = 256 * 1_024;

/// The most that the stack of an image may ever have been, in octets. They were set at half as much again as was seen then, 3.4, 8.5 and
/// 16.9 kB; now it is 5.4 (three channels), 19.8 and, sealed, 23.3, that
/// of the central with values: TrouBLE's client is made on the stack, with a queue of 16 notifications, 8.4 kB.
const STACK_OF_PERIPHERAL: u64 = 6 * 1_024;
const STACK_OF_CENTRAL: u64 = 25 * 1_024;
const STACK_OF_RPC: u64 = 25 * 1_024;

pub fn trials() -> Vec<Trial> {
    vec![
        beside("an image answers calls, and those after clients that die", CALLS, open_calls),
        beside("a sealed image answers calls and keeps its key", CALLS, sealed_calls),
        beside("an image that panics starts again", &[Peer::QemuArm, Peer::Images], panics),
        beside("an image streams to an image, and either comes back", CALLS, images),
        beside("an image streams to hw ble, which finds its channel", CALLS, to_hw_ble),
        beside("an image streams to hw ble over three channels", CALLS, three_channels),
        beside("an image and an image send each other values, and either comes back", CALLS, values),
        beside("an image notifies hw ble", CALLS, values_to_hw_ble),
        beside("hw ble writes to an image, which is as fast as it says", CALLS, values_from_hw_ble),
        beside("an image takes settings from bumble and from its line, and no others", STREAMS, settings),
        beside("an image streams to bumble", STREAMS, to_bumble),
        beside("bumble streams to an image", STREAMS, from_bumble),
    ]
}

/// Where `cargo xtask firmware emulated-m33` leaves the images.
pub fn folder() -> PathBuf {
    root().join("target/firmware/emulated-m33")
}

/// The program that reads their log.
pub fn reader() -> PathBuf {
    root().join("firmware/target/debug/airtime-image")
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// An image that runs, and its log.
struct Image {
    emulator: Child,
    log: Process,
    /// Line that somebody types on: the other way of the log's port.
    typed: ChildStdin,
    /// All that it has said and somebody has heard.
    heard: RefCell<String>,
}

impl Image {
    /// Starts the image with its controller behind a socket.
    fn start(name: &str, controller: &Path) -> Result<Self, Failed> {
        let image = folder().join(name);
        let mut emulator = Command::new("qemu-system-arm");
        emulator.args(["-M", "mps2-an505", "-display", "none", "-monitor", "none", "-kernel"]).arg(&image);
        emulator.args(["-chardev", &format!("socket,id=hci,path={}", controller.display())]);
        emulator.args(["-serial", "chardev:hci", "-serial", "stdio"]);
        let mut emulator = emulator.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let frames = emulator.stdout.take().ok_or("no second serial port")?;
        let log = Process::reading(Command::new(reader()).arg("log").arg(&image), frames.into())?;
        let typed = emulator.stdin.take().ok_or("no line to type on")?;
        Ok(Self { emulator, log, typed, heard: RefCell::default() })
    }

    /// The next line of the log that has `wanted` in it, once it comes; an image that panics has failed.
    fn says(&self, wanted: &str) -> Result<String, Failed> {
        self.says_by(wanted, Instant::now() + LONGEST)
    }

    fn says_by(&self, wanted: &str, deadline: Instant) -> Result<String, Failed> {
        self.find(wanted, deadline, |line| line.contains("panicked") || line.contains(" ERROR "))
    }

    /// The same where a panic is what is wanted, of which a log says more than one line.
    fn hears(&self, wanted: &str) -> Result<String, Failed> {
        self.find(wanted, Instant::now() + LONGEST, |_| false)
    }

    fn find(&self, wanted: &str, deadline: Instant, fails: impl Fn(&str) -> bool) -> Result<String, Failed> {
        loop {
            if Instant::now() > deadline {
                return Err(format!("the image talks on and does not say `{wanted}`").into());
            }
            let line = self.log.line().map_err(|_| format!("the image does not say `{wanted}`"))?;
            *self.heard.borrow_mut() += &format!("{line}\n");
            if line.contains(wanted) {
                println!("{line}");
                return Ok(line);
            }
            if fails(&line) {
                return Err(format!("the image says: {line}").into());
            }
        }
    }

    /// Types a line.
    fn is_told(&mut self, line: &str) -> Result<(), Failed> {
        Ok(writeln!(self.typed, "{line}")?)
    }

    /// Tells if it has said this, and somebody has heard it.
    fn has_said(&self, wanted: &str) -> bool {
        self.heard.borrow().contains(wanted)
    }

    /// The first record that `airtime hw log` makes of what it has said.
    fn logged(&self) -> Result<Value, Failed> {
        let file = tempfile::NamedTempFile::new()?;
        fs::write(file.path(), &*self.heard.borrow())?;
        let mut found = document(airtime().args(["hw", "log", "--json"]).arg(file.path()))?;
        Ok(found["records"][0].take())
    }

    /// Waits for the deepest that the stack has been, and holds it against the most that it may be.
    fn keeps_within(&self, most: u64) -> Result<(), Failed> {
        let line = self.says("stack ")?;
        let used = number_after(&line, "stack ")?;
        if used <= most { Ok(()) } else { Err(format!("{used} octets of stack, {most} are the budget").into()) }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.emulator.kill();
        let _ = self.emulator.wait();
    }
}

fn number_after(line: &str, word: &str) -> Result<u64, Failed> {
    let rest = line.split_once(word).ok_or_else(|| format!("no `{word}` in {line}"))?.1;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Ok(digits.parse()?)
}

/// A server for two hosts. Its endpoints are UNIX sockets: what a host has not read is in none of its buffers, as with a UART that has RTS and CTS.
struct Air {
    _process: Process,
    folder: TempDir,
}

impl Air {
    /// Socket of an endpoint.
    fn socket(&self, endpoint: usize) -> PathBuf {
        self.folder.path().join(endpoint.to_string())
    }

    /// The endpoint as `airtime` names it.
    fn place(&self, endpoint: usize) -> String {
        format!("unix:{}", self.socket(endpoint).display())
    }

    /// The endpoint as Bumble names it.
    fn transport(&self, endpoint: usize) -> String {
        format!("unix-client:{}", self.socket(endpoint).display())
    }
}

fn server() -> Result<Air, Failed> {
    let folder = tempfile::tempdir()?;
    let mut command = airtime();
    command.args(["live", "ble"]);
    for endpoint in ["0", "1"] {
        let socket = folder.path().join(endpoint);
        command.args(["--hci", &format!("unix:{},personality=nordic-sdc,acl.count=6", socket.display())]);
    }
    let process = Process::start(&mut command, true)?;
    for _endpoint in 0..2 {
        while !process.line()?.contains("listening") {}
    }
    Ok(Air { _process: process, folder })
}

/// `airtime rpc` on an endpoint.
fn rpc(place: &str, arguments: &[&str]) -> Command {
    let mut command = airtime();
    command.arg("rpc").args(arguments).args(["--json", "--over", place]);
    command
}

fn document(command: &mut Command) -> Result<Value, Failed> {
    let output = command.output()?;
    let says = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{}: {says}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Every one of the published checks.
fn conforms(place: &str, manner: &[&str], mode: &str) -> Result<(), Failed> {
    let found = document(&mut rpc(place, &[&["conformance", "--mode", mode], manner].concat()))?;
    let checks = found["checks"].as_array().ok_or("no checks")?;
    assert_eq!(found["server"]["mode"], mode, "{found}");
    assert!(checks.len() == 9 && checks.iter().all(|check| check["passed"] == true), "{found}");
    Ok(())
}

fn open_calls() -> Result<(), Failed> {
    let server = server()?;
    let image = Image::start("rpc", &server.socket(1))?;
    image.says("[host] initialized")?;
    let manner = ["--open"];
    conforms(&server.place(0), &manner, "compatible")?;
    conforms(&server.place(0), &manner, "extended")?;
    image.says("disconnected")?;
    image.says("disconnected")?;
    for killed in 0..4 {
        let mut reads = rpc(&server.place(0), &["read", "0", &SERVED.to_string(), "-o", "/dev/null", "--open"]);
        let reads = Process::start(&mut reads, true)?;
        image.says("frames of up to")?;
        reads.kill()?;
        // Its controller loses its power with it: the image finds out by supervision timeout.
        image.says("disconnected")?;
        println!("client {killed} has died");
    }
    conforms(&server.place(0), &manner, "extended")?;
    image.keeps_within(STACK_OF_RPC)
}

/// All that it serves is read, and no piece of its key is in it.
fn sealed_calls() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (known, read) = (path("known"), path("read"));
    let seed = fs::read_to_string(root().join("firmware/emulated-m33/identity.txt"))?;
    let digits = seed.trim().as_bytes().chunks(2);
    let seed: Vec<u8> =
        digits.map(|pair| u8::from_str_radix(&String::from_utf8_lossy(pair), 16)).collect::<Result<_, _>>()?;
    let server = server()?;
    let image = Image::start("rpc-sealed", &server.socket(1))?;
    image.says("sealed: true")?;
    image.says("[host] initialized")?;
    let manner = ["--known-keys", known.as_str()];
    conforms(&server.place(0), &manner, "compatible")?;
    conforms(&server.place(0), &manner, "extended")?;
    let refused = rpc(&server.place(0), &["call", "echo", "message=hello", "--open", "--timeout", "5s"]).output()?;
    assert_eq!(refused.status.code(), Some(1), "an open call was answered: {refused:?}");
    let all = SERVED.to_string();
    document(&mut rpc(&server.place(0), &[&["read", "0", &all, "-o", &read], &manner[..]].concat()))?;
    let octets = fs::read(&read)?;
    assert_eq!(octets.len(), SERVED);
    assert!(
        !octets.windows(8).any(|octets| seed.windows(8).any(|piece| piece == octets)),
        "a piece of the key is served"
    );
    let beyond =
        rpc(&server.place(0), &[&["read", &all, "1", "-o", &path("beyond")], &manner[..]].concat()).output()?;
    assert_eq!(beyond.status.code(), Some(1), "what lies behind the region was read: {beyond:?}");
    for _connection in 0..4 {
        image.says("disconnected")?;
    }
    image.keeps_within(STACK_OF_RPC)
}

/// A controller that talks nonsense is the end of the host, and the host's end a panic: it is logged, and the board begins anew.
fn panics() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let socket = folder.path().join("controller");
    let controller = UnixListener::bind(&socket)?;
    let image = Image::start("peripheral", &socket)?;
    let (mut line, _) = controller.accept()?;
    image.says("airtime peripheral of plan")?;
    // No kind of packet begins so. Core 6.0, Vol 4, Part A, 2.
    line.write_all(&[0xff])?;
    image.hears("panicked")?;
    image.hears("airtime peripheral of plan")?;
    Ok(())
}

/// Waits until the central's log has counted so many octets; its lines are thousands of bits in a second.
fn carries(central: &Image, octets: u64) -> Result<(), Failed> {
    let (mut bits, deadline) = (0.0, Instant::now() + LONGEST);
    while bits < octets as f64 * 8.0 {
        let line = central.says_by("kbps delivered", deadline)?;
        let kbps = line.rsplit_once(": ").and_then(|(_, rest)| rest.split(' ').next()).unwrap_or_default();
        bits += kbps.parse::<f64>()? * 1_000.0;
    }
    Ok(())
}

/// The stream as the image judged it when its connection had ended.
fn was_whole(image: &Image, octets: u64) -> Result<(), Failed> {
    let result = image.says("RESULT")?;
    for gap in ["lost ", "duplicated ", "reordered "] {
        assert_eq!(number_after(&result, gap)?, 0, "{result}");
    }
    let delivered = number_after(&result, "delivered_bytes ")?;
    if delivered >= octets { Ok(()) } else { Err(format!("{delivered} octets: {result}").into()) }
}

fn images() -> Result<(), Failed> {
    let server = server()?;
    let peripheral = Image::start("peripheral", &server.socket(1))?;
    peripheral.says("host ready")?;
    let central = Image::start("central", &server.socket(0))?;
    carries(&central, into_image())?;
    // The peripheral loses its power.
    drop(peripheral);
    central.says("disconnected, reason 0x08")?;
    was_whole(&central, into_image())?;
    central.keeps_within(STACK_OF_CENTRAL)?;
    let peripheral = Image::start("peripheral", &server.socket(1))?;
    carries(&central, 1)?;
    drop(central);
    peripheral.says("disconnected, reason 0x08")?;
    peripheral.keeps_within(STACK_OF_PERIPHERAL)?;
    let central = Image::start("central", &server.socket(0))?;
    carries(&central, 1)
}

/// Our own central is told a name, and no PSM.
fn to_hw_ble() -> Result<(), Failed> {
    taken_by_hw_ble("peripheral", &["coc"], &[])
}

/// It takes what an image sends, by these words of `hw ble`, and nothing of it is lost; the image has said each of these lines meanwhile.
fn taken_by_hw_ble(image: &str, words: &[&str], lines: &[&str]) -> Result<(), Failed> {
    let server = server()?;
    let image = Image::start(image, &server.socket(1))?;
    image.says("host ready")?;
    let place = server.place(0);
    let run = ["--name", NAME, "--for", "8s", "--json", "--hci", &place];
    let found = document(airtime().args(["hw", "ble"]).args(words).args(run))?;
    let record = &found["records"][0];
    println!("{}", record["goodput_kbps"]);
    assert!(record["goodput_kbps"]["median"].as_f64() > Some(0.0), "{record}");
    let note = record["note"].as_str().unwrap_or_default();
    assert!(note.contains("none was lost, doubled or out of order"), "{record}");
    // Its controller loses its power with it.
    image.says("disconnected, reason 0x08")?;
    for line in lines {
        assert!(image.has_said(line), "{line}");
    }
    image.keeps_within(STACK_OF_PERIPHERAL)
}

/// Each of them has SDUs of its own numbers, and all of them arrive.
fn three_channels() -> Result<(), Failed> {
    let opened = ["0x0040", "0x0041", "0x0042"].map(|channel| format!("channel {channel} open"));
    let words = ["coc", "--plan", "coc-sdc", "--set", "coc.channels=3"];
    taken_by_hw_ble("channels", &words, &opened.each_ref().map(String::as_str))
}

/// Notifications and write commands at once: each end counts what comes to it, and its log is one that `airtime hw log` reads.
fn values() -> Result<(), Failed> {
    let server = server()?;
    let peripheral = Image::start("values", &server.socket(1))?;
    peripheral.says("host ready")?;
    let central = Image::start("values-central", &server.socket(0))?;
    central.says("notifications on")?;
    carries(&peripheral, into_image() / 4)?;
    carries(&central, 1)?;
    drop(peripheral);
    central.says("disconnected, reason 0x08")?;
    was_whole(&central, 1)?;
    central.keeps_within(STACK_OF_CENTRAL)?;
    let peripheral = Image::start("values", &server.socket(1))?;
    carries(&peripheral, 1)?;
    drop(central);
    peripheral.says("disconnected, reason 0x08")?;
    was_whole(&peripheral, 1)?;
    peripheral.keeps_within(STACK_OF_PERIPHERAL)?;
    let record = peripheral.logged()?;
    assert_eq!(record["link"], "ble-gatt", "{record}");
    assert!(record["delivered_bytes"].as_u64() > Some(0), "{record}");
    let central = Image::start("values-central", &server.socket(0))?;
    carries(&central, 1)
}

/// Notifications, of the service that both have.
fn values_to_hw_ble() -> Result<(), Failed> {
    taken_by_hw_ble("values", &["gatt", "--plan", "gatt-notify"], &[])
}

/// Write commands wait on the air for an image that is slow, and not behind a controller that has acknowledged them: the central's figure is the
/// image's.
fn values_from_hw_ble() -> Result<(), Failed> {
    let server = server()?;
    let image = Image::start("values", &server.socket(1))?;
    image.says("host ready")?;
    let place = server.place(0);
    let run = ["gatt", "--name", NAME, "--for", "8s", "--json", "--hci", &place, "--plan", "gatt-notify"];
    let found = document(airtime().args(["hw", "ble"]).args(run).args(["--set", "ble.direction=c2p"]))?;
    let accepted = found["records"][0]["accepted_kbps"].as_f64().ok_or("no figure")?;
    image.says("disconnected, reason 0x08")?;
    let result = image.says("RESULT")?;
    println!("{accepted} kbps accepted: {result}");
    for gap in ["lost ", "duplicated ", "reordered "] {
        assert_eq!(number_after(&result, gap)?, 0, "{result}");
    }
    // Each end leaves out its own first seconds, of a stream that comes in bursts.
    let delivered = result.split_once("goodput_kbps ").and_then(|(_, rest)| rest.split(' ').next()).unwrap_or_default();
    assert!(accepted < 2.0 * delivered.parse::<f64>()?, "more is accepted than an image takes in");
    image.keeps_within(STACK_OF_PERIPHERAL)
}

/// Settings over the air hold from the next connection on, those of the line at once; what is wrong changes nothing.
fn settings() -> Result<(), Failed> {
    let server = server()?;
    let mut image = Image::start("peripheral", &server.socket(1))?;
    image.says("host ready")?;
    let lines = ["sdu=100 in_flight=4", "sdu=100000", "credits=4"];
    let (bumble, stdin) = told_script("image_settings.py", &[&[&*server.transport(0)], &lines[..]].concat())?;
    let said: Value = serde_json::from_str(&bumble.line_within(LONGEST)?)?;
    println!("{said}");
    // Value not allowed. Core Specification Supplement, Part B, 1.2; Core 6.0, Vol 3, Part F, 3.4.1.1.
    assert_eq!(said["errors"], json!([0, 0x13, 0x13]), "{said}");
    drop(stdin);
    bumble.end()?;
    image.says("settings taken: sdu=100 in_flight=4")?;
    image.says("settings refused, nothing changes: sdu is 1 to")?;
    image.says("settings refused, nothing changes: word 1 is not")?;
    image.says("disconnected, reason 0x13")?;
    let central = Image::start("central", &server.socket(0))?;
    carries(&central, 20_000)?;
    image.is_told("sdu=3 phy=4M")?;
    image.says("settings refused, nothing changes: phy is 1M")?;
    image.is_told("sdu=200")?;
    image.says("settings taken: sdu=200")?;
    // The user of the other end has ended it. Core 6.0, Vol 1, Part F, 2.19.
    central.says("disconnected, reason 0x13")?;
    has_sdus_of(&central, 100)?;
    carries(&central, 20_000)?;
    drop(image);
    has_sdus_of(&central, 200)
}

/// The central's result is of whole SDUs of so many octets.
fn has_sdus_of(central: &Image, octets: u64) -> Result<(), Failed> {
    let result = central.says("RESULT")?;
    assert_eq!(number_after(&result, "delivered_bytes ")?, octets * number_after(&result, "sdus ")?, "{result}");
    Ok(())
}

/// Bumble with a stream of an image, as it goes on until its standard input ends.
struct Bumble {
    process: Process,
    stdin: ChildStdin,
}

impl Bumble {
    /// Has it `take` or `send` so many octets, and waits until it has.
    fn stream(server: &Air, way: &str, octets: u64) -> Result<Self, Failed> {
        let (process, stdin) = told_script("image_stream.py", &[way, &server.transport(0), &octets.to_string()])?;
        let line = process.line_within(LONGEST)?;
        let said: Value = serde_json::from_str(&line)?;
        println!("{said}");
        assert_eq!(said["wrong"], Value::Null, "an SDU is another one than expected: {said}");
        assert!(said["octets"].as_u64() >= Some(octets), "{said}");
        assert!(said["names"].as_u64() > Some(0), "attributes are answered beside the stream: {said}");
        assert_eq!(said["other_names"], 0, "{said}");
        Ok(Self { process, stdin })
    }

    fn hangs_up(self) -> Result<(), Failed> {
        drop(self.stdin);
        self.process.end()
    }
}

fn to_bumble() -> Result<(), Failed> {
    let server = server()?;
    let image = Image::start("peripheral", &server.socket(1))?;
    image.says("host ready")?;
    Bumble::stream(&server, "take", OUT)?.hangs_up()?;
    image.says("disconnected, reason 0x13")?;
    image.keeps_within(STACK_OF_PERIPHERAL)
}

fn from_bumble() -> Result<(), Failed> {
    let server = server()?;
    let image = Image::start("sink", &server.socket(1))?;
    image.says("host ready")?;
    let bumble = Bumble::stream(&server, "send", into_image())?;
    // What is under way arrives within less than a second: one without any is behind it.
    image.says(": 0.0 kbps delivered")?;
    bumble.hangs_up()?;
    was_whole(&image, into_image())?;
    image.keeps_within(STACK_OF_PERIPHERAL)
}
