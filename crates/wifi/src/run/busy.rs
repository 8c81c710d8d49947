//! Busy time of each stage in the steady state: the limit where the books of the air cannot say it, because a stage
//! that is always busy may still feed the air often enough that it is never idle.

use crate::ledger::Account;
use crate::trace::{Activity, Feed, Stage};
use airtime_core::ledger::{Account as _, Ledger};
use airtime_core::{Duration, Instant};

/// Counters of records, in ns: the air with the contention for it.
pub const AIR: &str = "busy.air_ns";
/// The co-processor's CPU with frames of both directions.
pub const COPROCESSOR: &str = "busy.coprocessor_ns";
/// The SDIO bus with the task that holds its mutex, or that makes a frame ready for it, without its looks for credits.
pub const BUS: &str = "busy.bus_ns";
/// Calls and stack of the host, while the next packet waits for nothing else.
pub const HOST_CPU: &str = "busy.host_cpu_ns";

/// Bus and host by what the trace says of their stages.
#[derive(Clone, Debug, Default)]
pub struct Busy {
    bus: Meter,
    host: Meter,
    /// Somebody holds the bus, and works or reads.
    held: Option<bool>,
    /// Frames wait in front of it.
    queued: bool,
}

impl Busy {
    /// A stage does something else from now on.
    pub fn stage(&mut self, now: Instant, stage: Stage, activity: Activity) {
        match stage {
            Stage::Bus => {
                let works = matches!(activity, Activity::Working | Activity::Reading | Activity::Full);
                self.held = (activity != Activity::Starved).then_some(works);
            }
            Stage::HostQueue => self.queued = activity == Activity::Working,
            Stage::Stack => return self.host.set(now, activity == Activity::Waits(Feed::Cpu)),
            _ => return,
        }
        // A frame that waits while nobody holds the bus is being made ready.
        self.bus.set(now, self.held.unwrap_or(self.queued));
    }

    /// Bus and host up to `now`, since the start of the run.
    pub fn until(&self, now: Instant) -> [(&'static str, Duration); 2] {
        [(BUS, self.bus.until(now)), (HOST_CPU, self.host.until(now))]
    }
}

/// The time for which something was at work.
#[derive(Clone, Debug, Default)]
struct Meter {
    total: Duration,
    since: Option<Instant>,
}

impl Meter {
    fn set(&mut self, now: Instant, works: bool) {
        self.total = self.until(now);
        self.since = works.then_some(now);
    }

    fn until(&self, now: Instant) -> Duration {
        self.since.map_or(self.total, |since| self.total + now.saturating_since(since))
    }
}

/// The time for which the air was not idle: contention for it is use.
pub fn air(ledger: &Ledger<Account>) -> Duration {
    let used =
        ledger.entries().filter(|(account, _)| *account != Account::Setup && !account.name().starts_with("idle."));
    used.fold(Duration::ZERO, |sum, (_, time)| sum + time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_busy_from_the_note_that_says_so_to_the_next() {
        let at = |us| Instant::ZERO + Duration::from_micros(us);
        let mut busy = Busy::default();
        busy.stage(at(10), Stage::Bus, Activity::Working);
        busy.stage(at(15), Stage::Bus, Activity::Credits);
        busy.stage(at(20), Stage::Bus, Activity::Reading);
        busy.stage(at(5), Stage::Stack, Activity::Waits(Feed::Cpu));
        busy.stage(at(9), Stage::Stack, Activity::Waits(Feed::Window));
        let us = Duration::from_micros;
        assert_eq!(busy.until(at(22)), [(BUS, us(7)), (HOST_CPU, us(4))]);
        assert_eq!(busy.until(at(30)), [(BUS, us(15)), (HOST_CPU, us(4))]);
    }

    #[test]
    fn a_frame_keeps_the_bus_busy_while_it_is_made_ready_and_not_while_it_waits_for_credits() {
        let at = |us| Instant::ZERO + Duration::from_micros(us);
        let mut busy = Busy::default();
        busy.stage(at(10), Stage::HostQueue, Activity::Working);
        busy.stage(at(14), Stage::Bus, Activity::Working);
        busy.stage(at(20), Stage::Bus, Activity::Credits);
        busy.stage(at(50), Stage::Bus, Activity::Starved);
        busy.stage(at(53), Stage::HostQueue, Activity::Starved);
        assert_eq!(busy.until(at(90))[0], (BUS, Duration::from_micros(13)));
    }
}
