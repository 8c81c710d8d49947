//! Subrate update and subrate request. Core 6.2, Vol 6, Part B, 5.1.19 and 5.1.20.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::{Effect, Told};
use super::facts::Facts;
use crate::hci::Status;
use crate::ll::control::{Control, opcode};
use crate::ll::subrating::{SubrateRange, SubrateUpdate};
use crate::words::Role;

/// Subrate update of one connection, and the request for one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subrate {
    asked: bool,
    /// Parameters that a central finds acceptable in its peripheral's requests.
    acceptable: SubrateRange,
    /// Update of ours that the peripheral has not acknowledged.
    coming: Option<SubrateUpdate>,
    /// Range that the host has asked for behind that.
    waiting: Option<SubrateRange>,
}

/// Input of the subrate update.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of ours has come.
    Asked(SubrateRange),
    /// LL_SUBRATE_REQ.
    Requested {
        /// Parameters wanted.
        range: SubrateRange,
        /// Reason why a central is to refuse that now.
        collision: Option<Status>,
    },
    /// LL_SUBRATE_IND.
    Indicated(SubrateUpdate),
    /// LL_SUBRATE_IND was acknowledged.
    Acknowledged,
    /// The peer has refused ours.
    Refused(Status),
}

impl Subrate {
    /// Nothing under way, and these parameters acceptable.
    pub fn new(acceptable: SubrateRange) -> Self {
        Self { asked: false, acceptable, coming: None, waiting: None }
    }

    /// Takes an input in.
    pub fn handle(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        match (input, facts.role) {
            (Input::Asked(range), Role::Central) => {
                (self.asked, self.acceptable) = (true, range);
                if self.coming.is_some() {
                    // Which of two is acknowledged would not be known.
                    self.waiting = Some(range);
                    return vec![];
                }
                self.announce(range.chosen(facts.sends_in))
            }
            (Input::Asked(range), Role::Peripheral) => {
                self.asked = true;
                vec![Effect::Send(Control::SubrateReq(range))]
            }
            (Input::Requested { range, collision }, Role::Central) => self.requested(facts, &range, collision),
            (Input::Indicated(_), Role::Peripheral) if !facts.personality.subrating => unknown(opcode::SUBRATE_IND),
            (Input::Indicated(update), Role::Peripheral) => self.indicated(facts, update),
            (Input::Acknowledged, Role::Central) => {
                let Some(update) = self.coming.take() else { return vec![] };
                let mut effects = vec![Effect::Subrating(update), Effect::Tell(Told::Subrating(Status::SUCCESS))];
                match self.waiting.take() {
                    Some(range) => effects.extend(self.announce(range.chosen(facts.sends_in))),
                    None => effects.extend(core::mem::take(&mut self.asked).then_some(Effect::Over)),
                }
                effects
            }
            (Input::Refused(status), _) => match core::mem::take(&mut self.asked) {
                true => vec![Effect::Tell(Told::Subrating(status)), Effect::Over],
                false => vec![],
            },
            // Either PDU goes one way only.
            (Input::Requested { .. } | Input::Indicated(_) | Input::Acknowledged, _) => vec![],
        }
    }

    fn announce(&mut self, update: SubrateUpdate) -> Vec<Effect> {
        self.coming = Some(update);
        vec![Effect::ComingSubrating(update), Effect::Send(Control::SubrateInd(update))]
    }

    fn requested(&mut self, facts: &Facts<'_>, range: &SubrateRange, collision: Option<Status>) -> Vec<Effect> {
        let refused = |reason| vec![Effect::Send(Control::RejectExtInd { opcode: opcode::SUBRATE_REQ, reason })];
        let interval_us = facts.timing.interval.as_micros();
        let granted = self.acceptable.granted(range, facts.sends_in);
        match (granted.filter(|granted| granted.is_valid(interval_us)), collision) {
            _ if !facts.personality.subrating => unknown(opcode::SUBRATE_REQ),
            _ if !facts.host_subrates => refused(Status::UNSUPPORTED_REMOTE_FEATURE),
            (_, Some(reason)) => refused(reason),
            _ if self.coming.is_some() => refused(Status::LL_PROCEDURE_COLLISION),
            (None, _) => refused(Status::UNACCEPTABLE_PARAMETERS),
            (Some(granted), _) => self.announce(granted),
        }
    }

    /// The peripheral takes what it is told, at once.
    fn indicated(&mut self, facts: &Facts<'_>, update: SubrateUpdate) -> Vec<Effect> {
        if !update.is_valid(facts.timing.interval.as_micros()) {
            return vec![Effect::End(Status::INVALID_LL_PARAMETERS)];
        }
        let told = Effect::Tell(Told::Subrating(Status::SUCCESS));
        let over = core::mem::take(&mut self.asked).then_some(Effect::Over);
        [Effect::Subrating(update), told].into_iter().chain(over).collect()
    }

    /// True while an update of ours is not acknowledged.
    pub fn is_coming(&self) -> bool {
        self.coming.is_some()
    }
}

fn unknown(opcode: u8) -> Vec<Effect> {
    vec![Effect::Send(Control::UnknownRsp { opcode })]
}
