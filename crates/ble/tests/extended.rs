//! Extended advertising, scanning and initiating: what hosts say and hear, and what is on the air to the microsecond.

use airtime_ble::air::Phy;
use airtime_ble::hci::{Status, event, opcode};
use airtime_ble::ll::extended::{AUX_CONNECT_RSP, EXTENDED, Extended};
use airtime_core::Duration;
use airtime_core::loss::Loss;

use crate::support::{Advertised, CENTRAL, PERIPHERAL, PLAIN, Pair};

/// The public addresses `Pair` gives.
const CENTRAL_PUBLIC: [u8; 6] = [0, 0, 0, 0, 0, 0xc0];
const PERIPHERAL_PUBLIC: [u8; 6] = [1, 0, 0, 0, 0, 0xc0];

const CONNECTABLE: u16 = 1;
const SCANNABLE: u16 = 2;
const LEGACY_ADV_IND: u16 = 0x13;

fn pair() -> Pair {
    Pair::new(PLAIN, PLAIN, Loss::None)
}

/// Parameters of a set: 100 ms, all channels, public address, SID 5 more than the handle.
fn parameters(handle: u8, properties: u16, phys: (u8, u8)) -> Vec<u8> {
    let [low, high] = properties.to_le_bytes();
    let mut params = vec![handle, low, high, 0xa0, 0, 0, 0xa0, 0, 0, 7, 0, 0];
    params.extend([0; 6]);
    params.extend([0, 0x7f, phys.0, 0, phys.1, 5 + handle, 0]);
    params
}

fn set_up(pair: &mut Pair, handle: u8, properties: u16, phys: (u8, u8)) {
    let (status, power) =
        pair.ask(PERIPHERAL, opcode::LE_SET_EXT_ADV_PARAMETERS, &parameters(handle, properties, phys));
    assert_eq!((status, power), (0, vec![0]));
}

/// Takes data in one piece, or the operation `fragment` says.
fn data(pair: &mut Pair, handle: u8, response: bool, fragment: u8, data: &[u8]) -> u8 {
    let opcode = if response { opcode::LE_SET_EXT_SCAN_RESPONSE_DATA } else { opcode::LE_SET_EXT_ADV_DATA };
    pair.ask(PERIPHERAL, opcode, &[&[handle, fragment, 1, data.len() as u8], data].concat()).0
}

fn enable(pair: &mut Pair, handle: u8, duration: u16, events: u8) -> u8 {
    let [low, high] = duration.to_le_bytes();
    pair.ask(PERIPHERAL, opcode::LE_SET_EXT_ADV_ENABLE, &[1, 1, handle, low, high, events]).0
}

fn scan(pair: &mut Pair, active: u8, duration: u16, period: u16) {
    pair.done(CENTRAL, opcode::LE_SET_EXT_SCAN_PARAMETERS, &[0, 0, 1, active, 0x60, 0, 0x60, 0]);
    let [a, b, c, d] = [duration.to_le_bytes(), period.to_le_bytes()].concat()[..] else { unreachable!() };
    pair.done(CENTRAL, opcode::LE_SET_EXT_SCAN_ENABLE, &[1, 0, a, b, c, d]);
}

/// Connects with 15 ms on 1M and 30 ms on 2M and Coded.
fn create(pair: &mut Pair) -> u8 {
    let mut params = vec![0, 0, 0];
    params.extend(PERIPHERAL_PUBLIC);
    params.push(7);
    for interval in [12u16, 24, 24] {
        [0x60, 0x60, interval, interval, 0, 400, 0, 0].iter().for_each(|word: &u16| params.extend(word.to_le_bytes()));
    }
    pair.ask(CENTRAL, opcode::LE_EXT_CREATE_CONNECTION, &params).0
}

/// Event type, SID, PHYs, and data of an extended report.
type Reported = (u16, u8, (u8, u8), Vec<u8>);

