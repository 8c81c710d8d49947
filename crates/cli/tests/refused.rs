//! Mistakes that are told before anything is run, and what would have been right.

use std::fs;
use std::process::Command;

/// Prose that `arguments` are refused with, in a folder with an empty plan, a plan without measurements and a component.
fn refused(arguments: &[&str], code: i32) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("empty.toml", "# nothing yet\n\n"),
        ("plan.toml", "[[row]]\nid = \"a\"\n"),
        ("idf_component.yml", "dependencies:\n  idf: \">=5\"\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn an_empty_plan_is_of_no_link() {
    for command in ["run", "explain", "check", "field"] {
        let said = refused(&[command, "empty.toml"], 2);
        assert!(
            said.contains("empty.toml: the plan says nothing") && said.contains("airtime new"),
            "{command}: {said}"
        );
    }
    let link = ["run", "empty.toml", "-q", "--set", "link=ieee802154", "--set", "run.duration=3s"];
    assert_eq!(refused(&link, 0), "");
}

#[test]
fn a_key_is_set_once() {
    for set in [["coc.sdu=100", "coc.sdu=200"], ["run.seed=1", "run.seed=1"]] {
        let said = refused(&["run", "coc-nrf", "--set", set[0], "--set", set[1]], 2);
        assert!(said.contains("it is set twice") && said.contains(set[0]), "{said}");
    }
    assert!(refused(&["run", "coc-nrf", "--set", "run.seed=1", "--seed", "2"], 2).contains("run.seed=1 before"));
}

#[test]
fn a_plan_without_measurements_is_no_field_plan() {
    for plan in ["plan.toml", "coc-nrf"] {
        let said = refused(&["field", plan], 2);
        assert!(said.contains("no row has a measured figure") && said.contains("airtime run"), "{said}");
    }
}

#[test]
fn a_component_without_esp_hosted_is_nothing_to_check() {
    assert!(refused(&["check", "idf_component.yml"], 2).contains("names no espressif/esp_hosted"));
}

#[test]
fn a_method_that_the_server_has_not_is_told_those_it_may_have() {
    let said = refused(&["rpc", "call", "ecko"], 1);
    assert!(said.contains("no such method; the test service has echo, flash_read,"), "{said}");
}
