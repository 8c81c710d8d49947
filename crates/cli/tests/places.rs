//! Outputs: what is somebody else's stays, and what is written is whole or not there.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PLAN: &str = "[run]\nduration = \"2s\"\nwarmup = \"500ms\"\n";
const GRID: &str = "[sweep]\n\"coc.sdu\" = [247, 492]\n";
const FOREIGN: &str = "int main(void) { return 0; }\n";

fn airtime(folder: &Path, arguments: &[&str]) -> Output {
    fs::write(folder.join("plan.toml"), PLAN).unwrap();
    fs::write(folder.join("grid.toml"), [PLAN, GRID].concat()).unwrap();
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).current_dir(folder).output().unwrap()
}

fn prose(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

fn text(folder: &Path, name: &str) -> String {
    String::from_utf8_lossy(&fs::read(folder.join(name)).unwrap()).into_owned()
}

/// Commands that write the file they name last, and forms by which what they have written is known again.
const WRITERS: [(&[&str], &str, bool); 16] = [
    (&["run", "plan.toml", "-q", "-o"], "x.svg", true),
    (&["sweep", "grid.toml", "-q", "-o"], "x.html", true),
    (&["explain", "plan.toml", "--depth", "1", "-q", "-o"], "x.svg", true),
    (&["explain", "plan.toml", "--depth", "1", "-q", "-o"], "x.json", true),
    (&["run", "plan.toml", "-q", "-o"], "x.json", true),
    (&["run", "plan.toml", "-q", "-o"], "x.csv", true),
    (&["run", "plan.toml", "-q", "-o"], "x.parquet", false),
    (&["run", "plan.toml", "-q", "-o"], "x.md", false),
    (&["run", "plan.toml", "-q", "-o"], "x.txt", false),
    (&["sweep", "grid.toml", "-q", "-o"], "x.json", true),
    (&["sweep", "grid.toml", "-q", "-o"], "x.csv", true),
    (&["field", "zephyr_loss", "-q", "--point", "2M-15-miss5-s1", "-o"], "x.json", true),
    (&["trace", "plan.toml", "-q", "-o"], "x.pcapng", true),
    (&["trace", "plan.toml", "-q", "-o"], "x.perfetto", false),
    (&["rpc", "read", "0", "64", "-q", "-o"], "x.bin", false),
    (&["new", "ble-coc", "-o"], "x.toml", false),
];

#[test]
fn a_file_of_somebody_else_is_replaced_by_force_alone() {
    for (command, name, is_known) in WRITERS {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(name);
        let run = |more: &[&str]| airtime(home.path(), &[command, &[name], more].concat());
        fs::write(&path, FOREIGN).unwrap();
        let refused = run(&[]);
        let said = prose(&refused);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{command:?} {name}: {said}");
        assert!(said.contains("--force") && said.contains(name), "{command:?} {name}: {said}");
        assert_eq!(text(home.path(), name), FOREIGN);
        let forced = run(&["--force"]);
        assert_eq!(forced.status.code(), Some(0), "{command:?} {name}: {}", prose(&forced));
        assert_ne!(text(home.path(), name), FOREIGN);
        let again = run(&[]);
        assert_eq!(again.status.code(), Some(if is_known { 0 } else { 2 }), "{command:?} {name}: {}", prose(&again));
        let left = fs::read_dir(home.path()).unwrap().count();
        assert_eq!(left, 3, "{command:?} {name}: two plans and the file, no draft");
    }
}

#[test]
fn a_host_s_capture_is_looked_at_under_the_name_it_gets() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("x.central.btsnoop"), FOREIGN).unwrap();
    let output = airtime(home.path(), &["trace", "plan.toml", "-o", "x.btsnoop"]);
    assert_eq!(output.status.code(), Some(2), "{}", prose(&output));
    assert_eq!(text(home.path(), "x.central.btsnoop"), FOREIGN);
    assert!(!home.path().join("x.peripheral.btsnoop").exists());
}

