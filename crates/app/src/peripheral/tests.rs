use std::vec::Vec;

use airtime_core::{Duration, Instant};

use super::Peripheral;
use crate::config::{Direction, IntervalConfig, PeripheralConfig, StreamConfig, Transport};
use crate::{ATT_CHANNEL, Command, Event, Gaps, Name, payload};

const CONN: u16 = 0;
const CHANNEL: u16 = 0x40;
const INTERVAL: Duration = Duration::from_millis(30);

const CONNECTED: Event = Event::Connected { conn: CONN, peer: [1; 6], interval: INTERVAL };
const DATA_LENGTH: Event = Event::DataLength { conn: CONN, tx_octets: 251, rx_octets: 251 };
const OPENED: Event = Event::ChannelOpened { conn: CONN, channel: CHANNEL, peer_mtu: 2_000, peer_mps: 247 };
const SENT: Event = Event::Sent { conn: CONN, channel: CHANNEL };
const SEND: Command = Command::Send { conn: CONN, channel: CHANNEL, len: 492 };
const ADVERTISE: fn() -> Command =
    || Command::Advertise { name: Name::default(), interval: Duration::from_millis(100) };

fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}

fn tell(peripheral: &mut Peripheral, ms: u64, event: Event) -> Vec<Command> {
    peripheral.handle(at(ms), event);
    core::iter::from_fn(|| peripheral.poll(at(ms))).collect()
}

/// Events at their ms, and the commands each must bring.
fn follow(config: PeripheralConfig, scenario: &[(u64, Event, &[Command])]) -> Peripheral {
    let mut peripheral = Peripheral::new(config);
    for (ms, event, commands) in scenario {
        assert_eq!(tell(&mut peripheral, *ms, *event), *commands, "{event:?} at {ms} ms");
    }
    peripheral
}

fn config(stream: StreamConfig) -> PeripheralConfig {
    PeripheralConfig { stream, ..PeripheralConfig::default() }
}

#[test]
fn with_the_gate_it_streams_when_channel_and_data_length_are_there() {
    let stream = StreamConfig { in_flight: 2, ..StreamConfig::default() };
    let peripheral = follow(
        config(stream),
        &[
            (0, Event::Ready, &[Command::Listen { psm: 0x80 }, ADVERTISE()]),
            (100, CONNECTED, &[Command::StopAdvertising]),
            (150, OPENED, &[]),
            (200, DATA_LENGTH, &[SEND, SEND]),
            (210, SENT, &[SEND]),
            (220, Event::Wake, &[]),
        ],
    );
    let link = peripheral.link().unwrap();
    assert_eq!(link.started(), Some(at(200)));
    assert_eq!((link.submissions().sdus, link.submissions().octets, link.submissions().sent), (3, 1_476, 1));
    let mut sdu = [0; 12];
    peripheral.fill(&mut sdu);
    assert_eq!(sdu, [2, 0, 0, 0, 0, 0, 0, 0, 8, 9, 10, 11]);
}

#[test]
fn without_the_gate_it_streams_at_once() {
    let stream = StreamConfig { in_flight: 1, ..StreamConfig::default() };
    follow(
        PeripheralConfig { data_length_gate: false, ..config(stream) },
        &[(100, CONNECTED, &[Command::StopAdvertising]), (150, OPENED, &[SEND]), (200, DATA_LENGTH, &[])],
    );
}

#[test]
fn the_gate_does_not_wait_for_ever() {
    let stream = StreamConfig { in_flight: 1, ..StreamConfig::default() };
    let mut peripheral = follow(
        config(stream),
        &[
            (0, CONNECTED, &[Command::StopAdvertising]),
            (150, OPENED, &[]),
            (160, Event::DataLength { conn: CONN, tx_octets: 27, rx_octets: 251 }, &[]),
        ],
    );
    // 2 s and 20 intervals of 30 ms.
    assert_eq!(peripheral.deadline(), Some(at(2_600)));
    assert_eq!(tell(&mut peripheral, 2_600, Event::Wake), [SEND]);
    assert_eq!(peripheral.deadline(), None);
}

#[test]
fn it_advertises_again_when_a_connection_ends_and_remembers_why() {
    let peripheral = follow(
        PeripheralConfig::default(),
        &[
            (0, CONNECTED, &[Command::StopAdvertising]),
            (180, Event::Disconnected { conn: CONN, reason: 0x3e }, &[ADVERTISE()]),
            (300, CONNECTED, &[Command::StopAdvertising]),
            (9_000, Event::Disconnected { conn: CONN, reason: 0x08 }, &[ADVERTISE()]),
        ],
    );
    assert_eq!(peripheral.reasons().as_slice(), [0x3e, 0x08]);
    assert_eq!(peripheral.deadline(), None);
}

#[test]
fn one_that_does_not_stop_advertises_beside_its_connection() {
    let config = PeripheralConfig { stop_advertising: false, ..PeripheralConfig::default() };
    let second = Event::Connected { conn: 1, peer: [2; 6], interval: INTERVAL };
    follow(config, &[(0, CONNECTED, &[ADVERTISE()]), (10, second, &[Command::Disconnect { conn: 1 }])]);
}