/// Every extended report, in order.
fn reports(pair: &Pair) -> Vec<Reported> {
    let heard =
        pair.script(CENTRAL).heard.iter().filter(|p| p[1] == 0x3e && p[3] == event::LE_EXTENDED_ADVERTISING_REPORT);
    let read = heard.map(|p| {
        let r = &p[4..];
        assert_eq!((r[0], r[3], &r[4..10]), (1, 0, &PERIPHERAL_PUBLIC[..]));
        assert_eq!(r.len(), 25 + usize::from(r[24]));
        (u16::from_le_bytes([r[1], r[2]]), r[12], (r[10], r[11]), r[25..].to_vec())
    });
    read.collect()
}

fn micros(from: &Advertised, to: &Advertised) -> u64 {
    let nanos = (to.start - from.start).as_nanos();
    assert_eq!(nanos % 1_000, 0);
    nanos / 1_000
}

#[test]
fn an_event_points_at_its_auxiliary_packet() {
    let mut pair = pair();
    set_up(&mut pair, 0, 0, (1, 2));
    assert_eq!(data(&mut pair, 0, false, 3, &[7; 100]), 0);
    assert_eq!(enable(&mut pair, 0, 0, 0), 0);
    pair.run(Duration::from_millis(50));
    let air = pair.log().advertised.clone();
    assert_eq!(air.len(), 4);
    // 9 octets on 1M are 136 µs, and 600 µs lie between two of them; 300 µs before the auxiliary packet.
    let starts: Vec<u64> = air.iter().map(|p| micros(&air[0], p)).collect();
    assert_eq!(starts, [0, 736, 1_472, 1_472 + 136 + 300]);
    let places: Vec<_> = air.iter().map(|p| (p.channel, p.phy)).collect();
    assert_eq!(places[..3], [(37, Phy::Le1M), (38, Phy::Le1M), (39, Phy::Le1M)]);
    let auxiliary = &air[3];
    assert!(auxiliary.channel <= 36);
    // 111 octets of payload: 44 µs and 4 µs each.
    assert_eq!((auxiliary.phy, (auxiliary.end - auxiliary.start).as_micros()), (Phy::Le2M, 44 + 4 * 110));
    for primary in &air[..3] {
        let pdu = Extended::parse(&primary.pdu).expect("ADV_EXT_IND");
        let aux = pdu.aux.expect("an AuxPtr");
        let begins = primary.start + aux.offset;
        assert!(begins <= auxiliary.start && auxiliary.start < begins + aux.unit);
        assert_eq!((aux.channel, aux.phy, pdu.advertiser), (auxiliary.channel, Phy::Le2M, None));
        assert_eq!(pdu.adi.map(|adi| adi >> 12), Some(5));
    }
    let pdu = Extended::parse(&auxiliary.pdu).expect("AUX_ADV_IND");
    assert_eq!((pdu.advertiser.map(|a| a.octets), pdu.data), (Some(PERIPHERAL_PUBLIC), &[7; 100][..]));
}

#[test]
fn a_scanner_follows_the_pointer_on_every_phy() {
    for (secondary, phys) in [(1, (1, 1)), (2, (1, 2)), (3, (1, 3))] {
        let mut pair = pair();
        set_up(&mut pair, 0, 0, (1, secondary));
        assert_eq!(data(&mut pair, 0, false, 3, &[9; 229]), 0);
        assert_eq!(enable(&mut pair, 0, 0, 0), 0);
        scan(&mut pair, 1, 0, 0);
        pair.run(Duration::from_millis(250));
        let reports = reports(&pair);
        assert!(reports.len() >= 2, "{}", reports.len());
        assert!(reports.iter().all(|r| *r == (0, 5, phys, vec![9; 229])));
        assert!(pair.script(CENTRAL).le_event(event::LE_ADVERTISING_REPORT).is_none());
    }
}

