//! Several links, several channels, both ways; parameters that change.

use airtime_ble_link::run::{Outcome, run};
use airtime_core::Duration;
use airtime_lab::record::kbps;

use super::hosts::{Kind, Model, Trouble, gaps, plan, sdus, streams};
use crate::support;

const PAIRS: [[Kind; 2]; 3] = [[Trouble, Trouble], [Model, Trouble], [Trouble, Model]];

fn streamed(kinds: [Kind; 2], set: &[(&str, &str)]) -> Outcome {
    streamed_with(kinds, set, true)
}

/// `parameter_request`: whether the controllers know the connection parameters request procedure.
fn streamed_with(kinds: [Kind; 2], set: &[(&str, &str)], parameter_request: bool) -> Outcome {
    let link = [
        ("coc.credits", "{ initial = 16, on_connect = 0, grant = 2, every = 2 }"),
        ("ble.conn_interval", "30ms"),
        ("run.duration", "7s"),
    ];
    let (_, point) = plan(kinds, &[&link, set].concat());
    let mut scenario = support::ble(&point).clone();
    scenario.central.controller.parameter_request = parameter_request;
    scenario.peripheral.controller.parameter_request = parameter_request;
    let outcome = run(&scenario, scenario.run.seed);
    assert!(streams(&outcome), "{kinds:?} {set:?} {outcome:?}");
    assert_eq!((gaps(&outcome), outcome.rests), (0, 0), "{kinds:?} {set:?}");
    outcome
}

/// The first link's interval at the end, as both ends were told.
fn interval(outcome: &Outcome) -> Duration {
    let (central, peripheral) = outcome.negotiated.expect("it was connected");
    assert_eq!(central.interval, peripheral.interval);
    central.interval
}

#[test]
fn towards_the_peripheral() {
    for kinds in PAIRS {
        let outcome = streamed(kinds, &[("ble.direction", "c2p")]);
        let [there, back] = sdus(&outcome);
        assert!(there > 1_000 && back == 0, "{kinds:?} {outcome:?}");
    }
}

#[test]
fn both_ways_at_once() {
    for kinds in PAIRS {
        let outcome = streamed(kinds, &[("ble.direction", "both")]);
        assert!(sdus(&outcome).iter().all(|sdus| *sdus > 500), "{kinds:?} {outcome:?}");
    }
}

#[test]
fn over_several_channels() {
    for kinds in PAIRS {
        let outcome = streamed(kinds, &[("coc.channels", "4")]);
        let channels = outcome.negotiated.map(|(central, peripheral)| (central.channels, peripheral.channels));
        assert!(sdus(&outcome)[1] > 1_000 && channels == Some((4, 4)), "{kinds:?} {outcome:?}");
    }
}

#[test]
fn from_several_peripherals() {
    for kinds in PAIRS {
        let outcome = streamed(kinds, &[("ble.peripherals", "3")]);
        assert!(sdus(&outcome)[1] > 1_000 && outcome.traffic.len() == 3, "{kinds:?} {outcome:?}");
    }
}

/// A link's anchor is the spacing and up to 1.25 ms behind the one before, by when the advertiser was heard (the
/// offset in a CONNECT_IND is counted in 1.25 ms: Core 6.0, Vol 6, Part B, 2.3.3.1). Another host takes other times
/// to set a link up, so with 3.75 ms there may be room for two exchanges or for three, which is no host's doing.
/// With 4.6 ms there is room for three and not for four wherever the anchors fall, and every host has three. The
/// last link has what is left of the interval.
#[test]
fn several_links_carry_what_their_anchors_leave_room_for() {
    let rates = |kinds: [Kind; 2]| {
        let set = [
            ("coc.credits", "{ initial = 16, on_connect = 0, grant = 2, every = 2 }"),
            ("ble.conn_interval", "30ms"),
            ("ble.peripherals", "3"),
            ("run.duration", "20s"),
        ];
        let (_, point) = plan(kinds, &set);
        let mut scenario = support::ble(&point).clone();
        scenario.central.controller.link_spacing = Duration::from_micros(4_600);
        let outcome = run(&scenario, scenario.run.seed);
        [0, 1, 2].map(|link| kbps(outcome.octets(link), outcome.steady))
    };
    // Half an SDU of 492 octets in a K-frame, three to an event.
    let three = 3.0 * 246.0 * 8.0 / 30.0;
    for kinds in [[Model, Model]].iter().chain(&PAIRS) {
        let [first, second, last] = rates(*kinds);
        println!("{kinds:?}: {first:.1} {second:.1} {last:.1}");
        for kbps in [first, second] {
            assert!((kbps / three - 1.0).abs() <= 0.01, "{kinds:?}: {kbps} against {three}");
        }
        assert!(last > 4.0 * three, "{kinds:?}: {last}");
    }
}

#[test]
fn a_peripheral_that_advertises_on_streams_as_well() {
    for kinds in PAIRS {
        streamed(kinds, &[("ble.stop_advertising", "false")]);
    }
}

/// Without the link layer's procedure a request goes by L2CAP (Core 6.0, Vol 3, Part A, 4.20).
#[test]
fn the_interval_is_the_peripherals_wish() {
    for kinds in PAIRS {
        let outcome = streamed_with(kinds, &[("ble.request_interval", "15ms")], false);
        assert_eq!(interval(&outcome), Duration::from_millis(15), "{kinds:?}");
        let change = [("ble.change_interval", "{ at = \"1s\", to = \"50ms\" }")];
        let outcome = streamed_with(kinds, &change, false);
        assert_eq!(interval(&outcome), Duration::from_millis(50), "{kinds:?}");
    }
}

/// TrouBLE does not take the event of a remote parameter request unless it is built with the feature
/// `connection-params-update`: its controller refuses the request, and the link stays as it is.
#[test]
fn a_trouble_central_has_its_controller_refuse_a_parameter_request() {
    let set = [("ble.request_interval", "15ms"), ("run.duration", "50s")];
    let refused = streamed([Trouble, Trouble], &set);
    assert_eq!(interval(&refused), Duration::from_millis(30), "beyond the procedure's 40 s");
    let granted = streamed([Model, Trouble], &set);
    assert_eq!(interval(&granted), Duration::from_millis(15), "the model host takes the event");
}

#[test]
fn loss_is_made_good() {
    for kinds in PAIRS {
        let outcome = streamed(kinds, &[("ble.loss", "{ per = 0.1 }")]);
        assert!(sdus(&outcome)[1] > 500 && outcome.counts.lost > 100, "{kinds:?} {outcome:?}");
    }
}
