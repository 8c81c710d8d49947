//! Lists as programs read them.

use std::process::Command;

use serde_json::Value;

use crate::schema;

fn document(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).arg("--json").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", str::from_utf8(&output.stderr).unwrap());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn lists_name_their_schemas_and_keep_to_them() {
    let plans = document(&["plans"]);
    schema::conforms(&plans, include_str!("../../../schemas/plans.schema.json"));
    assert!(plans["plans"].as_array().unwrap().iter().any(|entry| entry["plan"] == "coc-nrf"));
    let accounts = document(&["accounts"]);
    schema::conforms(&accounts, include_str!("../../../schemas/accounts.schema.json"));
    assert!(accounts["accounts"].as_array().unwrap().iter().any(|entry| entry["word"] == "idle.credits"));
    schema::conforms(&document(&["keys"]), include_str!("../../../schemas/keys.schema.json"));
}

#[test]
fn a_key_has_its_configuration_line_by_line() {
    let found = document(&["keys", "lwip.snd_buf"]);
    let [key] = found["keys"].as_array().unwrap().as_slice() else { panic!("{found}") };
    assert_eq!(key["key"], "lwip.snd_buf");
    assert_eq!(key["configuration"][0]["option"], "CONFIG_LWIP_TCP_SND_BUF_DEFAULT");
    assert_eq!(key["configuration"][0]["image"], "host");
}
