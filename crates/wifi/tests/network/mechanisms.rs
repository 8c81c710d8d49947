//! Mechanisms that the sources of esp-hosted and lwIP have, seen from both ends of the pipeline.

use airtime_core::{Duration, Instant};
use airtime_wifi::cell::{StationConfig, StationId, Traffic};
use airtime_wifi::hosted::coprocessor::CoprocessorDrop;
use airtime_wifi::hosted::host::HostDrop;
use airtime_wifi::ledger::{Account, Books, Direction};
use airtime_wifi::network::End;
use airtime_wifi::trace::DropPoint;

use super::rig::{Scenario, Test};

const SATURATE: Test = Test::UdpUp { payload: 1_400, rate: None };

fn books() -> Books {
    Books::new(Instant::ZERO, Direction::Up)
}

/// Without credits the writing task sleeps with the mutex of the bus: 400 us, 800 us and so on, and then drops its frame.
#[test]
fn a_co_processor_that_takes_nothing_costs_a_frame_each_half_second() {
    let mut scenario = Scenario::espressif(SATURATE);
    if let Some(personality) = &mut scenario.chain {
        personality.costs.to_air = Duration::from_secs(60);
        // Throttling would keep the stack from sending before that.
        personality.coprocessor.throttle_percent = (0, 0);
    }
    let network = scenario.run(());
    let lost = network.counts().dropped(DropPoint::Host(HostDrop::CreditsTimeout));
    // 510 ms each in three seconds, after twenty frames.
    assert_eq!(lost, 5);
    assert_eq!(network.counts().delivered(End::Far).packets, 0);
}

/// The radio of a slow co-processor waits for it, and that of a fast one for the bus.
#[test]
fn idle_air_is_booked_to_the_stage_that_is_slow() {
    let idle = |scenario: &Scenario| {
        let network = scenario.run(books());
        let ledger = network.observer.ledger_at(Instant::from_nanos(1_000_000) + scenario.span);
        let bus = [Account::IdleBus, Account::IdleQueue, Account::IdleCredits].map(|account| ledger.of(account));
        (ledger.of(Account::IdleCoprocessor), bus.into_iter().sum::<Duration>())
    };
    // At the published 235 us the air is never idle: A-MPDUs are as short as what has come meanwhile.
    let mut slow_cpu = Scenario::espressif(SATURATE);
    if let Some(personality) = &mut slow_cpu.chain {
        personality.costs.to_air = Duration::from_millis(1);
    }
    let (coprocessor, bus) = idle(&slow_cpu);
    assert!(coprocessor > bus * 10, "{coprocessor} against {bus}");
    let mut slow_bus = Scenario::espressif(SATURATE);
    if let Some(personality) = &mut slow_bus.chain {
        personality.costs.to_air = Duration::from_micros(20);
        personality.bus.hz = 10_000_000;
    }
    let (coprocessor, bus) = idle(&slow_bus);
    assert!(bus > coprocessor * 5, "{bus} against {coprocessor}");
}

/// On a channel that others use as well, the Wi-Fi driver runs out of transmit buffers: what the sender's stack took is
/// more than what arrives, and nobody is told.
#[test]
fn a_busy_channel_loses_packets_silently_in_the_co_processor() {
    let mut scenario = Scenario::espressif(SATURATE);
    for place in 2..4 {
        let mut other = StationConfig::usual(place);
        other.traffic = Traffic::Poisson { to: StationId(1), mpdu: 1_500, every: Duration::from_millis(1) };
        scenario.cell.stations.push(other);
    }
    let network = scenario.run(());
    let delivered = network.far.0.watch().octets;
    let lost = network.counts().dropped(DropPoint::Coprocessor(CoprocessorDrop::NoBuffer));
    assert!(lost > 100, "{lost} without a buffer");
    assert!(network.above.0.accepted() > delivered + lost * 1_400 / 2);
}

/// LWIP_TCP_RTO_TIME below 1000 ms: every tick of 500 ms with data in flight is a timeout, and the congestion window
/// collapses. At 1500 ms there is none.
#[test]
fn a_short_rto_time_times_out_at_every_tick() {
    let run = |rto_ms| {
        let mut scenario = Scenario::espressif(Test::TcpUp { write: 16_384, nodelay: true });
        scenario.lwip.rto_time = Duration::from_millis(rto_ms);
        scenario.span = Duration::from_secs(5);
        let network = scenario.run(());
        (network.above.0.counters(), scenario.mbps(network.far.0.watch().octets))
    };
    let ((short, short_rate), (usual, usual_rate)) = (run(300), run(1_500));
    assert!((8..=10).contains(&short.timeouts), "{} timeouts in ten ticks", short.timeouts);
    assert!(short.cwnd_collapses >= short.timeouts);
    assert_eq!((usual.timeouts, usual.cwnd_collapses), (0, 0));
    assert!(short_rate < usual_rate, "{short_rate:.2} against {usual_rate:.2}");
}

/// A small send buffer is the limit: goodput is about SND_BUF over the round trip.
#[test]
fn goodput_follows_the_send_buffer_over_the_round_trip() {
    for (snd_buf, rtt_ms) in [(5_760, 20), (11_520, 20), (11_520, 40)] {
        let mut scenario = Scenario::air(Test::TcpUp { write: 16_384, nodelay: true });
        scenario.lwip.snd_buf = snd_buf;
        scenario.path.rtt = Duration::from_millis(rtt_ms);
        let rate = scenario.mbps(scenario.run(()).far.0.watch().octets);
        let bound = f64::from(snd_buf) * 8.0 / (rtt_ms as f64 * 1e3);
        // The air itself adds a millisecond or two.
        assert!(rate < bound && rate > 0.8 * bound, "{rate:.2} of {bound:.2}");
    }
}
