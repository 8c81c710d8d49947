//! From reset to the first frame, and everything that can be wrong on the way.

use airtime_core::Duration;
use airtime_esp_hosted::coprocessor::CoprocessorConfig;
use airtime_esp_hosted::host::{Failure, Handshake, HostConfig, HostOutput, HostState, Refused, V2_11_7, Versions};
use airtime_esp_hosted::rpc::Event;
use airtime_esp_hosted::sdio::{BusError, Transaction, register};
use airtime_esp_hosted::wire::start::{SdioMode, Version, chip};

use super::rig::{Bus, Rig};

const V2_12_0: Version = Version { major: 2, minor: 12, patch: 0 };

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn ready(rig: &Rig) -> Option<Handshake> {
    rig.said.iter().find_map(|said| if let HostOutput::Ready(handshake) = said { Some(*handshake) } else { None })
}

fn failure(rig: &Rig) -> Option<Failure> {
    rig.said.iter().find_map(|said| if let HostOutput::Failed(failure) = said { Some(*failure) } else { None })
}

/// 1500 ms after reset the card is found; 100 ms later the driver goes on, and 100 ms later the reading task.
#[test]
fn the_transport_is_up_1700_ms_after_reset() {
    let mut rig = Rig::cold(HostConfig::default(), CoprocessorConfig::default());
    assert!(matches!(rig.transmit(0, 1400), Err(Refused::Down(_))));
    rig.run(Duration::from_nanos(1_699_999_999));
    assert_eq!((ready(&rig), rig.host.state()), (None, HostState::Down));
    rig.run(Duration::from_nanos(1));
    let handshake = ready(&rig).expect("the co-processor has said who it is");
    assert_eq!(handshake.coprocessor.chip, Some(chip::ESP32_C6));
    assert_eq!((handshake.coprocessor.tx_queue, handshake.coprocessor.rx_queue), (Some(20), Some(20)));
    assert_eq!((handshake.coprocessor.firmware, handshake.versions), (Some(V2_11_7), Versions::Same));
    assert_eq!(handshake.coprocessor.sdio_mode, None, "said since 2.12.0 only");
    assert!(handshake.wlan);
    assert!(rig.said.iter().any(|said| matches!(said, HostOutput::Event(Event::EspInit(_)))));
    // The station is not connected yet.
    rig.transmit(0, 1400).unwrap();
    assert_eq!((rig.aired.len(), rig.all_drops()), (0, 1));
    rig.slave.connected(rig.now, true);
    rig.transmit(1, 1400).unwrap();
    rig.received(2, 1400).unwrap();
    assert_eq!((rig.aired, rig.arrived), (vec![1], vec![2]));
}

#[test]
fn the_throttle_marks_are_the_hosts() {
    let host = HostConfig { throttle_percent: (50, 30), ..HostConfig::default() };
    let mut rig = Rig::cold(host, CoprocessorConfig { throttle_percent: (90, 80), ..CoprocessorConfig::default() });
    rig.run(ms(2_000));
    rig.slave.connected(rig.now, true);
    rig.settle();
    rig.times.process = ms(1);
    // One in hand, eleven wait: 55 % when the next one comes.
    for number in 0..12 {
        rig.transmit(number, 1400).unwrap();
        assert!(!rig.host.throttled(), "{number}");
    }
    rig.transmit(12, 1400).unwrap();
    assert!(rig.host.throttled());
}

#[test]
fn another_chip_is_refused() {
    let slave = CoprocessorConfig { chip: chip::ESP32_C5, ..CoprocessorConfig::default() };
    let mut rig = Rig::cold(HostConfig::default(), slave);
    rig.run(ms(3_000));
    assert_eq!((failure(&rig), rig.host.state()), (Some(Failure::Chip(chip::ESP32_C5)), HostState::Down));
}

#[test]
fn a_chip_that_nobody_knows_is_ignored_and_the_wait_goes_on() {
    let mut rig = Rig::cold(HostConfig::default(), CoprocessorConfig { chip: 0x42, ..CoprocessorConfig::default() });
    rig.run(ms(60_000));
    assert_eq!((ready(&rig), failure(&rig)), (None, Some(Failure::NoInit)));
    assert_eq!(rig.host.counters().resets, 3);
}

#[test]
fn a_host_that_does_not_stream_refuses_a_co_processor_that_does() {
    let host = HostConfig { mode: SdioMode::Packet, ..HostConfig::default() };
    let mut rig = Rig::cold(host.clone(), CoprocessorConfig { version: V2_12_0, ..CoprocessorConfig::default() });
    rig.run(ms(3_000));
    assert_eq!(failure(&rig), Some(Failure::Mode));
    // An older one does not say how it sends.
    let mut rig = Rig::cold(host, CoprocessorConfig::default());
    rig.run(ms(3_000));
    assert!(ready(&rig).is_some());
}

#[test]
fn versions_are_compared_without_the_patch_level() {
    for (version, versions) in [
        (Version { major: 2, minor: 11, patch: 0 }, Versions::Same),
        (Version { major: 2, minor: 0, patch: 6 }, Versions::HostNewer),
        (V2_12_0, Versions::CoprocessorNewer),
    ] {
        let mut rig = Rig::cold(HostConfig::default(), CoprocessorConfig { version, ..CoprocessorConfig::default() });
        rig.run(ms(2_000));
        assert_eq!(ready(&rig).map(|handshake| handshake.versions), Some(versions), "{version:?}");
    }
}

#[test]
fn a_slow_co_processor_is_found_at_a_later_attempt_and_a_dead_one_never() {
    let slave = |boot_time| CoprocessorConfig { boot_time, ..CoprocessorConfig::default() };
    let mut rig = Rig::cold(HostConfig::default(), slave(ms(2_050)));
    rig.run(ms(2_100 + 199));
    assert_eq!(ready(&rig), None);
    rig.run(ms(1));
    assert!(ready(&rig).is_some(), "found at 2.1 s, the seventh attempt");
    let mut rig = Rig::cold(HostConfig::default(), slave(ms(100_000)));
    // Fifteen attempts from 1.5 s on, 100 ms apart.
    rig.run(ms(2_899));
    assert_eq!(failure(&rig), None);
    rig.run(ms(1));
    assert_eq!(failure(&rig), Some(Failure::NoCard));
}

/// The word that the host is there gets lost: after 10 s it resets the co-processor, twice more in all.
#[test]
fn a_co_processor_that_says_nothing_is_reset() {
    let mut rig = Rig::cold(HostConfig::default(), CoprocessorConfig::default());
    let mut heard = 0;
    rig.bus = Box::new(move |transaction| match transaction {
        Transaction::WriteRegister { address: register::TO_SLAVE, .. } => {
            heard += 1;
            if heard == 1 { Bus::Lost(BusError::Crc) } else { Bus::Works }
        }
        _ => Bus::Works,
    });
    rig.run(ms(1_700 + 10_000 + 1_699));
    assert_eq!((ready(&rig), rig.host.counters().resets), (None, 2));
    rig.run(ms(1));
    assert!(ready(&rig).is_some());
}
