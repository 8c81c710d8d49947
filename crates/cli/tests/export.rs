//! `airtime export`: what it reads, what it writes, what it leaves alone. That the columns are right is tested in `airtime-columns`, and by
//! outside readers in `airtime-peers`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const GRID: &str =
    "link = \"ieee802154\"\nrun.duration = \"2s\"\nrun.warmup = \"500ms\"\nsweep.ieee802154.payload = [20, 60, 116]\n";

fn airtime(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).current_dir(folder).output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = airtime(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stderr).unwrap()
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = airtime(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stderr).unwrap()
}

fn is_parquet(path: &Path) -> bool {
    let octets = fs::read(path).unwrap();
    // Magic at both ends: https://parquet.apache.org/docs/file-format/
    octets.starts_with(b"PAR1") && octets.ends_with(b"PAR1")
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("grid.toml"), GRID).unwrap();
    let outputs = ["-o", "grid", "-o", "grid.json", "-o", "grid.parquet"];
    done(home.path(), &[&["sweep", "grid.toml", "-q", "--threads", "1"], &outputs[..]].concat());
    done(home.path(), &["report", "grid", "-q", "-o", "grid.html"]);
    home
}

#[test]
fn folders_documents_and_reports_are_rows_of_one_table() {
    let home = home();
    let path = home.path();
    assert!(is_parquet(&path.join("grid.parquet")));
    for results in
        [&["grid"][..], &["grid/records.jsonl"], &["grid.json"], &["grid.html"], &["grid", "grid.json", "grid.html"]]
    {
        let said = done(path, &[&["export"], results, &["--force", "-o", "x.parquet"]].concat());
        let rows = 3 * results.len();
        assert!(said.starts_with(&format!("x.parquet: {rows} records, ")), "{results:?}: {said}");
        assert!(is_parquet(&path.join("x.parquet")), "{results:?}");
    }
    // The same records through the same command are the same octets.
    let once = fs::read(path.join("x.parquet")).unwrap();
    done(path, &["export", "grid", "grid.json", "grid.html", "--force", "-o", "x.parquet"]);
    assert!(fs::read(path.join("x.parquet")).unwrap() == once);
    assert_eq!(done(path, &["export", "grid", "-q", "--parquet", "y.parquet"]), "");
}

#[test]
fn what_holds_no_record_and_what_is_there_is_left_alone() {
    let home = home();
    let path = home.path();
    let old = fs::read(path.join("grid.parquet")).unwrap();
    assert!(refused(path, &["export", "grid", "-o", "grid.parquet"]).contains("--force"));
    assert!(refused(path, &["export", "grid.toml", "-o", "x.parquet"]).contains("holds no records"));
    assert!(refused(path, &["export", "grid.parquet", "-o", "x.parquet"]).contains("holds no records"));
    fs::write(path.join("other.json"), "{\"schema\":\"airtime/explain/1\"}").unwrap();
    assert!(
        refused(path, &["export", "grid", "other.json", "-o", "grid.parquet", "--force"]).contains("airtime/explain/1")
    );
    assert!(fs::read(path.join("grid.parquet")).unwrap() == old);
    assert!(refused(path, &["explain", "ieee802154", "-o", "why.parquet"]).contains("Parquet"));
    let count = |ending: &str| {
        let entries = fs::read_dir(path).unwrap().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(ending)).count()
    };
    assert_eq!((count(".parquet"), count("")), (1, 6), "no draft is left");
}
