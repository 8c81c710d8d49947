//! Values that find every transmit buffer taken: the states of the queue, call by call.

use alloc::string::String;
use alloc::vec::Vec;

use super::pipe::{CENTRAL, CONN, HOP, PERIPHERAL, PLENTY, Pair, personality};
use crate::host::{HostEvent, Profile, Refused, Request, ValueMethod};
use crate::personality::{Host, WriteOverflow};

/// A pair whose central gives values without a look, with the stream discovered.
fn blind(host: Host, acl_count: u8) -> Pair {
    let mut pair = Pair::with(Profile::Test, ValueMethod::Unanswered, host, personality(PLENTY));
    pair.acl = (251, acl_count);
    let mut pair = pair.connect();
    pair.request(CENTRAL, Request::Discover { conn: CONN });
    pair.settle();
    pair
}

/// Carries out `script`, in which `w` writes a value and `.` lets a [`HOP`] pass, after which the controller reports a packet; what
/// becomes of each value: `+` taken, `-` not.
fn answers(pair: &mut Pair, script: &str) -> String {
    let mut number = 0;
    let mut act = |step| {
        if step == '.' {
            let until = pair.now + HOP;
            while pair.step(until) {}
            pair.now = until;
            return '.';
        }
        number += 1;
        let given = pair.hosts[CENTRAL].request(pair.now, Request::SendValue { conn: CONN, value: &[number; 20] });
        pair.drain(CENTRAL);
        match given {
            Ok(()) => '+',
            Err(Refused::Full) => '-',
            Err(other) => panic!("{other}"),
        }
    };
    script.chars().map(&mut act).collect()
}

#[test]
fn a_full_queue_does_what_its_stack_does() {
    use WriteOverflow::{Busy, Drops, Refuses, Waits};
    // Treatment, transmit buffers, contexts beside them, the controller's buffers, hand-over in hops; the calls, and what becomes of them.
    let table = [
        // One value with the controller, one that waits for it: with the report of the first there is room for one.
        (Drops, 2, None, 1, 0, "www.www", "++-.+--"),
        (Refuses, 2, None, 1, 0, "www.www", "++-.+--"),
        // Both with the controller, and both reported.
        (Drops, 2, None, 3, 0, "www.www", "++-.++-"),
        (Drops, 1, None, 3, 0, "ww.w.w", "+-.+.+"),
        // The queue is what counts, however many buffers the controller has.
        (Drops, 4, None, 2, 0, "wwwww.ww.", "++++-.++."),
        // A buffer that is free once the controller has its packet: three there, and two that wait.
        (Drops, 2, Some(5), 3, 0, "wwwwww", "+++++-"),
        // What is on its way to the stack has its place in the queue; a stack that answers takes one at a time.
        (Drops, 2, None, 3, 1, "www", "++-"),
        (Refuses, 2, None, 3, 1, "www", "++-"),
        (Busy, 2, None, 3, 1, "www.ww", "+--.+-"),
        // Nobody looks, and everything has its turn.
        (Waits, 1, None, 1, 0, "wwww", "++++"),
    ];
    for (write_overflow, l2cap_tx_buffers, conn_tx_max, acl_count, hops, script, expected) in table {
        let host = Host { write_overflow, l2cap_tx_buffers, conn_tx_max, sdu_time: HOP * hops, ..personality(PLENTY) };
        let mut pair = blind(host, acl_count);
        let case = (write_overflow, l2cap_tx_buffers, conn_tx_max, acl_count, hops, script);
        let from = pair.events[PERIPHERAL].len();
        assert_eq!(answers(&mut pair, script), expected, "{case:?}");
        pair.settle();
        // What was taken arrives, in turn, and nothing else.
        let values = script.chars().filter(|step| *step == 'w').zip(1u8..).map(|(_, number)| number);
        let fates = expected.chars().filter(|fate| *fate != '.');
        let taken: Vec<u8> = values.zip(fates).filter(|(_, fate)| *fate == '+').map(|(number, _)| number).collect();
        let arrived = pair.events[PERIPHERAL][from..].iter().filter_map(|event| match event {
            HostEvent::Received { sdu, .. } => Some(sdu.head[0]),
            _ => None,
        });
        assert_eq!(arrived.collect::<Vec<u8>>(), taken, "{case:?}");
        assert_eq!(pair.hosts[CENTRAL].free_l2cap_buffers(), usize::from(l2cap_tx_buffers), "{case:?}: all are free");
    }
}

/// An answer to a request is no value: it finds its place behind a full queue.
#[test]
fn only_values_of_the_application_overflow() {
    let host = Host { write_overflow: WriteOverflow::Drops, l2cap_tx_buffers: 1, ..personality(PLENTY) };
    let mut pair = blind(host, 1);
    assert_eq!(answers(&mut pair, "ww"), "+-");
    pair.request(CENTRAL, Request::ExchangeMtu { conn: CONN });
    pair.settle();
    let agreed = |event: &HostEvent| matches!(event, HostEvent::MtuExchanged { conn: CONN, .. });
    assert!(pair.events[CENTRAL].iter().any(agreed));
}
