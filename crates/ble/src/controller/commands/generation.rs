//! Legacy and extended commands do not mix. Core 6.0, Vol 4, Part E, 3.1.1.

use super::Answer;
use crate::hci::Status;
use crate::hci::commands::Needs;
use crate::hci::opcode::{self, Opcode};

/// The two generations of commands that advertise, scan and initiate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Generation {
    /// Commands of Core 4.0.
    Legacy,
    /// Commands with advertising sets.
    Extended,
}

/// Generation that the host uses until it resets the controller: that of its first command of either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InUse(Option<Generation>);

impl InUse {
    /// Tells if the host may use this command after what it has used since the reset.
    pub(super) fn check(&mut self, opcode: Opcode) -> Answer {
        let Some(wanted) = generation(opcode) else { return Ok(()) };
        if *self.0.get_or_insert(wanted) == wanted { Ok(()) } else { Err(Status::COMMAND_DISALLOWED) }
    }
}

/// The legacy commands that have a counterpart among the extended ones.
const LEGACY: [Opcode; 8] = [
    opcode::LE_SET_ADV_PARAMETERS,
    opcode::LE_READ_ADV_TX_POWER,
    opcode::LE_SET_ADV_DATA,
    opcode::LE_SET_SCAN_RESPONSE_DATA,
    opcode::LE_SET_ADV_ENABLE,
    opcode::LE_SET_SCAN_PARAMETERS,
    opcode::LE_SET_SCAN_ENABLE,
    opcode::LE_CREATE_CONNECTION,
];

/// The generation a command belongs to, if it belongs to one.
fn generation(opcode: Opcode) -> Option<Generation> {
    if LEGACY.contains(&opcode) {
        return Some(Generation::Legacy);
    }
    opcode.command().filter(|command| command.needs == Needs::Extended).map(|_| Generation::Extended)
}
