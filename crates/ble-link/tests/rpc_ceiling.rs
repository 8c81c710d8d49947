//! Extended mode against what the same link carries as a stream, and against the published mode.

use airtime_lab::Record;
use airtime_lab::run::record;

use crate::support;

/// The centrals of the published benchmark, and firmware.
const CENTRALS: [&str; 4] = ["macos", "iphone", "android-pixel", "zephyr-ll"];

/// Buffers of the published firmware. Of a stream these keys are the sender's: one from the central has its own.
const BUFFERS: [(&str, &str); 3] = [("acl.count", "20"), ("gatt.tx_buffers", "20"), ("coc.tx_buffers", "20")];

fn run(central: &str, set: &[(&str, &str)]) -> Record {
    let firmware_sends = !set.contains(&("ble.direction", "c2p"));
    let buffers = if firmware_sends { &BUFFERS[..] } else { &[] };
    let link = [("central.personality", central), ("ble.conn_interval", "30ms")];
    let all: Vec<(&str, &str)> = link.iter().chain(buffers).chain(set).copied().collect();
    let (plan, point) = support::plan(&all);
    let record = record(&plan, &point);
    assert_eq!(record.outcome, "ok", "{central} {set:?}");
    record
}

/// What a stream carries over the same link in 10^3 bit/s: of payload in full frames that fill its packets.
fn ceiling(central: &str, coc: bool, direction: &str) -> f64 {
    let common = [("ble.direction", direction), ("run.duration", "12s")];
    if !coc {
        let gatt = [("link", "ble-gatt"), ("gatt.in_flight", "20")];
        return run(central, &[&common[..], &gatt].concat()).goodput_kbps.median;
    }
    let coc = [
        ("link", "ble-coc"),
        ("coc.in_flight", "20"),
        ("coc.sdu", "245"),
        // What firmware that takes frames of calls grants; a phone or a computer has its own rule.
        ("coc.credits", "{ initial = 10, on_connect = 10, grant = 1, every = 1 }"),
    ];
    let firmware_receives = direction == "c2p" || central == "zephyr-ll";
    let coc = if firmware_receives { &coc[..] } else { &coc[..3] };
    run(central, &[&common[..], coc].concat()).goodput_kbps.median
}

fn extended(central: &str, transport: &str, call: &[(&str, &str)]) -> Record {
    let set = [
        ("link", "ble-rpc"),
        ("rpc.mode", "extended"),
        ("rpc.outstanding", "8"),
        ("rpc.window", "64kB"),
        ("rpc.transport", transport),
        ("rpc.calls", "none"),
        // Long beside the two seconds that eight reads take on a Mac: calls that are under way at the end do not count.
        ("run.duration", "120s"),
    ];
    run(central, &[&set[..], call].concat())
}

fn compatible(central: &str, call: &[(&str, &str)]) -> Record {
    run(central, &[&[("link", "ble-rpc"), ("rpc.calls", "20")][..], call].concat())
}

#[test]
fn reads_with_calls_outstanding_reach_the_ceiling() {
    let mut table = String::new();
    for central in CENTRALS {
        let sequential = compatible(central, &[("rpc.call", "flash_read")]).goodput_kbps.median;
        for (transport, coc) in [("gatt", false), ("coc", true)] {
            let ceiling = ceiling(central, coc, "p2c");
            let reached = extended(central, transport, &[("rpc.call", "flash_read")]).goodput_kbps.median;
            table += &format!(
                "{central:<14} {transport:<4} compatible over GATT {sequential:>7.1}, extended {reached:>7.1} kbps: \
                 {:.1} times; {:.1} % of {ceiling:.1}\n",
                reached / sequential,
                100.0 * reached / ceiling
            );
            assert!(reached >= 0.95 * ceiling, "{central} over {transport}: {reached} of {ceiling}\n{table}");
            assert!(
                reached <= ceiling * 1.001,
                "{central} over {transport}: nothing is faster than the stream\n{table}"
            );
        }
    }
    println!("{table}");
    insta::assert_snapshot!(table);
}

/// One object after the other: what an upload needs to begin and to be checked is in its time.
#[test]
fn uploads_of_large_objects_reach_the_ceiling_of_a_channel() {
    for central in CENTRALS {
        let ceiling = ceiling(central, true, "c2p");
        let upload = [
            ("link", "ble-rpc"),
            ("rpc.mode", "extended"),
            ("rpc.transport", "coc"),
            ("rpc.window", "64kB"),
            ("rpc.call", "bulk_write"),
        ];
        let reached = run(central, &upload).goodput_kbps.median;
        println!("{central}: {reached} of {ceiling} kbps, {:.1} %", 100.0 * reached / ceiling);
        assert!((0.9 * ceiling..=1.001 * ceiling).contains(&reached), "{central}: {reached} of {ceiling}");
    }
}

#[test]
fn writes_in_bulk_reach_the_ceiling_of_a_channel() {
    for central in CENTRALS {
        let ceiling = ceiling(central, true, "c2p");
        let write = [("rpc.call", "data_write"), ("rpc.payload", "8192")];
        let reached = extended(central, "coc", &write).goodput_kbps.median;
        println!("{central}: {reached} of {ceiling} kbps");
        assert!(reached >= 0.9 * ceiling, "{central}: {reached} of {ceiling}");
    }
}

#[test]
fn short_calls_are_five_times_as_many_with_eight_outstanding() {
    let calls: [&[(&str, &str)]; 4] = [
        &[("rpc.call", "echo")],
        &[("rpc.call", "data_write"), ("rpc.payload", "200")],
        &[("rpc.call", "counter_stream")],
        &[("rpc.call", "counter_upload")],
    ];
    let mut table = String::new();
    for central in CENTRALS {
        for call in calls {
            let per_second =
                |record: Record| record.calls.and_then(|calls| calls.benches.first().map(|b| b.calls_per_s));
            let sequential = per_second(compatible(central, call)).unwrap();
            for transport in ["gatt", "coc"] {
                let outstanding = per_second(extended(central, transport, call)).unwrap();
                let gain = outstanding / sequential;
                let name = call[0].1;
                table += &format!(
                    "{central:<14} {transport:<4} {name:<14} {sequential:>6.1} {outstanding:>7.1} {gain:>5.1}\n"
                );
                assert!(gain >= 5.0, "{gain:.1} times\n{table}");
            }
        }
    }
    println!("{table}");
}
