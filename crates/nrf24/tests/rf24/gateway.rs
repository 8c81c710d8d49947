//! The published gateway: messages across one half-duplex radio at each end.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::loss::Loss;
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};
use airtime_nrf24::air::{Crc, Framing, Rate};
use airtime_nrf24::chip::{Chip, Options};
use airtime_nrf24::host::{Cost, TunUser};
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::{Network, Observer};
use airtime_nrf24::rf24::gateway::{Address, GatewayConfig, GatewayNode};
use airtime_nrf24::rf24::{Config, Length};
use airtime_nrf24::trace::{DropPoint, Note, Reception, Sent, Trace};
use airtime_nrf24::wires::SharedChip;

use super::rig::FREE;

/// Instant at which the first packet is there: the radios are set up by then.
const START: Instant = Instant::from_nanos(100_000_000);

/// Link of two gateways; tests change what they are about.
#[derive(Clone, Copy)]
struct Link {
    rate: Rate,
    sleep: Duration,
    interrupts: bool,
    cost: Cost,
    loss: Loss,
}

const USUAL: Link =
    Link { rate: Rate::M2, sleep: Duration::from_millis(2), interrupts: false, cost: FREE, loss: Loss::None };

/// Packets at given instants, in their order.
struct Sends(Vec<(Instant, Vec<u8>)>);

impl TunUser for Sends {
    fn wake(&mut self, _: Instant) {}
    fn packet(&mut self, _: Instant, _: &[u8]) {}
    fn poll(&mut self, now: Instant) -> Option<Packet> {
        let due = self.0.first().is_some_and(|(at, _)| *at <= now);
        due.then(|| Pool::new().copy(&self.0.remove(0).1))
    }
    fn deadline(&self) -> Option<Instant> {
        self.0.first().map(|(at, _)| *at)
    }
}

#[derive(Default)]
struct Seen {
    /// Packets out of the TUN device of either end, with their instants.
    came: [Vec<(Instant, Vec<u8>)>; 2],
    /// Receptions of payloads by either chip.
    receptions: [Vec<Reception>; 2],
    /// Starts of payloads sent by either chip.
    sent: [Vec<Instant>; 2],
    dropped: Vec<DropPoint>,
    /// Instants of the drops.
    drops: Vec<Instant>,
}

impl Observer for Seen {
    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        match trace {
            Trace::Received { reception, .. } => self.receptions[chip].push(*reception),
            Trace::Began { sent: Sent::Payload { .. }, .. } => self.sent[chip].push(now),
            _ => {}
        }
    }

    fn note(&mut self, now: Instant, _: usize, note: &Note) {
        if let Note::Dropped { at, .. } = note {
            self.dropped.push(*at);
            self.drops.push(now);
        }
    }

    fn packet(&mut self, now: Instant, host: usize, into: bool, packet: &[u8]) {
        if !into {
            self.came[host].push((now, packet.to_vec()));
        }
    }
}

impl Link {
    fn run(self, packets: [Vec<(Instant, Vec<u8>)>; 2], until: Duration) -> Seen {
        let chips: Vec<SharedChip> = (0..2).map(|_| Rc::new(RefCell::new(Chip::new(Options::default())))).collect();
        let pool = Pool::new();
        let node = |(address, chip): (Address, &SharedChip)| {
            let radio = Config {
                channel: 97,
                rate: self.rate,
                address_width: 5,
                crc: Crc::Two,
                auto_ack: true,
                length: Length::Dynamic,
                payload_size: 32,
                ard: address.ard(),
                arc: 5,
                power: 3,
                listens_at: [0; 5],
                writes_to: [0; 5],
            };
            let (sleep, interrupts, cost) = (self.sleep, self.interrupts, self.cost);
            let config = GatewayConfig { address, radio: address.radio(radio), sleep, interrupts, mtu: 1_500, cost };
            GatewayNode::new(chip.clone(), config, &pool, Instant::ZERO)
        };
        let hosts = [Address::Master, Address::Child].into_iter().zip(&chips).map(node).collect();
        let above = packets.into_iter().map(Sends).collect();
        let medium = Medium::new(2, self.loss, 1);
        let mut network = Network::new(medium, chips.clone(), hosts, above, Seen::default());
        network.start(Instant::ZERO);
        let mut events = EventLoop::new(Instant::ZERO, &network);
        while events.step(&mut network, START + until) {}
        network.observer
    }
}

/// An IPv4 packet with a UDP header of `octets` in all, its rest counting up from `number`.
fn packet(number: u8, octets: usize) -> Vec<u8> {
    let mut packet: Vec<u8> = (0..octets).map(|at| number.wrapping_add(at as u8)).collect();
    packet[..4].copy_from_slice(&[0x45, 0, (octets >> 8) as u8, octets as u8]);
    packet[9] = 17;
    packet
}

/// `count` packets of `octets`, one each `every`.
fn stream(count: u8, octets: usize, every: Duration) -> Vec<(Instant, Vec<u8>)> {
    (0..count).map(|number| (START + every * u64::from(number), packet(number, octets))).collect()
}

fn packets(came: &[(Instant, Vec<u8>)]) -> Vec<&[u8]> {
    came.iter().map(|(_, packet)| &packet[..]).collect()
}

