//! A link with calls on it, and what was seen of its connection events.

use airtime_ble::hci::Status;
use airtime_ble::host::Starved;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::{Network, Observer};
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::run::build_calling;
use airtime_ble_link::station::{AnyScript, EitherStation, StationOutput};
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{Duration, EventLoop, Instant};

use super::calls::{Calls, Done, Log, Plan};
use crate::support;

/// What has been seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// Anchor points.
    pub anchors: Vec<Instant>,
    /// Frames submitted by central and peripheral.
    pub submitted: [u64; 2],
    /// Frames delivered to them, and octets of those.
    pub delivered: [u64; 2],
    pub octets: [u64; 2],
    pub ready: Vec<Instant>,
    pub lost: Vec<Status>,
    /// Units that arrived out of turn.
    pub gaps: u64,
    expected: [u64; 2],
}

impl Observer<StationOutput> for Seen {
    fn transmission(&mut self, sent: &Transmission, _verdict: Verdict) {
        if let Place::Event { opens: true, .. } = sent.place {
            self.anchors.push(sent.start);
        }
    }

    fn trace(&mut self, _now: Instant, device: usize, trace: &Trace, _starved: Option<Starved>) {
        match *trace {
            Trace::ConnectionClosed { reason, .. } if device == 0 => self.lost.push(reason),
            Trace::ConnectionOpened { .. } => self.expected = [0; 2],
            _ => {}
        }
    }

    fn event(&mut self, now: Instant, device: usize, event: &StationOutput) {
        match event {
            StationOutput::Submitted(_) => self.submitted[device] += 1,
            StationOutput::Delivered(unit) => {
                self.delivered[device] += 1;
                self.octets[device] += u64::from(unit.octets);
                self.gaps += u64::from(unit.sequence != self.expected[device]);
                self.expected[device] += 1;
            }
            StationOutput::StreamStarted { .. } => self.ready.push(now),
            _ => {}
        }
    }
}

/// A link under way.
pub struct Bench {
    pub network: Network<EitherStation, Seen>,
    events: EventLoop,
    log: Log,
}

impl Bench {
    /// A plan of remote calls with these keys besides, and these calls.
    pub fn new(set: &[(&str, &str)], plan: Plan) -> Self {
        let (script, log) = Calls::new(plan);
        Self { log, ..Self::with(set, AnyScript::new(script)) }
    }

    /// The same, whose central calls what this script says.
    pub fn with(set: &[(&str, &str)], script: AnyScript) -> Self {
        let all: Vec<_> = [("link", "ble-rpc")].iter().chain(set).copied().collect();
        let (_, point) = support::plan(&all);
        let mut network = build_calling(support::ble(&point), 1, Seen::default(), script);
        let mut events = EventLoop::new(Instant::ZERO, &network);
        network.start(Instant::ZERO);
        events.refresh(&network);
        Self { network, events, log: Log::default() }
    }

    /// Whether the script is over.
    pub fn is_over(&self) -> bool {
        self.network.devices[0].station.calling().is_some_and(|station| station.application().is_over())
    }

    /// Calls that ended.
    pub fn done(&self) -> Vec<Done> {
        self.log.borrow().clone()
    }

    /// Runs until so many calls have ended, which must happen within ten minutes of virtual time.
    pub fn until_done(&mut self, calls: usize) -> Vec<Done> {
        self.until(|bench| bench.log.borrow().len() >= calls);
        self.done()
    }

    /// Runs until `so`, which must happen within ten minutes of virtual time.
    pub fn until(&mut self, so: impl Fn(&Self) -> bool) {
        let limit = Instant::ZERO + Duration::from_secs(600);
        while !so(self) {
            let went_on = self.events.step(&mut self.network, limit);
            assert!(went_on, "it never happens: {:?} {:?}", self.done(), self.network.observer);
        }
    }

    /// Loses packets with this probability from now on.
    pub fn lose(&mut self, per: f64) {
        // What is on the air, and who listens, stays.
        self.network.medium.set_loss(LossProcess::new(Loss::Packet { per }, stream(1, "test/cut")));
        self.events.refresh(&self.network);
    }

    /// Connection events that began from `from` on, up to `to`.
    pub fn events(&self, from: Instant, to: Instant) -> usize {
        self.network.observer.anchors.iter().filter(|anchor| (from..=to).contains(anchor)).count()
    }
}

/// Milliseconds from the begin of the first of these calls to the end of the last, per call.
pub fn ms_per_call(done: &[Done]) -> f64 {
    let (began, ended) = (done.iter().map(|one| one.began).min(), done.iter().map(|one| one.ended).max());
    let took = ended.zip(began).map_or(Duration::ZERO, |(ended, began)| ended - began);
    took.as_nanos() as f64 / 1e6 / done.len() as f64
}
