use std::vec::Vec;

use airtime_core::{Duration, Instant};

use super::{Central, Outcome, Step};
use crate::config::{CentralConfig, DataLengthStep, Direction, IntervalConfig, StreamConfig, Transport};
use crate::{ATT_CHANNEL, Address, Command, Event, Name, Peers, Phy};

const PEER: Address = [1; 6];
const INTERVAL: Duration = Duration::from_millis(15);
const TIMEOUT: Duration = Duration::from_secs(4);
const CONNECT: Command = Command::Connect { peer: PEER, interval: INTERVAL, latency: 0, supervision_timeout: TIMEOUT };
const CONNECTED: Event = Event::Connected { conn: 0, peer: PEER, interval: INTERVAL };
const DATA_LENGTH: Event = Event::DataLength { conn: 0, tx_octets: 251, rx_octets: 251 };
const SET_DATA_LENGTH: Command = Command::SetDataLength { conn: 0, octets: 251 };
const SET_PHY: Command = Command::SetPhy { conn: 0, phy: Phy::Le2M };
const PHY: Event = Event::PhyUpdated { conn: 0, status: 0 };
const MTU: Event = Event::MtuExchanged { conn: 0, mtu: 247 };
const DISCOVERED: Event = Event::Discovered { conn: 0, psm: Some(0x81), stream: true };
const OPEN: Command = Command::OpenChannel { conn: 0, psm: 0x81 };

fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}

fn scan(index: u8, except: &[Address]) -> Command {
    let mut peers = Peers::default();
    except.iter().for_each(|peer| peers.push(*peer));
    Command::Scan { name: Name::default().numbered(index), timeout: Duration::from_secs(15), except: peers }
}

fn opened(channel: u16) -> Event {
    Event::ChannelOpened { conn: 0, channel, peer_mtu: 2_000, peer_mps: 247 }
}

fn send(channel: u16, len: u16) -> Command {
    Command::Send { conn: 0, channel, len }
}

fn tell(central: &mut Central, ms: u64, event: Event) -> Vec<Command> {
    central.handle(at(ms), event);
    core::iter::from_fn(|| central.poll(at(ms))).collect()
}

/// Events one ms apart, and the commands each must bring.
fn follow(config: CentralConfig, scenario: &[(Event, &[Command])]) -> Central {
    let mut central = Central::new(config);
    for (ms, (event, commands)) in scenario.iter().enumerate() {
        assert_eq!(tell(&mut central, ms as u64, *event), *commands, "{event:?}");
    }
    central
}

fn config(stream: StreamConfig) -> CentralConfig {
    CentralConfig { stream, ..CentralConfig::default() }
}

#[test]
fn every_step_comes_in_its_order() {
    let stream = StreamConfig { direction: Direction::C2p, in_flight: 1, channels: 2, ..StreamConfig::default() };
    let thirty = Duration::from_millis(30);
    let ask = Command::UpdateInterval {
        conn: 0,
        shortest: thirty,
        interval: thirty,
        latency: 0,
        supervision_timeout: TIMEOUT,
    };
    let space = Duration::from_micros(52);
    let config = CentralConfig {
        interval: IntervalConfig { request: Some(thirty), ..IntervalConfig::default() },
        frame_space: Some(space),
        encrypted: true,
        ..config(stream)
    };
    let central = follow(
        config,
        &[
            (Event::Ready, &[scan(0, &[])]),
            (Event::Found { peer: PEER }, &[CONNECT]),
            (CONNECTED, &[SET_DATA_LENGTH]),
            (DATA_LENGTH, &[ask]),
            (Event::IntervalUpdated { conn: 0, status: 0x3b, interval: INTERVAL }, &[SET_PHY]),
            (PHY, &[Command::SetFrameSpace { conn: 0, space }]),
            (Event::FrameSpace { conn: 0, status: 0 }, &[Command::Encrypt { conn: 0 }]),
            (Event::Encrypted { conn: 0, status: 0 }, &[Command::ExchangeMtu { conn: 0 }]),
            (MTU, &[Command::Discover { conn: 0 }]),
            (DISCOVERED, &[OPEN]),
            (opened(0x40), &[OPEN]),
            (opened(0x41), &[send(0x40, 492), send(0x41, 492)]),
            (Event::Sent { conn: 0, channel: 0x41 }, &[send(0x41, 492)]),
        ],
    );
    assert_eq!((central.step(0), central.outcome(0), central.deadline()), (None, None, None));
}

