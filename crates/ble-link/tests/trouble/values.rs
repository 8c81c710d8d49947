//! TrouBLE at one end or both of a stream in values: notifications, write commands, and both at once.

use airtime_lab::record::kbps;

use super::hosts::{Model, Trouble, gaps, outcome, sdus, streams};

/// The keys of every run here.
const SET: [(&str, &str); 4] =
    [("link", "ble-gatt"), ("run.duration", "7s"), ("ble.conn_interval", "15ms"), ("ble.phy", "2M")];

#[test]
fn values_arrive_in_order_whichever_host_is_at_which_end() {
    for direction in ["p2c", "c2p", "both"] {
        let set = [&SET[..], &[("ble.direction", direction)]].concat();
        let rates = [[Model, Model], [Model, Trouble], [Trouble, Model], [Trouble, Trouble]].map(|kinds| {
            let outcome = outcome(kinds, &set);
            let [to_peripheral, to_central] = sdus(&outcome);
            assert!(
                streams(&outcome) && gaps(&outcome) == 0 && outcome.rests == 0,
                "{kinds:?} {direction} {outcome:?}"
            );
            assert_eq!((to_central > 0, to_peripheral > 0), (direction != "c2p", direction != "p2c"), "{kinds:?}");
            kbps(outcome.octets(0), outcome.steady)
        });
        println!("{direction}: {rates:.1?}");
    }
}
