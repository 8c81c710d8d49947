//! Stages and queues as they were told last, so that only changes are told.

use airtime_core::Instant;

use super::observer::{End, Observer};
use crate::trace::{Activity, Queue, Stage};

/// Gauges as the observer knows them.
#[derive(Debug)]
pub(super) struct Gauges {
    stages: [Activity; Stage::ALL.len()],
    depths: [u32; Queue::ALL.len()],
    windows: [Option<u32>; 2],
}

impl Gauges {
    pub(super) fn new() -> Self {
        Self { stages: [Activity::Starved; Stage::ALL.len()], depths: [0; Queue::ALL.len()], windows: [None; 2] }
    }

    pub(super) fn stage(&mut self, now: Instant, stage: Stage, activity: Activity, observer: &mut impl Observer) {
        let known = &mut self.stages[stage as usize];
        if *known != activity {
            *known = activity;
            observer.stage(now, stage, activity);
        }
    }

    pub(super) fn depth(&mut self, now: Instant, queue: Queue, depth: usize, observer: &mut impl Observer) {
        let (known, depth) = (&mut self.depths[queue as usize], depth as u32);
        if *known != depth {
            *known = depth;
            observer.depth(now, queue, depth);
        }
    }

    pub(super) fn window(&mut self, now: Instant, end: End, octets: Option<u32>, observer: &mut impl Observer) {
        let known = &mut self.windows[end as usize];
        if *known != octets {
            *known = octets;
            observer.cwnd(now, end, octets.unwrap_or_default());
        }
    }
}
