//! One radio per node: one end polls, the other answers in its acknowledgements.

use airtime_core::Duration;
use airtime_nrf24::trace::DropPoint;
use airtime_nrf24::tunnel::Mode;

use super::pipe::packets::{number, udp};
use super::pipe::polled::Polled;

fn greeted(lost: u32) -> Polled {
    let mut link = Polled::new(lost);
    link.run_for(Duration::from_millis(100));
    assert_eq!(link.nodes.each_ref().map(|node| node.tunnel.agreed()), [Some(Mode::AckPayload); 2]);
    link
}

#[test]
fn packets_pass_both_ways() {
    for lost in [0, 10, 100] {
        let mut link = greeted(lost);
        let packets: Vec<_> = (0..100).map(|n| udp(1, n, 576)).collect();
        for packet in &packets {
            link.offer(0, packet);
            link.offer(1, packet);
            link.run_for(Duration::from_millis(30));
        }
        link.run_for(Duration::from_millis(300));
        assert_eq!(link.nodes[1].delivered, packets, "{lost} ‰ lost");
        assert_eq!(link.nodes[0].delivered, packets, "{lost} ‰ lost");
    }
}

#[test]
fn an_idle_link_is_polled_ever_less_often() {
    let mut link = greeted(0);
    let before = link.nodes[0].polls;
    link.run_for(Duration::from_secs(1));
    let polls = link.nodes[0].polls - before;
    assert!((120..=130).contains(&polls), "one in 8 ms: {polls}");
}

#[test]
fn the_polled_end_waits_for_8_ms_at_most() {
    let mut link = greeted(0);
    link.run_for(Duration::from_millis(203));
    link.offer(1, &udp(1, 0, 28));
    let offered = link.now;
    while link.nodes[0].delivered.is_empty() {
        link.run_for(Duration::from_micros(100));
        assert!(link.now < offered + Duration::from_millis(20));
    }
    // The pause, and one more cycle: what is laid ready rides on the acknowledgement of the frame that comes next.
    assert!(link.now - offered <= Duration::from_micros(8_000 + 2 * 600), "{}", link.now - offered);
}

#[test]
fn the_polled_end_is_asked_as_fast_as_it_answers() {
    let mut link = greeted(0);
    let begun = link.now;
    for n in 0..2_000 {
        link.offer(1, &udp(1, n, 1500));
        link.run_for(Duration::from_millis(5));
    }
    let octets: usize = link.nodes[0].delivered.iter().map(Vec::len).sum();
    let kbps = octets as f64 * 8.0 / 1e3 / (link.now - begun).as_secs_f64();
    // A poll of one octet and 32 octets of answer take 260 + 32.5 + 156.5 = 449 µs for 31 octets: 552 kbit/s.
    assert!((500.0..552.0).contains(&kbps), "{kbps:.0} kbit/s");
}

#[test]
fn either_end_may_start_anew() {
    for node in [0, 1] {
        let mut link = greeted(10);
        for n in 0..100 {
            link.offer(0, &udp(1, n, 576));
            link.offer(1, &udp(1, n, 576));
            // In the middle of a packet.
            link.run_for(Duration::from_millis(5));
            if n % 25 == 20 {
                link.restart(node, u64::from(n));
            }
            link.run_for(Duration::from_millis(35));
        }
        link.run_for(Duration::from_millis(300));
        for end in &link.nodes {
            let numbers: Vec<u32> = end.delivered.iter().map(|packet| number(packet)).collect();
            assert!(end.delivered.iter().zip(&numbers).all(|(packet, &n)| *packet == udp(1, n, 576)));
            assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
            assert!(numbers.len() >= 100 - 4 * 2, "{node}: {}", numbers.len());
        }
    }
}

#[test]
fn a_dead_end_costs_packets_and_no_more() {
    let mut link = greeted(0);
    link.lost = 1_000;
    for n in 0..20 {
        link.offer(0, &udp(1, n, 576));
        link.offer(1, &udp(1, n, 576));
        link.run_for(Duration::from_millis(50));
    }
    assert!(link.nodes[0].dropped.iter().any(|drop| drop.0 == DropPoint::MaxRt));
    link.lost = 0;
    link.run_for(Duration::from_millis(300));
    let before = link.nodes.each_ref().map(|node| node.delivered.len());
    for n in 20..40 {
        link.offer(0, &udp(1, n, 576));
        link.offer(1, &udp(1, n, 576));
        link.run_for(Duration::from_millis(50));
    }
    for (node, before) in link.nodes.iter().zip(before) {
        assert_eq!(node.delivered[before..], (20..40).map(|n| udp(1, n, 576)).collect::<Vec<_>>());
    }
}