#[test]
fn what_is_not_asked_for_is_left_out() {
    let config = CentralConfig {
        data_octets: 27,
        phy: Phy::Le1M,
        exchange_mtu: false,
        psm: Some(0x81),
        ..CentralConfig::default()
    };
    follow(
        config,
        &[
            (Event::Ready, &[scan(0, &[])]),
            (Event::Found { peer: PEER }, &[CONNECT]),
            (CONNECTED, &[OPEN]),
            (opened(0x40), &[]),
        ],
    );
}

#[test]
fn the_data_length_can_come_last() {
    let config = CentralConfig {
        data_length: DataLengthStep::AfterChannels,
        phy: Phy::Le1M,
        exchange_mtu: false,
        psm: Some(0x81),
        ..CentralConfig::default()
    };
    follow(
        config,
        &[
            (Event::Ready, &[scan(0, &[])]),
            (Event::Found { peer: PEER }, &[CONNECT]),
            (CONNECTED, &[OPEN]),
            (opened(0x40), &[SET_DATA_LENGTH]),
            (DATA_LENGTH, &[]),
        ],
    );
}

#[test]
fn over_gatt_it_subscribes_or_writes() {
    let up_to = |stream: StreamConfig, last: &[(Event, &[Command])]| {
        let mut scenario: Vec<(Event, &[Command])> = std::vec![
            (Event::Ready, &[]),
            (Event::Found { peer: PEER }, &[CONNECT]),
            (CONNECTED, &[SET_DATA_LENGTH]),
            (DATA_LENGTH, &[SET_PHY]),
            (PHY, &[Command::ExchangeMtu { conn: 0 }]),
            (MTU, &[Command::Discover { conn: 0 }]),
        ];
        let scanned = [scan(0, &[])];
        scenario[0].1 = &scanned;
        scenario.extend_from_slice(last);
        follow(config(stream), &scenario);
    };
    let gatt = StreamConfig { transport: Transport::Gatt, in_flight: 1, ..StreamConfig::default() };
    let value = send(ATT_CHANNEL, 244);
    up_to(gatt, &[(DISCOVERED, &[Command::Subscribe { conn: 0 }]), (Event::Subscribed { conn: 0 }, &[])]);
    up_to(StreamConfig { direction: Direction::C2p, ..gatt }, &[(DISCOVERED, &[value])]);
    up_to(
        StreamConfig { direction: Direction::Both, ..gatt },
        &[(DISCOVERED, &[Command::Subscribe { conn: 0 }]), (Event::Subscribed { conn: 0 }, &[value])],
    );
}

#[test]
fn a_connection_that_never_starts_is_tried_three_times() {
    let never = Event::Disconnected { conn: 0, reason: 0x3e };
    let again: &[Command] = &[scan(0, &[])];
    let attempt: [(Event, &[Command]); 2] =
        [(Event::Found { peer: PEER }, &[CONNECT]), (CONNECTED, &[SET_DATA_LENGTH])];
    let mut scenario = std::vec![(Event::Ready, again)];
    for end in [again, again, &[]] {
        scenario.extend_from_slice(&attempt);
        scenario.push((never, end));
    }
    let central = follow(CentralConfig::default(), &scenario);
    assert_eq!(central.outcome(0), Some(Outcome::NotConnected { reason: 0x3e }));
    assert_eq!(central.reasons().as_slice(), [0x3e; 3]);
    assert!(central.is_over());
    assert_eq!(central.deadline(), None);
}

