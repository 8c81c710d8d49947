//! Commands of AES-128 and random numbers. Core 6.0, Vol 4, Part E, 7.8.22 and 7.8.23.

use airtime_core::random::Stream;

use super::{Answer, Call, need};
use crate::ll::security::e;

/// AES-128 and random numbers as the host's commands meet them.
pub(super) struct Commands<'a> {
    /// Random numbers for LE Rand.
    pub numbers: &'a mut Stream,
}

impl Commands<'_> {
    pub fn encrypt(&mut self, call: &mut Call<'_>) -> Answer {
        let (key, plaintext) = (need(call.r.array())?, need(call.r.array())?);
        call.end()?;
        call.returns.put(&e(&key, &plaintext));
        Ok(())
    }

    pub fn rand(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        let bits = self.numbers.bits();
        call.returns.put_u64(bits);
        Ok(())
    }
}
