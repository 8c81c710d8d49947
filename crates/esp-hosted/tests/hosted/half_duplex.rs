//! SPI in half duplex: its register traffic, one credit and one frame at a time, and the frame that throttles.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::{Duration, Pool};
use airtime_esp_hosted::coprocessor::CoprocessorConfig;
use airtime_esp_hosted::host::{HostConfig, HostDrop, HostOutput, HostState};
use airtime_esp_hosted::sdio::Transaction;
use airtime_esp_hosted::wire::{Bus, Header, Layout, Throttle, Transport};

use super::rig::{self, Rig};

const BUS: Bus = Bus::SpiHalfDuplex;

fn host() -> HostConfig {
    HostConfig { bus: BUS, checksum: true, ..HostConfig::default() }
}

fn coprocessor() -> CoprocessorConfig {
    CoprocessorConfig { bus: BUS, checksum: true, ..CoprocessorConfig::default() }
}

/// A rig, and what its host asks of the bus: registers by their number, data by its octets.
fn rig() -> (Rig, Rc<RefCell<Vec<String>>>) {
    let mut rig = Rig::booted(host(), coprocessor());
    let asked: Rc<RefCell<Vec<String>>> = Rc::default();
    let told = Rc::clone(&asked);
    rig.bus = Box::new(move |transaction| {
        told.borrow_mut().push(match transaction {
            Transaction::ReadRegisters { address, octets } => format!("register {address:#04x}, {octets} octets"),
            Transaction::ClearReady => "CMD9".into(),
            Transaction::ReadData { octets } => format!("read {octets}"),
            Transaction::WriteData(frame) => format!("write {}", frame.len()),
            other => format!("{other:?}"),
        });
        rig::Bus::Works
    });
    (rig, asked)
}

#[test]
fn each_frame_has_its_registers() {
    let (mut rig, asked) = rig();
    for number in 0..2 {
        rig.transmit(number, 100).unwrap();
    }
    // One buffer at a time is with the co-processor's DMA: each frame asks anew.
    let up = ["register 0x10, 4 octets", "write 112"];
    assert_eq!(asked.take(), [up, up].concat());
    for number in 0..2 {
        rig.received(number, 200).unwrap();
    }
    let down = ["register 0x0c, 4 octets", "CMD9", "read 212"];
    assert_eq!(asked.take(), [down, down].concat());
    assert_eq!((rig.aired, rig.arrived), (vec![0, 1], vec![0, 1]));
}

#[test]
fn without_a_buffer_the_driver_asks_25_times_a_millisecond_apart() {
    let (mut rig, _) = rig();
    rig.slave = airtime_esp_hosted::coprocessor::Coprocessor::booted(
        CoprocessorConfig { throttle_percent: (0, 0), ..coprocessor() },
        rig.pool.clone(),
    );
    rig.times.process = Duration::from_secs(3);
    for number in 0..21 {
        rig.transmit(number, 1_400).unwrap();
    }
    assert_eq!((rig.slave.depth().loaded, rig.host.state()), (0, HostState::Credits));
    rig.run(Duration::from_nanos(24_999_999));
    assert_eq!(rig.host_drops(HostDrop::CreditsTimeout), 0);
    rig.run(Duration::from_nanos(1));
    assert_eq!((rig.host_drops(HostDrop::CreditsTimeout), rig.host.counters().credit_waits), (1, 25));
}

/// Nothing but twelve octets: length 0 behind an offset of 12, the sum of them, and the command.
#[test]
fn a_throttle_is_a_frame_of_its_own() {
    let layout = Layout::of(Transport::Spi);
    let bytes = |throttle| {
        let mut frame = Pool::new().packet();
        Header::throttle(&layout, throttle, &mut frame);
        frame.to_vec()
    };
    assert_eq!(bytes(Throttle::On), [0, 0, 0, 0, 12, 0, 13, 0, 0, 0, 1, 0]);
    assert_eq!(bytes(Throttle::Off), [0, 0, 0, 0, 12, 0, 14, 0, 0, 0, 2, 0]);
    let (mut rig, asked) = rig();
    rig.times.process = Duration::from_millis(10);
    let mut sent = 0;
    while !rig.host.throttled() {
        rig.transmit(sent, 1_400).unwrap();
        sent += 1;
    }
    // One in hand and 17 of 20 in the queue are more than 80 %, when the next comes.
    assert_eq!((sent, rig.slave.depth().receive[2]), (19, 18));
    assert_eq!(asked.take().iter().filter(|asked| *asked == "read 12").count(), 1);
    rig.run(Duration::from_millis(200));
    assert_eq!((rig.host.throttled(), rig.aired.len()), (false, 19));
    assert_eq!(
        (asked.take(), rig.all_drops()),
        (["register 0x0c, 4 octets", "CMD9", "read 12"].map(String::from).to_vec(), 0)
    );
    assert_eq!(rig.slave.counters().throttles, 1);
}

#[test]
fn it_comes_up_from_reset_and_carries_both_ways() {
    let mut rig = Rig::cold(host(), coprocessor());
    rig.run(Duration::from_secs(3));
    let ready = rig.said.iter().find_map(|said| match said {
        HostOutput::Ready(told) => Some(told.coprocessor),
        _ => None,
    });
    let start = ready.expect("the transport is up");
    assert_eq!((start.sdio_mode, start.extended), (None, Some(1 << 4)));
}

/// The longest frame fills one buffer of 1600 octets.
#[test]
fn counters_go_round_and_nothing_is_lost() {
    let pool = Pool::new();
    let host = airtime_esp_hosted::host::Host::booted(host(), pool.clone()).aged(4_090, 0xf_fff0);
    let slave = airtime_esp_hosted::coprocessor::Coprocessor::booted(coprocessor(), pool.clone()).aged(4_090, 0xf_fff0);
    let mut rig = Rig::of(host, slave, pool);
    for number in 0..50 {
        rig.transmit(number, 1_588).unwrap();
        rig.received(number, 1_588).unwrap();
    }
    assert_eq!((rig.aired.len(), rig.arrived.len(), rig.all_drops()), (50, 50, 0));
}
