//! Reports: one page from plans, folders, records and earlier reports, which gives the records back.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use airtime_report::figures::documents;

const PLAN: &str = "name = \"a<script>alert(1)</script>\"\nnote = \"</script><img src=x onerror=alert(1)>\"\nlink = \"ble-coc\"\n\
    peripheral.personality = \"zephyr-ll\"\n[run]\nduration = \"2s\"\nwarmup = \"500ms\"\n";
const GRID: &str = "link = \"ble-coc\"\n[run]\nduration = \"2s\"\nwarmup = \"500ms\"\n[sweep]\ncoc.sdu = [100, 492]\n\
    ble.conn_interval = [\"7.5ms\", \"15ms\"]\n";

fn airtime(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).current_dir(folder).output().unwrap()
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("plan.toml"), PLAN).unwrap();
    fs::write(home.path().join("grid.toml"), GRID).unwrap();
    home
}

fn ran(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = airtime(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn page(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_plan_is_answered_drawn_and_kept_and_nothing_of_it_is_run() {
    let home = home();
    ran(home.path(), &["report", "plan.toml", "-q"]);
    let html = page(home.path(), "report.html");
    for wanted in [
        "default-src 'none'",
        "<p class=\"answer\">",
        "<title>PHY rate: ",
        "Data is on the air for",
        "assumed values: nobody has published them",
        "<td>coc.sdu</td>",
        "airtime run plan.toml",
        "airtime report plan.toml -q",
        "@media print",
    ] {
        assert!(html.contains(wanted), "{wanted}");
    }
    assert!(!html.contains("alert(1)</script") && !html.contains("<img") && !html.contains("href="));
    assert_eq!(html.matches("<script").count(), 1, "the records, in a type that is never run");
    // What is inside is what `run` says.
    let json = ran(home.path(), &["run", "plan.toml", "--json"]);
    let run: airtime_lab::Document = serde_json::from_slice(&json).unwrap();
    let inside = documents(&html).unwrap().unwrap();
    assert_eq!((inside.len(), &inside[0].records), (1, &run.records));
    // Its own page is replaced without being asked.
    ran(home.path(), &["report", "plan.toml", "-q"]);
}

#[test]
fn folders_records_and_reports_come_out_as_they_went_in() {
    let home = home();
    ran(home.path(), &["sweep", "grid.toml", "-q", "-o", "folder", "-o", "grid.json"]);
    ran(home.path(), &["report", "folder", "-q", "-o", "a.html"]);
    ran(home.path(), &["report", "grid.json", "-q", "-o", "b.html"]);
    ran(home.path(), &["report", "a.html", "b.html", "folder/records.jsonl", "-q", "-o", "c.html"]);
    let inside = |name: &str| documents(&page(home.path(), name)).unwrap().unwrap();
    let kept: airtime_lab::Document = serde_json::from_str(&page(home.path(), "grid.json")).unwrap();
    assert_eq!(inside("b.html"), std::slice::from_ref(&kept));
    for name in ["a.html", "c.html"] {
        for document in inside(name) {
            assert_eq!((&*document.plan, &document.records), ("grid", &kept.records), "{name}");
        }
    }
    assert_eq!(inside("c.html").len(), 3);
    let html = page(home.path(), "a.html");
    assert!(html.contains("Best of grid: ") && html.contains("<title>ble.conn_interval 15ms, coc.sdu 492: "), "{html}");
}

#[test]
fn what_is_no_result_is_refused_before_anything_is_run() {
    let home = home();
    ran(home.path(), &["report", "plan.toml", "-q", "-o", "good.html"]);
    let begins = "id=\"airtime-records\">";
    let broken = page(home.path(), "good.html").replace(begins, &[begins, "AAAA"].concat());
    fs::write(home.path().join("broken.html"), broken).unwrap();
    fs::write(home.path().join("other.html"), "<p>dear diary").unwrap();
    fs::write(home.path().join("why.json"), "{\"schema\":\"airtime/explain/1\"}").unwrap();
    fs::create_dir(home.path().join("empty")).unwrap();
    for (arguments, said) in [
        (&["report", "other.html", "-o", "x.html"][..], "no page but that of `airtime report` has records inside"),
        (&["report", "broken.html", "-o", "x.html"], "its records are damaged"),
        (&["report", "why.json", "-o", "x.html"], "`airtime/explain/1`"),
        (&["report", "empty", "-o", "x.html"], "records.jsonl"),
        (&["report", "good.html", "--set", "coc.sdu=9", "-o", "x.html"], "change what a plan runs"),
        (&["report", "plan.toml", "-o", "x.pdf"], "ends in .html"),
        (&["report", "plan.toml", "-o", "other.html"], "--force replaces it"),
        (&["report", "nothing-of-it", "-o", "x.html"], "no shipped plan"),
        (&["report"], "WHAT"),
    ] {
        let output = airtime(home.path(), arguments);
        let prose = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) || said == "records.jsonl", "{arguments:?}: {prose}");
        assert!(output.status.code() != Some(0) && prose.contains(said), "{arguments:?}: {prose}");
        assert!(!home.path().join("x.html").exists() && !home.path().join("x.pdf").exists(), "{arguments:?}");
    }
    assert_eq!(page(home.path(), "other.html"), "<p>dear diary");
}
