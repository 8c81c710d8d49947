//! Images of firmware.

use airtime_ota::image::{Chip, ImageFault, Verifier, verify};
use sha2::{Digest, Sha256};

use super::support::{NEW, PUBLISHED, firmware, image};

/// The digest that ends an image, made anew after a change; what is wrong is then not the digest.
fn sealed(mut octets: Vec<u8>) -> Vec<u8> {
    let end = octets.len() - 32;
    let digest = Sha256::digest(&octets[..end]);
    octets[end..].copy_from_slice(&digest);
    octets
}

#[test]
fn a_whole_image_says_what_it_is() {
    let octets = firmware(NEW, PUBLISHED);
    let found = verify(&octets, Chip::ESP32_C6).unwrap();
    assert_eq!((found.octets as usize, found.segments, found.chip), (PUBLISHED, 2, Chip::ESP32_C6));
    assert_eq!((found.description.numbers(), found.description.project.as_str()), (Some(NEW), "network_adapter"));
    assert_eq!(found.sha256[..], octets[PUBLISHED - 32..]);
    assert_eq!(PUBLISHED.div_ceil(1400), 845);
}

#[test]
fn it_may_come_in_any_pieces() {
    let octets = firmware(NEW, 4096);
    let whole = verify(&octets, Chip::ESP32_C6).unwrap();
    for piece in [1, 3, 16, 31, 1400, 4095] {
        let mut verifier = Verifier::new(Chip::ESP32_C6, 1 << 20);
        octets.chunks(piece).for_each(|piece| verifier.feed(piece).unwrap());
        assert!(verifier.done());
        verifier.feed(&[0xFF; 100]).unwrap();
        assert_eq!(verifier.finish(), Ok(whole.clone()), "pieces of {piece}");
    }
}

#[test]
fn every_cut_and_every_flipped_bit_shows() {
    let octets = firmware(NEW, 1024);
    for end in 0..octets.len() {
        assert!(verify(&octets[..end], Chip::ESP32_C6).is_err(), "cut at {end}");
    }
    for bit in 0..octets.len() * 8 {
        let mut damaged = octets.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(verify(&damaged, Chip::ESP32_C6).is_err(), "bit {bit}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let octets = firmware(NEW, 1024);
    let with = |at: usize, octet: u8| {
        let mut changed = octets.clone();
        changed[at] = octet;
        sealed(changed)
    };
    let fault = |octets: &[u8]| verify(octets, Chip::ESP32_C6).map_err(|error| (error.at, error.fault)).unwrap_err();
    assert_eq!(fault(&[0xFF; 64]), (0, ImageFault::Erased));
    assert_eq!(fault(b"\x7fELF"), (0, ImageFault::Magic(0x7F)));
    assert_eq!(fault(&with(1, 0)), (1, ImageFault::Segments(0)));
    assert_eq!(fault(&with(1, 17)), (1, ImageFault::Segments(17)));
    assert_eq!(fault(&with(23, 0)), (23, ImageFault::NoDigest));
    assert_eq!(fault(&with(28, 0x01)), (24, ImageFault::SegmentLength { segment: 0, octets: 0x301 }));
    assert_eq!(fault(&with(32, 0)), (32, ImageFault::NoDescription));
    let other = image(Chip::ESP32_P4, NEW, 1024);
    assert_eq!(fault(&other), (12, ImageFault::Chip { found: Chip::ESP32_P4, wanted: Chip::ESP32_C6 }));
    let at = octets.len() - 33;
    let found = octets[at] ^ 1;
    assert_eq!(fault(&with(at, found)), (at as u32, ImageFault::Checksum { found, computed: octets[at] }));
    let mut damaged = octets.clone();
    damaged[at + 1] ^= 1;
    assert_eq!(fault(&damaged), (at as u32 + 1, ImageFault::Digest));
    let mut verifier = Verifier::new(Chip::ESP32_C6, 512);
    assert_eq!(verifier.feed(&octets).map_err(|e| e.fault), Err(ImageFault::TooLong { room: 512 }));
}

proptest::proptest! {
    #[test]
    fn no_octets_panic(octets in proptest::collection::vec(proptest::num::u8::ANY, 0..400), magic: bool) {
        let mut octets = octets;
        if magic && octets.len() > 13 {
            (octets[0], octets[12], octets[13]) = (0xE9, 0x0D, 0);
        }
        proptest::prop_assert!(verify(&octets, Chip::ESP32_C6).is_err());
    }
}
