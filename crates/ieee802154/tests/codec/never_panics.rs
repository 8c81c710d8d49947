//! No octets make a codec or a station panic. Random octets hardly ever have a right check, so some are given one.

use airtime_core::random::stream;
use airtime_core::{Instant, Pool};
use airtime_ieee802154::mac::{Input, Mac, MacConfig, Output};
use airtime_ieee802154::wire::{Frame, fcs, tap::Tap};
use proptest::prelude::*;

fn checked(octets: &[u8]) -> Vec<u8> {
    [octets, &fcs::over(octets).to_le_bytes()].concat()
}

/// Gives a station, octet by octet of the script, a frame, time, or the next piece of the script as a PSDU.
fn station(script: &[u8]) {
    let mut mac = Mac::new(MacConfig { coordinator: true, ..MacConfig::default() }, Pool::new(), stream(1, "script"));
    let (mut now, mut rest) = (Instant::ZERO, script);
    while let Some((&step, tail)) = rest.split_first() {
        let (piece, tail) = tail.split_at(tail.len().min(usize::from(step >> 2)));
        rest = tail;
        match (step & 0b11, mac.deadline()) {
            (0, Some(due)) => {
                now = due;
                mac.handle(now, Input::Wake);
                assert!(mac.deadline().is_none_or(|next| next > due));
            }
            (1, _) if mac.is_free() => mac.handle(now, Input::Send(piece)),
            (2, _) => mac.handle(now, Input::Received(&checked(piece))),
            _ => mac.handle(now, Input::Received(piece)),
        }
        while let Some(output) = mac.poll(now) {
            if let Output::Sense { .. } = output {
                mac.handle(now, Input::Sensed { busy: step & 0b100 != 0 });
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn frames_stand_any_octets(octets in proptest::collection::vec(any::<u8>(), 0..160)) {
        let _ = Frame::parse(&octets);
        let _ = Frame::parse(&checked(&octets));
        let _ = Tap::parse(&octets);
    }

    #[test]
    fn stations_stand_any_script(script in proptest::collection::vec(any::<u8>(), 0..1_500)) {
        station(&script);
    }

    #[test]
    fn tap_stands_fields_of_any_length(fields in proptest::collection::vec(any::<(u8, u8, u32)>(), 0..12)) {
        let mut octets = vec![0, 0, (4 + 8 * fields.len()) as u8, 0];
        for (kind, len, value) in fields {
            octets.extend_from_slice(&[kind % 13, 0, len % 12, 0]);
            octets.extend_from_slice(&value.to_le_bytes());
        }
        let _ = Tap::parse(&octets);
    }
}
