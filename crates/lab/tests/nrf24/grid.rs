//! Goodput over mode, rate and payload, as text: a regression reads as a diff.
//!
//! After a change that is meant to move figures, `INSTA_UPDATE=always cargo test -p airtime-lab nrf24` writes
//! the table anew.

use std::fmt::Write as _;

use super::kbps;

const MODES: [&str; 4] = ["legacy", "auto-ack", "ack-payload", "stream"];
const RATES: [&str; 3] = ["250k", "1M", "2M"];
const PAYLOADS: [&str; 4] = ["32", "128", "512", "1472"];

#[test]
fn goodput_of_every_mode() {
    let mut table = String::new();
    write!(table, "{:<20}", "").expect("a string takes everything");
    PAYLOADS.iter().for_each(|payload| write!(table, "{payload:>9}").expect("a string takes everything"));
    table.push('\n');
    for mode in MODES {
        for rate in RATES {
            write!(table, "{mode:<12}{rate:>8}").expect("a string takes everything");
            for payload in PAYLOADS {
                let set = [("nrf24.mode", mode), ("nrf24.rate", rate), ("traffic.payload", payload)];
                let found = kbps(&[&set[..], &[("run.duration", "4s"), ("run.warmup", "1s")]].concat());
                write!(table, "{found:>9.1}").expect("a string takes everything");
            }
            table.push('\n');
        }
    }
    insta::assert_snapshot!(table);
}
