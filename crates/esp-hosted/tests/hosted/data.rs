//! Frames through both directions: order, queues, throttle, bursts.

use airtime_core::{Duration, Instant};
use airtime_esp_hosted::coprocessor::{CoprocessorConfig, CoprocessorDrop, CoprocessorState};
use airtime_esp_hosted::host::{HostConfig, HostDrop, HostState, PENDING_READ, Refused, Task, Work};
use airtime_esp_hosted::wire::Interface;
use airtime_esp_hosted::wire::start::SdioMode;

use super::rig::{Rig, Times};

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

fn rig() -> Rig {
    Rig::booted(HostConfig::default(), CoprocessorConfig::default())
}

#[test]
fn frames_go_through_in_order_both_ways() {
    for mode in [SdioMode::Streaming, SdioMode::Packet] {
        let mut rig = Rig::booted(
            HostConfig { mode, ..HostConfig::default() },
            CoprocessorConfig { mode, ..CoprocessorConfig::default() },
        );
        for number in 0..10_000 {
            rig.transmit(number, 60 + (number as usize * 7) % 1455).unwrap();
            rig.received(number, 60 + (number as usize * 11) % 1455).unwrap();
        }
        assert!(rig.aired.iter().copied().eq(0..10_000), "{mode:?}");
        assert!(rig.arrived.iter().copied().eq(0..10_000), "{mode:?}");
        assert_eq!(rig.all_drops(), 0);
    }
}

#[test]
fn checksums_change_nothing_but_the_octets() {
    let mut rig = Rig::booted(
        HostConfig { checksum: true, ..HostConfig::default() },
        CoprocessorConfig { checksum: true, ..CoprocessorConfig::default() },
    );
    rig.transmit(1, 1400).unwrap();
    rig.received(2, 1400).unwrap();
    assert_eq!((rig.aired, rig.arrived), (vec![1], vec![2]));
}

#[test]
fn a_full_queue_blocks_and_says_when_there_is_room() {
    let mut rig = rig();
    rig.times = Times { block: us(27), ..Times::default() };
    // One frame is in the hands of the writing task, twenty wait.
    for number in 0..21 {
        rig.transmit(number, 1400).unwrap();
    }
    assert!(matches!(rig.transmit(21, 1400), Err(Refused::Full(_))));
    assert_eq!((rig.room, rig.host.depth().transmit), (0, [0, 0, 20]));
    assert_eq!(rig.host.state(), HostState::Writing);
    rig.run(us(81));
    assert_eq!(rig.room, 1, "the first frame of three blocks is through");
    rig.transmit(21, 1400).unwrap();
    rig.run(us(81 * 30));
    assert!(rig.aired.iter().copied().eq(0..22));
    assert_eq!(rig.room, 1, "nobody else was blocked");
}

#[test]
fn frames_of_no_length_or_too_much_are_refused() {
    let mut rig = rig();
    rig.transmit(0, 1524).unwrap();
    assert!(matches!(rig.transmit(1, 1525), Err(Refused::Length(_))));
    let empty = rig.pool.packet();
    assert!(matches!(rig.host.transmit(rig.now, empty), Err(Refused::Length(_))));
}

/// With 20 buffers and marks of 80 and 60 %: the 18th frame that waits finds 17 of 20 and starts, the frame that leaves
/// 11 stops.
#[test]
fn throttle_marks_are_where_the_source_has_them() {
    let mut rig = rig();
    rig.times.process = Duration::from_millis(1);
    // One is in hand, and each further one waits.
    for number in 0..18 {
        rig.transmit(number, 1400).unwrap();
    }
    assert_eq!((rig.slave.depth().receive[2], rig.host.throttled()), (17, false));
    rig.transmit(18, 1400).unwrap();
    assert!(rig.host.throttled());
    assert!(matches!(rig.transmit(19, 1400), Err(Refused::Throttled(_))));
    assert_eq!(rig.host_drops(HostDrop::Throttled), 1);
    rig.run(Duration::from_millis(6));
    assert_eq!((rig.slave.depth().receive[2], rig.host.throttled()), (12, true));
    rig.run(Duration::from_millis(1));
    assert_eq!((rig.slave.depth().receive[2], rig.host.throttled()), (11, false));
    assert_eq!(rig.slave.counters().throttles, 1);
}

