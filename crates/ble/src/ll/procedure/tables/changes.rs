//! Tables of procedures with an instant.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{ABLE, NOW, UNABLE, facts, table};
use crate::air::Phy;
use crate::hci::Status;
use crate::ll::control::{ConnectionUpdate, PHY_1M, PHY_2M, PHY_CODED, ParameterRequest};
use crate::ll::procedure::channel_map::{self, ChannelMapUpdate};
use crate::ll::procedure::facts::Facts;
use crate::ll::procedure::parameters::{self, ParameterUpdate, timing};
use crate::ll::procedure::phy::{self, PhyUpdate};
use crate::personality::Controller;
use crate::words::Role;

const REFUSED: Status = Status::UNSUPPORTED_REMOTE_FEATURE;
const COLLISION: Option<Status> = Some(Status::LL_PROCEDURE_COLLISION);
const AHEAD: u16 = NOW + 10;
const PASSED: u16 = NOW;

#[test]
fn channel_map_update() {
    use channel_map::Input;
    let inputs = [
        ("asked for 0x3ff", Input::Asked(0x3ff)),
        ("indicated 0x1f (ahead)", Input::Indicated { map: 0x1f, instant: AHEAD }),
        ("indicated 0x01 (ahead)", Input::Indicated { map: 0x01, instant: AHEAD }),
        ("indicated 0x1f (passed)", Input::Indicated { map: 0x1f, instant: PASSED }),
        ("instant", Input::Instant),
        ("refused", Input::Refused),
    ];
    // Only a central asks.
    let central = (ChannelMapUpdate::default(), facts(Role::Central, &ABLE));
    let peripheral = (ChannelMapUpdate::default(), facts(Role::Peripheral, &ABLE));
    let text = [
        table("central", central, &inputs, ChannelMapUpdate::handle),
        table("peripheral", peripheral, &inputs[1..], ChannelMapUpdate::handle),
    ];
    insta::assert_snapshot!(text.join("\n"));
}

const BOTH: u8 = PHY_1M | PHY_2M;
const PHY_INPUTS: [(&str, phy::Input); 11] = [
    ("asked for 2M", phy::Input::Asked { tx: PHY_2M, rx: PHY_2M, s8: true }),
    ("requested 1M or 2M", phy::Input::Requested { tx: BOTH, rx: BOTH, collision: None }),
    ("requested in a collision", phy::Input::Requested { tx: BOTH, rx: BOTH, collision: COLLISION }),
    ("answered 2M", phy::Input::Answered { tx: PHY_2M, rx: PHY_2M }),
    ("answered 1M", phy::Input::Answered { tx: PHY_1M, rx: PHY_1M }),
    ("indicated 2M (passed)", phy::Input::Indicated { c_to_p: PHY_2M, p_to_c: 0, instant: PASSED }),
    ("indicated 2M (ahead)", phy::Input::Indicated { c_to_p: PHY_2M, p_to_c: 0, instant: AHEAD }),
    ("instant", phy::Input::Instant),
    ("refused", phy::Input::Refused(REFUSED)),
    ("indicated no change", phy::Input::Indicated { c_to_p: 0, p_to_c: 0, instant: 0 }),
    ("asked for S=2", phy::Input::Asked { tx: PHY_CODED, rx: PHY_CODED, s8: false }),
];

fn phy_table(heading: &str, facts: Facts<'_>, inputs: &[(&str, phy::Input)]) -> String {
    table(heading, (PhyUpdate::new((BOTH, BOTH)), facts), inputs, PhyUpdate::handle)
}

#[test]
fn phy_update() {
    let (central, peripheral) = (facts(Role::Central, &ABLE), facts(Role::Peripheral, &ABLE));
    let coded = Facts { phys: (Phy::LeCodedS8, Phy::LeCodedS8), ..peripheral };
    let text = [
        phy_table("central", central, &PHY_INPUTS[..10]),
        phy_table("peripheral", peripheral, &PHY_INPUTS[..10]),
        phy_table("peripheral on LE Coded", coded, &PHY_INPUTS[9..]),
    ];
    insta::assert_snapshot!(text.join("\n"));
}

const REQUEST: ParameterRequest = ParameterRequest { interval_min: 12, interval_max: 24, latency: 0, timeout: 400 };

fn update(interval: u16, instant: u16) -> parameters::Input {
    let update = ConnectionUpdate { win_size: 1, win_offset: 2, interval, latency: 0, timeout: 400, instant };
    parameters::Input::Indicated(update)
}

fn request_inputs() -> Vec<(&'static str, parameters::Input)> {
    use parameters::Input;
    let bad = ParameterRequest { interval_min: 25, ..REQUEST };
    vec![
        ("requested", Input::Requested { request: REQUEST, collision: None }),
        ("requested the impossible", Input::Requested { request: bad, collision: None }),
        ("requested in a collision", Input::Requested { request: REQUEST, collision: COLLISION }),
        ("accepted by the host", Input::Decided(Ok(REQUEST))),
        ("refused by the host", Input::Decided(Err(Status::UNACCEPTABLE_PARAMETERS))),
    ]
}

fn update_inputs() -> Vec<(&'static str, parameters::Input)> {
    use parameters::Input;
    vec![
        ("answered", Input::Answered(REQUEST)),
        ("indicated (ahead)", update(24, AHEAD)),
        ("indicated (passed)", update(24, PASSED)),
        ("indicated the impossible", update(5, AHEAD)),
        ("instant", Input::Instant),
        ("refused", Input::Refused(REFUSED)),
    ]
}

fn parameter_table(heading: &str, facts: Facts<'_>, inputs: Vec<(&str, parameters::Input)>) -> String {
    table(heading, (ParameterUpdate::default(), facts), &inputs, ParameterUpdate::handle)
}

/// A central asks for updates and a peripheral makes requests.
#[test]
fn connection_update() {
    use parameters::Input;
    let (central, peripheral) = (facts(Role::Central, &ABLE), facts(Role::Peripheral, &ABLE));
    let asked = vec![("asked for an update", Input::Asked(timing(24, 0, 400)))];
    let asked_for = vec![("asked for a request", Input::AskedFor(REQUEST))];
    let asking = Controller { central_requests: true, ..ABLE };
    let text = [
        parameter_table("central", central, [asked.clone(), update_inputs()].concat()),
        parameter_table(
            "central that requests first",
            facts(Role::Central, &asking),
            [asked, update_inputs()].concat(),
        ),
        parameter_table("peripheral", peripheral, [asked_for, update_inputs()].concat()),
    ];
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn connection_parameters_request() {
    let (central, peripheral) = (facts(Role::Central, &ABLE), facts(Role::Peripheral, &ABLE));
    let masked = Facts { host_decides: false, ..peripheral };
    let unable = facts(Role::Peripheral, &UNABLE);
    // A central that makes a request of its own is no use of HCI, and answered all the same.
    let asked_for = vec![("asked for a request", parameters::Input::AskedFor(REQUEST))];
    let answered = vec![("answered", parameters::Input::Answered(REQUEST))];
    let text = [
        parameter_table("central", central, [request_inputs(), asked_for, answered].concat()),
        parameter_table("peripheral", peripheral, request_inputs()),
        parameter_table("peripheral with a host that does not take the event", masked, request_inputs()),
        parameter_table("peripheral that cannot", unable, request_inputs()),
    ];
    insta::assert_snapshot!(text.join("\n"));
}
