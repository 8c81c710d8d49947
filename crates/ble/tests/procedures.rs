//! Control procedures between two controllers, as their hosts see them.

use airtime_ble::hci::{Status, event, opcode};
use airtime_ble::personality::Controller;
use airtime_ble::trace::Verdict;
use airtime_core::Duration;
use airtime_core::loss::Loss;

use crate::support::{CENTRAL, PERIPHERAL, PLAIN, Pair};

fn words(head: &[u8], fields: &[u16]) -> Vec<u8> {
    head.iter().copied().chain(fields.iter().flat_map(|f| f.to_le_bytes())).collect()
}

#[test]
fn features_and_versions_are_exchanged_from_either_side() {
    for device in [CENTRAL, PERIPHERAL] {
        let mut pair = Pair::connected(12);
        pair.command(device, opcode::LE_READ_REMOTE_FEATURES, &[0, 0]);
        pair.command(device, opcode::READ_REMOTE_VERSION, &[0, 0]);
        pair.run(Duration::from_millis(300));
        let features = pair.script(device).le_event(event::LE_READ_REMOTE_FEATURES_COMPLETE).expect("features");
        // Encryption, parameter request, reject, peripheral features, length, 2M, coded, CSA#2.
        assert_eq!(features, [0, 0, 0, 0x2f, 0x49, 0, 0, 0, 0, 0, 0]);
        let version = pair.script(device).plain_event(event::READ_REMOTE_VERSION_COMPLETE).expect("a version");
        assert_eq!(version[..4], [0, 0, 0, 0x0e]);
        // The second time the answer is known, and comes behind the command status.
        pair.command(device, opcode::READ_REMOTE_VERSION, &[0, 0]);
        let tail: Vec<u8> = pair.script(device).heard.iter().rev().take(2).map(|p| p[1]).collect();
        assert_eq!(tail, [event::READ_REMOTE_VERSION_COMPLETE, event::COMMAND_STATUS]);
    }
}

#[test]
fn a_peripheral_asks_for_parameters_and_gets_them_or_not() {
    let ask = words(&[0, 0], &[24, 24, 0, 400, 0, 0]);
    for accept in [true, false] {
        let mut pair = Pair::connected(12);
        pair.command(PERIPHERAL, opcode::LE_CONNECTION_UPDATE, &ask);
        pair.run(Duration::from_millis(100));
        let asked = pair.script(CENTRAL).le_event(event::LE_REMOTE_PARAMETER_REQUEST).expect("a request");
        assert_eq!(asked, words(&[0, 0], &[24, 24, 0, 400]));
        let (status, interval) = if accept {
            pair.command(CENTRAL, opcode::LE_PARAMETER_REQUEST_REPLY, &ask);
            (Status::SUCCESS, 24)
        } else {
            let reason = Status::UNACCEPTABLE_PARAMETERS;
            pair.command(CENTRAL, opcode::LE_PARAMETER_REQUEST_NEGATIVE_REPLY, &[0, 0, reason.0]);
            (reason, 12)
        };
        pair.run(Duration::from_millis(400));
        let done = pair.script(PERIPHERAL).le_event(event::LE_CONNECTION_UPDATE_COMPLETE).expect("an answer");
        assert_eq!(done, words(&[status.0, 0, 0], &[interval, 0, 400]));
    }
}

#[test]
fn a_central_without_the_parameter_request_says_so() {
    let mut pair = Pair::new(Controller { parameter_request: false, ..PLAIN }, PLAIN, Loss::None);
    pair.connect(12, 0);
    pair.command(PERIPHERAL, opcode::LE_CONNECTION_UPDATE, &words(&[0, 0], &[24, 24, 0, 400, 0, 0]));
    pair.run(Duration::from_millis(300));
    let done = pair.script(PERIPHERAL).le_event(event::LE_CONNECTION_UPDATE_COMPLETE).expect("an answer");
    assert_eq!(done[0], Status::UNSUPPORTED_REMOTE_FEATURE.0);
}

