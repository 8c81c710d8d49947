//! TrouBLE at one end or both: scan, connect, set up, stream.

use super::hosts::{Kind, Model, Trouble, gaps, outcome, sdus, streams};

/// The keys of every run here.
const SET: [(&str, &str); 4] = [
    ("run.duration", "7s"),
    ("ble.conn_interval", "15ms"),
    ("coc.sdu", "492"),
    ("coc.credits", "{ initial = 20, on_connect = 0, grant = 2, every = 2 }"),
];

fn expect_a_stream(kinds: [Kind; 2]) {
    let outcome = outcome(kinds, &SET);
    assert!(streams(&outcome) && sdus(&outcome)[1] > 0, "{kinds:?} {outcome:?}");
    assert_eq!(gaps(&outcome), 0);
    let (central, peripheral) = outcome.negotiated.expect("it was connected");
    assert_eq!(central.first_interval, airtime_core::Duration::from_millis(15));
    let terms = peripheral.channel.expect("the sender was told the receiver's terms");
    assert_eq!((terms.peer_mtu, terms.initial_credits), (2_000, 20), "{kinds:?}");
    assert_eq!(central.psm, Some(0x0080), "{kinds:?}: it read where the channel is taken");
}

/// Nor is the MTU exchanged: whoever names a PSM may meet no attributes.
#[test]
fn a_psm_that_is_named_is_not_looked_for() {
    for kinds in [[Model, Model], [Model, Trouble], [Trouble, Model], [Trouble, Trouble]] {
        let outcome = outcome(kinds, &[&SET[..], &[("coc.psm", "144")]].concat());
        assert!(streams(&outcome) && sdus(&outcome)[1] > 0 && gaps(&outcome) == 0, "{kinds:?} {outcome:?}");
        let (central, _) = outcome.negotiated.expect("it was connected");
        assert_eq!((central.psm, central.att_mtu), (None, 23), "{kinds:?}");
    }
}

#[test]
fn trouble_streams_to_trouble() {
    expect_a_stream([Trouble, Trouble]);
}

#[test]
fn a_trouble_peripheral_streams_to_the_model_central() {
    expect_a_stream([Model, Trouble]);
}

#[test]
fn a_model_peripheral_streams_to_a_trouble_central() {
    expect_a_stream([Trouble, Model]);
}

#[test]
fn the_model_is_run_by_the_same_plan() {
    expect_a_stream([Model, Model]);
}
