//! `airtime ota` as scripts see it.

use std::fs;

use airtime_ota::image::Chip;
use serde_json::Value;

use crate::ota_bench::{Bench, firmware, stderr};
use crate::schema;

impl Bench {
    /// Asserts that `arguments` are refused with 2, and with these words.
    fn refused(&self, arguments: &[&str], said: &[&str]) {
        let output = self.airtime(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(said.iter().all(|said| stderr(&output).contains(said)), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn firmware_is_staged_looked_at_and_installed() {
    let bench = Bench::new();
    let staged = bench.json(&["stage", "new.bin", "-o", "partition.bin"], 0);
    assert_eq!(staged["image"]["version"], "2.12.5");
    assert_eq!(fs::metadata(bench.path("partition.bin")).unwrap().len(), 0x20_0000);
    let status = bench.json(&["status", "partition.bin"], 0);
    assert_eq!((&status["state"], &status["image"]), (&Value::from("image"), &staged["image"]));

    let run = bench.json(&["run", "partition.bin", "--coprocessor", "c6.bin", "--in-place"], 0);
    assert_eq!((&run["completed"], &run["firmware_now"]), (&Value::Bool(true), &Value::from("2.12.5")));
    assert_eq!((run["boots"].as_u64(), run["writes"].as_u64()), (Some(2), staged["image"]["writes"].as_u64()));
    assert_eq!(bench.json(&["status", "partition.bin"], 0)["state"], "nothing");
    // The co-processor has kept it, and the next boot skips the update.
    let again = bench.json(&["run", "partition.bin", "--coprocessor", "c6.bin", "--in-place"], 0);
    assert_eq!((&again["firmware_before"], &again["writes"]), (&Value::from("2.12.5"), &Value::from(0)));
}

#[test]
fn a_run_leaves_its_files_alone_unless_asked() {
    let bench = Bench::new();
    bench.json(&["stage", "new.bin", "-o", "partition.bin"], 0);
    let before = fs::read(bench.path("partition.bin")).unwrap();
    bench.json(&["run", "partition.bin", "--coprocessor", "c6.bin"], 0);
    assert_eq!(fs::read(bench.path("partition.bin")).unwrap(), before);
    assert!(!bench.path("c6.bin").exists());
}

#[test]
fn a_cut_ends_with_the_new_firmware_all_the_same() {
    let bench = Bench::new();
    bench.json(&["stage", "new.bin", "-o", "partition.bin"], 0);
    for cut in ["5s", "20500ms", "26s", "30s", "40s"] {
        for rollback in ["ota.rollback=true", "ota.rollback=false"] {
            let run = bench.json(&["run", "partition.bin", "--cut", cut, "--set", rollback], 0);
            assert_eq!(
                (&run["completed"], &run["firmware_now"]),
                (&Value::Bool(true), &Value::from("2.12.5")),
                "{cut}"
            );
        }
    }
}

#[test]
fn what_is_not_erased_is_not_written_over() {
    let bench = Bench::new();
    bench.json(&["stage", "old.bin", "-o", "partition.bin"], 0);
    let before = fs::read(bench.path("partition.bin")).unwrap();
    bench.refused(&["stage", "new.bin", "-o", "partition.bin"], &["partition.bin: ", "not erased", "--erase"]);
    assert_eq!(fs::read(bench.path("partition.bin")).unwrap(), before);
    let staged = bench.json(&["stage", "new.bin", "-o", "partition.bin", "--erase"], 0);
    assert_eq!(staged["image"]["version"], "2.12.5");
    assert_eq!(bench.names(), ["new.bin", "old.bin", "partition.bin"], "nothing is left beside the file");
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let bench = Bench::new();
    let mut damaged = firmware(Chip::ESP32_C6, "2.12.5", 60_000);
    damaged[40_000] ^= 1;
    fs::write(bench.path("damaged.bin"), &damaged).unwrap();
    fs::write(bench.path("p4.bin"), firmware(Chip::ESP32_P4, "1.0.0", 4000)).unwrap();
    let table = "nvs, data, nvs, 0x9000, 0x6000\nslave_fw, data, 0x40, 0xe000, 1M\n";
    fs::write(bench.path("overlap.csv"), table).unwrap();
    fs::write(bench.path("without.csv"), "nvs, data, nvs, 0x9000, 0x6000\n").unwrap();
    let stage = |image| ["stage", image, "-o", "out.bin"];
    bench.refused(&stage("damaged.bin"), &["damaged.bin: octet 0x", "checksum"]);
    bench.refused(&stage("p4.bin"), &["p4.bin: octet 0xc", "ESP32-P4", "ESP32-C6"]);
    let with = |table| ["stage", "new.bin", "-o", "out.bin", "--partitions", table];
    bench.refused(&with("overlap.csv"), &["overlap.csv:2:23: ", "`nvs` ends at 0xf000"]);
    bench.refused(&with("without.csv"), &["without.csv: ", "no partition `slave_fw`"]);
    assert!(!bench.path("out.bin").exists());
    bench.refused(&["run", "new.bin"], &["airtime ota stage"]);
    bench.json(&["stage", "new.bin", "-o", "partition.bin"], 0);
    bench.refused(&["run", "partition.bin", "--set", "ota.transprt=18s"], &["did you mean `ota.transport`"]);
    bench.refused(&["run", "partition.bin", "--set", "ota.pause=10"], &["--set ota.pause=10: ", "unit"]);
    bench.refused(&["run", "partition.bin", "--set", "ota.chunk=20"], &["288 to 4096"]);
    assert_eq!(bench.airtime(&["status", "nowhere.bin"]).status.code(), Some(1));
}

#[test]
fn a_damaged_partition_is_told_and_ends_with_one() {
    let bench = Bench::new();
    bench.json(&["stage", "new.bin", "-o", "partition.bin"], 0);
    let mut octets = fs::read(bench.path("partition.bin")).unwrap();
    octets[30_000] ^= 1;
    fs::write(bench.path("partition.bin"), &octets).unwrap();
    assert_eq!(bench.json(&["status", "partition.bin"], 1)["state"], "damaged");
    let run = bench.json(&["run", "partition.bin"], 1);
    assert_eq!((&run["completed"], &run["firmware_now"]), (&Value::Bool(false), &Value::from("2.11.7")));
    // A dump of the whole flash has the partition in it.
    let dump = [vec![0; 0x21_0000], octets].concat();
    fs::write(bench.path("dump.bin"), dump).unwrap();
    assert_eq!(bench.json(&["status", "dump.bin"], 1)["state"], "damaged");
    assert_eq!(bench.json(&["status", "new.bin"], 0)["state"], "firmware");
}

#[test]
fn what_is_printed_has_a_published_schema() {
    let (bench, ota) = (Bench::new(), include_str!("../../../schemas/ota.schema.json"));
    schema::conforms(&bench.json(&["stage", "new.bin", "-o", "partition.bin"], 0), ota);
    schema::conforms(&bench.json(&["status", "partition.bin"], 0), ota);
    schema::conforms(&bench.json(&["status", "new.bin"], 0), ota);
    let run = bench.json(&["run", "partition.bin", "--in-place"], 0);
    schema::conforms(&run, include_str!("../../../schemas/ota-run.schema.json"));
    schema::conforms(&bench.json(&["status", "partition.bin"], 0), ota);
    let mut damaged = fs::read(bench.path("partition.bin")).unwrap();
    let new = fs::read(bench.path("new.bin")).unwrap();
    damaged[..new.len()].copy_from_slice(&new);
    damaged[40_000] ^= 1;
    fs::write(bench.path("damaged.bin"), &damaged).unwrap();
    let found = bench.json(&["status", "damaged.bin"], 1);
    assert_eq!((&found["state"], &found["image"]), (&Value::from("damaged"), &Value::Null));
    schema::conforms(&found, ota);
}
