//! Completion as a shell meets it: bash reads the script and presses the key.

use std::process::{Command, Output};

fn airtime(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).output().unwrap()
}

/// Words that bash offers in the place of the last one of `line`; none where there is no bash.
fn pressed(line: &str) -> Option<Vec<String>> {
    let script = r#"
        source <("$PROGRAM" completions bash) || exit 9
        airtime() { "$PROGRAM" "$@"; }
        COMP_LINE="$LINE"; COMP_POINT=${#LINE}
        read -ra COMP_WORDS <<< "$LINE"
        [[ "$LINE" == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _airtime_words airtime "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let bash = Command::new("bash")
        .args(["--norc", "-c", script])
        .env("PROGRAM", env!("CARGO_BIN_EXE_airtime"))
        .env("LINE", line)
        .output()
        .ok()?;
    assert!(bash.status.success(), "{line}: {}", String::from_utf8_lossy(&bash.stderr));
    Some(String::from_utf8(bash.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
fn bash_completes_plans_points_keys_and_words() {
    for (line, expected) in [
        ("airtime run coc-m", &["coc-mac"][..]),
        ("airtime explain rpc-bench --point echo", &["echo_roundtrip"]),
        ("airtime run coc-mac --set coc.sd", &["coc.sdu="]),
        // What stands before the last `=` is no part of the word that bash replaces.
        ("airtime run --set central.personality=mac", &["macos"]),
        ("airtime run encrypted --point encrypted/ble.conn_interval=7.5ms/ble.encrypted=t", &["true"]),
        ("airtime accounts idle.cre", &["idle.credits"]),
        ("airtime keys coc.sd", &["coc.sdu"]),
        // Commands and options are those of the script.
        ("airtime expl", &["explain", "explore"]),
        ("airtime run --thre", &["--threads"]),
    ] {
        let Some(found) = pressed(line) else { return };
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn scripts_of_three_shells_ask_the_program() {
    for (shell, asks) in [
        ("bash", r#""${words[0]}" complete -- "${words[@]:1}""#),
        ("zsh", r#""${words[1]}" complete -- "${(@)words[2,CURRENT]}""#),
        ("fish", "airtime complete -- (commandline -opc)[2..-1] (commandline -ct)"),
    ] {
        let output = airtime(&["completions", shell]);
        let script = str::from_utf8(&output.stdout).unwrap();
        assert!(output.status.success() && script.contains(asks), "{shell}");
        assert!(script.contains("explain"), "{shell}: commands are in the script");
        assert!(!script.contains("gatt.in_flight="), "{shell}: keys are asked for");
    }
    assert!(airtime(&["completions", "powershell"]).status.success());
    assert_eq!(airtime(&["completions", "dos"]).status.code(), Some(2));
}

#[test]
fn what_completes_is_no_restriction() {
    let output = airtime(&["run", "coc-nrf", "--set", "coc.sud=4"]);
    assert!(str::from_utf8(&output.stderr).unwrap().contains("did you mean `coc.sdu`"));
}
