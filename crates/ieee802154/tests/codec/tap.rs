//! TAP headers: golden bytes after the specification, and back.

use airtime_core::Instant;
use airtime_ieee802154::wire::tap::{Channel, FcsType, NoTap, Tap};
use proptest::prelude::*;

const FULL: Tap = Tap {
    fcs: FcsType::Crc16,
    rss_dbm: Some(-42.5),
    bit_rate: Some(250_000),
    channel: Some(Channel { number: 26, page: 0 }),
    start: Some(Instant::from_nanos(0x0102_0304_0506_0708)),
    end: Some(Instant::from_nanos(0x1112_1314_1516_1718)),
    lqi: Some(255),
};

/// Field after field, each in rows of four octets.
const GOLDEN: [u8; 68] = [
    0, 0, 68, 0, // version, reserved, length
    0, 0, 1, 0, 1, 0, 0, 0, // FCS type: 16 bits
    1, 0, 4, 0, 0x00, 0x00, 0x2A, 0xC2, // RSS: -42.5 dBm
    2, 0, 4, 0, 0x90, 0xD0, 0x03, 0x00, // bit rate
    3, 0, 3, 0, 26, 0, 0, 0, // channel, page
    5, 0, 8, 0, 8, 7, 6, 5, 4, 3, 2, 1, // start of frame
    6, 0, 8, 0, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, // end of frame
    10, 0, 1, 0, 255, 0, 0, 0, // LQI
];

#[test]
fn headers_are_written_octet_by_octet() {
    let mut out = vec![9];
    FULL.emit(&mut out);
    assert_eq!((out[0], &out[1..]), (9, &GOLDEN[..]));
    let mut out = Vec::new();
    Tap::default().emit(&mut out);
    assert_eq!(out, [0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
}

#[test]
fn headers_are_read_and_the_frame_is_behind_them() {
    let octets = [&GOLDEN[..], &[1, 2, 3]].concat();
    assert_eq!(Tap::parse(&octets), Ok((FULL, &[1, 2, 3][..])));
    // A field of another type is passed over, one without a value too.
    let unknown = [0, 0, 16, 0, 9, 0, 1, 0, 7, 0, 0, 0, 77, 0, 0, 0, 0xAA];
    assert_eq!(Tap::parse(&unknown), Ok((Tap::default(), &[0xAA][..])));
}

/// The header of a packet in `whad/resources/pcaps/rf4ce_pairing_keystrokes_audio.pcap` of WHAD: every value has four octets. tshark 4.0
/// reads -64 dBm, LQI 116, channel 15 of page 0, and a CRC of 16 bits.
#[test]
fn values_with_their_padding_counted_are_read() {
    let header = b"\x00\x00\x2c\x00\x01\x00\x04\x00\x00\x00\x80\xc2\x0a\x00\x04\x00\x74\x00\x00\x00\x03\x00\x04\x00\x0f\x00\x00\x00\
                   \x0b\x00\x04\x00\x51\x27\x0d\x54\x00\x00\x04\x00\x01\x00\x00\x00";
    let read = Tap {
        fcs: FcsType::Crc16,
        rss_dbm: Some(-64.0),
        lqi: Some(116),
        channel: Some(Channel { number: 15, page: 0 }),
        ..Tap::default()
    };
    assert_eq!(Tap::parse(header), Ok((read, &[][..])));
}

#[test]
fn what_is_no_header_is_refused() {
    let refused: [&[u8]; 7] = [
        &[],
        &[0, 0, 4],
        &[1, 0, 4, 0],
        &[0, 0, 3, 0],
        &[0, 0, 6, 0, 0, 0],
        &[0, 0, 8, 0],
        &[0, 0, 12, 0, 0, 0, 1, 0, 3, 0, 0, 0],
    ];
    for octets in refused {
        assert_eq!(Tap::parse(octets), Err(NoTap), "{octets:?}");
    }
    for end in 0..GOLDEN.len() {
        assert_eq!(Tap::parse(&GOLDEN[..end]), Err(NoTap), "{end}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        fcs in 0usize..3,
        rss_dbm in proptest::option::of(-128.0f32..20.0),
        number in proptest::option::of(any::<u16>()),
        times in any::<(Option<u64>, Option<u64>)>(),
        other in any::<(Option<u32>, Option<u8>)>(),
    ) {
        let tap = Tap {
            fcs: [FcsType::None, FcsType::Crc16, FcsType::Crc32][fcs],
            rss_dbm,
            bit_rate: other.0,
            channel: number.map(|number| Channel { number, page: 2 }),
            start: times.0.map(Instant::from_nanos),
            end: times.1.map(Instant::from_nanos),
            lqi: other.1,
        };
        let mut out = Vec::new();
        tap.emit(&mut out);
        prop_assert_eq!(out.len() % 4, 0);
        prop_assert_eq!(Tap::parse(&out), Ok((tap, &[][..])));
    }
}
