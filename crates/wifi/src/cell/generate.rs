//! Traffic that the cell makes itself: saturated stations, stations with Poisson arrivals, beacons, probes.

use alloc::vec::Vec;

use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, Instant};

use super::config::TIME_UNIT;
use super::{Beacons, Cell, CellConfig, StationId, Traffic, contend};
use crate::mac::Queued;
use crate::wire::{Beacon, MacAddress, ProbeRequest, Sequence, Ssid, Tim};

/// Content that a station sends at random.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    Mpdu { to: StationId, octets: u16 },
    Probe,
}

/// A Poisson process of one station.
#[derive(Debug)]
struct Poisson {
    from: StationId,
    what: Arrival,
    every: Duration,
    stream: Stream,
    next: Instant,
}

/// Generators of everything that comes of itself.
#[derive(Debug)]
pub(super) struct Generators {
    poisson: Vec<Poisson>,
    /// Instant at which the next beacon is due.
    beacon: Option<Instant>,
    /// Instant at which the station that dozes may have been awake for long enough.
    doze: Option<Instant>,
    next: Instant,
    /// Sequence numbers of management frames, of all stations.
    sequence: u16,
}

impl Generators {
    pub(super) fn new(config: &CellConfig, seed: u64) -> Self {
        let mut poisson = Vec::new();
        for (place, station) in config.stations.iter().enumerate() {
            let (what, every) = match station.traffic {
                Traffic::Poisson { to, mpdu, every } => (Arrival::Mpdu { to, octets: mpdu }, every),
                Traffic::Probes { every } => (Arrival::Probe, every),
                Traffic::None | Traffic::Saturated { .. } => continue,
            };
            let mut stream = stream(seed, &alloc::format!("cell/{place}/arrivals"));
            let next = Instant::ZERO + exponential(&mut stream, every);
            poisson.push(Poisson { from: StationId(place as u16), what, every, stream, next });
        }
        let beacon = config.beacons.as_ref().map(|beacons| Instant::ZERO + beacons.every);
        let doze = config.power_save.map(|save| Instant::ZERO + save.min_active);
        let mut generators = Self { poisson, beacon, doze, next: Instant::FAR_FUTURE, sequence: 0 };
        generators.look_ahead();
        generators
    }

    /// Instant of the next arrival.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    fn look_ahead(&mut self) {
        let arrivals = self.poisson.iter().map(|poisson| poisson.next);
        self.next = arrivals.chain(self.beacon).chain(self.doze).min().unwrap_or(Instant::FAR_FUTURE);
    }

    /// The station that dozes is to be looked at then, or not.
    pub(super) fn arm(&mut self, doze: Option<Instant>) {
        self.doze = doze;
        self.look_ahead();
    }

    pub(super) fn sequence(&mut self) -> Sequence {
        self.sequence = self.sequence.wrapping_add(1);
        Sequence::new(self.sequence, 0)
    }
}

