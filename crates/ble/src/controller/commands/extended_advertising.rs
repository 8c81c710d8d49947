//! Advertising sets: which there are, and which advertise. Core 6.0, Vol 4, Part E, 7.8.52 and 7.8.56 to 7.8.60.

use alloc::vec::Vec;

use airtime_core::Duration;
use airtime_core::random::stream;

use super::{Answer, Call, need};
use crate::controller::Controller;
use crate::controller::sets::{DATA_OCTETS_MAX, SETS_MAX, Set};
use crate::hci::Status;
use crate::ll::advertising::{Advertiser, Kind, Limits};
use crate::words::Address;

/// One unit of durations.
const UNIT_10_MS: Duration = Duration::from_millis(10);
/// Longest duration of high duty cycle directed advertising, in units of 10 ms.
const HIGH_DUTY_DURATION_MAX: u16 = 128;

impl Controller {
    pub(super) fn set(&mut self, handle: u8) -> Result<&mut Set, Status> {
        let set = self.settings.sets.iter_mut().find(|set| set.handle == handle);
        set.ok_or(Status::UNKNOWN_ADVERTISING_IDENTIFIER)
    }

    /// The running advertiser of a set.
    pub(super) fn running(&mut self, handle: u8) -> Option<&mut Advertiser> {
        self.advertisers.iter_mut().find(|advertiser| advertiser.parameters().set == Some(handle))
    }

    pub(super) fn set_random_address_of_set(&mut self, call: &mut Call<'_>) -> Answer {
        let handle = need(call.r.u8())?;
        let address: Address = need(call.r.array())?;
        call.end()?;
        self.set(handle)?;
        if let Some(advertiser) = self.running(handle) {
            if advertiser.parameters().kind.is_connectable() {
                return Err(Status::COMMAND_DISALLOWED);
            }
            advertiser.parameters_mut().random = Some(address);
        }
        self.set(handle)?.parameters.random = Some(address);
        Ok(())
    }

    pub(super) fn extended_advertising_enable(&mut self, call: &mut Call<'_>) -> Answer {
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
                let running = self.settings.sets.iter().map(|set| set.handle).collect::<Vec<_>>();
                running.into_iter().for_each(|handle| {
                    self.stop_advertiser(Some(handle));
                });
            }
            (0, _) => {
                for (handle, _) in &asked {
                    self.set(*handle)?;
                }
                for (handle, _) in asked {
                    self.stop_advertiser(Some(handle));
                }
            }
            (1, 1..) => {
                let mut ready = Vec::new();
                for (handle, limits) in asked {
                    ready.push(self.ready(call, handle, limits)?);
                }
                for advertiser in ready {
                    self.stop_advertiser(advertiser.parameters().set);
                    self.advertisers.push(advertiser);
                }
            }
            _ => return Err(Status::INVALID_PARAMETERS),
        }
        Ok(())
    }

    /// An advertiser for a set, if the set is complete.
    fn ready(&mut self, call: &Call<'_>, handle: u8, (duration, events): (u16, u8)) -> Result<Advertiser, Status> {
        let set = self.set(handle)?;
        let mut parameters = set.parameters.clone();
        let missing = matches!(parameters.kind, Kind::Extended(_))
            && parameters.kind.is_scannable()
            && set.response.octets.is_empty();
        if set.data.partial || set.response.partial || missing {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let endless = duration == 0 || duration > HIGH_DUTY_DURATION_MAX;
        if parameters.kind == Kind::HighDutyDirected && endless {
            return Err(Status::INVALID_PARAMETERS);
        }
        parameters.data = set.data.octets.clone();
        parameters.response = set.response.octets.clone();
        let own = self.identities.own(call.now, parameters.own, parameters.random, Some(parameters.peer));
        let own = need(own)?;
        let limits = Limits {
            duration: (duration > 0).then(|| UNIT_10_MS * u64::from(duration)),
            events: (events > 0).then_some(events),
        };
        let delay = stream(self.numbers.bits(), "controller/set");
        Ok(Advertiser::new(parameters, limits, own, delay, call.now))
    }

    pub(super) fn read_maximum_advertising_data(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u16(DATA_OCTETS_MAX);
        Ok(())
    }

    pub(super) fn read_number_of_sets(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u8(SETS_MAX);
        Ok(())
    }

    pub(super) fn remove_set(&mut self, call: &mut Call<'_>) -> Answer {
        let handle = need(call.r.u8())?;
        call.end()?;
        self.set(handle)?;
        if self.running(handle).is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.settings.sets.retain(|set| set.handle != handle);
        Ok(())
    }

    pub(super) fn clear_sets(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        if !self.advertisers.is_empty() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.settings.sets.clear();
        Ok(())
    }
}
