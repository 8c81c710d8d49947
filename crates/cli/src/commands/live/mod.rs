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
#[cfg(target_os = "linux")]
mod wifi;

#[cfg(target_os = "linux")]
pub(super) use linked::refused;
#[cfg(target_os = "linux")]
pub(super) use nrf24::scenario;

#[cfg(not(target_os = "linux"))]
use super::unsupported as nrf24;
#[cfg(not(target_os = "linux"))]
use super::unsupported as wifi;
use std::time::Instant;

use airtime_core::Duration;
use airtime_live::Stopper;
use airtime_live::ble::options::OptionError;

use crate::arguments::live::{LiveCommand, LiveTimeArguments};
use crate::exit::{Exit, Failure};
use crate::request::Manner;

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

/// Calls `run` with one stretch of time after the other, and `tell` after each but the last.
pub(super) fn in_stretches<T>(
    time: &LiveTimeArguments,
    stopper: &Stopper,
    what: &mut T,
    run: impl FnMut(&mut T, Option<Duration>) -> Result<(), Failure>,
    tell: impl FnMut(&T),
) -> Result<Exit, Failure> {
    let began = Instant::now();
    // 64 bits of nanoseconds last for 584 years.
    let elapsed = || Duration::from_nanos(began.elapsed().as_nanos() as u64);
    let stopped = || stopper.is_asked();
    Stretches { time, elapsed: &elapsed, stopped: &stopped }.run(what, run, tell)
}

/// Stretches of time, by a clock: one in which the program was stopped is longer than it was to be, and counts as that.
struct Stretches<'a> {
    time: &'a LiveTimeArguments,
    elapsed: &'a dyn Fn() -> Duration,
    stopped: &'a dyn Fn() -> bool,
}

impl Stretches<'_> {
    fn run<T>(
        &self,
        what: &mut T,
        mut run: impl FnMut(&mut T, Option<Duration>) -> Result<(), Failure>,
        mut tell: impl FnMut(&T),
    ) -> Result<Exit, Failure> {
        loop {
            run(what, self.time.every.into_iter().chain(self.left()).min())?;
            if (self.stopped)() {
                // What has no end of its own ends by being stopped.
                return Ok(if self.time.length.is_some() { Exit::Interrupted } else { Exit::Ok });
            }
            if self.left().is_some_and(|left| left.is_zero()) {
                return Ok(Exit::Ok);
            }
            tell(what);
        }
    }

    /// Time that is left; none where there is no end.
    fn left(&self) -> Option<Duration> {
        self.time.length.map(|length| length.saturating_sub((self.elapsed)()))
    }
}

/// A stretch of no time would be an endless loop of them.
pub(super) fn check_time(time: &LiveTimeArguments) -> Result<(), Failure> {
    match [("--for", time.length), ("--every", time.every)].into_iter().find(|(_, t)| *t == Some(Duration::ZERO)) {
        Some((option, _)) => Err(Failure::BadInput(format!("{option} 0: expected a time such as 10s"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn time_in_which_the_program_was_stopped_counts() {
        const SECOND: Duration = Duration::from_secs(1);
        let time = LiveTimeArguments { length: Some(SECOND * 20), every: Some(SECOND) };
        let clock = Cell::new(Duration::ZERO);
        let stretches = Stretches { time: &time, elapsed: &|| clock.get(), stopped: &|| false };
        let mut ran = Vec::new();
        // In its third stretch it is stopped for 6.5 s.
        let run = |ran: &mut Vec<Duration>, stretch: Option<Duration>| {
            ran.push(stretch.unwrap());
            let stopped = if ran.len() == 3 { Duration::from_millis(6_500) } else { Duration::ZERO };
            clock.set(clock.get() + stretch.unwrap() + stopped);
            Ok(())
        };
        assert_eq!(stretches.run(&mut ran, run, |_| {}).unwrap(), Exit::Ok);
        assert_eq!((clock.get(), ran.len()), (SECOND * 20, 14));
        assert_eq!(ran[13], Duration::from_millis(500), "the last is what is left");
    }
}
