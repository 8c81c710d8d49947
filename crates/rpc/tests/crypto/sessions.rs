//! Sealed messages and frames: known answers, replays, counters.

use airtime_rpc::crypto::{OpenError, Opened, SEAL_OCTETS, Session};
use proptest::collection::vec;
use proptest::prelude::*;

use super::hex::hex;
use super::support::{seal, sessions};

const ECHO: &str = "00046563686f07000a0568656c6c6f";

#[test]
fn the_first_message_is_that_of_the_published_implementation() {
    let [mut client, mut server] = sessions();
    let mut sealed = seal(&mut client, &hex(ECHO), 4);
    assert_eq!(sealed, hex("000000004a5cf5f8607f0477a39a56b6723e574cf4723e1d20e634fd2b6935731471c2"));
    let opened = server.open(&mut sealed).expect("genuine");
    assert_eq!(opened, Opened { counter: 0, octets: &mut hex(ECHO) });
}

#[test]
fn a_replayed_message_is_not_opened_again() {
    let [mut client, mut server] = sessions();
    let messages: Vec<_> = (0..4_u8).map(|at| seal(&mut client, &[at; 40], 40)).collect();
    let mut open = |at: usize| server.open(&mut messages[at].clone()).map(|opened| opened.octets.to_vec());
    assert_eq!(open(0), Ok(vec![0; 40]));
    assert_eq!(open(0), Err(OpenError::Replayed { counter: 0 }));
    // A gap is no fault: what came before it is then too late.
    assert_eq!(open(2), Ok(vec![2; 40]));
    assert_eq!(open(1), Err(OpenError::Replayed { counter: 1 }));
    assert_eq!(open(2), Err(OpenError::Replayed { counter: 2 }));
    assert_eq!(open(3), Ok(vec![3; 40]));
}

#[test]
fn every_octet_of_a_message_counts() {
    let [mut client, mut server] = sessions();
    let sealed = seal(&mut client, &hex(ECHO), 5);
    for at in 0..sealed.len() {
        let mut wrong = sealed.clone();
        wrong[at] ^= 0x80;
        let as_it_was = wrong.clone();
        assert_eq!(server.open(&mut wrong), Err(OpenError::NotGenuine), "octet {at}");
        assert_eq!(wrong, as_it_was);
    }
    for len in 0..SEAL_OCTETS {
        assert_eq!(server.open(&mut sealed.clone()[..len]), Err(OpenError::Length));
    }
    assert_eq!(server.open(&mut sealed.clone()[..sealed.len() - 1]), Err(OpenError::NotGenuine));
    assert!(server.open(&mut sealed.clone()).is_ok(), "what was refused has used no counter");
}

fn frame(session: &mut Session, records: &[u8]) -> Vec<u8> {
    let mut frame = vec![0xEE; records.len() + SEAL_OCTETS + 3];
    frame[4..4 + records.len()].copy_from_slice(records);
    let len = session.seal_frame(&mut frame, records.len()).expect("a counter is left");
    assert_eq!(frame[len..], [0xEE; 3]);
    frame.truncate(len);
    frame
}

/// The same key, and yet no nonce serves twice: directions are numbered through.
#[test]
fn directions_and_domains_are_apart() {
    let [mut client, mut server] = sessions();
    let sealed = [
        seal(&mut client, &[5; 32], 32),
        seal(&mut server, &[5; 32], 32),
        frame(&mut client, &[5; 32]),
        frame(&mut server, &[5; 32]),
    ];
    for (at, one) in sealed.iter().enumerate() {
        assert_eq!(one[..4], [0; 4], "each counts from 0");
        for other in &sealed[at + 1..] {
            assert_ne!(one[4..], other[4..]);
        }
    }
    let [from_client, from_server, client_frame, server_frame] = sealed;
    let mut refused = |octets: &[u8]| {
        let octets = &mut octets.to_vec();
        assert_eq!(server.open(octets), Err(OpenError::NotGenuine));
    };
    refused(&from_server);
    refused(&client_frame);
    refused(&server_frame);
    let mut frames_refused = |octets: &[u8]| {
        let octets = &mut octets.to_vec();
        assert_eq!(client.open_frame(octets), Err(OpenError::NotGenuine));
    };
    frames_refused(&from_client);
    frames_refused(&from_server);
    frames_refused(&client_frame);
    assert_eq!(server.open(&mut from_client.clone()).expect("genuine").octets, [5; 32]);
    assert_eq!(client.open(&mut from_server.clone()).expect("genuine").octets, [5; 32]);
    assert_eq!(server.open_frame(&mut client_frame.clone()).expect("genuine").octets, [5; 32]);
    assert_eq!(client.open_frame(&mut server_frame.clone()).expect("genuine").octets, [5; 32]);
}

#[test]
fn frames_are_replayed_no_more_than_messages() {
    let [mut client, mut server] = sessions();
    let frames: Vec<_> = (0..3_u8).map(|at| frame(&mut client, &[at; 9])).collect();
    assert_eq!(server.open_frame(&mut frames[1].clone()).expect("genuine").counter, 1);
    assert_eq!(server.open_frame(&mut frames[0].clone()), Err(OpenError::Replayed { counter: 0 }));
    assert_eq!(server.open_frame(&mut frames[1].clone()), Err(OpenError::Replayed { counter: 1 }));
    let last = server.open_frame(&mut frames[2].clone()).map(|opened| (opened.counter, opened.octets.to_vec()));
    assert_eq!(last, Ok((2, vec![2; 9])));
}

#[test]
fn nothing_secret_is_shown() {
    let [client, _] = sessions();
    let shown = format!("{client:?}");
    assert!(shown.starts_with("Session { messages: Counters { out: 0, back: 1, next: 0, last: None }"), "{shown}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Pieces of any length seal as the whole does.
    #[test]
    fn pieces_do_not_matter(message in vec(any::<u8>(), 0..600), piece in 1_usize..80) {
        let [client, mut server] = sessions();
        let mut sealed = seal(&mut client.clone(), &message, piece);
        prop_assert_eq!(&sealed, &seal(&mut client.clone(), &message, 4_096));
        prop_assert_eq!(server.open(&mut sealed).expect("genuine").octets, message.as_slice());
    }
}
