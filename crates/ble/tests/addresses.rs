//! Public, random and private addresses, the Filter Accept List and the resolving list, between two controllers.

use airtime_ble::hci::{Status, event, opcode};
use airtime_core::Duration;
use airtime_core::loss::Loss;

use crate::support::{CENTRAL, PERIPHERAL, PLAIN, Pair};

const CENTRAL_STATIC: [u8; 6] = [1, 2, 3, 4, 5, 0xc6];
const PERIPHERAL_STATIC: [u8; 6] = [6, 5, 4, 3, 2, 0xd1];
/// The public address `Pair` gives device 1.
const PERIPHERAL_PUBLIC: [u8; 6] = [1, 0, 0, 0, 0, 0xc0];
const CENTRAL_PUBLIC: [u8; 6] = [0, 0, 0, 0, 0, 0xc0];

fn pair() -> Pair {
    Pair::new(PLAIN, PLAIN, Loss::None)
}

/// Two devices that have set random static addresses.
fn random_pair() -> Pair {
    let mut pair = pair();
    pair.done(CENTRAL, opcode::LE_SET_RANDOM_ADDRESS, &CENTRAL_STATIC);
    pair.done(PERIPHERAL, opcode::LE_SET_RANDOM_ADDRESS, &PERIPHERAL_STATIC);
    pair
}

/// Interval 100 ms, all channels.
fn advertise(pair: &mut Pair, kind: u8, own: u8, peer: (u8, [u8; 6]), policy: u8) {
    let params = [&[0xa0, 0, 0xa0, 0, kind, own, peer.0][..], &peer.1, &[7, policy]].concat();
    pair.done(PERIPHERAL, opcode::LE_SET_ADV_PARAMETERS, &params);
    pair.done(PERIPHERAL, opcode::LE_SET_ADV_ENABLE, &[1]);
}

const NOBODY: (u8, [u8; 6]) = (0, [0; 6]);

fn create(pair: &mut Pair, by_list: u8, peer: (u8, [u8; 6]), own: u8) -> u8 {
    let mut params = vec![0x10, 0, 0x10, 0, by_list, peer.0];
    params.extend(peer.1);
    params.push(own);
    [12u16, 12, 0, 400, 0, 0].iter().for_each(|field| params.extend(field.to_le_bytes()));
    pair.ask(CENTRAL, opcode::LE_CREATE_CONNECTION, &params).0
}

fn scan(pair: &mut Pair, active: u8, own: u8, policy: u8) {
    pair.done(CENTRAL, opcode::LE_SET_SCAN_PARAMETERS, &[active, 0x10, 0, 0x10, 0, own, policy]);
    pair.done(CENTRAL, opcode::LE_SET_SCAN_ENABLE, &[1, 0]);
}

/// Status, role, the other end's address, and both private addresses of LE Enhanced Connection Complete.
type Connected = (u8, u8, (u8, [u8; 6]), [u8; 6], [u8; 6]);

fn connected(pair: &Pair, device: usize) -> Connected {
    let p = pair.script(device).le_event(event::LE_ENHANCED_CONNECTION_COMPLETE).expect("a connection");
    let at = |from: usize| <[u8; 6]>::try_from(&p[from..from + 6]).unwrap();
    (p[0], p[3], (p[4], at(5)), at(11), at(17))
}

#[test]
fn two_hosts_with_random_addresses_connect() {
    let mut pair = random_pair();
    advertise(&mut pair, 0, 1, NOBODY, 0);
    assert_eq!(create(&mut pair, 0, (1, PERIPHERAL_STATIC), 1), 0);
    assert!(pair.meet(Duration::from_secs(1)));
    assert_eq!(connected(&pair, CENTRAL), (0, 0, (1, PERIPHERAL_STATIC), [0; 6], [0; 6]));
    assert_eq!(connected(&pair, PERIPHERAL), (0, 1, (1, CENTRAL_STATIC), [0; 6], [0; 6]));
    pair.run(Duration::from_millis(100));
    let air = pair.log().advertised.clone();
    assert_eq!(air.first().expect("an ADV_IND").header(), (0, true, false));
    assert_eq!(air.last().expect("a CONNECT_IND").header(), (5, true, true));
}

#[test]
fn an_address_of_the_other_kind_is_another_device() {
    let mut pair = random_pair();
    advertise(&mut pair, 0, 1, NOBODY, 0);
    assert_eq!(create(&mut pair, 0, (0, PERIPHERAL_STATIC), 1), 0);
    assert!(!pair.meet(Duration::from_secs(2)));
}

