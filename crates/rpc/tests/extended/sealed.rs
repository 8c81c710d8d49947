//! Sealed frames: nothing that was changed, made up or sent again is acted on.

use airtime_rpc::extended::Faults;
use airtime_rpc::{CallError, Kind, Status};

use super::support::{Pair, Talk, request, text};

#[test]
fn calls_of_every_kind() {
    let mut pair = Pair::sealed();
    let echo = pair.start("echo", Kind::Unary, Talk::of([b"hello".to_vec()]));
    let read = pair.start("read", Kind::Unary, Talk::of([request(1, 100_000)]));
    let count = pair.start("count", Kind::ServerStream, Talk::of([request(2, 20)]));
    let sum = pair.start("sum", Kind::ClientStream, Talk::of((0..20).map(|at| text(at, 4))));
    let chat = pair.start("chat", Kind::Bidirectional, Talk::of((0..20).map(|at| text(at, 40))));
    pair.settle();
    for id in [echo, read, count, sum, chat] {
        assert_eq!(pair.person.call(id).result(), Some(Ok(())));
    }
    assert_eq!(pair.person.call(read).responses, [text(1, 100_000)]);
    assert_eq!(pair.client.faults(), Faults::default());
    assert_eq!(pair.server.faults(), Faults::default());
    // Nothing of a message can be read on the way.
    let echoed = |frame: &Vec<u8>| frame.windows(5).any(|octets| octets == b"hello");
    assert!(!pair.sent_to_server.iter().chain(&pair.sent_to_client).any(echoed));
}

#[test]
fn what_a_seal_costs() {
    let mut pair = Pair::sealed();
    pair.start("read", Kind::Unary, Talk::of([request(1, 8198)]));
    pair.settle();
    // The number takes 4 octets, the tag 16, the record 3: 221 of 244 are left.
    assert_eq!(pair.sent_to_client.len(), 8198_usize.div_ceil(221));
    assert_eq!(pair.sent_to_client.iter().map(Vec::len).sum::<usize>(), 8198 + 38 * 23);
}

/// Every bit of a frame is under the seal, and one that is not genuine counts as not having come.
#[test]
fn a_changed_frame_is_no_frame() {
    let mut pair = Pair::sealed();
    let id = pair.start("echo", Kind::Unary, Talk::of([b"hello".to_vec()]));
    pair.client_sends();
    let frame = pair.to_server[0].clone();
    for bit in 0..frame.len() * 8 {
        let mut changed = frame.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        pair.server.receive(pair.now, &changed, &mut [0; 512], &mut pair.works);
    }
    assert_eq!(pair.server.faults().not_genuine, frame.len() as u64 * 8);
    for length in 0..frame.len() {
        pair.server.receive(pair.now, &frame[..length], &mut [0; 512], &mut pair.works);
    }
    let faults = pair.server.faults();
    assert_eq!(faults.not_genuine + faults.malformed, frame.len() as u64 * 9);
    assert_eq!(pair.works.opened, 0);
    pair.settle();
    assert_eq!(pair.person.call(id).result(), Some(Ok(())), "the genuine one still counts");
    assert_eq!(pair.server.faults().missed, 0);
}

#[test]
fn a_frame_sent_again_or_back_is_refused() {
    let mut pair = Pair::sealed();
    let id = pair.start("echo", Kind::Unary, Talk::of([request(1, 0)]));
    pair.settle();
    let (up, down) = (pair.sent_to_server[0].clone(), pair.sent_to_client[0].clone());
    pair.server.receive(pair.now, &up, &mut [0; 512], &mut pair.works);
    pair.client.receive(pair.now, &down, &mut [0; 512], &mut pair.person);
    assert_eq!((pair.server.faults().old, pair.client.faults().old), (1, 1));
    // Directions have nonces of their own: what one end sent is not genuine at the same end.
    pair.server.receive(pair.now, &down, &mut [0; 512], &mut pair.works);
    pair.client.receive(pair.now, &up, &mut [0; 512], &mut pair.person);
    assert_eq!((pair.server.faults().not_genuine, pair.client.faults().not_genuine), (1, 1));
    assert_eq!(pair.person.call(id).responses.len(), 1);
    assert_eq!(pair.works.opened, 1);
}

/// In compatible mode anybody can end a stream or refuse a call; here the words for it are sealed as well.
#[test]
fn nobody_else_ends_a_call() {
    let mut pair = Pair::sealed();
    let id = pair.start("slow", Kind::Unary, Talk::of([request(1, 0)]));
    pair.settle();
    let open = super::support::frame(1, &[0x41, id.0 as u8, 0, Status::Busy as u8]);
    pair.client.receive(pair.now, &open, &mut [0; 512], &mut pair.person);
    let padded = [&open[..], &[0; 30]].concat();
    pair.client.receive(pair.now, &padded, &mut [0; 512], &mut pair.person);
    let faults = pair.client.faults();
    assert_eq!((faults.malformed, faults.not_genuine), (1, 1));
    assert_eq!(pair.person.call(id).result(), None);
    pair.works.released = true;
    pair.settle();
    assert_eq!(pair.person.call(id).result(), Some(Ok(())));
}

#[test]
fn a_lost_frame_is_noticed() {
    let mut pair = Pair::sealed();
    let id = pair.start("read", Kind::Unary, Talk::of([request(1, 5000)]));
    pair.client_sends();
    pair.server_hears();
    pair.server_sends();
    pair.to_client.remove(3);
    pair.client_hears();
    assert_eq!(pair.person.call(id).result(), Some(Err(CallError::Lost)));
    assert_eq!(pair.client.faults().missed, 1);
}

#[test]
fn a_frame_that_nobody_has_room_to_open_is_dropped() {
    let mut pair = Pair::sealed();
    pair.start("echo", Kind::Unary, Talk::of([text(1, 100)]));
    pair.client_sends();
    let frame = pair.to_server[0].clone();
    pair.server.receive(pair.now, &frame, &mut [0; 60], &mut pair.works);
    assert_eq!(pair.server.faults().malformed, 1);
}