#[test]
fn packets_of_every_length_cross_both_ways() {
    for (octets, interrupts) in [(28, false), (32, true), (60, false), (576, true), (1_500, false)] {
        let every = Duration::from_millis(250);
        let (up, mut down) = (stream(8, octets, every), stream(8, octets, every));
        // Half a period later, so that the two ends do not send at once.
        down.iter_mut().for_each(|(at, _)| *at += every / 2);
        let seen = Link { interrupts, ..USUAL }.run([up.clone(), down.clone()], Duration::from_secs(3));
        assert_eq!(packets(&seen.came[1]), packets(&up), "{octets} octets up");
        assert_eq!(packets(&seen.came[0]), packets(&down), "{octets} octets down");
        assert_eq!(seen.dropped, [], "{octets} octets");
    }
}

#[test]
fn a_frame_takes_its_cycle_until_the_receiver_sleeps() {
    for rate in Rate::ALL {
        let seen =
            Link { rate, ..USUAL }.run([stream(1, 3 * 24, Duration::from_secs(1)), vec![]], Duration::from_secs(1));
        let [first, second, third] = seen.sent[0][..] else { panic!("{rate}: {:?}", seen.sent[0]) };
        // Three frames fit the FIFO, whoever sleeps. Header and fragment fill the payload.
        let cycle = Framing::enhanced(rate, 5).acked_cycle(32, 0);
        assert_eq!((second - first, third - second), (cycle, cycle), "{rate}");
    }
}

#[test]
fn a_receiver_that_sleeps_turns_frames_away_and_one_that_never_does_takes_them_at_the_rate_of_the_air() {
    let full = |link: Link| {
        let seen = link.run([stream(20, 1_500, Duration::from_millis(1)), vec![]], Duration::from_secs(4));
        assert_eq!(packets(&seen.came[1]).len(), 20);
        let (last, _) = seen.came[1][19];
        let full = seen.receptions[1].iter().filter(|&&reception| reception == Reception::FifoFull).count();
        (full, last - START)
    };
    let (sleeping, slow) = full(USUAL);
    let (awake, fast) = full(Link { sleep: Duration::ZERO, ..USUAL });
    assert_eq!(awake, 0);
    assert!(sleeping > 150, "{sleeping} of 1260 frames found a full FIFO");
    assert!(slow.as_nanos() > fast.as_nanos() * 5 / 4, "{slow} against {fast}");
    // 63 frames of 461 µs are 29 ms of each packet, and the radio turns around for it.
    assert!((Duration::from_millis(20 * 29)..Duration::from_millis(20 * 31)).contains(&fast), "{fast}");
}

#[test]
fn two_ends_that_begin_at_once_listen_to_nobody_until_both_have_given_up() {
    let every = Duration::from_millis(120);
    let both = [stream(10, 600, every), stream(10, 600, every)];
    let seen = Link { sleep: Duration::ZERO, ..USUAL }.run(both, Duration::from_secs(5));
    assert_eq!(seen.came.each_ref().map(Vec::len), [0, 0], "who sends is no receiver, however often it tries again");
    // Where one end has given up before the other, the rest of a message comes whose beginning was thrown away.
    let dropped = &seen.dropped;
    assert!(dropped.len() >= 18 && dropped.iter().all(|&at| at == DropPoint::MaxRt), "{dropped:?}");
}

#[test]
fn loss_is_retried_by_the_chip_and_a_message_given_up_is_dropped_whole() {
    let seen = Link { loss: Loss::Packet { per: 0.1 }, ..USUAL }
        .run([stream(20, 600, Duration::from_millis(100)), vec![]], Duration::from_secs(4));
    assert_eq!(packets(&seen.came[1]), packets(&stream(20, 600, Duration::ZERO)), "five retransmissions are enough");
    let seen = Link { loss: Loss::Packet { per: 1.0 }, ..USUAL }
        .run([stream(2, 600, Duration::from_millis(100)), vec![]], Duration::from_secs(4));
    assert_eq!((seen.came[1].len(), seen.dropped), (0, vec![DropPoint::MaxRt; 2]));
}

#[test]
fn a_message_is_given_up_behind_the_busy_loop_of_its_last_try() {
    let seen = Link { loss: Loss::Packet { per: 1.0 }, ..USUAL }
        .run([stream(2, 600, Duration::from_millis(300)), vec![]], Duration::from_secs(1));
    // The loop ends with a millisecond. EN_AA is read and written, then CONFIG, STATUS and EN_RXADDR twice: 12 octets of 800 ns.
    let behind: Vec<u64> = seen.drops.iter().map(|at| at.as_nanos() % 1_000_000).collect();
    assert_eq!(behind, [12 * 800; 2]);
}

#[test]
fn an_interrupt_keeps_the_loop_awake_only_where_it_comes_behind_the_last_look() {
    let of = |interrupts, transaction| {
        let cost = Cost { transaction: Duration::from_micros(transaction), ..FREE };
        let link = Link { interrupts, cost, sleep: Duration::from_millis(10), ..USUAL };
        let seen = link.run([stream(1, 1_500, Duration::from_secs(1)), vec![]], Duration::from_secs(2));
        assert_eq!(packets(&seen.came[1]).len(), 1, "interrupts: {interrupts}");
        seen.came[1][0].0 - START
    };
    // 63 frames of 461 µs are 29 ms. To read one takes four transactions, and to find nothing, leave and look again three: together
    // longer than a cycle, so that the next comes meanwhile.
    let awake = of(true, 70);
    assert!(awake < Duration::from_millis(29 + 2 * 10 + 5), "{awake}");
    // A few frames for each sleep: without interrupts, and of a host that is through before the next frame.
    for (interrupts, transaction) in [(false, 70), (false, 0), (true, 0)] {
        let asleep = of(interrupts, transaction);
        assert!(asleep > awake * 2, "{asleep}, interrupts: {interrupts}, {transaction} us");
    }
}
