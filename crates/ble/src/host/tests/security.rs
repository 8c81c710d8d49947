//! Requests for security, by golden bytes.

use super::pipe::{CENTRAL, PERIPHERAL, PLENTY, Pair, personality};

/// Channel of the Security Manager. Core 6.0, Vol 3, Part A, 2.1.
const SECURITY: u16 = 6;

/// Pairing Request: no input, no output, LE Secure Connections, keys of 16 octets. Core 6.0, Vol 3, Part H, 3.5.1.
const PAIRING_REQUEST: [u8; 7] = [1, 3, 0, 9, 16, 1, 1];

/// Pairing Failed, Pairing Not Supported, behind the headers of ACL and L2CAP. Core 6.0, Vol 3, Part H, 3.5.5.
const REFUSED: [u8; 11] = [2, 0x40, 0, 6, 0, 2, 0, 6, 0, 5, 5];

fn answers(to: usize, command: &[u8]) -> usize {
    let mut pair = Pair::with_channel(personality(PLENTY));
    pair.inject(to, SECURITY, command);
    pair.settle();
    pair.sent[to].iter().filter(|packet| **packet == REFUSED).count()
}

#[test]
fn whoever_wants_to_pair_is_told_that_there_is_no_pairing() {
    assert_eq!(answers(PERIPHERAL, &PAIRING_REQUEST), 1);
    // Security Request, of a peripheral. Core 6.0, Vol 3, Part H, 3.6.7.
    assert_eq!(answers(CENTRAL, &[0x0b, 1]), 1);
}

#[test]
fn what_asks_for_nothing_is_not_answered() {
    // Each end is asked for its part alone, and a refusal is not refused.
    assert_eq!(answers(CENTRAL, &PAIRING_REQUEST), 0);
    for command in [&[0x0b, 1][..], &[5, 5], &[], &[0xff]] {
        assert_eq!(answers(PERIPHERAL, command), 0, "{command:?}");
    }
}
