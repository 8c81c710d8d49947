//! The published tunnel on real time, between two nodes, and with an end that is played by hand.
#![cfg(target_os = "linux")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixDatagram;
use std::sync::atomic::{AtomicU8, Ordering};
use std::{thread, time};

use airtime_core::Duration;
use airtime_hw::{Bell, Board, DaemonError, Published};
use airtime_nrf24::legacy::Config;
use airtime_nrf24::station::{RASPBERRY_PI, StationEnd};
use airtime_system::stop::Stopper;

use super::board::{Remote, boards};
use super::device::{Deleted, Socket, crosses, datagram, device};
use super::hand::Hand;

/// Octets of the packets: two frames, and a receiver that has lost its place finds it again.
const OCTETS: u16 = 60;

fn config(end: StationEnd) -> Config {
    Config::published(end, RASPBERRY_PI)
}

fn pair(boards: Vec<Remote>) -> [Remote; 2] {
    boards.try_into().ok().expect("two radios a node")
}

/// Stops a node, also when its test fails.
struct Stops(Stopper);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A node that runs while `act` has its device.
fn running(node: &Published<Remote, Socket>, act: impl FnOnce()) {
    thread::scope(|scope| {
        let run = scope.spawn(|| node.run(None, None, |_| {}));
        let stops = Stops(node.stopper());
        act();
        assert!(!stops.0.is_asked(), "it runs until now");
        drop(stops);
        run.join().unwrap().unwrap();
    });
}

#[test]
fn packets_cross_both_ways_and_the_nodes_stop_when_asked() {
    let [at_a, at_b]: [_; 2] = boards(2).try_into().ok().expect("two nodes");
    let ((device_a, a), (device_b, b)) = (device(), device());
    let nodes = [
        Published::new(config(StationEnd::A), pair(at_a), device_a).unwrap(),
        Published::new(config(StationEnd::B), pair(at_b), device_b).unwrap(),
    ];
    running(&nodes[0], || {
        running(&nodes[1], || {
            for number in 0..10 {
                crosses(&a, &b, number, OCTETS);
                crosses(&b, &a, 100 + number, OCTETS);
            }
        });
    });
    for node in &nodes {
        let figures = node.figures();
        let (crossed, backlog) = (figures.traffic.crossed, figures.backlog.unwrap());
        assert!(crossed.packets_in >= 10 && crossed.packets_out >= 10, "{figures:?}");
        assert!(backlog.octets <= backlog.most && backlog.most >= OCTETS.into(), "{figures:?}");
        assert_eq!((figures.mode, figures.ring_dropped), (None, 0));
    }
}

#[test]
fn frames_are_the_packet_and_nothing_else() {
    let mut boards = boards(2);
    let (theirs, ours) = (boards.remove(1), pair(boards.remove(0)));
    let (device, outside) = device();
    let node = Published::new(config(StationEnd::A), ours, device).unwrap();
    let hand = Hand::receiver(&theirs[1]);
    running(&node, || {
        for octets in [OCTETS, 200, 32] {
            let packet = datagram(7, octets);
            outside.send(&packet).unwrap();
            for chunk in packet.chunks(32) {
                assert_eq!(hand.receive(), chunk);
            }
        }
    });
}

#[test]
fn a_frame_that_is_lost_costs_the_packet_behind_it_as_well() {
    let mut boards = boards(2);
    let (ours, theirs) = (pair(boards.remove(1)), boards.remove(0));
    let (device, outside) = device();
    let node = Published::new(config(StationEnd::B), ours, device).unwrap();
    let hand = Hand::sender(&theirs[0]);
    let packet = |number| datagram(number, OCTETS);
    let send = |number| packet(number).chunks(32).for_each(|chunk| hand.send(chunk));
    let mut got = [0; 2_048];
    running(&node, || {
        outside.set_read_timeout(Some(time::Duration::from_secs(20))).unwrap();
        send(0);
        let octets = outside.recv(&mut got).unwrap();
        assert_eq!(got[..octets], packet(0));
        // The second frame of packet 1 has no acknowledgement in the end; the published transmitter goes on all the same.
        hand.send(&packet(1)[..32]);
        send(2);
        let octets = outside.recv(&mut got).unwrap();
        assert_eq!(got[..64], [&packet(1)[..32], &packet(2)[..32]].concat(), "two heads pass for a packet");
        assert!(octets >= 64, "{octets}");
        outside.set_read_timeout(Some(time::Duration::from_millis(20))).unwrap();
        // The rest of packet 2 may stand in front of what follows until 1500 octets have gone.
        for number in 3.. {
            assert!(number < 1_000, "the receiver does not find its place again");
            send(number);
            if number % 40 == 0 && came(&outside, 3..=number) {
                break;
            }
        }
    });
    let figures = node.figures();
    assert!(figures.traffic.resyncs > 0, "{figures:?}");
}

