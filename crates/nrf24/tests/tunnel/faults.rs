//! What goes wrong costs the packets that it hits, and nothing else.

use airtime_core::{Duration, Instant};
use airtime_nrf24::trace::{DropPoint, Purpose};
use airtime_nrf24::tunnel::{Config, Mode, Tuning};

use super::delivery::{numbers, send};
use super::pipe::Pipe;
use super::pipe::air::{Air, Chance};
use super::pipe::config;
use super::pipe::packets::udp;

const BOTH: [Mode; 2] = [Mode::Stream, Mode::AutoAck];

#[test]
fn short_silences_cost_nothing() {
    let silence = (Duration::from_millis(50), Duration::from_millis(10));
    for mode in BOTH {
        let mut pipe = Pipe::new(mode, Air { dead: Some(silence), ..Air::default() }).greeted();
        send(&mut pipe, 400, 576, Duration::from_millis(13));
        assert_eq!(numbers(&pipe, 576).len(), 400, "{mode:?}");
    }
}

#[test]
fn stalls_of_the_receiving_host_cost_nothing_in_a_stream() {
    for stall in [1, 3, 10] {
        let mut pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
        for n in 0..300 {
            pipe.offer_at(0, pipe.now + Duration::from_millis(5) * u64::from(n), udp(1, n, 576));
        }
        for _ in 0..30 {
            pipe.stall(1, Duration::from_millis(stall));
            pipe.run_for(Duration::from_millis(50));
        }
        pipe.run_for(Duration::from_millis(200));
        assert!(stall < 3 || pipe.ends[0].repeats() > 30, "{stall} ms: the RX FIFO overflows");
        assert_eq!(numbers(&pipe, 576).len(), 300, "{stall} ms");
    }
}

#[test]
fn doubled_and_overtaken_frames_come_out_once_and_in_order() {
    let air = Air { doubled: 100, late: 100, lost: 20, ..Air::default() };
    let mut pipe = Pipe::new(Mode::Stream, air).greeted();
    send(&mut pipe, 300, 576, Duration::from_millis(8));
    assert_eq!(numbers(&pipe, 576), (0..300).collect::<Vec<_>>());
}

#[test]
fn lost_acknowledgements_of_the_chip_do_not_double_packets() {
    let mut pipe = Pipe::new(Mode::AutoAck, Air { unheard: 400, retries: 1, ..Air::default() }).greeted();
    send(&mut pipe, 300, 60, Duration::from_millis(15));
    assert!(pipe.ends[0].repeats() > 50, "the chip gave up: {}", pipe.ends[0].repeats());
    assert_eq!(numbers(&pipe, 60), (0..300).collect::<Vec<_>>());
}

#[test]
fn changed_and_shortened_frames_cost_their_packets_only() {
    for mode in BOTH {
        let air = Air { changed: 5, cut: 5, ..Air::default() };
        let mut pipe = Pipe::new(mode, air).greeted();
        send(&mut pipe, 400, 576, Duration::from_millis(15));
        let arrived = numbers(&pipe, 576).len();
        // 19 chunks of a packet are hit with a chance of 17 %; a header that is hit may cost the packet behind as well.
        assert!((260..395).contains(&arrived), "{mode:?}: {arrived}");
        assert!(!pipe.ends[1].dropped.is_empty());
    }
}

#[test]
fn garbage_costs_at_most_what_it_hits() {
    for mode in BOTH {
        let mut pipe = Pipe::new(mode, Air::default()).greeted();
        let mut chance = Chance::new(9);
        for n in 0..400 {
            pipe.offer_at(0, pipe.now + Duration::from_millis(4), udp(1, n, 60));
            pipe.run_for(Duration::from_millis(5));
            let frame: Vec<u8> = (0..chance.below(34)).map(|_| chance.number() as u8).collect();
            pipe.inject((n % 2) as usize, &frame);
        }
        pipe.run_for(Duration::from_millis(500));
        let arrived = numbers(&pipe, 60).len();
        assert!(arrived > 200, "{mode:?}: {arrived}");
    }
}

