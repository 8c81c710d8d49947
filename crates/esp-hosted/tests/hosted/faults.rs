//! Streams that are cut, reordered or corrupted; a bus that fails; sides that start anew in the middle.

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorDrop, CoprocessorOutput};
use airtime_esp_hosted::host::{Failure, HostConfig, HostDrop, HostOutput, HostState, Refused};
use airtime_esp_hosted::sdio::{BusError, Transaction, register};
use airtime_esp_hosted::wire::{Header, Interface};

use super::rig::{Bus, Rig, Times};

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

fn rig(checksum: bool) -> Rig {
    let mut rig = Rig::booted(
        HostConfig { checksum, ..HostConfig::default() },
        CoprocessorConfig { checksum, ..CoprocessorConfig::default() },
    );
    rig.times = Times { register: us(10), block: us(27), ..Times::default() };
    rig
}

/// Ten frames for the host: one alone, nine in the burst that gathers behind it, which is spoilt.
fn spoilt(mut rig: Rig, mut spoil: impl FnMut(&mut Packet) + 'static) -> Rig {
    let mut bursts = 0;
    rig.spoil = Box::new(move |reply| {
        bursts += 1;
        if bursts == 2 {
            spoil(reply);
        }
    });
    for number in 0..10 {
        rig.received(number, 1488).unwrap();
    }
    rig.run(Duration::from_millis(5));
    // Behind the spoilt burst everything is as before.
    for number in 10..20 {
        rig.received(number, 1488).unwrap();
    }
    rig.run(Duration::from_millis(5));
    assert!(rig.arrived.ends_with(&(10..20).collect::<Vec<_>>()), "{:?}", rig.arrived);
    rig
}

#[test]
fn a_burst_that_is_cut_off_is_lost_from_there_on() {
    // Read as 13,500 octets, of which the last 4,000 never came.
    let rig = spoilt(rig(false), |reply| {
        let len = reply.len();
        reply[len - 4_000..].fill(0);
    });
    assert_eq!(rig.arrived.len(), 1 + 7 + 10, "the seventh has zeros at its end, and nobody sees that");
    assert_eq!(rig.host_drops(HostDrop::RxInvalid), 1);
    assert_eq!(rig.host.faults().offset, 1);
    // The bus gave fewer octets than it was asked for.
    let rig = spoilt(self::rig(false), |reply| reply.truncate(9_500));
    assert_eq!((rig.arrived.len(), rig.host_drops(HostDrop::RxFailed)), (1 + 10, 1));
}

#[test]
fn a_header_that_makes_no_sense_ends_its_burst() {
    for (at, value) in [(2, 0xff), (3, 0xff), (4, 14), (4, 0)] {
        let rig = spoilt(rig(false), move |reply| reply[3 * 1500 + at] = value);
        assert_eq!(rig.host_drops(HostDrop::RxInvalid), 1, "octet {at} as {value:#x}");
        assert_eq!(rig.arrived.len(), 1 + 3 + 10);
        assert_eq!(rig.host.faults().total(), 1);
    }
    let rig = spoilt(rig(false), |reply| reply[3 * 1500] = 0x0f);
    assert_eq!((rig.host_drops(HostDrop::Interface), rig.arrived.len()), (1, 1 + 3 + 10));
}

#[test]
fn a_corrupted_octet_shows_only_where_there_are_checksums() {
    let corrupt = |reply: &mut Packet| reply[3 * 1500 + 700] ^= 0x10;
    assert_eq!(spoilt(rig(false), corrupt).arrived.len(), 20);
    let rig = spoilt(rig(true), corrupt);
    assert_eq!((rig.host_drops(HostDrop::RxChecksum), rig.arrived.len()), (1, 1 + 3 + 10));
    assert_eq!(rig.host.faults().checksum, 1);
}

#[test]
fn reordered_octets_are_no_frames() {
    let rig = spoilt(rig(true), |reply| {
        let half = reply.len() / 2;
        reply.rotate_left(half);
    });
    assert_eq!(rig.arrived.len(), 11);
    assert_eq!(rig.host_drops(HostDrop::RxInvalid) + rig.host_drops(HostDrop::Interface), 1);
}

