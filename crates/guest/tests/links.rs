//! Several links, several channels, both ways; parameters that change.

mod support;

use airtime_core::Duration;
use support::Kind::{Model, Trouble};
use support::{Kind, Run, run, scenario};

const PAIRS: [[Kind; 2]; 3] = [[Trouble, Trouble], [Model, Trouble], [Trouble, Model]];

fn streamed(kinds: [Kind; 2], set: &[(&str, &str)]) -> Run {
    streamed_with(kinds, set, true)
}

/// `parameter_request`: whether the controllers know the connection parameters request procedure.
fn streamed_with(kinds: [Kind; 2], set: &[(&str, &str)], parameter_request: bool) -> Run {
    let mut all = vec![
        ("coc.credits", "{ initial = 16, on_connect = 0, grant = 2, every = 2 }"),
        ("ble.conn_interval", "30ms"),
        ("run.duration", "5s"),
    ];
    all.extend_from_slice(set);
    let mut scenario = scenario(&all);
    scenario.central.controller.parameter_request = parameter_request;
    scenario.peripheral.controller.parameter_request = parameter_request;
    let run = run(&scenario, kinds, 1);
    assert!(run.streaming && run.ended.is_none(), "{kinds:?} {set:?} {run:?}");
    assert_eq!((run.gaps, run.rests), (0, 0), "{kinds:?} {set:?}");
    run
}

#[test]
fn towards_the_peripheral() {
    for kinds in PAIRS {
        let run = streamed(kinds, &[("ble.direction", "c2p")]);
        assert!(run.each_way[0] > 1_000 && run.each_way[1] == 0, "{kinds:?} {run:?}");
    }
}

#[test]
fn both_ways_at_once() {
    for kinds in PAIRS {
        let run = streamed(kinds, &[("ble.direction", "both")]);
        assert!(run.each_way.iter().all(|sdus| *sdus > 500), "{kinds:?} {run:?}");
    }
}

#[test]
fn over_several_channels() {
    for kinds in PAIRS {
        let run = streamed(kinds, &[("coc.channels", "4")]);
        assert!(run.each_way[1] > 1_000, "{kinds:?} {run:?}");
    }
}

#[test]
fn from_several_peripherals() {
    for kinds in PAIRS {
        let run = streamed(kinds, &[("ble.peripherals", "3")]);
        assert!(run.each_way[1] > 1_000, "{kinds:?} {run:?}");
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
        let run = streamed_with(kinds, &[("ble.request_interval", "15ms")], false);
        assert_eq!(run.interval, Some(Duration::from_millis(15)), "{kinds:?}");
        let change = [("ble.change_interval", "{ at = \"1s\", to = \"50ms\" }")];
        let run = streamed_with(kinds, &change, false);
        assert_eq!(run.interval, Some(Duration::from_millis(50)), "{kinds:?}");
    }
}

/// TrouBLE does not take the event of a remote parameter request unless it is built with the feature
/// `connection-params-update`: its controller refuses the request, and the link stays as it is.
#[test]
fn a_trouble_central_has_its_controller_refuse_a_parameter_request() {
    let set = [("ble.request_interval", "15ms"), ("run.duration", "50s")];
    let refused = streamed([Trouble, Trouble], &set);
    assert_eq!(refused.interval, Some(Duration::from_millis(30)), "beyond the procedure's 40 s");
    let granted = streamed([Model, Trouble], &set);
    assert_eq!(granted.interval, Some(Duration::from_millis(15)), "the model host takes the event");
}

#[test]
fn loss_is_made_good() {
    for kinds in PAIRS {
        let run = streamed(kinds, &[("ble.loss", "{ per = 0.1 }")]);
        assert!(run.each_way[1] > 500, "{kinds:?} {run:?}");
    }
}
