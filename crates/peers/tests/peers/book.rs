//! The book in a browser: a tutorial, the guide and pages that are made, light, dark, on a phone and on paper.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::output;
use crate::explorer::{script, web};
use crate::peer::{Peer, beside};

/// Pages that are looked at: of each kind one.
const PAGES: [&str; 4] = ["book/ble-coc.html", "book/why.html", "book/made/accounts.html", "book/made/keys/ble.html"];

/// Folder that `cargo xtask book` renders.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/book/html")
}

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    const PEERS: &[Peer] = &[Peer::Book, Peer::Explorer, Peer::Node, Peer::Chromium];
    vec![beside("the book in a browser", PEERS, pages)]
}

fn pages() -> Result<(), Failed> {
    let mut command = script("book.mjs");
    command.arg(web()).arg(std::env::var_os("AIRTIME_SCREENSHOTS").unwrap_or_else(|| "-".into()));
    command.arg(folder()).args(PAGES);
    let found: Value = serde_json::from_str(&output(&mut command)?)?;
    let none = |of: &str| found[of].as_array().is_some_and(Vec::is_empty);
    let address = found["address"].as_str().ok_or("no address")?;
    let requests = found["requests"].as_array().ok_or("no requests")?;
    let is_own = |request: &Value| request.as_str().is_some_and(|request| request.starts_with(address));
    let checks = [
        ("each page in four looks", found["looked"] == 4 * PAGES.len()),
        ("no error of the page", none("errors")),
        ("no request to anywhere else", requests.len() >= 4 * PAGES.len() && requests.iter().all(is_own)),
        ("nothing that is not there", none("missing")),
        ("nothing serious for whoever cannot see", none("serious")),
        ("nothing wider than screen or paper", none("wide")),
    ];
    let failed: Vec<&str> = checks.iter().filter(|(_, holds)| !holds).map(|(what, _)| *what).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let told = ["errors", "missing", "serious", "wide"].map(|of| format!("{of}: {:#}", found[of])).join("\n");
    Err(format!("not: {}\n{told}", failed.join("; not: ")).into())
}
