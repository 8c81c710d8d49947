//! Cycles of an instruction. Arm, Cortex-M3 Technical Reference Manual r2p1, 3.3.1 (table 3-1) and 5.9, with memories that never wait.
//!
//! What the table has as a range is *assumed*: two cycles to fill the pipeline after a branch (1 to 3), seven for a division (2 to 12),
//! four for a long product and five with a sum (3 to 5, 4 to 7). Loads and stores that follow one another are not overlapped,
//! and no IT is folded away.

/// Cycles to fill the pipeline, of an instruction that goes on elsewhere. *Assumed*.
pub(crate) const REFILL: u8 = 2;

/// Cycles from an interrupt to the first instruction of its handler, and back.
pub(crate) const EXCEPTION: u8 = 12;

/// Cycles of a 16-bit instruction that goes on with the next.
pub(crate) fn narrow(code: u16) -> u8 {
    let registers = (code & 0x1ff).count_ones() as u8;
    match code >> 9 {
        // PUSH with LR and POP with PC.
        0b101_1010 | 0b101_1110 => 1 + registers,
        // STM, LDM: eight registers, and the base above them.
        0b110_0000..=0b110_0111 => 1 + (code & 0xff).count_ones() as u8,
        // LDR of a literal, and everything with an offset.
        0b010_0100..=0b100_1111 => 2,
        _ => 1,
    }
}

/// Cycles of a 32-bit instruction that goes on with the next.
pub(crate) fn wide(code: u32) -> u8 {
    let kind = code >> 25;
    match kind {
        // LDM, STM, and what has two registers, or a table of branches; exclusive ones take two.
        0b111_0100 if code & 1 << 22 == 0 => 1 + (code & 0xffff).count_ones() as u8,
        0b111_0100 if code & 1 << 24 == 0 && code & 1 << 21 == 0 => 2,
        0b111_0100 => 3,
        0b111_1100 => 2,
        0b111_1101 if code & 0x0180_0000 == 0x0180_0000 => long(code),
        // A product with a sum; without, the register to add is 15.
        0b111_1101 if code & 0x0180_0000 == 0x0100_0000 && code >> 12 & 0xf != 0xf => 2,
        // MSR, MRS and barriers, and not a branch.
        0b111_1001 if code & 0x0180_d000 == 0x0180_8000 => 2,
        _ => 1,
    }
}

fn long(code: u32) -> u8 {
    match code >> 20 & 7 {
        0b001 | 0b011 => 7,
        0b000 | 0b010 => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_those_of_the_table() {
        let narrow_ones = [
            (0xb5f0, 6, "push {r4-r7, lr}"),
            (0xbdf0, 6, "pop {r4-r7, pc}"),
            (0xc80e, 4, "ldm r0, {r1-r3}"),
            (0x4801, 2, "ldr r0, [pc, #4]"),
            (0x6808, 2, "ldr r0, [r1]"),
            (0x5c88, 2, "ldrb r0, [r1, r2]"),
            (0x9001, 2, "str r0, [sp, #4]"),
            (0x1840, 1, "adds r0, r0, r1"),
            (0x4348, 1, "muls r0, r1"),
            (0xbf08, 1, "it eq"),
            (0xd001, 1, "beq"),
        ];
        narrow_ones.iter().for_each(|(code, cycles, name)| assert_eq!(narrow(*code), *cycles, "{name}"));
        let wide_ones = [
            (0xe92d_4ff0_u32, 10, "push.w {r4-r11, lr}"),
            (0xe9d0_1200, 3, "ldrd r1, r2, [r0]"),
            (0xe850_1f00, 2, "ldrex r1, [r0]"),
            (0xe8d0_f001, 2, "tbb [r0, r1]"),
            (0xf8d0_1004, 2, "ldr.w r1, [r0, #4]"),
            (0xf891_2005, 2, "ldrb.w r2, [r1, #5]"),
            (0xfba0_1203, 4, "umull r1, r2, r0, r3"),
            (0xfbe0_1203, 5, "umlal r1, r2, r0, r3"),
            (0xfbb0_f1f2, 7, "udiv r1, r0, r2"),
            (0xfb00_f102, 1, "mul r1, r0, r2"),
            (0xfb00_3102, 2, "mla r1, r0, r2, r3"),
            (0xf3ef_8010, 2, "mrs r0, primask"),
            (0xf3bf_8f5f, 2, "dmb sy"),
            (0xf000_f801, 1, "bl"),
            (0xf100_0001, 1, "add.w r0, r0, #1"),
            (0xea40_0001, 1, "orr.w r0, r0, r1"),
        ];
        wide_ones.iter().for_each(|(code, cycles, name)| assert_eq!(wide(*code), *cycles, "{name}"));
    }
}
