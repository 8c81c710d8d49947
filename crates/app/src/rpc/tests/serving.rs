//! The peripheral, event by event.

use airtime_core::Duration;

use super::pair::{
    CHANNEL, CONN, CONNECTED, DATA_LENGTH, INTERVAL, MTU, OPENED, PEER, Peripheral, SUBSCRIBED, at, frame, peripheral,
    tell,
};
use crate::rpc::PeripheralConfig;
use crate::{ATT_CHANNEL, Command, Event, IntervalConfig};

/// A TIMEOUT request, and its answer of 100 ms.
const ASKED: [u8; 4] = [9, 0, 0xc4, 0];
const ANSWER: [u8; 6] = [9, 0, 0xc4, 2, 100, 0];

fn connected() -> Peripheral {
    let mut peripheral = peripheral(IntervalConfig::default());
    for event in [Event::Ready, CONNECTED, DATA_LENGTH, MTU, OPENED] {
        tell!(peripheral, 0, event);
    }
    peripheral
}

fn next_frame(peripheral: &mut Peripheral) -> Option<(u16, std::vec::Vec<u8>)> {
    peripheral.poll(at(1)).and_then(|command| frame!(peripheral, command))
}

#[test]
fn it_asks_for_15_to_30_ms_where_the_interval_is_another() {
    for (ms, asks) in [(7, true), (15, false), (30, false), (50, true)] {
        let mut peripheral = peripheral(PeripheralConfig::PUBLISHED);
        tell!(peripheral, 0, Event::Ready);
        let interval = Duration::from_millis(ms);
        tell!(peripheral, 0, Event::Connected { conn: CONN, peer: PEER, interval });
        let request = Command::UpdateInterval {
            conn: CONN,
            shortest: Duration::from_millis(15),
            interval: INTERVAL,
            latency: 0,
            supervision_timeout: Duration::from_secs(1),
        };
        let expected: &[Command] = if asks { &[request] } else { &[] };
        assert_eq!(tell!(peripheral, 1, DATA_LENGTH), expected, "{ms} ms");
    }
}

#[test]
fn it_answers_on_what_the_first_frame_came_on_and_on_nothing_else() {
    for (channel, other) in [(ATT_CHANNEL, CHANNEL), (CHANNEL, ATT_CHANNEL)] {
        let mut peripheral = connected();
        tell!(peripheral, 0, SUBSCRIBED);
        peripheral.receive(at(1), CONN, channel, &ASKED);
        assert_eq!(next_frame(&mut peripheral), Some((channel, ANSWER.to_vec())));
        peripheral.receive(at(1), CONN, other, &ASKED);
        assert_eq!(next_frame(&mut peripheral), None);
    }
}

#[test]
fn notifications_wait_for_the_subscription() {
    let mut peripheral = connected();
    peripheral.receive(at(1), CONN, ATT_CHANNEL, &ASKED);
    assert_eq!(next_frame(&mut peripheral), None);
    peripheral.handle(at(1), SUBSCRIBED);
    assert_eq!(next_frame(&mut peripheral), Some((ATT_CHANNEL, ANSWER.to_vec())));
}

#[test]
fn a_frame_before_its_channel_or_after_its_connection_is_dropped() {
    let mut peripheral = peripheral(IntervalConfig::default());
    peripheral.receive(at(0), CONN, ATT_CHANNEL, &ASKED);
    for event in [Event::Ready, CONNECTED] {
        tell!(peripheral, 0, event);
    }
    peripheral.receive(at(1), CONN, CHANNEL, &ASKED);
    assert_eq!((next_frame(&mut peripheral), peripheral.channel()), (None, None));
    tell!(peripheral, 2, Event::Disconnected { conn: CONN, reason: 0x13 });
    peripheral.receive(at(2), CONN, ATT_CHANNEL, &ASKED);
    assert_eq!((next_frame(&mut peripheral), peripheral.channel()), (None, None));
}

#[test]
fn a_channel_that_is_closed_makes_room_for_another() {
    let mut peripheral = connected();
    peripheral.receive(at(1), CONN, CHANNEL, &ASKED);
    assert!(next_frame(&mut peripheral).is_some());
    tell!(peripheral, 1, Event::ChannelClosed { conn: CONN, channel: CHANNEL });
    assert_eq!(peripheral.channel(), None);
    tell!(peripheral, 1, Event::ChannelOpened { conn: CONN, channel: CHANNEL + 1, peer_mtu: 500, peer_mps: 247 });
    peripheral.receive(at(1), CONN, CHANNEL + 1, &ASKED);
    assert_eq!(next_frame(&mut peripheral), Some((CHANNEL + 1, ANSWER.to_vec())));
}
