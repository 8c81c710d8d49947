//! Figures in files: whole, with the command that makes them again, and with nothing in them that runs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PLAN: &str = "name = \"a<script>alert(1)</script>\\\"&'\"\n[run]\nduration = \"2s\"\nwarmup = \"500ms\"\n";
const GRID: &str = "[sweep]\n\"coc.sdu\" = [100, 247, 492]\n";

fn airtime(folder: &Path, arguments: &[&str]) -> Output {
    fs::write(folder.join("it's.toml"), PLAN).unwrap();
    fs::write(folder.join("grid.toml"), [PLAN, GRID].concat()).unwrap();
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).current_dir(folder).output().unwrap()
}

fn ran(folder: &Path, arguments: &[&str]) {
    let output = airtime(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn hostile_names_are_shown_and_never_run() {
    let home = tempfile::tempdir().unwrap();
    let files = ["-o", "x.svg", "-o", "x.html", "-o", "x.json"];
    ran(home.path(), &[&["run", "it's.toml", "-q"][..], &files].concat());
    for name in ["x.svg", "x.html"] {
        let text = text(home.path(), name);
        assert!(!text.contains("<script") && text.contains("a&lt;script&gt;alert(1)&lt;/script&gt;"), "{name}: {text}");
        // The shell's quoting of the plan's name, and XML's of that.
        assert!(
            text.contains("airtime run &#39;it&#39;\\&#39;&#39;s.toml&#39; -q -o x.svg -o x.html -o x.json"),
            "{name}: {text}"
        );
        assert!(text.contains("<title>PHY rate: ") && !text.contains("NaN"), "{name}");
    }
    let html = text(home.path(), "x.html");
    assert!(html.contains("default-src 'none'") && html.contains("prefers-color-scheme:dark"));
    assert!(!html.contains("src=") && !html.contains("href=") && !html.contains(" style="));
    assert!(text(home.path(), "x.json").starts_with('{'));
}

#[test]
fn each_command_draws_what_it_is_about() {
    let home = tempfile::tempdir().unwrap();
    ran(home.path(), &["sweep", "grid.toml", "-q", "-o", "folder", "-o", "grid.svg"]);
    let grid = text(home.path(), "grid.svg");
    assert!(grid.contains(">coc.sdu<") && grid.matches("<title>goodput in the lab: ").count() == 3, "{grid}");
    assert!(home.path().join("folder/records.jsonl").is_file());
    ran(home.path(), &["explain", "it's.toml", "--depth", "1", "-q", "-o", "why.svg", "-o", "why.csv"]);
    let why = text(home.path(), "why.svg");
    assert!(why.contains("<title>PHY rate: ") && why.contains("<title>limit: "), "{why}");
    assert!(text(home.path(), "why.csv").starts_with("kind,name,kbps,"));
}

#[test]
fn what_is_decided_is_drawn_and_what_is_there_is_left() {
    let home = tempfile::tempdir().unwrap();
    let compare = ["compare", "it's.toml", "--with", "ble.phy=1M", "--no-ends", "-q"];
    let kept = ["-o", "c.svg", "-o", "c.html", "-o", "c.png", "-o", "c.json", "-o", "c.csv"];
    ran(home.path(), &[&compare[..], &kept].concat());
    let svg = text(home.path(), "c.svg");
    assert!(svg.contains("up to ±1 % is the same") && svg.contains(">change from A to B (%"), "{svg}");
    assert!(svg.contains("made by: airtime compare &#39;it&#39;\\&#39;&#39;s.toml&#39; --with ble.phy=1M"), "{svg}");
    let page = text(home.path(), "c.html");
    assert!(page.contains("<svg") && page.contains("<table>") && !page.contains("<script"), "{page}");
    assert!(fs::read(home.path().join("c.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(text(home.path(), "c.json").contains("airtime/compare/1"));
    assert!(text(home.path(), "c.csv").starts_with("of_a,of_b,point,"));
    // Its own is replaced; what is somebody's is not, until they say so.
    ran(home.path(), &[&compare[..], &kept].concat());
    let tune = ["tune", "it's.toml", "--free", "coc.sdu=244,492", "--free", "ble.conn_interval=15ms,30ms", "-q"];
    fs::write(home.path().join("t.svg"), "of somebody").unwrap();
    let refused = airtime(home.path(), &[&tune[..], &["-o", "t.svg"]].concat());
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    assert_eq!(text(home.path(), "t.svg"), "of somebody");
    ran(home.path(), &[&tune[..], &["-o", "t.svg", "-o", "tuned", "-o", "t.html", "--force"]].concat());
    let svg = text(home.path(), "t.svg");
    assert!(svg.contains("today&#39;s goodput") && svg.contains("<title>today: goodput "), "{svg}");
    assert!(home.path().join("tuned/records.jsonl").is_file() && home.path().join("t.html").is_file());
    ran(home.path(), &[&tune[..], &["-o", "t.svg", "-o", "tuned", "--resume"]].concat());
}

#[test]
fn a_picture_of_pixels_is_known_again_as_its_own() {
    let home = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        ran(home.path(), &["run", "it's.toml", "-q", "-o", "x.png"]);
    }
    let png = fs::read(home.path().join("x.png")).unwrap();
    let command = b"airtime run &#39;it&#39;";
    assert!(png.starts_with(b"\x89PNG") && png.windows(command.len()).any(|part| part == command));
    fs::write(home.path().join("y.png"), b"\x89PNG\r\n\x1a\n of somebody").unwrap();
    assert_eq!(airtime(home.path(), &["run", "it's.toml", "-q", "-o", "y.png"]).status.code(), Some(2));
}

#[test]
fn a_trace_draws_a_cycle_to_scale() {
    let home = tempfile::tempdir().unwrap();
    ran(home.path(), &["trace", "it's.toml", "-o", "t.svg", "-o", "t.pcapng"]);
    let svg = text(home.path(), "t.svg");
    assert!(
        svg.contains(">peripheral: PDUs<") && svg.contains("data: at ") && svg.contains("idle.credits: at "),
        "{svg}"
    );
    assert!(home.path().join("t.pcapng").is_file());
    let output = airtime(home.path(), &["trace", "wifi-promiscuous", "-o", "n.svg"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!home.path().join("n.svg").exists());
}

#[test]
fn one_place_takes_one_thing() {
    let home = tempfile::tempdir().unwrap();
    for (arguments, said) in [
        (&["run", "it's.toml", "-o", "x.svg", "-o", "x.svg"][..], "asked for twice"),
        (&["run", "it's.toml", "-o", "a", "-o", "b"], "one run folder"),
        (&["run", "it's.toml", "-o", "x.gif"], ".svg, .png or .html"),
        (&["run", "it's.toml", "-o", "x.svg", "--resume"], "run folder"),
        (&["explain", "it's.toml", "-o", "folder"], "folder.html"),
        (&["compare", "it's.toml", "--with", "ble.phy=1M", "-o", "folder"], "folder.html"),
        (&["tune", "it's.toml", "--free", "coc.sdu=244,492", "-o", "a", "-o", "b"], "one run folder"),
        (&["tune", "it's.toml", "--free", "coc.sdu=244,492", "-o", "x.svg", "--resume"], "run folder"),
        (&["tune", "it's.toml", "--free", "coc.sdu=244,492", "-o", "x.svg", "--shard", "1/2"], "no answer to draw"),
        (&["fit", "ble_coc", "--end", "central", "--rank", "-o", "mine.toml"], "no personality"),
        (&["fit", "ble_coc", "--end", "central", "-o", "a.toml", "-o", "b.toml"], "one personality"),
    ] {
        let output = airtime(home.path(), arguments);
        let prose = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && prose.contains(said), "{arguments:?}: {prose}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2, "{arguments:?}: nothing is left");
    }
}
