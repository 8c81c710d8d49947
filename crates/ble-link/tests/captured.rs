//! A run of the laboratory with captures of everything.

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::capture::{AirCapture, HostCapture, TimelineCapture};
use airtime_ble_link::run::build;
use airtime_capture::Origin;
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};

use crate::support;

/// A packet as the medium had it.
#[derive(Debug)]
pub struct Sent {
    pub transmission: Transmission,
    pub verdict: Verdict,
}

/// Every capture of one run, and what they were made from.
pub struct Captured {
    pub air: AirCapture<Vec<u8>>,
    pub hosts: Vec<HostCapture<Vec<u8>>>,
    pub timeline: TimelineCapture<Vec<u8>>,
    pub sent: Vec<Sent>,
    pub crossed: Vec<(Instant, usize, bool, Packet)>,
    pub traces: Vec<(Instant, usize, Trace)>,
    pool: Pool,
}

impl Captured {
    /// Captures for `devices` devices.
    pub fn new(devices: usize) -> Self {
        let names: Vec<String> = (0..devices).map(|device| format!("device {device}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Self {
            air: AirCapture::new(Vec::new(), Origin::VIRTUAL).with_devices(devices),
            hosts: (0..devices).map(|device| HostCapture::new(Vec::new(), Origin::VIRTUAL, device)).collect(),
            timeline: TimelineCapture::new(Vec::new(), &names),
            sent: Vec::new(),
            crossed: Vec::new(),
            traces: Vec::new(),
            pool: Pool::new(),
        }
    }
}

impl<E> Observer<E> for Captured {
    fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        self.air.transmission(sent, verdict);
        self.timeline.transmission(sent, verdict);
        let transmission = Transmission { packet: self.pool.copy(&sent.packet), ..*sent };
        self.sent.push(Sent { transmission, verdict });
    }
    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        self.air.trace(device, trace);
        self.timeline.trace(now, device, trace, starved);
        self.traces.push((now, device, *trace));
    }
    fn event(&mut self, _: Instant, _: usize, _: &E) {}
    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        for host in &mut self.hosts {
            host.hci(now, device, from_host, packet);
        }
        self.timeline.hci(now, device, from_host, packet);
        self.crossed.push((now, device, from_host, self.pool.copy(packet)));
    }
}

/// The first `span` of a run of the plan with these keys, captured.
pub fn captured(set: &[(&str, &str)], span: Duration) -> Captured {
    let (_, point) = support::plan(set);
    let scenario = support::ble(&point);
    let captured = Captured::new(1 + usize::from(scenario.connection.peripherals));
    let mut network = build(scenario, scenario.run.seed, captured);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    events.run_until(&mut network, Instant::ZERO + span);
    network.observer
}
