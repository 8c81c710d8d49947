//! Golden frames, bit by bit: one derived by hand, and captures that others have published.

use airtime_nrf24::air::Crc;
use airtime_nrf24::wire::frame::{Address, Control, Frame};

/// Bits as text, most significant first; blanks do not count.
fn bits_of(text: &str) -> Vec<bool> {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| c == '1').collect()
}

fn bits(frame: &Frame) -> Vec<bool> {
    (0..usize::from(frame.len_bits())).map(|i| frame.octets()[i / 8] & (0x80 >> (i % 8)) != 0).collect()
}

fn address(value: u64, width: u8) -> Address {
    Address { value, width }
}

/// An empty acknowledgement with CRC-8, where the whole division fits on a page.
///
/// The register starts as 1111_1111; for each bit it moves left, and where the bit that falls out differs from the
/// bit that comes in, 0000_0111 is added. Address 0x80_00_00, control field 000000 00 0:
///
/// | in | register |
/// |---|---|
/// | 1 | falls out 1, equal: 1111_1110 |
/// | 0 | 1, differs: 1111_1100 ^ 111 = 1111_1011 |
/// | 0 | 1: 1111_0110 ^ 111 = 1111_0001 |
/// | 0 | 1: 1110_0010 ^ 111 = 1110_0101 |
/// | 0 | 1: 1100_1010 ^ 111 = 1100_1101 |
/// | 0 | 1: 1001_1010 ^ 111 = 1001_1101 |
/// | 0 | 1: 0011_1010 ^ 111 = 0011_1101 |
/// | 0 | 0: 0111_1010 |
/// | 0 | 0: 1111_0100 |
/// | 0 | 1: 1110_1000 ^ 111 = 1110_1111 |
/// | 0 | 1: 1101_1110 ^ 111 = 1101_1001 |
/// | 0 | 1: 1011_0010 ^ 111 = 1011_0101 |
/// | 0 | 1: 0110_1010 ^ 111 = 0110_1101 |
/// | 0 | 0: 1101_1010 |
/// | 0 | 1: 1011_0100 ^ 111 = 1011_0011 |
/// | 0 | 1: 0110_0110 ^ 111 = 0110_0001 (two octets) |
/// | 0 | 0: 1100_0010 |
/// | 0 | 1: 1000_0100 ^ 111 = 1000_0011 |
/// | 0 | 1: 0000_0110 ^ 111 = 0000_0001 |
/// | 0 | five times 0: 0010_0000 (three octets) |
/// | 0 | 0: 0100_0000 · 0: 1000_0000 · 1: 0000_0111 (three bits of the control field) |
/// | 0 | five times 0: 1110_0000 |
/// | 0 | 1: 1100_0000 ^ 111 = 1100_0111 (nine bits) |
#[test]
fn an_acknowledgement_by_hand() {
    let frame = Frame::enhanced(address(0x80_00_00, 3), Control::default(), &[], Crc::One);
    let expected = bits_of("10101010 10000000 00000000 00000000 000000 00 0 11000111");
    assert_eq!(bits(&frame), expected);
}

/// Address and its width, control field, payload, check, bits.
type Capture = (u64, u8, Control, &'static [u8], Crc, &'static str);

/// Captures in vad7/nrf24scan, `nrf24_packet_decoder.py`.
/// The second has a static length and shows what genuine parts put into its length field.
const CAPTURES: [Capture; 4] = [
    (
        0xEE_03_08_0B_47,
        5,
        Control { length: 4, pid: 2, no_ack: false },
        &[0xAA; 4],
        Crc::One,
        "10101010 11101110 00000011 00001000 00001011 01000111 000100 10 0 10101010 10101010 10101010 10101010 00011101",
    ),
    (
        0xC8_C8_C3,
        3,
        Control { length: 51, pid: 2, no_ack: false },
        &[0x0B, 0x03, 0x05, 0x00],
        Crc::Two,
        "10101010 11001000 11001000 11000011 110011 10 0 00001011 00000011 00000101 00000000 0010001100100000",
    ),
    (
        0xC8_C8_C4,
        3,
        Control { length: 4, pid: 3, no_ack: true },
        &[0x0B, 0x03, 0x05, 0x00],
        Crc::Two,
        "10101010 11001000 11001000 11000100 000100 11 1 00001011 00000011 00000101 00000000 0010010011100010",
    ),
    (
        0x40_68_15,
        3,
        Control { length: 0, pid: 0, no_ack: false },
        &[],
        Crc::Two,
        "01010101 01000000 01101000 00010101 000000 00 0 0100100000100000",
    ),
];