#[test]
fn a_scannable_event_has_its_data_in_the_response() {
    let mut pair = pair();
    set_up(&mut pair, 0, SCANNABLE, (1, 2));
    assert_eq!(data(&mut pair, 0, false, 3, &[1]), Status::INVALID_PARAMETERS.0, "it takes none");
    assert_eq!(enable(&mut pair, 0, 0, 0), Status::COMMAND_DISALLOWED.0, "no response yet");
    assert_eq!(data(&mut pair, 0, true, 3, &[4; 200]), 0);
    assert_eq!(enable(&mut pair, 0, 0, 0), 0);
    scan(&mut pair, 1, 0, 0);
    pair.run(Duration::from_millis(250));
    let reports = reports(&pair);
    assert_eq!(reports[..2], [(0x02, 5, (1, 2), vec![]), (0x0a, 5, (1, 2), vec![4; 200])]);
    // AUX_SCAN_REQ and AUX_SCAN_RSP each follow T_IFS behind what they answer, where it was.
    let air = pair.log().advertised.clone();
    let asked = air.iter().position(|p| p.header().0 == 3).expect("AUX_SCAN_REQ");
    let [auxiliary, request, response] = &air[asked - 1..=asked + 1] else { unreachable!() };
    for (before, after) in [(auxiliary, request), (request, response)] {
        assert_eq!((after.start - before.end).as_micros(), 150);
        assert_eq!((before.channel, before.phy), (after.channel, after.phy));
    }
}

#[test]
fn a_connection_begins_on_the_phy_of_the_auxiliary_packet() {
    for (secondary, phy, interval, delay) in
        [(1, Phy::Le1M, 12, 2_500), (2, Phy::Le2M, 24, 2_500), (3, Phy::LeCodedS8, 24, 3_750)]
    {
        let mut pair = pair();
        set_up(&mut pair, 7, CONNECTABLE, (1, secondary));
        assert_eq!(enable(&mut pair, 7, 0, 0), 0);
        assert_eq!(create(&mut pair), 0);
        assert!(pair.meet(Duration::from_secs(2)));
        pair.run(Duration::from_millis(200));
        let air = pair.log().advertised.clone();
        let [request, response] = &air[air.len() - 2..] else { unreachable!() };
        assert_eq!((request.header().0, request.phy, (response.start - request.end).as_micros()), (5, phy, 150));
        let confirmed = Extended::parse(&response.pdu).expect("AUX_CONNECT_RSP");
        let target = confirmed.target.map(|target| target.octets);
        assert_eq!((confirmed.kind, target), (AUX_CONNECT_RSP, Some(CENTRAL_PUBLIC)));
        let packets = pair.taken();
        assert_eq!((packets[0].at - request.end).as_micros(), delay, "transmit window delay");
        assert!(packets.iter().all(|packet| packet.phy == phy));
        let terminated = pair.script(PERIPHERAL).le_event(event::LE_ADVERTISING_SET_TERMINATED).expect("an end");
        assert_eq!(terminated[..4], [0, 7, 0, 0]);
        let complete = pair.script(CENTRAL).le_event(event::LE_ENHANCED_CONNECTION_COMPLETE).expect("a connection");
        assert_eq!(complete[23..25], u16::to_le_bytes(interval), "the parameters of that PHY");
        let algorithm = pair.script(CENTRAL).le_event(event::LE_CHANNEL_SELECTION_ALGORITHM);
        assert_eq!(algorithm, Some(&[0, 0, 1][..]));
        pair.acl(CENTRAL, 27);
        pair.run(Duration::from_millis(200));
        assert_eq!(pair.script(PERIPHERAL).received().len(), 27);
    }
}

