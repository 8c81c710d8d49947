//! Connection events to the nanosecond: who sends what when, and what ends the event.

use airtime_ble::air::Phy;
use airtime_ble::hci::{event, opcode};
use airtime_ble::personality::{Budget, Controller};
use airtime_ble::trace::{EventEnd, Trace, Verdict};
use airtime_core::Duration;
use airtime_core::loss::Loss;

use crate::support::{CENTRAL, OnAir, PERIPHERAL, PLAIN, Pair};

/// Start and end in µs, sender, payload, MD.
fn table(packets: &[OnAir]) -> Vec<(u64, u64, char, usize, bool)> {
    let row = |p: &OnAir| {
        assert_eq!((p.start_ns % 1000, p.end_ns % 1000), (0, 0), "whole microseconds: {p:?}");
        (p.start_ns / 1000, p.end_ns / 1000, if p.from_central { 'C' } else { 'P' }, p.payload, p.header.md)
    };
    packets.iter().map(row).collect()
}

/// The packets of the first event in which `payload` was sent.
fn event_with(packets: &[OnAir], payload: usize) -> Vec<OnAir> {
    let event = packets.iter().find(|p| p.payload == payload).expect("the data was sent").event;
    packets.iter().filter(|p| p.event == event).copied().collect()
}

#[test]
fn an_idle_event_is_one_exchange_on_1m() {
    let mut pair = Pair::connected(12);
    pair.run(Duration::from_millis(200));
    pair.taken();
    pair.run(Duration::from_millis(45));
    let packets = pair.taken();
    assert_eq!(packets.len(), 6);
    for exchange in packets.chunks(2) {
        assert_eq!(table(exchange), [(0, 80, 'C', 0, false), (230, 310, 'P', 0, false)]);
    }
    let anchors: Vec<u64> = packets.iter().step_by(2).map(|p| p.at.as_nanos()).collect();
    assert!(anchors.windows(2).all(|a| a[1] - a[0] == 15_000_000), "{anchors:?}");
}

#[test]
fn three_full_pdus_on_2m() {
    let mut pair = Pair::connected(12);
    pair.fast();
    pair.taken();
    for _ in 0..3 {
        pair.acl(PERIPHERAL, 251);
    }
    pair.run(Duration::from_millis(45));
    let packets = pair.taken();
    // 44 µs empty, 150 µs gap, 1048 µs of 251 octets, 150 µs gap: 1392 µs an exchange.
    assert_eq!(
        table(&event_with(&packets, 251)),
        [
            (0, 44, 'C', 0, false),
            (194, 1242, 'P', 251, true),
            (1392, 1436, 'C', 0, false),
            (1586, 2634, 'P', 251, true),
            (2784, 2828, 'C', 0, false),
            (2978, 4026, 'P', 251, false),
        ]
    );
    assert_eq!(pair.script(CENTRAL).received().len(), 3 * 251);
}

#[test]
fn the_last_acknowledgement_waits_for_the_next_event_and_buffers_come_back() {
    let mut pair = Pair::connected(12);
    pair.fast();
    pair.acl(PERIPHERAL, 251);
    pair.run(Duration::from_millis(40));
    let completed = pair.script(PERIPHERAL).plain_event(event::NUMBER_OF_COMPLETED_PACKETS);
    assert_eq!(completed, Some(&[1, 0, 0, 1, 0][..]));
}

#[test]
fn lengths_start_at_27_octets() {
    let mut pair = Pair::connected(12);
    pair.run(Duration::from_millis(100));
    pair.taken();
    pair.acl(CENTRAL, 60);
    pair.run(Duration::from_millis(45));
    let packets = event_with(&pair.taken(), 27);
    // 296 µs of 27 octets, 150, 80, 150 on 1M.
    assert_eq!(
        table(&packets),
        [
            (0, 296, 'C', 27, true),
            (446, 526, 'P', 0, false),
            (676, 972, 'C', 27, true),
            (1122, 1202, 'P', 0, false),
            (1352, 1480, 'C', 6, false),
            (1630, 1710, 'P', 0, false),
        ]
    );
}

#[test]
fn sequence_numbers_alternate() {
    let mut pair = Pair::connected(12);
    pair.run(Duration::from_millis(200));
    let packets = pair.taken();
    for role in [true, false] {
        let bits: Vec<bool> = packets.iter().filter(|p| p.from_central == role).map(|p| p.header.sn).collect();
        assert!(bits.windows(2).all(|b| b[0] != b[1]), "{bits:?}");
    }
    assert!(packets.iter().all(|p| p.verdict == Verdict::New));
}

#[test]
fn frame_space_shortens_every_gap() {
    let mut pair = Pair::connected(12);
    pair.fast();
    pair.command(CENTRAL, opcode::LE_FRAME_SPACE_UPDATE, &[0, 0, 52, 0, 150, 0, 7, 3, 0]);
    pair.run(Duration::from_millis(300));
    let complete = pair.script(CENTRAL).le_event(event::LE_FRAME_SPACE_UPDATE_COMPLETE).expect("an answer");
    assert_eq!(complete, [0, 0, 0, 0, 52, 0, 7, 3, 0]);
    pair.taken();
    pair.acl(PERIPHERAL, 251);
    pair.acl(PERIPHERAL, 251);
    pair.run(Duration::from_millis(45));
    assert_eq!(
        table(&event_with(&pair.taken(), 251)),
        [
            (0, 44, 'C', 0, false),
            (96, 1144, 'P', 251, true),
            (1196, 1240, 'C', 0, false),
            (1292, 2340, 'P', 251, false)
        ]
    );
}