#[test]
fn intervals_are_asked_for_after_the_data_length_and_during_the_stream() {
    let ask = |ms| Command::UpdateInterval {
        conn: CONN,
        shortest: Duration::from_millis(ms),
        interval: Duration::from_millis(ms),
        latency: 0,
        supervision_timeout: Duration::from_secs(4),
    };
    let interval = IntervalConfig {
        request: Some(Duration::from_millis(15)),
        change_at: Some((Duration::from_secs(1), Duration::from_millis(50))),
        ..IntervalConfig::default()
    };
    let stream = StreamConfig { in_flight: 1, ..StreamConfig::default() };
    let mut peripheral = follow(
        PeripheralConfig { interval, ..config(stream) },
        &[
            (0, CONNECTED, &[Command::StopAdvertising]),
            (100, DATA_LENGTH, &[ask(15)]),
            (200, Event::IntervalUpdated { conn: CONN, status: 0, interval: Duration::from_millis(15) }, &[]),
            (300, OPENED, &[SEND]),
        ],
    );
    assert_eq!(peripheral.deadline(), Some(at(1_300)));
    assert_eq!(tell(&mut peripheral, 1_300, Event::Wake), [ask(50)]);
    assert_eq!(peripheral.deadline(), None);
}

#[test]
fn notifications_wait_for_the_subscription_and_are_clipped_to_the_mtu() {
    let stream = StreamConfig { transport: Transport::Gatt, in_flight: 1, ..StreamConfig::default() };
    follow(
        config(stream),
        &[
            (0, CONNECTED, &[Command::StopAdvertising]),
            (10, DATA_LENGTH, &[]),
            (20, Event::MtuExchanged { conn: CONN, mtu: 247 }, &[]),
            (30, Event::Subscribed { conn: CONN }, &[Command::Send { conn: CONN, channel: ATT_CHANNEL, len: 244 }]),
        ],
    );
}

#[test]
fn as_a_receiver_it_counts_and_sends_nothing() {
    let stream = StreamConfig { direction: Direction::C2p, warmup: Duration::ZERO, ..StreamConfig::default() };
    let mut peripheral = follow(
        config(stream),
        &[(0, CONNECTED, &[Command::StopAdvertising]), (10, OPENED, &[]), (20, DATA_LENGTH, &[])],
    );
    for (ms, sequence) in [(100u64, 0u64), (600, 1), (1_100, 3), (1_200, 3)] {
        let mut head = [0; 8];
        payload::write(sequence, &mut head);
        let received = Event::Received { conn: CONN, channel: CHANNEL, len: 500, head };
        assert_eq!(tell(&mut peripheral, ms, received), []);
    }
    assert_eq!(peripheral.take_second(at(1_200)), Some((0, 1_000)));
    let link = peripheral.link().unwrap();
    assert_eq!(link.gaps(), Gaps { lost: 1, duplicated: 1, reordered: 0 });
    assert_eq!((link.meter().sdus(), link.meter().octets()), (4, 2_000));
}

#[test]
fn one_that_asks_for_the_data_length_does_so_on_each_connection() {
    let asks = Command::SetDataLength { conn: CONN, octets: 251 };
    follow(
        PeripheralConfig { data_octets: 251, ..PeripheralConfig::default() },
        &[
            (0, Event::Ready, &[Command::Listen { psm: 0x80 }, ADVERTISE()]),
            (100, CONNECTED, &[Command::StopAdvertising, asks]),
            (150, Event::Disconnected { conn: CONN, reason: 8 }, &[ADVERTISE()]),
            (200, CONNECTED, &[Command::StopAdvertising, asks]),
        ],
    );
}

#[test]
fn another_configuration_holds_from_the_next_connection_on() {
    let stream = StreamConfig { in_flight: 1, ..StreamConfig::default() };
    let mut peripheral = follow(
        config(stream),
        &[
            (0, Event::Ready, &[Command::Listen { psm: 0x80 }, ADVERTISE()]),
            (100, CONNECTED, &[Command::StopAdvertising]),
            (150, OPENED, &[]),
            (200, DATA_LENGTH, &[SEND]),
        ],
    );
    peripheral.reconfigure(config(StreamConfig { sdu: 100, ..stream }));
    assert_eq!(tell(&mut peripheral, 210, SENT), [SEND], "the connection goes on as it was");
    peripheral.hang_up();
    assert_eq!(tell(&mut peripheral, 220, Event::Wake), [Command::Disconnect { conn: CONN }]);
    assert_eq!(tell(&mut peripheral, 230, Event::Disconnected { conn: CONN, reason: 0x16 }), [ADVERTISE()]);
    peripheral.hang_up();
    assert_eq!(tell(&mut peripheral, 300, CONNECTED), [Command::StopAdvertising], "there was nothing to end");
    assert_eq!(tell(&mut peripheral, 350, OPENED), []);
    assert_eq!(tell(&mut peripheral, 400, DATA_LENGTH), [Command::Send { conn: CONN, channel: CHANNEL, len: 100 }]);
}
