//! What a live server does: packets act in from outside between steps, and come out where an observer sees them.

use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_wifi::cell::{Cell, CellConfig};
use airtime_wifi::network::{End, Network, Observer, Outcome};
use airtime_wifi::personality::Personality;

/// Packets that came out of either interface.
#[derive(Debug, Default)]
struct Out(Vec<(End, Instant, Vec<u8>)>);

impl Observer for Out {
    fn packet(&mut self, now: Instant, end: End, into: bool, packet: &[u8]) {
        if !into {
            self.0.push((end, now, packet.to_vec()));
        }
    }
}

/// An IPv4 packet with a number in it.
fn packet(number: u8, octets: usize) -> Vec<u8> {
    let mut packet = vec![0; octets];
    packet[0] = 0x45;
    packet[2..4].copy_from_slice(&(octets as u16).to_be_bytes());
    packet[20] = number;
    packet
}

#[test]
fn packets_from_outside_come_out_at_the_other_end_in_order() {
    let (pool, start) = (Pool::new(), Instant::ZERO);
    let personality = Personality::espressif();
    let cell = Cell::new(CellConfig::pair(), pool.clone(), 1);
    let chain = personality.booted(&pool);
    let mut network = Network::new(&pool, personality.path, cell, Some(chain), (), (), Out::default());
    network.start(start);
    let mut event_loop = EventLoop::new(start, &network);
    let mut sent = [Vec::new(), Vec::new()];
    for number in 0..40u8 {
        let now = start + Duration::from_micros(u64::from(number) * 700);
        event_loop.run_until(&mut network, now);
        let end = if number % 2 == 0 { End::Host } else { End::Far };
        let packet = packet(number, 100 + 30 * usize::from(number));
        let outcome = event_loop.act(&mut network, now, |network, touched| network.inject(end, now, &packet, touched));
        assert_eq!(outcome, Outcome::Taken);
        sent[usize::from(end == End::Host)].push(packet);
    }
    event_loop.run_until(&mut network, start + Duration::from_secs(1));
    for (end, sent) in [End::Host, End::Far].into_iter().zip(sent) {
        let out: Vec<_> = network.observer.0.iter().filter(|out| out.0 == end).map(|out| out.2.clone()).collect();
        assert_eq!(out, sent, "{end:?}");
    }
    // The wired hop alone takes half a millisecond.
    assert!(network.observer.0[0].1 > start + Duration::from_micros(500));
}

#[test]
fn a_full_queue_blocks_one_packet_and_refuses_the_next() {
    let (pool, start) = (Pool::new(), Instant::ZERO);
    let personality = Personality::espressif();
    let cell = Cell::new(CellConfig::pair(), pool.clone(), 1);
    let chain = personality.booted(&pool);
    let mut network = Network::new(&pool, personality.path, cell, Some(chain), (), (), Out::default());
    network.start(start);
    let mut event_loop = EventLoop::new(start, &network);
    let outcomes: Vec<_> = (0..30u8)
        .map(|number| {
            let packet = packet(number, 1_400);
            event_loop.act(&mut network, start, |network, touched| network.inject(End::Host, start, &packet, touched))
        })
        .collect();
    let of = |outcome| outcomes.iter().filter(|one| **one == outcome).count();
    // Twenty in the queue, one with the writing task, one with the task that stands still.
    assert_eq!((of(Outcome::Taken), of(Outcome::Blocked), of(Outcome::Refused)), (21, 1, 8));
    event_loop.run_until(&mut network, start + Duration::from_secs(1));
    assert_eq!(network.counts().delivered(End::Far).packets, 22);
}