#[test]
fn whatever_restarts_begins_again() {
    for mode in BOTH {
        for end in [0, 1] {
            let mut pipe = Pipe::new(mode, Air::losing(10)).greeted();
            for n in 0..400 {
                pipe.offer_at(0, pipe.now + Duration::from_millis(15) * u64::from(n), udp(1, n, 576));
            }
            for epoch in 0..5 {
                pipe.run_for(Duration::from_millis(1_001));
                pipe.restart(end, 100 + epoch);
            }
            pipe.run_for(Duration::from_millis(1_500));
            let arrived = numbers(&pipe, 576).len();
            // Each time: the packets under way and in the queue of who starts, and those of the time until it has greeted.
            assert!(arrived >= 400 - 5 * 4, "{mode:?} {end}: {arrived}");
            assert_eq!(pipe.ends[0].tunnel.agreed(), Some(mode));
        }
    }
}

#[test]
fn a_packet_is_given_up_after_its_time_and_the_next_goes_on() {
    for (mode, at) in [(Mode::Stream, DropPoint::Persistence), (Mode::AutoAck, DropPoint::MaxRt)] {
        let mut pipe = Pipe::new(mode, Air::default()).greeted();
        pipe.ends[0].air.lost = 1_000;
        let begun = pipe.now;
        pipe.offer(0, &udp(1, 0, 1500)).unwrap();
        while pipe.ends[0].dropped.is_empty() {
            pipe.run_for(Duration::from_millis(1));
            assert!(pipe.now < begun + Duration::from_millis(400), "it is never given up");
        }
        let took = pipe.now - begun;
        assert!((200..=215).contains(&took.as_micros().div_ceil(1_000)), "{mode:?} {took}");
        assert_eq!(pipe.ends[0].dropped, [(at, 1500)]);
        pipe.ends[0].air.lost = 0;
        for n in 1..20 {
            pipe.offer_at(0, pipe.now + Duration::from_millis(40) * u64::from(n), udp(1, n, 1500));
        }
        pipe.run_for(Duration::from_millis(1_500));
        assert_eq!(numbers(&pipe, 1500), (1..20).collect::<Vec<_>>(), "{mode:?}");
    }
}

#[test]
fn what_has_left_the_chip_is_not_given_up_later() {
    let mut pipe = Pipe::new(Mode::AutoAck, Air::default()).greeted();
    pipe.offer(0, &udp(1, 0, 60)).unwrap();
    pipe.run_for(Duration::from_secs(1));
    pipe.ends[0].air.lost = 1_000;
    pipe.offer(0, &udp(1, 1, 60)).unwrap();
    pipe.run_for(Duration::from_millis(100));
    assert!(pipe.ends[0].dropped.is_empty(), "{:?}", pipe.ends[0].dropped);
    let mut repeats = pipe.ends[0].uploads.iter().filter(|upload| upload.purpose == Purpose::Repeat).peekable();
    assert!(repeats.peek().is_some() && repeats.all(|upload| upload.packet == 1));
}

#[test]
fn how_much_is_lost_is_a_matter_of_persistence() {
    let cases = [
        // Nothing can be acknowledged within the time of a frame; but time goes on.
        (Mode::Stream, Duration::ZERO, 0..1),
        (Mode::Stream, Duration::from_millis(5), 100..200),
        (Mode::Stream, Duration::MAX, 200..201),
        (Mode::AutoAck, Duration::ZERO, 100..190),
        (Mode::AutoAck, Duration::MAX, 200..201),
    ];
    for (mode, persistence, expected) in cases {
        let with = |epoch| Config { persistence, ..config(mode, epoch) };
        let air = Air { lost: 20, retries: 0, ..Air::default() };
        let mut pipe = Pipe::of([with(1), with(2)], [Tuning::default(); 2], air).greeted();
        send(&mut pipe, 200, 576, Duration::from_millis(15));
        let arrived = numbers(&pipe, 576).len();
        assert!(expected.contains(&arrived), "{mode:?} {persistence}: {arrived}");
    }
}

#[test]
fn a_long_silence_leaves_no_old_packets() {
    for mode in BOTH {
        let mut pipe = Pipe::new(mode, Air::default()).greeted();
        pipe.ends[0].air.lost = 1_000;
        for n in 0..100 {
            pipe.offer_at(0, pipe.now + Duration::from_millis(20) * u64::from(n), udp(1, n, 576));
        }
        pipe.run_for(Duration::from_secs(4));
        pipe.ends[0].air.lost = 0;
        pipe.run_for(Duration::from_millis(100));
        for n in 100..110 {
            pipe.offer_at(0, pipe.now + Duration::from_millis(20) * u64::from(n - 100), udp(1, n, 576));
        }
        pipe.run_for(Duration::from_secs(1));
        assert_eq!(numbers(&pipe, 576), (100..110).collect::<Vec<_>>(), "{mode:?}");
    }
}

