//! Frame space update. Core 6.0, Vol 6, Part B, 5.1.30.

use airtime_core::Duration;

use super::Local;
use crate::air::T_IFS;
use crate::hci::{Status, event};
use crate::ll::connection::{Connection, Context};
use crate::ll::control::{Control, SPACING_ACL, opcode};

impl Connection {
    pub(super) fn space_requested(&mut self, ctx: &mut Context<'_>, min: u16, max: u16, phys: u8) {
        let opcode = opcode::FRAME_SPACE_REQ;
        let Some(own) = ctx.personality.frame_space_min else {
            return self.send(ctx, Control::UnknownRsp { opcode });
        };
        let chosen = Duration::from_micros(min.into()).max(own.min(T_IFS));
        if min > max || chosen > Duration::from_micros(max.into()) {
            return self.send(ctx, Control::RejectExtInd { opcode, reason: Status::UNSUPPORTED_FEATURE });
        }
        self.adopt_space(chosen, phys);
        let space = chosen.as_micros() as u16;
        self.send(ctx, Control::FrameSpaceRsp { space, phys, types: SPACING_ACL });
        self.space_done(ctx, Status::SUCCESS, 2, phys, space);
    }

    pub(super) fn space_answered(&mut self, ctx: &mut Context<'_>, space: u16, phys: u8) {
        let Some(Local::FrameSpace { min, max, .. }) = self.procedures.active else { return };
        if (min..=max).contains(&space) {
            self.adopt_space(Duration::from_micros(space.into()), phys);
        }
        self.space_done(ctx, Status::SUCCESS, 0, phys, space);
        self.finish(ctx);
    }

    /// Sends at the new spacing from now on and hears both, because the peer changes at its own time.
    pub(super) fn adopt_space(&mut self, space: Duration, phys: u8) {
        let (shortest, longest) = self.peer_space;
        self.peer_space = (shortest.min(space), longest.max(space));
        for (index, own) in self.spaces.iter_mut().enumerate() {
            if phys >> index & 1 == 1 {
                *own = space;
            }
        }
        self.refresh_lengths();
    }

    pub(super) fn space_done(&self, ctx: &mut Context<'_>, status: Status, initiator: u8, phys: u8, space: u16) {
        let mut packet = event::le_event(ctx.out.pool(), event::LE_FRAME_SPACE_UPDATE_COMPLETE);
        packet.put_u8(status.0);
        packet.put_u16(self.handle);
        packet.put_u8(initiator);
        packet.put_u16(space);
        packet.put_u8(phys);
        packet.put_u16(SPACING_ACL);
        ctx.out.le_event(event::finish(packet));
    }
}
