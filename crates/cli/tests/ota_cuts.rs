//! Disks that are full and runs that are killed: what is staged is not lost, and the next run ends with it.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::ota_bench::{Bench, stderr};

/// Both flashes in files, and a run that keeps them.
const RUN: [&str; 5] = ["run", "partition.bin", "--coprocessor", "c6.bin", "--in-place"];
/// A partition that is larger than the co-processor's flash of 4 MB, so that a limit on the size of files can fall between them.
const LARGE: &str = "slave_fw, data, 0x40, 0x210000, 12M\n";
const PARTITIONS: [&str; 2] = ["--partitions", "large.csv"];

/// A folder where 2.12.5 is staged.
fn staged(table: &[&str]) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("large.csv"), LARGE).unwrap();
    bench.json(&[&["stage", "new.bin", "-o", "partition.bin"], table].concat(), 0);
    bench
}

/// Asserts that nothing is lost, and that the next run ends with the new firmware and leaves nothing beside its files.
fn ends_well(bench: &Bench, table: &[&str], when: &str) {
    let status = bench.json(&[&["status", "partition.bin"], table].concat(), 0);
    let run = bench.json(&[&RUN, table].concat(), 0);
    assert_eq!((&run["completed"], &run["firmware_now"]), (&true.into(), &"2.12.5".into()), "{when}");
    if status["state"] == "nothing" {
        assert_eq!(run["firmware_before"], "2.12.5", "{when}: erased before the co-processor had it");
    }
    assert_eq!(bench.names(), ["c6.bin", "large.csv", "new.bin", "old.bin", "partition.bin"], "{when}");
    assert_eq!(bench.json(&[&["status", "partition.bin"], table].concat(), 0)["state"], "nothing", "{when}");
}

/// `airtime ota` with `arguments`, where no file may grow beyond `blocks` of 512 or 1024 octets, as the shell counts. `before`
/// says what becomes of who tries: without a word he is killed, in the middle of the write.
#[cfg(target_os = "linux")]
fn limited(bench: &Bench, before: &str, blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("{before} ulimit -c 0; ulimit -f {blocks}; exec \"$0\" ota \"$@\"");
    let mut limited = Command::new("sh");
    limited.args(["-c", &script, env!("CARGO_BIN_EXE_airtime")]).args(arguments).current_dir(bench.folder.path());
    limited.output().unwrap()
}

