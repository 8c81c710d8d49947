//! Images of firmware of a few instructions.

/// First address of the code memory of Arm's AN505.
pub const CODE: u32 = 0x1000_0000;

/// Offset of the program behind the vectors.
pub const PROGRAM: u32 = 0x100;

/// An ELF of a Cortex-M with one segment: vectors, and this program of halfwords at its beginning, and from octet `handler` of it on as the
/// handler of every interrupt.
pub fn image(program: &[u16], handler: u32) -> Vec<u8> {
    let vector = |offset: u32| (CODE + PROGRAM + offset) | 1;
    let vectors = [0x3800_1000, vector(0)].into_iter().chain([vector(handler); 62]);
    let mut segment: Vec<u8> = vectors.flat_map(u32::to_le_bytes).collect();
    segment.extend(program.iter().flat_map(|half| half.to_le_bytes()));
    let octets = segment.len() as u32;
    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    [2_u16, 40].iter().for_each(|half| file.extend(half.to_le_bytes()));
    [1, CODE, 52, 0, 0].iter().for_each(|word: &u32| file.extend(word.to_le_bytes()));
    [52_u16, 32, 1, 40, 0, 0].iter().for_each(|half| file.extend(half.to_le_bytes()));
    [1, 84, CODE, CODE, octets, octets, 5, 4].iter().for_each(|word: &u32| file.extend(word.to_le_bytes()));
    [file, segment].concat()
}
