//! Faster machines, which nobody can turn: the same point on a machine that takes half the time for a frame. No remedy,
//! but it tells how much of the goodput a stage costs.

use crate::plan::Point;
use crate::record::{Record, error_pct};

/// A point on another machine, not yet run.
#[derive(Clone, Debug)]
pub struct Faster {
    /// Part that is faster, with its time.
    pub what: String,
    /// The point there.
    pub point: Point,
}

/// `point` on machines one stage of which takes half as long for a frame; none where its link has no such stages.
pub fn faster(point: &Point) -> Vec<Faster> {
    let on = |(what, link)| {
        let mut point = point.clone();
        point.scenario.link = link;
        // As with changes, the middle of what nobody logged tells enough.
        point.unlogged.clear();
        Faster { what, point }
    };
    point.scenario.faster().into_iter().map(on).collect()
}

/// Sentence on the gain of the faster machine over `base`.
pub fn sentence(faster: &Faster, base: &Record, record: &Record) -> String {
    let kbps = record.goodput_kbps.median;
    let gain = error_pct(kbps, base.goodput_kbps.median).map(|gain| format!(", {gain:+.1} %")).unwrap_or_default();
    format!("half of {} would give {kbps:.1} kbps{gain}", faster.what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;
    use crate::plan::Plan;
    use crate::record::Goodput;
    use airtime_wifi::plan::Scenario;

    fn of(text: &str) -> Vec<Faster> {
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        faster(&plan.point(0).unwrap())
    }

    #[test]
    fn each_stage_of_a_chain_is_halved_alone() {
        let found = of("link = \"wifi-hosted\"\n");
        assert_eq!(found.len(), 3);
        let costs = |index: usize| found[index].point.scenario.of::<Scenario>().unwrap().costs();
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
