//! Faster machines: the same scenario where one stage takes half the time for a frame.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::Duration;

use super::Scenario;

/// Halves the time of a stage; what it was.
type Halve = fn(&mut Scenario) -> Duration;

const STAGES: [(&str, Halve); 3] = [
    ("the co-processor's CPU time per frame", coprocessor),
    ("the host's time per frame at the bus", bus),
    ("the host's CPU time per call and segment", stack),
];

impl Scenario {
    /// The scenario with each stage twice as fast, by what was halved; none for the air alone.
    pub fn faster(&self) -> Vec<(String, Self)> {
        if self.chips().is_none() {
            return Vec::new();
        }
        let halved = STAGES.iter().map(|(name, halve)| {
            let mut scenario = self.clone();
            let was = halve(&mut scenario);
            (*name, was, scenario)
        });
        let changed = halved.filter(|(_, was, _)| !was.is_zero());
        changed.map(|(name, was, scenario)| (format!("{name} ({was})"), scenario)).collect()
    }
}

fn coprocessor(scenario: &mut Scenario) -> Duration {
    let chip = &mut scenario.chain.coprocessor;
    halved([&mut chip.to_air, &mut chip.from_air])
}

fn bus(scenario: &mut Scenario) -> Duration {
    let (spi, half_duplex) = (scenario.is_spi(), scenario.is_half_duplex());
    let bus = &mut scenario.hosted;
    let beside = if spi { &mut bus.turn } else { &mut bus.read_frame };
    let command = half_duplex.then_some(&mut scenario.chain.bus.spi.command);
    halved([&mut bus.write_frame, beside].into_iter().flatten().chain(command))
}

fn stack(scenario: &mut Scenario) -> Duration {
    let costs = scenario.stack_costs();
    let host = &mut scenario.host;
    halved([&mut host.call, &mut host.segment, &mut host.kilooctet, &mut host.input].into_iter().flatten());
    costs.call + costs.segment
}

/// Halves all of `times`; the longest of them before.
fn halved<'a>(times: impl IntoIterator<Item = &'a mut Duration>) -> Duration {
    times.into_iter().fold(Duration::ZERO, |longest, time| {
        let was = *time;
        *time = was / 2;
        longest.max(was)
    })
}
