//! Start-up, finding one another, connecting, opening and closing channels.

use alloc::vec::Vec;

use airtime_core::Duration;

use super::pipe::{CENTRAL, CONN, NAME, PERIPHERAL, PLENTY, PSM, Pair, connect, personality};
use crate::hci::{H4, Status, event, opcode};
use crate::host::{ChannelEnd, HostEvent, Refused, Request, Role};
use crate::personality::{Host, LengthCare, OffGrid};

fn commands(pair: &Pair, host: usize) -> Vec<&'static str> {
    let name = |packet: &Vec<u8>| match H4::parse(packet) {
        Ok(H4::Command { opcode, .. }) => opcode.name(),
        _ => None,
    };
    pair.sent[host].iter().filter_map(name).collect()
}

#[test]
fn start_up_configures_the_controller() {
    let careless = Host { data_length: LengthCare::None, ..personality(PLENTY) };
    let careful = Host { flow_control: Some(4), data_length: LengthCare::Suggests, ..personality(PLENTY) };
    let mut pair = Pair::new(careless, careful);
    pair.settle();
    assert_eq!(pair.events, [[HostEvent::Ready], [HostEvent::Ready]]);
    assert_eq!(pair.hosts[CENTRAL].address(), pair.address(CENTRAL));
    assert_eq!(pair.hosts[CENTRAL].free_acl_buffers(), 3);
    let with_everything = [
        "HCI_Reset",
        "HCI_Set_Event_Mask",
        "HCI_LE_Set_Event_Mask",
        "HCI_Read_BD_ADDR",
        "HCI_Host_Buffer_Size",
        "HCI_Set_Controller_To_Host_Flow_Control",
        "HCI_LE_Write_Suggested_Default_Data_Length",
        "HCI_LE_Read_Local_Supported_Features_Page_0",
        "HCI_LE_Read_Buffer_Size [v1]",
    ];
    assert_eq!(commands(&pair, PERIPHERAL), with_everything);
    let optional = |name: &str| name.contains("Host") || name.contains("Suggested");
    let without: Vec<_> = with_everything.into_iter().filter(|name| !optional(name)).collect();
    assert_eq!(commands(&pair, CENTRAL), without);
}

#[test]
fn a_central_finds_the_name_and_connects() {
    let mut pair = Pair::new(personality(PLENTY), personality(PLENTY));
    let scan = |except| Request::Scan { name: NAME, timeout: Duration::from_secs(15), except };
    // Requests before Ready queue behind start-up.
    pair.request(PERIPHERAL, Request::Advertise { name: NAME, interval: Duration::from_millis(100) });
    pair.settle();
    let peer = pair.address(PERIPHERAL);
    pair.request(CENTRAL, scan(&[]));
    assert_eq!(pair.hosts[CENTRAL].request(pair.now, scan(&[])), Err(Refused::Busy));
    pair.settle();
    assert_eq!(pair.events[CENTRAL], [HostEvent::Ready, HostEvent::Found { peer }]);
    pair.request(CENTRAL, connect(peer));
    pair.settle();
    let interval = Duration::from_millis(15);
    let connected = HostEvent::Connected { conn: CONN, role: Role::Central, peer, interval };
    assert_eq!(pair.events[CENTRAL].last(), Some(&connected));
    assert_eq!(pair.hosts[PERIPHERAL].peer(CONN), Some(pair.address(CENTRAL)));

    let started = pair.now;
    pair.request(CENTRAL, scan(&[peer]));
    pair.settle();
    assert_eq!(pair.events[CENTRAL].last(), Some(&HostEvent::ScanTimeout), "the only device is excepted");
    // The command to stop scanning is answered after the timeout.
    let took = pair.now - started;
    assert!(took >= Duration::from_secs(15) && took < Duration::from_millis(15_001), "{took}");
}

#[test]
fn an_attempt_at_a_connection_is_given_up_when_its_time_is_up() {
    for gives_up_after in [Some(Duration::from_secs(3)), None] {
        let mut host = personality(PLENTY);
        host.intervals.gives_up_after = gives_up_after;
        let mut pair = Pair::new(host, host);
        pair.settle();
        let started = pair.now;
        pair.request(CENTRAL, connect([9; 6]));
        pair.settle();
        let given_up = commands(&pair, CENTRAL).last() == Some(&"HCI_LE_Create_Connection_Cancel");
        assert_eq!(given_up, gives_up_after.is_some());
        let took = pair.now - started;
        assert_eq!(took >= Duration::from_secs(3), given_up, "{took}");
    }
}

