//! Public configurations of boards, as `airtime check` reads them: what sets something, what has a reason, and what is found.
//!
//! Where each file is from, and those that are read but not kept here, is in `configurations/README.md`.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use airtime_lab::configurations::{
    self, Build, Configuration, File, Finding, Line, NOT_MODELLED, Weight, header, syscfg,
};
use sha2::{Digest, Sha256};

/// The files, in the order of their names.
fn files() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/configurations/files");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

/// Findings and lines of a file, each as `check` has it.
fn checked(name: &str, text: &str) -> (Vec<Finding>, Vec<Line>) {
    let of = |build, config: Configuration| {
        let end = configurations::end(build, &config, None);
        let findings = configurations::check(build, &config, end);
        (findings, configurations::told(build, File { name: name.to_owned(), config }, end))
    };
    if name.ends_with(".yml") {
        return of(Build::Mynewt, syscfg(text));
    }
    if name.ends_with(".h") {
        return of(Build::SoftDevice, header(text));
    }
    let file = File { name: name.to_owned(), config: Configuration::parse(name, text).unwrap() };
    of(configurations::build_of(&file).unwrap_or(Build::Esp), file.config)
}

fn reading(name: &str, text: &str) -> String {
    let (findings, lines) = checked(name, text);
    let mut reading = format!("{name}\n");
    for finding in &findings {
        let (weight, line) = (finding.weight.name(), finding.line);
        let instead = finding.advice.as_deref().map_or_else(String::new, |advice| format!(" -> {advice}"));
        writeln!(reading, "  {weight} {line} {}={}{instead}", finding.name, finding.value).unwrap();
    }
    for line in lines.iter().filter(|line| line.why != NOT_MODELLED) {
        let (fate, sets) = (line.fate.word(), line.sets.join(", "));
        let told = if sets.is_empty() { line.why.clone() } else { sets };
        writeln!(reading, "  {fate} {} {}: {told}", line.line, line.text()).unwrap();
    }
    let others = lines.iter().filter(|line| line.why == NOT_MODELLED).count();
    writeln!(reading, "  {others} others").unwrap();
    reading
}

#[test]
fn public_files_are_read_as_they_were_judged() {
    let readings: Vec<String> = files().iter().map(|(name, text)| reading(name, text)).collect();
    assert!(readings.len() >= 35, "{}", readings.len());
    insta::assert_snapshot!(readings.concat());
}

/// Names of files whose hazards were looked at and are right; no other has one.
const HAZARDS: [&str; 10] = [
    "hosted-host-micropython-before.p4",
    "hosted-host-network-split.esp32p4",
    "zephyr-2.5-lwm2m.conf",
    "zephyr-2.5-mesh-badge.conf",
    "zephyr-2.5-peripheral-hr.conf",
    "zephyr-3.2-central-gatt-write.conf",
    "zephyr-3.2-hci-uart.conf",
    "zephyr-3.2-peripheral-gatt-write.conf",
    "zephyr-3.2-peripheral-hr-minimal.conf",
    "zephyr-4-zmk-central.conf",
];

#[test]
fn no_public_file_has_a_hazard_that_was_not_judged() {
    for (name, text) in files() {
        let (findings, _) = checked(&name, &text);
        let hazards: Vec<_> = findings.iter().filter(|finding| finding.weight == Weight::Hazard).collect();
        assert_eq!(!hazards.is_empty(), HAZARDS.contains(&name.as_str()), "{name}: {hazards:?}");
    }
}

/// A row for each file and a file for each row; the digest is that of the file as it was published.
#[test]
fn every_file_is_the_one_that_its_row_names() {
    let rows = include_str!("configurations/README.md").lines().filter(|line| line.starts_with("| `"));
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect::<Vec<_>>();
    let told: Vec<(String, String)> = rows
        .map(|row| match &cells(row)[..] {
            [_, name, _repository, _path, _commit, _licence, digest, _] => (name.clone(), digest.clone()),
            _ => panic!("{row}"),
        })
        .collect();
    let digest = |text: &str| Sha256::digest(text).iter().map(|octet| format!("{octet:02x}")).collect::<String>();
    let kept: Vec<_> = files().into_iter().map(|(name, text)| (name, digest(&text))).collect();
    assert_eq!(told, kept);
}

/// A file of Nordic's own licence may be kept and read here, and may not be given on with a program that runs on other chips.
#[test]
fn no_file_has_a_licence_that_binds_it_to_a_chip() {
    let bound = |text: &str| text.contains("Nordic Semiconductor ASA integrated circuit");
    assert!(files().iter().all(|(_, text)| !bound(text)));
}
