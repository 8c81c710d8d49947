//! Commands about one connection.

use airtime_core::Duration;
use airtime_core::bytes::Reader;

use super::{Answer, Call, need};
use crate::controller::Controller;
use crate::controller::reports::RSSI_DBM;
use crate::hci::Status;
use crate::ll::connection::{Connection, Timing};
use crate::ll::control::{PHY_1M, PHY_CODED, ParameterRequest};
use crate::ll::length::Offer;
use crate::ll::pdu::UNIT_1_25_MS;
use crate::ll::procedure::{Local, phy_number, timing};
use crate::words::Role;

/// Reasons a host may give for the end. Core 6.0, Vol 4, Part E, 7.1.6.
const REASONS: [Status; 7] = [
    Status::AUTHENTICATION_FAILURE,
    Status::REMOTE_USER_TERMINATED,
    Status::REMOTE_LOW_RESOURCES,
    Status::REMOTE_POWER_OFF,
    Status::UNSUPPORTED_REMOTE_FEATURE,
    Status::UNIT_KEY_PAIRING,
    Status::UNACCEPTABLE_PARAMETERS,
];

impl Controller {
    /// Reads a handle and returns it to the host; gives the slot of its connection.
    pub(super) fn slot(&self, call: &mut Call<'_>) -> Result<usize, Status> {
        let handle = need(call.r.u16())?;
        call.returns.put_u16(handle);
        self.connection(handle).map(|_| usize::from(handle)).ok_or(Status::UNKNOWN_CONNECTION)
    }

    /// The connection that a command without further parameters is about.
    fn only(&self, call: &mut Call<'_>) -> Result<&Connection, Status> {
        let slot = self.slot(call)?;
        call.end()?;
        self.connections[slot].as_deref().ok_or(Status::UNKNOWN_CONNECTION)
    }

    pub(super) fn read_rssi(&mut self, call: &mut Call<'_>) -> Answer {
        self.only(call)?;
        call.returns.put_u8(RSSI_DBM as u8);
        Ok(())
    }

    pub(super) fn read_channel_map(&mut self, call: &mut Call<'_>) -> Answer {
        let map = self.only(call)?.map.bits();
        call.returns.put(&map.to_le_bytes()[..5]);
        Ok(())
    }

    pub(super) fn read_phy(&mut self, call: &mut Call<'_>) -> Answer {
        let connection = self.only(call)?;
        let phys = [phy_number(connection.tx_phy), phy_number(connection.rx_phy)];
        call.returns.put(&phys);
        Ok(())
    }

    pub(super) fn disconnect(&mut self, call: &mut Call<'_>) -> Answer {
        let (handle, reason) = (need(call.r.u16())?, Status(need(call.r.u8())?));
        call.end()?;
        let connection = self.connection(handle).ok_or(Status::UNKNOWN_CONNECTION)?;
        if !REASONS.contains(&reason) {
            return Err(Status::INVALID_PARAMETERS);
        }
        if connection.procedures.terminates() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(usize::from(handle), call.now, |connection, ctx| connection.start(ctx, Local::Terminate(reason)));
        Ok(())
    }

    /// Reads a handle and starts the procedure that `choose` makes of the rest.
    pub(super) fn start_for(
        &mut self,
        call: &mut Call<'_>,
        choose: impl FnOnce(&Self, &Connection, &mut Reader<'_>) -> Result<Local, Status>,
    ) -> Answer {
        let handle = need(call.r.u16())?;
        let connection = self.connection(handle).ok_or(Status::UNKNOWN_CONNECTION)?;
        let local = choose(self, connection, &mut call.r)?;
        call.end()?;
        if connection.procedures.is_full() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(usize::from(handle), call.now, |connection, ctx| connection.start(ctx, local));
        Ok(())
    }

    pub(super) fn read_remote_version(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |_, _, _| Ok(Local::Version))
    }

    pub(super) fn read_remote_features(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |_, _, _| Ok(Local::Features))
    }

    pub(super) fn connection_update(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |controller, connection, r| {
            let asked = need(controller.link_parameters(r))?;
            match connection.role {
                Role::Central => Ok(Local::Update(timing(asked.interval_max, asked.latency, asked.timeout))),
                Role::Peripheral if controller.personality.parameter_request => Ok(Local::Parameters(asked)),
                Role::Peripheral => Err(Status::UNSUPPORTED_FEATURE),
            }
        })
    }

    pub(super) fn set_phy(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |controller, _, r| {
            let (all, tx, rx, options) = (need(r.u8())?, need(r.u8())?, need(r.u8())?, need(r.u16())?);
            let (tx, rx) = controller.phys(all, tx, rx)?;
            // Options: 1 prefers S=2, 2 prefers S=8, 0 leaves it to the controller, which takes S=8.
            Ok(Local::Phy { tx, rx, s8: options != 1 || tx & PHY_CODED == 0 })
        })
    }

    pub(super) fn frame_space_update(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |controller, _, r| {
            let (min, max, phys, types) = (need(r.u16())?, need(r.u16())?, need(r.u8())?, need(r.u16())?);
            let own = controller.personality.frame_space_min.ok_or(Status::UNKNOWN_COMMAND)?;
            if min > max || max > 10_000 || phys & (PHY_1M | 0b110) == 0 || types == 0 {
                return Err(Status::INVALID_PARAMETERS);
            }
            if Duration::from_micros(max.into()) < own {
                return Err(Status::UNSUPPORTED_FEATURE);
            }
            let min = min.max(own.as_micros().min(u64::from(max)) as u16);
            Ok(Local::FrameSpace { min, max, phys })
        })
    }

    pub(super) fn set_data_length(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        let (octets, time) = (need(call.r.u16())?, need(call.r.u16())?);
        call.end()?;
        let offer = Offer { max_tx_octets: octets, max_tx_time: time, ..self.settings.offer };
        if !offer.is_valid() {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.connections[slot].as_ref().is_some_and(|connection| connection.procedures.is_full()) {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let octets = octets.min(self.personality.data_octets);
        self.with(slot, call.now, |connection, ctx| {
            connection.procedures.set_tx_offer(octets, time);
            connection.start(ctx, Local::Length);
        });
        Ok(())
    }

    pub(super) fn parameter_reply(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        let accepted = need(self.link_parameters(&mut call.r))?;
        call.end()?;
        self.answer_parameters(call, slot, Ok(accepted))
    }

    pub(super) fn parameter_refusal(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        let reason = Status(need(call.r.u8())?);
        call.end()?;
        self.answer_parameters(call, slot, Err(reason))
    }

    fn answer_parameters(&mut self, call: &Call<'_>, slot: usize, answer: Result<ParameterRequest, Status>) -> Answer {
        let asked = self.connections[slot].as_ref().is_some_and(|c| c.procedures.owes_answer());
        if !asked {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(slot, call.now, |connection, ctx| connection.answer_parameters(ctx, answer));
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
