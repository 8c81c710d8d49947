//! What every test of whole runs needs: a plan in one line.

use airtime_lab::run::{Outcome, run};
use airtime_lab::{Library, Plan, Point};

/// The plan with these keys, and its only point.
pub fn plan(set: &[(&str, &str)]) -> (Plan, Point) {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let plan = Plan::parse("test", "", &Library::builtin(), &set).unwrap_or_else(|error| panic!("{error}"));
    let point = plan.point(0).expect("a plan has a point");
    (plan, point)
}

/// What one run of the plan with these keys comes to, with the plan's own seed.
#[allow(dead_code)] // Not every test binary runs one.
pub fn outcome(set: &[(&str, &str)]) -> Outcome {
    let (_, point) = plan(set);
    run(&point.scenario, point.scenario.run.seed)
}
