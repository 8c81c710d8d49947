//! Commands that set what new connections begin with.

use airtime_core::bytes::Reader;

use super::effect::Effect;
use super::{Answer, Call, need};
use crate::hci::Status;
use crate::ll::hopping::{ALL_CHANNELS, ChannelMap};
use crate::ll::length::Offer;
use crate::ll::procedure::supported_phys;
use crate::ll::subrating::SubrateRange;
use crate::personality;

/// Defaults of new connections.
#[derive(Clone, Debug)]
pub struct Defaults {
    channel_map: u64,
    offer: Offer,
    phys: (u8, u8),
    subrates: SubrateRange,
}

impl Defaults {
    /// The values after a reset. Core 6.0, Vol 4, Part E, 7.8.
    pub fn new(personality: &personality::Controller) -> Self {
        let (rx, coded) = (personality.data_octets, personality.phy_coded);
        let all = supported_phys(personality);
        let offer = Offer::of(rx, personality.suggested_octets.min(rx), coded).sent_within(personality.data_time);
        Self { channel_map: ALL_CHANNELS, offer, phys: (all, all), subrates: SubrateRange::AFTER_RESET }
    }

    /// Channels the host has not classified as bad.
    pub fn channel_map(&self) -> u64 {
        self.channel_map
    }

    /// Data length offered on new connections: what is received, and what is sent once asked.
    pub fn offer(&self) -> Offer {
        self.offer
    }

    /// PHYs preferred on new connections: to send and to receive on.
    pub fn phys(&self) -> (u8, u8) {
        self.phys
    }

    /// Subrating that is acceptable on new connections when a peripheral asks.
    pub fn subrates(&self) -> SubrateRange {
        self.subrates
    }
}

/// Defaults as the host's commands meet them.
pub(super) struct Commands<'a> {
    defaults: &'a mut Defaults,
    personality: &'a personality::Controller,
}

impl<'a> Commands<'a> {
    /// Commands on `defaults` of a controller that can do what `personality` says.
    pub fn new(defaults: &'a mut Defaults, personality: &'a personality::Controller) -> Self {
        Self { defaults, personality }
    }

    pub fn classify_channels(&mut self, call: &mut Call<'_>) -> Answer {
        let map = u64::from(need(call.r.u32())?) | u64::from(need(call.r.u8())?) << 32;
        call.end()?;
        let map = ChannelMap::new(map).ok_or(Status::INVALID_PARAMETERS)?.bits();
        self.defaults.channel_map = map;
        call.ahead = Some(Effect::ChannelMap(map));
        Ok(())
    }

    pub fn read_length(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u16(self.defaults.offer.max_tx_octets);
        call.returns.put_u16(self.defaults.offer.max_tx_time);
        Ok(())
    }

    pub fn set_length(&mut self, call: &mut Call<'_>) -> Answer {
        let (octets, time) = (need(call.r.u16())?, need(call.r.u16())?);
        call.end()?;
        let offer = Offer { max_tx_octets: octets, max_tx_time: time, ..self.defaults.offer };
        if !offer.is_valid() {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.defaults.offer.max_tx_octets = octets.min(self.personality.data_octets);
        self.defaults.offer.max_tx_time = offer.sent_within(self.personality.data_time).max_tx_time;
        Ok(())
    }

    pub fn read_maximum_length(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        let p = self.personality;
        let most = Offer::of(p.data_octets, p.data_octets, p.phy_coded).sent_within(p.data_time);
        for field in [most.max_tx_octets, most.max_tx_time, most.max_rx_octets, most.max_rx_time] {
            call.returns.put_u16(field);
        }
        Ok(())
    }

    pub fn set_subrates(&mut self, call: &mut Call<'_>) -> Answer {
        let range = subrates(&mut call.r)?;
        call.end()?;
        self.defaults.subrates = range;
        Ok(())
    }

    pub fn set_phys(&mut self, call: &mut Call<'_>) -> Answer {
        let (all, tx, rx) = (need(call.r.u8())?, need(call.r.u8())?, need(call.r.u8())?);
        call.end()?;
        self.defaults.phys = phys(self.personality, all, tx, rx)?;
        Ok(())
    }
}

/// Range of subrating, behind the handle where there is one. Core 6.2, Vol 4, Part E, 7.8.123 and 7.8.124.
pub(super) fn subrates(r: &mut Reader<'_>) -> Result<SubrateRange, Status> {
    let range = SubrateRange {
        factor_min: need(r.u16())?,
        factor_max: need(r.u16())?,
        latency_max: need(r.u16())?,
        continuation: need(r.u16())?,
        timeout: need(r.u16())?,
    };
    if range.is_valid() { Ok(range) } else { Err(Status::INVALID_PARAMETERS) }
}

/// PHYs to send and receive on; what the host leaves open is everything supported.
pub(super) fn phys(personality: &personality::Controller, all: u8, tx: u8, rx: u8) -> Result<(u8, u8), Status> {
    let own = supported_phys(personality);
    let pick = |open: u8, bits: u8| if all & open != 0 { own } else { bits };
    let (tx, rx) = (pick(1, tx), pick(2, rx));
    if tx == 0 || rx == 0 || tx > 7 || rx > 7 {
        return Err(Status::INVALID_PARAMETERS);
    }
    if tx & !own != 0 || rx & !own != 0 {
        return Err(Status::UNSUPPORTED_FEATURE);
    }
    Ok((tx, rx))
}
