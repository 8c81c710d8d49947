//! Routes: which procedure an input is for.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::Effect;
use super::encryption_start::Key;
use super::facts::Facts;
use super::frame_space::Range;
use super::{Local, Procedures};
use super::{
    channel_map, data_length, encryption_start, features, frame_space, parameters, phy, subrate, termination, version,
};
use crate::hci::Status;
use crate::ll::control::{Control, ParameterRequest, opcode};

impl Procedures {
    /// Begins a procedure of ours, whose turn has come.
    pub(super) fn begin(&mut self, facts: &Facts<'_>, local: Local) -> Vec<Effect> {
        match local {
            Local::Features => self.features.handle(facts, features::Input::Asked),
            Local::Version => self.version.handle(version::Input::Asked),
            Local::Length => self.length.handle(data_length::Input::Asked),
            Local::Phy { tx, rx, s8 } => self.phy.handle(facts, phy::Input::Asked { tx, rx, s8 }),
            Local::Update(timing) => self.parameters.handle(facts, parameters::Input::Asked(timing)),
            Local::Parameters(request) => self.parameters.handle(facts, parameters::Input::AskedFor(request)),
            Local::ChannelMap(map) => self.map.handle(facts, channel_map::Input::Asked(map)),
            Local::Encrypt { rand, ediv, key } => {
                self.encryption.handle(facts, encryption_start::Input::Asked(Key { rand, ediv, key }))
            }
            Local::FrameSpace { min, max, phys } => {
                self.space.handle(facts, frame_space::Input::Asked(Range { min, max, phys }))
            }
            Local::Subrate(range) => self.subrate.handle(facts, subrate::Input::Asked(range)),
            Local::Terminate(reason) => self.termination.handle(facts, termination::Input::Asked(reason)),
        }
    }

    /// A control PDU has come.
    pub(super) fn receive(&mut self, facts: &Facts<'_>, control: Control) -> Vec<Effect> {
        match control {
            Control::TerminateInd { reason } => {
                self.turn.forget_waiting();
                self.termination.handle(facts, termination::Input::Indicated(reason))
            }
            Control::FeatureReq(theirs) | Control::PeripheralFeatureReq(theirs) => {
                self.peer = Some(theirs);
                self.features.handle(facts, features::Input::Requested(theirs))
            }
            Control::FeatureRsp(theirs) => {
                self.peer = Some(theirs);
                self.features.handle(facts, features::Input::Answered(theirs))
            }
            Control::VersionInd { version, company, subversion } => {
                self.version.handle(version::Input::Indicated((version, company, subversion)))
            }
            Control::LengthReq(offer) => self.length.handle(data_length::Input::Requested(offer)),
            Control::LengthRsp(offer) => self.length.handle(data_length::Input::Answered(offer)),
            Control::PingReq => vec![Effect::Send(Control::PingRsp)],
            Control::PingRsp => vec![],
            Control::FrameSpaceReq { min, max, phys, .. } => {
                self.space.handle(facts, frame_space::Input::Requested(Range { min, max, phys }))
            }
            Control::FrameSpaceRsp { space, phys, .. } => {
                self.space.handle(facts, frame_space::Input::Answered { space, phys })
            }
            Control::SubrateReq(range) => {
                let collision = self.collision(opcode::SUBRATE_REQ);
                self.subrate.handle(facts, subrate::Input::Requested { range, collision })
            }
            Control::SubrateInd(update) => self.subrate.handle(facts, subrate::Input::Indicated(update)),
            Control::RejectInd { reason } | Control::RejectExtInd { reason, .. } => self.refused(facts, reason),
            Control::UnknownRsp { .. } => self.refused(facts, Status::UNSUPPORTED_REMOTE_FEATURE),
            with_instant => self.receive_with_instant(facts, with_instant),
        }
    }

    /// A control PDU of a procedure that has an instant has come, or one of encryption.
    fn receive_with_instant(&mut self, facts: &Facts<'_>, control: Control) -> Vec<Effect> {
        match control {
            Control::PhyReq { tx, rx } => {
                let collision = self.collision(opcode::PHY_REQ);
                self.phy.handle(facts, phy::Input::Requested { tx, rx, collision })
            }
            Control::PhyRsp { tx, rx } => self.phy.handle(facts, phy::Input::Answered { tx, rx }),
            Control::PhyUpdateInd { c_to_p, p_to_c, instant } => {
                self.phy.handle(facts, phy::Input::Indicated { c_to_p, p_to_c, instant })
            }
            Control::ConnectionUpdateInd(update) => self.parameters.handle(facts, parameters::Input::Indicated(update)),
            Control::ConnectionParamReq(request) => {
                let collision = self.collision(opcode::CONNECTION_PARAM_REQ);
                self.parameters.handle(facts, parameters::Input::Requested { request, collision })
            }
            Control::ConnectionParamRsp(answer) => self.parameters.handle(facts, parameters::Input::Answered(answer)),
            Control::ChannelMapInd { map, instant } => {
                self.map.handle(facts, channel_map::Input::Indicated { map, instant })
            }
            other => self.receive_encryption(facts, other),
        }
    }

