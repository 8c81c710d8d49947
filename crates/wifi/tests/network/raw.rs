//! The raw throughput test of the transport against the published figures.

use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_wifi::cell::{Cell, CellConfig};
use airtime_wifi::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use airtime_wifi::hosted::host::{Host, HostConfig};
use airtime_wifi::hosted::wire::start::SdioMode;
use airtime_wifi::network::{BusTiming, Chain, Costs, Network, PathConfig, RawTest};

/// Mbit/s of the raw test with so many buffers of the co-processor towards the host.
fn raw(to_host: bool, tx_buffers: u16, mode: SdioMode) -> f64 {
    let pool = Pool::new();
    let host = Host::booted(HostConfig { mode, ..HostConfig::default() }, pool.clone());
    let config = CoprocessorConfig { tx_buffers, mode, ..CoprocessorConfig::default() };
    let coprocessor = Coprocessor::booted(config, pool.clone());
    let chain = Chain::new(host, coprocessor, BusTiming::PUBLISHED, Costs::p4_c6(), 64, &pool);
    let cell = Cell::new(CellConfig::pair(), pool.clone(), 1);
    let test = RawTest::new(&pool, 1_460, to_host);
    let mut network = Network::controlled(&pool, PathConfig::default(), cell, Some(chain), (), (), (), test);
    let (start, span) = (Instant::ZERO, Duration::from_secs(2));
    network.start(start);
    EventLoop::new(start, &network).run_until(&mut network, start + span);
    let chain = network.chain.as_ref().expect("there is a bus");
    network.control.bits_per_second(&chain.coprocessor, span) as f64 / 1e6
}

/// esp-hosted-mcu `docs/performance_optimization.md`: 72 and 80 Mbit/s.
#[test]
fn both_directions_are_as_published() {
    for (to_host, published) in [(false, 72.0), (true, 80.0)] {
        let rate = raw(to_host, 20, SdioMode::Streaming);
        assert!((rate / published - 1.0).abs() < 0.04, "{rate:.1} against {published}");
    }
}

/// esp-hosted-mcu `docs/sdio.md` 9.3.
#[test]
fn bursts_of_as_many_frames_as_there_are_buffers_make_the_published_curve() {
    for (buffers, published) in [(5, 54.0), (10, 70.0), (15, 76.0), (20, 80.0), (25, 82.0), (30, 84.0)] {
        let rate = raw(true, buffers, SdioMode::Streaming);
        assert!((rate / published - 1.0).abs() < 0.04, "{buffers}: {rate:.1} against {published}");
    }
}
