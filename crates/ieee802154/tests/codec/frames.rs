//! Frames: bytes of the standard and of a captured network, and what is refused.

use airtime_core::Pool;
use airtime_ieee802154::wire::{
    Address, Addressing, AuxiliaryHeader, Frame, FrameControl, FrameError, FrameType, Header, KeyIdMode, Level,
    Security, ack, compose, fcs,
};
use proptest::prelude::*;

/// The example of IEEE Std 802.15.4-2006, 7.2.1.9: an acknowledgement with sequence number 0x6A.
const ACK: [u8; 5] = [0x02, 0x00, 0x6A, 0xE4, 0x79];

/// A command of a Zigbee network as a sniffer had it, from 0x4614 to all, within PAN 0x208F; its check was not shown.
const ZIGBEE: [u8; 11] = [0x41, 0x88, 0x19, 0x8F, 0x20, 0xFF, 0xFF, 0x14, 0x46, 0x09, 0x12];

fn with_check(octets: &[u8]) -> Vec<u8> {
    [octets, &fcs::over(octets).to_le_bytes()].concat()
}

#[test]
fn the_check_is_that_of_the_standard() {
    // The check value of CRC-16/KERMIT.
    assert_eq!(fcs::over(b"123456789"), 0x2189);
    assert_eq!(fcs::check(&ACK), Some(&ACK[..3]));
    for bit in 0..40 {
        let mut wrong = ACK;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(fcs::check(&wrong), None, "bit {bit}");
    }
    assert_eq!(fcs::check(&[1]), None);
}

#[test]
fn an_acknowledgement_is_the_example_of_the_standard() {
    let mut psdu = Pool::new().packet();
    ack(0x6A, &mut psdu);
    assert_eq!(*psdu, ACK);
    let frame = Frame::parse(&ACK).unwrap();
    assert_eq!((frame.acknowledges(), frame.header.control), (Some(0x6A), FrameControl::ACK));
}

#[test]
fn a_captured_frame_is_read() {
    let psdu = with_check(&ZIGBEE);
    let Frame { header, payload } = Frame::parse(&psdu).unwrap();
    assert_eq!((header.destination_pan, header.destination), (Some(0x208F), Address::Short(0xFFFF)));
    assert_eq!((header.source_pan, header.source), (Some(0x208F), Address::Short(0x4614)));
    assert_eq!((header.sequence, payload), (0x19, &[0x09, 0x12][..]));
    assert_eq!(header.control.frame_type, FrameType::Data);
    assert!(header.control.pan_compression && !header.control.ack_request && !header.control.security);
}

fn header(destination: Address, source: Address, pan_compression: bool, security: Security) -> Header {
    let pan = |address: Address, pan| (address != Address::None).then_some(pan);
    let secured = security.level != Level::None;
    Header {
        control: FrameControl {
            frame_type: FrameType::Data,
            security: secured,
            pending: false,
            ack_request: true,
            pan_compression,
            destination: destination.addressing(),
            version: u8::from(secured),
            source: source.addressing(),
        },
        sequence: 7,
        destination_pan: pan(destination, 0x1122),
        destination,
        source_pan: pan(source, if pan_compression { 0x1122 } else { 0x3344 }),
        source,
        auxiliary: secured.then_some(AuxiliaryHeader { security, frame_counter: 0x0403_0201 }),
    }
}

#[test]
fn headers_are_written_octet_by_octet() {
    const SHORT: Address = Address::Short(0xABCD);
    const EXTENDED: Address = Address::Extended(0x0807_0605_0403_0201);
    let mic = Security { level: Level::EncMic32, key_id_mode: KeyIdMode::Index };
    let none = Security::default();
    let table: [(Header, &[u8]); 5] = [
        (header(Address::None, Address::None, false, none), &[0x21, 0x00, 7]),
        (header(SHORT, SHORT, true, none), &[0x61, 0x88, 7, 0x22, 0x11, 0xCD, 0xAB, 0xCD, 0xAB]),
        (header(SHORT, SHORT, false, none), &[0x21, 0x88, 7, 0x22, 0x11, 0xCD, 0xAB, 0x44, 0x33, 0xCD, 0xAB]),
        (header(SHORT, EXTENDED, true, none), &[0x61, 0xC8, 7, 0x22, 0x11, 0xCD, 0xAB, 1, 2, 3, 4, 5, 6, 7, 8]),
        (
            header(SHORT, Address::None, false, mic),
            // Level 5 with key identifier mode 1, the frame counter, the key index.
            &[0x29, 0x18, 7, 0x22, 0x11, 0xCD, 0xAB, 0x0D, 1, 2, 3, 4, 1],
        ),
    ];
    for (header, expected) in table {
        let mut psdu = Pool::new().packet();
        compose(&header, &[0x55, 0x66], &mut psdu);
        assert_eq!(header.octets(), expected.len());
        let mic = header.auxiliary.map_or(0, |auxiliary| auxiliary.security.level.mic_octets());
        assert_eq!((&psdu[..expected.len()], psdu.len()), (expected, expected.len() + 2 + mic + 2));
        assert_eq!(psdu[expected.len()..][..2], [0x55, 0x66]);
    }
}

