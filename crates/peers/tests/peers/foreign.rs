//! Captures that are not ours: public ones, listed in `captures.toml` with their digests and with what tshark counts in them.
//!
//! They are of other people's repositories and not in this one. `AIRTIME_CAPTURES` names a folder that has them as
//! `OWNER/NAME/PATH`, which is where clones side by side put them; docs/captures.md has the commands. Those that are there are tried.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use toml_edit::{Document, Item, Table};

use crate::captures::expect;
use crate::command::output;
use crate::peer::{Peer, beside, without};
use crate::program::airtime;

/// Variable that names the folder.
const FOLDER: &str = "AIRTIME_CAPTURES";

/// The list.
const LIST: &str = include_str!("../../captures.toml");

/// A capture of the list, with where it would be.
#[derive(Clone, Debug)]
struct Listed {
    name: String,
    path: PathBuf,
    sha256: String,
    octets: u64,
    holds: String,
    /// It ends in the middle of a packet.
    cut: bool,
    facts: Vec<(String, u64)>,
}

/// Facts of each kind of content, with the filter by which tshark counts them.
const FACTS: [(&str, &[(&str, &str)]); 4] = [
    (
        "air",
        &[
            ("packets", "frame"),
            ("advertising", "btle.access_address == 0x8e89bed6"),
            ("requests", "btle.advertising_header.pdu_type == 5"),
        ],
    ),
    ("host", &[("packets", "frame"), ("commands", "bthci_cmd"), ("events", "bthci_evt"), ("acl", "bthci_acl")]),
    (
        "wifi",
        &[
            ("packets", "frame"),
            ("damaged", "wlan.fcs.status == 0"),
            ("management", "wlan.fc.type == 0 && !(wlan.fcs.status == 0)"),
            ("data", "wlan.fc.type == 2 && !(wlan.fcs.status == 0)"),
            ("acks", "wlan.fc.type_subtype == 29 && !(wlan.fcs.status == 0)"),
            ("retries", "wlan.fc.retry == 1 && wlan.fc.type != 1 && !(wlan.fcs.status == 0)"),
        ],
    ),
    (
        "ieee802154",
        &[
            ("packets", "frame"),
            ("damaged", "wpan.fcs_ok == 0"),
            ("version_2", "wpan.version == 2 && !(wpan.fcs_ok == 0)"),
            ("data", "wpan.frame_type == 1 && !(wpan.version == 2) && !(wpan.fcs_ok == 0)"),
            ("acks", "wpan.frame_type == 2 && !(wpan.version == 2) && !(wpan.fcs_ok == 0)"),
        ],
    ),
];

/// The tests of this file: the list itself, and two for every capture that is there.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![beside("the list of public captures is whole", &[], is_whole)];
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        trials.push(without("public captures are read as tshark counts them", format!("{FOLDER} names no folder")));
        return trials;
    };
    let there: Vec<Listed> = listed(&folder).into_iter().filter(|listed| listed.path.exists()).collect();
    if there.is_empty() {
        let says = format!("{} has none of the captures", folder.display());
        trials.push(without("public captures are read as tshark counts them", says));
    }
    for capture in there {
        let own = capture.clone();
        trials.push(beside(&format!("airtime counts {}", own.name), &[Peer::Airtime], move || airtime_counts(&own)));
        trials
            .push(beside(&format!("tshark counts {}", capture.name), &[Peer::Tshark], move || tshark_counts(&capture)));
    }
    trials
}

fn listed(folder: &Path) -> Vec<Listed> {
    let document = Document::parse(LIST).expect("the list is TOML");
    let captures = document["capture"].as_array_of_tables().expect("captures");
    captures.iter().map(|table| Listed::of(table, folder)).collect()
}

impl Listed {
    fn of(table: &Table, folder: &Path) -> Self {
        let text = |key: &str| table[key].as_str().unwrap_or_else(|| panic!("a capture has no {key}")).to_owned();
        let whole = |item: &Item| u64::try_from(item.as_integer().expect("a count")).expect("a count");
        let (repository, path) = (text("repository"), text("path"));
        let facts = table["facts"].as_table_like().expect("facts");
        Self {
            name: format!("{repository} {path}"),
            path: folder.join(&repository).join(&path),
            sha256: text("sha256"),
            octets: whole(&table["octets"]),
            holds: text("holds"),
            cut: table.get("cut").and_then(Item::as_bool).unwrap_or(false),
            facts: facts.iter().map(|(name, count)| (name.to_owned(), whole(count))).collect(),
        }
    }

