//! Faster machines, which nobody can turn: the same point on a machine that takes half the time for a frame. No remedy,
//! but it tells how much of the goodput a stage costs.

use airtime_core::Duration;
use airtime_wifi::plan::Scenario;

use crate::plan::Point;
use crate::plan::scenario::AnyLink;
use crate::record::{Record, error_pct};

/// A point on another machine, not yet run.
#[derive(Clone, Debug)]
pub struct Faster {
    /// Part that is faster, with its time.
    pub what: String,
    /// The point there.
    pub point: Point,
}

/// `point` on machines one stage of which takes half as long for a frame; none for links whose plans name such times, and for
/// the air alone.
pub fn faster(point: &Point) -> Vec<Faster> {
    STAGES.iter().filter_map(|(name, halve)| of_stage(point, name, *halve)).collect()
}

/// Sentence on the gain of the faster machine over `base`.
pub fn sentence(faster: &Faster, base: &Record, record: &Record) -> String {
    let kbps = record.goodput_kbps.median;
    let gain = error_pct(kbps, base.goodput_kbps.median).map(|gain| format!(", {gain:+.1} %")).unwrap_or_default();
    format!("half of {} would give {kbps:.1} kbps{gain}", faster.what)
}

/// Halves the time of a stage; what it was.
type Halve = fn(&mut Scenario) -> Duration;

const STAGES: [(&str, Halve); 3] = [
    ("the co-processor's CPU time per frame", coprocessor),
    ("the host's time per frame at the bus", bus),
    ("the host's CPU time per call and segment", stack),
];

fn of_stage(point: &Point, name: &str, halve: Halve) -> Option<Faster> {
    let mut point = point.clone();
    let AnyLink::Wifi(scenario) = &mut point.scenario.link else { return None };
    scenario.chips()?;
    let was = halve(scenario);
    // As with changes, the middle of what nobody logged tells enough.
    point.unlogged.clear();
    (!was.is_zero()).then(|| Faster { what: format!("{name} ({was})"), point })
}

fn coprocessor(scenario: &mut Scenario) -> Duration {
    let chip = &mut scenario.chain.coprocessor;
    halved([&mut chip.to_air, &mut chip.from_air])
}

fn bus(scenario: &mut Scenario) -> Duration {
    let bus = &mut scenario.hosted;
    halved([&mut bus.write_frame, &mut bus.read_frame].into_iter().flatten())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;
    use crate::plan::Plan;
    use crate::record::Goodput;

    fn of(text: &str) -> Vec<Faster> {
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        faster(&plan.point(0).unwrap())
    }

    #[test]
    fn each_stage_of_a_chain_is_halved_alone() {
        let found = of("link = \"wifi-hosted\"\n");
        assert_eq!(found.len(), 3);
        let costs = |index: usize| found[index].point.scenario.wifi().unwrap().costs();
        assert_eq!(costs(0).to_air * 2, costs(1).to_air);
        assert_eq!(costs(0).write_frame, costs(2).write_frame);
        assert!(costs(1).write_frame < costs(0).write_frame);
        let goodput = |kbps: f64| Record {
            goodput_kbps: Goodput { median: kbps, low: kbps, high: kbps, runs: 1 },
            ..Record::default()
        };
        assert_eq!(
            sentence(&found[0], &goodput(20_000.0), &goodput(25_000.0)),
            "half of the co-processor's CPU time per frame (235.2us) would give 25000.0 kbps, +25.0 %"
        );
    }

    #[test]
    fn neither_changes_nor_machines_are_run_at_the_corners() {
        let text = "link = \"wifi-hosted\"\n[unlogged]\n\"path.rtt\" = [\"1ms\", \"2ms\", \"5ms\"]\n\
                    [[row]]\nid = \"x\"\nmeasured = { value = 1, unit = \"Mbps\" }\nunlogged = [\"path.rtt\"]\n";
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let point = plan.point(0).unwrap();
        assert_eq!(point.unlogged.len(), 1);
        let changes = crate::explain::candidates(&plan, &point);
        let machines = faster(&point);
        assert!(changes.len() > 20 && machines.len() == 3);
        let mut points = changes.iter().map(|change| &change.point).chain(machines.iter().map(|faster| &faster.point));
        assert!(points.all(|point| point.unlogged.is_empty()));
    }

    #[test]
    fn the_air_alone_and_other_links_have_no_such_stages() {
        assert!(of("link = \"wifi-hosted\"\nhosted.bus = \"none\"\n").is_empty());
        assert!(of("link = \"nrf24-ip\"\n").is_empty());
    }
}