#[test]
fn a_frame_without_a_wifi_buffer_is_tried_twice_and_then_lost_in_silence() {
    let mut rig = rig();
    rig.buffers = 0;
    rig.transmit(0, 1400).unwrap();
    assert_eq!(rig.slave.state(), CoprocessorState::Retrying);
    rig.run(us(999));
    assert_eq!(rig.slave.counters().refused, 1);
    rig.run(us(1));
    assert_eq!((rig.slave.counters().refused, rig.slave_drops(CoprocessorDrop::NoBuffer)), (2, 0));
    // The task sleeps after the last attempt too.
    rig.run(us(999));
    assert_eq!(rig.slave_drops(CoprocessorDrop::NoBuffer), 0);
    rig.run(us(1));
    assert_eq!((rig.slave_drops(CoprocessorDrop::NoBuffer), rig.slave.queued()), (1, 0));
    assert_eq!(rig.slave.depth().loaded, 20);
    // A buffer in time saves the frame.
    rig.transmit(1, 1400).unwrap();
    rig.run(us(500));
    rig.buffers = 1;
    rig.run(us(500));
    assert_eq!(rig.aired, [1]);
}

#[test]
fn the_radio_blocks_while_all_slots_are_used_and_hears_when_one_is_free() {
    let mut rig = rig();
    // The host sleeps: its bus is busy for long.
    rig.times.register = Duration::from_millis(1);
    for number in 0..20 {
        rig.received(number, 1400).unwrap();
    }
    assert!(rig.received(20, 1400).is_err());
    assert_eq!((rig.slave.depth().transmit, rig.slave_room), (20, 0));
    rig.run(Duration::from_millis(3));
    assert_eq!(rig.slave_room, 1);
    rig.received(20, 1400).unwrap();
    rig.run(Duration::from_millis(20));
    assert!(rig.arrived.iter().copied().eq(0..21));
}

/// What waits when the peripheral becomes free is one burst; what comes during a read belongs to the next.
#[test]
fn streaming_reads_are_as_long_as_what_had_gathered() {
    let mut rig = rig();
    rig.times = Times { register: us(10), block: us(27), ..Times::default() };
    for number in 0..10 {
        rig.received(number, 1488).unwrap();
    }
    // The first frame was prepared alone, as nothing waited; nine gathered while it was read.
    rig.run(Duration::from_millis(5));
    assert_eq!((rig.host.counters().bursts, rig.arrived.len()), (2, 10));
    // 1500 octets are 3 blocks, 9 of them 13,500, or 27 blocks of 512.
    let reads = 2 * (3 * 10) + (3 + 27) * 27;
    let mut again = self::rig();
    again.times = rig.times;
    for number in 0..10 {
        again.received(number, 1488).unwrap();
    }
    again.run(us(reads - 1));
    assert_eq!(again.arrived.len(), 1);
    again.run(us(1));
    assert_eq!(again.arrived.len(), 10);
}

#[test]
fn a_burst_is_lost_whole_while_the_one_before_is_being_split() {
    let mut rig = rig();
    rig.times = Times { block: us(27), tasks: [us(0), us(2_000), us(0)], ..Times::default() };
    for number in 0..10 {
        rig.received(number, 1488).unwrap();
    }
    rig.run(Duration::from_millis(10));
    assert_eq!(rig.arrived, [0]);
    assert_eq!((rig.host.counters().bursts_dropped, rig.host_drops(HostDrop::RxBurst)), (1, 9));
}

#[test]
fn from_2_12_12_the_read_waits_for_the_split() {
    let mut rig =
        Rig::booted(HostConfig { version: PENDING_READ, ..HostConfig::default() }, CoprocessorConfig::default());
    rig.times = Times { block: us(27), tasks: [us(0), us(2_000), us(0)], ..Times::default() };
    for number in 0..10 {
        rig.received(number, 1488).unwrap();
    }
    rig.run(Duration::from_millis(30));
    assert!(rig.arrived.iter().copied().eq(0..10));
    assert_eq!(rig.all_drops(), 0);
    assert!(rig.host.counters().reads_deferred > 0);
}

