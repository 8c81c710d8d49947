//! Frames of ESP-NOW: octets, lengths, round trips.

use airtime_core::Pool;
use airtime_ieee80211::wire::espnow::{Bodies, EspNow, Version, frame_octets};
use airtime_ieee80211::wire::{Frame, MacAddress, Management, Sequence, fcs};
use proptest::prelude::*;

fn made(version: Version, ccmp: Option<u64>, body: &[u8]) -> Vec<u8> {
    let mut out = Pool::new().packet();
    let (receiver, transmitter) = (MacAddress::local(1), MacAddress::local(2));
    let (sequence, random) = (Sequence::new(5, 0), [1, 2, 3, 4]);
    EspNow { receiver, transmitter, sequence, version, random, ccmp, body }.emit(&mut out);
    out.to_vec()
}

#[test]
fn a_frame_of_version_1_has_one_element() {
    let frame = made(Version::V1, None, b"hello");
    assert_eq!(frame[..2], [0xd0, 0], "an action frame");
    assert_eq!((&frame[4..10], &frame[10..16]), (&MacAddress::local(1).0[..], &MacAddress::local(2).0[..]));
    assert_eq!(frame[16..22], [0xff; 6], "the third address is broadcast");
    assert_eq!(frame[24..32], [127, 0x18, 0xfe, 0x34, 1, 2, 3, 4]);
    assert_eq!(frame[32..39], [221, 5 + 5, 0x18, 0xfe, 0x34, 4, 1]);
    assert_eq!(&frame[39..], b"hello");
}

/// The documentation counts 24 of header, 8 fixed ones, elements of up to 257 octets (1.0), 1512 of elements in all (2.0), 4 of check.
#[test]
fn lengths_are_those_of_the_documentation() {
    assert_eq!(frame_octets(250, false), 24 + 8 + 257 + 4);
    assert_eq!(frame_octets(0, false), 24 + 8 + 7 + 4);
    assert_eq!(frame_octets(1_470, false), 24 + 8 + 1_512 + 4);
    assert_eq!(frame_octets(250, true), 293 + 16);
    for version in [Version::V1, Version::V2] {
        for body in [0, 1, 249, 250, 251, 500, 1_470] {
            for ccmp in [None, Some(7)] {
                if body <= version.body_max() {
                    let frame = made(version, ccmp, &vec![0; body]);
                    assert_eq!(frame.len() + fcs::OCTETS, frame_octets(body, ccmp.is_some()), "{version:?} {body}");
                }
            }
        }
    }
}

#[test]
fn elements_but_the_last_say_that_more_follows() {
    let frame = made(Version::V2, None, &[9; 501]);
    assert_eq!((frame[33], frame[38]), (255, 0x12));
    assert_eq!((frame[33 + 257], frame[38 + 257]), (255, 0x12));
    assert_eq!((frame[33 + 514], frame[38 + 514]), (6, 0x02));
}

proptest! {
    #[test]
    fn a_body_comes_back(body in proptest::collection::vec(any::<u8>(), 0..=1_470)) {
        let frame = made(Version::V2, None, &body);
        let Ok(Frame::Management { body: Management::Action { category, body: read }, .. }) = Frame::parse(&frame)
        else { panic!("that is an action frame") };
        let bodies = Bodies::parse(category, read).unwrap();
        prop_assert_eq!((bodies.random, bodies.octets()), ([1, 2, 3, 4], body.len()));
        prop_assert_eq!(bodies.collect::<Vec<_>>().concat(), body);
    }

    #[test]
    fn any_octets_are_read_or_refused(category in any::<u8>(), octets in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Some(bodies) = Bodies::parse(category, &octets) {
            prop_assert!(bodies.octets() <= octets.len());
        }
    }
}
