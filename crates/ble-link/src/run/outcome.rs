//! One run of a scenario: from scanning to the end, or to whatever ended it before.

use crate::plan::Scenario;
use airtime_app::Outcome as TestOutcome;
use airtime_ble::hci::Status;
use airtime_ble::ledger::{Account, Counts};
use airtime_ble::network::{Network, Observer};
use airtime_core::ledger::Ledger;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_link::Percentiles;

use super::cpu::Cpu;
use super::network::build;
use super::observe::{Recorder, Traffic};
use super::rpc::Calls;
use crate::station::{EitherStation, Negotiated, StationOutput};

/// Longest the set-up may take after the scan before the run gives up on it.
const SETUP_MAX: Duration = Duration::from_secs(120);

/// Outcome of one run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Parameters that both ends agreed on, as central and first peripheral saw them; none without a connection.
    pub negotiated: Option<(Negotiated, Negotiated)>,
    /// From connect to the start of the stream; to the end of the run if it never started.
    pub setup: Duration,
    /// Books of the first link, from connect to its last packet.
    pub ledger: Option<Ledger<Account>>,
    /// Books of the first link since the warm-up, up to the end.
    pub steady_ledger: Option<Ledger<Account>>,
    /// Length of the steady state.
    pub steady: Duration,
    /// Traffic of each link in the steady state: central to peripheral, peripheral to central.
    pub traffic: Vec<[Traffic; 2]>,
    /// Counts of the first link in the steady state.
    pub counts: Counts,
    /// Every link.
    pub links: Vec<LinkOutcome>,
    /// Octets per second of the first link since its stream started.
    pub series: Vec<u64>,
    /// Latencies in the steady state.
    pub latency: Option<Percentiles>,
    /// Outcome of the test, if it ended early.
    pub ended: Option<TestOutcome>,
    /// Reasons of lost connections.
    pub lost: Vec<Status>,
    /// Random numbers drawn from the run's seed.
    pub random_draws: u64,
    /// Steps of the event loop.
    pub steps: u64,
    /// Number of times that a foreign host had to be made to wait at one instant.
    pub rests: u64,
    /// CPUs of images, in the steady state.
    pub cpus: Vec<Cpu>,
    /// Virtual time at the end.
    pub end: Instant,
    /// Outcomes of remote calls; without a script, nothing.
    pub calls: Calls,
}

/// Outcome of one link.
#[derive(Clone, Debug, Default)]
pub struct LinkOutcome {
    /// Parameters that both ends agreed on, as central and peripheral saw them; none without a connection.
    pub negotiated: Option<(Negotiated, Negotiated)>,
    /// Books since the warm-up.
    pub steady_ledger: Option<Ledger<Account>>,
    /// Counts in the steady state.
    pub counts: Counts,
    /// Octets that arrived in the steady state, in both directions.
    pub octets: u64,
    /// Values that the sender's host took in the steady state, and those that it had no room for.
    pub values: (u64, u64),
    /// Reason for which it was lost last, if it was.
    pub lost: Option<Status>,
    /// Set if there was a connection at the end.
    pub open: bool,
}

impl Outcome {
    /// Goodput of link `index` in the steady state: octets in both stream directions.
    pub fn octets(&self, index: usize) -> u64 {
        self.traffic.get(index).map_or(0, |t| t[0].octets + t[1].octets)
    }
}

/// Somebody who watches a run beside its recorder: a capture, say.
pub trait Watcher: Observer<StationOutput> {
    /// True if the run may end early, because nobody wants the rest.
    fn has_enough(&mut self) -> bool;
}

impl Watcher for () {
    fn has_enough(&mut self) -> bool {
        false
    }
}

/// Runs `scenario` with `seed`.
pub fn run(scenario: &Scenario, seed: u64) -> Outcome {
    run_watched(scenario, seed, ()).0
}

/// Runs `scenario` with `seed` under the eyes of `watcher`, and gives it back.
pub fn run_watched<W: Watcher>(scenario: &Scenario, seed: u64, watcher: W) -> (Outcome, W) {
    let mut network = build(scenario, seed, (Recorder::new(scenario), watcher));
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);

    // Until every link streams, or the test has failed, or it takes too long.
    let links = usize::from(scenario.connection.peripherals);
    let patience =
        Instant::ZERO + scenario.connection.scan_timeout * u64::from(scenario.connection.peripherals) + SETUP_MAX;
    while recorder(&network).streaming() < links && !is_over(&mut network) {
        if !events.step(&mut network, patience) {
            break;
        }
    }
    let connected = recorder(&network).connected();
    let end = connected.map_or(events.now(), |at| (at + scenario.run.duration).max(events.now()));
    let started = recorder(&network).started();
    // The warm-up of a stream is a time; that of calls is a number of them.
    let warmup = if scenario.rpc.is_some() { Duration::ZERO } else { scenario.run.warmup };
    let mut steady_from = (events.now() + warmup).min(end);
    if scenario.rpc.is_some() {
        steady_from = until_calls_count(&mut events, &mut network, end);
    } else if !is_over(&mut network) {
        run_to(&mut events, &mut network, steady_from);
    }

    let begun = Begun { connected, started, ..Begun::at(steady_from, events.now(), links, &mut network) };
    if !is_over(&mut network) {
        run_to(&mut events, &mut network, end);
    }
    let outcome = begun.told(events.now(), events.steps(), &network);
    (outcome, network.observer.1)
}

