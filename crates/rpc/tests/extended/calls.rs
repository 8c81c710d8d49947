//! Calls of every kind, from their first octet to their end.

use airtime_core::Duration;
use airtime_rpc::{CALLS_MAX, CallError, CallId, Kind, Refused, Status};

use super::support::{Pair, Talk, request, text};

#[test]
fn a_unary_call_takes_a_frame_each_way() {
    let mut pair = Pair::ready();
    let id = pair.start("echo", Kind::Unary, Talk::of([b"hello".to_vec()]));
    pair.settle();
    let talk = pair.person.call(id);
    assert_eq!(talk.result(), Some(Ok(())));
    assert_eq!(talk.responses, [b"hello"]);
    // 25 octets are 10 modulo 15.
    let open = [&[0, 0xa0, 0x10, 0, 0, 11, 0, 0x40, 0, 0, 0x10, 0x27, 4][..], b"echo", &[0x2d, 0, 0], b"hello"];
    assert_eq!(pair.sent_to_server, [open.concat()]);
    assert_eq!(pair.sent_to_client, [[&[1, 0xa0, 0x2d, 0, 0][..], b"hello"].concat()]);
    assert!(pair.works.standing.is_empty());
}

#[test]
fn an_empty_message_is_a_message() {
    let mut pair = Pair::ready();
    let id = pair.start("echo", Kind::Unary, Talk::of([Vec::new()]));
    pair.settle();
    assert_eq!(pair.person.call(id).responses, [Vec::<u8>::new()]);
    assert_eq!(pair.person.call(id).result(), Some(Ok(())));
}

#[test]
fn a_message_of_a_megabyte() {
    let mut pair = Pair::ready();
    let length = 1 << 20;
    let id = pair.start("read", Kind::Unary, Talk::of([request(3, length)]));
    pair.settle();
    let talk = pair.person.call(id);
    assert_eq!(talk.result(), Some(Ok(())));
    assert_eq!(talk.responses, [text(3, length as usize)]);
    let up = pair.start("echo", Kind::Unary, Talk::of([text(4, length as usize)]));
    pair.settle();
    assert_eq!(pair.person.call(up).responses, [text(4, length as usize)]);
}

#[test]
fn streams_to_either_end() {
    let mut pair = Pair::ready();
    let count = pair.start("count", Kind::ServerStream, Talk::of([request(9, 20)]));
    let sum = pair.start("sum", Kind::ClientStream, Talk::of((0..20).map(|at| text(at, 4))));
    pair.settle();
    let items: Vec<_> = (0..20_u32).map(|at| [9_u32.to_le_bytes(), at.to_le_bytes()].concat()).collect();
    assert_eq!(pair.person.call(count).responses, items);
    assert_eq!(pair.person.call(count).result(), Some(Ok(())));
    let [answer] = &pair.person.call(sum).responses[..] else { panic!("one answer") };
    assert_eq!(answer[..4], 20_u32.to_le_bytes());
}

#[test]
fn empty_streams() {
    let mut pair = Pair::ready();
    let count = pair.start("count", Kind::ServerStream, Talk::of([request(9, 0)]));
    let sum = pair.start("sum", Kind::ClientStream, Talk::of([]));
    let chat = pair.start("chat", Kind::Bidirectional, Talk::of([]));
    pair.settle();
    for id in [count, chat] {
        assert!(pair.person.call(id).responses.is_empty());
        assert_eq!(pair.person.call(id).result(), Some(Ok(())));
    }
    assert_eq!(pair.person.call(sum).responses, [vec![0; 8]]);
}

#[test]
fn both_ends_speak_in_turn_and_one_goes_on_after_the_other_has_ended() {
    let mut pair = Pair::ready();
    let id = pair.start("chat", Kind::Bidirectional, Talk { holds: true, ..Talk::of([b"one".to_vec()]) });
    pair.settle();
    assert_eq!(pair.person.call(id).responses, [b"one"]);
    pair.person.call(id).requests.push_back(b"two".to_vec());
    pair.settle();
    assert_eq!(pair.person.call(id).responses.len(), 2);
    assert_eq!(pair.person.call(id).result(), None);
    // Half closed: the client's end of stream reaches the server together with a last message, which still comes back.
    pair.person.call(id).holds = false;
    pair.person.call(id).requests.push_back(b"three".to_vec());
    pair.settle();
    assert_eq!(pair.person.call(id).responses[2], b"three");
    assert_eq!(pair.person.call(id).result(), Some(Ok(())));
}

#[test]
fn calls_go_on_beside_each_other() {
    let mut pair = Pair::ready();
    let slow = pair.start("slow", Kind::Unary, Talk::of([request(1, 0)]));
    let long = pair.start("read", Kind::Unary, Talk::of([request(2, 8192)]));
    let short = pair.start("echo", Kind::Unary, Talk::of([b"me too".to_vec()]));
    pair.client_sends();
    assert_eq!(pair.to_server.len(), 1, "three short requests share a frame");
    pair.server_hears();
    pair.server_sends();
    // The short answer does not wait for the end of the long one.
    while pair.person.call(short).result().is_none() {
        let frame = pair.to_client.pop_front().expect("the answer is under way");
        pair.client.receive(pair.now, &frame, &mut [], &mut pair.person);
    }
    assert!(pair.to_client.len() > 30, "{} frames are left", pair.to_client.len());
    pair.settle();
    assert_eq!(pair.person.call(long).responses, [text(2, 8192)]);
    assert_eq!(pair.person.call(slow).result(), None);
    pair.works.released = true;
    pair.settle();
    assert_eq!(pair.person.call(slow).result(), Some(Ok(())));
}

