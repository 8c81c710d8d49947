//! Connections that come and go: nothing stays behind.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_app::{Command, Event, Link, Machine, Name, Outcome, Peers, PeripheralConfig, Reasons, StreamConfig};
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_guest::trouble::TroubleStation;

use crate::support::{HOST, PSM, network};

const CYCLES: u32 = 1_000;
const SDUS_PER_CYCLE: u32 = 3;

/// A central that connects, opens a channel, takes three SDUs, disconnects, and begins anew.
#[derive(Default)]
struct Cycler {
    next: Option<Command>,
    received: u32,
    cycles: u32,
}

impl Cycler {
    fn scan(&mut self) {
        let (name, timeout, except) = (Name::default(), Duration::from_secs(10), Peers::default());
        self.next = Some(Command::Scan { name, timeout, except });
    }
}

impl Machine for Cycler {
    fn handle(&mut self, _now: Instant, event: Event) {
        match event {
            Event::Ready | Event::ScanTimeout => self.scan(),
            Event::Found { peer } => {
                let (interval, supervision_timeout) = (Duration::from_micros(7_500), Duration::from_secs(2));
                self.next = Some(Command::Connect { peer, interval, latency: 0, supervision_timeout });
            }
            Event::Connected { conn, .. } => self.next = Some(Command::OpenChannel { conn, psm: PSM }),
            Event::Received { conn, .. } => {
                self.received += 1;
                if self.received == SDUS_PER_CYCLE {
                    self.next = Some(Command::Disconnect { conn });
                }
            }
            Event::Disconnected { .. } => {
                assert!(self.received >= SDUS_PER_CYCLE, "a cycle has its SDUs");
                self.received = 0;
                self.cycles += 1;
                self.scan();
            }
            _ => {}
        }
    }

    fn poll(&mut self, _now: Instant) -> Option<Command> {
        self.next.take()
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn sequence(&self) -> u64 {
        0
    }

    fn links(&self) -> usize {
        0
    }

    fn index(&self, _conn: u16) -> Option<usize> {
        None
    }

    fn link(&self, _index: usize) -> Option<&Link> {
        None
    }

    fn outcome(&self, _index: usize) -> Option<Outcome> {
        None
    }

    fn reasons(&self) -> Reasons {
        Reasons::default()
    }
}

fn stations(cycler: &Rc<RefCell<Cycler>>, pool: &Pool) -> [TroubleStation; 2] {
    let stream_config = StreamConfig { sdu: 100, ..StreamConfig::default() };
    let application =
        PeripheralConfig { stream: stream_config, psm: PSM, data_length_gate: false, ..PeripheralConfig::default() };
    let central = TroubleStation::of_central(Rc::clone(cycler) as Rc<RefCell<dyn Machine>>, HOST, pool.clone());
    [central, TroubleStation::peripheral(application, HOST, pool.clone())]
}

#[test]
fn a_thousand_connections_leave_nothing_behind() {
    let (cycler, pool) = (Rc::new(RefCell::new(Cycler::default())), Pool::new());
    let mut network = network(stations(&cycler, &pool), &pool);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    let mut most = Vec::new();
    for hundred in 1..=CYCLES / 100 {
        let mut held = 0;
        while cycler.borrow().cycles < 100 * hundred {
            let limit = events.now() + Duration::from_secs(60);
            assert!(events.step(&mut network, limit), "it goes on");
            held = held.max(network.devices.iter().map(|device| device.station.held()).sum::<usize>() + pool.idle());
        }
        most.push(held);
    }
    println!("most held at a time, in each hundred of cycles: {most:?}");
    assert!(most.iter().all(|held| *held <= most[0]), "flat: {most:?}");
    for device in &network.devices {
        assert_eq!((device.station.dropped(), device.station.guest().rests()), (0, 0));
    }
    assert!(Rc::strong_count(&cycler) > 1, "the future holds the machine");
    drop(network);
    assert_eq!(Rc::strong_count(&cycler), 1, "and it is freed with its station");
}
