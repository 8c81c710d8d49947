//! Encryption start. Core 6.0, Vol 6, Part B, 5.1.3.

use super::Local;
use crate::hci::{Status, event};
use crate::host::Role;
use crate::ll::connection::{Connection, Context};
use crate::ll::control::{Control, opcode};
use crate::ll::encryption::session;

impl Connection {
    pub(super) fn encryption_requested(&mut self, ctx: &mut Context<'_>, rand: u64, ediv: u16, skd: u64) {
        self.queue.pause_data(true);
        let (own, iv) = self.diversifier(2);
        self.procedures.diversifiers = Some((skd, own));
        self.send(ctx, Control::EncRsp { skd: own, iv });
        let mut packet = event::le_event(ctx.out.pool(), event::LE_LONG_TERM_KEY_REQUEST);
        packet.put_u16(self.handle);
        packet.put_u64(rand);
        packet.put_u16(ediv);
        ctx.out.le_event(event::finish(packet));
    }

    /// The peripheral's host has answered the key request.
    pub fn answer_key(&mut self, ctx: &mut Context<'_>, key: Option<&[u8; 16]>) {
        let Some((central, own)) = self.procedures.diversifiers.take() else { return };
        match key {
            Some(key) => {
                self.encryption.session = session(key, central, own);
                self.send(ctx, Control::StartEncReq);
                // What comes next is encrypted; what goes out is once the central has answered.
                self.encryption.rx = true;
            }
            None => {
                self.queue.pause_data(false);
                let reason = Status::PIN_OR_KEY_MISSING;
                self.send(ctx, Control::RejectExtInd { opcode: opcode::ENC_REQ, reason });
            }
        }
    }

    pub(super) fn session_ready(&mut self, skd: u64) {
        if let Some(Local::Encrypt { key, .. }) = self.procedures.active {
            self.encryption.session = session(&key, self.procedures.own_diversifier, skd);
        }
    }

    pub(super) fn start_encryption(&mut self, ctx: &mut Context<'_>) {
        if matches!(self.procedures.active, Some(Local::Encrypt { .. })) {
            self.encryption.tx = true;
            self.encryption.rx = true;
            self.send(ctx, Control::StartEncRsp);
        }
    }

    pub(super) fn encryption_started(&mut self, ctx: &mut Context<'_>) {
        match self.role {
            Role::Peripheral if self.encryption.rx => {
                self.encryption.tx = true;
                self.send(ctx, Control::StartEncRsp);
            }
            Role::Central if matches!(self.procedures.active, Some(Local::Encrypt { .. })) => {
                self.encryption_settled(ctx, Status::SUCCESS);
                self.finish(ctx);
            }
            _ => {}
        }
    }

    pub(super) fn encryption_settled(&mut self, ctx: &mut Context<'_>, status: Status) {
        self.queue.pause_data(false);
        let mut packet = event::event(ctx.out.pool(), event::ENCRYPTION_CHANGE);
        packet.put_u8(status.0);
        packet.put_u16(self.handle);
        packet.put_u8(u8::from(status.is_success()));
        ctx.out.event(event::finish(packet));
    }
}