/// Tells if one of these packets has come whole.
fn came(outside: &UnixDatagram, numbers: std::ops::RangeInclusive<u32>) -> bool {
    let mut got = [0; 2_048];
    while let Ok(octets) = outside.recv(&mut got) {
        if numbers.clone().any(|number| got[..octets] == datagram(number, OCTETS)) {
            return true;
        }
    }
    false
}

#[test]
fn how_it_goes_is_told() {
    let (device, _outside) = device();
    let node = Published::new(config(StationEnd::A), pair(boards(2).remove(0)), device).unwrap();
    let (stopper, mut told) = (node.stopper(), None);
    let tell = |figures: &_| {
        told = Some(airtime_hw::Figures::clone(figures));
        stopper.stop();
    };
    node.run(None, Some(Duration::from_millis(1)), tell).unwrap();
    let told = told.expect("a millisecond has passed");
    assert!(told.backlog.is_some() && told.elapsed >= Duration::from_millis(1), "{told:?}");
    let (device, _outside) = super::device::device();
    let node = Published::new(config(StationEnd::A), pair(boards(2).remove(0)), device).unwrap();
    node.run(Some(Duration::from_millis(1)), None, |_| {}).unwrap();
    assert!(node.stopper().is_asked(), "its time was over");
}

/// A board of ones, whose chip keeps nothing but CONFIG, if that.
struct Floating {
    keeps: Option<AtomicU8>,
    bell: Bell,
}

impl Floating {
    fn new(keeps: bool) -> Self {
        Self { keeps: keeps.then(Default::default), bell: Bell::new().unwrap() }
    }
}

impl Board for Floating {
    fn transfer(&self, octets: &mut [u8]) -> io::Result<()> {
        match (&self.keeps, octets) {
            (Some(config), [0x20, value]) => config.store(*value, Ordering::SeqCst),
            (Some(config), [0x00, value]) => *value = config.load(Ordering::SeqCst),
            (_, octets) => octets.fill(0xFF),
        }
        Ok(())
    }
    fn set_ce(&self, _: bool) -> io::Result<()> {
        Ok(())
    }
    fn irq_is_low(&self) -> io::Result<bool> {
        Ok(false)
    }
    fn edges(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
    fn forget_edges(&self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_ends_a_node_is_said() {
    let error = |keeps| {
        let (device, outside) = device();
        outside.send(&datagram(0, OCTETS)).unwrap();
        let boards = [Floating::new(keeps), Floating::new(keeps)];
        Published::new(config(StationEnd::A), boards, device).unwrap().run(None, None, |_| {}).unwrap_err()
    };
    let missing = error(false);
    assert!(matches!(missing, DaemonError::Radio { .. }) && missing.to_string().contains("no nRF24L01+"), "{missing}");
    let full = error(true);
    assert!(matches!(full, DaemonError::Panics { radio: 0, .. }), "{full}");
    assert!(full.to_string().contains("the published program panics"), "{full}");

    let dead = [Remote::dead(), Remote::dead()];
    let gone = Published::new(config(StationEnd::A), dead, device().0).unwrap().run(None, None, |_| {}).unwrap_err();
    assert!(gone.to_string().contains("failed"), "{gone}");

    let boards = pair(boards(2).remove(0));
    let node = Published::new(config(StationEnd::A), boards, Deleted::new()).unwrap();
    assert!(matches!(node.run(None, None, |_| {}), Err(DaemonError::Device)));
}
