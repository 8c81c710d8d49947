//! Commands of legacy advertising. Core 6.0, Vol 4, Part E, 7.8.5 to 7.8.9.

use airtime_core::Duration;
use airtime_core::bytes::Reader;

use super::{Answer, Call, need};
use crate::controller::Controller;
use crate::hci::Status;
use crate::ll::address::DeviceAddress;
use crate::ll::advertising::{Advertiser, Filter, Kind, Limits};

/// One unit of advertising and scan intervals.
pub(super) const UNIT_625_US: Duration = Duration::from_micros(625);

/// A length octet and 31 octets of data, of which that many count.
fn data31<'a>(r: &mut Reader<'a>) -> Result<&'a [u8], Status> {
    let len = usize::from(need(r.u8())?);
    let data = need(r.take(31))?;
    data.get(..len).ok_or(Status::INVALID_PARAMETERS)
}

impl Controller {
    pub(super) fn advertising_parameters(&mut self, call: &mut Call<'_>) -> Answer {
        if !self.advertisers.is_empty() {
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
        let advertising = &mut self.settings.advertising;
        advertising.own = own;
        advertising.peer = peer;
        advertising.filter = if directed { Filter::default() } else { Filter::from_hci(policy) };
        advertising.interval = UNIT_625_US * u64::from(max);
        advertising.kind = kind;
        advertising.channels = channels & 0b111;
        Ok(())
    }

    pub(super) fn advertising_data(&mut self, call: &mut Call<'_>) -> Answer {
        let data = data31(&mut call.r)?;
        call.end()?;
        self.settings.advertising.data = data.to_vec();
        for advertiser in &mut self.advertisers {
            advertiser.parameters_mut().data = data.to_vec();
        }
        Ok(())
    }

    pub(super) fn scan_response_data(&mut self, call: &mut Call<'_>) -> Answer {
        let data = data31(&mut call.r)?;
        call.end()?;
        self.settings.advertising.response = data.to_vec();
        for advertiser in &mut self.advertisers {
            advertiser.parameters_mut().response = data.to_vec();
        }
        Ok(())
    }

    pub(super) fn advertising_enable(&mut self, call: &mut Call<'_>) -> Answer {
        let enable = need(call.r.u8())?;
        call.end()?;
        match enable {
            0 => {
                self.stop_advertiser(None);
            }
            1 if self.advertisers.is_empty() => {
                let mut parameters = self.settings.advertising.clone();
                parameters.random = self.identities.random;
                let own = self.identities.own(call.now, parameters.own, parameters.random, Some(parameters.peer));
                let own = need(own)?;
                let delay = self.chance.clone();
                self.advertisers.push(Advertiser::new(parameters, Limits::default(), own, delay, call.now));
            }
            1 => {}
            _ => return Err(Status::INVALID_PARAMETERS),
        }
        Ok(())
    }
}