#[test]
fn security_takes_5_6_10_or_14_octets_and_its_mic() {
    let octets = KeyIdMode::ALL.map(|key_id_mode| Security { level: Level::Mic32, key_id_mode }.header_octets());
    assert_eq!(octets, [5, 6, 10, 14]);
    assert_eq!(Level::ALL.map(Level::mic_octets), [0, 4, 8, 16, 0, 4, 8, 16]);
    assert_eq!(Security { level: Level::None, key_id_mode: KeyIdMode::Source8 }.octets(), 0);
}

#[test]
fn a_wrong_mic_is_refused() {
    let security = Security { level: Level::Mic64, key_id_mode: KeyIdMode::Implicit };
    let mut psdu = Pool::new().packet();
    compose(&header(Address::Short(1), Address::Short(2), true, security), &[1, 2, 3], &mut psdu);
    assert!(Frame::parse(&psdu).is_ok());
    let end = psdu.len() - 2;
    for at in 3..end {
        let mut octets = psdu[..end].to_vec();
        octets[at] ^= 0x80;
        let outcome = Frame::parse(&with_check(&octets)).map(|frame| frame.header);
        // The first octet of the auxiliary header changes what stands there at all.
        assert!(outcome.is_err(), "octet {at}: {outcome:?}");
    }
}

#[test]
fn what_is_not_spoken_is_refused_by_name() {
    let refused = |octets: &[u8]| Frame::parse(&with_check(octets)).unwrap_err();
    assert_eq!(Frame::parse(&[2, 0, 0x6A, 0, 0]), Err(FrameError::Fcs));
    assert_eq!(refused(&[0x04, 0x00, 1]), FrameError::Type);
    assert_eq!(refused(&[0x01, 0x20, 1]), FrameError::Version);
    assert_eq!(refused(&[0x01, 0x01, 1]), FrameError::Version, "no sequence number");
    assert_eq!(refused(&[0x01, 0x04, 1]), FrameError::Addressing);
    assert_eq!(refused(&[0x41, 0x08, 1, 1, 1, 1, 1]), FrameError::Addressing, "one PAN, one address");
    assert_eq!(refused(&[0x01]), FrameError::Short);
    assert_eq!(refused(&ZIGBEE[..8]), FrameError::Short);
    assert_eq!(refused(&[0x09, 0x10, 1, 0x00, 0, 0, 0, 0]), FrameError::Security, "level none");
    assert_eq!(refused(&[0x09, 0x10, 1, 0x25, 0, 0, 0, 0]), FrameError::Version, "no frame counter");
    assert_eq!(refused(&[0x09, 0x10, 1, 0x01, 0, 0, 0, 0, 1, 2]), FrameError::Short, "half a MIC");
    assert_eq!(Frame::parse(&[0; 128]), Err(FrameError::Long));
}

fn address(addressing: Addressing, value: u64) -> Address {
    match addressing {
        Addressing::None => Address::None,
        Addressing::Short => Address::Short(value as u16),
        Addressing::Extended => Address::Extended(value),
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        modes in (0usize..3, 0usize..3, 0usize..8, 0usize..4),
        values in any::<(u64, u64, bool)>(),
        payload in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        let (destination, source, level, key_id_mode) = modes;
        let destination = address(Addressing::ALL[destination], values.0);
        let source = address(Addressing::ALL[source], values.1);
        let compressed = values.2 && destination != Address::None && source != Address::None;
        let security = Security { level: Level::ALL[level], key_id_mode: KeyIdMode::ALL[key_id_mode] };
        let header = header(destination, source, compressed, security);
        let mut psdu = Pool::new().packet();
        compose(&header, &payload, &mut psdu);
        let octets = header.octets() + payload.len() + security.level.mic_octets() + 2;
        prop_assert_eq!(psdu.len(), octets);
        let frame = Frame::parse(&psdu);
        prop_assert_eq!(frame, Ok(Frame { header, payload: &payload }));
    }
}
