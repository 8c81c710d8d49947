//! Whole networks: exact times, closed forms, datagrams, loss, contention, properties.

mod contention;
mod datagrams;
mod hops;
mod mechanisms;
mod properties;
mod rcp;
mod timing;

use airtime_core::{Duration, Instant};
use airtime_ieee802154::network::{Config, Observer, Outcome, run};
use airtime_ieee802154::trace::{Begun, Delivery, DropPoint, Fate, OnAir, Phase, Sent};

/// Everything that a network tells, as lines.
#[derive(Default)]
struct Log(Vec<String>);

fn us(at: Instant) -> u64 {
    (at - Instant::ZERO).as_micros()
}

impl Observer for Log {
    fn began(&mut self, now: Instant, begun: &Begun) {
        let Begun { from, to, until, .. } = *begun;
        self.0.push(format!("{} {from}>{to} begins, until {}", us(now), us(until)));
    }
    fn transmission(&mut self, on_air: &OnAir, psdu: &[u8]) {
        let kind = if on_air.sent == Sent::Ack { "ack" } else { "data" };
        let OnAir { from, to, fate, end, .. } = *on_air;
        self.0.push(format!("{} {from}>{to} {kind} of {} octets: {fate:?}", us(end), psdu.len()));
    }
    fn phase(&mut self, now: Instant, station: usize, phase: Phase) {
        self.0.push(format!("{} {station}: {phase:?}", us(now)));
    }
    fn delivered(&mut self, delivery: &Delivery) {
        let Delivery { from, octets, arrived, .. } = *delivery;
        self.0.push(format!("{} {from} delivered {octets}, {} us old", us(arrived), delivery.latency().as_micros()));
    }
    fn dropped(&mut self, now: Instant, station: usize, at: DropPoint) {
        self.0.push(format!("{} {station} dropped: {at:?}", us(now)));
    }
}

/// Every transmission.
#[derive(Default)]
struct Frames(Vec<(OnAir, Vec<u8>)>);

impl Observer for Frames {
    fn transmission(&mut self, on_air: &OnAir, psdu: &[u8]) {
        self.0.push((*on_air, psdu.to_vec()));
    }
}

impl Frames {
    fn with(&self, fate: Fate) -> usize {
        self.0.iter().filter(|(on_air, _)| on_air.fate == fate).count()
    }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn outcome(config: &Config) -> Outcome {
    run(config, ()).expect("the configuration fits").0
}
