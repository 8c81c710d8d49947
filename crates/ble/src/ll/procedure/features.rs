//! Feature exchange. Core 6.0, Vol 6, Part B, 5.1.4.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::{Effect, Told};
use super::facts::Facts;
use crate::hci::Status;
use crate::ll::control::Control;
use crate::personality;
use crate::words::Role;

/// Feature exchange of one connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FeatureExchange {
    /// The host waits for the peer's features.
    asked: bool,
}

/// Input of the feature exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of ours has come.
    Asked,
    /// LL_FEATURE_REQ or LL_PERIPHERAL_FEATURE_REQ.
    Requested(u64),
    /// LL_FEATURE_RSP.
    Answered(u64),
    /// The peer has refused ours.
    Refused(Status),
}

impl FeatureExchange {
    /// Takes an input in.
    pub fn handle(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        let own = features_for_peers(facts.personality, facts.host_subrates);
        match input {
            Input::Asked => {
                self.asked = true;
                vec![Effect::Send(match facts.role {
                    Role::Central => Control::FeatureReq(own),
                    Role::Peripheral => Control::PeripheralFeatureReq(own),
                })]
            }
            Input::Requested(theirs) => vec![Effect::Send(Control::FeatureRsp(own & theirs | own & !0xff))],
            Input::Answered(features) => self.over(Status::SUCCESS, features),
            Input::Refused(status) => self.over(status, 0),
        }
    }

    fn over(&mut self, status: Status, features: u64) -> Vec<Effect> {
        match core::mem::take(&mut self.asked) {
            true => vec![Effect::Tell(Told::Features { status, features }), Effect::Over],
            false => vec![],
        }
    }
}

/// Features of a controller, page 0. Core 6.0, Vol 6, Part B, 4.6.
pub fn features(personality: &personality::Controller) -> u64 {
    let encryption = 1 << 0;
    let (reject, peripheral_features, length) = (1 << 2, 1 << 3, 1 << 5);
    let (privacy, scanner_filter_policies) = (1 << 6, 1 << 7);
    let always = encryption | reject | peripheral_features | length | privacy | scanner_filter_policies;
    let optional = [
        (personality.parameter_request, 1),
        (personality.phy_2m, 8),
        (personality.phy_coded, 11),
        // Extended advertising asks for channel selection algorithm #2.
        (personality.csa2, 12),
        (personality.csa2, 14),
        (personality.subrating, 37),
    ];
    optional.iter().filter(|(supported, _)| *supported).fold(always, |bits, (_, bit)| bits | 1 << bit)
}

/// Features that concern the controller's own host only: LE Ping, LL Privacy, Extended Scanner Filter Policies,
/// LE Extended Advertising, LE Periodic Advertising. Core 6.0, Vol 6, Part B, 4.6, Table 4.4.
const NOT_FOR_PEERS: u64 = 1 << 4 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13;

/// The features a peer is told about.
pub fn features_for_peers(personality: &personality::Controller, host_subrates: bool) -> u64 {
    let host = if host_subrates && personality.subrating { SUBRATING_HOST_SUPPORT } else { 0 };
    features(personality) & !NOT_FOR_PEERS | host
}

/// Connection Subrating (Host Support), which the host sets. Core 6.2, Vol 6, Part B, 4.6.
pub const SUBRATING_HOST_SUPPORT: u64 = 1 << 38;
