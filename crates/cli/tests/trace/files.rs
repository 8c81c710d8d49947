//! The files that a capture comes to, and what keeps one from being written.

use std::fs;
use std::path::Path;
use std::process::Output;

use airtime_capture::btsnoop::Records;

use super::program::{airtime, airtime_with, json, stderr, text};

/// Traces two seconds of `plan` into these files of `folder`.
fn trace(plan: &str, folder: &Path, names: &[&str]) -> Output {
    let paths: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
    let outputs = paths.iter().flat_map(|path| ["-o", text(path)]);
    let arguments: Vec<&str> = ["trace", plan, "--json"].into_iter().chain(outputs).collect();
    airtime_with(&arguments, &["run.duration=2s", "run.warmup=0s"])
}

/// Names and lengths of all files.
fn files(folder: &Path) -> Vec<(String, u64)> {
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut files: Vec<_> =
        files.map(|file| (file.file_name().into_string().unwrap(), file.metadata().unwrap().len())).collect();
    files.sort();
    files
}

#[test]
fn every_kind_is_written_at_once_and_listed_with_its_length() {
    let folder = tempfile::tempdir().unwrap();
    let listed = json(&trace("two-peripherals", folder.path(), &["x.btsnoop", "x.perfetto", "x.pcapng"]));
    let mut listed: Vec<(String, u64)> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let path = Path::new(row["file"].as_str().unwrap());
            (path.file_name().unwrap().to_str().unwrap().to_owned(), row["octets"].as_str().unwrap().parse().unwrap())
        })
        .collect();
    listed.sort();
    assert_eq!(listed, files(folder.path()));
    let names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    let hosts = ["x.central.btsnoop", "x.peripheral0.btsnoop", "x.peripheral1.btsnoop"];
    assert_eq!(names, [hosts[0], "x.pcapng", "x.perfetto", hosts[1], hosts[2]]);
    for host in hosts {
        let bytes = fs::read(folder.path().join(host)).unwrap();
        let records: Result<Vec<_>, _> = Records::new(&bytes).unwrap().collect();
        assert!(records.unwrap().len() > 100, "{host}");
    }
    // Field 1 of a trace, with a length: a packet.
    assert_eq!(fs::read(folder.path().join("x.perfetto")).unwrap()[0], 0x0a);
}

#[test]
fn one_peripheral_needs_no_number() {
    let folder = tempfile::tempdir().unwrap();
    json(&trace("coc-nrf", folder.path(), &["x.btsnoop"]));
    let names: Vec<String> = files(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["x.central.btsnoop", "x.peripheral.btsnoop"]);
}

#[test]
fn a_name_that_says_no_format_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.txt", "x", ".pcapng", "x.PCAPNG"] {
        let output = trace("coc-nrf", folder.path(), &["good.pcapng", name]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(name) && said.contains(".pcapng (the air), .btsnoop"), "{said}");
    }
    let output = airtime(&["trace", "coc-nrf", "-o", "/dev/full"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("`/dev/full`: a capture is called"));
    assert_eq!(files(folder.path()), []);
}

/// Two captures in one file would leave neither.
#[test]
fn a_file_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    for names in [["x.pcapng", "x.pcapng"], ["x.btsnoop", "x.btsnoop"]] {
        let output = trace("coc-nrf", folder.path(), &names);
        assert_eq!(output.status.code(), Some(2), "{names:?}");
        assert!(stderr(&output).contains("would be written twice"), "{}", stderr(&output));
    }
    assert_eq!(files(folder.path()), []);
}

#[test]
fn without_a_place_or_a_plan_the_usage_is_shown() {
    for (arguments, missing) in
        [(&["trace", "coc-nrf"][..], "--output <FILE>"), (&["trace", "-o", "x.pcapng"], "<PLAN>")]
    {
        let output = airtime(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(missing) && stderr(&output).contains("Usage:"), "{}", stderr(&output));
    }
    let output = airtime(&["trace", "interval-sweep", "-o", "x.pcapng"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("one point is traced at a time"));
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.pcapng", "x.btsnoop", "x.perfetto"] {
        let path = folder.path().join("missing").join(name);
        let output = airtime(&["trace", "coc-nrf", "-o", text(&path)]);
        let named = stderr(&output).contains("cannot open `") && stderr(&output).contains("missing");
        assert!(output.status.code() == Some(1) && named, "{}", stderr(&output));
    }
}

/// The first write that fails ends the run and names its file.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_and_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in [
        ("x.pcapng", "x.pcapng"),
        ("x.btsnoop", "x.peripheral.btsnoop"),
        ("x.perfetto", "x.perfetto"),
        ("x.pftrace", "x.pftrace"),
    ] {
        let path = folder.path().join(file);
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let output = trace("coc-nrf", folder.path(), &[name]);
        let said = stderr(&output);
        assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b""[..]), "{said}");
        assert!(said.contains(&format!("cannot write `{}`: ", path.display())), "{said}");
    }
}
