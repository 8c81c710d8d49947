//! Both sides on a UART, each of which sends when it has something.

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorDrop, CoprocessorOutput};
use airtime_esp_hosted::host::{Failure, Host, HostConfig, HostDrop, HostOutput, Task};
use airtime_esp_hosted::rpc::proto::FirmwareVersion;
use airtime_esp_hosted::rpc::{Request, Response};
use airtime_esp_hosted::sdio::{BusError, Completion, Transaction};
use airtime_esp_hosted::wire::{Bus, Line};

/// Both sides, with a line between them that takes no time.
struct Rig {
    now: Instant,
    pool: Pool,
    host: Host,
    coprocessor: Coprocessor,
    to_host: Line,
    /// The line to the co-processor carries octets.
    joined: bool,
    said: Vec<HostOutput>,
    up: Vec<usize>,
}

impl Rig {
    fn cold() -> Self {
        let (pool, now, bus) = (Pool::new(), Instant::ZERO, Bus::Uart);
        let config = HostConfig { bus, checksum: true, ..HostConfig::default() };
        let host = Host::new(now, config.clone(), pool.clone());
        let slave = CoprocessorConfig { bus, checksum: true, ..CoprocessorConfig::default() };
        let coprocessor = Coprocessor::new(now, slave, pool.clone());
        let to_host = Line::new(config.layout());
        Self { now, pool, host, coprocessor, to_host, joined: true, said: Vec::new(), up: Vec::new() }
    }

    fn run(&mut self, span: Duration) {
        let end = self.now + span;
        self.settle();
        while let Some(next) = [self.host.deadline(), self.coprocessor.deadline()].into_iter().flatten().min() {
            if next > end {
                break;
            }
            self.now = next;
            self.host.wake(next);
            self.coprocessor.wake(next);
            self.settle();
        }
        self.now = end;
    }

    fn settle(&mut self) {
        while self.coprocess() | self.work() | self.write() | self.listen() {}
    }

    fn coprocess(&mut self) -> bool {
        let mut any = self.coprocessor.work().is_some();
        self.coprocessor.worked(self.now);
        while let Some(frame) = self.coprocessor.next_frame() {
            any = true;
            assert_eq!(self.to_host.put(&frame), frame.len());
            while let Some(frame) = self.to_host.frame() {
                self.host.received(self.now, &frame);
            }
        }
        while let Some(output) = self.coprocessor.poll(self.now) {
            any = true;
            if matches!(output, CoprocessorOutput::Offer(_)) {
                self.coprocessor.offered(self.now, None);
            }
        }
        any
    }

    fn work(&mut self) -> bool {
        let mut any = false;
        for task in [Task::Write, Task::Split, Task::Dispatch] {
            while let Some(work) = self.host.work(task) {
                any = true;
                self.host.worked(self.now, task, work.frames);
            }
        }
        any
    }

    fn write(&mut self) -> bool {
        let Some(transaction) = self.host.transaction(self.now) else { return false };
        let Transaction::WriteData(frame) = &transaction else { panic!("a UART has no registers: {transaction:?}") };
        let taken = !self.joined || self.coprocessor.write(self.now, frame.duplicate()).is_ok();
        let done = if taken { Completion::Written } else { Completion::Failed(BusError::Timeout) };
        self.host.done(self.now, transaction, done);
        true
    }

    fn listen(&mut self) -> bool {
        let mut any = false;
        while let Some(output) = self.host.poll(self.now) {
            any = true;
            match output {
                HostOutput::Reset if self.joined => self.coprocessor.reset(self.now),
                HostOutput::Frame(frame) => self.up.push(frame.len()),
                output => self.said.push(output),
            }
        }
        any
    }

    fn ready(&self) -> usize {
        self.said.iter().filter(|said| matches!(said, HostOutput::Ready(_))).count()
    }
}

