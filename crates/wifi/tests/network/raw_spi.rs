//! Raw throughput over SPI in full duplex: the closed form of a transaction, and the published figures.

use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};
use airtime_wifi::cell::{Cell, CellConfig};
use airtime_wifi::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use airtime_wifi::hosted::host::{Host, HostConfig, HostOutput};
use airtime_wifi::hosted::wire::{Bus, Interface};
use airtime_wifi::network::{BusTiming, Chain, Control, Costs, InterfaceUser, Network, PathConfig, RawTest, SpiTiming};

/// Both chips with SPI of this clock between them.
fn chain(pool: &Pool, hz: u32, costs: Costs) -> Chain {
    let bus = Bus::Spi;
    let host = HostConfig { bus, checksum: true, ..HostConfig::default() };
    let coprocessor = CoprocessorConfig { bus, checksum: true, ..CoprocessorConfig::default() };
    let (host, coprocessor) = (Host::booted(host, pool.clone()), Coprocessor::booted(coprocessor, pool.clone()));
    Chain::new(host, coprocessor, BusTiming::PUBLISHED, costs, 64, pool).over_spi(SpiTiming { hz })
}

/// Runs `control` beside the chain for so long.
fn run<C: Control>(pool: &Pool, chain: Chain, control: C, span: Duration) -> (Chain, C) {
    let cell = Cell::new(CellConfig::pair(), pool.clone(), 1);
    let mut network = Network::controlled(pool, PathConfig::default(), cell, Some(chain), (), (), (), control);
    network.start(Instant::ZERO);
    EventLoop::new(Instant::ZERO, &network).run_until(&mut network, Instant::ZERO + span);
    (network.chain.expect("there is a bus"), network.control)
}

/// esp-hosted-mcu `docs/performance_optimization.md`: 25 Mbit/s from an ESP32-P4 and 26 to it, at 40 MHz.
#[test]
fn both_directions_are_as_published() {
    for (to_host, published) in [(false, 25.0), (true, 26.0)] {
        let pool = Pool::new();
        let test = RawTest::new(&pool, 1_460, to_host);
        let span = Duration::from_secs(2);
        let (chain, test) = run(&pool, chain(&pool, 40_000_000, Costs::p4_c6()), test, span);
        let rate = test.bits_per_second(&chain.coprocessor, span) as f64 / 1e6;
        assert!((rate / published - 1.0).abs() < 0.002, "{rate:.2} against {published}");
    }
}

/// A frame of either direction takes a transaction: its clocks, the turn behind the one before, and, from the host, what it takes that to
/// make it ready. What is in it makes no difference, and a frame each way in the same transaction neither.
#[test]
fn so_many_frames_pass_as_there_are_transactions_to_the_nanosecond() {
    let us = Duration::from_micros;
    let costs = Costs { turn: us(70), exchange_frame: us(9), ..Costs::NONE };
    for (hz, octets) in [(40_000_000, 1_460), (40_000_000, 46), (26_000_000, 1_460)] {
        // 1600 octets, a clock for each bit.
        let wire = Duration::from_nanos((12_800_u64 * 1_000_000_000).div_ceil(hz.into()));
        for to_host in [false, true] {
            let each = us(70) + wire + if to_host { Duration::ZERO } else { us(9) };
            // From rest the co-processor has a dummy queued: what it wants to send goes with the next.
            let lead = if to_host { each } else { Duration::ZERO };
            for frames in [1, 40] {
                let end = lead + each * frames;
                let arrived = |span: Duration| {
                    let pool = Pool::new();
                    let test = RawTest::new(&pool, octets, to_host);
                    let (chain, test) = run(&pool, chain(&pool, hz, costs), test, span);
                    let at_host = test.received() / octets as u64;
                    if to_host { at_host } else { chain.coprocessor.counters().test_packets }
                };
                let case = format!("{hz} Hz, {octets} octets, to the host {to_host}");
                assert_eq!(arrived(end), frames, "{case}");
                assert_eq!(arrived(end - Duration::from_nanos(1)), frames - 1, "{case}");
            }
        }
    }
}

/// As many frames as fit, both ways.
struct BothWays {
    pool: Pool,
    received: u64,
}

impl Control for BothWays {
    fn host_said(&mut self, _: Instant, output: HostOutput) {
        self.received += u64::from(matches!(output, HostOutput::Test(_)));
    }

    fn act(&mut self, now: Instant, host: &mut Host, coprocessor: &mut Coprocessor) -> bool {
        let packet = |octets: usize| -> Packet {
            let mut packet = self.pool.packet();
            packet.resize(octets);
            packet
        };
        let up = host.send(now, Interface::Test, packet(1_460)).is_ok();
        let down = coprocessor.send(now, Interface::Test, packet(1_460)).is_ok();
        up || down
    }
}

#[test]
fn full_duplex_carries_both_ways_what_it_carries_one_way() {
    let pool = Pool::new();
    let costs = Costs { turn: Duration::from_micros(80), ..Costs::NONE };
    let both = BothWays { pool: pool.clone(), received: 0 };
    let (chain, both) = run(&pool, chain(&pool, 40_000_000, costs), both, Duration::from_millis(400));
    // A transaction each 400 us; the first had nothing for the host.
    assert_eq!((chain.coprocessor.counters().test_packets, both.received), (1_000, 999));
}

/// A task that sends at no lower priority than the driver's, and has the core until then.
#[derive(Default)]
struct Sender {
    holds: Instant,
    taken: Vec<(Instant, Instant)>,
}

impl InterfaceUser for Sender {
    fn wake(&mut self, _: Instant) {}

    fn packet(&mut self, _: Instant, _: &[u8]) -> bool {
        false
    }

    fn poll(&mut self, _: Instant) -> Option<Packet> {
        None
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn holds_core(&self) -> Option<Instant> {
        Some(self.holds)
    }

    fn core_taken(&mut self, now: Instant, until: Instant) {
        self.taken.push((now, until));
    }
}

/// With one core the driver's task gets to its frame when the sender's has given the core up, and holds it for as long as the frame takes; the
/// wire needs nobody.
#[test]
fn a_shared_core_is_taken_for_the_frame_and_not_for_the_wire() {
    let (us, at) = (Duration::from_micros, |us| Instant::ZERO + Duration::from_micros(us));
    for (shared_core, arrives, taken) in
        [(true, 1_000 + 9 + 320, vec![(at(70), at(1_009))]), (false, 70 + 9 + 320, vec![])]
    {
        let pool = Pool::new();
        let costs = Costs { turn: us(70), exchange_frame: us(9), shared_core, ..Costs::NONE };
        let arrived = |span: Duration| {
            let sender = Sender { holds: at(1_000), ..Sender::default() };
            let (cell, test) = (Cell::new(CellConfig::pair(), pool.clone(), 1), RawTest::new(&pool, 1_460, false));
            let chain = chain(&pool, 40_000_000, costs);
            let path = PathConfig::default();
            let mut network = Network::controlled(&pool, path, cell, Some(chain), sender, (), (), test);
            network.start(Instant::ZERO);
            EventLoop::new(Instant::ZERO, &network).run_until(&mut network, Instant::ZERO + span);
            let packets = network.chain.map(|chain| chain.coprocessor.counters().test_packets);
            (packets, network.above.taken)
        };
        assert_eq!(arrived(us(arrives)), (Some(1), taken), "{shared_core}");
        assert_eq!(arrived(us(arrives) - Duration::from_nanos(1)).0, Some(0));
    }
}
