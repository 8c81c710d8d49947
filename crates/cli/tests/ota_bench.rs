//! A folder with firmware, and `airtime ota` in it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use airtime_ota::image::{Chip, Description, compose};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with two firmware images: `old.bin` of about 200 kB, `new.bin` of about 60 kB.
pub struct Bench {
    pub folder: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, version, octets) in [("old.bin", "2.12.0", 200_000), ("new.bin", "2.12.5", 60_000)] {
            fs::write(folder.path().join(name), firmware(Chip::ESP32_C6, version, octets)).unwrap();
        }
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn airtime(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
        command.arg("ota").args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    pub fn json(&self, arguments: &[&str], code: i32) -> Value {
        let output = self.airtime(&[arguments, &["--json", "-q"]].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Names of the files in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

pub fn firmware(chip: Chip, version: &str, octets: usize) -> Vec<u8> {
    let (project, idf) = ("network_adapter".to_owned(), "v5.5.1".to_owned());
    let description = Description { version: version.to_owned(), project, idf, elf_sha256: [7; 32] };
    let body: Vec<u8> = (0..octets as u32 / 4 * 4).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    compose(chip, &description, &body)
}

pub fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}
