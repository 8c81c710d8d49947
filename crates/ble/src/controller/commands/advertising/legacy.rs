//! Commands of legacy advertising. Core 6.0, Vol 4, Part E, 7.8.5 to 7.8.9.

use airtime_core::bytes::Reader;
use airtime_core::random::Stream;

use super::UNIT_625_US;
use super::running::Running;
use crate::controller::Holder;
use crate::controller::commands::effect::Effect;
use crate::controller::commands::{Answer, Call, need};
use crate::hci::Status;
use crate::ll::address::DeviceAddress;
use crate::ll::advertising::{Advertiser, Filter, Kind, Limits, Parameters};
use crate::ll::identity::Identities;

/// Legacy advertising as the host's commands meet it.
pub(in crate::controller) struct Commands<'a> {
    pub(super) parameters: &'a mut Parameters,
    pub(super) running: &'a mut Running,
    pub(super) identities: &'a mut Identities,
    pub(super) delay: &'a Stream,
}

impl Commands<'_> {
    pub fn set_parameters(&mut self, call: &mut Call<'_>) -> Answer {
        if !self.running.is_empty() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let (min, max) = (need(call.r.u16())?, need(call.r.u16())?);
        let kind = need(call.r.u8().and_then(Kind::from_hci))?;
        let own = call.own_address()?;
        let peer_kind = need(call.r.u8())?;
        let octets = need(call.r.array())?;
        let (channels, policy) = (need(call.r.u8())?, need(call.r.u8())?);
        call.end()?;
        // Interval and peer do not count where they are not used, and hosts leave anything there.
        let directed = kind.is_directed();
        let peer = DeviceAddress::of(peer_kind & 1 == 1, octets);
        let good = kind == Kind::HighDutyDirected || ((0x20..=0x4000).contains(&min) && min <= max && max <= 0x4000);
        if !good || channels & 0b111 == 0 || policy > 3 || (directed && peer_kind > 1) {
            return Err(Status::INVALID_PARAMETERS);
        }
        let advertising = &mut *self.parameters;
        advertising.own = own;
        advertising.peer = peer;
        advertising.filter = if directed { Filter::default() } else { Filter::from_hci(policy) };
        advertising.interval = UNIT_625_US * u64::from(max);
        advertising.kind = kind;
        advertising.channels = channels & 0b111;
        Ok(())
    }

    pub fn set_data(&mut self, call: &mut Call<'_>) -> Answer {
        let data = data31(&mut call.r)?;
        call.end()?;
        self.parameters.data = data.to_vec();
        for advertiser in self.running.iter_mut() {
            advertiser.parameters_mut().data = data.to_vec();
        }
        Ok(())
    }

    pub fn set_response(&mut self, call: &mut Call<'_>) -> Answer {
        let data = data31(&mut call.r)?;
        call.end()?;
        self.parameters.response = data.to_vec();
        for advertiser in self.running.iter_mut() {
            advertiser.parameters_mut().response = data.to_vec();
        }
        Ok(())
    }

    pub fn enable(&mut self, call: &mut Call<'_>) -> Answer {
        let enable = need(call.r.u8())?;
        call.end()?;
        match enable {
            0 if self.running.stop(None) => call.ahead = Some(Effect::Release(Holder::Advertiser)),
            0 => {}
            1 if self.running.is_empty() => {
                let mut parameters = self.parameters.clone();
                parameters.random = self.identities.random;
                let own = self.identities.own(call.now, parameters.own, parameters.random, Some(parameters.peer));
                let own = need(own)?;
                let delay = self.delay.clone();
                self.running.start(Advertiser::new(parameters, Limits::default(), own, delay, call.now));
            }
            1 => {}
            _ => return Err(Status::INVALID_PARAMETERS),
        }
        Ok(())
    }
}

/// A length octet and 31 octets of data, of which that many count.
fn data31<'a>(r: &mut Reader<'a>) -> Result<&'a [u8], Status> {
    let len = usize::from(need(r.u8())?);
    let data = need(r.take(31))?;
    data.get(..len).ok_or(Status::INVALID_PARAMETERS)
}