#[test]
fn captures_of_enhanced_shockburst() {
    for (value, width, control, payload, check, text) in CAPTURES {
        let frame = Frame::enhanced(address(value, width), control, payload, check);
        assert_eq!(bits(&frame), bits_of(text));
        assert_eq!((frame.address(width), frame.control(width)), (value, control));
        let checked = frame.check_enhanced(width, payload.len() as u8, check).expect("a published frame is whole");
        assert_eq!(&checked.payload[..payload.len()], payload);
    }
}

/// From the same page: the compatibility frame has no control field.
#[test]
fn a_capture_of_shockburst() {
    let payload = [0x0B, 0x03, 0x05, 0x02];
    let frame = Frame::plain(address(0xC8_C8_C4, 3), &payload, Crc::Two);
    let text = "10101010 11001000 11001000 11000100 00001011 00000011 00000101 00000010 1000010101000010";
    assert_eq!(bits(&frame), bits_of(text));
    let checked = frame.check_plain(3, 4, Crc::Two).expect("a published frame is whole");
    assert_eq!((&checked.payload[..4], checked.crc), (&payload[..], 0x8542));
}

#[test]
fn every_width_length_and_check_comes_back() {
    let payload: [u8; 32] = std::array::from_fn(|i| (i as u8).wrapping_mul(37) ^ 0xA5);
    for width in 2..=5 {
        let at = Address::from_register([0x01, 0x23, 0x45, 0x67, 0x89], width);
        for len in 0..=32u8 {
            for check in [Crc::None, Crc::One, Crc::Two] {
                let data = &payload[..usize::from(len)];
                let control = Control { length: len, pid: len % 4, no_ack: len % 2 == 1 };
                let frame = Frame::enhanced(at, control, data, check);
                assert_eq!(
                    u32::from(frame.len_bits()),
                    8 * (1 + u32::from(width) + u32::from(len) + check.octets()) + 9
                );
                assert_eq!((frame.address(width), frame.control(width)), (at.value, control));
                let mut whole = [0; 32];
                whole[..data.len()].copy_from_slice(data);
                assert_eq!(frame.check_enhanced(width, len, check).unwrap().payload, whole);
                let plain = Frame::plain(at, data, check);
                assert_eq!(plain.len_bits() + 9, frame.len_bits());
                assert_eq!(plain.check_plain(width, len, check).unwrap().payload, whole);
            }
        }
    }
}

/// Every single wrong bit is found; of arbitrary damage CRC-8 lets one frame in 256 through.
#[test]
fn damage_is_found_as_often_as_the_check_can() {
    let at = address(0xE7_E7_E7_E7_E7, 5);
    for check in [Crc::One, Crc::Two] {
        let frame = Frame::enhanced(at, Control { length: 8, ..Control::default() }, &[0x55; 8], check);
        for bit in 8..frame.len_bits() {
            let mut damaged = frame;
            damaged.flip(bit);
            assert!(damaged.check_enhanced(5, 8, check).is_none(), "bit {bit}");
        }
    }
    let frame = Frame::enhanced(at, Control { length: 8, ..Control::default() }, &[0x55; 8], Crc::One);
    let mut through = 0;
    for pattern in 1..=0xFFFFu32 {
        let mut damaged = frame;
        (0..16).filter(|bit| pattern & (1 << bit) != 0).for_each(|bit| damaged.flip(60 + bit));
        through += u32::from(damaged.check_enhanced(5, 8, Crc::One).is_some());
    }
    assert_eq!(through, 255, "65,535 patterns of sixteen bits, of which the multiples of the polynomial pass");
}

#[test]
fn nothing_is_read_beyond_the_end_of_a_frame() {
    let frame = Frame::enhanced(address(0xC2_C2_C2, 3), Control::default(), &[1, 2, 3], Crc::Two);
    for len in 4..=u8::MAX {
        assert!(frame.check_enhanced(3, len, Crc::Two).is_none(), "{len}");
        assert!(frame.check_plain(3, len.saturating_add(2), Crc::Two).is_none(), "{len}");
    }
    let mut same = frame;
    same.flip(frame.len_bits());
    assert_eq!(same, frame, "noise behind the end is nobody's");
}