#[test]
fn the_first_interval_is_the_personalitys_business() {
    let apple = |application_chooses, off_grid| {
        let mut host = personality(PLENTY);
        host.intervals.multiple_of = Duration::from_millis(20);
        (host.intervals.application_chooses, host.intervals.off_grid) = (application_chooses, off_grid);
        host
    };
    // 15 ms is asked for, the grid is 20 ms, the initial interval 30 ms.
    let table = [(true, OffGrid::Adjust, 20), (true, OffGrid::Reject, 30), (false, OffGrid::Adjust, 30)];
    for (chooses, off_grid, ms) in table {
        let pair = Pair::connected(apple(chooses, off_grid));
        let is = |event: &HostEvent| matches!(event, HostEvent::Connected { interval, .. } if *interval == Duration::from_millis(ms));
        assert!(pair.events[CENTRAL].iter().any(is), "{chooses} {off_grid:?}: {:?}", pair.events[CENTRAL]);
    }
}

#[test]
fn a_parameter_request_is_answered_by_the_grid() {
    let mut host = personality(PLENTY);
    (host.intervals.multiple_of, host.intervals.off_grid) = (Duration::from_millis(15), OffGrid::Reject);
    let mut pair = Pair::connected(host);
    let request = |pair: &Pair, units: u16| {
        let mut request = event::le_event(&pair.pool, 0x06);
        [CONN, units, units, 0, 400].iter().for_each(|word| request.put_u16(*word));
        event::finish(request)
    };
    for (units, answer) in [(24, opcode::LE_PARAMETER_REQUEST_REPLY), (9, opcode::LE_PARAMETER_REQUEST_NEGATIVE_REPLY)]
    {
        let packet = request(&pair, units);
        pair.deliver(CENTRAL, packet);
        pair.settle();
        let last = pair.sent[CENTRAL].last().unwrap();
        assert_eq!(last[1..3], answer.0.to_le_bytes(), "{units}");
    }
    assert_eq!(pair.sent[CENTRAL].last().unwrap()[4..], [0x40, 0, 0x3b]);
    // The same by L2CAP: 12 × 1.25 ms is accepted and carried out, 9 × 1.25 ms is not.
    for (units, result) in [(12, 0), (9, 1)] {
        let from = pair.sent[CENTRAL].len();
        pair.inject(CENTRAL, 5, &[0x12, 3, 8, 0, units, 0, units, 0, 0, 0, 0x90, 1]);
        pair.settle();
        assert_eq!(pair.acl_sent(CENTRAL, from), [[6, 0, 5, 0, 0x13, 3, 2, 0, result, 0]]);
        let updates = pair.sent[CENTRAL][from..].iter().filter(|packet| packet[0] == crate::hci::COMMAND).count();
        assert_eq!(updates, usize::from(result == 0));
    }
}

#[test]
fn an_interval_off_the_grid_is_refused_at_home() {
    let mut host = personality(PLENTY);
    (host.intervals.multiple_of, host.intervals.off_grid) = (Duration::from_millis(15), OffGrid::Reject);
    let mut pair = Pair::connected(host);
    let (interval, supervision_timeout) = (Duration::from_micros(11_250), Duration::from_secs(4));
    pair.request(
        CENTRAL,
        Request::UpdateInterval { conn: CONN, shortest: interval, interval, latency: 0, supervision_timeout },
    );
    let refused = HostEvent::IntervalUpdated {
        conn: CONN,
        status: Status::UNACCEPTABLE_PARAMETERS,
        interval: Duration::from_millis(15),
    };
    assert_eq!(pair.events[CENTRAL].last(), Some(&refused));
}

#[test]
fn without_the_ll_procedure_a_peripheral_asks_by_l2cap() {
    let mut host = personality(PLENTY);
    (host.intervals.multiple_of, host.intervals.off_grid) = (Duration::from_millis(15), OffGrid::Reject);
    // 30 ms is carried out by the central, 20 ms is refused.
    for (ms, granted) in [(30, true), (20, false)] {
        let mut pair = Pair::connected(host);
        let (interval, supervision_timeout) = (Duration::from_millis(ms), Duration::from_secs(4));
        pair.request(
            PERIPHERAL,
            Request::UpdateInterval { conn: CONN, shortest: interval, interval, latency: 0, supervision_timeout },
        );
        let mut failed = event::le_event(&pair.pool, event::LE_CONNECTION_UPDATE_COMPLETE);
        failed.put(&[Status::UNSUPPORTED_REMOTE_FEATURE.0, 0x40, 0, 12, 0, 0, 0, 0x90, 1]);
        pair.deliver(PERIPHERAL, event::finish(failed));
        pair.settle();
        let updates = commands(&pair, CENTRAL).contains(&"HCI_LE_Connection_Update");
        let refused = HostEvent::IntervalUpdated {
            conn: CONN,
            status: Status::UNACCEPTABLE_PARAMETERS,
            interval: Duration::from_millis(15),
        };
        assert_eq!((updates, pair.events[PERIPHERAL].last() == Some(&refused)), (granted, !granted));
    }
}

