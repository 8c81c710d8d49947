//! Frame space update. Core 6.0, Vol 6, Part B, 5.1.30.

use alloc::vec;
use alloc::vec::Vec;

use airtime_core::Duration;

use super::effect::{Effect, Told};
use super::facts::Facts;
use crate::air::T_IFS;
use crate::hci::Status;
use crate::ll::control::{Control, SPACING_ACL, opcode};

/// Initiator of an update: this side's host. Core 6.0, Vol 4, Part E, 7.7.65.
const LOCAL_HOST: u8 = 0;
/// Initiator of an update: the peer.
const PEER: u8 = 2;

/// Frame space update of one connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameSpaceUpdate {
    /// Range and PHYs the host has asked for, while that is under way.
    asked: Option<Range>,
}

/// Range of frame spaces, and PHYs it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// Shortest, µs.
    pub min: u16,
    /// Longest, µs.
    pub max: u16,
    /// PHY bits.
    pub phys: u8,
}

/// Input of the frame space update.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of ours has come.
    Asked(Range),
    /// LL_FRAME_SPACE_REQ.
    Requested(Range),
    /// LL_FRAME_SPACE_RSP.
    Answered {
        /// Frame space, µs.
        space: u16,
        /// PHY bits.
        phys: u8,
    },
    /// The peer has refused ours.
    Refused(Status),
}

impl FrameSpaceUpdate {
    /// Takes an input in.
    pub fn handle(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        match input {
            Input::Asked(Range { min, max, phys }) => {
                self.asked = Some(Range { min, max, phys });
                // From now on the reply may come at either spacing.
                let (shortest, longest) = facts.peer_space;
                let floor = Duration::from_micros(min.into()).min(shortest);
                let ceiling = Duration::from_micros(max.into()).max(longest);
                let request = Control::FrameSpaceReq { min, max, phys, types: SPACING_ACL };
                vec![Effect::PeerSpace(floor, ceiling), Effect::Send(request)]
            }
            Input::Requested(wanted) => requested(facts, wanted),
            Input::Answered { space, phys } => {
                let Some(Range { min, max, .. }) = self.asked.take() else { return vec![] };
                let adopted = (min..=max)
                    .contains(&space)
                    .then_some(Effect::Space { space: Duration::from_micros(space.into()), phys });
                let status = Status::SUCCESS;
                let told = Effect::Tell(Told::FrameSpace { status, initiator: LOCAL_HOST, phys, space });
                adopted.into_iter().chain([told, Effect::Over]).collect()
            }
            Input::Refused(status) => {
                let Some(Range { phys, .. }) = self.asked.take() else { return vec![] };
                let space = facts.frame_space.as_micros() as u16;
                vec![Effect::Tell(Told::FrameSpace { status, initiator: LOCAL_HOST, phys, space }), Effect::Over]
            }
        }
    }
}

/// The shortest frame space that the peer wants and this side can do.
fn requested(facts: &Facts<'_>, Range { min, max, phys }: Range) -> Vec<Effect> {
    let opcode = opcode::FRAME_SPACE_REQ;
    let Some(own) = facts.personality.frame_space_min else {
        return vec![Effect::Send(Control::UnknownRsp { opcode })];
    };
    let chosen = Duration::from_micros(min.into()).max(own.min(T_IFS));
    if min > max || chosen > Duration::from_micros(max.into()) {
        return vec![Effect::Send(Control::RejectExtInd { opcode, reason: Status::UNSUPPORTED_FEATURE })];
    }
    let space = chosen.as_micros() as u16;
    vec![
        Effect::Space { space: chosen, phys },
        Effect::Send(Control::FrameSpaceRsp { space, phys, types: SPACING_ACL }),
        Effect::Tell(Told::FrameSpace { status: Status::SUCCESS, initiator: PEER, phys, space }),
    ]
}
