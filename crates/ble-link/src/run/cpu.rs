//! CPUs of images that were executed as hosts.

use super::outcome::Outcome;
use crate::plan::{CLOCK, Program, Scenario};
use crate::station::EitherStation;

/// Ends by their names in plans.
const CENTRAL: &str = "central";
const PERIPHERAL: &str = "peripheral";

/// CPU of an end whose host is an image: its work in the steady state, and the reason that it stopped, if it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// End that it is of, as plans and records name it.
    pub end: &'static str,
    /// Instructions executed.
    pub instructions: u64,
    /// Cycles in which it executed.
    pub busy: u64,
    /// Cycles in which it waited for an interrupt.
    pub asleep: u64,
    /// Interrupts taken.
    pub interrupts: u64,
    /// Reason for which it went no further.
    pub fault: Option<String>,
}

impl Cpu {
    /// CPUs of these devices since their reset, of which the first is the central.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn all<'a>(stations: impl Iterator<Item = &'a EitherStation>) -> Vec<Self> {
        let of = |(index, station): (usize, &EitherStation)| {
            let executed = station.executed()?;
            let airtime_interpreted::Account { instructions, busy, asleep, interrupts } = executed.account();
            let end = if index == 0 { CENTRAL } else { PERIPHERAL };
            let fault = executed.fault().map(|fault| fault.to_string());
            Some(Self { end, instructions, busy, asleep, interrupts, fault })
        };
        stations.enumerate().filter_map(of).collect()
    }

    /// None: nothing is executed there.
    #[cfg(target_family = "wasm")]
    pub(super) fn all<'a>(_: impl Iterator<Item = &'a EitherStation>) -> Vec<Self> {
        Vec::new()
    }

    /// Its work since it was `then`.
    pub(super) fn since(&self, then: &Self) -> Self {
        Self {
            instructions: self.instructions - then.instructions,
            busy: self.busy - then.busy,
            asleep: self.asleep - then.asleep,
            interrupts: self.interrupts - then.interrupts,
            ..self.clone()
        }
    }

    /// Share of its cycles in which it executed, 0..=1.
    pub fn load(&self) -> f64 {
        self.busy as f64 / (self.busy + self.asleep).max(1) as f64
    }

    /// Counts by their names in records.
    pub(super) fn named(&self) -> impl Iterator<Item = (String, u64)> {
        let Self { instructions, busy, asleep, interrupts, .. } = *self;
        let end = self.end;
        [("instructions", instructions), ("cycles", busy), ("cycles_asleep", asleep), ("interrupts", interrupts)]
            .into_iter()
            .map(move |(name, count)| (format!("cpu.{end}.{name}"), count))
    }
}

/// Sentence about a link that waits for its sender's host.
pub(super) fn late(cpus: &[Cpu], scenario: &Scenario) -> String {
    let (end, clock) = match scenario.connection.direction.peripheral_sends() {
        true => (PERIPHERAL, scenario.advertiser.host_clock),
        false => (CENTRAL, scenario.initiator.host_clock),
    };
    match cpus.iter().find(|cpu| cpu.end == end) {
        Some(cpu) => format!(
            "the sender's image hands over data too late: its CPU executes {:.0} % of the time at {}",
            100.0 * cpu.load(),
            clock.unwrap_or(CLOCK)
        ),
        None => "the sender's host hands over data too late".into(),
    }
}

/// Sentence about an image that stopped, or that is not what its plan says: the first difference between what the plan has and what
/// it did.
pub(super) fn trouble(outcome: &Outcome, scenario: &Scenario) -> Option<String> {
    if let Some((end, fault)) = outcome.cpus.iter().find_map(|cpu| Some((cpu.end, cpu.fault.as_ref()?))) {
        return Some(format!("the {end}'s image stopped: {fault}"));
    }
    let ends = [(&scenario.central, 0), (&scenario.peripheral, 1)];
    let images = ends.into_iter().filter(|(device, _)| matches!(device.program, Program::Firmware(_)));
    let payload = u64::from(scenario.payload());
    images.filter_map(|(_, way)| outcome.traffic.first().map(|both| both[way])).find_map(|sent| {
        let (octets, units) = (sent.octets, sent.sdus);
        (octets != units * payload).then(|| {
            format!(
                "the image sends {:.0} octets at a time, and the plan says {payload}",
                octets as f64 / units.max(1) as f64
            )
        })
    })
}
