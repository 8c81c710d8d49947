//! The first screen, and the words that explain it, as somebody at a terminal meets them.

use std::process::{Command, Output};

use insta::assert_snapshot;

fn airtime(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.args(arguments).envs(variables.iter().copied()).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

#[test]
fn the_first_screen_fits_a_terminal() {
    // A pipe has no width, and is written to as if it had 80 columns.
    for (columns, variables) in [("60", &[("COLUMNS", "60")][..]), ("80", &[]), ("120", &[("COLUMNS", "120")])] {
        let output = airtime(&[], variables);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        let page = stdout(&output);
        assert!(!page.contains('\u{1b}'), "a pipe has no colours");
        if columns == "80" {
            let longest = page.lines().map(|line| line.chars().count()).max();
            assert!(page.lines().count() <= 24 && longest <= Some(80), "{page}");
        }
        assert_snapshot!(format!("first_{columns}"), page);
    }
}

#[test]
fn the_figures_of_the_first_screen_are_those_of_runs() {
    let json =
        |arguments: &[&str]| -> serde_json::Value { serde_json::from_slice(&airtime(arguments, &[]).stdout).unwrap() };
    let first = json(&["--json"]);
    let again = json(&[
        "run",
        "coc-mac",
        "--set",
        "run.duration=2s",
        "--set",
        "run.warmup=500ms",
        "--set",
        "run.repeat=1",
        "--json",
    ]);
    assert_eq!(first["records"].as_array().unwrap().len(), 6);
    assert_eq!(first["records"][0]["goodput_kbps"], again["records"][0]["goodput_kbps"]);
    let whole = json(&["run", "coc-mac", "--json"]);
    let kbps = |document: &serde_json::Value| document["records"][0]["goodput_kbps"]["median"].as_f64().unwrap();
    assert!((kbps(&first) / kbps(&whole) - 1.0).abs() < 0.02, "a short run says what a long one does");
}

#[test]
fn colours_come_when_they_are_asked_for_and_never_into_data() {
    let forced = &[("CLICOLOR_FORCE", "1")];
    let coloured = ["explain", "ieee802154"];
    assert!(stdout(&airtime(&[], forced)).contains("\u{1b}[1m"));
    assert!(stdout(&airtime(&coloured, forced)).contains('\u{1b}'));
    assert!(!stdout(&airtime(&coloured, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])).contains('\u{1b}'));
    for form in ["--json", "--csv", "--markdown"] {
        assert!(!stdout(&airtime(&["explain", "ieee802154", form], forced)).contains('\u{1b}'), "{form}");
    }
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept.txt");
    airtime(&["run", "ieee802154", "-o", kept.to_str().unwrap()], forced);
    let kept = std::fs::read_to_string(kept).unwrap();
    assert!(kept.contains("ieee802154") && !kept.contains('\u{1b}'));
}

#[test]
fn words_and_keys_are_explained_and_misspelt_ones_told() {
    let said = |arguments: &[&str]| airtime(arguments, &[]);
    assert!(stdout(&said(&["accounts", "cap"])).contains("the controller's own limit per event"));
    assert!(stdout(&said(&["keys", "lwip.snd_buf"])).contains("CONFIG_LWIP_TCP_SND_BUF_DEFAULT"));
    let rows: serde_json::Value =
        serde_json::from_slice(&said(&["accounts", "idle.credits", "--json"]).stdout).unwrap();
    assert_eq!(rows["accounts"][0]["word"], "idle.credits");
    for (arguments, hint) in [(["accounts", "headrom"], "headroom"), (["keys", "coc.sud"], "coc.sdu")] {
        let output = said(&arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(str::from_utf8(&output.stderr).unwrap().contains(&format!("did you mean `{hint}`")), "{arguments:?}");
    }
}
