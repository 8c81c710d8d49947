//! How fast two nodes in stream mode are simulated: four chips, SPI octets, frames and CRC bit for bit, driver and
//! tunnel included, with a UDP source of 1472 octets that always has more.
//!
//! `cargo bench -p airtime-nrf24`. An element is one simulated second, so elements per second is how many times faster
//! than real time one core is.

use airtime_core::loss::Loss;
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};
use airtime_nrf24::chip::Options;
use airtime_nrf24::host::TunUser;
use airtime_nrf24::ledger::{BookedLink, Books};
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::{Network, Observer};
use airtime_nrf24::station::{Config, Station, StationEnd};
use airtime_nrf24::tunnel::Mode;
use airtime_nrf24::wires::{Board, SharedChip};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Octets of an IP packet: 1472 of UDP payload.
const PACKET: usize = 1_500;

/// Simulated time of an iteration.
const SECONDS: u64 = 10;

/// One packet after the other at a constant rate, and a sink that counts.
struct Traffic {
    pool: Pool,
    packet: [u8; PACKET],
    every: Option<Duration>,
    next: Instant,
    arrived: u64,
}

impl Traffic {
    fn new(pool: &Pool, every: Option<Duration>) -> Self {
        let mut packet = core::array::from_fn(|index| (index as u8).wrapping_mul(29));
        let header =
            [0x45, 0, 5, 220, 0, 1, 0x40, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 19, 137, 20, 81, 5, 200, 0, 0];
        packet[..header.len()].copy_from_slice(&header);
        Self { pool: pool.clone(), packet, every, next: Instant::from_nanos(50_000_000), arrived: 0 }
    }
}

impl TunUser for Traffic {
    fn wake(&mut self, _: Instant) {}

    fn packet(&mut self, _: Instant, packet: &[u8]) {
        assert_eq!(packet, self.packet);
        self.arrived += 1;
    }

    fn poll(&mut self, now: Instant) -> Option<Packet> {
        let every = self.every.filter(|_| self.next <= now)?;
        self.next += every;
        Some(self.pool.copy(&self.packet))
    }

    fn deadline(&self) -> Option<Instant> {
        self.every.map(|_| self.next)
    }
}

/// Runs [`SECONDS`] and returns what is left of the network.
fn run<O: Observer>(both: bool, loss: Loss, observer: O) -> Network<Station, Traffic, O> {
    let pool = Pool::new();
    let start = Instant::ZERO;
    let every = Some(Duration::from_millis(7));
    let ends = [(StationEnd::A, every), (StationEnd::B, every.filter(|_| both))];
    let (mut chips, mut hosts, mut above) = (Vec::new(), Vec::new(), Vec::new());
    for (end, every) in ends {
        let config = Config::usual(end, Mode::Stream, hosts.len() as u64 + 1);
        let own: [SharedChip; 2] = std::array::from_fn(|_| Board::new(Options::default(), config.cost).chip);
        hosts.push(Station::new(&own, config, &pool, start));
        chips.extend(own);
        above.push(Traffic::new(&pool, every));
    }
    let mut network = Network::new(Medium::new(4, loss, 1), chips, hosts, above, observer);
    network.start(start);
    let mut event_loop = EventLoop::new(start, &network);
    event_loop.run_until(&mut network, start + Duration::from_secs(SECONDS));
    network
}

fn books() -> Books {
    let framing = airtime_nrf24::air::Framing::enhanced(airtime_nrf24::air::Rate::M2, 3);
    Books::new(BookedLink { sender: 0, receiver: 3, radios: 2, framing }, Instant::ZERO)
}

fn stream(c: &mut Criterion) {
    let mut group = c.benchmark_group("two nodes in stream mode");
    group.sample_size(20);
    group.throughput(Throughput::Elements(SECONDS));
    for (name, both, loss) in [
        ("up", false, Loss::None),
        ("both ways", true, Loss::None),
        ("up, 3 % of the frames lost", false, Loss::Packet { per: 0.03 }),
    ] {
        let arrived = run(both, loss, ()).above[1].arrived;
        // 1.2 Mbit/s: what is measured is a stream, not a stall.
        assert!(arrived * PACKET as u64 * 8 > SECONDS * 1_200_000, "{arrived} packets arrived");
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| run(both, loss, ()).above[1].arrived));
    }
    group.bench_function(BenchmarkId::from_parameter("up, with books"), |b| {
        b.iter(|| run(false, Loss::None, books()).observer.ledger().balances());
    });
    group.finish();
}

criterion_group!(benches, stream);
criterion_main!(benches);
