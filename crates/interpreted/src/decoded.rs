//! Instruction of an image as it is executed: decoded once, where it is.

use std::rc::Rc;

use armagnac::core::{Condition, ItState};
use armagnac::decoder::{InstructionDecode, InstructionDecodeError};
use armagnac::instructions::{DecodeHelper, Instruction, InstructionSize};
use armagnac::registers::RegisterIndex;

use crate::cost;
use crate::fault::Fault;

/// An instruction at its address.
#[derive(Clone)]
pub(crate) struct Decoded {
    pub(crate) instruction: Rc<dyn Instruction>,
    /// Condition of its own; otherwise that of the IT block it is in.
    pub(crate) condition: Option<Condition>,
    /// IT block that it was decoded in: the same octets set flags outside of it.
    pub(crate) block: ItState,
    pub(crate) is_wide: bool,
    /// Cycles, if it goes on with the next.
    pub(crate) cycles: u8,
    pub(crate) special: Special,
}

/// Instruction that is not left to `armagnac` as it is.
#[derive(Clone, Copy)]
pub(crate) enum Special {
    None,
    /// A word that may be a register of the system.
    Word(Access),
    /// A store of less than a word to the address in this register, if nobody was there since it was loaded.
    ExclusiveStore(RegisterIndex),
    /// Flags from this register.
    Flags(RegisterIndex),
    /// PRIMASK from this register.
    Mask(RegisterIndex),
    /// No instruction by definition: how a program ends itself.
    Undefined,
    /// A supervisor call.
    Call,
}

/// Load or store of a word at a register and an offset.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) base: RegisterIndex,
    pub(crate) offset: u32,
    pub(crate) register: RegisterIndex,
    pub(crate) loads: bool,
}

impl Decoded {
    /// The instruction at `pc` of `code`, at `at` of it, in an IT block.
    pub(crate) fn new(
        decoder: &dyn InstructionDecode,
        code: &[u8],
        at: usize,
        pc: u32,
        block: ItState,
    ) -> Result<Self, Fault> {
        let half = |at: usize| code.get(at..)?.first_chunk().map(|octets| u16::from_le_bytes(*octets));
        let first = half(at).ok_or(Fault::Nowhere { pc })?;
        let size = InstructionSize::from_halfword(first);
        let (is_wide, octets) = match size {
            InstructionSize::Ins16 => (false, u32::from(first)),
            InstructionSize::Ins32 => {
                (true, u32::from(first) << 16 | u32::from(half(at + 2).ok_or(Fault::Nowhere { pc })?))
            }
        };
        // There is no coprocessor, and none for floating point: `armagnac` would ask for a fault that nothing here takes.
        if is_wide && octets & 0xec00_0000 == 0xec00_0000 {
            return Err(Fault::Unknown { pc, code: octets });
        }
        let instruction = decoder.try_decode(octets, size, block).map_err(|error| match error {
            InstructionDecodeError::Unpredictable => Fault::Unpredictable { pc, code: octets },
            _ => Fault::Unknown { pc, code: octets },
        })?;
        let (cycles, special) = match is_wide {
            false => (cost::narrow(first), narrow(octets)),
            true => (cost::wide(octets), wide(octets)),
        };
        Ok(Self { condition: instruction.condition(), instruction, block, is_wide, cycles, special })
    }
}

/// Armv7-M Architecture Reference Manual, A7.7: LDR and STR (immediate) T1, SVC T1, UDF T1.
fn narrow(code: u32) -> Special {
    match code >> 8 {
        0x60..=0x6f => Special::Word(Access {
            base: code.reg3(3),
            offset: (code >> 6 & 0x1f) * 4,
            register: code.reg3(0),
            loads: code & 1 << 11 != 0,
        }),
        0xde => Special::Undefined,
        0xdf => Special::Call,
        _ => Special::None,
    }
}

/// As above: STREXB and STREXH T1, MSR T1 with APSR and PRIMASK, LDR and STR (immediate) T3, UDF T2.
fn wide(code: u32) -> Special {
    match code >> 20 {
        0xe8c if matches!(code >> 4 & 0xff, 0xf4 | 0xf5) => Special::ExclusiveStore(code.reg4(16)),
        0xf8c | 0xf8d if code >> 16 & 0xf != 0xf => Special::Word(Access {
            base: code.reg4(16),
            offset: code & 0xfff,
            register: code.reg4(12),
            loads: code & 1 << 20 != 0,
        }),
        0xf38 if code & 0xffff == 0x8800 => Special::Flags(code.reg4(16)),
        0xf38 if code & 0xffff == 0x8810 => Special::Mask(code.reg4(16)),
        0xf7f if code & 0xf000 == 0xa000 => Special::Undefined,
        _ => Special::None,
    }
}