/// Begin of the steady state: what is counted is what came since.
struct Begun {
    at: Instant,
    /// Time of the connection, and of the first octet of the stream.
    connected: Option<Instant>,
    started: Option<Instant>,
    /// Traffic of each link until then.
    traffic: Vec<[Traffic; 2]>,
    /// Books of each link until then.
    books: Vec<Ledger<Account>>,
    /// Work of each CPU until then.
    cpus: Vec<Cpu>,
}

impl Begun {
    /// The begin at `at` of so many `links`, whose books begin `now`.
    fn at<W: Watcher>(at: Instant, now: Instant, links: usize, network: &mut Net<W>) -> Self {
        let traffic = (0..links).map(|index| recorder(network).traffic(index)).collect();
        let books = network.observer.0.begin_measuring(now);
        let cpus = Cpu::all(network.devices.iter().map(|device| &device.station));
        Self { at, connected: None, started: None, traffic, books, cpus }
    }

    /// Outcome of a run that ends `now`, after so many `steps`.
    fn told<W: Watcher>(&self, now: Instant, steps: u64, network: &Net<W>) -> Outcome {
        let recorder = recorder(network);
        let books = recorder.books(0);
        assert!(books.is_none_or(|books| books.ledger().balances()), "the books of a link balance");
        let each: Vec<LinkOutcome> = (0..self.traffic.len()).map(|index| self.link(index, now, network)).collect();
        let first = each.first().cloned().unwrap_or_default();
        let stations = || network.devices.iter().map(|device| &device.station);
        Outcome {
            negotiated: self.connected.and(first.negotiated),
            setup: self.connected.map_or(Duration::ZERO, |at| self.started.unwrap_or(now).saturating_since(at)),
            steady_ledger: first.steady_ledger,
            // A capture ends with the last packet, too.
            ledger: books.map(|books| books.ledger().clone()),
            steady: now.saturating_since(self.at),
            traffic: (0..self.traffic.len()).map(|index| self.since(index, recorder)).collect(),
            counts: first.counts,
            links: each,
            series: recorder.series().to_vec(),
            latency: recorder.latency(),
            ended: recorder.ended(),
            lost: recorder.lost().to_vec(),
            random_draws: network.medium.random_draws() + stations().map(EitherStation::random_draws).sum::<u64>(),
            steps,
            rests: stations().map(EitherStation::rests).sum(),
            cpus: Cpu::all(stations()).iter().zip(&self.cpus).map(|(cpu, then)| cpu.since(then)).collect(),
            end: now,
            calls: recorder.calls().clone(),
        }
    }

    /// Outcome of the link of this index.
    fn link<W: Watcher>(&self, index: usize, now: Instant, network: &Net<W>) -> LinkOutcome {
        let recorder = recorder(network);
        let agreed = |device: usize, link: usize| network.devices.get(device)?.station.negotiated(link).copied();
        let books = recorder.books(index);
        let (lost, open) = recorder.lost_of(index);
        let total = |of: fn(&Traffic) -> u64| self.since(index, recorder).iter().map(of).sum();
        LinkOutcome {
            negotiated: books.and_then(|_| agreed(0, index).zip(agreed(index + 1, 0))),
            steady_ledger: books.zip(self.books.get(index)).map(|(books, then)| books.ledger_at(now).since(then)),
            counts: books.map(|books| *books.counts()).unwrap_or_default(),
            octets: total(|traffic| traffic.octets),
            values: (total(|traffic| traffic.submitted), total(|traffic| traffic.dropped)),
            lost,
            open,
        }
    }

    /// Traffic of a link since then, each way.
    fn since(&self, index: usize, recorder: &Recorder) -> [Traffic; 2] {
        let (now, then) = (recorder.traffic(index), self.traffic[index]);
        [0, 1].map(|d| Traffic {
            octets: now[d].octets - then[d].octets,
            sdus: now[d].sdus - then[d].sdus,
            submitted: now[d].submitted - then[d].submitted,
            gaps: now[d].gaps - then[d].gaps,
            dropped: now[d].dropped - then[d].dropped,
        })
    }
}

type Net<W> = Network<EitherStation, (Recorder, W)>;

fn recorder<W: Watcher>(network: &Net<W>) -> &Recorder {
    &network.observer.0
}

fn is_over<W: Watcher>(network: &mut Net<W>) -> bool {
    let recorder = recorder(network);
    recorder.ended().is_some() || recorder.calls().over.is_some() || network.observer.1.has_enough()
}

/// Runs until the first call that counts has begun, at most until `end`; says when that was.
fn until_calls_count<W: Watcher>(events: &mut EventLoop, network: &mut Net<W>, end: Instant) -> Instant {
    while !recorder(network).calls().counting() && !is_over(network) && events.step(network, end) {}
    events.now()
}

/// Runs to `until`, or to the end of the test.
fn run_to<W: Watcher>(events: &mut EventLoop, network: &mut Net<W>, until: Instant) {
    while !is_over(network) && events.step(network, until) {}
    if !is_over(network) {
        events.run_until(network, until);
    }
}