#[test]
fn a_full_receive_queue_stops_the_split() {
    let mut rig = Rig::booted(HostConfig { rx_queue: 4, ..HostConfig::default() }, CoprocessorConfig::default());
    rig.times = Times { block: us(27), tasks: [us(0), us(1), us(100)], ..Times::default() };
    for number in 0..10 {
        rig.received(number, 1488).unwrap();
    }
    while rig.now < Instant::from_nanos(2_000_000) {
        rig.run(us(10));
        // Nor does a task that does more than there is room for.
        rig.host.worked(rig.now, Task::Split, 99);
        assert!(rig.host.depth().receive[2] <= 4);
    }
    assert!(rig.arrived.iter().copied().eq(0..10));
}

/// The mutex goes to who has waited: a host that always has something to write reads after each frame.
#[test]
fn a_saturated_writer_does_not_starve_the_reader() {
    let mut rig = rig();
    rig.times = Times { register: us(10), block: us(27), ..Times::default() };
    for number in 0..20 {
        rig.transmit(number, 1400).unwrap();
    }
    for number in 0..5 {
        rig.received(number, 1400).unwrap();
    }
    // Five registers and six frames of three blocks, alone and in two bursts, at most two writes of 81 us between.
    rig.run(us(900));
    assert_eq!(rig.arrived.len(), 5);
    assert!(rig.host.depth().transmit[2] >= 10, "the writer is not through yet");
}

#[test]
fn work_says_how_much_there_is() {
    let mut rig = Rig::booted(HostConfig { rx_queue: 4, ..HostConfig::default() }, CoprocessorConfig::default());
    rig.times = Times { register: us(10), tasks: [us(0), us(1_000_000), us(1_000_000)], ..Times::default() };
    for octets in [100, 200, 300, 400, 500, 600] {
        rig.received(0, octets).unwrap();
    }
    rig.run(us(30));
    let work = |frames, octets, first| Some(Work { frames, octets, first });
    assert_eq!(rig.host.work(Task::Split), work(1, 112, 112));
    rig.host.worked(rig.now, Task::Split, 1);
    // The five that gathered: room for three beside the first.
    rig.run(us(30));
    assert_eq!(rig.host.work(Task::Split), work(3, 900 + 3 * 12, 212));
    assert_eq!(rig.host.work(Task::Dispatch), work(1, 100, 100));
    rig.host.worked(rig.now, Task::Split, 3);
    assert_eq!((rig.host.work(Task::Split), rig.host.work(Task::Dispatch)), (None, work(4, 1_000, 100)));
    rig.host.worked(rig.now, Task::Dispatch, 2);
    assert_eq!(rig.host.work(Task::Split), work(2, 1_100 + 2 * 12, 512));
    assert_eq!(rig.host.work(Task::Dispatch), work(2, 700, 300));
}

/// The raw throughput test: no throttle, no Wi-Fi, counted at the receiver.
#[test]
fn packets_of_the_raw_test_are_counted_and_go_nowhere() {
    let mut rig = rig();
    for number in 0..50 {
        let there = super::rig::frame(&rig.pool, number, 1460);
        rig.host.send(rig.now, Interface::Test, there).unwrap();
        let back = super::rig::frame(&rig.pool, number, 1460);
        rig.slave.send(rig.now, Interface::Test, back).unwrap();
        rig.settle();
    }
    let counters = rig.slave.counters();
    assert_eq!((counters.test_packets, counters.test_octets, rig.tests), (50, 50 * 1460, 50));
    assert!(rig.aired.is_empty() && rig.arrived.is_empty());
}

/// A host in packet mode refuses a read of more than a frame, has cleared the interrupt by then, and hears no more of what
/// waits: nothing comes up again. Since 2.12.0 the handshake tells before.
#[test]
fn a_host_in_packet_mode_hangs_before_a_co_processor_that_streams() {
    let mut rig =
        Rig::booted(HostConfig { mode: SdioMode::Packet, ..HostConfig::default() }, CoprocessorConfig::default());
    rig.times = Times { register: us(10), block: us(27), ..Times::default() };
    rig.received(0, 1400).unwrap();
    rig.received(1, 1400).unwrap();
    rig.received(2, 1400).unwrap();
    rig.run(Duration::from_secs(10));
    assert_eq!((rig.arrived.as_slice(), rig.host.counters().reads_refused), (&[0][..], 1));
    rig.transmit(3, 1400).unwrap();
    rig.run(Duration::from_secs(1));
    assert_eq!(rig.aired, [3], "the other direction goes on");
}
