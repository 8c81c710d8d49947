//! Encryption by the hosts' keys, key refresh, and how connections end.

use airtime_ble::hci::{Status, event, opcode};
use airtime_core::Duration;

use crate::support::{CENTRAL, PERIPHERAL, Pair};

const RAND: [u8; 8] = [8, 7, 6, 5, 4, 3, 2, 1];
const EDIV: [u8; 2] = [0x34, 0x12];

fn enable(pair: &mut Pair, key: u8) -> u8 {
    let params = [&[0, 0][..], &RAND, &EDIV, &[key; 16]].concat();
    pair.ask(CENTRAL, opcode::LE_ENABLE_ENCRYPTION, &params).0
}

/// Starts encryption and answers the key request.
fn encrypt(pair: &mut Pair, key: u8) {
    assert_eq!(enable(pair, key), 0);
    pair.run(Duration::from_millis(200));
    let asked = pair.script(PERIPHERAL).le_event(event::LE_LONG_TERM_KEY_REQUEST).expect("a key request");
    assert_eq!(asked, [&[0, 0][..], &RAND, &EDIV].concat(), "what the host gave");
    pair.done(PERIPHERAL, opcode::LE_LONG_TERM_KEY_REPLY, &[&[0, 0][..], &[key; 16]].concat());
    pair.run(Duration::from_millis(200));
}

fn reasons(pair: &Pair) -> [Option<u8>; 2] {
    [CENTRAL, PERIPHERAL].map(|d| pair.script(d).plain_event(event::DISCONNECTION_COMPLETE).map(|p| p[3]))
}

/// Sends data both ways; says how much of it came.
fn exchange(pair: &mut Pair) -> (usize, usize) {
    let before = [CENTRAL, PERIPHERAL].map(|d| pair.script(d).received().len());
    pair.acl(CENTRAL, 20);
    pair.acl(PERIPHERAL, 20);
    pair.run(Duration::from_millis(100));
    let after = [CENTRAL, PERIPHERAL].map(|d| pair.script(d).received().len());
    (after[0] - before[0], after[1] - before[1])
}

#[test]
fn a_host_that_takes_version_2_is_told_the_size_of_the_key() {
    let mut pair = Pair::connected(12);
    // Bit 25 of the second page.
    pair.done(CENTRAL, opcode::SET_EVENT_MASK_PAGE_2, &[0, 0, 0, 2, 0, 0, 0, 0]);
    encrypt(&mut pair, 7);
    assert_eq!(pair.script(CENTRAL).plain_event(event::ENCRYPTION_CHANGE_V2), Some(&[0, 0, 0, 1, 16][..]));
    assert_eq!(pair.script(CENTRAL).plain_event(event::ENCRYPTION_CHANGE), None);
    assert_eq!(pair.script(PERIPHERAL).plain_event(event::ENCRYPTION_CHANGE), Some(&[0, 0, 0, 1][..]));
}

#[test]
fn a_missing_key_leaves_the_link_in_the_clear() {
    let mut pair = Pair::connected(12);
    assert_eq!(enable(&mut pair, 7), 0);
    assert_eq!(enable(&mut pair, 7), Status::COMMAND_DISALLOWED.0, "one at a time");
    pair.run(Duration::from_millis(200));
    pair.done(PERIPHERAL, opcode::LE_LONG_TERM_KEY_NEGATIVE_REPLY, &[0, 0]);
    pair.run(Duration::from_millis(200));
    let missing = Status::PIN_OR_KEY_MISSING.0;
    assert_eq!(pair.script(CENTRAL).plain_event(event::ENCRYPTION_CHANGE), Some(&[missing, 0, 0, 0][..]));
    assert_eq!(pair.script(PERIPHERAL).plain_event(event::ENCRYPTION_CHANGE), None);
    assert_eq!(exchange(&mut pair), (20, 20));
    encrypt(&mut pair, 7);
    assert_eq!(exchange(&mut pair), (20, 20));
}

#[test]
fn an_encrypted_link_takes_a_new_key() {
    let mut pair = Pair::connected(12);
    encrypt(&mut pair, 7);
    let session = |pair: &Pair| pair.network.devices[CENTRAL].controller.connection(0).unwrap().encryption.session;
    let first = session(&pair);
    // Data that is on its way when the key changes arrives all the same.
    for _ in 0..3 {
        pair.acl(CENTRAL, 100);
        pair.acl(PERIPHERAL, 100);
    }
    encrypt(&mut pair, 8);
    assert_eq!(reasons(&pair), [None, None]);
    assert_ne!(session(&pair), first);
    for device in [CENTRAL, PERIPHERAL] {
        let refreshed = pair.script(device).plain_event(event::ENCRYPTION_KEY_REFRESH_COMPLETE);
        assert_eq!(refreshed, Some(&[0, 0, 0][..]));
        assert_eq!(pair.script(device).received().len(), 300);
    }
    assert_eq!(exchange(&mut pair), (20, 20));
}

#[test]
fn an_encrypted_link_that_loses_its_key_ends() {
    let mut pair = Pair::connected(12);
    encrypt(&mut pair, 7);
    assert_eq!(enable(&mut pair, 8), 0);
    pair.run(Duration::from_millis(300));
    pair.done(PERIPHERAL, opcode::LE_LONG_TERM_KEY_NEGATIVE_REPLY, &[0, 0]);
    pair.run(Duration::from_millis(300));
    assert_eq!(reasons(&pair)[CENTRAL], Some(Status::PIN_OR_KEY_MISSING.0));
    assert!(reasons(&pair)[PERIPHERAL].is_some());
}

#[test]
fn only_reasons_of_the_specification_end_a_connection() {
    let allowed = [0x05, 0x13, 0x14, 0x15, 0x1a, 0x29, 0x3b];
    for reason in 0..=u8::MAX {
        let mut pair = Pair::connected(12);
        let (status, _) = pair.ask(PERIPHERAL, opcode::DISCONNECT, &[0, 0, reason]);
        if !allowed.contains(&reason) {
            assert_eq!(status, Status::INVALID_PARAMETERS.0, "{reason:#x}");
            continue;
        }
        let again = pair.ask(PERIPHERAL, opcode::DISCONNECT, &[0, 0, reason]).0;
        assert_eq!((status, again), (0, Status::COMMAND_DISALLOWED.0));
        pair.run(Duration::from_millis(100));
        assert_eq!(reasons(&pair), [Some(reason), Some(Status::LOCAL_HOST_TERMINATED.0)]);
    }
}

#[test]
fn flow_control_takes_the_buffers_it_was_told_before_and_those_of_a_lost_link_back() {
    let mut pair = Pair::connected(12);
    pair.done(PERIPHERAL, opcode::HOST_BUFFER_SIZE, &[251, 0, 0, 2, 0, 0, 0]);
    pair.done(PERIPHERAL, opcode::SET_CONTROLLER_TO_HOST_FLOW_CONTROL, &[1]);
    for _ in 0..4 {
        pair.acl(CENTRAL, 20);
    }
    pair.run(Duration::from_millis(100));
    assert_eq!(pair.script(PERIPHERAL).received().len(), 2 * 20);
    pair.done(CENTRAL, opcode::DISCONNECT, &[0, 0, 0x13]);
    pair.run(Duration::from_millis(200));
    pair.connect(12, 0);
    pair.acl(CENTRAL, 20);
    pair.run(Duration::from_millis(100));
    assert_eq!(pair.script(PERIPHERAL).received().len(), 3 * 20, "the first link's buffers are free again");
}