#[test]
fn counters_wrap() {
    // 65536 chunks are where the base of an acknowledgement wraps; sequence numbers have done so a thousand times.
    let mut pipe = Pipe::new(Mode::Stream, Air::losing(10)).greeted();
    for n in 0..1_600 {
        pipe.offer_at(0, pipe.now + Duration::from_millis(9) * u64::from(n), udp(1, n, 1400));
    }
    pipe.run_for(Duration::from_millis(9 * 1_600 + 500));
    assert!(pipe.ends[0].uploads.len() > 70_000);
    assert_eq!(numbers(&pipe, 1400).len(), 1_600);
}

#[test]
fn a_gap_in_auto_ack_resynchronises_at_the_next_first_chunk() {
    let mut pipe = Pipe::new(Mode::AutoAck, Air { cut: 20, ..Air::default() }).greeted();
    send(&mut pipe, 300, 576, Duration::from_millis(15));
    let arrived = numbers(&pipe, 576).len();
    let receiver = &pipe.ends[1];
    assert!(arrived < 300 && receiver.drops_at(DropPoint::Gap) > 0, "{arrived}");
    let astray: u32 = receiver.resyncs.iter().sum();
    let missing = (300 - arrived) as u32;
    assert!(receiver.resyncs.len() as u32 <= missing && astray > 0, "{:?}", receiver.resyncs);
    assert!(astray <= missing * 578, "what is thrown away belongs to packets that were hit: {astray} of {missing}");
}

#[test]
fn a_sender_that_was_told_too_much_puts_the_receiver_right() {
    let mut before = Pipe::new(Mode::Stream, Air::default()).greeted();
    before.offer(0, &udp(1, 0, 28)).unwrap();
    before.run_for(Duration::from_millis(10));
    let ack = before.ends[1].sent.last().expect("chunk 0 was acknowledged").clone();
    assert_eq!(ack.len(), 9);
    // The same session once more, but now the chunk is lost and the acknowledgement comes all the same.
    let mut pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    pipe.ends[0].air.lost = 1_000;
    pipe.offer(0, &udp(1, 0, 28)).unwrap();
    pipe.run_for(Duration::from_micros(500));
    pipe.inject(0, &ack);
    pipe.ends[0].air.lost = 0;
    send(&mut pipe, 100, 60, Duration::from_millis(3));
    assert_eq!(numbers(&pipe, 60).len(), 100);
    assert!(pipe.ends.iter().all(|end| end.tunnel.deadline().is_none()), "nothing is left to wait for");
}

#[test]
fn nobody_sends_data_before_both_have_greeted() {
    let mut pipe = Pipe::new(Mode::Stream, Air::default());
    pipe.ends[1].air.lost = 1_000;
    pipe.offer(0, &udp(1, 0, 60)).unwrap();
    pipe.run_for(Duration::from_secs(2));
    assert!(pipe.ends[0].uploads.iter().all(|upload| upload.purpose == Purpose::Control));
    assert!(pipe.ends[0].uploads.len() < 2_000 / 160 + 6, "greetings become rare: {}", pipe.ends[0].uploads.len());
    assert_eq!(pipe.ends[0].tunnel.agreed(), None);
}

#[test]
fn what_a_former_session_left_behind_is_not_heard() {
    let mut pipe = Pipe::new(Mode::Stream, Air::losing(50)).greeted();
    send(&mut pipe, 50, 576, Duration::from_millis(10));
    let [old, _] = pipe.ends.each_ref().map(|end| end.sent.clone());
    pipe.restart(1, 0xb2);
    pipe.run_for(Duration::from_millis(100));
    let before = pipe.ends[1].delivered.len();
    // Without encryption chunks of an old session look like new ones; its control frames do not.
    for frame in old.iter().filter(|frame| frame.len() < 32 && frame[0] & 1 == 0) {
        pipe.inject(1, frame);
    }
    pipe.run_for(Duration::from_millis(300));
    assert_eq!(pipe.ends[1].delivered.len(), before);
    pipe.offer(0, &udp(1, 77, 60)).unwrap();
    pipe.run_for(Duration::from_millis(300));
    assert_eq!(pipe.ends[1].delivered.last().map(|last| last.packet.clone()), Some(udp(1, 77, 60)));
    assert!(pipe.now > Instant::ZERO);
}
