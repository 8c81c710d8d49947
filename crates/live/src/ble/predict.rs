//! Prediction of a link in virtual time, were its sender's host as slow as one that was measured.
//!
//! The model host on one side gets its packets late: whenever something comes for it, it sleeps for a
//! span drawn from the measured distribution, and then takes everything that has come meanwhile, as a
//! program does that waits for a socket. Nothing is fitted: the distribution is the server's own report.

use std::collections::VecDeque;

use airtime_ble::host::{Address, ConnHandle, Role, Starved};
use airtime_ble::network::{Device, Network, Station, StationOutput as Carried};
use airtime_ble::transport::Bus;
use airtime_ble_link::plan::Scenario;
use airtime_ble_link::run;
use airtime_ble_link::station;
use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};

use crate::ble::event::Event;
use crate::ble::watch::Watch;

/// Addresses of central and peripheral.
const ADDRESSES: [Address; 2] = [[0, 0, 0, 0x5e, 0, 0xc0], [1, 0, 0, 0x5e, 0, 0xc0]];

/// Payload of each direction in 10³ bit/s, from central to peripheral first: `scenario` for `time`, with
/// a sender whose latencies have these percentiles, 0 to 100 in microseconds
/// ([`host_latency_percentiles_us`](crate::ble::report::EndpointReport)); without any it is never late.
/// The sender's own times of the scenario's personality are left out, they are in the measured ones.
pub fn goodput_kbps(scenario: &Scenario, percentiles_us: &[f64], time: Duration, seed: u64) -> [f64; 2] {
    let mut scenario = scenario.clone();
    let sends = [scenario.connection.direction.central_sends(), scenario.connection.direction.peripheral_sends()];
    for (device, sends) in [&mut scenario.central, &mut scenario.peripheral].into_iter().zip(sends) {
        if sends {
            (device.host.latency, device.host.packet_time, device.host.sdu_time) = Default::default();
            device.bus = Bus::Memory;
        }
    }
    let pool = Pool::new();
    let device = |index: usize, role| {
        let Device { controller, station } = run::end(&scenario, role, ADDRESSES[index], None, &pool);
        let spans = if sends[index] { percentiles_us } else { &[] };
        Device { controller, station: Delayed::new(station, spans, stream(seed, &format!("host/latency/{index}"))) }
    };
    let devices = vec![device(0, Role::Central), device(1, Role::Peripheral)];
    let buses = [scenario.central.bus, scenario.peripheral.bus];
    let mut network = Network::new(run::medium(&scenario, seed, devices.len()), devices, Watch::new(None)).over(buses);
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    events.run_until(&mut network, Instant::ZERO + time);
    let streams = network.observer.links().last().map(|link| link.streams);
    streams.unwrap_or_default().map(|stream| stream.goodput_kbps())
}

/// A host that takes its packets late.
struct Delayed {
    station: station::Station,
    spans: Vec<u64>,
    chance: Stream,
    /// Packets that have come for it, each with the instant at which it will take it.
    pending: VecDeque<Packet>,
    wakes: Option<Instant>,
    outputs: VecDeque<Carried<Event>>,
}

impl Delayed {
    fn new(station: station::Station, percentiles_us: &[f64], chance: Stream) -> Self {
        let spans = percentiles_us.iter().map(|us| (us * 1e3) as u64).collect();
        Self { station, spans, chance, pending: VecDeque::new(), wakes: None, outputs: VecDeque::new() }
    }

    /// A span between two neighbouring percentiles, each pair as likely as any other.
    fn span(&mut self) -> Duration {
        let Some(intervals) = self.spans.len().checked_sub(1).filter(|n| *n > 0) else { return Duration::ZERO };
        let low = self.chance.below(intervals as u64) as usize;
        let (from, to) = (self.spans[low], self.spans[low + 1]);
        Duration::from_nanos(from + self.chance.below(to.saturating_sub(from) + 1))
    }

    fn drain(&mut self, now: Instant) {
        while let Some(output) = Station::poll(&mut self.station, now) {
            self.outputs.push_back(output);
        }
    }
}

impl Station for Delayed {
    type Event = Event;

    fn wake(&mut self, now: Instant) {
        if Station::deadline(&self.station).is_some_and(|due| due <= now) {
            Station::wake(&mut self.station, now);
            self.drain(now);
        }
        if self.wakes.is_some_and(|wakes| wakes <= now) {
            self.wakes = None;
            while let Some(packet) = self.pending.pop_front() {
                self.station.hci(now, &packet);
                self.drain(now);
            }
        }
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        // A host that is never late answers a nanosecond later, for time has to go on.
        if self.wakes.is_none() {
            self.wakes = Some(now + self.span().max(Duration::from_nanos(1)));
        }
        self.pending.push_back(Pool::new().copy(packet));
    }

    fn poll(&mut self, now: Instant) -> Option<Carried<Event>> {
        self.drain(now);
        self.outputs.pop_front()
    }

    fn deadline(&self) -> Option<Instant> {
        Station::deadline(&self.station).into_iter().chain(self.wakes).min()
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        if self.wakes.is_some() { Starved::LateHost } else { self.station.starved(handle) }
    }
}

#[cfg(test)]
mod tests {
    use airtime_lab::Library;

    use super::*;
    use crate::ble::options::peer;

    const TIME: Duration = Duration::from_secs(20);

    fn scenario(buffers: u8) -> Scenario {
        let text = format!(
            "coc-source,role=central,interval=15ms,credits.max=64,in_flight=60,tx_buffers=255,acl.count={buffers}"
        );
        peer(0, &text, &Library::builtin()).unwrap().scenario
    }

    fn kbps(buffers: u8, spans: &[f64]) -> f64 {
        goodput_kbps(&scenario(buffers), spans, TIME, 1)[0]
    }

    #[test]
    fn a_host_that_is_never_late_gets_what_a_run_gets() {
        let outcome = run::run(&scenario(24), 1);
        let expected = outcome.octets(0) as f64 * 8e6 / outcome.steady.as_nanos() as f64;
        let found = kbps(24, &[]);
        assert!((found - expected).abs() / expected < 0.005, "{found} for {expected}");
    }

    #[test]
    fn lateness_costs_where_buffers_do_not_hide_it() {
        // Three exchanges of 1.4 ms are what three buffers hide.
        assert!((kbps(3, &[500.0, 500.0]) / kbps(24, &[]) - 1.0).abs() < 0.01);
        assert!((kbps(24, &[6_000.0, 6_000.0]) / kbps(24, &[]) - 1.0).abs() < 0.01);
        // A later host fills the controller once per event: three exchanges of ten.
        let found = kbps(3, &[6_000.0, 6_000.0]) / kbps(24, &[]);
        assert!((0.25..0.4).contains(&found), "{found}");
    }

    #[test]
    fn spans_are_drawn_as_they_were_distributed() {
        let station = run::end(&scenario(3), Role::Central, ADDRESSES[0], None, &Pool::new()).station;
        let percentiles: Vec<f64> = (0..=100).map(f64::from).collect();
        let mut host = Delayed::new(station, &percentiles, stream(1, "test"));
        let mean = (0..10_000).map(|_| host.span().as_nanos()).sum::<u64>() / 10_000;
        assert!((49_000..51_000).contains(&mean), "{mean}");
    }
}