    /// Its facts with their filters.
    fn filters(&self) -> &'static [(&'static str, &'static str)] {
        FACTS.iter().find(|(holds, _)| *holds == self.holds).expect("a kind of content").1
    }

    /// The file is the one that was listed.
    fn is_the_one(&self) -> Result<(), Failed> {
        let octets = fs::read(&self.path)?;
        let digest: String = Sha256::digest(&octets).iter().map(|octet| format!("{octet:02x}")).collect();
        expect("octets and digest", (octets.len() as u64, digest), (self.octets, self.sha256.clone()))
    }
}

/// Every entry is distinct, with a digest and the facts of what it holds.
fn is_whole() -> Result<(), Failed> {
    let listed = listed(Path::new(""));
    for (index, one) in listed.iter().enumerate() {
        let names: Vec<&str> = one.facts.iter().map(|(name, _)| name.as_str()).collect();
        let mut known: Vec<&str> = one.filters().iter().map(|(name, _)| *name).collect();
        let mut told = names.clone();
        known.sort_unstable();
        told.sort_unstable();
        expect(&format!("facts of {}", one.name), told, known)?;
        expect("digits of a digest", (one.sha256.len(), one.octets > 0), (64, true))?;
        expect("another of the same digest", listed[..index].iter().any(|other| other.sha256 == one.sha256), false)?;
    }
    expect("at least twenty", listed.len() >= 20, true)
}

fn airtime_counts(capture: &Listed) -> Result<(), Failed> {
    capture.is_the_one()?;
    let read = airtime().args(["trace", "read", "--json"]).arg(&capture.path).output()?;
    let says = String::from_utf8_lossy(&read.stderr);
    expect(&format!("success: {says}"), read.status.success(), true)?;
    expect(&format!("a word on the end: {says}"), says.contains("the capture ends in the middle"), capture.cut)?;
    let document: Value = serde_json::from_slice(&read.stdout)?;
    let mut wrong = Vec::new();
    for (name, expected) in &capture.facts {
        let found = fact(&document, name);
        if found != Some(*expected) {
            wrong.push(format!("{name}: {found:?}, and tshark counts {expected}"));
        }
    }
    // Text and figures are made of the same, and none of it panics either.
    for form in ["--markdown", "--csv"] {
        output(airtime().args(["trace", "read", form]).arg(&capture.path))?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ").into()) }
}

fn tshark_counts(capture: &Listed) -> Result<(), Failed> {
    capture.is_the_one()?;
    for (name, expected) in &capture.facts {
        let filter = capture.filters().iter().find(|(known, _)| known == name).ok_or("a filter")?.1;
        expect(name, passing(capture, filter)?, *expected)?;
    }
    Ok(())
}

/// Packets that pass `filter`; of a file that is cut tshark counts those in front of the cut, and ends with an error.
fn passing(capture: &Listed, filter: &str) -> Result<u64, Failed> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(&capture.path).args(["-Y", filter, "-T", "fields", "-e", "frame.number"]);
    let passed = if capture.cut { String::from_utf8(command.output()?.stdout)? } else { output(&mut command)? };
    Ok(passed.lines().count() as u64)
}

/// The count of this name in what `airtime trace read --json` prints.
fn fact(document: &Value, name: &str) -> Option<u64> {
    let sum = |rows: &str, columns: &[&str]| -> Option<u64> {
        let rows = document[rows].as_array()?;
        rows.iter().flat_map(|row| columns.iter().map(|column| row[*column].as_u64())).sum()
    };
    let read = &document["read"];
    match name {
        "packets" => ["taken", "elsewhere", "malformed", "notes"].iter().map(|name| read[*name].as_u64()).sum(),
        "commands" | "events" | "acl" => document["kinds"][name].as_u64(),
        "management" => sum("stations", &["management"]),
        "retries" => sum("stations", &["retries"]),
        "data" if document["stations"].is_array() => sum("stations", &["data", "empty"]),
        "data" => sum("nodes", &["data"]),
        other => document[other].as_u64(),
    }
}
