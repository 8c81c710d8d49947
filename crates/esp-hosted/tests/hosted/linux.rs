//! The Linux module of ESP-Hosted-FG and -NG: what it frees without a word, and when it looks.

use airtime_core::Duration;
use airtime_esp_hosted::coprocessor::CoprocessorConfig;
use airtime_esp_hosted::host::{Driver, HostConfig, HostDrop, HostState, Refused};
use airtime_esp_hosted::wire::start::SdioMode;

use super::rig::Rig;

fn rig(nap: Duration) -> Rig {
    let (mode, driver) = (SdioMode::Packet, Driver::Linux { nap });
    let host = HostConfig { mode, driver, tx_queue: 100, throttle_percent: (0, 0), ..HostConfig::default() };
    let slave = CoprocessorConfig { mode, tx_buffers: 10, throttle_percent: (0, 0), ..CoprocessorConfig::default() };
    Rig::booted(host, slave)
}

/// Two polls, a sleep of 30 us behind each: 60 us, and the frame is gone. The bus is free meanwhile.
#[test]
fn without_credits_a_frame_is_freed_after_two_polls_and_what_comes_is_read() {
    let mut rig = rig(Duration::ZERO);
    rig.times.process = Duration::from_secs(3);
    for number in 0..21 {
        rig.transmit(number, 1400).unwrap();
    }
    assert_eq!((rig.slave.depth().loaded, rig.host.state()), (0, HostState::Credits));
    rig.received(7, 1400).unwrap();
    assert_eq!(rig.arrived, [7], "the bus is nobody's while the writing task sleeps");
    rig.run(Duration::from_nanos(59_999));
    assert_eq!((rig.host_drops(HostDrop::CreditsTimeout), rig.host.counters().credit_waits), (0, 2));
    rig.run(Duration::from_nanos(1));
    assert_eq!((rig.host_drops(HostDrop::CreditsTimeout), rig.host.state()), (1, HostState::Idle));
}

/// The packet that finds 100 in the queue is freed, the next one waits, and goes on when 19 are left.
#[test]
fn a_full_queue_frees_one_packet_and_stops_until_a_fifth_is_left() {
    let mut rig = rig(Duration::ZERO);
    // A frame a millisecond, so that one is under way and the others wait.
    rig.times.tasks[0] = Duration::from_millis(1);
    for number in 0..101 {
        rig.transmit(number, 1400).unwrap();
    }
    assert_eq!((rig.host.depth().transmit.iter().sum::<u16>(), rig.host_drops(HostDrop::Stopped)), (100, 0));
    rig.transmit(101, 1400).unwrap();
    assert_eq!(rig.host_drops(HostDrop::Stopped), 1, "taken, and freed");
    assert!(matches!(rig.transmit(102, 1400), Err(Refused::Full(_))));
    rig.run(Duration::from_millis(80));
    assert_eq!((rig.host.depth().transmit.iter().sum::<u16>(), rig.room), (20, 0));
    assert!(matches!(rig.transmit(102, 1400), Err(Refused::Full(_))), "there is room, and the queue is stopped");
    rig.run(Duration::from_millis(1));
    assert_eq!((rig.host.depth().transmit.iter().sum::<u16>(), rig.room), (19, 1));
    rig.transmit(102, 1400).unwrap();
    rig.run(Duration::from_millis(30));
    assert_eq!(rig.aired.len(), 102);
    assert_eq!(rig.aired.last(), Some(&102));
}

/// NG sleeps again and again while there is nothing: a frame that comes in a sleep leaves at its end, and those behind it at once.
#[test]
fn a_task_that_sleeps_looks_at_the_end_of_its_sleep() {
    let mut rig = rig(Duration::from_millis(8));
    rig.transmit(0, 1400).unwrap();
    assert_eq!(rig.aired, [0], "it has just begun");
    rig.run(Duration::from_millis(11));
    rig.transmit(1, 1400).unwrap();
    rig.transmit(2, 1400).unwrap();
    rig.run(Duration::from_nanos(4_999_999));
    assert_eq!(rig.aired, [0]);
    rig.run(Duration::from_nanos(1));
    assert_eq!(rig.aired, [0, 1, 2]);
}