#[test]
fn a_side_without_checksums_is_not_understood_by_one_with() {
    let host = HostConfig { checksum: true, ..HostConfig::default() };
    let mut rig = Rig::booted(host, CoprocessorConfig::default());
    rig.received(0, 1400).unwrap();
    rig.transmit(1, 1400).unwrap();
    assert_eq!((rig.host_drops(HostDrop::RxChecksum), rig.arrived.len()), (1, 0));
    // The other way the sum is simply not looked at.
    assert_eq!(rig.aired, [1]);
}

#[test]
fn a_frame_is_written_again_when_the_bus_fails_once() {
    let mut rig = rig(false);
    let mut writes = 0;
    rig.bus = Box::new(move |transaction| {
        writes += u32::from(matches!(transaction, Transaction::WriteData(_)));
        if writes == 3 {
            writes += 1;
            Bus::Lost(BusError::Crc)
        } else {
            Bus::Works
        }
    });
    for number in 0..10 {
        rig.transmit(number, 1400).unwrap();
    }
    rig.run(Duration::from_millis(5));
    assert!(rig.aired.iter().copied().eq(0..10));
    assert_eq!(rig.host.counters().bus_errors, 1);
}

/// The card has taken the frame and the host has not heard it: it goes twice, and the host's count of buffers is one short
/// for good. From then on it believes in one credit more than there is, and a full co-processor loses a frame.
#[test]
fn a_write_that_the_host_has_not_heard_of_leaves_a_credit_too_many() {
    let unthrottled = CoprocessorConfig { throttle_percent: (0, 0), ..CoprocessorConfig::default() };
    let mut rig = Rig::booted(HostConfig::default(), unthrottled);
    let mut first = true;
    rig.bus = Box::new(move |transaction| {
        let unheard = matches!(transaction, Transaction::WriteData(_)) && core::mem::take(&mut first);
        if unheard { Bus::Unheard(BusError::Crc) } else { Bus::Works }
    });
    rig.transmit(0, 1400).unwrap();
    assert_eq!(rig.aired, [0, 0]);
    // What was cached is used up first.
    for number in 1..20 {
        rig.transmit(number, 1400).unwrap();
    }
    rig.times.process = Duration::from_secs(1);
    for number in 20..41 {
        rig.transmit(number, 1400).unwrap();
    }
    assert_eq!((rig.slave.depth().loaded, rig.slave_drops(CoprocessorDrop::Overflow)), (0, 1));
}

#[test]
fn a_frame_that_cannot_be_written_takes_the_transport_down() {
    let mut rig = rig(false);
    for number in 0..10 {
        rig.transmit(number, 1400).unwrap();
    }
    // The credits are known by then.
    rig.run(us(200));
    rig.bus = Box::new(|_| Bus::Lost(BusError::Crc));
    rig.run(Duration::from_millis(5));
    assert!(matches!(rig.said.as_slice(), [HostOutput::Failed(Failure::Write)]));
    assert_eq!(rig.host.state(), HostState::Down);
    assert!(matches!(rig.transmit(10, 1400), Err(Refused::Down(_))));
    assert_eq!(rig.aired.len() as u64 + rig.all_drops(), 10, "each frame is somewhere");
    assert_eq!(rig.host_drops(HostDrop::WriteFailed), 1);
}

#[test]
fn a_card_that_does_not_answer_takes_the_transport_down() {
    let mut rig = rig(false);
    rig.bus = Box::new(|transaction| match transaction {
        Transaction::ReadRegisters { address: register::TOKEN_RDATA, .. } => Bus::Lost(BusError::Timeout),
        _ => Bus::Works,
    });
    rig.transmit(0, 1400).unwrap();
    rig.run(Duration::from_millis(1));
    assert!(matches!(rig.said.as_slice(), [HostOutput::Failed(Failure::Unresponsive)]));
    assert_eq!(rig.host.counters().bus_errors, 2);
}

#[test]
fn a_length_that_no_window_holds_means_that_both_have_lost_count() {
    let mut rig = rig(false);
    rig.host = rig.host.aged(20, 5);
    rig.received(0, 1400).unwrap();
    rig.run(Duration::from_millis(1));
    // 1412 less 5 would be read as such; the other way round it is nearly a million.
    assert_eq!(rig.host_drops(HostDrop::RxInvalid), 1);
    let mut rig = self::rig(false);
    rig.host = rig.host.aged(20, 2_000);
    rig.received(0, 1400).unwrap();
    rig.run(Duration::from_millis(1));
    let lost = (1 << 20) - 2_000 + 1_412;
    assert!(matches!(rig.said.as_slice(), [HostOutput::Failed(Failure::Length(octets))] if *octets == lost));
}

