//! What every test of whole runs needs: a plan in one line.

use airtime_ble_link::plan::Scenario;
use airtime_ble_link::run::{Outcome, run};
use airtime_lab::{Library, Plan, Point};

/// The plan with these keys, and its only point.
pub fn plan(set: &[(&str, &str)]) -> (Plan, Point) {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let plan = Plan::parse("test", "", &Library::builtin(), &set).unwrap_or_else(|error| panic!("{error}"));
    let point = plan.point(0).expect("a plan has a point");
    (plan, point)
}

/// The Bluetooth LE link of a point.
#[allow(dead_code)] // Not every test binary looks at it.
pub fn ble(point: &Point) -> &Scenario {
    point.scenario.of::<airtime_ble_link::plan::Scenario>().expect("it is a Bluetooth LE link")
}

/// What one run of the plan with these keys comes to, with the plan's own seed.
#[allow(dead_code)] // Not every test binary runs one.
pub fn outcome(set: &[(&str, &str)]) -> Outcome {
    let (_, point) = plan(set);
    run(ble(&point), point.scenario.run().seed)
}

/// Record of the plan with these keys.
#[allow(dead_code)] // Not every test binary makes one.
pub fn record(set: &[(&str, &str)]) -> airtime_lab::Record {
    let (plan, point) = plan(set);
    airtime_lab::run::record(&plan, &point)
}

/// Words with which a plan of these keys is refused.
#[allow(dead_code)] // Not every test binary has one that cannot be.
pub fn refused(set: &[(&str, &str)]) -> String {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    Plan::parse("x", "", &Library::builtin(), &set).expect_err("it is impossible").to_string()
}
