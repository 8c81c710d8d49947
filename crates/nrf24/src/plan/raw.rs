//! Rules of raw frames.

use alloc::format;

use airtime_keys::{Fault, Key};
use airtime_net::traffic::{Direction, Traffic};

use super::keys::Radio;
use super::scenario::Scenario;
use crate::air::PAYLOAD_MAX;

/// Refuses frames that no radio carries, and traffic that a program with one radio has no use for.
pub fn frames(scenario: &Scenario) -> Result<(), Fault> {
    if !scenario.is_raw() {
        return Ok(());
    }
    let traffic = &scenario.traffic;
    let payload = usize::from(traffic.payload.unwrap_or(0));
    if payload > PAYLOAD_MAX {
        let what = format!("`traffic.payload`: {payload} does not fit a raw frame, which has {PAYLOAD_MAX} at most");
        return Err(Fault::new(what).allowing("1 to 32").about([Traffic::PAYLOAD, Traffic::KIND]));
    }
    if traffic.direction == Direction::Both {
        let fault = Fault::new("`traffic.direction`: a program of raw frames either sends or listens");
        return Err(fault.allowing("\"up\", \"down\"").about([Traffic::DIRECTION, Traffic::KIND]));
    }
    if scenario.radio.serial.is_some() && traffic.offered.is_some() {
        let fault = Fault::new("`nrf24.serial` and `traffic.offered`: frames come from the serial port or by a timer");
        return Err(fault.about([Radio::SERIAL, Traffic::OFFERED]));
    }
    let unused: [(bool, &'static Key, &str); 3] = [
        (traffic.flows > 1, Traffic::FLOWS, "raw frames are one flow"),
        (traffic.ping.is_some(), Traffic::PING, "an echo request is IP, and raw frames have none"),
        (traffic.size.is_some(), Traffic::SIZE, "only a TCP transfer has a size; raw frames last as long as the run"),
    ];
    match unused.into_iter().find(|(asked, ..)| *asked) {
        Some((_, key, why)) => Err(Fault::new(format!("`{}`: {why}", key.name)).about([key, Traffic::KIND])),
        None => Ok(()),
    }
}