#[test]
fn as_many_calls_as_both_ends_take() {
    let mut pair = Pair::ready();
    for number in 0..CALLS_MAX as u32 {
        pair.start("slow", Kind::Unary, Talk::of([request(number, 0)]));
    }
    assert_eq!(pair.client.room(), 0);
    assert_eq!(pair.client.start(pair.now, "slow", Kind::Unary), Err(Refused::Busy));
    pair.works.released = true;
    pair.settle();
    assert_eq!(pair.client.room(), CALLS_MAX);
}

#[test]
fn why_calls_are_refused() {
    let mut pair = Pair::ready();
    for name in ["", "seventeen letters", "ä"] {
        assert_eq!(pair.client.start(pair.now, name, Kind::Unary), Err(Refused::Name));
    }
    let unknown = pair.start("nothing", Kind::Unary, Talk::of([b"?".to_vec()]));
    let fails = pair.start("fail", Kind::Unary, Talk::of([request(1, 0)]));
    pair.settle();
    let refused = |status| Some(Err(CallError::Refused(status)));
    assert_eq!(pair.person.call(unknown).result(), refused(Status::UnknownCommand));
    assert_eq!(pair.person.call(fails).result(), refused(Status::Internal));
    assert_eq!(pair.server.faults().unknown_methods, 1);
    assert_eq!(pair.server.faults().stale, 1, "the request of the unknown method");
    // Two messages where the method takes one.
    let twice = pair.start("echo", Kind::ClientStream, Talk::of([b"a".to_vec(), b"b".to_vec()]));
    // A stream where the caller expects one answer.
    let many = pair.start("count", Kind::Unary, Talk::of([request(1, 3)]));
    pair.settle();
    assert_eq!(pair.person.call(twice).result(), refused(Status::BadArgument));
    assert_eq!(pair.person.call(many).result(), Some(Err(CallError::Malformed)));
    assert!(pair.works.standing.is_empty(), "the server heard that it is over");
}

#[test]
fn a_cancelled_call_ends_at_both_ends() {
    let mut pair = Pair::ready();
    let early = pair.start("echo", Kind::Unary, Talk::of([b"never sent".to_vec()]));
    pair.client.cancel(pair.now, early, &mut pair.person);
    pair.settle();
    assert!(pair.sent_to_server.is_empty(), "the server never heard of it");
    let long = pair.start("read", Kind::Unary, Talk::of([request(2, 1 << 30)]));
    pair.client_sends();
    pair.server_hears();
    pair.client.cancel(pair.now, long, &mut pair.person);
    assert_eq!(pair.person.call(long).result(), Some(Err(CallError::Refused(Status::Cancelled))));
    pair.client.cancel(pair.now, long, &mut pair.person);
    assert_eq!(pair.client.room(), CALLS_MAX - 1, "its place is taken until the server is told");
    pair.settle();
    assert_eq!(pair.client.room(), CALLS_MAX);
    assert!(pair.works.standing.is_empty());
    assert_eq!(pair.client.faults().stale as usize, pair.sent_to_client.len(), "answers under way count as stale");
}

#[test]
fn deadlines_hold_at_both_ends() {
    let mut pair = Pair::ready();
    let patience = Some(Duration::from_millis(30));
    let id = pair.client.start_within(pair.now, "slow", Kind::Unary, patience).expect("room");
    pair.person.calls.insert(id.0, Talk::of([request(1, 0)]));
    assert_eq!(pair.client.deadline(), Some(pair.now + Duration::from_millis(30)));
    pair.now += Duration::from_millis(10);
    pair.client_sends();
    pair.now += Duration::from_millis(5);
    pair.server_hears();
    // Twenty milliseconds were left when the request went out.
    let deadline = pair.now + Duration::from_millis(20);
    assert_eq!(pair.server.deadline(), Some(deadline));
    pair.now = deadline;
    pair.server.wake(pair.now, &mut pair.works);
    assert!(pair.works.standing.is_empty());
    assert_eq!(pair.server.deadline(), None);
    // The client's own clock is earlier: its call is over before the server's word comes.
    pair.client.wake(pair.now, &mut pair.person);
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Timeout)));
    pair.settle();
    assert_eq!(pair.client.room(), CALLS_MAX);
}

#[test]
fn numbers_of_calls_wrap_past_those_under_way() {
    let mut pair = Pair::ready();
    let first = pair.start("slow", Kind::Unary, Talk::of([request(u32::MAX, 0)]));
    let mut last = first;
    for round in 0..65_536_u32 {
        last = pair.start("echo", Kind::Unary, Talk::of([round.to_le_bytes().to_vec()]));
        assert_ne!(last, first);
        pair.settle();
        pair.forget_frames();
        assert_eq!(pair.person.calls.remove(&last.0).and_then(|talk| talk.result()), Some(Ok(())));
    }
    assert_eq!(last, CallId(1), "one number was passed over");
    assert_eq!(pair.client.faults(), airtime_rpc::extended::Faults::default());
}
