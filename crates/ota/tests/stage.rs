//! Staging.

use airtime_ota::image::{Chip, ImageFault};
use airtime_ota::stage::{STRIKES, StageError, Staged, Tail, USED, look, stage, strike, strikes};

use super::support::{NEW, OLD, firmware, image, room};

#[test]
fn a_staged_image_is_found_again() {
    let (partition, made) = stage(&firmware(NEW, 8192), Chip::ESP32_C6, room(), None).unwrap();
    assert_eq!((partition.len() as u32, partition[0]), (room(), 0xE9));
    assert!(partition[8192..].iter().all(|octet| *octet == 0xFF));
    let Staged::Image { image, tail, strikes } = look(&partition, Chip::ESP32_C6) else { panic!("no image") };
    assert_eq!((*image, strikes), (made, 0));
    assert_eq!(tail, if partition[8191] == 0xFF { Tail::Hidden(1) } else { Tail::Clean });
}

#[test]
fn a_shorter_image_over_a_longer_one_is_refused_until_it_is_erased() {
    let (before, _) = stage(&firmware(OLD, 16_384), Chip::ESP32_C6, room(), None).unwrap();
    let end = before.iter().rposition(|octet| *octet != 0xFF).unwrap() as u32 + 1;
    let short = firmware(NEW, 8192);
    let error = stage(&short, Chip::ESP32_C6, room(), Some(&before)).unwrap_err();
    assert_eq!(error, StageError::Occupied { end, octets: 8192 });
    assert!(error.to_string().contains(&format!("{} octets", end - 8192)), "{error}");
    let erased = vec![0xFF; room() as usize];
    assert!(stage(&short, Chip::ESP32_C6, room(), Some(&erased)).is_ok());
    // What the published host would have found: the new image with the old one's tail behind it.
    let mut over = before;
    over[..8192].copy_from_slice(&short);
    assert!(matches!(look(&over, Chip::ESP32_C6), Staged::Image { tail: Tail::Stale(at), .. } if at == end));
}

#[test]
fn a_longer_image_over_a_shorter_one_is_refused_as_well() {
    let (before, _) = stage(&firmware(OLD, 8192), Chip::ESP32_C6, room(), None).unwrap();
    let error = stage(&firmware(NEW, 16_384), Chip::ESP32_C6, room(), Some(&before)).unwrap_err();
    assert!(matches!(error, StageError::Occupied { end, octets: 16_384 } if end <= 8192), "{error}");
}

#[test]
fn what_does_not_belong_there_is_refused() {
    let octets = firmware(NEW, 8192);
    let faults = |octets: &[u8], size| match stage(octets, Chip::ESP32_C6, size, None) {
        Err(StageError::Image(error)) => error.fault,
        other => panic!("{other:?}"),
    };
    let mut damaged = octets.clone();
    damaged[5000] ^= 4;
    assert!(matches!(faults(&damaged, room()), ImageFault::Checksum { .. }));
    assert!(matches!(faults(&image(Chip::ESP32_P4, NEW, 8192), room()), ImageFault::Chip { .. }));
    assert_eq!(faults(&[octets.clone(), vec![0; 4]].concat(), room()), ImageFault::TooLong { room: 8192 });
    // The last octet of the partition counts attempts.
    let tight = stage(&octets, Chip::ESP32_C6, 8192, None);
    assert_eq!(tight.unwrap_err(), StageError::TooLong { octets: 8192, room: 8191 });
}

#[test]
fn an_erasing_that_was_cut_off_is_told_from_a_damaged_image() {
    let (staged, _) = stage(&firmware(NEW, 65_536), Chip::ESP32_C6, room(), None).unwrap();
    let mut marked = staged.clone();
    for octet in [USED, 0x01, 0xA8, 0x69] {
        marked[0] = octet;
        assert_eq!(look(&marked, Chip::ESP32_C6), Staged::Installed, "{octet:#x}");
    }
    let mut last_sector = vec![0xFF; room() as usize];
    for first in [0xE9, 0x12, 0xEB] {
        last_sector[..4096].fill(0x5A);
        last_sector[0] = first;
        assert_eq!(look(&last_sector, Chip::ESP32_C6), Staged::Installed, "{first:#x}");
    }
    last_sector[0] = 0xFF;
    assert_eq!(look(&last_sector, Chip::ESP32_C6), Staged::Nothing { leftover: Some(1) });
    let mut damaged = staged;
    damaged[30_000] ^= 1;
    assert!(matches!(look(&damaged, Chip::ESP32_C6), Staged::Damaged(_)));
    damaged[0] = 0xEB;
    assert!(matches!(look(&damaged, Chip::ESP32_C6), Staged::Damaged(error) if error.fault == ImageFault::Magic(0xEB)));
}

#[test]
fn attempts_are_counted_by_clearing_bits() {
    let mut last = 0xFF;
    for count in 0..=STRIKES {
        assert_eq!(strikes(last), count);
        let next = strike(last);
        assert_eq!(next & last, next, "bits are only cleared");
        last = next;
    }
}
