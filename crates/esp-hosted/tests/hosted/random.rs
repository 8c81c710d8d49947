//! Random interleavings of everything, and random octets in every place where octets come in.

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorDrop, CoprocessorOutput};
use airtime_esp_hosted::host::{Host, HostConfig, PENDING_READ, Refused, Task, V2_11_7};
use airtime_esp_hosted::sdio::{BusError, Completion, Transaction};
use airtime_esp_hosted::wire::start::SdioMode;
use proptest::prelude::*;

use super::rig::{Rig, Times};

#[derive(Clone, Debug)]
enum Step {
    Send(u16),
    Receive(u16),
    Run(u16),
    Buffers(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (4u16..=1514).prop_map(Step::Send),
        3 => (4u16..=1514).prop_map(Step::Receive),
        3 => (1u16..2_000).prop_map(Step::Run),
        1 => (0u8..8).prop_map(Step::Buffers),
    ]
}

fn times() -> impl Strategy<Value = Times> {
    (0u64..30, 0u64..40, 0u64..300, 0u64..300, 0u64..300, 0u64..500, 0u64..3_000).prop_map(
        |(register, block, write, split, dispatch, process, air)| {
            let us = Duration::from_micros;
            Times {
                register: us(register),
                block: us(block),
                tasks: [us(write), us(split), us(dispatch)],
                process: us(process),
                air: us(air),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever the order and the times: nothing is lost but counted, nothing overtakes, no buffer is written without credit.
    #[test]
    fn nothing_is_lost_but_counted(
        steps in proptest::collection::vec(step(), 1..400),
        times in times(),
        streaming in any::<bool>(),
        newer in any::<bool>(),
        checksum in any::<bool>(),
        queues in 1u16..30,
        buffers in 1u16..30,
        age in any::<u32>(),
    ) {
        let mode = if streaming { SdioMode::Streaming } else { SdioMode::Packet };
        let version = if newer { PENDING_READ } else { V2_11_7 };
        let host = HostConfig { version, mode, checksum, tx_queue: queues, rx_queue: queues, ..HostConfig::default() };
        let slave = CoprocessorConfig { mode, checksum, rx_buffers: buffers, tx_buffers: buffers, ..CoprocessorConfig::default() };
        let pool = Pool::new();
        let (age, octets) = (age % 8_192, age % 3_000_000);
        let host = Host::booted(host, pool.clone()).aged(age, octets);
        let slave = Coprocessor::booted(slave, pool.clone()).aged(age, octets);
        let mut rig = Rig::of(host, slave, pool);
        rig.times = times;
        let (mut up, mut down, mut refused) = (0u32, 0u32, 0u64);
        for step in steps {
            match step {
                Step::Send(octets) => match rig.transmit(up, octets.into()) {
                    Ok(()) => up += 1,
                    Err(Refused::Throttled(_)) => refused += 1,
                    Err(Refused::Full(_)) => {}
                    Err(other) => panic!("{other:?}"),
                },
                Step::Receive(octets) => down += u32::from(rig.received(down, octets.into()).is_ok()),
                Step::Run(us) => rig.run(Duration::from_micros(us.into())),
                Step::Buffers(more) => rig.buffers = (rig.buffers % 64) + usize::from(more),
            }
            let depth = rig.host.depth();
            prop_assert!(depth.transmit[2] <= queues && depth.receive[2] <= queues);
            prop_assert!(rig.slave.depth().transmit <= buffers);
        }
        rig.buffers = usize::MAX / 2;
        rig.run(Duration::from_secs(30));
        prop_assert_eq!((rig.host.queued(), rig.slave.queued()), (0, 0));
        prop_assert_eq!(rig.slave_drops(CoprocessorDrop::Overflow), 0);
        prop_assert!(rig.aired.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(rig.arrived.windows(2).all(|pair| pair[0] < pair[1]));
        let known = (rig.aired.len() + rig.arrived.len()) as u64 + rig.all_drops() - refused;
        prop_assert_eq!(known, u64::from(up) + u64::from(down));
        if newer {
            prop_assert_eq!(rig.arrived.len() as u32, down, "from 2.12.12 on no burst is dropped");
        }
    }

    /// A co-processor on a bus that does anything.
    #[test]
    fn no_transaction_panics_the_co_processor(
        script in proptest::collection::vec((0u8..8, any::<u32>(), proptest::collection::vec(any::<u8>(), 0..64)), 0..200),
        frames in proptest::collection::vec(hosted_frame(), 0..60),
    ) {
        let pool = Pool::new();
        let mut now = Instant::from_nanos(0);
        let mut slave = Coprocessor::booted(CoprocessorConfig { handlers: 3, ..CoprocessorConfig::default() }, pool.clone());
        slave.register(0x0100).unwrap();
        let mut reply = pool.packet();
        let mut frames = frames.into_iter();
        for (kind, value, octets) in script {
            let transaction = match kind {
                0 => Transaction::Initialise,
                1 => Transaction::ReadRegisters { address: value, octets: value as u16 % 600 },
                2 => Transaction::WriteRegister { address: value % 0x100, value },
                3 => Transaction::WriteRegister { address: 0x8c, value },
                4 => Transaction::ReadData { octets: value % 0x2_0000 },
                5 => Transaction::WriteData(pool.copy(&octets)),
                _ => Transaction::WriteData(pool.copy(&frames.next().unwrap_or_default())),
            };
            now += Duration::from_micros(u64::from(value % 3_000));
            slave.wake(now);
            slave.bus(now, &transaction, &mut reply);
            while let Some(output) = slave.poll(now) {
                if let CoprocessorOutput::Offer(frame) = output {
                    slave.offered(now, (value & 1 == 0).then_some(frame));
                }
            }
            slave.worked(now);
            while let Some(output) = slave.poll(now) {
                if let CoprocessorOutput::Offer(frame) = output {
                    slave.offered(now, (value & 2 == 0).then_some(frame));
                }
            }
        }
    }

    /// A host on a bus that answers anything.
    #[test]
    fn no_answer_panics_the_host(
        answers in proptest::collection::vec((0u8..6, proptest::collection::vec(any::<u8>(), 0..64)), 0..300),
        frames in proptest::collection::vec(hosted_frame(), 0..100),
        booted in any::<bool>(),
    ) {
        let pool = Pool::new();
        let mut now = Instant::from_nanos(0);
        let config = HostConfig::default();
        let mut host = if booted { Host::booted(config, pool.clone()) } else { Host::new(now, config, pool.clone()) };
        let mut frames = frames.into_iter();
        for (kind, octets) in answers {
            host.interrupt(now, kind != 0);
            let _ = host.transmit(now, pool.copy(&octets));
            host.worked(now, Task::Write, 1);
            if let Some(transaction) = host.transaction(now) {
                let stream: Vec<u8> = frames.by_ref().take(usize::from(kind)).flatten().collect();
                let completion = match (kind, &transaction) {
                    (0, _) => Completion::Failed(BusError::Timeout),
                    (1, _) => Completion::Failed(BusError::Crc),
                    (2, _) => Completion::Read(&octets),
                    (_, Transaction::ReadRegisters { address: 0x50, .. }) => Completion::Read(&STATUS),
                    (_, Transaction::ReadData { .. }) => Completion::Read(&stream),
                    (_, Transaction::ReadRegisters { .. }) => Completion::Read(&[0, 0, 20, 0]),
                    _ => Completion::Written,
                };
                host.done(now, transaction, completion);
            }
            host.worked(now, Task::Split, 99);
            host.worked(now, Task::Dispatch, 99);
            while host.poll(now).is_some() {}
            now += Duration::from_millis(u64::from(kind) * 50);
            host.wake(now);
        }
    }
}

/// A new packet of one octet more than nothing.
const STATUS: [u8; 20] = {
    let mut status = [0; 20];
    status[2] = 0x80;
    status[16] = 1;
    status
};

/// Something like a frame: a header that is right or nearly so, and any octets behind it.
fn hosted_frame() -> impl Strategy<Value = Vec<u8>> {
    let body = proptest::collection::vec(any::<u8>(), 1..80);
    (0u8..16, 0u8..4, body, 0usize..30, any::<u8>()).prop_map(|(interface, flags, body, spoilt, value)| {
        let mut frame = vec![interface, flags, body.len() as u8, 0, 12, 0, 0, 0, 0, 0, 0, 0x33];
        frame.extend(body);
        if let Some(octet) = frame.get_mut(spoilt).filter(|_| spoilt < 12) {
            *octet = value;
        }
        frame
    })
}
