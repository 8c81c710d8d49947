//! Connection update and parameter request. Core 6.0, Vol 6, Part B, 5.1.1 and 5.1.7.

use super::Local;
use crate::hci::{Status, event};
use crate::host::Role;
use crate::ll::connection::{Connection, Context, Timing};
use crate::ll::control::{ConnectionUpdate, Control, ParameterRequest, opcode};
use crate::ll::pdu::{UNIT_1_25_MS, UNIT_10_MS};

/// Link parameters from their fields on the air.
pub fn timing(interval: u16, latency: u16, timeout: u16) -> Timing {
    Timing { interval: UNIT_1_25_MS * u64::from(interval), latency, timeout: UNIT_10_MS * u64::from(timeout) }
}

impl Connection {
    pub(super) fn send_update(&mut self, ctx: &mut Context<'_>, timing: Timing) {
        let update = ConnectionUpdate {
            win_size: 1,
            win_offset: 0,
            interval: (timing.interval / UNIT_1_25_MS) as u16,
            latency: timing.latency,
            timeout: (timing.timeout / UNIT_10_MS) as u16,
            instant: self.instant(),
        };
        self.procedures.pending.update = Some(update);
        self.send(ctx, Control::ConnectionUpdateInd(update));
    }

    pub(super) fn apply_update(&mut self, ctx: &mut Context<'_>, update: ConnectionUpdate) {
        let before = self.timing;
        self.timing = timing(update.interval, update.latency, update.timeout);
        self.anchor += UNIT_1_25_MS * u64::from(update.win_offset);
        self.window = UNIT_1_25_MS * u64::from(update.win_size);
        self.refresh_lengths();
        let asked = matches!(self.procedures.active, Some(Local::Update(_) | Local::Parameters(_)));
        if asked || self.timing != before {
            self.update_done(ctx, Status::SUCCESS);
        }
        if asked {
            self.finish(ctx);
        }
    }

    pub(super) fn update_done(&self, ctx: &mut Context<'_>, status: Status) {
        let mut packet = event::le_event(ctx.out.pool(), event::LE_CONNECTION_UPDATE_COMPLETE);
        packet.put_u8(status.0);
        packet.put_u16(self.handle);
        packet.put_u16((self.timing.interval / UNIT_1_25_MS) as u16);
        packet.put_u16(self.timing.latency);
        packet.put_u16((self.timing.timeout / UNIT_10_MS) as u16);
        ctx.out.le_event(event::finish(packet));
    }

    pub(super) fn parameters_requested(&mut self, ctx: &mut Context<'_>, request: ParameterRequest) {
        let opcode = opcode::CONNECTION_PARAM_REQ;
        let bad = request.interval_min > request.interval_max
            || !(6..=3200).contains(&request.interval_min)
            || request.interval_max > 3200;
        if bad {
            return self.send(ctx, Control::RejectExtInd { opcode, reason: Status::INVALID_LL_PARAMETERS });
        }
        if !ctx.personality.parameter_request {
            return self.send(ctx, Control::UnknownRsp { opcode });
        }
        if self.role == Role::Central && self.collides(ctx, opcode) {
            return;
        }
        let mut packet = event::le_event(ctx.out.pool(), event::LE_REMOTE_PARAMETER_REQUEST);
        packet.put_u16(self.handle);
        for field in [request.interval_min, request.interval_max, request.latency, request.timeout] {
            packet.put_u16(field);
        }
        if ctx.out.le_event(event::finish(packet)) {
            self.procedures.asked = true;
        } else {
            // A host that does not take the event leaves the answer to its controller, which says no.
            self.send(ctx, Control::RejectExtInd { opcode, reason: Status::UNSUPPORTED_REMOTE_FEATURE });
        }
    }

    /// The host has answered a parameter request.
    pub fn answer_parameters(&mut self, ctx: &mut Context<'_>, answer: Result<ParameterRequest, Status>) {
        self.procedures.asked = false;
        let opcode = opcode::CONNECTION_PARAM_REQ;
        match answer {
            Err(reason) => self.send(ctx, Control::RejectExtInd { opcode, reason }),
            Ok(accepted) if self.role == Role::Peripheral => self.send(ctx, Control::ConnectionParamRsp(accepted)),
            Ok(accepted) => self.send_update(ctx, timing(accepted.interval_max, accepted.latency, accepted.timeout)),
        }
    }
}
