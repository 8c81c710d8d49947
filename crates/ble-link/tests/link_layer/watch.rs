//! Runs a plan with a sink that keeps what the tests look at.

use airtime_ble::air::Phy;
use airtime_ble::hci::Status;
use airtime_ble::host::{Role, Starved};
use airtime_ble::medium::{Medium, Place, Transmission};
use airtime_ble::network::{Network, Observer};
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::run::build;
use airtime_ble_link::station::{EitherStation, StationOutput};
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{EventLoop, Instant};

use crate::support;

/// The first packet of a connection event.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    pub link: u32,
    pub counter: u16,
    pub channel: u8,
    pub start: Instant,
    pub phy: Phy,
}

/// What has been seen.
#[derive(Debug, Default)]
pub struct Seen {
    pub openings: Vec<Opening>,
    /// When each device last heard a packet with a good CRC on a connection.
    pub heard: [Option<Instant>; 2],
    pub opened: Vec<(Instant, Role)>,
    pub closed: Vec<(Instant, Role, Status)>,
    pub delivered: u64,
    /// Commands of both hosts, by their opcode.
    pub commands: Vec<(Instant, u16)>,
}

impl Observer<StationOutput> for Seen {
    fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        let Place::Event { counter, opens, from_central } = sent.place else { return };
        if opens {
            let Transmission { link, channel, start, phy, .. } = *sent;
            self.openings.push(Opening { link, counter, channel, start, phy });
        }
        if !matches!(verdict, Verdict::Corrupted | Verdict::Unheard) {
            self.heard[usize::from(from_central)] = Some(sent.end);
        }
    }

    fn trace(&mut self, now: Instant, _device: usize, trace: &Trace, _starved: Option<Starved>) {
        match *trace {
            Trace::ConnectionOpened { role, .. } => self.opened.push((now, role)),
            Trace::ConnectionClosed { role, reason, .. } => self.closed.push((now, role, reason)),
            _ => {}
        }
    }

    fn event(&mut self, _now: Instant, _device: usize, event: &StationOutput) {
        self.delivered += u64::from(matches!(event, StationOutput::Delivered(_)));
    }

    fn hci(&mut self, now: Instant, _device: usize, from_host: bool, packet: &[u8]) {
        // Core 6.0, Vol 4, Part A, 2, and Part E, 5.4.1.
        if let (true, [1, low, high, ..]) = (from_host, packet) {
            self.commands.push((now, u16::from_le_bytes([*low, *high])));
        }
    }
}

/// A plan under way.
pub struct Watch {
    pub network: Network<EitherStation, Seen>,
    events: EventLoop,
}

impl Watch {
    /// The plan with these keys, about to start.
    pub fn new(set: &[(&str, &str)]) -> Self {
        let (_, point) = support::plan(set);
        let mut network = build(support::ble(&point), 1, Seen::default());
        let mut events = EventLoop::new(Instant::ZERO, &network);
        network.start(Instant::ZERO);
        events.refresh(&network);
        Self { network, events }
    }

    /// Runs until `done`, which must happen within ten minutes of virtual time.
    pub fn until(&mut self, done: impl Fn(&Seen) -> bool) -> &Seen {
        let limit = Instant::ZERO + airtime_core::Duration::from_secs(600);
        while !done(&self.network.observer) {
            assert!(self.events.step(&mut self.network, limit), "it never happens: {:?}", self.network.observer.closed);
        }
        &self.network.observer
    }

    /// From now on no packet arrives whole.
    pub fn cut_the_air(&mut self) {
        let lost = LossProcess::new(Loss::Packet { per: 1.0 }, stream(1, "test/cut"));
        self.network.medium = Medium::new(self.network.devices.len(), lost, false);
        self.events.refresh(&self.network);
    }
}
