//! The published client within the virtual machine: `blerpc-protocol` on `bleak`, on BlueZ's daemon.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use serde_json::Value;

use super::archive::Archive;
use super::image::{name, read};
use super::machine::Machine;
use crate::command::output;
use crate::peer::python;

/// Folder of Python in the machine, and what of its environment goes there.
const HOME: &str = "py";
const PACKAGES: &[&str] =
    &["bleak", "blerpc_protocol", "cffi", "cryptography", "dbus_fast", "typing_extensions.py", "async_timeout"];

/// Parts of the standard library that nobody needs there, and that want libraries of their own.
const LEFT_OUT: &[&str] = &[
    "__pycache__",
    "config-",
    "curses",
    "dbm",
    "ensurepip",
    "idlelib",
    "lib2to3",
    "nis.",
    "_curses",
    "_dbm",
    "_gdbm",
    "_sqlite3",
    "_test",
    "_tkinter",
    "pydoc_data",
    "readline",
    "site-packages",
    "sqlite3",
    "test",
    "tkinter",
    "turtle",
    "venv",
    "xx",
];

/// Adds Python, its library and our scripts; the programs and libraries whose own libraries have to come along.
pub fn add(archive: &mut Archive) -> Result<Vec<PathBuf>, Failed> {
    let ask = "import sys, sysconfig; p = sysconfig.get_paths(); \
               print(sys._base_executable, p['stdlib'], p['purelib'], f'{sys.version_info[0]}.{sys.version_info[1]}')";
    let said = output(python().args(["-c", ask]))?;
    let [program, library, packages, version] = said.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(format!("what is this of Python: {said}").into());
    };
    let program = fs::canonicalize(program)?;
    archive.file("bin/python3", &read(&program)?);
    let mut programs = vec![program];
    let home = format!("{HOME}/lib/python{version}");
    for folder in [HOME, &format!("{HOME}/lib"), &format!("{HOME}/scripts")] {
        archive.folder(folder);
    }
    tree(archive, Path::new(library), &home, &mut programs)?;
    let site = format!("{home}/site-packages");
    archive.folder(&site);
    for entry in fs::read_dir(packages)? {
        let path = entry?.path();
        let of = name(&path);
        if PACKAGES.contains(&of.as_str()) || of.starts_with("_cffi_backend") {
            tree(archive, &path, &format!("{site}/{of}"), &mut programs)?;
        }
    }
    tree(
        archive,
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts")),
        &format!("{HOME}/scripts"),
        &mut programs,
    )?;
    Ok(programs)
}

/// Adds a file, or a folder with all that is in it, as `to`.
fn tree(archive: &mut Archive, from: &Path, to: &str, programs: &mut Vec<PathBuf>) -> Result<(), Failed> {
    if !from.is_dir() {
        archive.file(to, &read(from)?);
        if name(from).ends_with(".so") {
            programs.push(from.to_owned());
        }
        return Ok(());
    }
    archive.folder(to);
    let mut entries: Vec<PathBuf> =
        fs::read_dir(from)?.map(|entry| Ok(entry?.path())).collect::<Result<_, Failed>>()?;
    entries.sort();
    for path in entries {
        let of = name(&path);
        if !LEFT_OUT.iter().any(|left| of.starts_with(left)) {
            tree(archive, &path, &format!("{to}/{of}"), programs)?;
        }
    }
    Ok(())
}

/// Each method of the published service, sealed, by the published client's library: what it prints is that all of it was right.
pub fn calls(machine: &mut Machine) -> Result<(), Failed> {
    let python = format!("PYTHONHOME=/{HOME} DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket python3");
    machine
        .does(&format!("{python} /{HOME}/scripts/rpc_bleak.py --encrypted > /tmp/calls 2> /tmp/trace & calls=$!"))?;
    machine.until("! kill -0 $calls 2> /dev/null", 240)?;
    let said = machine.does("cat /tmp/calls")?;
    let report: Value = serde_json::from_str(&said)
        .map_err(|error| format!("{error}: {said}: {}", machine.does("tail -n 20 /tmp/trace").unwrap_or_default()))?;
    println!("{report}");
    let checks = report["checks"].as_object().ok_or("no checks")?;
    let failed: Vec<_> = checks.iter().filter(|(_, passed)| **passed == false).collect();
    if checks.len() >= 8 && failed.is_empty() { Ok(()) } else { Err(format!("{report}").into()) }
}
