//! The cipher in pieces against the `aes-gcm` crate, which takes messages whole, under the known session key.

use aes_gcm::aead::AeadInPlace;
use aes_gcm::{Aes128Gcm, KeyInit};
use airtime_rpc::crypto::Session;
use proptest::collection::vec;
use proptest::prelude::*;

use super::hex::hex;
use super::support::{seal, sessions};

const SESSION_KEY: &str = "59188316c47d2d7b25253662fa227f3b";

/// What the other implementation makes of it.
fn whole(counter: u32, direction: u8, message: &[u8]) -> Vec<u8> {
    let cipher = Aes128Gcm::new_from_slice(&hex(SESSION_KEY)).expect("16 octets");
    let mut nonce = [0; 12];
    nonce[..4].copy_from_slice(&counter.to_le_bytes());
    nonce[4] = direction;
    let mut sealed = counter.to_le_bytes().to_vec();
    sealed.extend_from_slice(message);
    let tag = cipher.encrypt_in_place_detached(&nonce.into(), b"", &mut sealed[4..]).expect("short enough");
    sealed.extend_from_slice(&tag);
    sealed
}

fn frame(session: &mut Session, records: &[u8]) -> Vec<u8> {
    let mut frame = [&[0; 4], records, &[0; 16]].concat();
    assert_eq!(session.seal_frame(&mut frame, records.len()), Ok(frame.len()));
    frame
}

#[test]
fn lengths_around_a_block() {
    let [mut client, mut server] = sessions();
    let message: Vec<u8> = (0..=255).cycle().take(600).collect();
    for (counter, len) in (0..70).chain([255, 256, 257, 511, 512, 600]).enumerate() {
        let message = &message[..len];
        let counter = counter as u32;
        assert_eq!(seal(&mut client, message, 7), whole(counter, 0, message), "{len} octets to the server");
        assert_eq!(seal(&mut server, message, 33), whole(counter, 1, message), "{len} octets to the client");
        assert_eq!(frame(&mut client, message), whole(counter, 2, message), "a frame of {len} to the server");
        assert_eq!(frame(&mut server, message), whole(counter, 3, message), "a frame of {len} to the client");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn either_opens_what_the_other_seals(counter: u32, message in vec(any::<u8>(), 0..400), pieces in vec(1_usize..50, 20)) {
        let [mut client, mut server] = sessions();
        let mut sealed = whole(counter, 0, &message);
        let opened = server.open(&mut sealed).expect("genuine");
        prop_assert_eq!((opened.counter, &*opened.octets), (counter, message.as_slice()));

        let mut seal = client.seal().expect("a counter is left");
        let mut ciphertext = message.clone();
        let mut rest = ciphertext.as_mut_slice();
        for piece in pieces.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (head, tail) = rest.split_at_mut(rest.len().min(*piece));
            seal.update(head);
            rest = tail;
        }
        let tag = seal.finish();
        prop_assert_eq!([&[0; 4], ciphertext.as_slice(), &tag].concat(), whole(0, 0, &message));
    }
}
