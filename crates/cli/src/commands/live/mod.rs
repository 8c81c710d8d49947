//! `airtime live`: virtual radios, and hosts, in real time.

mod ble;
mod host;
#[cfg(target_os = "linux")]
mod linked;
#[cfg(target_os = "linux")]
mod nrf24;
mod rpc;
mod shared;
mod tables;
mod unmet;
#[cfg(target_os = "linux")]
mod wifi;

#[cfg(target_os = "linux")]
pub(super) use linked::refused;
#[cfg(target_os = "linux")]
pub(super) use nrf24::scenario;

#[cfg(not(target_os = "linux"))]
use super::elsewhere as nrf24;
#[cfg(not(target_os = "linux"))]
use super::elsewhere as wifi;
use airtime_core::Duration;
use airtime_lab::links::Link;
use airtime_live::Stopper;
use airtime_live::options::OptionError;

use crate::arguments::{ChangeArguments, LiveCommand, LiveTimeArguments};
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::measure;
use crate::request::{Changes, Manner};
use crate::select::single;

/// Carries out `command` in real time.
pub fn live(command: &LiveCommand, manner: Manner) -> Result<Exit, Failure> {
    match command {
        LiveCommand::Ble(arguments) => ble::ble(arguments, manner),
        LiveCommand::Host(arguments) => host::host(arguments, manner),
        LiveCommand::Rpc(arguments) => rpc::rpc(arguments, manner),
        LiveCommand::Nrf24(arguments) => nrf24::nrf24(arguments, manner),
        LiveCommand::Wifi(arguments) => wifi::wifi(arguments, manner),
    }
}

fn bad(error: OptionError) -> Failure {
    Failure::BadInput(error.to_string())
}

/// Scenario of the one point of a plan of `link`, of which `example` is one.
pub fn planned<S: Clone + 'static>(
    plan: &str,
    changes: &ChangeArguments,
    link: &dyn Link,
    example: &str,
) -> Result<S, Failure> {
    let plans = measure::parse(&[catalog::find(plan, "")?], &Changes::of(changes)?)?;
    let selected = single(&plans, changes.point.as_deref(), "brought to life")?;
    let scenario = selected.point(&plans)?.scenario;
    scenario.of().cloned().ok_or_else(|| {
        let name = scenario.link();
        let expected = link.names().join(", ");
        Failure::BadInput(format!("{plan}: it is a plan of {name}; expected one of {expected}, such as {example}"))
    })
}

/// Lets Ctrl-C and SIGTERM stop what goes on, once in good order and twice at once.
pub fn stop_on_signal(stopper: Stopper) -> Result<(), Failure> {
    let stop = move || {
        if !stopper.stop() {
            std::process::exit(Exit::Interrupted as i32);
        }
    };
    ctrlc::set_handler(stop).map_err(|error| Failure::Machine(format!("cannot listen for Ctrl-C: {error}")))
}

/// Calls `run` with one stretch of time after the other, and `tell` after each but the last.
pub(super) fn in_stretches<T>(
    time: &LiveTimeArguments,
    stopper: &Stopper,
    what: &mut T,
    mut run: impl FnMut(&mut T, Option<Duration>) -> Result<(), Failure>,
    mut tell: impl FnMut(&T),
) -> Result<Exit, Failure> {
    let mut left = time.length;
    loop {
        let stretch = time.every.into_iter().chain(left).min();
        run(what, stretch)?;
        left = left.map(|left| left.saturating_sub(stretch.unwrap_or_default()));
        if stopper.is_asked() {
            // What has no end of its own ends by being stopped.
            return Ok(if time.length.is_some() { Exit::Interrupted } else { Exit::Ok });
        }
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(Exit::Ok);
        }
        tell(what);
    }
}

/// A stretch of no time would be an endless loop of them.
pub(super) fn check_time(time: &LiveTimeArguments) -> Result<(), Failure> {
    match [("--for", time.length), ("--every", time.every)].into_iter().find(|(_, t)| *t == Some(Duration::ZERO)) {
        Some((option, _)) => Err(Failure::BadInput(format!("{option} 0: expected a time such as 10s"))),
        None => Ok(()),
    }
}
