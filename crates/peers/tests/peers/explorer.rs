//! The explorer in a browser, and its records beside the program's.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::output;
use crate::peer::{Peer, beside};
use crate::program::airtime;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    const RECORDS: &[Peer] = &[Peer::Airtime, Peer::Explorer, Peer::Node];
    const PAGE: &[Peer] = &[Peer::Airtime, Peer::Explorer, Peer::Node, Peer::Chromium];
    vec![
        beside("records of WebAssembly are those of the program, octet for octet", RECORDS, records_are_the_same),
        beside("the explorer in a browser", PAGE, page_serves),
    ]
}

/// Folder that `cargo xtask explorer` builds.
pub fn folder() -> PathBuf {
    root().join("target/explorer")
}

/// Folder of the page's sources, with what its tests need.
pub fn web() -> PathBuf {
    root().join("web")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Command that runs a script of this package with Node.
pub fn script(name: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name));
    command
}

/// Folders of plans that are many points each, and minutes together.
const GRIDS: [&str; 2] = ["experiments/", "field/"];

/// Shipped plans, those of many points among them where the whole is asked for: what one of them is refused for in WebAssembly is that
/// its host does not run there.
fn records_are_the_same() -> Result<(), Failed> {
    let listed: Value = serde_json::from_str(&output(airtime().args(["plans", "--json"]))?)?;
    let plans = listed["plans"].as_array().ok_or("no list of plans")?;
    let is_grid = |plan: &str| GRIDS.iter().any(|folder| plan.starts_with(folder));
    let is_wanted = |plan: &&str| std::env::var_os("AIRTIME_WHOLE").is_some() || !is_grid(plan);
    let plans: Vec<&str> = plans.iter().filter_map(|plan| plan["plan"].as_str()).filter(is_wanted).collect();
    let out = tempfile::tempdir()?;
    let mut command = script("explorer_records.mjs");
    command.arg(web().join("generated/lab.js")).arg(folder()).arg(out.path()).args(&plans);
    output(&mut command)?;
    let (mut same, mut wrong) = (0, Vec::new());
    for (number, plan) in plans.iter().enumerate() {
        let file = |end: &str| fs::read_to_string(out.path().join(format!("{number}.{end}")));
        if let Ok(why) = file("refused") {
            if !why.contains("does not run in WebAssembly") {
                wrong.push(format!("{plan}: {why}"));
            }
            continue;
        }
        // A threshold that is missed ends the program with 3, and has no part in the document.
        let native = airtime().args(["run", plan, "--json", "-q"]).output()?.stdout;
        if file("json")?.as_bytes() == native { same += 1 } else { wrong.push(format!("{plan}: another document")) }
    }
    println!("{same} of {} plans have the same records", plans.len());
    if wrong.is_empty() && same > 20 { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Server that ends with the test.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn page_serves() -> Result<(), Failed> {
    let mut command = airtime();
    command.arg("explore").arg("--dir").arg(folder()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = Serving(command.spawn()?);
    let mut address = String::new();
    BufReader::new(server.0.stdout.take().ok_or("no output")?).read_line(&mut address)?;
    let address = address.trim();
    let folder = tempfile::tempdir()?;
    let capture = folder.path().join("air.pcapng");
    output(airtime().args(["trace", "coc-nrf", "--set", "run.duration=4s", "-q", "-o"]).arg(&capture))?;
    let mut command = script("explorer.mjs");
    command.arg(web()).arg(address).arg(&capture);
    // Whoever wants to see what was looked at names a folder.
    command.args(std::env::var_os("AIRTIME_SCREENSHOTS"));
    let found: Value = serde_json::from_str(&output(&mut command)?)?;
    println!("{:#}", found);
    let document: Value = serde_json::from_str(&output(airtime().args(["run", "coc-nrf", "--json"]))?)?;
    let goodput = document["records"][0]["goodput_kbps"]["median"].as_f64().ok_or("no goodput")?;
    let shown: String = found["goodput"].as_str().unwrap_or_default().chars().filter(char::is_ascii).collect();
    // The last line of the tables is a sentence on the whole capture.
    let told = output(airtime().args(["trace", "read"]).arg(&capture))?;
    let summary = told.lines().rfind(|line| !line.trim().is_empty()).ok_or("nothing is told of the capture")?;
    let elsewhere = |request: &&Value| request.as_str().is_none_or(|request| !request.starts_with(address));
    let none = |of: &str| found[of].as_array().is_some_and(Vec::is_empty);
    let text = |of: &str| found[of].as_str().unwrap_or_default();
    let requests = found["requests"].as_array().ok_or("no requests")?;
    let checks = [
        ("no error of the page", none("errors")),
        ("no request to anywhere else", requests.len() > 4 && requests.iter().all(|request| !elsewhere(&request))),
        ("nothing serious for whoever cannot see", none("serious")),
        ("nothing wider than the screen", none("wide")),
        ("the goodput of the program", shown.parse() == Ok(goodput)),
        ("a slider moves the figure", found["moved"] == true && text("command").contains("--set coc.sdu=")),
        ("the address has the change", text("hash").contains("set=coc.sdu")),
        ("40 moves were followed", found["moves_ms"].as_array().is_some_and(|moves| moves.len() == 40)),
        ("hostile text is shown", found["hostile"]["shown"] == true && found["hostile"]["images"] == 0),
        ("and not run", found["hostile"]["alerted"] == false),
        ("a connection event follows", text("event").contains("central: connection events")),
        ("latencies and seconds are behind it", found["more"] == 2),
        ("the capture is read as the program reads it", text("heard").contains(summary.trim())),
        ("a name is shown and not run", found["dropped"]["images"] == 0),
        ("a cut capture is read up to the cut", found["dropped"]["tables"].as_u64().is_some_and(|tables| tables > 0)),
        ("what is no capture is told", text("refused").contains("ZIP archive")),
        ("a capture is closed again", found["closed"] == true),
        ("a mistake is told", text("fault").contains("`nothing`")),
    ];
    let failed: Vec<&str> = checks.iter().filter(|(_, holds)| !holds).map(|(what, _)| *what).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("not: {}", failed.join("; not: ")).into()) }
}
