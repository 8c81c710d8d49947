//! Goodput over transport, direction and rate, as text: a regression reads as a diff.
//!
//! After a change that is meant to move figures, `INSTA_UPDATE=always cargo test -p airtime-lab wifi` writes the table
//! anew.

use std::fmt::Write as _;

use super::{SHORT, kbps};

const KINDS: [&str; 2] = ["udp", "tcp"];
const DIRECTIONS: [&str; 2] = ["up", "down"];
const RATES: [&str; 3] = ["1", "4", "7"];
const WINDOWS: [&str; 3] = ["1", "6", "32"];

#[test]
fn goodput_of_the_whole_chain() {
    let mut table = String::new();
    write!(table, "{:<16}", "").expect("a string takes everything");
    WINDOWS.iter().for_each(|window| write!(table, "{window:>10}").expect("a string takes everything"));
    table.push('\n');
    for kind in KINDS {
        for direction in DIRECTIONS {
            for mcs in RATES {
                write!(table, "{kind:<5}{direction:<6}MCS {mcs}").expect("a string takes everything");
                for window in WINDOWS {
                    let set = [
                        ("traffic.kind", kind),
                        ("traffic.direction", direction),
                        ("wifi.mcs", mcs),
                        ("wifi.ampdu_max", window),
                        ("wifi.backoff", "mean"),
                    ];
                    let found = kbps(&[&set[..], &SHORT].concat());
                    write!(table, "{found:>10.1}").expect("a string takes everything");
                }
                table.push('\n');
            }
        }
    }
    insta::assert_snapshot!(table);
}
