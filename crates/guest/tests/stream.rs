//! TrouBLE at one end or both: scan, connect, set up, stream.

mod support;

use support::Kind::{Model, Trouble};
use support::{Kind, run, scenario};

fn streams(kinds: [Kind; 2]) {
    let credits = "{ initial = 20, on_connect = 0, grant = 2, every = 2 }";
    let scenario = scenario(&[
        ("run.duration", "5s"),
        ("ble.conn_interval", "15ms"),
        ("coc.sdu", "492"),
        ("coc.credits", credits),
    ]);
    let run = run(&scenario, kinds, 1);
    println!("{kinds:?} {run:?}");
    assert_eq!(run.ended, None);
    assert!(run.streaming && run.sdus > 0);
    assert_eq!(run.gaps, 0);
}

#[test]
fn trouble_streams_to_trouble() {
    streams([Trouble, Trouble]);
}

#[test]
fn a_trouble_peripheral_streams_to_the_model_central() {
    streams([Model, Trouble]);
}

#[test]
fn a_model_peripheral_streams_to_a_trouble_central() {
    streams([Trouble, Model]);
}

#[test]
fn the_model_is_run_by_the_same_harness() {
    streams([Model, Model]);
}
