//! Deciding: comparing, tuning, and run folders put together.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::schema::conforms;

const GRID: &str = "\
name = \"grid\"
[run]
duration = \"1s\"
warmup = \"200ms\"
[sweep]
\"coc.sdu\" = [200, 247, 492, 741, 990]
";

const SHORT: [&str; 4] = ["--set", "run.duration=2s", "--set", "run.warmup=500ms"];

fn airtime(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

/// Output of `arguments`, which end with this code.
fn ends(code: i32, arguments: &[&str]) -> Output {
    let output = airtime(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    output
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_variant_is_beside_the_plan_as_it_is() {
    let compare = [&["compare", "coc-nrf", "--no-ends", "--with", "ble.phy=1M"], &SHORT[..]].concat();
    let output = ends(0, &compare);
    let said = stdout(&output);
    assert!(said.contains("ble.phy=1M beside coc-nrf") && said.contains("ble.phy=1M is worse: 0."), "{said}");
    assert!(!said.contains('±'), "nothing is drawn at random: {said}");
    let two =
        [&["compare", "coc-nrf", "--with", "ble.phy=1M", "--with", "ble.phy=2M", "--no-ends", "--json"], &SHORT[..]]
            .concat();
    let document: Value = serde_json::from_slice(&ends(0, &two).stdout).unwrap();
    conforms(&document, include_str!("../../../schemas/compare.schema.json"));
    let found = &document["comparisons"][0];
    assert_eq!((&found["a"], &found["verdict"]), (&"ble.phy=1M".into(), &"better".into()));
    assert!(found["figures"][0]["ratio"].as_f64().unwrap() > 1.2 && found["figures"][0]["low"].is_null());
    let sum: i64 = found["ledger_ns"].as_object().unwrap().values().map(|ns| ns.as_i64().unwrap()).sum();
    let steady = |which: usize| found["books"]["steady_ns"][which].as_i64().unwrap();
    assert_eq!(sum, steady(1) - steady(0), "the books are of all of the time");
    assert!(stdout(&ends(0, &[&compare[..], &["--csv"]].concat())).starts_with("of_a,of_b,point,figure,unit,a,b,"));
}

#[test]
fn a_build_fails_where_it_is_worse_than_its_baseline() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let (base, cases, metrics) = (at("base.json"), at("cases.xml"), at("bmf.json"));
    ends(0, &[&["run", "coc-nrf", "-q", "-o", text(&base)], &SHORT[..]].concat());
    let build = |more: &[&str]| {
        [&["compare", "--baseline", text(&base), "coc-nrf", "--fail-if", "goodput < -3%"], &SHORT[..], more]
            .concat()
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<String>>()
    };
    let run = |code: i32, more: &[&str]| {
        let words = build(more);
        ends(code, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let same = run(0, &[]);
    assert!(stdout(&same).contains("not goodput < -3%"), "{}", stdout(&same));
    let worse = run(3, &["--with", "ble.phy=1M", "--github", "--junit", text(&cases), "--bmf", text(&metrics)]);
    assert!(stderr(&worse).contains("::error title=ble.phy=1M beside"), "{}", stderr(&worse));
    let xml = fs::read_to_string(&cases).unwrap();
    assert!(xml.contains("failures=\"1\"") && xml.contains("name=\"goodput &lt; -3%\""), "{xml}");
    let metrics: Value = serde_json::from_slice(&fs::read(&metrics).unwrap()).unwrap();
    assert!(metrics["ble.phy=1M"]["goodput"]["value"].as_f64().unwrap() > 0.0, "{metrics}");
    // What is there is somebody's, until they say otherwise.
    run(2, &["--junit", text(&cases)]);
    run(0, &["--junit", text(&cases), "--force"]);
}

#[test]
fn grids_are_compared_point_by_point_and_folders_as_plans() {
    let home = tempfile::tempdir().unwrap();
    let plan = home.path().join("grid.toml");
    fs::write(&plan, GRID).unwrap();
    let kept = home.path().join("kept");
    ends(0, &["sweep", text(&plan), "-q", "-o", text(&kept)]);
    let output = ends(0, &["compare", text(&kept), text(&plan), "--json", "--set", "ble.phy=1M"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = document["comparisons"].as_array().unwrap();
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|one| one["verdict"] == "worse" && one["point"].as_str().unwrap().contains("coc.sdu=")));
    let shown = ends(0, &["show", text(&kept), "--csv"]);
    assert_eq!(stdout(&shown).lines().count(), 6);
    let page = home.path().join("page.html");
    ends(0, &["report", text(&kept), "-q", "-o", text(&page)]);
    assert_eq!(stdout(&ends(0, &["show", text(&page), "--csv"])), stdout(&shown), "a report is read as its folder");
    ends(2, &["show", text(&page), "--point", "none-such"]);
    let listed: Value = serde_json::from_slice(&ends(0, &["list", text(home.path()), "--json"]).stdout).unwrap();
    conforms(&listed, include_str!("../../../schemas/folders.schema.json"));
    assert_eq!(listed["folders"][0]["points"], 5);
    ends(2, &["show", text(&kept), "--point", "none-such"]);
}

#[test]
fn what_cannot_be_compared_says_why() {
    let refused = |arguments: &[&str]| stderr(&ends(2, arguments)).to_owned();
    assert!(refused(&["compare", "coc-nrf"]).contains("alone is compared with nothing"));
    assert!(refused(&["compare", "coc-nrf", "coc-mac", "--with", "ble.phy=1M"]).contains("one plan"));
    assert!(refused(&["compare", "coc-nrf", "--with", "ble.phi=1M"]).contains("ble.phy"));
    assert!(refused(&["compare", "coc-nrf", "--with", "ble.phy"]).contains("--with ble.phy: expected KEY=VALUE"));
    assert!(refused(&["compare", "sdu-sweep", "coc-nrf"]).contains("not the same ones"));
    assert!(refused(&["compare", "coc-nrf", "coc-mac", "--fail-if", "speed < 1"]).contains("no figure"));
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("other.json");
    fs::write(&path, "{}").unwrap();
    assert!(refused(&["compare", text(&path), "coc-nrf"]).contains("airtime run --json"));
}

#[test]
fn parts_of_a_grid_become_the_folder_of_the_whole_byte_for_byte() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let plan = at("grid.toml");
    fs::write(&plan, GRID).unwrap();
    let sweep = |name: &str, more: &[&str]| {
        let folder = at(name);
        ends(0, &[&["sweep", text(&plan), "-q", "-o", text(&folder)], more].concat());
        folder
    };
    let whole = sweep("whole", &["--threads", "1"]);
    let parts = ["1/3", "2/3", "3/3"].map(|shard| sweep(&shard.replace('/', "-"), &["--shard", shard]));
    let [one, two, three] = parts.each_ref().map(|folder| text(folder));
    let made = at("made");
    ends(0, &["merge", three, one, two, "-o", text(&made)]);
    let records = |folder: &Path| fs::read(folder.join("records.jsonl")).unwrap();
    assert!(records(&made) == records(&whole), "the folder of the whole");
    // It can be gone on with as that can.
    ends(0, &["sweep", text(&plan), "-q", "-o", text(&made), "--resume"]);
    let refused = |shards: &[&str]| {
        let output = at("refused");
        let said = stderr(&ends(2, &[&["merge"], shards, &["-o", text(&output)]].concat())).to_owned();
        assert!(!output.exists(), "{said}");
        // A long name of a temporary folder wraps the lines elsewhere.
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(refused(&[one, three]).contains("2 of 5 points are missing, of 2/3"));
    assert!(refused(&[one, two, three, one]).contains("both hold point 1 of the grid, and 1 more"));
    assert!(refused(&[one, text(&whole)]).contains("of a whole grid"));
    let other = sweep("other", &["--shard", "2/3", "--set", "ble.phy=1M"]);
    assert!(refused(&[one, text(&other), three]).contains("of different grids"));
    assert!(stderr(&ends(2, &["merge", one, two, three, "-o", text(&made)])).contains("--force"));
}

#[test]
fn parts_of_a_search_are_merged_and_answer() {
    let home = tempfile::tempdir().unwrap();
    let place = |name: &str| home.path().join(name);
    let tune =
        [&["tune", "coc-nrf", "--free", "coc.sdu=244,492,741", "--free", "acl.count=1,3"][..], &SHORT[..]].concat();
    let part = |name: &str, shard: &str| {
        let output = ends(0, &[&tune[..], &["--shard", shard, "-o", text(&place(name))]].concat());
        assert!(
            output.stdout.is_empty() && stderr(&output).contains(&format!("part {shard}: ")),
            "{}",
            stderr(&output)
        );
        place(name)
    };
    let (one, two) = (part("one", "1/2"), part("two", "2/2"));
    let whole = place("whole");
    let merge = |code: i32, parts: &[&str]| ends(code, &[&["merge"], parts, &["-o", text(&whole)]].concat());
    assert!(stderr(&merge(2, &[text(&two)])).contains("1 of 2 parts of the search are missing, of 1/2"));
    merge(0, &[text(&two), text(&one)]);
    let answered = ends(0, &[&tune[..], &["--json", "--resume", "-o", text(&whole)]].concat());
    assert_eq!(stdout(&answered), stdout(&ends(0, &[&tune[..], &["--json"]].concat())));
}

#[test]
fn the_best_of_a_space_is_found_with_lines_to_paste() {
    let tune =
        [
            &[
                "tune",
                "coc-nrf",
                "--free",
                "coc.sdu=244,492,741",
                "--free",
                "ble.phy=1M,2M",
                "--free",
                "acl.count=1,3,6",
            ][..],
            &SHORT[..],
        ]
        .concat();
    let output = ends(0, &tune);
    let said = stdout(&output);
    assert!(said.contains("all 18 points were run: nothing in this space is better"), "{said}");
    let json = [&tune[..], &["--json"]].concat();
    let document: Value = serde_json::from_slice(&ends(0, &json).stdout).unwrap();
    conforms(&document, include_str!("../../../schemas/tune.schema.json"));
    assert_eq!((&document["points"], &document["exhaustive"]), (&18.into(), &true.into()));
    let none = [&tune[..], &["--limit", "delay_p99 < 1us"]].concat();
    assert!(stderr(&ends(1, &none)).contains("none of 18 points keeps to delay_p99 < 1us"));
    let refused = |arguments: &[&str]| stderr(&ends(2, arguments)).to_owned();
    assert!(refused(&[&tune[..], &["--shard", "1/2"]].concat()).contains("--output"));
    assert!(refused(&["tune", "coc-nrf"]).contains("--free"));
    assert!(refused(&["tune", "coc-nrf", "--free", "coc.sud"]).contains("coc.sdu"));
    assert!(refused(&["tune", "coc-nrf", "--free", "coc.sdu", "--goal", "counters.events"]).contains("no goal"));
    assert!(refused(&["tune", "coc-nrf", "--who", "daemon"]).contains("--free names keys"));
}
