//! Windows: nobody sends more than was allowed, and slow readers stop the others.

use airtime_rpc::extended::{Record, Records};
use airtime_rpc::{CallError, Kind, Status};

use super::support::{Pair, Talk, frame, request, text};

/// Octets of messages, ends counted, in frames that were sent.
fn cost(frames: &[Vec<u8>]) -> u32 {
    let records = frames.iter().flat_map(|frame| Records::new_checked(&frame[2..]).expect("whole"));
    let cost = records.map(|record| match record {
        Record::Data { octets, end_of_message, .. } => octets.len() as u32 + u32::from(end_of_message),
        _ => 0,
    });
    cost.sum()
}

#[test]
fn a_response_waits_for_credit() {
    let mut pair = Pair::with(244, 1000, 1000);
    let id = pair.start("read", Kind::Unary, Talk::of([request(5, 5000)]));
    pair.client_sends();
    pair.server_hears();
    pair.server_sends();
    assert_eq!(cost(&pair.sent_to_client), 1000);
    assert_eq!(pair.server.transmit(pair.now, &mut [0; 244], &mut pair.works), None);
    pair.settle();
    assert_eq!(pair.person.call(id).responses, [text(5, 5000)]);
    assert_eq!(cost(&pair.sent_to_client), 5001);
}

#[test]
fn a_request_begins_with_what_every_call_may_send() {
    let mut pair = Pair::ready();
    pair.start("echo", Kind::Unary, Talk::of([text(1, 5000)]));
    pair.client_sends();
    assert_eq!(cost(&pair.sent_to_server), 512);
    pair.server_hears();
    pair.server_sends();
    pair.client_hears();
    pair.client_sends();
    assert_eq!(cost(&pair.sent_to_server), 5001, "one record of credit is enough for the rest");
}

#[test]
fn the_last_credit_is_not_enough_for_the_end() {
    // 512 octets use the window up: the end of the message needs one more.
    let mut pair = Pair::ready();
    let exact = pair.start("echo", Kind::Unary, Talk::of([text(1, 512)]));
    pair.client_sends();
    assert_eq!(cost(&pair.sent_to_server), 512);
    pair.settle();
    assert_eq!(pair.person.call(exact).responses, [text(1, 512)]);
    pair.forget_frames();
    let within = pair.start("echo", Kind::Unary, Talk::of([text(1, 511)]));
    pair.client_sends();
    assert_eq!(cost(&pair.sent_to_server), 512);
    pair.settle();
    assert_eq!(pair.person.call(within).responses, [text(1, 511)]);
}

#[test]
fn a_slow_reader_stops_a_stream_and_nothing_else() {
    let mut pair = Pair::with(244, 200, 16_384);
    let slow = Talk { room: Some(0), ..Talk::of([request(5, 1000)]) };
    let id = pair.start("count", Kind::ServerStream, slow);
    pair.settle();
    assert_eq!(cost(&pair.sent_to_client), 200, "the window that the call began with");
    let other = pair.start("read", Kind::Unary, Talk::of([request(6, 4000)]));
    pair.settle();
    assert_eq!(pair.person.call(other).result(), Some(Ok(())));
    let mut spent = 200;
    for room in [1, 7, 300, 3] {
        pair.person.call(id).room = Some(room);
        pair.forget_frames();
        pair.settle();
        assert_eq!(cost(&pair.sent_to_client), room);
        spent += room;
    }
    pair.person.call(id).room = None;
    pair.forget_frames();
    pair.settle();
    assert_eq!(cost(&pair.sent_to_client), 9000 - spent);
    assert_eq!(pair.person.call(id).result(), Some(Ok(())));
}

#[test]
fn a_slow_service_bounds_what_it_keeps() {
    let mut pair = Pair::with(244, 300, 16_384);
    // The reader takes nothing, so that the service can send nothing back, so that the client may send nothing more.
    let talk = Talk { room: Some(0), ..Talk::of((0..200).map(|at| text(at, at as usize % 60))) };
    let id = pair.start("chat", Kind::Bidirectional, talk);
    pair.settle();
    let kept = pair.works.kept_most;
    assert!(kept > 500 && kept <= 700, "{kept}");
    assert!(pair.person.call(id).requests.len() > 150);
    pair.person.call(id).room = None;
    pair.settle();
    let expected: Vec<_> = (0..200).map(|at| text(at, at as usize % 60)).collect();
    assert_eq!(pair.person.call(id).responses, expected);
}

#[test]
fn a_flood_of_empty_messages_is_bounded() {
    let mut pair = Pair::with(244, 300, 16_384);
    let talk = Talk { room: Some(0), ..Talk::of((0..5000).map(|_| Vec::new())) };
    let id = pair.start("chat", Kind::Bidirectional, talk);
    pair.settle();
    assert!(pair.works.kept_most <= 700);
    assert!(pair.person.call(id).requests.len() > 3500);
}

#[test]
fn who_sends_more_than_it_may_ends_its_call() {
    let mut pair = Pair::with(244, 16_384, 512);
    let id = pair.start("sum", Kind::ClientStream, Talk { holds: true, ..Talk::default() });
    let fair = pair.start("slow", Kind::Unary, Talk::of([request(1, 0)]));
    pair.settle();
    // 513 octets where 512 are allowed.
    let data = [&[0x21, id.0 as u8, 0][..], &text(1, 513)].concat();
    pair.server.receive(pair.now, &frame(1, &data), &mut [], &mut pair.works);
    assert_eq!(pair.server.faults().overruns, 1);
    pair.settle();
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Refused(Status::TooLarge))));
    assert_eq!(pair.person.call(fair).result(), None, "the other call goes on");
}

#[test]
fn a_client_gives_up_a_call_that_answers_too_much() {
    let mut pair = Pair::with(244, 100, 100);
    let id = pair.start("slow", Kind::Unary, Talk::of([request(1, 0)]));
    pair.settle();
    let data = [&[0x21, 0, 0][..], &text(1, 101)].concat();
    pair.client.receive(pair.now, &frame(1, &data), &mut [], &mut pair.person);
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Malformed)));
    assert!(pair.person.call(id).partial.is_empty());
    pair.client_sends();
    pair.server_hears();
    assert!(pair.works.standing.is_empty());
}

#[test]
fn credits_are_absolute() {
    let mut pair = Pair::with(244, 100, 16_384);
    let id = pair.start("read", Kind::Unary, Talk::of([request(5, 5000)]));
    pair.client_sends();
    pair.server_hears();
    let credit = |number, limit: u32| frame(number, &[&[0x31, id.0 as u8, 0][..], &limit.to_le_bytes()].concat());
    // The same limit three times, an earlier one, and one beyond every window.
    for (number, limit) in [(1, 300), (2, 300), (3, 300), (4, 50), (5, 0x9000_0000)] {
        pair.server.receive(pair.now, &credit(number, limit), &mut [], &mut pair.works);
    }
    pair.server_sends();
    assert_eq!(cost(&pair.sent_to_client), 300);
}
