//! Commands about one connection.

use airtime_core::bytes::Reader;
use airtime_core::{Duration, Instant};

use super::{Answer, need};
use crate::controller::Controller;
use crate::hci::Status;
use crate::host::Role;
use crate::ll::connection::{Connection, Timing};
use crate::ll::control::{PHY_1M, PHY_CODED, ParameterRequest};
use crate::ll::length::Offer;
use crate::ll::pdu::UNIT_1_25_MS;
use crate::ll::procedure::{Local, timing};

impl Controller {
    pub(super) fn disconnect(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
        let (handle, reason) = (need(r.u16())?, need(r.u8())?);
        if !r.is_empty() {
            return Err(Status::INVALID_PARAMETERS);
        }
        let slot = usize::from(handle);
        self.with(slot, now, |connection, ctx| connection.start(ctx, Local::Terminate(Status(reason))))
            .ok_or(Status::UNKNOWN_CONNECTION)
    }

    /// Reads a handle and starts the procedure that `choose` makes of the rest.
    pub(super) fn start_for(
        &mut self,
        now: Instant,
        r: &mut Reader<'_>,
        choose: impl FnOnce(&Self, &Connection, &mut Reader<'_>) -> Result<Local, Status>,
    ) -> Answer {
        let handle = need(r.u16())?;
        let connection = self.connection(handle).ok_or(Status::UNKNOWN_CONNECTION)?;
        let local = choose(self, connection, r)?;
        if !r.is_empty() {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.connection(handle).is_some_and(|connection| connection.procedures.is_full()) {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(usize::from(handle), now, |connection, ctx| connection.start(ctx, local));
        Ok(())
    }

    pub(super) fn connection_update(&self, connection: &Connection, r: &mut Reader<'_>) -> Result<Local, Status> {
        let asked = need(self.link_parameters(r))?;
        match connection.role {
            Role::Central => Ok(Local::Update(timing(asked.interval_max, asked.latency, asked.timeout))),
            Role::Peripheral if self.personality.parameter_request => Ok(Local::Parameters(asked)),
            Role::Peripheral => Err(Status::UNSUPPORTED_FEATURE),
        }
    }

    pub(super) fn enable_encryption(&self, connection: &Connection, r: &mut Reader<'_>) -> Result<Local, Status> {
        let (rand, ediv, key) = (need(r.u64())?, need(r.u16())?, need(r.array())?);
        if connection.role != Role::Central || connection.encryption.tx {
            return Err(Status::COMMAND_DISALLOWED);
        }
        Ok(Local::Encrypt { rand, ediv, key })
    }

    pub(super) fn set_phy(&self, _connection: &Connection, r: &mut Reader<'_>) -> Result<Local, Status> {
        let (all, tx, rx, options) = (need(r.u8())?, need(r.u8())?, need(r.u8())?, need(r.u16())?);
        let (tx, rx) = self.phys(all, tx, rx)?;
        // Options: 1 prefers S=2, 2 prefers S=8, 0 leaves it to the controller, which takes S=8.
        Ok(Local::Phy { tx, rx, s8: options != 1 || tx & PHY_CODED == 0 })
    }

    pub(super) fn frame_space_update(&self, _connection: &Connection, r: &mut Reader<'_>) -> Result<Local, Status> {
        let (min, max, phys, types) = (need(r.u16())?, need(r.u16())?, need(r.u8())?, need(r.u16())?);
        let own = self.personality.frame_space_min.ok_or(Status::UNKNOWN_COMMAND)?;
        if min > max || max > 10_000 || phys & (PHY_1M | 0b110) == 0 || types == 0 {
            return Err(Status::INVALID_PARAMETERS);
        }
        if Duration::from_micros(max.into()) < own {
            return Err(Status::UNSUPPORTED_FEATURE);
        }
        let min = min.max(own.as_micros().min(u64::from(max)) as u16);
        Ok(Local::FrameSpace { min, max, phys })
    }

    pub(super) fn set_data_length(&mut self, now: Instant, slot: usize, r: &mut Reader<'_>) -> Answer {
        let (octets, time) = (need(r.u16())?, need(r.u16())?);
        let offer = Offer { max_tx_octets: octets, max_tx_time: time, ..self.settings.offer };
        if !offer.is_valid() || !r.is_empty() {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.connections[slot].as_ref().is_some_and(|connection| connection.procedures.is_full()) {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let octets = octets.min(self.personality.data_octets);
        self.with(slot, now, |connection, ctx| {
            connection.procedures.set_tx_offer(octets, time);
            connection.start(ctx, Local::Length);
        });
        Ok(())
    }

    pub(super) fn key_reply(&mut self, now: Instant, slot: usize, key: Result<Option<[u8; 16]>, Status>) -> Answer {
        let key = key?;
        let asked = self.connections[slot].as_ref().is_some_and(|c| c.procedures.owes_key());
        if !asked {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(slot, now, |connection, ctx| connection.answer_key(ctx, key.as_ref()));
        Ok(())
    }

    pub(super) fn parameter_reply(&mut self, now: Instant, slot: usize, r: &mut Reader<'_>) -> Answer {
        let accepted = need(self.link_parameters(r))?;
        self.answer_parameters(now, slot, Ok(accepted))
    }

    pub(super) fn parameter_refusal(&mut self, now: Instant, slot: usize, r: &mut Reader<'_>) -> Answer {
        let reason = Status(need(r.u8())?);
        self.answer_parameters(now, slot, Err(reason))
    }

    pub(super) fn answer_parameters(
        &mut self,
        now: Instant,
        slot: usize,
        answer: Result<ParameterRequest, Status>,
    ) -> Answer {
        let asked = self.connections[slot].as_ref().is_some_and(|c| c.procedures.owes_answer());
        if !asked {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(slot, now, |connection, ctx| connection.answer_parameters(ctx, answer));
        Ok(())
    }

    /// Interval range, latency, timeout and the two CE lengths. Core 6.0, Vol 4, Part E, 7.8.12.
    pub(super) fn link_parameters(&self, r: &mut Reader<'_>) -> Option<ParameterRequest> {
        let asked =
            ParameterRequest { interval_min: r.u16()?, interval_max: r.u16()?, latency: r.u16()?, timeout: r.u16()? };
        let _event_length = (r.u16()?, r.u16()?);
        let shortest = (self.personality.interval_min / UNIT_1_25_MS).clamp(1, 6) as u16;
        let Timing { interval, latency, timeout } = timing(asked.interval_max, asked.latency, asked.timeout);
        let good = (shortest..=3200).contains(&asked.interval_min)
            && (asked.interval_min..=3200).contains(&asked.interval_max)
            && latency <= 499
            && (10..=3200).contains(&asked.timeout)
            && timeout > interval * 2 * (u64::from(latency) + 1);
        good.then_some(asked)
    }
}
