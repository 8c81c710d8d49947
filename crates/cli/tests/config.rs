//! Build configurations as scripts see them: one of the wrong kind is refused before anything is run.

use std::fs;
use std::process::Command;

const ZEPHYR: &str = "CONFIG_BT=y\nCONFIG_BT_BUF_ACL_TX_SIZE=251\n";
const ESP: &str = "CONFIG_IDF_TARGET=\"esp32p4\"\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\n";

/// Prose that the program refuses `arguments` with, beside a `prj.conf`, an `sdkconfig`, and each under a name that says nothing.
fn refused(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("prj.conf", ZEPHYR), ("sdkconfig", ESP), ("zephyr.txt", ZEPHYR), ("esp.txt", ESP)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_configuration_of_the_other_build_is_refused_at_the_line_that_tells() {
    for (option, files, says) in [
        (
            "--sdkconfig",
            ["prj.conf", "zephyr.txt"],
            ":2:1: CONFIG_BT_BUF_ACL_TX_SIZE is Zephyr's: the file is a prj.conf",
        ),
        ("--prj-conf", ["sdkconfig", "esp.txt"], ":1:1: CONFIG_IDF_TARGET is ESP-IDF's: the file is an sdkconfig"),
    ] {
        let plan = if option == "--sdkconfig" { "wifi-udp-tx" } else { "coc-nrf" };
        for file in files {
            for command in [&["run", plan][..], &["explain", plan], &["check", plan], &["check"]] {
                let said = refused(&[command, &[option, file]].concat());
                assert!(said.contains(&format!("{file}{says}")), "{command:?} {option} {file}: {said}");
            }
        }
    }
}

#[test]
fn a_plan_of_a_link_without_such_a_configuration_is_refused() {
    for (option, file, plans) in [
        ("--sdkconfig", "sdkconfig", ["coc-nrf", "nrf24-stream", "ieee802154"]),
        ("--prj-conf", "prj.conf", ["wifi-udp-tx", "nrf24-stream", "ieee802154"]),
    ] {
        for plan in plans {
            for command in ["run", "explain", "check"] {
                let said = refused(&[command, plan, option, file]);
                assert!(said.contains(&format!("{file}: no device of the link")), "{command} {plan}: {said}");
            }
        }
    }
    // Of several plans each has to have such a device.
    assert!(refused(&["run", "wifi-udp-tx", "coc-nrf", "--sdkconfig", "sdkconfig"]).contains("ble-coc"));
}