#[test]
fn commands_are_the_bytes_the_specification_gives() {
    let mut pair = Pair::connected(personality(PLENTY));
    let from = pair.sent[CENTRAL].len();
    pair.request(CENTRAL, Request::SetPhy { conn: CONN, phy: crate::air::Phy::LeCodedS2 });
    pair.request(CENTRAL, Request::SetDataLength { conn: CONN, octets: 251 });
    pair.request(CENTRAL, Request::SetFrameSpace { conn: CONN, space: Duration::from_micros(52) });
    pair.settle();
    let golden: [&[u8]; 3] = [
        &[1, 0x32, 0x20, 7, 0x40, 0, 0, 4, 4, 1, 0],
        &[1, 0x22, 0x20, 6, 0x40, 0, 251, 0, 0x90, 0x42],
        &[1, 0x9d, 0x20, 9, 0x40, 0, 52, 0, 52, 0, 7, 3, 0],
    ];
    assert_eq!(pair.sent[CENTRAL][from..], golden);
}

#[test]
fn channels_open_and_close() {
    let mut pair = Pair::with_channel(personality(PLENTY));
    let opened =
        HostEvent::ChannelOpened { conn: CONN, channel: 0x40, peer_mtu: 2000, peer_mps: 247, initial_credits: 10 };
    assert_eq!(pair.events[CENTRAL].last(), Some(&opened));
    assert_eq!(pair.events[PERIPHERAL].last(), Some(&opened));
    pair.request(PERIPHERAL, Request::OpenChannel { conn: CONN, psm: PSM });
    pair.settle();
    let refused = |code| HostEvent::ChannelClosed { conn: CONN, channel: 0x41, reason: ChannelEnd::Refused(code) };
    assert_eq!(pair.events[PERIPHERAL].last(), Some(&refused(2)), "the central does not listen");

    pair.request(CENTRAL, Request::CloseChannel { conn: CONN, channel: 0x40 });
    pair.settle();
    let closed = |reason| HostEvent::ChannelClosed { conn: CONN, channel: 0x40, reason };
    assert_eq!(pair.events[CENTRAL].last(), Some(&closed(ChannelEnd::ByUs)));
    assert_eq!(pair.events[PERIPHERAL].last(), Some(&closed(ChannelEnd::ByPeer)));
    let again = pair.hosts[CENTRAL].request(pair.now, Request::CloseChannel { conn: CONN, channel: 0x40 });
    assert_eq!(again, Err(Refused::UnknownChannel));
}

#[test]
fn a_lost_link_gives_everything_back() {
    let mut pair = Pair::with_channel(personality(PLENTY));
    for _ in 0..8 {
        pair.request(CENTRAL, Request::SendSdu { conn: CONN, channel: 0x40, sdu: &[9; 600] });
    }
    assert_eq!((pair.hosts[CENTRAL].free_acl_buffers(), pair.hosts[CENTRAL].free_l2cap_buffers()), (0, 3));
    let mut gone = event::event(&pair.pool, 0x05);
    gone.put(&[0, 0x40, 0, Status::CONNECTION_TIMEOUT.0]);
    pair.hosts[CENTRAL].on_packet(&event::finish(gone));
    pair.settle();
    assert_eq!((pair.hosts[CENTRAL].free_acl_buffers(), pair.hosts[CENTRAL].free_l2cap_buffers()), (3, 6));
    let lost = HostEvent::ChannelClosed { conn: CONN, channel: 0x40, reason: ChannelEnd::LinkLost };
    let disconnected = HostEvent::Disconnected { conn: CONN, reason: Status::CONNECTION_TIMEOUT };
    assert_eq!(pair.events[CENTRAL][pair.events[CENTRAL].len() - 2..], [lost, disconnected]);
}
