//! HCI commands: every one is answered, known or not, well-formed or not.
//!
//! The table in [`crate::hci::commands`] says which part answers a command and how: with Command
//! Status when its effect comes later, else with Command Complete. A malformed one gets "invalid HCI
//! command parameters" in the same kind of answer and has no effect.

mod accept_list;
pub(super) mod advertising;
mod baseband;
mod connection;
pub(super) mod defaults;
mod effect;
pub(super) mod generation;
mod informational;
mod initiating;
mod own_address;
mod parts;
mod resolving_list;
pub(super) mod scanning;
mod security;
#[cfg(test)]
mod tables;

use airtime_core::bytes::Reader;
use airtime_core::{Instant, Packet};

use super::Controller;
use crate::hci::commands::{Needs, for_each_command};
use crate::hci::opcode::{self, Opcode};
use crate::hci::{Status, event};
use crate::ll::address::{DeviceAddress, OwnAddress};
use crate::personality;
use effect::Effect;

/// Answer to a command, known before its effect.
type Answer = Result<(), Status>;

/// Offset of the status in a Command Complete.
const STATUS_OFFSET: usize = 6;

/// One command on its way through the controller.
struct Call<'a> {
    now: Instant,
    /// Parameters of the command.
    r: Reader<'a>,
    /// Command Complete; return parameters are appended as they become known.
    returns: Packet,
    /// Effect carried out before the command is answered.
    ahead: Option<Effect>,
    /// Effect carried out once the command is answered.
    afterwards: Option<Effect>,
}

impl Call<'_> {
    /// All parameters have been read: what is left over makes them invalid.
    fn end(&self) -> Answer {
        if self.r.is_empty() { Ok(()) } else { Err(Status::INVALID_PARAMETERS) }
    }

    /// An address type of 0 or 1 (2 and 3 as well where `identities` are meant) and an address.
    fn address(&mut self, kinds: u8) -> Result<DeviceAddress, Status> {
        let (kind, octets) = (need(self.r.u8())?, need(self.r.array())?);
        need(DeviceAddress::from_hci(kind, octets).filter(|_| kind < kinds))
    }

    /// Own_Address_Type.
    fn own_address(&mut self) -> Result<OwnAddress, Status> {
        need(self.r.u8().and_then(OwnAddress::from_hci))
    }
}

/// Parameters that are too short or out of range are "invalid HCI command parameters".
fn need<T>(value: Option<T>) -> Result<T, Status> {
    value.ok_or(Status::INVALID_PARAMETERS)
}

/// Form of the answer to a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Command Status ahead of whatever the command sets off.
    Status,
    /// Command Complete.
    Complete,
    /// Command Complete, and only when it is wrong.
    Silent,
}

type Handler = fn(&mut Controller, &mut Call<'_>) -> Answer;

macro_rules! dispatch {
    ($($name:ident = $ogf:literal, $ocf:literal, $octet:literal, $bit:literal, $answer:ident $part:ident.$handler:ident,
       $effect:ident, $needs:ident, $text:literal, $note:literal;)*) => {
        fn handler(opcode: Opcode) -> Option<(Kind, Needs, Handler)> {
            Some(match opcode {
                $(opcode::$name => (Kind::$answer, Needs::$needs, |controller, call| controller.$part().$handler(call)),)*
                _ => return None,
            })
        }
    };
}

for_each_command!(dispatch);

/// Tells if a controller with this personality knows commands that need this.
pub(super) fn has(personality: &personality::Controller, needs: Needs) -> bool {
    match needs {
        Needs::Nothing => true,
        Needs::FrameSpace => personality.frame_space_min.is_some(),
        Needs::Subrating => personality.subrating,
        Needs::Extended => personality.csa2,
        Needs::ParameterRequest => personality.parameter_request,
    }
}

impl Controller {
    pub(super) fn command(&mut self, now: Instant, opcode: Opcode, params: &[u8]) {
        let known = handler(opcode).filter(|(_, needs, _)| has(&self.personality, *needs));
        let Some((kind, _, run)) = known else {
            let packet = event::command_status(self.out.pool(), opcode, Status::UNKNOWN_COMMAND);
            return self.out.hci(packet);
        };
        let returns = event::command_complete(self.out.pool(), opcode, Status::SUCCESS);
        let mut call = Call { now, r: Reader::new(params), returns, ahead: None, afterwards: None };
        let before = self.out.len();
        let answer = self.generation.check(opcode).and_then(|()| run(self, &mut call));
        if let Some(effect) = call.ahead.take() {
            self.carry_out(now, effect);
        }
        let status = answer.err().unwrap_or(Status::SUCCESS);
        match kind {
            Kind::Status => {
                // The answer goes ahead of whatever the command has set off at once.
                let packet = event::command_status(self.out.pool(), opcode, status);
                self.out.hci_at(before, packet);
            }
            Kind::Silent if status.is_success() => {}
            Kind::Complete | Kind::Silent => {
                call.returns[STATUS_OFFSET] = status.0;
                self.out.hci(event::finish(call.returns));
            }
        }
        if let Some(effect) = call.afterwards {
            self.carry_out(now, effect);
        }
    }
}
