//! Commands that set what new connections begin with.

use super::{Answer, Call, need};
use crate::controller::Controller;
use crate::hci::Status;
use crate::ll::hopping::ChannelMap;
use crate::ll::length::Offer;
use crate::ll::procedure::{Local, supported_phys};
use crate::words::Role;

impl Controller {
    pub(super) fn channel_classification(&mut self, call: &mut Call<'_>) -> Answer {
        let map = u64::from(need(call.r.u32())?) | u64::from(need(call.r.u8())?) << 32;
        call.end()?;
        let map = ChannelMap::new(map).ok_or(Status::INVALID_PARAMETERS)?.bits();
        self.settings.channel_map = map;
        for slot in 0..self.connections.len() {
            self.with(slot, call.now, |connection, ctx| {
                if connection.role == Role::Central && connection.map.bits() != map {
                    connection.start(ctx, Local::ChannelMap(map));
                }
            });
        }
        Ok(())
    }

    pub(super) fn read_suggested_length(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u16(self.settings.offer.max_tx_octets);
        call.returns.put_u16(self.settings.offer.max_tx_time);
        Ok(())
    }

    pub(super) fn suggested_length(&mut self, call: &mut Call<'_>) -> Answer {
        let (octets, time) = (need(call.r.u16())?, need(call.r.u16())?);
        call.end()?;
        let offer = Offer { max_tx_octets: octets, max_tx_time: time, ..self.settings.offer };
        if !offer.is_valid() {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.settings.offer.max_tx_octets = octets.min(self.personality.data_octets);
        self.settings.offer.max_tx_time = time;
        Ok(())
    }

    pub(super) fn read_maximum_length(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        let p = &self.personality;
        let most = Offer::of(p.data_octets, p.data_octets, p.phy_coded);
        for field in [most.max_tx_octets, most.max_tx_time, most.max_rx_octets, most.max_rx_time] {
            call.returns.put_u16(field);
        }
        Ok(())
    }

    pub(super) fn default_phy(&mut self, call: &mut Call<'_>) -> Answer {
        let (all, tx, rx) = (need(call.r.u8())?, need(call.r.u8())?, need(call.r.u8())?);
        call.end()?;
        self.settings.phys = self.phys(all, tx, rx)?;
        Ok(())
    }

    /// PHYs to send and receive on; what the host leaves open is everything supported.
    pub(super) fn phys(&self, all: u8, tx: u8, rx: u8) -> Result<(u8, u8), Status> {
        let own = supported_phys(&self.personality);
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
}
