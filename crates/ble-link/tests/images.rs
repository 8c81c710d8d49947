//! Images of firmware that a plan names as hosts, of a few instructions each. Those of `firmware/emulated-m33` are in the tests of
//! `airtime-interpreted`.

use std::fmt::Write as _;

use airtime_lab::{Library, Plan, Record, run};
use airtime_testing::image;

/// An instruction that is undefined for good: how a panic ends.
const UNDEFINED: u16 = 0xde00;

/// A branch to itself, and a sleep that nothing ends.
const FOREVER: u16 = 0xe7fe;
const SLEEP: [u16; 2] = [0xbf30, 0xe7fd];

/// Octets of a file, as a disk might have it.
fn file(path: &str) -> Result<Vec<u8>, String> {
    match path {
        "ends.elf" => Ok(image(&[UNDEFINED], 0)),
        "spins.elf" => Ok(image(&[FOREVER], 0)),
        "sleeps.elf" => Ok(image(&SLEEP, 0)),
        "notes.txt" => Ok(b"no ELF at all".to_vec()),
        _ => Err("cannot be read: No such file".into()),
    }
}

/// Record of the plan with this host at the peripheral and these keys, or the reason that there is none.
fn record(host: &str, set: &[(&str, &str)]) -> Result<Record, String> {
    let keys = [("peripheral.host", host), ("run.duration", "3s"), ("run.warmup", "1s")];
    let set: Vec<(String, String)> =
        keys.iter().chain(set).map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let library = Library::builtin().reading_images(file);
    let plan = Plan::parse("test", "", &library, &set).map_err(|error| error.to_string())?;
    Ok(run::record(&plan, &plan.point(0).expect("a plan has a point")))
}

#[test]
fn an_image_that_stops_is_the_outcome() {
    let record = record("firmware:ends.elf", &[]).unwrap();
    assert_eq!(
        record.outcome,
        "the peripheral's image stopped: the image ended itself at 0x10000100, as it does when it panics: its log says why"
    );
    assert!(record.goodput_kbps.high <= 0.0, "nothing came");
}

#[test]
fn an_image_that_says_nothing_is_not_found() {
    for host in ["firmware:spins.elf", "firmware:sleeps.elf"] {
        let record = record(host, &[("peripheral.host_clock", "1MHz")]).unwrap();
        assert_eq!(record.outcome, "the scan found no device with the name", "{host}");
        // What it did is counted in the steady state, which there was none of.
        assert_eq!(record.counters.get("cpu.peripheral.cycles"), Some(&0), "{host}");
        assert_eq!(record.params.get("peripheral.host_clock"), Some(&"1MHz".into()));
    }
}

#[test]
fn what_is_no_image_is_refused_by_its_name() {
    let refused = |host: &str, set: &[(&str, &str)]| record(host, set).expect_err("it is impossible");
    assert_eq!(
        refused("firmware:none.elf", &[]),
        "--set peripheral.host=firmware:none.elf: `peripheral.host`: `none.elf`: cannot be read: No such file"
    );
    assert_eq!(
        refused("firmware:notes.txt", &[]),
        "--set peripheral.host=firmware:notes.txt: `peripheral.host`: `notes.txt`: not an executable ELF of a 32-bit little-endian Arm: build an image with \
         `--target thumbv7m-none-eabi`"
    );
    let mut table = String::new();
    for (host, key, value) in [
        ("firmware:", "ble.direction", "p2c"),
        ("firmwares", "ble.direction", "p2c"),
        ("firmware:sleeps.elf", "link", "ble-rpc"),
        ("firmware:sleeps.elf", "ble.peripherals", "2"),
        ("firmware:sleeps.elf", "ble.encrypted", "true"),
        ("firmware:sleeps.elf", "host.sdu_time", "1ms"),
        ("firmware:sleeps.elf", "peripheral.host_clock", "999kHz"),
        ("trouble", "peripheral.host_clock", "64MHz"),
    ] {
        writeln!(table, "{host} {key}={value}\n  {}", refused(host, &[(key, value)])).expect("a text takes any");
    }
    insta::assert_snapshot!(table);
}

#[test]
fn no_file_is_read_where_nobody_gave_a_reader() {
    let set = [("central.host".to_owned(), "firmware:ends.elf".to_owned())];
    let error = Plan::parse("test", "", &Library::builtin(), &set).expect_err("nothing is read").to_string();
    assert_eq!(error, "--set central.host=firmware:ends.elf: `central.host`: `ends.elf`: no file is read here");
}