#[test]
fn a_channel_map_leaves_only_its_channels() {
    let mut pair = Pair::connected(12);
    pair.command(CENTRAL, opcode::LE_SET_CHANNEL_CLASSIFICATION, &[0b1010_0001, 0, 0, 0, 0]);
    pair.run(Duration::from_millis(300));
    pair.taken();
    pair.run(Duration::from_secs(3));
    let channels: std::collections::BTreeSet<u8> = pair.taken().iter().map(|p| p.channel).collect();
    assert_eq!(channels.into_iter().collect::<Vec<_>>(), [0, 5, 7]);
    pair.command(CENTRAL, opcode::LE_READ_CHANNEL_MAP, &[0, 0]);
    let map = pair.script(CENTRAL).plain_event(event::COMMAND_COMPLETE).expect("a map");
    assert_eq!(map[6..], [0b1010_0001, 0, 0, 0, 0]);
}

#[test]
fn either_side_terminates_and_each_is_told_why() {
    for device in [CENTRAL, PERIPHERAL] {
        let mut pair = Pair::connected(12);
        pair.command(device, opcode::DISCONNECT, &[0, 0, 0x13]);
        pair.run(Duration::from_millis(100));
        let reason = |d| pair.script(d).plain_event(event::DISCONNECTION_COMPLETE).map(|p| p[3]);
        assert_eq!(reason(device), Some(Status::LOCAL_HOST_TERMINATED.0));
        assert_eq!(reason(1 - device), Some(0x13));
    }
}

#[test]
fn two_procedures_at_once_both_end() {
    let mut pair = Pair::connected(12);
    pair.command(CENTRAL, opcode::LE_SET_PHY, &[0, 0, 0, 2, 2, 0, 0]);
    pair.command(PERIPHERAL, opcode::LE_CONNECTION_UPDATE, &words(&[0, 0], &[24, 24, 0, 400, 0, 0]));
    pair.command(PERIPHERAL, opcode::LE_SET_DATA_LENGTH, &[0, 0, 251, 0, 0x48, 0x08]);
    pair.run(Duration::from_secs(1));
    let phy = pair.script(CENTRAL).le_event(event::LE_PHY_UPDATE_COMPLETE).expect("a PHY");
    assert_eq!(phy, [0, 0, 0, 2, 2]);
    let refused = pair.script(PERIPHERAL).le_event(event::LE_CONNECTION_UPDATE_COMPLETE).expect("an answer");
    assert_eq!(refused[0], Status::DIFFERENT_TRANSACTION_COLLISION.0, "the central goes first");
    assert!(pair.script(PERIPHERAL).le_event(event::LE_DATA_LENGTH_CHANGE).is_some());
}

/// Octets that the peripheral may send on a connection of two such controllers, whose hosts ask for nothing, and on one whose
/// central asks.
fn unasked(personality: Controller) -> [Option<u16>; 2] {
    [false, true].map(|asks| {
        let mut pair = Pair::new(personality, personality, Loss::None);
        pair.connect(12, 0);
        if asks {
            pair.command(CENTRAL, opcode::LE_SET_DATA_LENGTH, &[0, 0, 251, 0, 0x48, 0x08]);
        }
        pair.run(Duration::from_millis(200));
        let changed = pair.script(PERIPHERAL).le_event(event::LE_DATA_LENGTH_CHANGE);
        changed.map(|fields| u16::from_le_bytes([fields[2], fields[3]]))
    })
}

#[test]
fn a_controller_answers_with_what_it_suggests_and_may_begin_by_itself() {
    let quiet = Controller { suggested_octets: 27, begins_data_length: false, ..PLAIN };
    assert_eq!(unasked(quiet), [None, Some(27)]);
    assert_eq!(unasked(Controller { suggested_octets: 100, ..quiet }), [None, Some(100)]);
    assert_eq!(unasked(Controller { suggested_octets: 100, begins_data_length: true, ..quiet }), [Some(100); 2]);
    let nothing_to_ask = Controller { begins_data_length: true, ..quiet };
    assert_eq!(unasked(nothing_to_ask), [None, Some(27)], "27 octets need no procedure");
}

