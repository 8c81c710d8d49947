//! Keys of connection subrating: of so many connection events one is used.

use airtime_ble::host::SubrateTerms;
use airtime_ble::words::Role;
use airtime_core::Duration;
use airtime_keys::{Fault, Keys};

use super::device::{Device, Initiator};
use super::link::{Asker, Connection};
use super::scenario::Scenario;

/// Keys of connection subrating.
// Core 6.2, Vol 6, Part B, 4.5.1: factor 1 to 500, which is also the most of the factor times one more than the latency; a continuation
// number less than the factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "ble", context = Option<u16>)]
pub struct Subrate {
    /// Subrate factor, asked for as soon as there is a stream, and anew behind another interval: of so many connection events one is used.
    /// Absent: nothing is asked for.
    #[key(range = 1..=500, whose = CentralApplication, steps = [To(1), Half], mechanism = Interval, way = Less)]
    pub subrate_factor: Option<u16>,
    /// Continuation number: events behind one that carried something which are used as well, less than the factor.
    #[key(
        range = 0..=499, default = 0, whose = CentralApplication, steps = [To(1), Double], mechanism = Interval, way = More,
        when = Option::is_some
    )]
    pub continuation: u16,
    /// Peripheral latency then, in events that are used.
    #[key(
        range = 0..=499, default = 0, whose = CentralApplication, steps = [To(0)], mechanism = Interval, way = Less,
        when = Option::is_some
    )]
    pub subrate_latency: u16,
    /// End that asks for it.
    #[key(default = "central", when = Option::is_some)]
    pub subrate_by: Asker,
}

impl Subrate {
    /// Terms that `role` asks for, if it is the one.
    pub(crate) fn asked(&self, role: Role, supervision_timeout: Duration) -> Option<SubrateTerms> {
        self.terms(supervision_timeout).filter(|_| Role::from(self.subrate_by) == role)
    }

    /// Terms that are asked for.
    pub(crate) fn terms(&self, supervision_timeout: Duration) -> Option<SubrateTerms> {
        let Self { subrate_factor, continuation, subrate_latency: latency, .. } = *self;
        subrate_factor.map(|factor| SubrateTerms { factor, latency, continuation, supervision_timeout })
    }

    /// Intervals from one event at which both ends listen to the next.
    pub(super) fn events(&self) -> u64 {
        self.subrate_factor.map_or(1, |factor| u64::from(factor) * (u64::from(self.subrate_latency) + 1))
    }
}

/// Most events of a turn. Core 6.2, Vol 6, Part B, 4.5.1.
const EVENTS_MAX: u64 = 500;

/// Subrating between two controllers that can.
pub(super) fn check(scenario: &Scenario) -> Result<(), Fault> {
    let subrate = &scenario.subrate;
    let Some(factor) = subrate.subrate_factor else { return Ok(()) };
    let key = Subrate::SUBRATE_FACTOR;
    for device in [&scenario.central, &scenario.peripheral] {
        if !device.program.is_model() {
            let what = format!("`{}` needs the lab's own host at both ends", key.name);
            return Err(Fault::new(what).about([key, Initiator::HOST]));
        }
        if !able(device) {
            let what = format!("`{}`: `{}` has no connection subrating", key.name, device.name);
            return Err(Fault::new(what).about([key]));
        }
    }
    if subrate.continuation >= factor {
        let what = format!("`{}`: {} is not less than the factor", Subrate::CONTINUATION.name, subrate.continuation);
        let fault = Fault::new(what).allowing(format!("0 to {}", factor - 1));
        return Err(fault.about([Subrate::CONTINUATION, key]));
    }
    let events = subrate.events();
    if events > EVENTS_MAX {
        let what = format!("`{}`: with the latency it is one of {events} events", key.name);
        return Err(Fault::new(what)
            .allowing(format!("one of {EVENTS_MAX} at most"))
            .about([key, Subrate::SUBRATE_LATENCY]));
    }
    let needed = scenario.conn_interval() * 2 * events;
    let timeout = scenario.supervision_timeout();
    if timeout <= needed {
        let what =
            format!("`{}`: {timeout} is not more than two turns, {needed}", Connection::SUPERVISION_TIMEOUT.name);
        let fault = Fault::new(what).allowing(format!("more than {needed}, up to 32s"));
        return Err(fault.about([Connection::SUPERVISION_TIMEOUT, key, Subrate::SUBRATE_LATENCY]));
    }
    Ok(())
}

/// Tells if the controller of `device` can: one that cuts its events is not modelled with it.
fn able(device: &Device) -> bool {
    device.controller.subrating && device.controller.prepare_lead.is_none()
}
