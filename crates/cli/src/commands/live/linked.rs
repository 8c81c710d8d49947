//! Parts that live servers of IP links have in common: the plan, the namespaces, the lag.

use airtime_live::figures::Summary;
use airtime_live::ip::Namespaces;
use airtime_live::system::SystemError;

use crate::arguments::ChangeArguments;
use crate::catalog;
use crate::exit::Failure;
use crate::measure;
use crate::output;
use crate::request::Changes;
use crate::select::single;

/// Scenario of the one point of a plan of the link that has such scenarios; `expected` says which link that is, and names a
/// plan of it.
pub fn scenario<S: Clone + 'static>(plan: &str, changes: &ChangeArguments, expected: &str) -> Result<S, Failure> {
    let plans = measure::parse(&[catalog::find(plan, "")?], &Changes::of(changes)?)?;
    let selected = single(&plans, changes.point.as_deref(), "brought to life")?;
    let scenario = selected.point(&plans).scenario;
    scenario.of().cloned().ok_or_else(|| {
        let name = scenario.link();
        Failure::BadInput(format!("{plan}: it is a plan of {name}; expected one of {expected}"))
    })
}

/// Names the namespaces of the devices. Scripts wait for these lines, so they are said in any case.
pub fn say_where(namespaces: &Namespaces) {
    for device in namespaces.devices() {
        let namespace = device.namespace.as_deref().unwrap_or_default();
        output::say(&format!("namespace {namespace} {} {}", device.name, device.address.with_length()));
    }
}

/// Failure for an error of the machine, in the terms of this program.
pub fn refused(error: SystemError) -> Failure {
    if error.is_bad_input() { Failure::BadInput(error.to_string()) } else { Failure::Machine(error.to_string()) }
}

/// Remark on the server's lag, below a table of its ends.
pub fn lag_remark(lag: Option<&Summary>, steps: u64, elapsed_ns: u64) -> String {
    let lag = lag.map_or_else(
        || "nothing was due".to_owned(),
        |lag| format!("lag p50 {} us, p90 {} us, p99 {} us, max {} us", lag.p50_us, lag.p90_us, lag.p99_us, lag.max_us),
    );
    format!("{lag}; {steps} steps in {:.1} s", elapsed_ns as f64 / 1e9)
}
