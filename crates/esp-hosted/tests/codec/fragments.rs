//! Messages over several frames: whole, cut, reordered, too long.

use airtime_esp_hosted::wire::{Flags, FragmentError, FragmentFaults, MESSAGE_MAX, Order, Reassembler, fragments};
use proptest::prelude::*;

/// The flags of all but the last fragment.
const MORE: Flags = Flags::MORE_FRAGMENT;

fn numbered(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

/// What comes of these fragments of one sequence number each.
fn push(reassembler: &mut Reassembler, sequence: u16, message: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut whole = None;
    for fragment in fragments(message, most) {
        assert!(whole.is_none(), "whole before its last fragment");
        whole = reassembler.push(fragment.flags, sequence, fragment.payload).unwrap().map(<[u8]>::to_vec);
    }
    whole
}

#[test]
fn only_the_last_says_that_nothing_follows() {
    let message = numbered(3049);
    let cut: Vec<_> = fragments(&message, 1524).map(|fragment| (fragment.flags, fragment.payload.len())).collect();
    assert_eq!(cut, [(MORE, 1524), (MORE, 1524), (Flags::NONE, 1)]);
    assert_eq!(fragments(&message[..1524], 1524).count(), 1);
    assert_eq!(fragments(&[], 1524).count(), 0);
}

#[test]
fn a_lost_end_costs_one_message() {
    let mut reassembler = Reassembler::new(Order::Shared);
    let message = numbered(4000);
    for fragment in fragments(&message, 1500).take(2) {
        assert_eq!(reassembler.push(fragment.flags, 7, fragment.payload), Ok(None));
    }
    assert_eq!(reassembler.pending(), 3000);
    assert_eq!(push(&mut reassembler, 8, &message, 1500), Some(message));
    assert_eq!(reassembler.faults(), FragmentFaults { cut: 1, ..FragmentFaults::default() });
    assert_eq!(reassembler.pending(), 0);
}

#[test]
fn a_fragment_before_its_predecessor_spoils_one_message() {
    let mut reassembler = Reassembler::new(Order::Shared);
    let message = numbered(4000);
    let cut: Vec<_> = fragments(&message, 1500).collect();
    // The last one first: a message that is too short, which the layer above sees, and two fragments without an end.
    let short = reassembler.push(cut[2].flags, 7, cut[2].payload).unwrap().map(<[u8]>::len);
    assert_eq!(short, Some(1000));
    for fragment in &cut[..2] {
        assert_eq!(reassembler.push(fragment.flags, 7, fragment.payload), Ok(None));
    }
    assert_eq!(push(&mut reassembler, 8, &message, 1500), Some(message));
    assert_eq!(reassembler.faults().cut, 1);
}

#[test]
fn without_numbers_the_layer_above_discards() {
    // Hosts of 2.x leave the sequence number at zero.
    let mut reassembler = Reassembler::new(Order::Shared);
    let message = numbered(2000);
    let first = fragments(&message, 1500).next().unwrap();
    assert_eq!(reassembler.push(first.flags, 0, first.payload), Ok(None));
    let mixed = push(&mut reassembler, 0, &message, 1500).unwrap();
    assert_eq!(mixed.len(), 3500);
    reassembler.discard();
    assert_eq!(push(&mut reassembler, 0, &message, 1500), Some(message));
    assert_eq!(reassembler.faults().cut, 0, "nothing was open when it was discarded");
}

#[test]
fn numbered_fragments_tell_what_is_missing() {
    let message = numbered(4000);
    let cut: Vec<_> = fragments(&message, 1500).collect();
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 0, 2], [0, 2, 2], [2, 2, 1]] {
        let mut reassembler = Reassembler::new(Order::Counted);
        for at in order {
            let taken = reassembler.push(cut[at].flags, 65_534u16.wrapping_add(at as u16), cut[at].payload).unwrap();
            assert_ne!(taken, Some(&*message), "{order:?}");
        }
        // The next message has the numbers behind them.
        let mut whole = None;
        for (at, fragment) in cut.iter().enumerate() {
            whole = reassembler.push(fragment.flags, 1 + at as u16, fragment.payload).unwrap().map(<[u8]>::to_vec);
        }
        assert_eq!(whole.as_deref(), Some(&*message), "{order:?}");
    }
}

#[test]
fn counted_numbers_wrap_and_may_be_shared() {
    let message = numbered(4000);
    for numbers in [[65_534, 65_535, 0], [7, 7, 7]] {
        let mut reassembler = Reassembler::new(Order::Counted);
        let mut whole = None;
        for (number, fragment) in numbers.into_iter().zip(fragments(&message, 1500)) {
            whole = reassembler.push(fragment.flags, number, fragment.payload).unwrap().map(<[u8]>::to_vec);
        }
        assert_eq!(whole.as_deref(), Some(&*message), "{numbers:?}");
        assert_eq!(reassembler.faults(), FragmentFaults::default());
    }
}

#[test]
fn a_message_has_a_bound() {
    let mut reassembler = Reassembler::new(Order::Shared);
    let largest = numbered(MESSAGE_MAX);
    assert_eq!(push(&mut reassembler, 1, &largest, 1524), Some(largest.clone()));
    for _ in 0..5 {
        assert_eq!(reassembler.push(MORE, 2, &largest[..1524]), Ok(None));
    }
    assert_eq!(reassembler.push(MORE, 2, &largest[..1524]), Err(FragmentError::TooLong));
    assert_eq!(reassembler.push(MORE, 2, &largest[..1524]), Err(FragmentError::Rest));
    assert_eq!(reassembler.push(Flags::NONE, 2, &[1]), Err(FragmentError::Rest));
    assert_eq!(reassembler.faults(), FragmentFaults { cut: 0, too_long: 1, rest: 2 });
    assert_eq!(push(&mut reassembler, 2, &[1, 2], 1524), Some(vec![1, 2]), "the next message is whole again");
    assert_eq!(reassembler.push(Flags::NONE, 3, &[0; MESSAGE_MAX + 1]), Err(FragmentError::TooLong));
    assert_eq!(push(&mut reassembler, 3, &[3], 1524), Some(vec![3]));
}

#[test]
fn the_rest_of_a_long_message_ends_with_the_next_number() {
    let mut reassembler = Reassembler::new(Order::Shared);
    assert_eq!(reassembler.push(MORE, 1, &[0; MESSAGE_MAX + 1]), Err(FragmentError::TooLong));
    assert_eq!(push(&mut reassembler, 2, &[5; 3000], 1500), Some(vec![5; 3000]));
    assert_eq!(reassembler.faults(), FragmentFaults { cut: 0, too_long: 1, rest: 0 });
}

proptest! {
    #[test]
    fn messages_come_back(messages in proptest::collection::vec(1..=MESSAGE_MAX, 1..4), most in 100..1600usize) {
        let mut reassembler = Reassembler::new(Order::Shared);
        for (sequence, len) in messages.into_iter().enumerate() {
            let message = numbered(len);
            prop_assert_eq!(push(&mut reassembler, sequence as u16, &message, most), Some(message));
        }
        prop_assert_eq!(reassembler.faults(), FragmentFaults::default());
    }
}
