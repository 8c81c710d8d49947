//! Commands of encryption and random numbers. Core 6.0, Vol 4, Part E, 7.8.22 to 7.8.26.

use super::{Answer, Call, need};
use crate::controller::Controller;
use crate::hci::Status;
use crate::ll::procedure::Local;
use crate::ll::security::e;
use crate::words::Role;

impl Controller {
    pub(super) fn encrypt(&mut self, call: &mut Call<'_>) -> Answer {
        let (key, plaintext) = (need(call.r.array())?, need(call.r.array())?);
        call.end()?;
        call.returns.put(&e(&key, &plaintext));
        Ok(())
    }

    pub(super) fn rand(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        let bits = self.numbers.bits();
        call.returns.put_u64(bits);
        Ok(())
    }

    pub(super) fn enable_encryption(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |_, connection, r| {
            let (rand, ediv, key) = (need(r.u64())?, need(r.u16())?, need(r.array())?);
            if connection.role != Role::Central || connection.procedures.encrypts() {
                return Err(Status::COMMAND_DISALLOWED);
            }
            Ok(Local::Encrypt { rand, ediv, key })
        })
    }

    pub(super) fn key_reply(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        let key = need(call.r.array())?;
        call.end()?;
        self.answer_key(call, slot, Some(key))
    }

    pub(super) fn key_refusal(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        call.end()?;
        self.answer_key(call, slot, None)
    }

    fn answer_key(&mut self, call: &Call<'_>, slot: usize, key: Option<[u8; 16]>) -> Answer {
        let asked = self.connections[slot].as_ref().is_some_and(|c| c.procedures.owes_key());
        if !asked {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(slot, call.now, |connection, ctx| connection.answer_key(ctx, key));
        Ok(())
    }
}