#[test]
fn a_host_that_masks_the_enhanced_event_gets_the_plain_one() {
    let mut pair = random_pair();
    pair.done(CENTRAL, opcode::LE_SET_EVENT_MASK, &[0x1f, 0, 0, 0, 0, 0, 0, 0]);
    advertise(&mut pair, 0, 1, NOBODY, 0);
    assert_eq!(create(&mut pair, 0, (1, PERIPHERAL_STATIC), 0), 0);
    assert!(pair.meet(Duration::from_secs(1)));
    let p = pair.script(CENTRAL).le_event(event::LE_CONNECTION_COMPLETE).expect("a connection");
    assert_eq!(p[..5], [0, 0, 0, 0, 1]);
    assert_eq!((&p[5..11], p.len()), (&PERIPHERAL_STATIC[..], 18));
    assert!(pair.script(CENTRAL).le_event(event::LE_ENHANCED_CONNECTION_COMPLETE).is_none());
    assert_eq!(connected(&pair, PERIPHERAL).2, (0, CENTRAL_PUBLIC));
}

#[test]
fn a_random_address_that_was_never_set_cannot_be_shown() {
    let mut pair = pair();
    let invalid = Status::INVALID_PARAMETERS.0;
    let params = [&[0xa0, 0, 0xa0, 0, 0, 1, 0][..], &[0; 6], &[7, 0]].concat();
    pair.done(PERIPHERAL, opcode::LE_SET_ADV_PARAMETERS, &params);
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_SET_ADV_ENABLE, &[1]).0, invalid);
    assert_eq!(create(&mut pair, 0, (0, PERIPHERAL_PUBLIC), 1), invalid);
    pair.done(CENTRAL, opcode::LE_SET_SCAN_PARAMETERS, &[0, 0x10, 0, 0x10, 0, 1, 0]);
    assert_eq!(pair.ask(CENTRAL, opcode::LE_SET_SCAN_ENABLE, &[1, 0]).0, invalid);
}

#[test]
fn reports_and_scan_requests_say_which_kind_an_address_is() {
    let mut pair = random_pair();
    pair.done(PERIPHERAL, opcode::LE_SET_SCAN_RESPONSE_DATA, &[&[3, 2, 9, b'x'][..], &[0; 28]].concat());
    advertise(&mut pair, 2, 1, NOBODY, 0);
    scan(&mut pair, 1, 1, 0);
    pair.run(Duration::from_millis(300));
    let report = pair.script(CENTRAL).le_event(event::LE_ADVERTISING_REPORT).expect("a report");
    assert_eq!(report[..3], [1, 4, 1], "a scan response of a random address");
    assert_eq!((&report[3..9], &report[9..13]), (&PERIPHERAL_STATIC[..], &[3, 2, 9, b'x'][..]));
    let air = pair.log().advertised.clone();
    let request = air.iter().find(|p| p.header().0 == 3).expect("a SCAN_REQ");
    assert_eq!(request.header(), (3, true, true));
    assert_eq!(request.pdu[2..8], CENTRAL_STATIC);
}

#[test]
fn an_advertiser_answers_whom_its_policy_lists() {
    let mut pair = pair();
    advertise(&mut pair, 0, 0, NOBODY, 3);
    assert_eq!(create(&mut pair, 0, (0, PERIPHERAL_PUBLIC), 0), 0);
    assert!(!pair.meet(Duration::from_secs(2)), "the central is not on the list");
    // A CONNECT_IND that nobody takes makes a connection that is never established.
    let gone = pair.script(CENTRAL).plain_event(event::DISCONNECTION_COMPLETE).expect("an end");
    assert_eq!(gone[3], Status::FAILED_TO_ESTABLISH.0);
    let entry = [&[0][..], &CENTRAL_PUBLIC].concat();
    let disallowed = Status::COMMAND_DISALLOWED.0;
    assert_eq!(pair.ask(PERIPHERAL, opcode::LE_ADD_TO_FILTER_ACCEPT_LIST, &entry).0, disallowed, "in use");
    pair.done(PERIPHERAL, opcode::LE_SET_ADV_ENABLE, &[0]);
    pair.done(PERIPHERAL, opcode::LE_ADD_TO_FILTER_ACCEPT_LIST, &entry);
    pair.done(PERIPHERAL, opcode::LE_SET_ADV_ENABLE, &[1]);
    assert_eq!(create(&mut pair, 0, (0, PERIPHERAL_PUBLIC), 0), 0);
    assert!(pair.meet(Duration::from_secs(2)));
}

