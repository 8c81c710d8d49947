//! Tables of the three-wire window: what an end does in each of its states, and who sends what when. They are not written but driven out of
//! the machine: a row that changes is a change of behaviour.

use alloc::format;
use alloc::string::String;

use airtime_core::Pool;

use super::*;
use crate::hci::{ACL_DATA, EVENT};

/// Nanoseconds of an octet at this baud, so that times are counts of octets.
const OCTET_NS: u64 = 11_000;
const BAUD: u32 = 1_000_000;

fn packet(pool: &Pool, kind: u8, octets: usize) -> Packet {
    let mut all = alloc::vec![0; octets];
    all[0] = kind;
    pool.copy(&all)
}

/// Every state of an end with a free line: its window, what it has under way, a packet that waits, an acknowledgement that it owes.
#[test]
fn a_free_line() {
    let pool = Pool::new();
    let mut text = String::new();
    for window in [1, 4, 7] {
        for under_way in 0..=window {
            for (waits, owes) in [(false, false), (false, true), (true, false), (true, true)] {
                let waiting = waits.then(|| packet(&pool, ACL_DATA, 9)).into_iter().collect();
                let (next, unacknowledged) = (5, 5_u8.wrapping_sub(under_way) & NUMBERS);
                let mut side = Side { waiting, line: None, next, unacknowledged, expects: 3, owes };
                side.begin(Instant::ZERO, Settings { baud: BAUD, window, crc: false });
                let does = match &side.line {
                    Some(Sending { packet: Some(_), .. }) => format!("sends, has {} under way", side.under_way()),
                    Some(_) => "acknowledges".into(),
                    None => "is silent".into(),
                };
                assert!(side.line.is_none() || !side.owes, "every frame acknowledges");
                let has = [if waits { "a packet waits" } else { "nothing waits" }, if owes { ", owes" } else { "" }];
                text.push_str(&format!("window {window}, {under_way} under way, {} -> {does}\n", has.concat()));
            }
        }
    }
    insta::assert_snapshot!(text);
}

/// Every frame of an exchange of so many packets each way, with the octet times at which it ends.
fn exchange(window: u8, down: usize, up: usize) -> String {
    let pool = Pool::new();
    let mut wire = ThreeWire::new(BAUD, window, false);
    for _ in 0..down {
        wire.send(Instant::ZERO, End::Controller, packet(&pool, ACL_DATA, 101));
    }
    for _ in 0..up {
        wire.send(Instant::ZERO, End::Host, packet(&pool, EVENT, 8));
    }
    let mut text = format!("# window {window}, {down} packets of 100 octets down, {up} of 7 up\n");
    while let Some((at, to)) = wire.next() {
        let (name, side) = match to {
            End::Controller => ("host", &wire.host),
            End::Host => ("controller", &wire.controller),
        };
        let sending = side.line.as_ref().expect("the next frame is on the line");
        let what = sending.packet.as_ref().map_or("nothing", |_| "a packet");
        let row = format!("{:>4}: {name} has sent {what}, ", at.as_nanos() / OCTET_NS);
        let (acknowledges, under_way) = (sending.acknowledges, side.under_way());
        text.push_str(&format!("{row}expects {acknowledges}, {under_way} under way\n"));
        assert!(under_way <= window);
        wire.arrived(at, to);
    }
    assert!(!wire.carries(End::Controller) && !wire.carries(End::Host));
    assert_eq!((wire.host.under_way(), wire.controller.under_way()), (0, 0), "all is acknowledged");
    text
}

#[test]
fn exchanges() {
    let text = [exchange(1, 3, 0), exchange(2, 3, 0), exchange(4, 9, 3), exchange(1, 2, 2)];
    insta::assert_snapshot!(text.join("\n"));
}
