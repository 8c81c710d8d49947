//! A peripheral answers for its attributes while it streams, and a central finds in them where channels are taken.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_app::{Command, Event, Link, Machine, Name, Outcome, Peers, PeripheralConfig, Reasons, StreamConfig};
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_guest::trouble::TroubleStation;

use crate::support::{HOST, PSM, network};

/// SDUs that arrive between two discoveries.
const SDUS_BETWEEN: u32 = 10;
const DISCOVERIES: usize = 50;

/// A central that exchanges the MTU, discovers, opens a channel on what it found, and discovers on while SDUs arrive.
#[derive(Default)]
struct Reader {
    next: Option<Command>,
    mtu: Option<u16>,
    psms: Vec<Option<u16>>,
    /// SDUs that had arrived at each discovery's end.
    arrived: Vec<u32>,
    received: u32,
}

impl Machine for Reader {
    fn handle(&mut self, _now: Instant, event: Event) {
        match event {
            Event::Ready => {
                let (name, timeout, except) = (Name::default(), Duration::from_secs(10), Peers::default());
                self.next = Some(Command::Scan { name, timeout, except });
            }
            Event::Found { peer } => {
                let (interval, supervision_timeout) = (Duration::from_micros(7_500), Duration::from_secs(2));
                self.next = Some(Command::Connect { peer, interval, latency: 0, supervision_timeout });
            }
            Event::Connected { conn, .. } => self.next = Some(Command::ExchangeMtu { conn }),
            Event::MtuExchanged { conn, mtu } => {
                self.mtu = Some(mtu);
                self.next = Some(Command::Discover { conn });
            }
            Event::Discovered { conn, psm, stream } => {
                assert!(!stream, "the stream is in channels");
                self.psms.push(psm);
                self.arrived.push(self.received);
                if self.psms.len() == 1 {
                    self.next = psm.map(|psm| Command::OpenChannel { conn, psm });
                }
            }
            Event::Received { conn, .. } => {
                self.received += 1;
                if self.received.is_multiple_of(SDUS_BETWEEN) {
                    self.next = Some(Command::Discover { conn });
                }
            }
            Event::Disconnected { reason, .. } => panic!("the connection lasts: {reason:#04x}"),
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

#[test]
fn the_psm_is_found_before_and_during_a_stream() {
    let (reader, pool) = (Rc::new(RefCell::new(Reader::default())), Pool::new());
    let stream = StreamConfig { sdu: 492, ..StreamConfig::default() };
    let application = PeripheralConfig { stream, data_length_gate: false, ..PeripheralConfig::default() };
    let central = TroubleStation::of_central(Rc::clone(&reader) as Rc<RefCell<dyn Machine>>, HOST, pool.clone());
    let peripheral = TroubleStation::peripheral(application, HOST, pool.clone());
    let mut network = network([central, peripheral], &pool);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    while reader.borrow().psms.len() < DISCOVERIES {
        let limit = Instant::ZERO + Duration::from_secs(60);
        assert!(events.step(&mut network, limit), "it goes on: {:?}", reader.borrow().psms);
    }
    let reader = reader.borrow();
    // Both have packets of 2048 octets, of which a PDU's header takes four.
    assert_eq!(reader.mtu, Some(2_044));
    assert!(reader.psms.iter().all(|psm| *psm == Some(PSM)), "{:?}", reader.psms);
    assert!(reader.arrived.windows(2).all(|pair| pair[0] < pair[1]), "the stream goes on: {:?}", reader.arrived);
    for device in &network.devices {
        assert_eq!((device.station.refused(), device.station.dropped()), (0, 0));
    }
}