#[test]
fn a_lost_connection_is_shown_as_what_it_is_and_not_tried_again() {
    let central = follow(
        CentralConfig::default(),
        &[
            (Event::Ready, &[scan(0, &[])]),
            (Event::Found { peer: PEER }, &[CONNECT]),
            (CONNECTED, &[SET_DATA_LENGTH]),
            (Event::Disconnected { conn: 0, reason: 0x08 }, &[]),
        ],
    );
    assert_eq!(central.outcome(0), Some(Outcome::Disconnected { reason: 0x08 }));
}

#[test]
fn a_scan_that_finds_nothing_ends_the_test() {
    let central = follow(CentralConfig::default(), &[(Event::Ready, &[scan(0, &[])]), (Event::ScanTimeout, &[])]);
    assert_eq!(central.outcome(0), Some(Outcome::ScanTimeout));
    assert!(central.is_over());
}

#[test]
fn failures_of_the_set_up_end_it_with_their_cause() {
    let disconnect: &[Command] = &[Command::Disconnect { conn: 0 }];
    let table = [
        (Event::Discovered { conn: 0, psm: None, stream: true }, Outcome::NoService, false),
        (Event::ChannelRefused { conn: 0, result: 2 }, Outcome::ChannelRefused { result: 2 }, true),
    ];
    for (event, outcome, discovered) in table {
        let mut central = Central::new(CentralConfig::default());
        for step in [Event::Ready, Event::Found { peer: PEER }, CONNECTED, DATA_LENGTH, PHY, MTU] {
            tell(&mut central, 0, step);
        }
        if discovered {
            tell(&mut central, 0, DISCOVERED);
        }
        assert_eq!(tell(&mut central, 1, event), disconnect);
        assert_eq!(tell(&mut central, 2, Event::Disconnected { conn: 0, reason: 0x16 }), []);
        assert_eq!(central.outcome(0), Some(outcome));
    }
}

#[test]
fn a_step_that_raises_no_event_is_passed_over_a_transaction_is_not() {
    let mut central = Central::new(CentralConfig::default());
    for event in [Event::Ready, Event::Found { peer: PEER }, CONNECTED] {
        tell(&mut central, 0, event);
    }
    // 2 s and 20 intervals of 15 ms.
    assert_eq!(central.deadline(), Some(at(2_300)));
    assert_eq!(tell(&mut central, 2_300, Event::Wake), [SET_PHY]);
    assert_eq!(tell(&mut central, 2_400, PHY), [Command::ExchangeMtu { conn: 0 }]);
    assert_eq!(central.deadline(), Some(at(34_700)));
    assert_eq!(tell(&mut central, 34_700, Event::Wake), [Command::Disconnect { conn: 0 }]);
    assert_eq!(central.outcome(0), Some(Outcome::SetupFailed { step: Step::Mtu, status: None }));
    assert_eq!(central.deadline(), None);
}

#[test]
fn peripherals_are_connected_one_by_one_and_set_up_together() {
    let config = CentralConfig { peripherals: 2, ..CentralConfig::default() };
    let second: Address = [2; 6];
    let connect = Command::Connect { peer: second, interval: INTERVAL, latency: 0, supervision_timeout: TIMEOUT };
    let both = [SET_DATA_LENGTH, Command::SetDataLength { conn: 1, octets: 251 }];
    let central = follow(
        config,
        &[
            (Event::Ready, &[scan(0, &[])]),
            (Event::Found { peer: PEER }, &[CONNECT]),
            (CONNECTED, &[scan(1, &[PEER])]),
            (Event::Found { peer: second }, &[connect]),
            (Event::Connected { conn: 1, peer: second, interval: INTERVAL }, &both),
            (
                Event::DataLength { conn: 1, tx_octets: 251, rx_octets: 251 },
                &[Command::SetPhy { conn: 1, phy: Phy::Le2M }],
            ),
        ],
    );
    assert_eq!((central.index(0), central.index(1)), (Some(0), Some(1)));
    assert_eq!((central.step(0), central.step(1)), (Some(Step::DataLength), Some(Step::Phy)));
}