#[test]
fn legacy_packets_of_a_set_are_legacy_on_the_air() {
    let mut pair = pair();
    set_up(&mut pair, 0, LEGACY_ADV_IND, (1, 1));
    assert_eq!(data(&mut pair, 0, false, 3, &[2, 1, 6]), 0);
    assert_eq!(data(&mut pair, 0, true, 3, &[3, 9, b'o', b'k']), 0);
    assert_eq!(data(&mut pair, 0, false, 3, &[0; 32]), Status::INVALID_PARAMETERS.0);
    assert_eq!(enable(&mut pair, 0, 0, 0), 0);
    scan(&mut pair, 1, 0, 0);
    pair.run(Duration::from_millis(150));
    assert_eq!(
        reports(&pair)[..2],
        [(0x13, 0xff, (1, 0), vec![2, 1, 6]), (0x1b, 0xff, (1, 0), vec![3, 9, b'o', b'k'])]
    );
    assert!(pair.log().advertised.iter().all(|p| p.header().0 != EXTENDED));
    assert_eq!(create(&mut pair), 0);
    assert!(pair.meet(Duration::from_secs(1)));
}

#[test]
fn a_legacy_scanner_hears_no_extended_advertising() {
    let mut pair = pair();
    set_up(&mut pair, 0, 0, (1, 1));
    assert_eq!(enable(&mut pair, 0, 0, 0), 0);
    pair.done(CENTRAL, opcode::LE_SET_SCAN_PARAMETERS, &[1, 0x60, 0, 0x60, 0, 0, 0]);
    pair.done(CENTRAL, opcode::LE_SET_SCAN_ENABLE, &[1, 0]);
    pair.run(Duration::from_secs(1));
    assert!(pair.script(CENTRAL).le_event(event::LE_ADVERTISING_REPORT).is_none());
}

#[test]
fn legacy_and_extended_commands_do_not_mix() {
    let mut pair = pair();
    set_up(&mut pair, 0, 0, (1, 1));
    let disallowed = Status::COMMAND_DISALLOWED.0;
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_SET_ADV_ENABLE, &[0]).0, disallowed);
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_SET_SCAN_ENABLE, &[0, 0]).0, disallowed);
    pair.done(PERIPHERAL, opcode::RESET, &[]);
    pair.done(PERIPHERAL, opcode::LE_SET_ADV_ENABLE, &[0]);
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_CLEAR_ADV_SETS, &[]).0, disallowed);
}

#[test]
fn sets_end_by_time_and_by_events() {
    let mut pair = pair();
    for handle in [0, 1] {
        set_up(&mut pair, handle, 0, (1, 1));
    }
    let both = [1, 2, 0, 50, 0, 0, 1, 0, 0, 3];
    pair.done(PERIPHERAL, opcode::LE_SET_EXT_ADV_ENABLE, &both);
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_REMOVE_ADV_SET, &[0]).0, Status::COMMAND_DISALLOWED.0);
    pair.run(Duration::from_millis(1_000));
    let ends: Vec<_> = pair
        .script(PERIPHERAL)
        .heard
        .iter()
        .filter(|p| p[1] == 0x3e && p[3] == 0x12)
        .map(|p| p[4..].to_vec())
        .collect();
    assert_eq!(ends.len(), 2);
    assert_eq!(ends[0], [Status::LIMIT_REACHED.0, 1, 0, 0, 3]);
    assert_eq!(ends[1][..4], [Status::ADVERTISING_TIMEOUT.0, 0, 0, 0]);
    pair.log().advertised.clear();
    pair.run(Duration::from_secs(1));
    assert!(pair.log().advertised.is_empty());
    pair.done(PERIPHERAL, opcode::LE_REMOVE_ADV_SET, &[0]);
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_REMOVE_ADV_SET, &[0]).0, Status::UNKNOWN_ADVERTISING_IDENTIFIER.0);
    pair.done(PERIPHERAL, opcode::LE_CLEAR_ADV_SETS, &[]);
}

