//! Frames that are lost, doubled, swapped, cut, changed or made up.

use airtime_core::Duration;
use airtime_rpc::extended::Faults;
use airtime_rpc::{CALLS_MAX, CallError, CallId, Kind, Status};

use super::support::{Pair, Talk, frame, request, text};

#[test]
fn a_doubled_frame_does_nothing_twice() {
    let mut pair = Pair::ready();
    let id = pair.start("echo", Kind::Unary, Talk::of([request(7, 0)]));
    pair.client_sends();
    let frame = pair.to_server[0].clone();
    pair.to_server.push_back(frame.clone());
    pair.server_hears();
    pair.server_sends();
    assert_eq!(pair.sent_to_client.len(), 1);
    pair.to_client.push_back(pair.sent_to_client[0].clone());
    pair.client_hears();
    assert_eq!(pair.person.call(id).responses.len(), 1);
    // And once more, long after.
    pair.server.receive(pair.now, &frame, &mut [], &mut pair.works);
    assert_eq!(pair.server.faults(), only(|faults| faults.old = 2));
    assert_eq!(pair.client.faults(), only(|faults| faults.old = 1));
    assert_eq!(pair.works.opened, 1);
}

#[test]
fn a_lost_request_ends_every_call_that_was_open() {
    let mut pair = Pair::ready();
    let before = pair.start("slow", Kind::Unary, Talk::of([request(1, 0)]));
    pair.settle();
    let lost = pair.start("echo", Kind::Unary, Talk::of([request(2, 0)]));
    pair.client_sends();
    pair.to_server.clear();
    let after = pair.start("echo", Kind::Unary, Talk::of([request(3, 0)]));
    pair.settle();
    assert_eq!(pair.server.faults(), only(|faults| faults.missed = 1));
    assert_eq!(pair.person.call(before).result(), Some(Err(CallError::Lost)));
    assert_eq!(pair.person.call(lost).result(), Some(Err(CallError::Lost)));
    assert_eq!(pair.person.call(after).result(), Some(Ok(())), "it was opened after the gap");
    assert_eq!(pair.works.runs.get(&2), None);
    assert_eq!(pair.works.opened, pair.works.closed);
}

#[test]
fn a_lost_response_ends_every_call_that_was_open() {
    let mut pair = Pair::ready();
    let long = pair.start("read", Kind::Unary, Talk::of([request(1, 8192)]));
    let slow = pair.start("slow", Kind::Unary, Talk::of([request(2, 0)]));
    pair.client_sends();
    pair.server_hears();
    pair.server_sends();
    pair.to_client.remove(7);
    let after = pair.start("echo", Kind::Unary, Talk::of([b"x".to_vec()]));
    pair.client_hears();
    assert_eq!(pair.person.call(long).result(), Some(Err(CallError::Lost)));
    assert_eq!(pair.person.call(slow).result(), Some(Err(CallError::Lost)));
    let partial = &pair.person.call(long).partial;
    assert_eq!(*partial, text(1, partial.len()), "what came before the gap was whole");
    pair.settle();
    assert_eq!(pair.person.call(after).result(), Some(Ok(())), "the server did not know it yet");
    assert!(pair.works.standing.is_empty(), "the server was told");
    assert_eq!(pair.client.faults().missed, 1);
    assert!(pair.client.faults().stale > 20);
}

#[test]
fn a_lost_last_frame_is_the_deadlines_affair() {
    let mut pair = Pair::ready();
    let id = pair.start("echo", Kind::Unary, Talk::of([request(1, 0)]));
    pair.client_sends();
    pair.to_server.clear();
    pair.settle();
    assert_eq!(pair.person.call(id).result(), None);
    pair.now = pair.client.deadline().expect("a deadline");
    pair.client.wake(pair.now, &mut pair.person);
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Timeout)));
    // The word that it is over shows the gap.
    pair.settle();
    assert_eq!(pair.server.faults().missed, 1);
    assert_eq!(pair.client.room(), CALLS_MAX);
}

#[test]
fn swapped_frames_are_a_gap_and_an_old_one() {
    let mut pair = Pair::ready();
    let id = pair.start("echo", Kind::Unary, Talk::of([text(1, 400)]));
    pair.client_sends();
    assert_eq!(pair.to_server.len(), 2);
    pair.to_server.swap(0, 1);
    pair.settle();
    assert_eq!(pair.server.faults().missed, 1);
    assert_eq!(pair.server.faults().old, 1);
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Lost)));
    assert_eq!(pair.works.opened, 0);
}

#[test]
fn a_cut_frame_counts_as_lost() {
    let mut pair = Pair::ready();
    let id = pair.start("echo", Kind::Unary, Talk::of([b"hello".to_vec()]));
    pair.client_sends();
    let frame = pair.to_server.pop_front().expect("a frame");
    // But for one fifteen octets shorter, which here is no frame for another reason.
    for length in 0..frame.len() {
        pair.server.receive(pair.now, &frame[..length], &mut [], &mut pair.works);
    }
    assert_eq!(pair.server.faults(), only(|faults| faults.malformed = frame.len() as u64));
    let next = pair.start("echo", Kind::Unary, Talk::of([b"again".to_vec()]));
    pair.settle();
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Lost)));
    assert_eq!(pair.person.call(next).result(), Some(Ok(())));
    // The server counts one frame as missed: none of the cut ones was taken for it.
    assert_eq!(pair.server.faults().missed, 1);
}

