//! How many connection events calls take.

use airtime_core::Duration;

use super::bench::{Bench, ms_per_call};
use super::calls::{Done, Plan, counter_stream, counter_upload, data_write, echo, flash_read};

const TRANSPORTS: [&str; 2] = ["gatt", "coc"];

/// Both ends Zephyr's controller with hosts that answer at once.
fn link(transport: &str, interval_ms: u64, mode: &str, plan: Plan) -> Bench {
    let interval = format!("{interval_ms}ms");
    Bench::new(
        &[
            ("central.personality", "zephyr-ll"),
            ("peripheral.personality", "zephyr-ll"),
            ("rpc.transport", transport),
            ("rpc.mode", mode),
            ("ble.conn_interval", &interval),
        ],
        plan,
    )
}

fn all_ended_well(done: &[Done]) {
    assert!(done.iter().all(|one| one.result == Ok(())), "{done:?}");
}

#[test]
fn a_sequential_call_takes_two_connection_events() {
    for mode in ["compatible", "extended"] {
        for transport in TRANSPORTS {
            for ms in [15, 30] {
                for plan in [flash_read(1), echo("hello"), data_write(200)] {
                    let mut bench = link(transport, ms, mode, plan.times(21, 1));
                    let done = bench.until_done(21);
                    all_ended_well(&done);
                    for one in &done[1..] {
                        assert_eq!(one.ended - one.began, Duration::from_millis(2 * ms), "{mode} {transport}");
                        assert_eq!(bench.events(one.began, one.ended), 2);
                    }
                }
            }
        }
    }
}

/// The published benchmark, at its two intervals. What is more than two events per call is radio time of 8 KB, which takes
/// some 50 ms on 2M.
#[test]
fn the_published_calls_take_whole_connection_events() {
    let table: [(Plan, usize, [u64; 2]); 4] = [
        (flash_read(8_192), 10, [75, 90]),
        (echo("hello"), 50, [30, 60]),
        (counter_stream(20), 5, [30, 60]),
        (counter_upload(20), 5, [30, 60]),
    ];
    for transport in TRANSPORTS {
        for (plan, calls, ms) in &table {
            for (interval, ms) in [15, 30].into_iter().zip(ms) {
                let mut bench = link(transport, interval, "compatible", plan.clone().times(calls + 1, 1));
                let done = bench.until_done(calls + 1);
                all_ended_well(&done);
                let took = ms_per_call(&done[1..]);
                assert_eq!((took * 1e6) as u64, ms * 1_000_000, "{transport} {interval} ms {}", plan.name);
            }
        }
    }
}

#[test]
fn eight_calls_that_begin_together_take_at_most_three_connection_events() {
    for transport in TRANSPORTS {
        for ms in [15, 30] {
            for plan in [flash_read(1), echo("hello"), data_write(200), counter_stream(20), counter_upload(20)] {
                let name = plan.name;
                let mut bench = link(transport, ms, "extended", plan.times(64, 8));
                let done = bench.until_done(64);
                all_ended_well(&done);
                let began = done[0].began;
                assert_eq!(done.iter().filter(|one| one.began == began).count(), 8, "{name}: they begin together");
                assert!(done.iter().all(|one| bench.events(one.began, one.ended) <= 3), "{transport} {ms} ms {name}");
                // One after the other they would take two events each.
                assert!(5.0 * ms_per_call(&done) <= 2.0 * ms as f64, "{transport} {ms} ms {name}");
            }
        }
    }
}

#[test]
fn every_frame_arrives_in_turn_and_calls_begin_when_the_client_is_ready() {
    for transport in TRANSPORTS {
        let mut bench = link(transport, 15, "extended", echo("hello").times(100, 8));
        let done = bench.until_done(100);
        let seen = &bench.network.observer;
        assert_eq!((seen.gaps, seen.ready.as_slice()), (0, &[done[0].began][..]));
        // What is under way at the end is at most what either host may have.
        let [central, peripheral] = seen.submitted;
        assert!(central >= seen.delivered[1] && peripheral >= seen.delivered[0], "{seen:?}");
        // A frame of the published protocol carries one message at most; these carry several.
        assert!(seen.delivered[0] < 30, "{}: answers share frames", seen.delivered[0]);
        assert!(done.iter().all(|one| one.responses == [b"\x0a\x05hello"]));
    }
}
