//! A device whose host hangs up at a given instant, whatever its application does.

use std::collections::VecDeque;

use airtime_ble::hci::{self, event, opcode};
use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::{Device, Network, Observer, Station, StationOutput as Output};
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::plan::Scenario;
use airtime_ble_link::run::build;
use airtime_ble_link::station::{EitherStation, StationOutput};
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};

/// A station with a second voice towards its controller.
pub struct HangsUp {
    station: EitherStation,
    at: Instant,
    commands: VecDeque<Packet>,
    /// When its host was told of the end, and the reason.
    pub gone: Option<(Instant, u8)>,
}

impl Station for HangsUp {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        if self.at <= now {
            self.at = Instant::FAR_FUTURE;
            let mut packet = hci::command(&Pool::new(), opcode::DISCONNECT);
            packet.put(&[0, 0, 0x13]);
            self.commands.push_back(hci::finish_command(packet));
        }
        self.station.wake(now);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        // The host has not given the command that this answers.
        let answers = packet[1] == event::COMMAND_STATUS && packet[5..] == opcode::DISCONNECT.0.to_le_bytes();
        if answers {
            return assert_eq!(packet[3], 0, "the controller takes the command");
        }
        if packet[0] == hci::EVENT && packet[1] == event::DISCONNECTION_COMPLETE {
            self.gone = Some((now, packet[6]));
        }
        self.station.hci(now, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<Output<StationOutput>> {
        self.commands.pop_front().map(Output::Hci).or_else(|| self.station.poll(now))
    }

    fn deadline(&self) -> Option<Instant> {
        let at = Some(self.at).filter(|at| *at != Instant::FAR_FUTURE);
        self.station.deadline().into_iter().chain(at).min()
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        Station::starved(&self.station, handle)
    }
}

/// The last anchor point, and how many SDUs have arrived.
#[derive(Default)]
pub struct Progress {
    anchor: Instant,
    delivered: u64,
}

impl Observer<StationOutput> for Progress {
    fn transmission(&mut self, sent: &Transmission, _: Verdict) {
        if let Place::Event { opens: true, .. } = sent.place {
            self.anchor = sent.start;
        }
    }
    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}
    fn event(&mut self, _: Instant, _: usize, event: &StationOutput) {
        self.delivered += u64::from(matches!(event, StationOutput::Delivered(_)));
    }
}

/// Runs `scenario` until its stream is steady, lets the host of device `asks` hang up `phase` after an anchor point,
/// and gives how long it took until each host was told, and the reason it was given.
pub fn hang_up(scenario: &Scenario, asks: usize, phase: Duration) -> [(Duration, u8); 2] {
    let Network { medium, devices, observer, .. } = build(scenario, 1, Progress::default());
    let stations = devices.into_iter().map(|Device { controller, station }| Device {
        controller,
        station: HangsUp { station, at: Instant::FAR_FUTURE, commands: VecDeque::new(), gone: None },
    });
    let mut network = Network::new(medium, stations.collect(), observer);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);

    let limit = Instant::ZERO + Duration::from_secs(60);
    while network.observer.delivered < 40 {
        assert!(events.step(&mut network, limit), "the stream starts");
    }
    let at = network.observer.anchor + scenario.conn_interval() * 2 + phase;
    network.devices[asks].station.at = at;
    events.refresh(&network);
    while network.devices.iter().any(|device| device.station.gone.is_none()) {
        assert!(events.step(&mut network, limit), "both hosts are told");
    }
    [0, 1].map(|device| network.devices[device].station.gone.map(|(when, why)| (when - at, why)).expect("it is gone"))
}
