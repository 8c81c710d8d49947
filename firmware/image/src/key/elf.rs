//! As much of an ELF as says what is flashed where, and what is served of it. System V ABI, chapters 4 and 5.

use std::ops::Range;

use super::image::Image;

/// End of the RRAM. nRF54L15 datasheet, Memory: 1524 kB.
const MEMORY_END: usize = 1_524 * 1_024;

/// A segment that is loaded.
const PT_LOAD: usize = 1;

/// A section with symbols.
const SHT_SYMTAB: usize = 2;

/// Octets of a symbol's entry.
const SYMBOL: usize = 16;

/// The image in an ELF of a 32-bit little-endian chip; none when it is something else, or reaches beyond the memory.
///
/// An image without `__served_start` and `__served_end` is from when all of the memory was served, and is judged so.
pub fn image(file: &[u8]) -> Option<Image> {
    if file.get(..6)? != b"\x7fELF\x01\x01" {
        return None;
    }
    let memory = memory(file)?;
    let range = |start, end| Some(symbol(file, start)?..symbol(file, end)?);
    let served = range("__served_start", "__served_end").unwrap_or(0..memory.len());
    let keys = range("__keys_start", "__keys_end").unwrap_or(0..0);
    Some(Image { memory, served, keys })
}

/// Flashed memory: segments at their physical addresses, so that what begins in RAM is where it is copied from.
fn memory(file: &[u8]) -> Option<Vec<Option<u8>>> {
    let mut memory = Vec::new();
    for header in table(file, 28, 42)? {
        let [kind, from, octets] = [header.start, header.start + 4, header.start + 16].map(|at| word(file, at));
        let (from, octets, address) = (from?, octets?, word(file, header.start + 12)?);
        if kind? != PT_LOAD || octets == 0 {
            continue;
        }
        let end = address.checked_add(octets).filter(|end| *end <= MEMORY_END)?;
        memory.resize(end.max(memory.len()), None);
        for (place, octet) in memory[address..end].iter_mut().zip(file.get(from..)?.get(..octets)?) {
            *place = Some(*octet);
        }
    }
    Some(memory)
}

/// The value of the symbol of this name.
fn symbol(file: &[u8], name: &str) -> Option<usize> {
    let sections: Vec<_> = table(file, 32, 46)?.collect();
    let symbols = sections.iter().find(|section| word(file, section.start + 4) == Some(SHT_SYMTAB))?;
    let names = word(file, sections.get(word(file, symbols.start + 24)?)?.start + 16)?;
    let (from, octets) = (word(file, symbols.start + 16)?, word(file, symbols.start + 20)?);
    let wanted = [name.as_bytes(), b"\0"].concat();
    let is_wanted = |at: &usize| {
        let begin = word(file, *at).and_then(|offset| names.checked_add(offset));
        begin.and_then(|begin| file.get(begin..)).is_some_and(|name| name.starts_with(&wanted))
    };
    let found = (from..from.checked_add(octets)?).step_by(SYMBOL).find(is_wanted)?;
    word(file, found + 4)
}

/// The headers of a table: where it is stands at `place` of the file, size and number of its entries at `sizes`.
fn table(file: &[u8], place: usize, sizes: usize) -> Option<impl Iterator<Item = Range<usize>>> {
    let (begin, size, count) = (word(file, place)?, half(file, sizes)?, half(file, sizes + 2)?);
    let end = begin.checked_add(size * count)?;
    file.get(begin..end)?;
    Some((0..count).map(move |at| begin + at * size..begin + (at + 1) * size))
}

fn word(file: &[u8], at: usize) -> Option<usize> {
    let octets = file.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*octets)).ok()
}

fn half(file: &[u8], at: usize) -> Option<usize> {
    let octets = file.get(at..)?.first_chunk::<2>()?;
    Some(usize::from(u16::from_le_bytes(*octets)))
}