#[test]
fn a_flood_of_calls_is_refused_and_counted() {
    let mut pair = Pair::ready();
    let (mut number, mut call) = (0_u16, 0_u16);
    for _ in 0..1000 {
        let mut records = Vec::new();
        for _ in 0..15 {
            let [low, high] = call.to_le_bytes();
            call += 1;
            records.extend([0x10, low, high, 11, 0, 1, 0, 0, 0, 0, 4]);
            records.extend(b"slow");
        }
        pair.server.receive(pair.now, &frame(number, &records), &mut [], &mut pair.works);
        number += 1;
    }
    assert_eq!(pair.works.standing.len(), CALLS_MAX);
    assert_eq!(pair.works.opened as usize, CALLS_MAX);
    let expected = only(|faults| {
        faults.busy = 15_000 - CALLS_MAX as u64;
        faults.unanswered = 15_000 - 2 * CALLS_MAX as u64;
    });
    assert_eq!(pair.server.faults(), expected);
    // As many are told as there is room to remember: a client that keeps to the limits never sees this.
    let mut into = [0; 244];
    let length = pair.server.transmit(pair.now, &mut into, &mut pair.works).expect("refusals");
    // Five octets for each refusal, eight for the credit of each call that stands.
    assert_eq!(length, 2 + CALLS_MAX * (5 + 8) - 1);
    assert_eq!(pair.server.transmit(pair.now, &mut into, &mut pair.works), None);
}

#[test]
fn records_of_nothing_are_counted() {
    let mut pair = Pair::ready();
    let nonsense: [&[u8]; 6] = [
        &[0x30, 9, 0, 4, 255, 255, 255, 127, 0x51, 9, 0], // credit and cancel of no call
        &[0x2d, 9, 0, 1, 2, 3],                           // data of no call
        &[0xa0, 0, 0, 1, 1, 0xb1, 0, 0, 9, 9],            // kinds that do not exist
        &[0x60, 0, 0, 6, 1, 8, 0, 0, 0, 1, 0x71, 0, 0, 9, 9, 9, 9], // what only a server says
        &[0x11, 5, 0, 1],                                 // a call that cannot be opened
        &[],                                              // nothing at all
    ];
    for (number, records) in (0..).zip(nonsense) {
        pair.server.receive(pair.now, &frame(number, records), &mut [], &mut pair.works);
    }
    let expected = only(|faults| {
        faults.stale = 3;
        faults.unknown_records = 2;
        faults.misplaced = 3;
    });
    assert_eq!(pair.server.faults(), expected);
    pair.server_sends();
    assert_eq!(pair.sent_to_client, [frame(1, &[0x41, 5, 0, Status::BadArgument as u8])]);
    let backwards: [&[u8]; 3] = [
        &[0x10, 0, 0, 11, 0, 1, 0, 0, 0, 0, 4, b'e', b'c', b'h', b'o', 0x51, 0, 0],
        &[0x41, 9, 0, 1],
        &[0x61, 0, 0, 1, 1, 0, 0, 0, 0], // the limits once more
    ];
    for (number, records) in (1..).zip(backwards) {
        pair.client.receive(pair.now, &frame(number, records), &mut [], &mut pair.person);
    }
    let expected = only(|faults| {
        faults.stale = 1;
        faults.misplaced = 3;
    });
    assert_eq!(pair.client.faults(), expected);
    assert_eq!(pair.client.room(), CALLS_MAX);
}

#[test]
fn a_call_opened_twice_is_run_once() {
    let mut pair = Pair::ready();
    let id = pair.start("slow", Kind::Unary, Talk::of([request(1, 0)]));
    pair.client_sends();
    let mut again = pair.to_server[0].clone();
    again[0] = 1;
    pair.to_server.push_back(again);
    pair.server_hears();
    assert_eq!(pair.works.opened, 1);
    assert_eq!(pair.server.faults().misplaced, 1);
    pair.server_sends();
    pair.client_hears();
    // The second request of a method that takes one is refused, and the call with it.
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Refused(Status::BadArgument))));
}

#[test]
fn statuses_of_later_versions_are_refusals() {
    let mut pair = Pair::ready();
    let id = pair.start("slow", Kind::Unary, Talk::of([request(1, 0)]));
    pair.client_sends();
    pair.client.receive(pair.now, &frame(1, &[0x41, 0, 0, 200]), &mut [], &mut pair.person);
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Refused(Status::Internal))));
}

#[test]
fn no_call_begins_before_the_limits_are_known() {
    let mut client = airtime_rpc::extended::Client::new(244, 100, Some(Duration::from_secs(1)), None);
    let now = airtime_core::Instant::ZERO;
    assert_eq!(client.room(), 0);
    assert_eq!(client.start(now, "echo", Kind::Unary), Err(airtime_rpc::Refused::NotReady));
    let person = &mut super::support::Person::default();
    // A version that this client does not know.
    client.receive(now, &frame(0, &[0x61, 0, 0, 2, 8, 0, 2, 0, 0]), &mut [], person);
    assert_eq!(client.limits(), None);
    client.receive(now, &frame(1, &[0x61, 0, 0, 1, 2, 0, 2, 0, 0]), &mut [], person);
    assert_eq!(client.room(), 2);
}

#[test]
fn a_lost_link_ends_everything() {
    let mut pair = Pair::ready();
    let ids: Vec<_> = (0..5).map(|at| pair.start("slow", Kind::Unary, Talk::of([request(at, 0)]))).collect();
    pair.settle();
    pair.client.disconnected(&mut pair.person);
    pair.server.disconnected(&mut pair.works);
    for id in ids {
        assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Lost)));
    }
    assert_eq!(pair.works.opened, pair.works.closed);
    assert_eq!(pair.client.room(), 0);
    assert_eq!(pair.client.deadline(), None);
    pair.client.cancel(pair.now, CallId(0), &mut pair.person);
}

fn only(set: impl FnOnce(&mut Faults)) -> Faults {
    let mut faults = Faults::default();
    set(&mut faults);
    faults
}
