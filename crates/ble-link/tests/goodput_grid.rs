//! Goodput over interval, SDU and end-of-event rule on 2M, as text: a regression reads as a diff. A tenth of it is run, and the rest is
//! as it was committed.
//!
//! After a change that is meant to move figures, `AIRTIME_WHOLE=1 INSTA_UPDATE=always cargo test -p airtime-ble-link
//! goodput_grid` writes the table anew.

use std::fmt::Write as _;

use airtime_lab::record::kbps;
use airtime_testing::{Known, Tenth};

use crate::support;

const RULES: [&str; 3] = ["zephyr-ll", "nordic-sdc", "ideal"];
const INTERVALS: [&str; 12] =
    ["7.5ms", "8.75ms", "10ms", "11.25ms", "12.5ms", "15ms", "20ms", "30ms", "50ms", "100ms", "200ms", "400ms"];
const SDUS: [&str; 7] = ["100", "245", "247", "492", "495", "741", "1974"];

/// Goodput in kbit/s of a sender that buffers and credits never hold back.
fn goodput(rule: &str, interval: &str, sdu: &str) -> f64 {
    let outcome = support::outcome(&[
        ("central.personality", rule),
        ("peripheral.personality", rule),
        ("ble.conn_interval", interval),
        ("coc.sdu", sdu),
        ("coc.mtu", "2000"),
        ("coc.credits", "{ initial = 65535, on_connect = 0, grant = 1000, every = 1000 }"),
        ("coc.in_flight", "64"),
        ("coc.tx_buffers", "64"),
        ("acl.count", "20"),
        ("run.duration", "20s"),
    ]);
    assert_eq!(outcome.ended, None, "{rule} {interval} {sdu}");
    kbps(outcome.octets(0), outcome.steady)
}

#[test]
fn goodput_on_2m() {
    let known = Known::of(include_str!("snapshots/all__goodput_grid__goodput_on_2m.snap"));
    let (mut tenth, mut table) = (Tenth::new(), String::new());
    for rule in RULES {
        write!(table, "{rule:<12}").expect("a string takes everything");
        SDUS.iter().for_each(|sdu| write!(table, "{sdu:>9}").expect("a string takes everything"));
        table.push('\n');
        for interval in INTERVALS {
            let line = table.lines().count();
            write!(table, "{interval:>12}").expect("a string takes everything");
            for (column, sdu) in SDUS.iter().enumerate() {
                let (from, to) = (12 + 9 * column, 21 + 9 * column);
                match known.cell(line, from..to).filter(|_| !tenth.takes()) {
                    Some(cell) => table.push_str(cell),
                    None => write!(table, "{:>9.1}", goodput(rule, interval, sdu)).expect("a string takes everything"),
                }
            }
            table.push('\n');
        }
    }
    insta::assert_snapshot!(table);
}
