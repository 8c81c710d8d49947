//! Either host at either end of a link, on the controllers and parameters of a plan.
#![allow(dead_code)] // Not every test binary uses everything.

use airtime_app::{self as app, Central, CentralConfig, PeripheralConfig, StreamConfig};
use airtime_ble::air::Phy;
use airtime_ble::controller::Controller;
use airtime_ble::host::{ConnHandle, Host, HostConfig, Starved};
use airtime_ble::ledger::Account;
use airtime_ble::medium::Medium;
use airtime_ble::network::{self, Device, Network};
use airtime_core::ledger::Ledger;
use airtime_core::loss::LossProcess;
use airtime_core::random::stream;
use airtime_core::{EventLoop, Instant, Pool};
use airtime_guest::report::Report;
use airtime_guest::trouble::{TroubleConfig, TroubleStation};
use airtime_lab::plan::scenario::{self, Direction, Scenario};
use airtime_lab::record::kbps;
use airtime_lab::run::{Recorder, Traffic};
use airtime_lab::station::{Station, StationOutput};
use airtime_lab::{Library, Plan};

/// The PSM of every test: there is no discovery.
pub const PSM: u16 = 0x0080;

/// Whose host an end has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Model,
    Trouble,
}

/// A station with either host.
pub enum Either {
    Model(Box<Station>),
    Trouble(Box<TroubleStation>),
}

impl Either {
    pub fn trouble(&self) -> Option<&TroubleStation> {
        match self {
            Self::Model(_) => None,
            Self::Trouble(station) => Some(station),
        }
    }
}

impl network::Station for Either {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        match self {
            Self::Model(station) => network::Station::wake(&mut **station, now),
            Self::Trouble(station) => station.wake(now),
        }
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        match self {
            Self::Model(station) => network::Station::hci(&mut **station, now, packet),
            Self::Trouble(station) => station.hci(now, packet),
        }
    }

    fn poll(&mut self, now: Instant) -> Option<network::StationOutput<StationOutput>> {
        match self {
            Self::Model(station) => network::Station::poll(&mut **station, now),
            Self::Trouble(station) => Some(match station.poll(now)? {
                network::StationOutput::Hci(packet) => network::StationOutput::Hci(packet),
                network::StationOutput::Event(report) => network::StationOutput::Event(output(report)),
            }),
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match self {
            Self::Model(station) => network::Station::deadline(&**station),
            Self::Trouble(station) => station.deadline(),
        }
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        match self {
            Self::Model(station) => network::Station::starved(&**station, handle),
            Self::Trouble(station) => station.starved(handle),
        }
    }
}

/// The laboratory's word for a report.
fn output(report: Report) -> StationOutput {
    match report {
        Report::Submitted(unit) => StationOutput::Submitted(unit),
        Report::Delivered(unit) => StationOutput::Delivered(unit),
        Report::StreamStarted { link, conn } => StationOutput::StreamStarted { link, conn },
        Report::Host(event) => StationOutput::Host(event),
        Report::Ended { link, outcome } => StationOutput::Ended { link, outcome },
    }
}

/// The scenario of the plan with these keys.
pub fn scenario(set: &[(&str, &str)]) -> Scenario {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let plan = Plan::parse("test", "", &Library::builtin(), &set).unwrap_or_else(|error| panic!("{error}"));
    plan.point(0).expect("a plan has a point").scenario
}

fn stream_config(scenario: &Scenario) -> StreamConfig {
    StreamConfig {
        direction: match scenario.direction {
            Direction::PeripheralToCentral => app::Direction::P2c,
            Direction::CentralToPeripheral => app::Direction::C2p,
            Direction::Both => app::Direction::Both,
        },
        sdu: scenario.coc.sdu,
        in_flight: scenario.coc.in_flight,
        channels: scenario.coc.channels,
        pacing: match scenario.coc.pacing {
            scenario::Pacing::Semaphore => app::Pacing::Semaphore,
            scenario::Pacing::Sleep(span) => app::Pacing::Sleep(span),
        },
        warmup: scenario.run.warmup,
        ..StreamConfig::default()
    }
}

fn central(scenario: &Scenario) -> CentralConfig {
    CentralConfig {
        stream: stream_config(scenario),
        peripherals: scenario.peripherals,
        scan_timeout: scenario.scan_timeout,
        conn_interval: scenario.conn_interval,
        data_octets: scenario.data_length,
        phy: match scenario.phy {
            Phy::Le1M => app::Phy::Le1M,
            Phy::Le2M => app::Phy::Le2M,
            Phy::LeCodedS2 => app::Phy::LeCodedS2,
            Phy::LeCodedS8 => app::Phy::LeCodedS8,
        },
        psm: Some(PSM),
        ..CentralConfig::default()
    }
}

fn peripheral(scenario: &Scenario, index: u8) -> PeripheralConfig {
    PeripheralConfig {
        stream: stream_config(scenario),
        name: app::Name::default().numbered(index),
        psm: PSM,
        stop_advertising: scenario.stop_advertising,
        interval: app::IntervalConfig {
            request: scenario.request_interval,
            change_at: scenario.change_interval.map(|change| (change.at, change.to)),
            ..app::IntervalConfig::default()
        },
        ..PeripheralConfig::default()
    }
}

