//! The central, event by event.

use std::vec::Vec;

use airtime_rpc::client::{Encryption, SetupError};
use airtime_rpc::crypto::Pin;

use super::pair::{
    CHANNEL, CONN, CONNECTED, Central, DATA_LENGTH, DISCOVERED, MTU, OPENED, PEER, SUBSCRIBED, at, central,
    central_config, frame, tell,
};
use crate::config::Transport;
use crate::rpc::CentralConfig;
use crate::{ATT_CHANNEL, Command, Event, Outcome};

/// TIMEOUT and CAPABILITIES as a server of the published kind answers them: 100 ms; 12 288 and 65 535 octets, no encryption.
const TIMEOUT: [u8; 6] = [0, 0, 0xc4, 2, 100, 0];
const CAPABILITIES: [u8; 10] = [1, 0, 0xd0, 6, 0, 0x30, 0xff, 0xff, 0, 0];

fn ready(transport: Transport) -> Central {
    let mut central = central(central_config(transport));
    for event in [Event::Ready, Event::Found { peer: PEER }, CONNECTED, DATA_LENGTH, MTU] {
        tell!(central, 0, event);
    }
    central
}

fn sealed() -> CentralConfig {
    let mut config = central_config(Transport::Gatt);
    config.client.encryption = Encryption::Required(Pin::FirstUse);
    config
}

/// Gives the central a frame and takes what it sends then.
fn answer(central: &mut Central, channel: u16, octets: &[u8]) -> Vec<(u16, Vec<u8>)> {
    central.receive(at(1), CONN, channel, octets);
    sent(central)
}

fn sent(central: &mut Central) -> Vec<(u16, Vec<u8>)> {
    let mut frames = Vec::new();
    while let Some(command) = central.poll(at(1)) {
        frames.extend(frame!(central, command));
    }
    frames
}

fn is_hang_up(commands: &[Command]) -> bool {
    commands == [Command::Disconnect { conn: CONN }]
}

#[test]
fn the_set_up_ends_with_the_first_frame_of_the_published_one() {
    let mut central = ready(Transport::Gatt);
    assert_eq!(tell!(central, 0, DISCOVERED), [Command::Subscribe { conn: CONN }]);
    central.handle(at(1), SUBSCRIBED);
    assert_eq!(sent(&mut central), [(ATT_CHANNEL, std::vec![0, 0, 0xc4, 0])]);
    let asked = answer(&mut central, ATT_CHANNEL, &TIMEOUT);
    assert_eq!(asked, [(ATT_CHANNEL, std::vec![1, 0, 0xd0, 6, 0, 0, 0, 0, 0, 0x80])], "and whether it is extended");
    assert_eq!(answer(&mut central, ATT_CHANNEL, &CAPABILITIES), [], "two frames are with the host");
    central.handle(at(1), Event::Sent { conn: CONN, channel: ATT_CHANNEL });
    let [(_, call)] = sent(&mut central).try_into().expect("the call");
    assert_eq!((&call[2..6], &call[7..12]), (&[0, 13, 0, 13][..], &b"\x04echo"[..]));
}

#[test]
fn frames_of_another_channel_or_connection_are_nothing_to_it() {
    let mut central = ready(Transport::Coc);
    assert_eq!(tell!(central, 0, DISCOVERED), [Command::OpenChannel { conn: CONN, psm: 0x80 }]);
    central.handle(at(1), OPENED);
    assert_eq!(sent(&mut central), [(CHANNEL, std::vec![0, 0, 0xc4, 0])]);
    assert_eq!(answer(&mut central, ATT_CHANNEL, &TIMEOUT), []);
    central.receive(at(1), CONN + 1, CHANNEL, &TIMEOUT);
    assert_eq!(sent(&mut central), []);
    assert_eq!(answer(&mut central, CHANNEL, &TIMEOUT).len(), 1);
}

