//! Observers: those who look on.

use airtime_core::Instant;

use crate::cell::StationId;
use crate::trace::{Activity, DropPoint, OnAir, Queue, Stage};
use crate::wire::RxInfo;

/// The two ends of the plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// The ESP host: 10.0.0.1.
    Host,
    /// Beyond the access point and its wired hop: 10.0.0.2.
    Far,
}

/// A sink of everything that happens in the plant.
pub trait Observer {
    /// False if it does not look at all. Nothing is told to it then, and nothing else depends on it.
    fn looks(&self) -> bool {
        true
    }
    /// An exchange on the air is over.
    fn on_air(&mut self, on_air: &OnAir) {
        let _ = on_air;
    }
    /// A stage does something else from now on.
    fn stage(&mut self, now: Instant, stage: Stage, activity: Activity) {
        let _ = (now, stage, activity);
    }
    /// A queue holds so many from now on. Told after a step, when it has changed.
    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        let _ = (now, queue, depth);
    }
    /// The congestion window of an end has changed, in octets.
    fn cwnd(&mut self, now: Instant, end: End, octets: u32) {
        let _ = (now, end, octets);
    }
    /// An IP packet was given to the interface of `end` and taken (`into` true), or has come out of it.
    fn packet(&mut self, now: Instant, end: End, into: bool, packet: &[u8]) {
        let _ = (now, end, into, packet);
    }
    /// Something of `octets` (an IP packet, or a frame that carries one) was dropped.
    fn dropped(&mut self, now: Instant, at: DropPoint, octets: u32) {
        let _ = (now, at, octets);
    }
    /// A promiscuous station heard a frame, FCS included.
    fn heard(&mut self, now: Instant, station: StationId, frame: &[u8], info: &RxInfo) {
        let _ = (now, station, frame, info);
    }
}

/// Nobody looks.
impl Observer for () {
    fn looks(&self) -> bool {
        false
    }
}

/// Two sinks of the same stream; the first sees everything first.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn looks(&self) -> bool {
        self.0.looks() || self.1.looks()
    }
    fn on_air(&mut self, on_air: &OnAir) {
        self.0.on_air(on_air);
        self.1.on_air(on_air);
    }
    fn stage(&mut self, now: Instant, stage: Stage, activity: Activity) {
        self.0.stage(now, stage, activity);
        self.1.stage(now, stage, activity);
    }
    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        self.0.depth(now, queue, depth);
        self.1.depth(now, queue, depth);
    }
    fn cwnd(&mut self, now: Instant, end: End, octets: u32) {
        self.0.cwnd(now, end, octets);
        self.1.cwnd(now, end, octets);
    }
    fn packet(&mut self, now: Instant, end: End, into: bool, packet: &[u8]) {
        self.0.packet(now, end, into, packet);
        self.1.packet(now, end, into, packet);
    }
    fn dropped(&mut self, now: Instant, at: DropPoint, octets: u32) {
        self.0.dropped(now, at, octets);
        self.1.dropped(now, at, octets);
    }
    fn heard(&mut self, now: Instant, station: StationId, frame: &[u8], info: &RxInfo) {
        self.0.heard(now, station, frame, info);
        self.1.heard(now, station, frame, info);
    }
}