#[test]
fn the_frame_space_belongs_to_its_phy() {
    let mut pair = Pair::connected(12);
    // 52 µs on 2M only, while the link is on 1M.
    pair.command(CENTRAL, opcode::LE_FRAME_SPACE_UPDATE, &[0, 0, 52, 0, 150, 0, 2, 3, 0]);
    pair.run(Duration::from_millis(200));
    pair.taken();
    pair.run(Duration::from_millis(20));
    assert_eq!(pair.taken()[1].start_ns, 230_000, "80 µs and T_IFS on 1M");
    pair.command(CENTRAL, opcode::LE_SET_PHY, &[0, 0, 0, 2, 2, 0, 0]);
    pair.run(Duration::from_millis(300));
    pair.taken();
    pair.run(Duration::from_millis(20));
    assert_eq!(pair.taken()[1].start_ns, 96_000, "44 µs and 52 µs on 2M");
}

#[test]
fn a_host_without_room_holds_the_air_back() {
    let mut pair = Pair::connected(12);
    pair.command(PERIPHERAL, opcode::SET_CONTROLLER_TO_HOST_FLOW_CONTROL, &[1]);
    pair.command(PERIPHERAL, opcode::HOST_BUFFER_SIZE, &words(&[251, 0, 0], &[2, 0]));
    for _ in 0..14 {
        pair.acl(CENTRAL, 20);
    }
    pair.run(Duration::from_millis(300));
    // Two went up, the controller holds eight, and the next one is refused over and over.
    assert_eq!(pair.script(PERIPHERAL).received().len(), 2 * 20);
    let refused = pair.taken().iter().filter(|p| p.verdict == Verdict::Refused).count();
    assert!(refused > 10, "{refused}");
    for _ in 0..12 {
        pair.command(PERIPHERAL, opcode::HOST_NUMBER_OF_COMPLETED_PACKETS, &words(&[1], &[0, 1]));
        pair.run(Duration::from_millis(40));
    }
    assert_eq!(pair.script(PERIPHERAL).received().len(), 14 * 20, "nothing was lost");
}

#[test]
fn peripheral_latency_skips_idle_events_only() {
    let mut pair = Pair::new(PLAIN, PLAIN, Loss::None);
    pair.connect(12, 4);
    pair.run(Duration::from_millis(500));
    pair.taken();
    pair.run(Duration::from_millis(1500));
    let packets = pair.taken();
    let answered = packets.iter().filter(|p| !p.from_central).count();
    let opened = packets.iter().filter(|p| p.from_central).count();
    assert_eq!((opened, answered), (100, 20), "one event of five");
    pair.acl(PERIPHERAL, 20);
    pair.run(Duration::from_millis(40));
    assert_eq!(pair.script(CENTRAL).received().len(), 20, "data does not wait for the fifth event");
}

#[test]
fn unknown_and_malformed_commands_get_the_status_they_are_due() {
    let mut pair = Pair::connected(12);
    let status_of = |pair: &Pair, code| pair.script(CENTRAL).plain_event(code).map(<[u8]>::to_vec);
    pair.command(CENTRAL, airtime_ble::hci::Opcode(0xfc01), &[]);
    assert_eq!(status_of(&pair, event::COMMAND_STATUS), Some(vec![0x01, 1, 0x01, 0xfc]));
    pair.command(CENTRAL, opcode::LE_SET_EVENT_MASK, &[1, 2]);
    assert_eq!(status_of(&pair, event::COMMAND_COMPLETE), Some(vec![1, 0x01, 0x20, 0x12]));
    pair.command(CENTRAL, opcode::DISCONNECT, &[9, 0, 0x13]);
    assert_eq!(status_of(&pair, event::COMMAND_STATUS), Some(vec![0x02, 1, 0x06, 0x04]));
    pair.command(CENTRAL, opcode::LE_SET_PHY, &[0, 0]);
    assert_eq!(status_of(&pair, event::COMMAND_STATUS), Some(vec![0x12, 1, 0x32, 0x20]));
}