    fn receive_encryption(&mut self, facts: &Facts<'_>, control: Control) -> Vec<Effect> {
        use encryption_start::Input;
        let input = match control {
            Control::EncReq { rand, ediv, skd, .. } => Input::Requested { rand, ediv, skd },
            Control::EncRsp { skd, .. } => Input::Answered(skd),
            Control::StartEncReq => Input::StartRequested,
            Control::StartEncRsp => Input::StartAnswered,
            Control::PauseEncReq => Input::PauseRequested,
            Control::PauseEncRsp => Input::PauseAnswered,
            _ => return vec![],
        };
        self.encryption.handle(facts, input)
    }

    /// One of our control PDUs was acknowledged.
    pub(super) fn acknowledged(&mut self, facts: &Facts<'_>, code: u8) -> Vec<Effect> {
        match code {
            opcode::TERMINATE_IND => self.termination.handle(facts, termination::Input::Acknowledged),
            opcode::SUBRATE_IND => self.subrate.handle(facts, subrate::Input::Acknowledged),
            opcode::START_ENC_RSP => self.encryption.handle(facts, encryption_start::Input::Acknowledged),
            _ => vec![],
        }
    }

    /// The host has answered a key request.
    pub(super) fn answer_key(&mut self, facts: &Facts<'_>, key: Option<[u8; 16]>) -> Vec<Effect> {
        self.encryption.handle(facts, encryption_start::Input::Decided(key))
    }

    /// The host has answered a parameter request.
    pub(super) fn answer_parameters(
        &mut self,
        facts: &Facts<'_>,
        answer: Result<ParameterRequest, Status>,
    ) -> Vec<Effect> {
        self.parameters.handle(facts, parameters::Input::Decided(answer))
    }

    /// The deadline has come.
    pub(super) fn late(&mut self, facts: &Facts<'_>) -> Vec<Effect> {
        match self.terminates() {
            true => self.termination.handle(facts, termination::Input::Late),
            false => vec![Effect::End(Status::LL_RESPONSE_TIMEOUT)],
        }
    }

    /// The peer has said no to what we asked for, or does not know it.
    fn refused(&mut self, facts: &Facts<'_>, reason: Status) -> Vec<Effect> {
        match self.turn.running() {
            Some(Local::Features) => self.features.handle(facts, features::Input::Refused(reason)),
            Some(Local::Version) => self.version.handle(version::Input::Refused),
            Some(Local::Length) => self.length.handle(data_length::Input::Refused),
            Some(Local::Phy { .. }) => self.phy.handle(facts, phy::Input::Refused(reason)),
            Some(Local::Update(_) | Local::Parameters(_)) => {
                self.parameters.handle(facts, parameters::Input::Refused(reason))
            }
            Some(Local::ChannelMap(_)) => self.map.handle(facts, channel_map::Input::Refused),
            Some(Local::Encrypt { .. }) => self.encryption.handle(facts, encryption_start::Input::Refused(reason)),
            Some(Local::FrameSpace { .. }) => self.space.handle(facts, frame_space::Input::Refused(reason)),
            Some(Local::Subrate(_)) => self.subrate.handle(facts, subrate::Input::Refused(reason)),
            Some(Local::Terminate(_)) | None => vec![],
        }
    }

    /// Reason why a central refuses a procedure of its peripheral: one with an instant of its own runs.
    /// Core 6.0, Vol 6, Part B, 5.3.
    fn collision(&self, opcode: u8) -> Option<Status> {
        match self.turn.running() {
            Some(Local::Phy { .. }) if opcode == opcode::PHY_REQ => Some(Status::LL_PROCEDURE_COLLISION),
            Some(Local::Update(_) | Local::Parameters(_)) if opcode == opcode::CONNECTION_PARAM_REQ => {
                Some(Status::LL_PROCEDURE_COLLISION)
            }
            Some(Local::Subrate(_)) if opcode == opcode::SUBRATE_REQ => Some(Status::LL_PROCEDURE_COLLISION),
            Some(Local::Phy { .. } | Local::Update(_) | Local::Parameters(_) | Local::ChannelMap(_)) => {
                Some(Status::DIFFERENT_TRANSACTION_COLLISION)
            }
            _ if self.phy.instant().is_some() || self.parameters.instant().is_some() => {
                Some(Status::DIFFERENT_TRANSACTION_COLLISION)
            }
            _ => None,
        }
    }
}
