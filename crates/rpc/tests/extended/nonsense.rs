//! Octets that nobody who keeps to the protocol sends: no panic, nothing unbounded, and the contract towards callers and
//! services holds, which the ones of these tests assert.

use airtime_core::Duration;
use airtime_core::random::{Stream, stream};
use airtime_rpc::{CALLS_MAX, Kind};

use super::support::{Pair, Talk, frame, request};

/// A record with a kind, flags, a call and a body that may or may not go together.
fn record(chance: &mut Stream, into: &mut Vec<u8>) {
    let kind = chance.below(9) as u8;
    let flags = chance.below(16) as u8 & !(if chance.below(4) > 0 { 3 } else { 0 });
    let call = chance.below(12) as u8;
    let body: Vec<u8> = match (kind, chance.below(3)) {
        (1, 0 | 1) => {
            let name = [&b"echo"[..], b"read", b"count", b"sum", b"chat", b"slow", b"none"][chance.below(7) as usize];
            [&[0, chance.below(20) as u8, 0, 0, chance.below(9) as u8, 0, name.len() as u8][..], name].concat()
        }
        (_, 0) => (0..chance.below(40)).map(|_| chance.bits() as u8).collect(),
        _ => (0..chance.below(12)).map(|_| chance.below(3) as u8).collect(),
    };
    into.extend([kind << 4 | flags, call, 0, body.len() as u8]);
    into.extend(body);
}

#[test]
fn records_in_any_order() {
    for seed in 0..40 {
        let mut chance = stream(seed, "rpc/nonsense");
        let mut pair = Pair::ready();
        pair.works.released = true;
        let mut number = 0;
        for round in 0..500_u16 {
            pair.now += Duration::from_millis(chance.below(5));
            if pair.client.room() > 0 {
                pair.person.calls.retain(|_, talk| talk.result().is_none());
                let (name, kind) =
                    [("slow", Kind::Unary), ("chat", Kind::Bidirectional), ("count", Kind::ServerStream)]
                        [chance.below(3) as usize];
                pair.start(name, kind, Talk { holds: true, ..Talk::of([request(u32::from(round), 3)]) });
            }
            let mut octets = Vec::new();
            for _ in 0..chance.below(6) {
                record(&mut chance, &mut octets);
            }
            // A number is skipped or repeated now and then; the server's first frame has been.
            number += if chance.below(50) == 0 { chance.below(3) as u16 } else { 1 };
            let (server, client) = (frame(number, &octets), frame(number + 1, &octets));
            pair.server.receive(pair.now, &server, &mut [], &mut pair.works);
            pair.client.receive(pair.now, &client, &mut [], &mut pair.person);
            pair.server.wake(pair.now, &mut pair.works);
            pair.client.wake(pair.now, &mut pair.person);
            pair.resume();
            let mut into = [0; 244];
            for _ in 0..4 {
                pair.client.transmit(pair.now, &mut into, &mut pair.person);
                pair.server.transmit(pair.now, &mut into, &mut pair.works);
            }
            assert!(pair.works.standing.len() <= CALLS_MAX);
        }
        let (server, client) = (pair.server.faults(), pair.client.faults());
        assert!(pair.works.opened > 20, "{}", pair.works.opened);
        for count in [server.malformed, server.misplaced, server.stale, client.stale, client.misplaced] {
            assert!(count > 0, "{server:?} {client:?}");
        }
        pair.server.disconnected(&mut pair.works);
        assert_eq!(pair.works.opened, pair.works.closed);
    }
}

#[test]
fn octets_of_any_kind() {
    let mut chance = stream(3, "rpc/octets");
    let mut pair = Pair::ready();
    let mut sealed = Pair::sealed();
    pair.start("slow", Kind::Unary, Talk::of([request(1, 0)]));
    for _ in 0..50_000 {
        let octets: Vec<u8> = (0..chance.below(60)).map(|_| chance.bits() as u8).collect();
        pair.server.receive(pair.now, &octets, &mut [], &mut pair.works);
        pair.client.receive(pair.now, &octets, &mut [], &mut pair.person);
        sealed.server.receive(pair.now, &octets, &mut [0; 64], &mut sealed.works);
    }
    assert!(pair.server.faults().malformed > 10_000);
    assert_eq!(sealed.works.opened, 0);
}