#[test]
fn a_name_with_another_ending_makes_no_folder() {
    for name in ["x.xls", "x.JSON", "x.yaml", "results.2", "x.gif"] {
        let home = tempfile::tempdir().unwrap();
        let output = airtime(home.path(), &["run", "plan.toml", "-o", name]);
        assert!(
            output.status.code() == Some(2)
                && prose(&output).contains(".json, .csv, .parquet, .md, .txt, .svg, .png or .html"),
            "{name}"
        );
        assert!(!home.path().join(name).exists(), "{name}");
        // A slash says that it is a folder.
        let output = airtime(home.path(), &["run", "plan.toml", "-q", "-o", &format!("{name}/")]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", prose(&output));
        assert!(home.path().join(name).join("records.jsonl").is_file(), "{name}");
    }
}

#[test]
fn a_run_folder_is_of_one_plan() {
    let home = tempfile::tempdir().unwrap();
    let run = |plan: &str, more: &[&str]| {
        let output = airtime(home.path(), &[&["run", plan, "-q", "-o", "out"], more].concat());
        (output.status.code(), prose(&output).to_owned(), text(home.path(), "out/records.jsonl"))
    };
    let (code, said, first) = run("plan.toml", &[]);
    assert_eq!(code, Some(0), "{said}");
    for more in [&[][..], &["--resume"]] {
        let (code, said, now) = run("grid.toml", more);
        assert!(code == Some(2) && said.contains("--force"), "{more:?}: {said}");
        assert_eq!(now, first);
    }
    assert!(run("grid.toml", &["--resume"]).1.contains("is of plan (ble-coc), and not of grid (ble-coc)"));
    assert_eq!(run("plan.toml", &["--resume", "--force"]).0, Some(2));
    let (code, said, now) = run("grid.toml", &["--force"]);
    assert_eq!((code, now.matches("\"point\"").count()), (Some(0), 2), "{said}");
}

#[test]
fn a_folder_of_other_files_takes_no_run() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("src")).unwrap();
    fs::write(home.path().join("src/main.c"), FOREIGN).unwrap();
    for more in [&[][..], &["--resume"]] {
        let output = airtime(home.path(), &[&["run", "plan.toml", "-o", "src"], more].concat());
        assert!(output.status.code() == Some(2) && prose(&output).contains("--force"), "{}", prose(&output));
        assert_eq!(fs::read_dir(home.path().join("src")).unwrap().count(), 1);
    }
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_written_as_they_are() {
    let home = tempfile::tempdir().unwrap();
    for place in ["/dev/null", "/dev/stdout", "/dev/fd/1"] {
        let output = airtime(home.path(), &["run", "plan.toml", "--csv", "-q", "-o", place]);
        assert_eq!(output.status.code(), Some(0), "{place}: {}", prose(&output));
        let has_document = str::from_utf8(&output.stdout).unwrap().contains("\"schema\": \"airtime/run/1\"");
        assert_eq!(has_document, place != "/dev/null", "{place}");
    }
    let link = home.path().join("null.pcapng");
    std::os::unix::fs::symlink("/dev/null", link).unwrap();
    let output = airtime(home.path(), &["trace", "plan.toml", "-q", "-o", "null.pcapng"]);
    assert_eq!(output.status.code(), Some(0), "{}", prose(&output));
}

/// Files end at half a kilobyte here, as on a disk that is full: what is there is the old one, whole.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_the_old_file_stays_whole() {
    for (command, name, is_known) in WRITERS.into_iter().filter(|(command, ..)| command[0] != "rpc") {
        let home = tempfile::tempdir().unwrap();
        let first = airtime(home.path(), &[command, &[name]].concat());
        assert_eq!(first.status.code(), Some(0), "{}", prose(&first));
        let old = fs::read(home.path().join(name)).unwrap();
        let script = "trap '' XFSZ; ulimit -c 0; ulimit -f 1; exec \"$0\" \"$@\"";
        let force: &[&str] = if is_known { &[] } else { &["--force"] };
        let arguments = [&["-c", script, env!("CARGO_BIN_EXE_airtime")], command, &[name], force].concat();
        let full = Command::new("bash").args(arguments).current_dir(home.path()).output().unwrap();
        if old.len() > 1_024 {
            assert_eq!(full.status.code(), Some(1), "{command:?} {name}: {}", prose(&full));
            assert!(prose(&full).contains(&format!("cannot write `{name}`")), "{command:?} {name}: {}", prose(&full));
        }
        assert!(fs::read(home.path().join(name)).unwrap() == old || old.len() <= 1_024, "{command:?} {name}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 3, "{command:?} {name}: no draft is left");
    }
}