fn trouble(device: &scenario::Device) -> TroubleConfig {
    TroubleConfig::of(&device.host, PSM)
}

fn model(host: airtime_ble::personality::Host, pool: &Pool) -> Host {
    Host::new(HostConfig { personality: host, long_term_key: [7; 16] }, pool.clone())
}

pub type Net = Network<Either, Recorder>;

/// The two devices of a scenario with these hosts, central first.
pub fn build(scenario: &Scenario, [central_kind, peripheral_kind]: [Kind; 2], seed: u64) -> Net {
    let pool = Pool::new();
    let (c, p) = (&scenario.central, &scenario.peripheral);
    let upper = match central_kind {
        Kind::Model => {
            let machine = Central::new(central(scenario)).into();
            Either::Model(Box::new(Station::new(model(c.host, &pool), machine)))
        }
        Kind::Trouble => {
            Either::Trouble(Box::new(TroubleStation::central(central(scenario), trouble(c), pool.clone())))
        }
    };
    let controller = |device: &scenario::Device, index| {
        Controller::new(device.controller, [index, 0, 0, 0x5e, 0x00, 0xc0], pool.clone())
    };
    let mut devices = vec![Device { controller: controller(c, 0), station: upper }];
    for index in 0..scenario.peripherals {
        let config = peripheral(scenario, index);
        let lower = match peripheral_kind {
            Kind::Model => {
                Either::Model(Box::new(Station::new(model(p.host, &pool), app::Peripheral::new(config).into())))
            }
            Kind::Trouble => Either::Trouble(Box::new(TroubleStation::peripheral(config, trouble(p), pool.clone()))),
        };
        devices.push(Device { controller: controller(p, index + 1), station: lower });
    }
    let loss = LossProcess::new(scenario.loss, stream(seed, "link/loss"));
    Network::new(Medium::new(devices.len(), loss, scenario.co_channel), devices, Recorder::new(scenario))
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Run {
    /// Goodput in the steady state, in kbit/s.
    pub kbps: f64,
    pub sdus: u64,
    /// SDUs from the central, and from the peripherals.
    pub each_way: [u64; 2],
    pub gaps: u64,
    pub ledger: Option<Ledger<Account>>,
    pub ended: Option<app::Outcome>,
    pub streaming: bool,
    /// When the stream started.
    pub started: Option<Instant>,
    pub steps: u64,
    /// How often guests were made to rest.
    pub rests: u64,
    /// Packets of guests' pools that are on loan at the end.
    pub packets: usize,
    pub end: Instant,
    pub latency_ms_p50: f64,
    /// Interval of the first link at the end, as its controllers have it.
    pub interval: Option<airtime_core::Duration>,
}

fn add(a: Traffic, b: Traffic) -> Traffic {
    Traffic {
        octets: a.octets + b.octets,
        sdus: a.sdus + b.sdus,
        submitted: a.submitted + b.submitted,
        gaps: a.gaps + b.gaps,
    }
}

/// Runs `scenario` between these hosts.
pub fn run(scenario: &Scenario, kinds: [Kind; 2], seed: u64) -> Run {
    let mut network = build(scenario, kinds, seed);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    let patience = Instant::ZERO + scenario.scan_timeout + airtime_core::Duration::from_secs(120);
    while network.observer.streaming() < usize::from(scenario.peripherals) && network.observer.ended().is_none() {
        if !events.step(&mut network, patience) {
            break;
        }
    }
    let started = network.observer.started();
    let begin = events.now() + scenario.run.warmup;
    let end = begin + scenario.run.duration;
    events.run_until(&mut network, begin);
    let traffic = |network: &Net| -> [Traffic; 2] {
        let links = (0..usize::from(scenario.peripherals)).map(|link| network.observer.traffic(link));
        links.fold([Traffic::default(); 2], |sum, link| [0, 1].map(|way| add(sum[way], link[way])))
    };
    let before = traffic(&network);
    let books = network.observer.books(0).map(|books| books.ledger().clone());
    network.observer.restart_counts();
    events.run_until(&mut network, end);
    let after = traffic(&network);
    let sum =
        |of: fn(&Traffic) -> u64| -> u64 { after.iter().map(of).sum::<u64>() - before.iter().map(of).sum::<u64>() };
    let ledger = network.observer.books(0).map(|books| books.ledger().clone());
    let guests = || network.devices.iter().filter_map(|device| device.station.trouble());
    Run {
        kbps: kbps(sum(|traffic| traffic.octets), scenario.run.duration),
        sdus: sum(|traffic| traffic.sdus),
        each_way: [0, 1].map(|way| after[way].sdus - before[way].sdus),
        gaps: sum(|traffic| traffic.gaps),
        ledger: ledger.zip(books).map(|(now, then)| now.since(&then)),
        ended: network.observer.ended(),
        streaming: network.observer.streaming() > 0,
        started,
        steps: events.steps(),
        rests: guests().map(|guest| guest.guest().rests()).sum(),
        packets: guests().map(|guest| guest.guest().node().packets_in_use()).sum(),
        end: events.now(),
        interval: network.devices[0].controller.connection(0).map(|connection| connection.timing.interval),
        latency_ms_p50: network.observer.latency().map_or(f64::NAN, |latency| latency.p50),
    }
}
