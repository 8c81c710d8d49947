//! Controller and baseband commands: reset, event masks, flow control from controller to host.

use super::advertising::Advertising;
use super::defaults::Defaults;
use super::generation::InUse;
use super::scanning::Scanning;
use super::{Answer, Call, need};
use crate::controller::turns::Turns;
use crate::controller::{Controller, Holder};
use crate::hci::Status;
use crate::ll::procedure::SUBRATING_HOST_SUPPORT;

impl Controller {
    pub(super) fn reset(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        // The peers of open connections find out by supervision timeout, as with silicon.
        self.connections.clear();
        self.advertising = Advertising::new(&self.personality);
        self.scanning = Scanning::default();
        self.initiator = None;
        self.defaults = Defaults::new(&self.personality);
        self.generation = InUse::default();
        self.room.host = None;
        self.holder = Holder::Nobody;
        self.turns = Turns::default();
        self.identities.reset();
        self.host_packets = 0;
        self.le_host = 0;
        self.out.reset_masks();
        self.out.listen(None);
        Ok(())
    }

    pub(super) fn set_event_mask(&mut self, call: &mut Call<'_>) -> Answer {
        let mask = need(call.r.u64())?;
        call.end()?;
        self.out.event_mask = mask;
        Ok(())
    }

    pub(super) fn set_event_mask_page_2(&mut self, call: &mut Call<'_>) -> Answer {
        let mask = need(call.r.u64())?;
        call.end()?;
        self.out.event_mask_page_2 = mask;
        Ok(())
    }

    pub(super) fn le_set_event_mask(&mut self, call: &mut Call<'_>) -> Answer {
        let mask = need(call.r.u64())?;
        call.end()?;
        self.out.le_event_mask = mask;
        Ok(())
    }

    /// Core 6.2, Vol 4, Part E, 7.8.115.
    pub(super) fn set_host_feature(&mut self, call: &mut Call<'_>) -> Answer {
        let (bit, value) = (need(call.r.u8())?, need(call.r.u8())?);
        call.end()?;
        if value > 1 {
            return Err(Status::INVALID_PARAMETERS);
        }
        if 1_u64.checked_shl(bit.into()) != Some(SUBRATING_HOST_SUPPORT) {
            return Err(Status::UNSUPPORTED_FEATURE);
        }
        if self.connections.iter().any(Option::is_some) {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.out.host_subrates = value == 1;
        Ok(())
    }

    pub(super) fn read_le_host_support(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put(&[self.le_host, 0]);
        Ok(())
    }

    pub(super) fn write_le_host_support(&mut self, call: &mut Call<'_>) -> Answer {
        let (supported, _simultaneous) = (need(call.r.u8())?, need(call.r.u8())?);
        call.end()?;
        if supported > 1 {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.le_host = supported;
        Ok(())
    }
}

// Flow control from controller to host. Core 6.0, Vol 4, Part E, 4.2.
impl Controller {
    pub(super) fn host_flow_control(&mut self, call: &mut Call<'_>) -> Answer {
        let mode = need(call.r.u8())?;
        call.end()?;
        match mode {
            0 => self.room.host = None,
            1 if self.room.host.is_none() => self.room.host = Some(self.host_packets),
            1 => {}
            _ => return Err(Status::UNSUPPORTED_FEATURE),
        }
        self.deliver();
        Ok(())
    }

    pub(super) fn host_buffer_size(&mut self, call: &mut Call<'_>) -> Answer {
        let _octets = need(call.r.u16())?;
        let _synchronous_octets = need(call.r.u8())?;
        let packets = need(call.r.u16())?;
        let _synchronous_packets = need(call.r.u16())?;
        call.end()?;
        if packets == 0 {
            return Err(Status::INVALID_PARAMETERS);
        }
        // Hosts give the size before or after they turn flow control on.
        self.host_packets = packets;
        if self.room.host.is_some() {
            self.room.host = Some(packets);
        }
        self.deliver();
        Ok(())
    }

    pub(super) fn host_completed(&mut self, call: &mut Call<'_>) -> Answer {
        let handles = need(call.r.u8())?;
        for _ in 0..handles {
            let (handle, packets) = (need(call.r.u16())?, need(call.r.u16())?);
            let Some(connection) = self.connections.get_mut(usize::from(handle)).and_then(Option::as_mut) else {
                continue;
            };
            self.room.host_has_taken(connection.returned(packets));
        }
        self.deliver();
        call.end()
    }

    /// Gives the host what it has room for.
    pub(crate) fn deliver(&mut self) {
        for connection in self.connections.iter_mut().flatten() {
            connection.deliver(&mut self.out, &mut self.room);
        }
    }
}
