//! Credits: never more frames than buffers, the mutex held while polling, counters that wrap.

use airtime_core::{Duration, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorDrop};
use airtime_esp_hosted::host::{Host, HostConfig, HostDrop, HostState};

use super::rig::{Rig, Times};

/// The co-processor's marks are off: the host can only be stopped by credits.
fn unthrottled() -> CoprocessorConfig {
    CoprocessorConfig { throttle_percent: (0, 0), ..CoprocessorConfig::default() }
}

#[test]
fn the_credit_register_is_read_only_when_the_cache_is_empty() {
    let mut rig = Rig::booted(HostConfig::default(), unthrottled());
    for number in 0..100 {
        rig.transmit(number, 1400).unwrap();
    }
    // Twenty credits each time, and every buffer is back before the next frame.
    assert_eq!(rig.host.counters().credit_reads, 5);
    assert_eq!(rig.host.counters().credit_waits, 0);
}

/// 400, 800, ... 20,000 us: 510 ms in all, and the mutex is held in every sleep.
#[test]
fn without_credits_the_bus_is_blocked_for_510_ms_and_the_frame_is_lost_in_silence() {
    let mut rig = Rig::booted(HostConfig::default(), unthrottled());
    // The task of the co-processor stands still with one frame in hand.
    rig.times.process = Duration::from_secs(3);
    for number in 0..21 {
        rig.transmit(number, 1400).unwrap();
    }
    assert_eq!((rig.slave.depth().loaded, rig.host.state()), (0, HostState::Credits));
    rig.received(7, 1400).unwrap();
    rig.run(Duration::from_nanos(509_999_999));
    assert_eq!((rig.host.state(), rig.host_drops(HostDrop::CreditsTimeout)), (HostState::Credits, 0));
    assert!(rig.arrived.is_empty(), "nothing can be read");
    rig.run(Duration::from_nanos(1));
    assert_eq!(rig.host_drops(HostDrop::CreditsTimeout), 1);
    assert_eq!(rig.host.counters().credit_waits, 50);
    assert_eq!((rig.arrived.as_slice(), rig.host.state()), (&[7][..], HostState::Idle));
    assert_eq!(rig.slave_drops(CoprocessorDrop::Overflow), 0);
}

#[test]
fn a_credit_that_comes_in_a_sleep_is_found_at_its_end() {
    let mut rig = Rig::booted(HostConfig::default(), unthrottled());
    rig.times.process = Duration::from_micros(1_000);
    for number in 0..22 {
        rig.transmit(number, 1400).unwrap();
    }
    // Two processed at 2 ms; polls at 0, 0.4, 1.2 ms, when one is.
    rig.run(Duration::from_micros(1_199));
    assert_eq!(rig.host.counters().written, 20);
    rig.run(Duration::from_micros(1));
    assert_eq!((rig.host.counters().written, rig.host.counters().credit_waits), (21, 3));
}

#[test]
fn counters_of_12_and_20_bits_go_round() {
    let pool = Pool::new();
    let host = Host::booted(HostConfig::default(), pool.clone()).aged(4_090, 0xf_ff00);
    let slave = Coprocessor::booted(CoprocessorConfig::default(), pool.clone()).aged(4_090, 0xf_ff00);
    let mut rig = Rig::of(host, slave, pool);
    // Both go round several times: 10,000 buffers, 15 MB.
    for number in 0..10_000 {
        rig.transmit(number, 1514).unwrap();
        rig.received(number, 1514).unwrap();
    }
    assert!(rig.aired.iter().copied().eq(0..10_000));
    assert!(rig.arrived.iter().copied().eq(0..10_000));
    assert_eq!(rig.all_drops(), 0);
}

/// A saturated host with a slow co-processor, step by step: buffers in use and credits never exceed what there is.
#[test]
fn credits_are_never_exceeded() {
    for process in [50, 200, 300, 1_500] {
        let mut rig = Rig::booted(HostConfig::default(), unthrottled());
        rig.times = Times {
            register: Duration::from_micros(15),
            block: Duration::from_micros(27),
            tasks: [Duration::from_micros(20); 3],
            process: Duration::from_micros(process),
            air: Duration::from_micros(500),
        };
        let mut number = 0;
        for _ in 0..2_000 {
            while rig.transmit(number, 1400).is_ok() {
                number += 1;
            }
            rig.run(Duration::from_micros(100));
            let depth = rig.slave.depth();
            let used: usize = depth.receive.iter().map(|&frames| usize::from(frames)).sum();
            assert!(used + usize::from(depth.loaded) <= 20, "{depth:?}");
            assert!(rig.host.depth().transmit[2] <= 20);
        }
        assert_eq!(rig.slave_drops(CoprocessorDrop::Overflow), 0);
        let under_way = rig.host.queued() + rig.slave.queued();
        assert_eq!(rig.aired.len() as u64 + rig.all_drops() + under_way as u64, u64::from(number));
        assert!(rig.aired.windows(2).all(|pair| pair[0] < pair[1]), "in order");
    }
}
