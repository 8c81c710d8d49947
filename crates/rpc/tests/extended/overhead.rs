//! What frames cost: exact numbers, so that a change is seen.

use airtime_rpc::Kind;

use super::support::{Pair, Talk, request, text};

fn octets(frames: &[Vec<u8>]) -> usize {
    frames.iter().map(Vec::len).sum()
}

#[test]
fn eight_kilobytes_at_244_octets() {
    let mut pair = Pair::ready();
    // What a flash_read answers: 3 octets of address, 3 of tag and length, and the flash.
    let message = 8192 + 6;
    pair.start("read", Kind::Unary, Talk::of([request(1, message)]));
    pair.settle();
    // A full frame holds 239 octets of a message, 97.9 %: its head takes 2, the record 3.
    assert_eq!(pair.sent_to_client.len(), (message as usize).div_ceil(239));
    assert_eq!(pair.sent_to_client.len(), 35);
    assert_eq!(octets(&pair.sent_to_client), message as usize + 35 * 5);
    let full = pair.sent_to_client.iter().filter(|frame| frame.len() == 244).count();
    assert_eq!(full, 34);
    assert_eq!(pair.sent_to_server.len(), 1, "and not one credit on the way");
}

#[test]
fn reads_beside_each_other_fill_every_frame_but_the_last() {
    let mut pair = Pair::ready();
    for number in 0..8 {
        pair.start("read", Kind::Unary, Talk::of([request(number, 8198)]));
    }
    pair.settle();
    let (last, full) = pair.sent_to_client.split_last().expect("frames");
    assert!(full.iter().all(|frame| frame.len() == 244), "{:?}", full.iter().map(Vec::len).collect::<Vec<_>>());
    assert!(last.len() <= 244);
    let payload = 8 * 8192;
    let overhead = octets(&pair.sent_to_client) - payload;
    // 2.2 % in all, 0.1 % of it the application's own.
    assert_eq!(overhead, 1451);
}

#[test]
fn eight_echoes_take_a_frame_each_way() {
    let mut pair = Pair::ready();
    for number in 0..8 {
        pair.start("echo", Kind::Unary, Talk::of([text(number, 7)]));
    }
    pair.settle();
    assert_eq!(pair.sent_to_server.iter().map(Vec::len).collect::<Vec<_>>(), [2 + 8 * (15 + 11) - 1]);
    assert_eq!(pair.sent_to_client.iter().map(Vec::len).collect::<Vec<_>>(), [2 + 8 * 11 - 1]);
}

#[test]
fn a_unary_call_costs_sixteen_octets_and_its_name() {
    let mut pair = Pair::ready();
    pair.start("echo", Kind::Unary, Talk::of([text(1, 7)]));
    pair.settle();
    assert_eq!(octets(&pair.sent_to_server), 16 + 4 + 7);
    assert_eq!(octets(&pair.sent_to_client), 5 + 7);
}

#[test]
fn eight_writes_of_200_octets_take_eight_frames() {
    let mut pair = Pair::ready();
    for number in 0..8 {
        // 3 octets of tag and length.
        pair.start("echo", Kind::Unary, Talk::of([text(number, 203)]));
    }
    pair.settle();
    // Frames are filled across calls: 15 octets of OPEN, 4 and 203 of DATA for each, and heads of those that were cut.
    let lengths: Vec<_> = pair.sent_to_server.iter().map(Vec::len).collect();
    assert_eq!(lengths, [244, 244, 244, 244, 244, 244, 244, 104]);
}

#[test]
fn twenty_counters_take_a_frame() {
    let mut pair = Pair::ready();
    pair.start("sum", Kind::ClientStream, Talk::of((0..20).map(|at| text(at, 4))));
    pair.settle();
    assert_eq!(pair.sent_to_server.len(), 1);
    assert_eq!(octets(&pair.sent_to_server), 2 + 4 + 7 + 3 + 20 * 8 - 1);
    pair.forget_frames();
    pair.start("count", Kind::ServerStream, Talk::of([request(1, 20)]));
    pair.settle();
    // Items of the test's method have 8 octets.
    assert_eq!(pair.sent_to_client.len(), 1);
    assert_eq!(octets(&pair.sent_to_client), 2 + 20 * 12 - 1);
}

#[test]
fn a_long_transfer_spends_little_on_credits() {
    let mut pair = Pair::with(244, 16_384, 16_384);
    pair.start("read", Kind::Unary, Talk::of([request(1, 1 << 20)]));
    pair.settle();
    // Nothing is on the way when the client speaks here: a record of credit for each window.
    assert_eq!(pair.sent_to_server.len(), 1 + 64);
    assert_eq!(pair.sent_to_server[1].len(), 2 + 7);
}