#[test]
fn data_comes_in_parts() {
    let mut pair = pair();
    set_up(&mut pair, 0, 0, (1, 2));
    let invalid = Status::INVALID_PARAMETERS.0;
    assert_eq!(data(&mut pair, 0, false, 2, &[1]), invalid, "nothing was begun");
    assert_eq!(data(&mut pair, 0, false, 1, &[1; 100]), 0);
    assert_eq!(enable(&mut pair, 0, 0, 0), Status::COMMAND_DISALLOWED.0, "more is to come");
    assert_eq!(data(&mut pair, 0, false, 0, &[2; 100]), 0);
    assert_eq!(data(&mut pair, 0, false, 2, &[3; 30]), Status::MEMORY_EXCEEDED.0);
    assert_eq!(data(&mut pair, 0, false, 2, &[3; 29]), 0);
    assert_eq!(data(&mut pair, 9, false, 3, &[3]), Status::UNKNOWN_ADVERTISING_IDENTIFIER.0);
    assert_eq!(enable(&mut pair, 0, 0, 0), 0);
    scan(&mut pair, 0, 0, 0);
    pair.run(Duration::from_millis(250));
    assert_eq!(reports(&pair)[0].3, [vec![1; 100], vec![2; 100], vec![3; 29]].concat());
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_READ_MAXIMUM_ADV_DATA_LENGTH, &[]), (0, vec![229, 0]));
}

#[test]
fn a_set_out_of_range_is_refused() {
    let mut pair = pair();
    let mut status =
        |properties, phys| pair.ask(PERIPHERAL, opcode::LE_SET_EXT_ADV_PARAMETERS, &parameters(0, properties, phys)).0;
    let (invalid, unsupported) = (Status::INVALID_PARAMETERS.0, Status::UNSUPPORTED_FEATURE.0);
    assert_eq!(status(CONNECTABLE | SCANNABLE, (1, 1)), invalid, "not both");
    assert_eq!(status(0x11, (1, 1)), invalid, "no such legacy packet");
    assert_eq!(status(LEGACY_ADV_IND, (3, 1)), invalid, "legacy packets are on 1M");
    assert_eq!(status(0, (2, 1)), invalid, "2M has no primary channels");
    assert_eq!(status(0x20, (1, 1)), unsupported, "anonymous");
    for handle in 0..4 {
        set_up(&mut pair, handle, 0, (1, 1));
    }
    let (full, _) = pair.ask(PERIPHERAL, opcode::LE_SET_EXT_ADV_PARAMETERS, &parameters(4, 0, (1, 1)));
    assert_eq!(full, Status::MEMORY_EXCEEDED.0);
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_READ_NUMBER_OF_ADV_SETS, &[]), (0, vec![4]));
}

#[test]
fn a_scan_ends_or_pauses() {
    let mut pair = pair();
    set_up(&mut pair, 0, 0, (1, 1));
    assert_eq!(enable(&mut pair, 0, 0, 0), 0);
    scan(&mut pair, 0, 50, 0);
    pair.run(Duration::from_millis(499));
    assert!(pair.script(CENTRAL).le_event(event::LE_SCAN_TIMEOUT).is_none());
    pair.run(Duration::from_millis(2));
    assert!(pair.script(CENTRAL).le_event(event::LE_SCAN_TIMEOUT).is_some());
    let before = reports(&pair).len();
    assert!((3..=5).contains(&before), "{before}");
    pair.run(Duration::from_secs(1));
    assert_eq!(reports(&pair).len(), before);
    // 500 ms of every 1.28 s.
    scan(&mut pair, 0, 50, 1);
    pair.run(Duration::from_millis(12_800));
    let heard = reports(&pair).len() - before;
    assert!((30..=55).contains(&heard), "{heard}");
}

