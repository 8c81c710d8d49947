use alloc::vec::Vec;

use proptest::prelude::*;

use super::*;

/// A frame that an Ubertooth took from the air, without its signal: an ADV_IND on channel 37.
const ADV_IND: &[u8] = b"\x00\x00\x00\x00\xd6\xbe\x89\x8e\x31\x0c\xd6\xbe\x89\x8e\
    \x40\x14\x4d\x95\x50\x16\xfe\x76\x02\x01\x1a\x0a\xff\x4c\x00\x10\x05\x0b\x1c\x0e\xa8\x36\x5a\xf0\x04";

/// Central to peripheral on channel 11, LE Coded S=2, decrypted, CRC and MIC right.
const DATA: &[u8] = b"\x0d\x00\x00\x00\x12\x4e\x65\x50\x39\xbd\x12\x4e\x65\x50\x01\x02\x01\xaa\x07\x08\x09";

fn frame(pdu: &[u8]) -> Frame<'_> {
    Frame {
        channel: 37,
        phy: Phy::Le1M,
        kind: Kind::Unspecified,
        access_address: 0x8e89_bed6,
        offenses: Some(0),
        signal_dbm: None,
        noise_dbm: None,
        pdu,
        crc: [0x5a, 0xf0, 0x04],
        crc_valid: Some(true),
        decrypted: false,
        mic_valid: None,
    }
}

fn emitted(frame: &Frame<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame.emit(&mut bytes);
    bytes
}

#[test]
fn golden_advertising() {
    let frame = frame(&ADV_IND[14..36]);
    assert_eq!(emitted(&frame), ADV_IND);
    assert_eq!(Frame::parse(ADV_IND), Ok(frame));
}

#[test]
fn golden_coded_data() {
    let frame = Frame {
        channel: 11,
        phy: Phy::LeCodedS2,
        kind: Kind::Data { from_central: true },
        access_address: 0x5065_4e12,
        crc: [7, 8, 9],
        decrypted: true,
        mic_valid: Some(true),
        ..frame(&[2, 1, 0xaa])
    };
    assert_eq!(emitted(&frame), DATA);
    assert_eq!(Frame::parse(DATA), Ok(frame));
    assert_eq!(frame.air_octets(), 5, "the MIC was on the air");
}

#[test]
fn what_is_reserved_is_refused() {
    for len in 0..19 {
        assert_eq!(Frame::parse(&ADV_IND[..len]), Err(Error::Short(len)));
    }
    let with = |at: usize, octet: u8, bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[at] = octet;
        Frame::parse(&bytes).map(|_| ())
    };
    assert_eq!(with(0, 40, ADV_IND), Err(Error::Channel(40)));
    assert_eq!(with(8, 0x30, ADV_IND), Err(Error::Whitened));
    assert_eq!(with(9, 0xcc, ADV_IND), Err(Error::Phy));
    assert_eq!(with(14, 2, DATA), Err(Error::Coding(2)));
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Unspecified),
        (0usize..4).prop_map(|n| Kind::Auxiliary(Auxiliary::ALL[n])),
        any::<bool>().prop_map(|from_central| Kind::Data { from_central }),
        (4u8..8).prop_map(Kind::Other),
    ]
}

proptest! {
    #[test]
    fn round_trip(
        (channel, phy, kind) in (0u8..40, 0usize..4, kinds()),
        (access_address, crc) in any::<(u32, [u8; 3])>(),
        (offenses, signal_dbm, noise_dbm) in any::<(Option<u8>, Option<i8>, Option<i8>)>(),
        (crc_valid, decrypted, mic) in any::<(Option<bool>, bool, Option<bool>)>(),
        pdu in proptest::collection::vec(any::<u8>(), 2..260),
    ) {
        let mic_valid = if matches!(kind, Kind::Auxiliary(_)) { None } else { mic };
        let frame = Frame {
            channel, phy: Phy::ALL[phy], kind, access_address, offenses, signal_dbm, noise_dbm,
            pdu: &pdu, crc, crc_valid, decrypted, mic_valid,
        };
        let bytes = emitted(&frame);
        prop_assert_eq!(Frame::parse(&bytes), Ok(frame));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        if let Ok(frame) = Frame::parse(&bytes) {
            prop_assert_eq!(emitted(&frame).len(), bytes.len());
        }
    }
}
