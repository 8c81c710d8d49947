//! Whatever the air does: what is delivered was sent, in order, and once. Whatever comes: no panic.

use airtime_core::Duration;
use airtime_nrf24::tunnel::{Config, Mode, Tuning};
use proptest::prelude::*;

use super::pipe::Pipe;
use super::pipe::air::Air;
use super::pipe::config;
use super::pipe::packets::{tcp, udp};

fn air() -> impl Strategy<Value = Air> {
    let faults = (0_u32..200, 0_u32..100, 0_u32..100, 0_u32..20, 0_u32..20, 0_u32..100);
    let dead = prop::option::of((20_u64..200, 0_u64..20));
    (faults, dead, 50_u64..800, 0_u64..800, 1_u32..4).prop_map(
        |((lost, doubled, late, changed, cut, unheard), dead, delay, spread, retries)| Air {
            lost,
            doubled,
            late,
            changed,
            cut,
            unheard,
            dead: dead.map(|(every, dead)| (Duration::from_millis(every), Duration::from_millis(dead))),
            delay: (Duration::from_micros(delay), Duration::from_micros(delay + spread)),
            retries,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn delivered_is_what_was_sent_in_order_and_once(
        mode in prop_oneof![Just(Mode::Stream), Just(Mode::AutoAck)],
        air in air(),
        compression: bool,
        sealed: bool,
        seed: u64,
        sizes in prop::collection::vec(56_usize..1500, 20..60),
        restarts in prop::collection::vec((0_usize..2, 0_usize..60), 0..3),
    ) {
        // Chips that acknowledge neither double nor reorder.
        let air = if mode == Mode::AutoAck { Air { doubled: 0, late: 0, ..air } } else { air };
        let with = |epoch| Config { compression, key: sealed.then_some([1; 32]), ..config(mode, epoch) };
        let mut pipe = Pipe::of([with(1), with(2)], [Tuning::default(); 2], air).seeded(seed);
        let mut sent: [Vec<Vec<u8>>; 2] = [Vec::new(), Vec::new()];
        for (n, &octets) in sizes.iter().enumerate() {
            for (end, sent) in sent.iter_mut().enumerate() {
                let packet = if n % 3 == 0 { tcp(end as u16, n as u32, octets) } else { udp(end as u16, n as u32, octets) };
                let _ = pipe.offer(end, &packet);
                sent.push(packet);
            }
            pipe.run_for(Duration::from_millis(6));
            for (nth, &(end, at)) in restarts.iter().enumerate() {
                if at == n {
                    pipe.restart(end, 100 + nth as u64);
                }
            }
        }
        pipe.run_for(Duration::from_millis(500));
        for end in 0..2 {
            // Two flows in one direction may pass each other; within each, order is kept.
            for protocol in [6, 17] {
                let mut rest = sent[1 - end].iter().filter(|packet| packet[9] == protocol);
                let of_flow = pipe.ends[end].delivered.iter().filter(|delivered| delivered.packet[9] == protocol);
                for delivered in of_flow {
                    prop_assert!(rest.any(|packet| *packet == delivered.packet), "delivered twice, late or changed");
                }
            }
        }
    }

    #[test]
    fn no_octets_make_a_tunnel_panic_or_deaf(
        mode in prop_oneof![Just(Mode::Stream), Just(Mode::AutoAck)],
        frames in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..40), 0_u64..3_000), 0..200),
    ) {
        let mut pipe = Pipe::new(mode, Air::default()).greeted();
        for (frame, after) in &frames {
            pipe.inject(1, frame);
            pipe.inject(0, frame);
            pipe.run_for(Duration::from_micros(*after));
        }
        pipe.run_for(Duration::from_millis(600));
        // What garbage left in a window may cost packets, but not for ever.
        let before = pipe.ends[1].delivered.len();
        for n in 0..70 {
            let _ = pipe.offer(0, &udp(1, n, 100));
            pipe.run_for(Duration::from_millis(5));
        }
        pipe.run_for(Duration::from_millis(600));
        let packets = &pipe.ends[1].delivered[before..];
        prop_assert_eq!(packets.last().map(|delivered| delivered.packet.clone()), Some(udp(1, 69, 100)));
    }
}