#[test]
fn a_coded_primary_channel_is_scanned_in_turns() {
    let mut pair = pair();
    set_up(&mut pair, 0, 0, (3, 3));
    set_up(&mut pair, 1, 0, (1, 1));
    assert_eq!(data(&mut pair, 0, false, 3, &[3]), 0);
    assert_eq!(data(&mut pair, 1, false, 3, &[1]), 0);
    pair.done(PERIPHERAL, opcode::LE_SET_EXT_ADV_ENABLE, &[1, 2, 0, 0, 0, 0, 1, 0, 0, 0]);
    let params = [0, 0, 5, 0, 0x60, 0, 0x60, 0, 0, 0x60, 0, 0x60, 0];
    pair.done(CENTRAL, opcode::LE_SET_EXT_SCAN_PARAMETERS, &params);
    pair.done(CENTRAL, opcode::LE_SET_EXT_SCAN_ENABLE, &[1, 1, 0, 0, 0, 0]);
    pair.run(Duration::from_secs(5));
    let mut heard: Vec<_> = reports(&pair).into_iter().map(|(_, _, phys, data)| (phys, data)).collect();
    heard.sort();
    heard.dedup();
    assert_eq!(heard, [((1, 1), vec![1]), ((3, 3), vec![3])]);
}

#[test]
fn a_set_has_a_random_address_of_its_own_and_hears_of_scan_requests() {
    const STATIC: [u8; 6] = [1, 2, 3, 4, 5, 0xc6];
    let mut pair = pair();
    let mut params = parameters(2, LEGACY_ADV_IND, (1, 1));
    (params[10], params[24]) = (1, 1);
    pair.done(PERIPHERAL, opcode::LE_SET_EXT_ADV_PARAMETERS, &params);
    assert_eq!(enable(&mut pair, 2, 0, 0), Status::INVALID_PARAMETERS.0, "no random address");
    pair.done(PERIPHERAL, opcode::LE_SET_ADV_SET_RANDOM_ADDRESS, &[&[2][..], &STATIC].concat());
    assert_eq!(enable(&mut pair, 2, 0, 0), 0);
    scan(&mut pair, 1, 0, 0);
    pair.run(Duration::from_millis(150));
    assert_eq!(pair.log().advertised[0].pdu[2..8], STATIC);
    let asked = pair.script(PERIPHERAL).le_event(event::LE_SCAN_REQUEST_RECEIVED).expect("a scan request");
    assert_eq!(asked, [&[2, 0][..], &CENTRAL_PUBLIC].concat());
}

/// The event began before the one in front of it had ended: on LE Coded it takes longer than the shortest interval.
#[test]
fn an_event_longer_than_its_interval_costs_the_next() {
    let mut pair = pair();
    let mut params = parameters(0, 0, (3, 3));
    (params[3], params[6]) = (0x20, 0x20);
    pair.done(PERIPHERAL, opcode::LE_SET_EXT_ADV_PARAMETERS, &params);
    assert_eq!(data(&mut pair, 0, false, 3, &[1; 229]), 0);
    assert_eq!(enable(&mut pair, 0, 0, 0), 0);
    pair.run(Duration::from_secs(1));
    let air = pair.log().advertised.clone();
    assert!(air.windows(2).all(|two| two[0].end < two[1].start), "one packet at a time");
    let events: Vec<_> = air.iter().filter(|p| p.channel == 37).map(|p| p.start).collect();
    assert!(events.windows(2).all(|two| two[1] - two[0] >= Duration::from_millis(20)));
    assert!(events.len() > 20, "{}", events.len());
}

#[test]
fn a_lost_answer_leaves_the_initiator_to_try_again() {
    // One packet in five is lost.
    let mut pair = Pair::new(PLAIN, PLAIN, Loss::Packet { per: 0.2 });
    set_up(&mut pair, 0, CONNECTABLE, (1, 2));
    for _ in 0..40 {
        assert_eq!(enable(&mut pair, 0, 0, 0), 0);
        if pair.handle(CENTRAL).is_none() {
            create(&mut pair);
        }
        if pair.meet(Duration::from_secs(2)) {
            pair.run(Duration::from_secs(1));
            if pair.handle(CENTRAL).is_some() && pair.handle(PERIPHERAL).is_some() {
                return;
            }
        }
        pair.run(Duration::from_secs(5));
    }
    panic!("no connection in forty attempts");
}
