//! Tables of procedures that are over when they are answered, and of the termination.

use alloc::string::String;

use super::{ABLE, UNABLE, facts, table};
use crate::hci::Status;
use crate::ll::length::Offer;
use crate::ll::procedure::data_length::{self, DataLengthUpdate};
use crate::ll::procedure::effect::Effect;
use crate::ll::procedure::features::{self, FeatureExchange};
use crate::ll::procedure::frame_space::{self, FrameSpaceUpdate, Range};
use crate::ll::procedure::subrate::{self, Subrate};
use crate::ll::procedure::termination::{self, Termination};
use crate::ll::procedure::version::{self, VersionExchange};
use crate::ll::subrating::{SubrateRange, SubrateUpdate};
use crate::words::Role;

const REFUSED: Status = Status::UNSUPPORTED_REMOTE_FEATURE;

#[test]
fn feature_exchange() {
    use features::Input;
    let inputs = [
        ("asked", Input::Asked),
        ("requested 0x2d", Input::Requested(0x2d)),
        ("answered 0x2d", Input::Answered(0x2d)),
        ("refused", Input::Refused(REFUSED)),
    ];
    let text: String = [("central", Role::Central), ("peripheral", Role::Peripheral)]
        .map(|(name, role)| {
            table(name, (FeatureExchange::default(), facts(role, &ABLE)), &inputs, FeatureExchange::handle)
        })
        .join("\n");
    insta::assert_snapshot!(text);
}

#[test]
fn version_exchange() {
    use version::Input;
    let inputs =
        [("asked", Input::Asked), ("indicated 5.4", Input::Indicated((0x0d, 0x59, 7))), ("refused", Input::Refused)];
    let start = (VersionExchange::default(), facts(Role::Central, &ABLE));
    let text = table("either role", start, &inputs, |machine, _, input| machine.handle(input));
    insta::assert_snapshot!(text);
}

#[test]
fn data_length_update() {
    use data_length::Input;
    let bad = Offer { max_rx_octets: 26, ..Offer::INITIAL };
    let inputs = [
        ("asked", Input::Asked),
        ("requested 251 octets", Input::Requested(Offer::of(251, 251, false))),
        ("requested 26 octets", Input::Requested(bad)),
        ("answered 251 octets", Input::Answered(Offer::of(251, 251, false))),
        ("answered 26 octets", Input::Answered(bad)),
        ("refused", Input::Refused),
    ];
    let start = (DataLengthUpdate::new(Offer::of(100, 100, true)), facts(Role::Central, &ABLE));
    let text = table("either role", start, &inputs, |machine, _, input| machine.handle(input));
    insta::assert_snapshot!(text);
}

#[test]
fn frame_space_update() {
    use frame_space::Input;
    let range = |min, max| Range { min, max, phys: 2 };
    let inputs = [
        ("asked for 60 to 100 us", Input::Asked(range(60, 100))),
        ("requested 0 to 100 us", Input::Requested(range(0, 100))),
        ("requested 0 to 51 us", Input::Requested(range(0, 51))),
        ("requested 100 to 60 us", Input::Requested(range(100, 60))),
        ("answered 60 us", Input::Answered { space: 60, phys: 2 }),
        ("answered 59 us", Input::Answered { space: 59, phys: 2 }),
        ("refused", Input::Refused(REFUSED)),
    ];
    let start = |personality| (FrameSpaceUpdate::default(), facts(Role::Central, personality));
    let text = [
        table("either role", start(&ABLE), &inputs, FrameSpaceUpdate::handle),
        table("either role, on a controller that cannot", start(&UNABLE), &inputs[1..4], FrameSpaceUpdate::handle),
    ];
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn subrate_update() {
    use subrate::Input;
    let range =
        |factor_max, timeout| SubrateRange { factor_min: 1, factor_max, latency_max: 0, continuation: 1, timeout };
    let told = |factor, timeout| SubrateUpdate { factor, base: 98, latency: 0, continuation: 1, timeout };
    let inputs = [
        ("asked for 1 to 8", Input::Asked(range(8, 400))),
        ("requested 1 to 4", Input::Requested { range: range(4, 400), collision: None }),
        ("requested with too long a timeout", Input::Requested { range: range(4, 401), collision: None }),
        ("requested beside ours", Input::Requested { range: range(4, 400), collision: Some(REFUSED) }),
        ("indicated 4", Input::Indicated(told(4, 400))),
        ("indicated 4 of a timeout of two turns", Input::Indicated(told(4, 12))),
        ("acknowledged", Input::Acknowledged),
        ("refused", Input::Refused(REFUSED)),
    ];
    let acceptable = SubrateRange { factor_min: 1, factor_max: 6, latency_max: 0, continuation: 0, timeout: 400 };
    let start = |role, personality| (Subrate::new(acceptable), facts(role, personality));
    let text = [
        table("central", start(Role::Central, &ABLE), &inputs, Subrate::handle),
        table("peripheral", start(Role::Peripheral, &ABLE), &inputs, Subrate::handle),
        table("central that cannot", start(Role::Central, &UNABLE), &inputs[1..4], Subrate::handle),
        table("peripheral that cannot", start(Role::Peripheral, &UNABLE), &inputs[4..6], Subrate::handle),
    ];
    insta::assert_snapshot!(text.join("\n"));
}

/// Input of the termination, with what each packet says.
#[derive(Clone, Copy)]
enum Said {
    Input(termination::Input),
    Heard,
    Sent,
    EventOver,
    EventOverForOneThatStays,
}

#[test]
fn termination() {
    use termination::Input;
    let inputs = [
        ("asked", Said::Input(Input::Asked(Status::REMOTE_USER_TERMINATED))),
        ("indicated", Said::Input(Input::Indicated(Status::REMOTE_USER_TERMINATED))),
        ("acknowledged", Said::Input(Input::Acknowledged)),
        ("late", Said::Input(Input::Late)),
        ("packet heard", Said::Heard),
        ("packet sent", Said::Sent),
        ("event over", Said::EventOver),
        ("event over for one that stays", Said::EventOverForOneThatStays),
    ];
    let start = (Termination::default(), facts(Role::Central, &ABLE));
    let text = table("either role", start, &inputs, |machine, facts, said| {
        match said {
            Said::Input(input) => return machine.handle(facts, input),
            Said::Heard => machine.note_heard(),
            Said::Sent => machine.note_sent(),
            Said::EventOver => return machine.left(false).map(Effect::End).into_iter().collect(),
            Said::EventOverForOneThatStays => return machine.left(true).map(Effect::End).into_iter().collect(),
        }
        alloc::vec![]
    });
    insta::assert_snapshot!(text);
}
