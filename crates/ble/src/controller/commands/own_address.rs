//! Command that sets the random address. Core 6.0, Vol 4, Part E, 7.8.4.

use super::{Answer, Call, need};
use crate::hci::Status;
use crate::words::Address;

/// The random address as the host's commands meet it.
pub(super) struct Commands<'a> {
    random: &'a mut Option<Address>,
    in_use: bool,
}

impl<'a> Commands<'a> {
    /// Commands on the `random` address; `in_use` while legacy advertising, scanning or initiating goes on.
    pub fn new(random: &'a mut Option<Address>, in_use: bool) -> Self {
        Self { random, in_use }
    }

    pub fn set_random(&mut self, call: &mut Call<'_>) -> Answer {
        let address = need(call.r.array())?;
        call.end()?;
        // Legacy advertising, scanning and initiating hold on to the address they began with; sets have their own.
        if self.in_use {
            return Err(Status::COMMAND_DISALLOWED);
        }
        *self.random = Some(address);
        Ok(())
    }
}