#[test]
fn encryption_adds_four_octets_to_data_and_none_to_empty_pdus() {
    let mut pair = Pair::connected(12);
    pair.fast();
    let mut enable = vec![0, 0];
    enable.extend([0; 10]);
    enable.extend([7; 16]);
    pair.command(CENTRAL, opcode::LE_ENABLE_ENCRYPTION, &enable);
    pair.run(Duration::from_millis(100));
    assert!(pair.script(PERIPHERAL).le_event(event::LE_LONG_TERM_KEY_REQUEST).is_some());
    let mut reply = vec![0, 0];
    reply.extend([7; 16]);
    pair.command(PERIPHERAL, opcode::LE_LONG_TERM_KEY_REPLY, &reply);
    pair.run(Duration::from_millis(200));
    for device in [CENTRAL, PERIPHERAL] {
        assert_eq!(pair.script(device).plain_event(event::ENCRYPTION_CHANGE), Some(&[0, 0, 0, 1][..]));
    }
    pair.taken();
    pair.acl(PERIPHERAL, 251);
    pair.run(Duration::from_millis(45));
    let packets = event_with(&pair.taken(), 255);
    assert_eq!(table(&packets), [(0, 44, 'C', 0, false), (194, 1258, 'P', 255, false)]);
    assert_eq!(pair.script(CENTRAL).received().len(), 251);
}

#[test]
fn a_wrong_key_ends_the_connection_with_a_mic_failure() {
    let mut pair = Pair::connected(12);
    let mut enable = vec![0, 0];
    enable.extend([0; 10]);
    enable.extend([7; 16]);
    pair.command(CENTRAL, opcode::LE_ENABLE_ENCRYPTION, &enable);
    pair.run(Duration::from_millis(200));
    let mut reply = vec![0, 0];
    reply.extend([8; 16]);
    pair.command(PERIPHERAL, opcode::LE_LONG_TERM_KEY_REPLY, &reply);
    pair.run(Duration::from_secs(6));
    let reason = |device| pair.script(device).plain_event(event::DISCONNECTION_COMPLETE).map(|p| p[3]);
    assert_eq!(reason(PERIPHERAL), Some(0x3d), "START_ENC_RSP has the first MIC that is wrong");
    assert_eq!(reason(CENTRAL), Some(0x08));
}

/// How many exchanges a full event has at 15 ms, peripheral to central, and how the sides said it ended.
fn full_event(central: Controller, peripheral: Controller) -> (u16, Vec<(usize, EventEnd)>) {
    let mut pair = Pair::new(central, peripheral, Loss::None);
    pair.connect(12, 0);
    pair.fast();
    for _ in 0..20 {
        pair.acl(PERIPHERAL, 251);
    }
    pair.log().traces.clear();
    pair.run(Duration::from_millis(29));
    let closed: Vec<(u16, usize, EventEnd, u16)> = pair
        .log()
        .traces
        .iter()
        .filter_map(|(device, trace)| match trace {
            Trace::EventClosed { counter, end, exchanges, .. } => Some((*counter, *device, *end, *exchanges)),
            _ => None,
        })
        .collect();
    let most = closed.iter().filter(|c| c.1 == CENTRAL).max_by_key(|c| c.3).expect("an event was closed");
    (most.3, closed.iter().filter(|c| c.0 == most.0).map(|c| (c.1, c.2)).collect())
}

#[test]
fn the_rules_end_an_event() {
    // Ten exchanges end at 13,770 µs plus a gap; an eleventh reply would end at 15,162 µs.
    let cuts = Controller { prepare_lead: Some(Duration::from_micros(275)), ..PLAIN };
    assert_eq!(full_event(cuts, cuts), (10, vec![(PERIPHERAL, EventEnd::Tail), (CENTRAL, EventEnd::Tail)]));
    let zephyr = Controller { margin: Duration::from_micros(281), ..PLAIN };
    assert_eq!(full_event(zephyr, zephyr), (10, vec![(PERIPHERAL, EventEnd::Tail), (CENTRAL, EventEnd::Silence)]));
    // A peripheral that budgets a full packet from its central holds back after nine.
    let budget = Controller { margin: Duration::from_micros(304), budget: Budget::FullReply, ..PLAIN };
    assert_eq!(full_event(zephyr, budget), (9, vec![(PERIPHERAL, EventEnd::Tail), (CENTRAL, EventEnd::Empty)]));
    let capped = Controller { event_time_cap: Some(Duration::from_micros(5500)), ..zephyr };
    assert_eq!(full_event(capped, zephyr).0, 4);
    assert!(full_event(capped, zephyr).1.contains(&(CENTRAL, EventEnd::Cap)));
    let counted = Controller { event_pdu_cap: Some(3), ..zephyr };
    assert_eq!(full_event(counted, zephyr).0, 3);
}

