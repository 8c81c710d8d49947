//! Reports in a browser: every kind of page, light, dark, on a phone, on paper, by keyboard, and with hostile text.

use std::fs;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::output;
use crate::explorer::{script, web};
use crate::peer::{Peer, beside};
use crate::program::airtime;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    const PEERS: &[Peer] = &[Peer::Airtime, Peer::Explorer, Peer::Node, Peer::Chromium];
    vec![beside("reports in a browser", PEERS, pages)]
}

/// A plan whose name and note are a page's own words.
const HOSTILE: &str = r#"
name = "<img src=x onerror=alert(1)>"
note = "</script><script>alert(2)</script>"
link = "ieee802154"
run.duration = "1s"
run.warmup = "0us"
"#;

fn pages() -> Result<(), Failed> {
    let home = tempfile::tempdir()?;
    let hostile = home.path().join("hostile.toml");
    fs::write(&hostile, HOSTILE)?;
    let subjects: [(&str, &[&str]); 4] = [
        ("explained", &["coc-mac"]),
        ("grid", &["sdu-sweep"]),
        ("field", &["field/ble_coc"]),
        ("several", &[&hostile.to_string_lossy(), "coc-nrf"]),
    ];
    let mut command = script("report.mjs");
    command.arg(web()).arg(std::env::var_os("AIRTIME_SCREENSHOTS").unwrap_or_else(|| "-".into()));
    for (name, plans) in subjects {
        let page = home.path().join(name).with_extension("html");
        output(airtime().arg("report").args(plans).arg("-q").arg("-o").arg(&page))?;
        command.arg(page);
    }
    let found: Value = serde_json::from_str(&output(&mut command)?)?;
    println!("{found:#}");
    let none = |of: &str| found[of].as_array().is_some_and(Vec::is_empty);
    let requests = found["requests"].as_array().ok_or("no requests")?;
    let is_own = |request: &Value| request.as_str().is_some_and(|request| request.starts_with("file:"));
    let checks = [
        ("each page in four looks", found["looked"] == 4 * subjects.len()),
        ("no error of the page", none("errors")),
        ("no request but for the page", requests.len() == 4 * subjects.len() && requests.iter().all(is_own)),
        ("nothing serious for whoever cannot see", none("serious")),
        ("nothing wider than screen or paper", none("wide")),
        ("hostile text not run", found["dialogs"] == 0 && found["images"] == 0),
        ("all that is folded opens by keyboard", found["opened"] == found["folded"] && found["folded"] != 0),
    ];
    let failed: Vec<&str> = checks.iter().filter(|(_, holds)| !holds).map(|(what, _)| *what).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("not: {}", failed.join("; not: ")).into()) }
}
