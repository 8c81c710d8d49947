//! Encryption start and pause. Core 6.0, Vol 6, Part B, 5.1.3.
//!
//! A running encryption that is to take a new key is paused first: LL_PAUSE_ENC_REQ and the
//! peripheral's LL_PAUSE_ENC_RSP are encrypted, the central's LL_PAUSE_ENC_RSP is not, and what
//! follows is an encryption start like the first.

use super::Local;
use crate::hci::{Status, event};
use crate::host::Role;
use crate::ll::connection::{Connection, Context};
use crate::ll::control::{Control, opcode};
use crate::ll::encryption::session;

/// Encryption Change `[v2]` in the second page of the event mask. Core 6.0, Vol 4, Part E, 7.3.69.
const ENCRYPTION_CHANGE_V2_BIT: u64 = 1 << 25;
/// Octets of an LE key.
const KEY_OCTETS: u8 = 16;

impl Connection {
    pub(super) fn request_encryption(&mut self, ctx: &mut Context<'_>, rand: u64, ediv: u16) {
        self.queue.pause_data(true);
        let (skd, iv) = self.diversifier(1);
        self.procedures.own_diversifier = skd;
        self.send(ctx, Control::EncReq { rand, ediv, skd, iv });
    }

    pub(super) fn pause_encryption(&mut self, ctx: &mut Context<'_>) {
        self.queue.pause_data(true);
        self.procedures.refreshing = true;
        self.send(ctx, Control::PauseEncReq);
    }

    pub(super) fn pause_requested(&mut self, ctx: &mut Context<'_>) {
        if !self.encryption.rx || !self.encryption.tx {
            return;
        }
        self.queue.pause_data(true);
        self.procedures.refreshing = true;
        self.send(ctx, Control::PauseEncRsp);
        // Until the central has that, it sends empty PDUs, which carry no MIC.
        self.encryption.rx = false;
    }

    /// The other side has paused.
    pub(super) fn encryption_paused(&mut self, ctx: &mut Context<'_>) {
        match (self.role, self.procedures.active) {
            (Role::Central, Some(Local::Encrypt { rand, ediv, .. })) if self.encryption.tx => {
                self.encryption.tx = false;
                self.encryption.rx = false;
                self.send(ctx, Control::PauseEncRsp);
                self.request_encryption(ctx, rand, ediv);
            }
            (Role::Peripheral, _) if self.procedures.refreshing && !self.encryption.rx => self.encryption.tx = false,
            _ => {}
        }
    }

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
            // A link that was encrypted must not go on in the clear: it ends. Core 6.0, Vol 6, Part B, 5.1.3.2.
            None if self.procedures.refreshing => self.start(ctx, Local::Terminate(Status::PIN_OR_KEY_MISSING)),
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
        let refreshed = core::mem::take(&mut self.procedures.refreshing);
        let second_page = ctx.out.event_mask_page_2 & ENCRYPTION_CHANGE_V2_BIT != 0;
        let code = match (refreshed, second_page) {
            (true, _) => event::ENCRYPTION_KEY_REFRESH_COMPLETE,
            (false, true) => event::ENCRYPTION_CHANGE_V2,
            (false, false) => event::ENCRYPTION_CHANGE,
        };
        let mut packet = event::event(ctx.out.pool(), code);
        packet.put_u8(status.0);
        packet.put_u16(self.handle);
        if !refreshed {
            packet.put_u8(u8::from(status.is_success()));
        }
        if code == event::ENCRYPTION_CHANGE_V2 {
            packet.put_u8(if status.is_success() { KEY_OCTETS } else { 0 });
            ctx.out.hci(event::finish(packet));
        } else {
            ctx.out.event(event::finish(packet));
        }
    }
}