/// The co-processor says who it is after 800 ms, and the driver looks 1500 ms after the reset.
#[test]
fn the_transport_is_up_when_the_driver_begins_to_read() {
    let mut rig = Rig::cold();
    rig.run(Duration::from_nanos(1_499_999_999));
    assert_eq!(rig.ready(), 0);
    rig.run(Duration::from_nanos(1));
    assert_eq!(rig.ready(), 1);
    let handshake = rig.said.iter().find_map(|said| if let HostOutput::Ready(told) = said { Some(told) } else { None });
    let handshake = handshake.expect("it was counted");
    assert_eq!((handshake.coprocessor.capabilities, handshake.coprocessor.extended), (Some(0x80), Some(0x100)));
    assert_eq!(rig.coprocessor.counters().drops(CoprocessorDrop::Invalid), 0);
}

#[test]
fn frames_and_calls_go_both_ways() {
    let mut rig = Rig::cold();
    rig.run(Duration::from_secs(2));
    rig.coprocessor.connected(rig.now, true);
    for octets in 1..=60 {
        let mut packet = rig.pool.packet();
        packet.resize(octets * 20);
        rig.host.transmit(rig.now, packet.duplicate()).unwrap();
        assert!(rig.coprocessor.received(rig.now, packet).is_ok());
        rig.settle();
    }
    assert_eq!(rig.up, (1..=60).map(|octets| octets * 20).collect::<Vec<_>>());
    assert_eq!(rig.coprocessor.counters().transmitted, 60);
    let mine = rig.host.call(rig.now, Request::GetCoprocessorFwVersion(Default::default())).unwrap();
    rig.run(Duration::from_secs(1));
    let reply = rig.said.iter().find_map(|said| match said {
        HostOutput::Reply { uid, response } if *uid == mine => Some(response),
        _ => None,
    });
    let Some(Response::GetCoprocessorFwVersion(FirmwareVersion { major1: 2, minor1: 11, .. })) = reply else {
        panic!("{reply:?}")
    };
}

#[test]
fn nobody_at_the_other_end_is_a_failure_after_three_resets() {
    let mut rig = Rig::cold();
    rig.joined = false;
    rig.coprocessor =
        Coprocessor::new(Instant::from_nanos(u64::MAX / 2), rig.coprocessor.config().clone(), rig.pool.clone());
    rig.run(Duration::from_millis(3 * 11_500 - 1));
    assert!(rig.said.iter().all(|said| matches!(said, HostOutput::Reset)), "{:?}", rig.said);
    rig.run(Duration::from_millis(1));
    let Some(HostOutput::Failed(failure)) = rig.said.last() else { panic!("{:?}", rig.said) };
    assert_eq!((*failure, rig.host.counters().resets), (Failure::NoInit, 3));
    assert_eq!(failure.to_string(), "no start-up event has come in 10 s, after three resets");
}

/// Octets that the UART does not take are lost, and nobody is told: the driver does not look.
#[test]
fn a_frame_that_is_not_written_is_lost_alone() {
    let mut rig = Rig::cold();
    rig.run(Duration::from_secs(2));
    rig.coprocessor.connected(rig.now, true);
    rig.coprocessor.reset(rig.now);
    let mut packet = rig.pool.packet();
    packet.resize(100);
    rig.host.transmit(rig.now, packet.duplicate()).unwrap();
    rig.settle();
    assert_eq!(rig.host.counters().drops(HostDrop::WriteFailed), 1);
    // It has started again, and says so.
    rig.run(Duration::from_secs(1));
    assert_eq!(rig.ready(), 2);
    rig.host.transmit(rig.now, packet).unwrap();
    rig.settle();
    assert_eq!(rig.host.counters().drops(HostDrop::WriteFailed), 1);
}

/// Before anybody reads, and while the tasks behind stand still, the UART holds 1600 octets.
#[test]
fn what_the_buffer_of_the_uart_does_not_hold_is_lost() {
    let mut rig = Rig::cold();
    rig.run(Duration::from_secs(2));
    let frames: Vec<_> = (0..3)
        .map(|_| {
            let mut packet = rig.pool.packet();
            packet.resize(700);
            assert!(rig.coprocessor.received(rig.now, packet).is_ok());
            rig.coprocessor.next_frame().unwrap()
        })
        .collect();
    for frame in &frames {
        rig.to_host.put(frame);
        let frame = rig.to_host.frame().unwrap();
        rig.host.received(rig.now, &frame);
    }
    rig.settle();
    assert_eq!((rig.up.len(), rig.host.counters().drops(HostDrop::RxBurst)), (2, 1));
}
