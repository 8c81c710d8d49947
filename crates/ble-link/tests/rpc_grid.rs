//! Goodput and calls per second over central, transport, mode and calls outstanding, as text: a regression reads as a diff.
//!
//! After a change that is meant to move figures, `INSTA_UPDATE=always cargo test -p airtime-ble-link rpc_grid` writes the
//! tables anew.

use airtime_lab::record::BenchFigures;
use airtime_lab::run::record;

use crate::support;

const CENTRALS: [&str; 4] = ["macos", "iphone", "android-pixel", "zephyr-ll"];

fn bench(central: &str, set: &[(&str, &str)]) -> BenchFigures {
    let all = [
        &[
            ("link", "ble-rpc"),
            ("central.personality", central),
            ("ble.conn_interval", "30ms"),
            ("acl.count", "20"),
            ("gatt.tx_buffers", "20"),
            ("coc.tx_buffers", "20"),
            ("rpc.window", "64kB"),
        ][..],
        set,
    ]
    .concat();
    let (plan, point) = support::plan(&all);
    let record = record(&plan, &point);
    assert_eq!(record.outcome, "ok", "{central} {set:?}");
    record.calls.and_then(|calls| calls.bench().cloned()).expect("one benchmark ran")
}

#[test]
fn goodput_of_reads() {
    let mut table = format!("{:<16}{:>8}", "KiB/s", "compat.");
    for outstanding in ["1", "2", "4", "8"] {
        table += &format!("{:>8}{:>8}", format!("gatt {outstanding}"), format!("coc {outstanding}"));
    }
    for central in CENTRALS {
        table += &format!("\n{central:<16}{:>8.1}", bench(central, &[]).kib_per_s);
        for outstanding in ["1", "2", "4", "8"] {
            for transport in ["gatt", "coc"] {
                let set = [
                    ("rpc.mode", "extended"),
                    ("rpc.transport", transport),
                    ("rpc.outstanding", outstanding),
                    ("rpc.calls", "40"),
                ];
                table += &format!("{:>8.1}", bench(central, &set).kib_per_s);
            }
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn figures_of_the_published_benchmarks() {
    let mut table = format!("{:<16}{:>12}{:>10}{:>10}{:>10}{:>10}", "ms/call", "8192", "1", "echo", "write", "KiB/s");
    for central in CENTRALS {
        let read = bench(central, &[]);
        let rest = [
            bench(central, &[("rpc.payload", "1"), ("rpc.calls", "20")]),
            bench(central, &[("rpc.call", "echo")]),
            bench(central, &[("rpc.call", "data_write")]),
        ];
        table += &format!("\n{central:<16}{:>12.2}", read.ms_per_call);
        rest.iter().for_each(|bench| table += &format!("{:>10.2}", bench.ms_per_call));
        table += &format!("{:>10.2}", read.kib_per_s);
        assert!(rest.iter().chain([&read]).all(|bench| bench.failed == 0 && bench.warmup == 1));
    }
    insta::assert_snapshot!(table);
}