/// A time that is exponentially distributed with this mean, at least 1 ns.
pub(super) fn exponential(stream: &mut Stream, mean: Duration) -> Duration {
    // 53 random bits give a uniform number in (0, 1]; libm is the same everywhere.
    let uniform = ((stream.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64;
    Duration::from_nanos(((-libm::log(uniform) * mean.as_nanos() as f64) as u64).max(1))
}

impl Cell {
    /// Generates the arrivals of `now`.
    pub(super) fn generate(&mut self, now: Instant) {
        for index in 0..self.generators.poisson.len() {
            let poisson = &mut self.generators.poisson[index];
            if poisson.next > now {
                continue;
            }
            poisson.next += exponential(&mut poisson.stream, poisson.every);
            let (from, what) = (poisson.from, poisson.what);
            match what {
                Arrival::Mpdu { to, octets } => self.arrives(from, to, octets, now),
                Arrival::Probe => self.probe(from, now),
            }
        }
        if self.generators.beacon.is_some_and(|at| at <= now)
            && let Some(beacons) = self.config.beacons.clone()
        {
            self.generators.beacon = Some(now + beacons.every);
            self.beacon(&beacons, None, now);
        }
        if self.generators.doze.is_some_and(|at| at <= now) {
            self.doze_due(now);
        }
        self.generators.look_ahead();
    }

    fn arrives(&mut self, from: StationId, to: StationId, octets: u16, now: Instant) {
        let window = self.stations[to.index()].config.receive_window;
        let sender = &mut self.stations[from.index()];
        if sender.room() == 0 {
            sender.counters.overflowed += 1;
            return;
        }
        sender.push(to, window, Queued::generated(now, octets));
        self.given(from, to, now);
    }

    /// A probe request for any network.
    fn probe(&mut self, from: StationId, now: Instant) {
        let sender = &mut self.stations[from.index()];
        if sender.room() == 0 || !sender.takes_single() {
            sender.counters.overflowed += 1;
            return;
        }
        let mut frame = self.pool.packet();
        let transmitter = MacAddress(sender.config.address);
        let phy = sender.config.raw_phy;
        ProbeRequest { transmitter, sequence: self.generators.sequence(), ssid: Ssid::WILDCARD }.emit(&mut frame);
        let mut single = self.single(phy, frame, false);
        single.asks = true;
        self.roused(from, now);
        self.stations[from.index()].push_single(single);
        self.wants(contend::singles(from), now);
    }

    /// A probe request of `from` has arrived: the access point answers.
    pub(super) fn answer_probe(&mut self, from: StationId, now: Instant) {
        if let Some(beacons) = self.config.beacons.clone() {
            let to = MacAddress(self.stations[from.index()].config.address);
            self.beacon(&beacons, Some(to), now);
        }
    }

    /// A beacon, or the answer to a probe request of `to`. One beacon waits at most: the next one is left out while it does; answers
    /// that wait are as many as there are buffers.
    fn beacon(&mut self, beacons: &Beacons, to: Option<MacAddress>, now: Instant) {
        let access_point = self.config.access_point;
        let sender = &mut self.stations[access_point.index()];
        if to.is_some() && !sender.takes_single() {
            sender.counters.overflowed += 1;
            return;
        }
        if to.is_none() && sender.singles.iter().any(|single| single.beacon) {
            return;
        }
        let tim = if to.is_none() { self.tim(now.as_nanos() / beacons.every.as_nanos()) } else { Tim::NOTHING };
        let sender = &self.stations[access_point.index()];
        let beacon = Beacon {
            to,
            bssid: MacAddress(sender.config.address),
            sequence: self.generators.sequence(),
            timestamp_us: now.as_nanos() / 1_000,
            interval_tu: (beacons.every / TIME_UNIT) as u16,
            ssid: Ssid::new(&beacons.ssid).unwrap_or(Ssid::WILDCARD),
            channel: self.config.channel,
            secured: sender.config.encrypted,
            ht: true,
            tim,
        };
        let mut frame = self.pool.packet();
        beacon.emit(&mut frame);
        let mut single = self.single(beacons.phy, frame, false);
        single.beacon = to.is_none();
        self.stations[access_point.index()].push_single(single);
        self.wants(contend::singles(access_point), now);
    }

    /// Gives saturated stations their first MPDUs; they start with a backoff, as if the channel had been busy.
    pub(super) fn saturate(&mut self) {
        for place in 0..self.stations.len() {
            let id = StationId(place as u16);
            self.replenish(id, Instant::ZERO);
            if self.stations[place].has_data() {
                let contender = &mut self.contenders[contend::data(id)];
                (contender.wants, contender.since) = (true, Instant::ZERO);
                contender.contention.draw(&mut self.streams[place]);
            }
        }
    }

    /// Gives a saturated station as many MSDUs as its window takes.
    pub(super) fn replenish(&mut self, station: StationId, now: Instant) {
        let Traffic::Saturated { to, mpdu } = self.config.stations[station.index()].traffic else { return };
        let window = self.stations[to.index()].config.receive_window;
        let sender = &mut self.stations[station.index()];
        let wanted = sender.msdus_of_a_ppdu(mpdu);
        while sender.waiting() < wanted {
            sender.push(to, window, Queued::generated(now, mpdu));
        }
    }
}