#[test]
fn a_scanner_reports_whom_its_policy_lists() {
    let mut pair = pair();
    advertise(&mut pair, 0, 0, NOBODY, 0);
    scan(&mut pair, 0, 0, 1);
    pair.run(Duration::from_secs(1));
    assert!(pair.script(CENTRAL).le_event(event::LE_ADVERTISING_REPORT).is_none());
    pair.done(CENTRAL, opcode::LE_SET_SCAN_ENABLE, &[0, 0]);
    pair.done(CENTRAL, opcode::LE_ADD_TO_FILTER_ACCEPT_LIST, &[&[0][..], &PERIPHERAL_PUBLIC].concat());
    pair.done(CENTRAL, opcode::LE_SET_SCAN_ENABLE, &[1, 0]);
    pair.run(Duration::from_secs(1));
    assert!(pair.script(CENTRAL).le_event(event::LE_ADVERTISING_REPORT).is_some());
}

#[test]
fn an_initiator_connects_to_whom_the_list_names() {
    let mut pair = random_pair();
    advertise(&mut pair, 0, 1, NOBODY, 0);
    assert_eq!(create(&mut pair, 1, NOBODY, 0), 0);
    assert!(!pair.meet(Duration::from_secs(1)));
    pair.done(CENTRAL, opcode::LE_CREATE_CONNECTION_CANCEL, &[]);
    let cancelled = pair.script(CENTRAL).le_event(event::LE_ENHANCED_CONNECTION_COMPLETE).expect("an end");
    assert_eq!((cancelled[0], cancelled.len()), (Status::UNKNOWN_CONNECTION.0, 30));
    pair.done(CENTRAL, opcode::LE_ADD_TO_FILTER_ACCEPT_LIST, &[&[1][..], &PERIPHERAL_STATIC].concat());
    assert_eq!(create(&mut pair, 1, NOBODY, 0), 0);
    assert!(pair.meet(Duration::from_secs(1)));
    assert_eq!(connected(&pair, CENTRAL).2, (1, PERIPHERAL_STATIC));
}

#[test]
fn a_scanner_hears_while_an_initiator_waits() {
    let mut pair = pair();
    advertise(&mut pair, 0, 0, NOBODY, 0);
    scan(&mut pair, 0, 0, 0);
    assert_eq!(create(&mut pair, 0, (0, [9; 6]), 0), 0);
    pair.run(Duration::from_secs(2));
    let reports = pair.script(CENTRAL).heard.iter().filter(|p| p[1] == 0x3e && p[3] == event::LE_ADVERTISING_REPORT);
    // Twenty events, and each has both of them listening all the time.
    assert!((5..=15).contains(&reports.count()));
}

#[test]
fn directed_advertising_is_for_one_device() {
    for kind in [1, 4] {
        let mut pair = pair();
        advertise(&mut pair, kind, 0, (0, [9; 6]), 0);
        scan(&mut pair, 0, 0, 0);
        assert_eq!(create(&mut pair, 0, (0, PERIPHERAL_PUBLIC), 0), 0);
        assert!(!pair.meet(Duration::from_millis(1_000)), "for another");
        assert!(pair.script(CENTRAL).le_event(event::LE_ADVERTISING_REPORT).is_none());
        pair.done(PERIPHERAL, opcode::LE_SET_ADV_ENABLE, &[0]);
        advertise(&mut pair, kind, 0, (0, CENTRAL_PUBLIC), 0);
        assert!(pair.meet(Duration::from_millis(1_000)));
    }
}

#[test]
fn high_duty_cycle_advertising_gives_up() {
    let mut pair = pair();
    advertise(&mut pair, 1, 0, (0, CENTRAL_PUBLIC), 0);
    pair.run(Duration::from_millis(1_270));
    assert!(pair.script(PERIPHERAL).le_event(event::LE_ENHANCED_CONNECTION_COMPLETE).is_none());
    pair.run(Duration::from_millis(20));
    let over = pair.script(PERIPHERAL).le_event(event::LE_ENHANCED_CONNECTION_COMPLETE).expect("an end");
    assert_eq!((over[0], over[3]), (Status::ADVERTISING_TIMEOUT.0, 1));
    let air = pair.log().advertised.clone();
    let first: Vec<_> = air.iter().filter(|p| p.channel == 37).map(|p| p.start).collect();
    assert!(first.windows(2).all(|pair| (pair[1] - pair[0]).as_micros() == 3_750), "no pauses");
}