/// In the middle of traffic, the host starts anew. Every frame is on the air or counted.
#[test]
fn a_host_that_restarts_resets_the_co_processor_and_comes_back() {
    for at in 0..20 {
        let mut rig = self::rig(false);
        rig.times.process = us(300);
        for number in 0..15 {
            rig.transmit(number, 1400).unwrap();
            rig.received(number, 1400).unwrap();
        }
        rig.run(us(37 * at));
        rig.host.restart(rig.now);
        rig.run(Duration::from_secs(2));
        let ready = rig.said.iter().any(|said| matches!(said, HostOutput::Ready(_)));
        assert!(ready, "after {at}: {:?}", rig.said);
        let known = (rig.aired.len() + rig.arrived.len()) as u64 + rig.all_drops();
        assert_eq!(known, 30, "after {at}");
        rig.slave.connected(rig.now, true);
        rig.run(Duration::from_millis(1));
        for number in 100..110 {
            rig.transmit(number, 1400).unwrap();
            rig.received(number, 1400).unwrap();
        }
        rig.run(Duration::from_millis(20));
        assert!(rig.aired.ends_with(&(100..110).collect::<Vec<_>>()));
        assert!(rig.arrived.ends_with(&(100..110).collect::<Vec<_>>()));
    }
}

/// The co-processor restarts under the host, which sees it at its next transaction.
#[test]
fn a_co_processor_that_restarts_is_noticed_and_met_again() {
    let mut rig = rig(false);
    rig.times.process = us(300);
    for number in 0..15 {
        rig.transmit(number, 1400).unwrap();
    }
    rig.run(us(700));
    rig.slave.reset(rig.now);
    rig.run(Duration::from_millis(1));
    assert!(matches!(rig.said.as_slice(), [HostOutput::Failed(_)]), "{:?}", rig.said);
    assert_eq!(rig.aired.len() as u64 + rig.all_drops(), 15);
    rig.host.restart(rig.now);
    rig.run(Duration::from_secs(2));
    assert!(rig.said.iter().any(|said| matches!(said, HostOutput::Ready(_))));
}

/// It restarts at the instant at which it has offered a frame to its Wi-Fi driver: the offer goes with all else that it held.
#[test]
fn an_offer_does_not_outlive_a_restart() {
    let (pool, now) = (Pool::new(), Instant::ZERO);
    let mut slave = Coprocessor::booted(CoprocessorConfig::default(), pool.clone());
    let layout = HostConfig::default().layout();
    let frame = Header::new(Interface::Station).wrap(&layout, pool.copy(&[7; 100]));
    slave.write(now, frame).unwrap();
    slave.worked(now);
    slave.reset(now);
    let mut said = std::iter::from_fn(|| slave.poll(now));
    assert!(said.any(|said| matches!(said, CoprocessorOutput::Dropped { at: CoprocessorDrop::Reset, octets: 100 })));
    assert!(said.all(|said| !matches!(said, CoprocessorOutput::Offer(_))));
    assert_eq!(slave.counters().drops(CoprocessorDrop::Reset), 1);
}

/// What stood still in front of a full queue is told when the queue is emptied: its frame goes nowhere, and neither would it.
#[test]
fn a_task_that_stands_still_goes_on_when_the_transport_goes_down() {
    let full = |rig: &mut Rig| {
        let mut number = 0;
        while rig.transmit(number, 1400).is_ok() {
            number += 1;
        }
        rig.room = 0;
    };
    let mut rig = rig(false);
    full(&mut rig);
    rig.bus = Box::new(|_| Bus::Lost(BusError::Timeout));
    rig.run(Duration::from_millis(1));
    assert!(matches!(rig.said.as_slice(), [HostOutput::Failed(_)]), "{:?}", rig.said);
    assert_eq!(rig.room, 1);
    let mut rig = self::rig(false);
    full(&mut rig);
    rig.host.restart(rig.now);
    rig.settle();
    assert_eq!(rig.room, 1);
    // Nobody stands there any more: it is told once.
    rig.run(Duration::from_secs(2));
    rig.slave.connected(rig.now, true);
    rig.transmit(0, 1400).unwrap();
    rig.run(Duration::from_millis(1));
    assert_eq!((rig.room, rig.aired.len()), (1, 1));
}
