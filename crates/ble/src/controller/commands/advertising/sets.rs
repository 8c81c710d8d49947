//! Advertising sets: which there are, and which advertise. Core 6.0, Vol 4, Part E, 7.8.52 to 7.8.60.

use alloc::vec::Vec;

use airtime_core::Duration;
use airtime_core::random::{Stream, stream};

use super::running::Running;
use super::set::{DATA_OCTETS_MAX, Data, Fragment, Set, Which};
use super::{defaults, parameters};
use crate::controller::Holder;
use crate::controller::commands::effect::Effect;
use crate::controller::commands::{Answer, Call, need};
use crate::hci::Status;
use crate::ll::advertising::{Advertiser, Kind, Limits, Parameters};
use crate::ll::identity::Identities;
use crate::personality;
use crate::words::Address;

/// Sets a controller holds. The specification leaves the number open; assumed.
const SETS_MAX: u8 = 4;
/// One unit of durations.
const UNIT_10_MS: Duration = Duration::from_millis(10);
/// Longest duration of high duty cycle directed advertising, in units of 10 ms.
const HIGH_DUTY_DURATION_MAX: u16 = 128;

/// The advertising sets that the host has made.
#[derive(Debug, Default)]
pub(super) struct Sets(pub(super) Vec<Set>);

impl Sets {
    fn of(&mut self, handle: u8) -> Result<&mut Set, Status> {
        self.0.iter_mut().find(|set| set.handle == handle).ok_or(Status::UNKNOWN_ADVERTISING_IDENTIFIER)
    }
}

/// Advertising sets as the host's commands meet them.
pub(in crate::controller) struct Commands<'a> {
    pub(super) sets: &'a mut Sets,
    pub(super) running: &'a mut Running,
    pub(super) identities: &'a mut Identities,
    pub(super) numbers: &'a mut Stream,
    pub(super) personality: &'a personality::Controller,
}