#[test]
fn two_wrong_crcs_close_an_event_and_silence_ends_the_connection() {
    let mut pair = Pair::new(PLAIN, PLAIN, Loss::None);
    pair.connect(12, 0);
    pair.run(Duration::from_millis(100));
    let lossy = airtime_core::loss::LossProcess::new(Loss::Packet { per: 1.0 }, airtime_core::random::stream(1, "x"));
    pair.network.medium.set_loss(lossy);
    pair.run(Duration::from_secs(5));
    for device in [CENTRAL, PERIPHERAL] {
        let gone = pair.script(device).plain_event(event::DISCONNECTION_COMPLETE).expect("supervision timeout");
        assert_eq!(gone[3], 0x08);
    }
    assert!(pair.handle(CENTRAL).is_none() && pair.handle(PERIPHERAL).is_none());
}

#[test]
fn phy_and_interval_change_at_their_instants_on_both_sides() {
    let mut pair = Pair::connected(12);
    pair.fast();
    let mut update = vec![0, 0];
    for field in [24u16, 24, 0, 400, 0, 0] {
        update.extend(field.to_le_bytes());
    }
    pair.command(CENTRAL, opcode::LE_CONNECTION_UPDATE, &update);
    pair.run(Duration::from_secs(1));
    for device in [CENTRAL, PERIPHERAL] {
        let done = pair.script(device).le_event(event::LE_CONNECTION_UPDATE_COMPLETE).expect("an update");
        assert_eq!(done, [0, 0, 0, 24, 0, 0, 0, 0x90, 1]);
    }
    let packets = pair.taken();
    let anchors: Vec<u64> = packets.iter().filter(|p| p.from_central).map(|p| p.at.as_nanos()).collect();
    let steps: std::collections::BTreeSet<u64> = anchors.windows(2).map(|a| a[1] - a[0]).collect();
    assert!(steps.contains(&15_000_000) && steps.contains(&30_000_000), "{steps:?}");
    assert_eq!(packets.last().map(|p| p.phy), Some(Phy::Le2M));
}

/// Nothing is planned to fit: what is on the air when the next event is prepared is switched off, and comes again. 275 us and 26 before
/// the anchor at the central; at the peripheral another 48, less what its receive chain takes.
#[test]
fn a_cut_packet_comes_again_first_in_the_next_event() {
    let cuts = Controller { prepare_lead: Some(Duration::from_micros(275)), ..PLAIN };
    let mut pair = Pair::new(cuts, cuts, Loss::None);
    pair.connect(12, 0);
    pair.fast();
    pair.taken();
    for _ in 0..20 {
        pair.acl(PERIPHERAL, 251);
    }
    pair.run(Duration::from_millis(44));
    let packets = pair.taken();
    let cut = packets.iter().find(|p| p.verdict == Verdict::Cut).copied().expect("the eleventh reply does not fit");
    let event: Vec<_> = packets.iter().filter(|p| p.event == cut.event).copied().collect();
    let last = event.last().expect("the cut packet is in it");
    assert_eq!((last.payload, event.len(), event.iter().filter(|p| p.verdict == Verdict::New).count()), (251, 22, 21));
    let lead = 15_000_000 - cut.end_ns;
    assert!((335_000..=350_000).contains(&lead), "the peripheral's radio is off {lead} ns before the anchor");
    let next: Vec<_> = packets.iter().filter(|p| p.event == cut.event.wrapping_add(1)).copied().collect();
    let again = |p: &OnAir| (p.from_central, p.payload, p.header.sn, p.verdict);
    let sent = event.iter().rev().take(2).collect::<Vec<_>>();
    // The central's packet had arrived: its peripheral finds it doubled. The reply had not.
    assert_eq!(again(&next[0]), (true, 0, sent[1].header.sn, Verdict::Duplicate));
    assert_eq!(again(&next[1]), (false, 251, sent[0].header.sn, Verdict::New));
}

/// The second wrong CRC in a row ends the event: with a reply where the personality says so, and without one else.
#[test]
fn a_peripheral_answers_the_packet_that_closes_its_event_or_does_not() {
    for (replies, expected) in [(true, 2), (false, 1)] {
        let controller = Controller { crc_errors_reply: replies, ..PLAIN };
        let mut pair = Pair::new(controller, controller, Loss::None);
        pair.connect(12, 0);
        pair.run(Duration::from_millis(100));
        for _ in 0..20 {
            pair.acl(CENTRAL, 27);
        }
        let spoils = airtime_core::loss::LossProcess::new(
            Loss::Shares { miss: 0.0, damage: 1.0 },
            airtime_core::random::stream(1, "x"),
        );
        pair.network.medium.set_loss_at(PERIPHERAL, spoils);
        pair.taken();
        pair.run(Duration::from_millis(45));
        let packets = pair.taken();
        let event = packets[packets.len() / 2].event;
        let replies = packets.iter().filter(|p| p.event == event && !p.from_central).count();
        assert_eq!(replies, expected, "{packets:?}");
    }
}
