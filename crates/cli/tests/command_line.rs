//! The program as scripts see it: what it prints where, and how it ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A grid of three short points.
const GRID: &str = "\
name = \"grid\"
[run]
duration = \"2s\"
warmup = \"500ms\"
[sweep]
\"coc.sdu\" = [247, 492, 741]
";

/// A grid with TrouBLE on both ends, where packets are lost: its hosts share the threads they run on.
const FOREIGN_GRID: &str = "\
name = \"foreign\"
central.host = \"trouble\"
peripheral.host = \"trouble\"
[ble]
loss = { per = 0.05 }
[coc]
credits = { initial = 24, on_connect = 0, grant = 1, every = 1 }
[run]
duration = \"3s\"
warmup = \"500ms\"
repeat = 2
[sweep]
\"coc.sdu\" = [245, 492, 2000]
\"ble.conn_interval\" = [\"15ms\", \"30ms\"]
";

/// One short point.
const SINGLE: &str = "[run]\nduration = \"2s\"\nwarmup = \"500ms\"\n";

fn airtime(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).output().unwrap()
}

/// A folder with these plans, and the path of each.
fn plans<const N: usize>(texts: [&str; N]) -> (TempDir, [String; N]) {
    let folder = tempfile::tempdir().unwrap();
    let mut number = 0;
    let paths = texts.map(|text| {
        number += 1;
        let path = folder.path().join(format!("plan-{number}.toml"));
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    (folder, paths)
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().filter(|line| line.contains("\"point\"")).count())
}

#[test]
fn help_has_three_examples() {
    for flag in ["-h", "--help"] {
        let output = airtime(&[flag]);
        assert_eq!(code(&output), Some(0));
        assert_eq!(stdout(&output).lines().filter(|line| line.starts_with("  airtime ")).count(), 3);
    }
}

#[test]
fn shipped_personalities_are_listed_and_shown() {
    let output = airtime(&["personality", "list", "--csv"]);
    let names: Vec<&str> = stdout(&output).lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(names.contains(&"zephyr-ll") && names.contains(&"macos"), "{names:?}");
    for name in names {
        assert_eq!(code(&airtime(&["personality", "show", name])), Some(0), "{name}");
    }
    let output = airtime(&["personality", "show", "macOS"]);
    assert!(code(&output) == Some(2) && stderr(&output).contains("did you mean `macos`"), "{}", stderr(&output));
}

#[test]
fn shipped_plans_are_listed_and_every_one_can_be_read() {
    let output = airtime(&["plans", "--csv"]);
    assert_eq!(code(&output), Some(0));
    for line in stdout(&output).lines().skip(1) {
        let name = line.split(',').next().unwrap();
        // The empty thousandth part of any grid: the plan is read and nothing is run.
        let output = airtime(&["run", name, "--shard", "100000/100000", "--json"]);
        assert_eq!(code(&output), Some(0), "{name}: {}", stderr(&output));
    }
}

#[test]
fn a_grid_is_one_table_with_its_best_row_marked() {
    let (_folder, [grid]) = plans([GRID]);
    let output = airtime(&["run", &grid]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().filter(|line| line.starts_with(" * ")).count(), 1, "{}", stdout(&output));
    assert_eq!(output.stderr, b"", "prose and progress only where somebody watches");
}

#[test]
fn json_is_the_same_on_any_number_of_threads() {
    let (_folder, [grid]) = plans([GRID]);
    let one = airtime(&["sweep", &grid, "--json", "--threads", "1"]);
    let many = airtime(&["sweep", &grid, "--json", "--threads", "5"]);
    assert_eq!(one.stdout, many.stdout);
    let document: serde_json::Value = serde_json::from_slice(&one.stdout).unwrap();
    assert_eq!((&document["schema"], &document["plan"]), (&"airtime/run/1".into(), &"grid".into()));
    let sdus: Vec<_> =
        document["records"].as_array().unwrap().iter().map(|r| r["params"]["coc.sdu"].as_u64()).collect();
    assert_eq!(sdus, [Some(247), Some(492), Some(741)]);
}

#[test]
fn json_of_foreign_hosts_is_the_same_on_any_number_of_threads() {
    let (_folder, [grid]) = plans([FOREIGN_GRID]);
    let run = |threads: &str, seed: &str| {
        let output = airtime(&["sweep", &grid, "--json", "--threads", threads, "--seed", seed]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        output.stdout
    };
    let one = run("1", "1");
    for threads in ["2", "5"] {
        assert_eq!(one, run(threads, "1"), "{threads} threads");
    }
    let document: serde_json::Value = serde_json::from_slice(&one).unwrap();
    let records = document["records"].as_array().unwrap();
    assert_eq!(records.len(), 6);
    for record in records {
        let (lost, runs) = (&record["counters"]["pdus.lost"], &record["goodput_kbps"]["runs"]);
        assert!(record["delivered_bytes"].as_u64() > Some(10_000), "it streams: {record}");
        assert!(lost.as_u64() > Some(0) && runs.as_u64() == Some(2), "chance has a part in it: {record}");
    }
    let other: serde_json::Value = serde_json::from_slice(&run("1", "9")).unwrap();
    assert_ne!(document["records"][0]["delivered_bytes"], other["records"][0]["delivered_bytes"], "another seed");
}

#[test]
fn what_is_set_on_the_command_line_is_in_the_record() {
    let (_folder, [single]) = plans([SINGLE]);
    let output = airtime(&["run", &single, "--set", "coc.sdu=245", "--set", "ble.phy=1M", "--seed", "7", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let record = &document["records"][0];
    assert_eq!((&record["params"]["coc.sdu"], &record["params"]["ble.phy"]), (&245.into(), &"1M".into()));
    assert_eq!(record["seed"], 7);
}

#[test]
fn a_record_says_how_it_is_replayed() {
    let record = |arguments: &[&str]| {
        let output = airtime(arguments);
        let mut document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        document["records"][0].take()
    };
    let (_folder, [grid]) = plans([GRID]);
    let mut first = record(&["run", &grid, "--point", "grid/coc.sdu=492", "--json"]);
    let replay = first["replay"].take();
    let words: Vec<&str> = replay.as_str().unwrap().split(' ').skip(1).chain(["--json"]).collect();
    let mut again = record(&words);
    again["replay"].take();
    assert_eq!(again, first, "{replay}");
}

#[test]
fn the_id_of_a_row_stands_for_its_candidates() {
    let (ids, text) =
        (["coc-ios-492/candidate-1", "coc-ios-492/candidate-2"], ["run", "ble_coc", "--set", "run.duration=3s"]);
    for (asked, found) in [("coc-ios-492", &ids[..]), (ids[1], &ids[1..])] {
        let output = airtime(&[&text[..], &["--point", asked, "-q", "--json"]].concat());
        let document: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
        let records = document["records"].as_array().unwrap();
        let named: Vec<&str> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
        assert_eq!(named, found, "{asked}");
    }
    let row = |id: &str| format!("[[row]]\nid = \"{id}\"\n");
    let (_folder, [nested]) = plans([&format!("{SINGLE}{}{}", row("a"), row("a/b"))]);
    let lines = airtime(&["run", &nested, "--point", "a", "-q", "--csv"]);
    assert_eq!(stdout(&lines).lines().count(), 2, "a heading and the row itself: {}", stdout(&lines));
    assert_eq!(airtime(&[&text[..], &["--point", "coc-ios"]].concat()).status.code(), Some(2), "half an id is none");
}

#[test]
fn one_point_is_explained_at_a_time() {
    let (_folder, [grid]) = plans([GRID]);
    let all = airtime(&["explain", &grid]);
    assert!(code(&all) == Some(2) && stderr(&all).contains("--point 'grid/coc.sdu=247'"), "{}", stderr(&all));
    let one = airtime(&["explain", &grid, "--point", "grid/coc.sdu=492"]);
    assert!(code(&one) == Some(0) && stdout(&one).contains("PHY rate"), "{}", stderr(&one));
}

#[test]
fn bad_input_is_named_with_file_line_and_what_is_allowed() {
    let (_folder, [misspelt, impossible, single]) =
        plans(["[coc]\nsdo = 492\n", "[ble]\nconn_interval = \"15 parsecs\"\n", SINGLE]);
    let named = |arguments: &[&str], parts: &[&str]| {
        let output = airtime(arguments);
        let message = stderr(&output);
        assert_eq!((code(&output), stdout(&output)), (Some(2), ""), "{message}");
        assert!(message.starts_with("error: ") && parts.iter().all(|part| message.contains(part)), "{message}");
    };
    named(&["run", &misspelt], &["plan-1.toml:2:1", "sdo", "did you mean `coc.sdu`"]);
    named(&["run", &impossible], &["plan-2.toml:2:", "parsecs", "15ms"]);
    named(&["run", &single, "--set", "coc.sdu=0"], &["--set coc.sdu=0", "allowed"]);
    named(&["run", &single, "--set", "coc.sdu"], &["KEY=VALUE"]);
    named(&["run", "missing.toml"], &["missing.toml"]);
    named(&["run", "no-such-plan-anywhere"], &["no-such-plan-anywhere", "airtime plans"]);
    named(&["run", &single, "--json", "--csv"], &["exclude one another"]);
    named(&["run", &single, "--shard", "3/2"], &["3/2", "2/4"]);
    named(&["run", &single, "--resume"], &["-o DIR"]);
    named(&["run", &single, "--point", "plan-4"], &["--point plan-4", "`plan-3`"]);
    named(&["sweep", &single], &["no grid"]);
    named(&["personality", "check", &single], &["plan-3.toml:1:"]);
}

#[test]
fn an_interval_that_a_later_one_replaces_is_said() {
    let plan =
        ["run", "my-bluez", "--point", "gatt-down", "--json", "--set", "run.duration=2s", "--set", "run.warmup=500ms"];
    let asked = |more: &[&str]| {
        let output = airtime(&[&plan, more].concat());
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let asked = document["records"][0]["asked"].as_array().cloned().unwrap_or_default();
        asked.into_iter().find(|asked| asked["key"] == "ble.conn_interval")
    };
    let found = asked(&["--set", "ble.conn_interval=7.5ms"]).unwrap();
    assert_eq!((&found["asked"], &found["granted"]), (&"7.5ms".into(), &"15ms".into()));
    assert_eq!(found["by"], "the plan's ble.request_interval=15ms");
    assert_eq!(asked(&["--set", "ble.conn_interval=7.5ms", "--set", "ble.request_interval=20ms"]), None);
    assert_eq!(asked(&[]), None);
}

#[test]
fn a_threshold_that_is_not_met_ends_with_3() {
    let (_folder, [single]) = plans([SINGLE]);
    let met = airtime(&["run", &single, "--set", "threshold.goodput=> 1bps"]);
    assert_eq!(code(&met), Some(0), "{}", stderr(&met));
    let missed = airtime(&["run", &single, "--set", "threshold.goodput=>= 1Gbps"]);
    assert_eq!(code(&missed), Some(3));
    assert!(stderr(&missed).contains("threshold >= 1Gbps") && !stdout(&missed).is_empty());
}

#[test]
fn a_run_folder_can_go_on_and_is_never_mixed() {
    let (home, [grid]) = plans([GRID]);
    let folder = home.path().join("records");
    let out = folder.to_str().unwrap();
    let part = airtime(&["sweep", &grid, "-o", out, "--shard", "1/2", "--json"]);
    assert_eq!((code(&part), lines(&folder.join("records.jsonl"))), (Some(0), 2), "{}", stderr(&part));
    let mixed = airtime(&["sweep", &grid, "-o", out]);
    assert!(code(&mixed) == Some(2) && stderr(&mixed).contains("--resume"), "{}", stderr(&mixed));
    let whole = airtime(&["sweep", &grid, "-o", out, "--resume", "--json"]);
    assert_eq!((code(&whole), lines(&folder.join("records.jsonl"))), (Some(0), 3));
    assert_eq!(whole.stdout, airtime(&["sweep", &grid, "--json"]).stdout, "as if it had never stopped");
}

#[test]
fn a_document_that_is_not_written_is_no_folder_s_name() {
    let (folder, [single]) = plans([SINGLE]);
    let path = folder.path().join("report.pdf");
    let output = airtime(&["run", &single, "-o", path.to_str().unwrap()]);
    assert_eq!(code(&output), Some(2));
    assert!(
        stderr(&output).contains(".json, .csv, .parquet, .md, .txt, .svg, .png or .html") && !path.exists(),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_file_takes_the_form_its_name_asks_for() {
    let (home, [single]) = plans([SINGLE]);
    for (name, form) in [("a.json", "--json"), ("a.csv", "--csv"), ("a.md", "--markdown")] {
        let path = home.path().join(name);
        let output = airtime(&["run", &single, form, "-o", path.to_str().unwrap()]);
        assert_eq!(fs::read(&path).unwrap(), output.stdout, "{}", stderr(&output));
    }
}

#[cfg(target_os = "linux")]
mod on_linux {
    use std::fs::File;
    use std::io::Read;
    use std::process::Stdio;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_full_disk_is_named_and_ends_with_1() {
        let (_folder, [single]) = plans([SINGLE]);
        let full = File::options().write(true).open("/dev/full").unwrap();
        for form in [&[][..], &["--json"], &["--csv"], &["--markdown"]] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
            command.args(["run", &single]).args(form).stdout(full.try_clone().unwrap());
            let output = command.output().unwrap();
            assert_eq!(code(&output), Some(1));
            let said = stderr(&output);
            assert!(said.contains("standard output: No space left on device"), "{said}");
        }
        let output = airtime(&["run", &single, "-o", "/dev/full"]);
        assert!(code(&output) == Some(1) && stderr(&output).contains("`/dev/full`"), "{}", stderr(&output));
        assert!(!stdout(&output).is_empty(), "what was measured is printed all the same");
    }

    #[test]
    fn a_reader_that_has_enough_is_no_failure() {
        let (_folder, [single]) = plans([SINGLE]);
        for arguments in [
            &["personality", "show", "macos", "--json"][..],
            &["run", &single, "--json"],
            &["run", &single, "--csv"],
            &["run", &single],
        ] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_airtime"))
                .args(arguments)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            drop(child.stdout.take());
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{arguments:?}");
        }
    }

    #[test]
    fn an_interrupted_grid_keeps_what_it_has() {
        let long = "\
[coc]
credits = { initial = 10, on_connect = 10, grant = 1, every = 1 }
[sweep]
\"coc.in_flight\" = { from = 6, to = 205, step = 1 }
";
        let (home, [long]) = plans([long]);
        let folder = home.path().join("records");
        let mut child = Command::new(env!("CARGO_BIN_EXE_airtime"))
            .args(["sweep", &long, "--json", "--threads", "1", "-o", folder.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while lines(&folder.join("records.jsonl")) == 0 {
            assert_eq!(child.try_wait().unwrap(), None, "it ended before it measured anything");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), Some(130), "{}", stderr(&output));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let printed = document["records"].as_array().unwrap().len();
        assert!((1..200).contains(&printed));
        // The point that was running is shown as far as it came, and will be run again.
        let kept = lines(&folder.join("records.jsonl"));
        assert!((printed - 1..=printed).contains(&kept), "{kept} of {printed}");
    }

    #[test]
    fn one_signal_ends_a_point_of_a_day() {
        let (_home, [day]) = plans(["run.duration = \"24h\"\n"]);
        for signal in ["-INT", "-TERM"] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_airtime"))
                .args(["run", &day, "--json"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            while !handles(child.id(), signal) {
                assert_eq!(child.try_wait().unwrap(), None, "it ended before anybody asked");
                std::thread::yield_now();
            }
            assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
            let output = child.wait_with_output().unwrap();
            assert_eq!(code(&output), Some(130), "{}", stderr(&output));
            let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            // Asked before it began, it has nothing to show.
            for record in document["records"].as_array().unwrap() {
                let outcome = record["outcome"].as_str().unwrap();
                assert!(outcome.starts_with("interrupted after ") && outcome.ends_with(" of 86400s"), "{outcome}");
            }
        }
    }

    /// Tells if a process has a handler for SIGINT or SIGTERM: `SigCgt` in /proc, proc_pid_status(5).
    fn handles(pid: u32, signal: &str) -> bool {
        let bit = if signal == "-INT" { 1 << 1 } else { 1 << 14 };
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & bit != 0)
    }
}