impl Commands<'_> {
    pub fn set_parameters(&mut self, call: &mut Call<'_>) -> Answer {
        let fresh = |handle| Parameters { set: Some(handle), ..defaults(self.personality.csa2) };
        let (handle, parameters) = parameters::read(call, self.personality, |handle| {
            let old = self.sets.0.iter().find(|set| set.handle == handle);
            old.map_or_else(|| fresh(handle), |set| set.parameters.clone())
        })?;
        if self.running.has(Some(handle)) {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let sets = &mut self.sets.0;
        let index = match sets.iter().position(|set| set.handle == handle) {
            Some(index) => index,
            None if sets.len() >= usize::from(SETS_MAX) => return Err(Status::MEMORY_EXCEEDED),
            None => {
                sets.push(Set {
                    handle,
                    parameters: parameters.clone(),
                    data: Data::default(),
                    response: Data::default(),
                });
                sets.len() - 1
            }
        };
        let set = &mut sets[index];
        set.parameters = parameters;
        if !set.fits() {
            return Err(Status::INVALID_PARAMETERS);
        }
        call.returns.put_u8(parameters::TX_POWER_DBM as u8);
        Ok(())
    }

    pub fn set_random_address(&mut self, call: &mut Call<'_>) -> Answer {
        let handle = need(call.r.u8())?;
        let address: Address = need(call.r.array())?;
        call.end()?;
        let set = self.sets.of(handle)?;
        if let Some(advertiser) = self.running.of(Some(handle)) {
            if advertiser.parameters().kind.is_connectable() {
                return Err(Status::COMMAND_DISALLOWED);
            }
            advertiser.parameters_mut().random = Some(address);
        }
        set.parameters.random = Some(address);
        Ok(())
    }

    pub fn set_data(&mut self, call: &mut Call<'_>) -> Answer {
        self.take_data(call, Which::Advertising)
    }

    pub fn set_response(&mut self, call: &mut Call<'_>) -> Answer {
        self.take_data(call, Which::Response)
    }

    fn take_data(&mut self, call: &mut Call<'_>, which: Which) -> Answer {
        let handle = need(call.r.u8())?;
        let fragment = need(call.r.u8().and_then(Fragment::from_hci))?;
        let _preference = need(call.r.u8())?;
        let len = need(call.r.u8())?;
        let part = need(call.r.take(len.into()))?;
        call.end()?;
        let set = self.sets.of(handle)?;
        let advertiser = self.running.of(Some(handle));
        set.take_data(which, fragment, part, advertiser.is_some())?;
        if let Some(advertiser) = advertiser {
            let parameters = advertiser.parameters_mut();
            parameters.kind = set.parameters.kind;
            (parameters.data, parameters.response) = (set.data.octets.clone(), set.response.octets.clone());
        }
        Ok(())
    }

    pub fn enable(&mut self, call: &mut Call<'_>) -> Answer {
        let (enable, count) = (need(call.r.u8())?, need(call.r.u8())?);
        let mut asked = Vec::new();
        for _ in 0..count {
            let (handle, duration, events) = (need(call.r.u8())?, need(call.r.u16())?, need(call.r.u8())?);
            if asked.iter().any(|(other, _)| *other == handle) {
                return Err(Status::INVALID_PARAMETERS);
            }
            asked.push((handle, (duration, events)));
        }
        call.end()?;
        match (enable, count) {
            (0, 0) => {
                let all: Vec<_> = self.sets.0.iter().map(|set| set.handle).collect();
                all.into_iter().for_each(|handle| self.stop(call, handle));
            }
            (0, _) => {
                for (handle, _) in &asked {
                    self.sets.of(*handle)?;
                }
                asked.into_iter().for_each(|(handle, _)| self.stop(call, handle));
            }
            (1, 1..) => {
                let mut ready = Vec::new();
                for (handle, limits) in asked {
                    ready.push((handle, self.ready(call, handle, limits)?));
                }
                for (handle, advertiser) in ready {
                    self.stop(call, handle);
                    self.running.start(advertiser);
                }
            }
            _ => return Err(Status::INVALID_PARAMETERS),
        }
        Ok(())
    }

    fn stop(&mut self, call: &mut Call<'_>, handle: u8) {
        if self.running.stop(Some(handle)) {
            call.ahead = Some(Effect::Release(Holder::Advertiser));
        }
    }

    /// An advertiser for a set, if the set is complete.
    fn ready(&mut self, call: &Call<'_>, handle: u8, (duration, events): (u16, u8)) -> Result<Advertiser, Status> {
        let set = self.sets.of(handle)?;
        if !set.is_complete() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let endless = duration == 0 || duration > HIGH_DUTY_DURATION_MAX;
        if set.parameters.kind == Kind::HighDutyDirected && endless {
            return Err(Status::INVALID_PARAMETERS);
        }
        let (data, response) = (set.data.octets.clone(), set.response.octets.clone());
        let parameters = Parameters { data, response, ..set.parameters.clone() };
        let own = self.identities.own(call.now, parameters.own, parameters.random, Some(parameters.peer));
        let own = need(own)?;
        let limits = Limits {
            duration: (duration > 0).then(|| UNIT_10_MS * u64::from(duration)),
            events: (events > 0).then_some(events),
        };
        let delay = stream(self.numbers.bits(), "controller/set");
        Ok(Advertiser::new(parameters, limits, own, delay, call.now))
    }

    pub fn read_maximum_data(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u16(DATA_OCTETS_MAX);
        Ok(())
    }

    pub fn read_number(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u8(SETS_MAX);
        Ok(())
    }

    pub fn remove(&mut self, call: &mut Call<'_>) -> Answer {
        let handle = need(call.r.u8())?;
        call.end()?;
        self.sets.of(handle)?;
        if self.running.has(Some(handle)) {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.sets.0.retain(|set| set.handle != handle);
        Ok(())
    }

    pub fn clear(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        if !self.running.is_empty() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.sets.0.clear();
        Ok(())
    }
}