#[test]
fn without_the_service_it_ends_and_without_a_psm_only_over_a_channel() {
    for (transport, psm, stream, goes_on) in [
        (Transport::Gatt, None, true, true),
        (Transport::Gatt, Some(0x80), false, false),
        (Transport::Coc, None, true, false),
        (Transport::Coc, Some(0x80), false, true),
    ] {
        let mut central = ready(transport);
        let commands = tell!(central, 1, Event::Discovered { conn: CONN, psm, stream });
        assert_eq!(is_hang_up(&commands), !goes_on, "{transport:?} {psm:?} {stream}");
        if !goes_on {
            assert_eq!(tell!(central, 2, Event::Disconnected { conn: CONN, reason: 0x16 }), []);
            assert_eq!(central.outcome(), Some(Outcome::NoService));
        }
    }
}

#[test]
fn a_server_that_does_not_answer_is_tried_again_as_often_as_configured() {
    let mut central = central(sealed());
    tell!(central, 0, Event::Ready);
    for reconnected in [0, 1] {
        assert_eq!(central.reconnected(), reconnected);
        for event in [Event::Found { peer: PEER }, CONNECTED, DATA_LENGTH, MTU, DISCOVERED, SUBSCRIBED] {
            tell!(central, 0, event);
        }
        answer(&mut central, ATT_CHANNEL, &TIMEOUT);
        let mut seals = CAPABILITIES;
        seals[8] = 1;
        answer(&mut central, ATT_CHANNEL, &seals);
        tell!(central, 1, Event::Sent { conn: CONN, channel: ATT_CHANNEL });
        let due = central.deadline().expect("it waits for the second step of the key exchange");
        central.handle(due, Event::Wake);
        assert_eq!(central.poll(due), Some(Command::Disconnect { conn: CONN }));
        tell!(central, 50_000, Event::Disconnected { conn: CONN, reason: 0x16 });
    }
    assert_eq!(central.outcome(), Some(Outcome::NoCalls { error: SetupError::Timeout }));
}

#[test]
fn a_server_that_does_not_seal_is_not_tried_again() {
    let mut central = central(sealed());
    for event in [Event::Ready, Event::Found { peer: PEER }, CONNECTED, DATA_LENGTH, MTU, DISCOVERED, SUBSCRIBED] {
        tell!(central, 0, event);
    }
    answer(&mut central, ATT_CHANNEL, &TIMEOUT);
    central.receive(at(1), CONN, ATT_CHANNEL, &CAPABILITIES);
    assert_eq!(central.poll(at(1)), Some(Command::Disconnect { conn: CONN }));
    assert_eq!(tell!(central, 2, Event::Disconnected { conn: CONN, reason: 0x16 }), []);
    assert_eq!(
        (central.outcome(), central.is_over()),
        (Some(Outcome::NoCalls { error: SetupError::NotOffered }), true)
    );
    assert_eq!(central.deadline(), None);
}

#[test]
fn one_that_hangs_up_does_not_come_back() {
    let mut central = ready(Transport::Gatt);
    tell!(central, 0, DISCOVERED);
    central.hang_up();
    assert!(is_hang_up(&tell!(central, 1, Event::Wake)));
    assert_eq!(tell!(central, 2, Event::Disconnected { conn: CONN, reason: 0x16 }), []);
    assert_eq!(central.outcome(), Some(Outcome::Disconnected { reason: 0x16 }));
}

#[test]
fn one_that_gives_up_while_it_connects_hangs_up_as_soon_as_it_has() {
    let mut central = central(central_config(Transport::Gatt));
    tell!(central, 0, Event::Ready);
    tell!(central, 0, Event::Found { peer: PEER });
    central.hang_up();
    let commands = tell!(central, 1, CONNECTED);
    assert!(commands.contains(&Command::Disconnect { conn: CONN }), "{commands:?}");
    assert_eq!(tell!(central, 2, Event::Disconnected { conn: CONN, reason: 0x16 }), []);
    assert!(central.is_over());
}
