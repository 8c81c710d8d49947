//! `airtime explain` as scripts see it.

use std::process::{Command, Output};

use serde_json::Value;

use crate::schema;

const CONTRACT: &str = include_str!("../../../schemas/explain.schema.json");

fn explain(more: &[&str]) -> Output {
    let plan = ["explain", "gatt-notify", "--set", "gatt.in_flight=1", "--set", "run.duration=4s"];
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(plan).args(more).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(0), "{}", str::from_utf8(&output.stderr).unwrap());
    str::from_utf8(&output.stdout).unwrap()
}

fn line<'a>(text: &'a str, begin: &str) -> &'a str {
    text.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("no `{begin}` in {text}"))
}

#[test]
fn the_document_names_its_schema_and_keeps_to_it() {
    let document: Value = serde_json::from_str(stdout(&explain(&["--json"]))).unwrap();
    schema::conforms(&document, CONTRACT);
    assert_eq!(document.as_object().unwrap().keys().next().map(String::as_str), Some("schema"));
    assert_eq!(document["changes"][0]["set"], "gatt.in_flight=6");
    assert_eq!(document["cause"]["mechanisms"][0], "underway");
    assert_eq!(document["ladder"][0]["set"][0], "gatt.in_flight=6");
    assert_eq!(document["ladder"][0]["turnable"], true);
    assert!(document["changes"][0]["gain_pct"].as_f64().unwrap() > 1_000.0);
    assert!(document["stopped"].is_null());
}

#[test]
fn people_get_a_block_to_paste_with_its_gain() {
    let output = explain(&["--set", "ble.data_length=27"]);
    let text = stdout(&output);
    assert!(line(text, "to paste, ").contains(" kbps in a run with all of it:"), "{text}");
    assert!(line(text, "  # options of airtime run").len() > 10 && line(text, "  # prj.conf").len() > 5, "{text}");
    assert!(text.contains("\n  CONFIG_BT_CTLR_DATA_LENGTH_MAX="), "{text}");
    assert!(line(text, "cause: ").starts_with("cause: too little may be under way"), "{text}");
    assert!(line(text, "  1. ").starts_with("  1. gatt.in_flight 1 → 6: "), "{text}");
}

#[test]
fn what_was_asked_for_and_refused_is_said() {
    let output = explain(&["--set", "central.personality=iphone", "--set", "ble.conn_interval=7.5ms"]);
    let text = stdout(&output);
    assert_eq!(line(text, "ble.conn_interval"), "ble.conn_interval: 30ms granted by iphone, 7.5ms asked for", "{text}");
}

#[test]
fn quiet_leaves_out_every_sentence() {
    let output = explain(&["-q"]);
    let text = stdout(&output);
    assert!(text.contains("  --set gatt.in_flight=6") && text.contains("PHY rate"), "{text}");
    assert!(text.lines().all(|line| !line.ends_with('.') && !line.starts_with("exchanges")), "{text}");
    // The ladder is the answer: its rungs and its end are data.
    assert!(
        line(text, "  1. ").starts_with("  1. gatt.in_flight 1 → 6: ") && line(text, "today: ").ends_with(" kbps"),
        "{text}"
    );
    let limit: Vec<&str> = line(text, "limit: ").split(' ').collect();
    assert!(limit.len() == 4 && limit[2] == "kbps;" && text.lines().all(|line| !line.starts_with("cause: ")), "{text}");
    assert_eq!(str::from_utf8(&output.stderr).unwrap(), "");
}

#[test]
fn spreadsheets_get_figures_and_the_changes() {
    let output = explain(&["--csv"]);
    let text = stdout(&output);
    assert_eq!(text.lines().next(), Some("kind,name,kbps,percent,worst_kbps,who"));
    assert_eq!(line(text, "phy,"), "phy,PHY rate,2000,100,,");
    let change: Vec<&str> = line(text, "change,gatt.in_flight=6,").split(',').collect();
    assert!(change[2].parse::<f64>().unwrap() > 1_000.0 && change[3].parse::<f64>().unwrap() > 1_000.0, "{change:?}");
    assert!(!text.contains(['█', '%']), "{text}");
}

/// Signals are sent to what listens to them: its set of caught ones tells.
#[cfg(target_os = "linux")]
#[test]
fn what_was_interrupted_says_so_on_standard_output() {
    use std::process::{Child, Stdio};

    /// SIGINT in the set of caught signals. proc(5), SigCgt.
    const INTERRUPT: u64 = 1 << 1;
    let listens = |child: &Child| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).is_some_and(|set| set & INTERRUPT != 0)
    };
    for form in ["--json", "-q"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_airtime"))
            .args(["explain", "nrf24-lossy", form])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while !listens(&child) {
            assert_eq!(child.try_wait().unwrap(), None, "it ended before it listened");
            std::thread::yield_now();
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let text = str::from_utf8(&output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("stopped after ") && text.contains(" runs; "), "{text}");
        if form == "--json" {
            let document: Value = serde_json::from_str(text).unwrap();
            schema::conforms(&document, CONTRACT);
            assert!(document["stopped"]["after"].is_u64(), "{text}");
        }
    }
}

#[test]
fn a_link_that_fails_ends_as_a_run_of_it_does() {
    let run = |command: &str| {
        let plan = [command, "coc-nrf", "-q", "--set", "run.duration=200ms", "--set", "run.warmup=50ms"];
        let output = Command::new(env!("CARGO_BIN_EXE_airtime")).args(plan).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let failed = (Some(1), "coc-nrf: the stream never started\n".to_owned());
    assert_eq!((run("run"), run("explain")), (failed.clone(), failed));
}

#[test]
fn pages_get_the_block_to_paste_as_code() {
    let output = explain(&["--set", "ble.data_length=27", "--markdown"]);
    let text = stdout(&output);
    let (_, behind) = text.split_once("to paste, ").unwrap_or_else(|| panic!("{text}"));
    let block = behind.split("```").nth(1).unwrap_or_else(|| panic!("{text}"));
    assert!(block.contains("\n# prj.conf") && block.contains("\nCONFIG_BT_CTLR_DATA_LENGTH_MAX="), "{text}");
    assert!(text.lines().all(|line| !line.starts_with("# ") || block.contains(line)), "{text}");
}

#[test]
fn the_front_page_shows_what_the_program_prints() {
    let page = include_str!("../../../README.md");
    let (_, from) = page.split_once("\n$ airtime explain ").expect("the front page begins with an explanation");
    let (command, rest) = from.split_once('\n').unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    let mut explain = Command::new(env!("CARGO_BIN_EXE_airtime"));
    explain.arg("explain").args(command.split(' ')).env("COLUMNS", "80").env("NO_COLOR", "1");
    assert_eq!(stdout(&explain.output().unwrap()), shown);
}
