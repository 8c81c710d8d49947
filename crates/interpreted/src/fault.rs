//! Reasons for which an image goes no further.

use armagnac::core::RunError;
use thiserror::Error;

/// Reason for which an image goes no further. Addresses are those of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The program counter left the code memory.
    #[error("execution went to {pc:#010x}, where the image has no code")]
    Nowhere {
        /// Address that it went to.
        pc: u32,
    },
    /// An instruction that Armv7-M does not have, or the interpreter.
    #[error(
        "no instruction of Armv7-M that the interpreter has: {code:#x} at {pc:#010x}; is the image built for thumbv7m-none-eabi?"
    )]
    Unknown {
        /// Address.
        pc: u32,
        /// Its octets, the first halfword above.
        code: u32,
    },
    /// An instruction whose effect the architecture leaves open.
    #[error("an instruction with an unpredictable effect: {code:#x} at {pc:#010x}")]
    Unpredictable {
        /// Address.
        pc: u32,
        /// Its octets.
        code: u32,
    },
    /// An instruction that is none by definition: how a panic ends.
    #[error("the image ended itself at {pc:#010x}, as it does when it panics: its log says why")]
    Ended {
        /// Address.
        pc: u32,
    },
    /// The image asked for a reset.
    #[error("the image asked for a reset at {pc:#010x}")]
    Reset {
        /// Address.
        pc: u32,
    },
    /// A load that nothing answers.
    #[error("nothing answers a load from {address:#010x}, by the instruction at {pc:#010x}")]
    Load {
        /// Address of the instruction.
        pc: u32,
        /// Address of the load.
        address: u32,
    },
    /// A store that nothing takes.
    #[error("nothing takes a store to {address:#010x}, by the instruction at {pc:#010x}")]
    Store {
        /// Address of the instruction.
        pc: u32,
        /// Address of the store.
        address: u32,
    },
    /// An instruction for something that the board does not have: a debugger, a supervisor.
    #[error("an instruction for a debugger or a supervisor, which there is none of, at {pc:#010x}")]
    Unserved {
        /// Address.
        pc: u32,
    },
    /// Something that the interpreter has not learnt.
    #[error("the interpreter could not go on at {pc:#010x}: a division by zero, or a case that it does not have")]
    Interpreter {
        /// Address.
        pc: u32,
    },
    /// Octets to the controller that are no H4 packet.
    #[error("the image sent {indicator:#04x} to its controller, which begins no H4 packet")]
    NotH4 {
        /// Octet where the type of a packet should have been.
        indicator: u8,
    },
}

impl Fault {
    /// The fault of an instruction at `pc` that could not be executed.
    pub(crate) fn of(error: RunError, pc: u32) -> Self {
        match error {
            RunError::MemRead { address, .. } => Self::Load { pc, address },
            RunError::MemWrite { address, .. } => Self::Store { pc, address },
            RunError::InstructionUndefined => Self::Ended { pc },
            RunError::InstructionUnknown => Self::Unknown { pc, code: 0 },
            RunError::InstructionUnpredictable | RunError::Unpredictable => Self::Unpredictable { pc, code: 0 },
        }
    }
}
