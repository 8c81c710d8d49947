//! Commands that set what new connections begin with, and host flow control.

use airtime_core::Instant;
use airtime_core::bytes::Reader;

use super::{Answer, need};
use crate::controller::Controller;
use crate::hci::Status;
use crate::host::Role;
use crate::ll::hopping::ChannelMap;
use crate::ll::length::Offer;
use crate::ll::procedure::{Local, supported_phys};

impl Controller {
    pub(super) fn channel_classification(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
        let map = u64::from(need(r.u32())?) | u64::from(need(r.u8())?) << 32;
        let map = ChannelMap::new(map).ok_or(Status::INVALID_PARAMETERS)?.bits();
        self.settings.channel_map = map;
        for slot in 0..self.connections.len() {
            self.with(slot, now, |connection, ctx| {
                if connection.role == Role::Central && connection.map.bits() != map {
                    connection.start(ctx, Local::ChannelMap(map));
                }
            });
        }
        Ok(())
    }

    pub(super) fn suggested_length(&mut self, r: &mut Reader<'_>) -> Answer {
        let (octets, time) = (need(r.u16())?, need(r.u16())?);
        let offer = Offer { max_tx_octets: octets, max_tx_time: time, ..self.settings.offer };
        if !offer.is_valid() {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.settings.offer.max_tx_octets = octets.min(self.personality.data_octets);
        self.settings.offer.max_tx_time = time;
        Ok(())
    }

    pub(super) fn default_phy(&mut self, r: &mut Reader<'_>) -> Answer {
        let (all, tx, rx) = (need(r.u8())?, need(r.u8())?, need(r.u8())?);
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

// Flow control from controller to host. Core 6.0, Vol 4, Part E, 4.2.
impl Controller {
    pub(super) fn host_flow_control(&mut self, r: &mut Reader<'_>) -> Answer {
        match need(r.u8())? {
            0 => self.host_room = None,
            1 => self.host_room = Some(self.host_room.unwrap_or(0)),
            _ => return Err(Status::UNSUPPORTED_FEATURE),
        }
        Ok(())
    }

    pub(super) fn host_buffer_size(&mut self, r: &mut Reader<'_>) -> Answer {
        let _octets = need(r.u16())?;
        let _synchronous_octets = need(r.u8())?;
        let packets = need(r.u16())?;
        let _synchronous_packets = need(r.u16())?;
        if packets == 0 {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.host_room.is_some() {
            self.host_room = Some(packets);
        }
        Ok(())
    }

    pub(super) fn host_completed(&mut self, r: &mut Reader<'_>) -> Answer {
        let handles = need(r.u8())?;
        for _ in 0..handles {
            let _handle = need(r.u16())?;
            let packets = need(r.u16())?;
            if let Some(room) = &mut self.host_room {
                *room = room.saturating_add(packets);
            }
        }
        for connection in self.connections.iter_mut().flatten() {
            connection.deliver(&mut self.out, &mut self.host_room);
        }
        if r.is_empty() { Ok(()) } else { Err(Status::INVALID_PARAMETERS) }
    }
}