const CENTRAL_KEY: [u8; 16] = [0x11; 16];
const PERIPHERAL_KEY: [u8; 16] = [0x22; 16];

/// Both sides know the other's identity and keys, and resolve addresses.
fn private_pair() -> Pair {
    let mut pair = random_pair();
    let sides = [
        (CENTRAL, PERIPHERAL_STATIC, PERIPHERAL_KEY, CENTRAL_KEY),
        (PERIPHERAL, CENTRAL_STATIC, CENTRAL_KEY, PERIPHERAL_KEY),
    ];
    for (device, identity, theirs, ours) in sides {
        let entry = [&[1][..], &identity, &theirs, &ours].concat();
        pair.done(device, opcode::LE_ADD_TO_RESOLVING_LIST, &entry);
        pair.done(device, opcode::LE_SET_ADDRESS_RESOLUTION_ENABLE, &[1]);
    }
    pair
}

#[test]
fn private_addresses_are_made_and_resolved() {
    let mut pair = private_pair();
    advertise(&mut pair, 0, 3, (1, CENTRAL_STATIC), 0);
    assert_eq!(create(&mut pair, 0, (1, PERIPHERAL_STATIC), 3), 0);
    assert!(pair.meet(Duration::from_secs(1)));
    let (_, _, peer, own, shown) = connected(&pair, CENTRAL);
    assert_eq!(peer, (3, PERIPHERAL_STATIC), "an identity");
    let (_, _, peer, peripheral_own, central_shown) = connected(&pair, PERIPHERAL);
    assert_eq!(peer, (3, CENTRAL_STATIC));
    assert_eq!((own, shown), (central_shown, peripheral_own));
    assert!([own, shown].iter().all(|address| address[5] >> 6 == 0b01), "resolvable");
    let entry = [&[1][..], &PERIPHERAL_STATIC].concat();
    assert_eq!(pair.ask(CENTRAL, opcode::LE_READ_PEER_RESOLVABLE_ADDRESS, &entry), (0, shown.to_vec()));
    assert_eq!(pair.ask(CENTRAL, opcode::LE_READ_LOCAL_RESOLVABLE_ADDRESS, &entry), (0, own.to_vec()));
}

#[test]
fn without_the_key_a_private_address_is_nobody() {
    let mut pair = private_pair();
    pair.done(CENTRAL, opcode::LE_CLEAR_RESOLVING_LIST, &[]);
    advertise(&mut pair, 0, 3, (1, CENTRAL_STATIC), 0);
    scan(&mut pair, 0, 0, 0);
    assert_eq!(create(&mut pair, 0, (1, PERIPHERAL_STATIC), 1), 0);
    assert!(!pair.meet(Duration::from_secs(1)));
    pair.done(CENTRAL, opcode::LE_CREATE_CONNECTION_CANCEL, &[]);
    pair.run(Duration::from_secs(1));
    let report = pair.script(CENTRAL).le_event(event::LE_ADVERTISING_REPORT).expect("a report");
    assert_eq!((report[2], report[8] >> 6), (1, 0b01), "reported as it is shown");
}

#[test]
fn a_bare_identity_is_ignored_in_network_privacy_mode() {
    for (mode, meets) in [(0, false), (1, true)] {
        let mut pair = private_pair();
        let entry = [&[1][..], &PERIPHERAL_STATIC, &[mode]].concat();
        pair.done(CENTRAL, opcode::LE_SET_PRIVACY_MODE, &entry);
        pair.done(PERIPHERAL, opcode::LE_CLEAR_RESOLVING_LIST, &[]);
        advertise(&mut pair, 0, 1, NOBODY, 0);
        assert_eq!(create(&mut pair, 0, (1, PERIPHERAL_STATIC), 1), 0);
        assert_eq!(pair.meet(Duration::from_secs(1)), meets);
    }
}

#[test]
fn a_private_address_changes_when_its_time_is_up() {
    let mut pair = private_pair();
    pair.done(PERIPHERAL, opcode::LE_SET_RPA_TIMEOUT, &[2, 0]);
    advertise(&mut pair, 0, 3, (1, CENTRAL_STATIC), 0);
    pair.run(Duration::from_secs(5));
    let mut shown: Vec<_> = pair.log().advertised.iter().map(|p| p.pdu[2..8].to_vec()).collect();
    shown.dedup();
    assert_eq!(shown.len(), 3, "{shown:02x?}");
}