/// Stands for a full disk: writing fails in the middle.
#[cfg(target_os = "linux")]
const FULL: &str = "trap '' XFSZ;";

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_beside_it() {
    let bench = Bench::new();
    bench.json(&["stage", "old.bin", "-o", "partition.bin"], 0);
    let before = fs::read(bench.path("partition.bin")).unwrap();
    let output = limited(&bench, FULL, 100, &["stage", "new.bin", "-o", "partition.bin", "--erase"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    for said in ["cannot write `partition.bin`: ", "`partition.bin` is as it was", "stage again"] {
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
    assert_eq!(fs::read(bench.path("partition.bin")).unwrap(), before);
    assert_eq!(bench.names(), ["new.bin", "old.bin", "partition.bin"]);
}

/// In the co-processor's file, at its end, and in the host's.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_or_kills_in_the_middle_loses_nothing() {
    use std::os::unix::process::ExitStatusExt as _;
    for (blocks, full) in [(1, "c6.bin"), (3_000, "c6.bin"), (10_000, "partition.bin")] {
        let bench = staged(&PARTITIONS);
        let before = fs::read(bench.path("partition.bin")).unwrap();
        let output = limited(&bench, FULL, blocks, &[&RUN[..], &PARTITIONS].concat());
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        for said in
            [&format!("cannot write `{full}`: "), "`c6.bin` and `partition.bin` are as they were", "run it again"]
        {
            assert!(stderr(&output).contains(said), "{}", stderr(&output));
        }
        assert!(fs::read(bench.path("partition.bin")).unwrap() == before, "{blocks} blocks");
        assert_eq!(bench.names(), ["large.csv", "new.bin", "old.bin", "partition.bin"], "{blocks} blocks");

        let killed = limited(&bench, "", blocks, &[&RUN[..], &PARTITIONS].concat());
        assert!(killed.status.signal().is_some(), "{blocks} blocks: {}", killed.status);
        assert!(bench.names().iter().any(|name| name.ends_with(".part")), "{blocks} blocks: {:?}", bench.names());
        ends_well(&bench, &PARTITIONS, &format!("killed at {blocks} blocks"));
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told() {
    let bench = staged(&[]);
    let before = fs::read(bench.path("partition.bin")).unwrap();
    let output = bench.airtime(&["stage", "new.bin", "-o", "missing/partition.bin"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    for said in ["cannot write `missing/partition.bin`: ", "nothing was written"] {
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
    // What the dead have left goes first, of all files: it may be what fills the disk.
    fs::write(bench.path("partition.bin.1.part"), "half").unwrap();
    let output = bench.airtime(&["run", "partition.bin", "--coprocessor", "missing/c6.bin", "--in-place"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    for said in ["cannot write `missing/c6.bin`: ", "`partition.bin` are as they were", "run it again"] {
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
    assert!(fs::read(bench.path("partition.bin")).unwrap() == before);
    assert_eq!(bench.names(), ["large.csv", "new.bin", "old.bin", "partition.bin"]);
}

/// When a run is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// When it has said so many lines.
    Said(usize),
    /// When a file is there whose name begins and ends so.
    Named(&'static str, &'static str),
    /// When the host's partition begins with another octet.
    Erased,
}

impl Moment {
    /// Waits for it, or for the end of the run.
    fn await_in(self, bench: &Bench, child: &mut Child, before: u8) {
        if let Self::Said(lines) = self {
            let said = BufReader::new(child.stderr.take().unwrap());
            assert!(said.lines().take(lines).all(|line| line.is_ok()));
            return;
        }
        while !self.has_come(bench, before) && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
    }

    fn has_come(self, bench: &Bench, before: u8) -> bool {
        match self {
            Self::Said(_) => true,
            Self::Named(begin, end) => bench.names().iter().any(|name| name.starts_with(begin) && name.ends_with(end)),
            Self::Erased => first_octet(&bench.path("partition.bin")) != before,
        }
    }
}

fn first_octet(path: &Path) -> u8 {
    let mut octet = [0];
    File::open(path).and_then(|mut file| file.read_exact(&mut octet)).unwrap();
    octet[0]
}

#[test]
fn a_run_that_is_killed_loses_nothing() {
    let said = [1, 4, 10].map(Moment::Said);
    let begun = [Moment::Named("c6.bin", ".part"), Moment::Named("partition.bin.", ".part")];
    let placed = [Moment::Named("c6.bin", "c6.bin"), Moment::Erased];
    let moments = said.into_iter().chain(begun.repeat(4)).chain(placed.repeat(4));
    for moment in moments {
        let bench = staged(&[]);
        let before = first_octet(&bench.path("partition.bin"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
        command.arg("ota").args(RUN).current_dir(bench.folder.path()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        moment.await_in(&bench, &mut child, before);
        child.kill().unwrap();
        child.wait().unwrap();
        // It may have been killed beside its first file as well as between both.
        ends_well(&bench, &[], &format!("{moment:?}"));
    }
}

#[test]
fn what_the_dead_have_left_is_removed_and_what_the_living_write_is_not() {
    let bench = staged(&[]);
    let [dead, living, unrelated] = ["c6.bin.4194305.part", "partition.bin.1.part", "notes.part"];
    for name in [dead, living, unrelated] {
        fs::write(bench.path(name), "half").unwrap();
    }
    let owner = File::open(bench.path(living)).unwrap();
    owner.try_lock().unwrap();
    bench.json(&RUN, 0);
    assert!(!bench.path(dead).exists() && bench.path(living).exists() && bench.path(unrelated).exists());
    drop(owner);
    bench.json(&RUN, 0);
    assert!(!bench.path(living).exists() && bench.path(unrelated).exists());
}
