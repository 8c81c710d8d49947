//! As much of an ELF as says what is in memory when a board starts. System V ABI, chapters 4 and 5; ELF for the Arm architecture.

use std::ops::Range;

use thiserror::Error;

/// Code memory and data memory of AN505 as an image sees them after a reset, through their secure aliases.
pub(crate) const CODE: Range<u32> = 0x1000_0000..0x1040_0000;
pub(crate) const DATA: Range<u32> = 0x3800_0000..0x3820_0000;

/// A segment that is loaded.
const PT_LOAD: u32 = 1;

/// A program that can be run.
const ET_EXEC: u16 = 2;

/// A program of 32-bit Arm.
const EM_ARM: u16 = 40;

/// Reason that a file is no image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoImage {
    /// Something else than an ELF of a 32-bit Arm.
    #[error("not an executable ELF of a 32-bit little-endian Arm: build an image with `--target thumbv7m-none-eabi`")]
    NotArm,
    /// The file ends before what it tells of.
    #[error("the ELF is cut short: build it again")]
    Short,
    /// A segment is where the board has no memory that is flashed.
    #[error("the ELF puts {octets} octets at {address:#010x}: the board's code memory is 0x10000000 to 0x103fffff")]
    Misplaced {
        /// Physical address of the segment.
        address: u32,
        /// Its length.
        octets: u32,
    },
    /// No vectors where the CPU looks for them.
    #[error(
        "no vectors at 0x10000000, where the board starts: its first word is to be the end of a stack in 0x38000000 to 0x381fffff"
    )]
    NoVectors,
}

/// Refuses an ELF that is no image.
///
/// # Errors
/// When it is none of a board that is known.
pub fn check(elf: &[u8]) -> Result<(), NoImage> {
    code(elf).map(drop)
}

/// Code memory as an ELF has it flashed, from its first address on.
pub(crate) fn code(file: &[u8]) -> Result<Vec<u8>, NoImage> {
    let is_arm = file.starts_with(b"\x7fELF\x01\x01") && half(file, 16) == Ok(ET_EXEC) && half(file, 18) == Ok(EM_ARM);
    if !is_arm {
        return Err(NoImage::NotArm);
    }
    let (begin, size, count) = (word(file, 28)?, half(file, 42)?, half(file, 44)?);
    let mut code = Vec::new();
    for index in 0..u32::from(count) {
        let at = begin.checked_add(index * u32::from(size)).ok_or(NoImage::Short)?;
        let [kind, from, _, address, octets] = words(file, at)?;
        if kind != PT_LOAD || octets == 0 {
            continue;
        }
        let end = address.checked_add(octets).filter(|end| address >= CODE.start && *end <= CODE.end);
        let end = end.ok_or(NoImage::Misplaced { address, octets })?;
        let held = file.get(from as usize..).and_then(|rest| rest.get(..octets as usize)).ok_or(NoImage::Short)?;
        let place = (address - CODE.start) as usize..(end - CODE.start) as usize;
        // What is flashed and not said is as an erased flash.
        code.resize(place.end.max(code.len()), 0xff);
        code[place].copy_from_slice(held);
    }
    match word(&code, 0) {
        // The stack ends where it begins, so its end may be that of the memory.
        Ok(stack) if DATA.start < stack && stack <= DATA.end && code.len() >= 8 => Ok(code),
        _ => Err(NoImage::NoVectors),
    }
}

fn words(file: &[u8], at: u32) -> Result<[u32; 5], NoImage> {
    let mut words = [0; 5];
    for (place, offset) in words.iter_mut().zip((0..).step_by(4)) {
        *place = word(file, at.checked_add(offset).ok_or(NoImage::Short)?)?;
    }
    Ok(words)
}

/// The word at `at`.
pub(crate) fn word(file: &[u8], at: u32) -> Result<u32, NoImage> {
    let octets = file.get(at as usize..).and_then(<[u8]>::first_chunk);
    octets.map(|octets| u32::from_le_bytes(*octets)).ok_or(NoImage::Short)
}

fn half(file: &[u8], at: usize) -> Result<u16, NoImage> {
    let octets = file.get(at..).and_then(<[u8]>::first_chunk);
    octets.map(|octets| u16::from_le_bytes(*octets)).ok_or(NoImage::Short)
}
