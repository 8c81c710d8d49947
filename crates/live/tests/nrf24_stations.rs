//! Two of our own nodes in real time, against a clock of the test's own.
#![cfg(target_os = "linux")]

use airtime_core::{Instant, Packet};
use airtime_lab::{Library, Plan};
use airtime_live::ip::PacedLink;
use airtime_live::ip::nrf24::{Nodes, Program, agreed, link as of, mode_name};

const MODES: [&str; 3] = ["stream", "auto-ack", "ack-payload"];

/// The link of a plan in `mode` with this loss of frames.
fn link(mode: &str, per: &str) -> PacedLink<Nodes<Program>> {
    let text = format!("name = \"test\"\nlink = \"nrf24-ip\"\n[nrf24]\nmode = \"{mode}\"\nloss = {{ per = {per} }}\n");
    let plan = Plan::parse("test", &text, &Library::builtin(), &[]).unwrap();
    of(plan.point(0).unwrap().scenario.of::<airtime_nrf24::plan::Scenario>().unwrap())
}

fn at(ms: u64) -> Instant {
    Instant::from_nanos(ms * 1_000_000)
}

/// Up to `ms`, however many turns that takes.
fn catch_up(link: &mut PacedLink<Nodes<Program>>, ms: u64) {
    while !link.catch_up(|| at(ms)) {}
}

/// A UDP packet of IPv4 with `octets` in all from 10.0.0.1 to 10.0.0.2; `number` is in its payload.
fn datagram(number: u32, octets: u16) -> Vec<u8> {
    let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    packet[2..4].copy_from_slice(&octets.to_be_bytes());
    let sum = packet.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum::<u32>();
    let folded = !((sum & 0xffff) + (sum >> 16)) as u16;
    packet[10..12].copy_from_slice(&folded.to_be_bytes());
    packet.extend([0x13, 0x88, 0x13, 0x89]);
    packet.extend((octets - 20).to_be_bytes());
    packet.extend([0, 0]);
    packet.extend(number.to_be_bytes());
    packet.resize(octets.into(), number as u8);
    packet
}

fn outgoing(link: &mut PacedLink<Nodes<Program>>, end: usize) -> Vec<Packet> {
    std::iter::from_fn(|| link.outgoing(end)).collect()
}

/// Sends a datagram every 20 ms from `from` ms on, `count` of them, and gives what has come out at the other end.
fn send(link: &mut PacedLink<Nodes<Program>>, from: u64, count: u32) -> Vec<Packet> {
    let mut out = vec![];
    for number in 0..count {
        let ms = from + 20 * u64::from(number);
        catch_up(link, ms);
        link.receive(0, at(ms), &datagram(number, 200));
        out.extend(outgoing(link, 1));
    }
    catch_up(link, from + 20 * u64::from(count) + 1_000);
    out.extend(outgoing(link, 1));
    out
}

#[test]
fn packets_cross_in_every_mode() {
    for mode in MODES {
        let mut link = link(mode, "0.0");
        let out = send(&mut link, 500, 20);
        let expected: Vec<_> = (0..20).map(|number| datagram(number, 200)).collect();
        assert!(out.iter().map(|packet| &**packet).eq(expected.iter().map(Vec::as_slice)), "{mode:?}: {}", out.len());
        let modes = [0, 1].map(|end| link.plant().network().hosts[end].host().and_then(agreed).map(mode_name));
        assert_eq!(modes, [Some(mode); 2]);
        for (_, books) in link.plant().network().observer.books() {
            assert!(books.ledger_at(link.pacer().now()).balances());
        }
    }
}

#[test]
fn the_published_tunnel_runs_too() {
    let mut link = link("legacy", "0.0");
    let out = send(&mut link, 500, 20);
    assert_eq!(out.len(), 20);
    assert_eq!(link.plant().network().hosts[0].host().and_then(agreed), None);
}

#[test]
fn either_end_is_killed_and_started_again_and_the_link_goes_on() {
    for end in [0, 1] {
        for mode in MODES {
            let mut link = link(mode, "0.05");
            assert_eq!(send(&mut link, 500, 5).len(), 5, "{mode:?}");
            link.kill(end);
            // Nobody is there, whichever side it is.
            assert_eq!(send(&mut link, 3_000, 5).len(), 0, "{mode:?}");
            link.start(end);
            let out = send(&mut link, 6_000, 5);
            // Those that waited at the end that stayed may come as well, before.
            let last: Vec<_> = out.iter().rev().take(5).rev().map(|packet| packet.to_vec()).collect();
            assert_eq!(last, (0..5).map(|number| datagram(number, 200)).collect::<Vec<_>>(), "{mode:?} end {end}");
        }
    }
}
