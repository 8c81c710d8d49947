//! Advertising: what the host has set up, by commands of either generation, and the advertisers that are at work.

pub(super) mod legacy;
mod parameters;
mod running;
mod set;
pub(super) mod sets;
#[cfg(test)]
mod shown;

use alloc::vec::Vec;

use airtime_core::Duration;
use airtime_core::random::Stream;

use crate::ll::address::{DeviceAddress, OwnAddress};
use crate::ll::advertising::{Filter, Kind, Parameters};
use crate::ll::identity::Identities;
use crate::personality;
use crate::words::Address;

use running::Running;
use sets::Sets;

/// One unit of advertising and scan intervals.
pub(super) const UNIT_625_US: Duration = Duration::from_micros(625);

/// Advertising of one controller.
#[derive(Debug)]
pub struct Advertising {
    /// Parameters of legacy commands; data and response ride along.
    legacy: Parameters,
    sets: Sets,
    running: Running,
}

impl Advertising {
    /// Advertising after a reset: nothing set up, nothing at work.
    pub fn new(personality: &personality::Controller) -> Self {
        Self { legacy: defaults(personality.csa2), sets: Sets::default(), running: Running::default() }
    }

    /// The advertisers at work.
    pub fn running(&self) -> &Running {
        &self.running
    }

    /// The advertisers at work, which take turns on the radio.
    pub fn running_mut(&mut self) -> &mut Running {
        &mut self.running
    }

    /// Legacy commands; `delay` is where advertising delays are drawn from.
    pub(super) fn legacy<'a>(&'a mut self, identities: &'a mut Identities, delay: &'a Stream) -> legacy::Commands<'a> {
        legacy::Commands { parameters: &mut self.legacy, running: &mut self.running, identities, delay }
    }

    /// Commands of advertising sets; each start of one draws a number.
    pub(super) fn sets<'a>(
        &'a mut self,
        identities: &'a mut Identities,
        numbers: &'a mut Stream,
        personality: &'a personality::Controller,
    ) -> sets::Commands<'a> {
        sets::Commands { sets: &mut self.sets, running: &mut self.running, identities, numbers, personality }
    }
}

/// Parameters after a reset. Core 6.0, Vol 4, Part E, 7.8.5.
fn defaults(csa2: bool) -> Parameters {
    Parameters {
        interval: Duration::from_micros(1_280_000),
        set: None,
        notify: false,
        kind: Kind::Connectable,
        channels: 0b111,
        own: OwnAddress::Public,
        random: None,
        peer: DeviceAddress::public(Address::default()),
        filter: Filter::default(),
        data: Vec::new(),
        response: Vec::new(),
        csa2,
    }
}
