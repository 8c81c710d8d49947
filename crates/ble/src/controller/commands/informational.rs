//! Informational commands: the controller describes itself.

use super::{Answer, Call, has};
use crate::hci::commands::COMMANDS;
use crate::ll::procedure::{VERSION, features};
use crate::personality;
use crate::words::Address;

/// Transmit power, dBm. The virtual medium has no distances.
const TX_POWER_DBM: i8 = 0;

/// Every state and combination of Core 6.0, Vol 4, Part E, 7.8.27: bits 0 to 41.
const SUPPORTED_STATES: u64 = (1 << 42) - 1;

/// BR/EDR not supported, LE supported. Core 6.0, Vol 2, Part C, 3.3.
const LMP_FEATURES: u64 = 0b11 << 37;

/// The controller's description of itself.
pub(super) struct Commands<'a> {
    /// Abilities of the controller.
    pub personality: &'a personality::Controller,
    /// Its public address.
    pub address: Address,
}

impl Commands<'_> {
    pub fn read_local_version(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        let (version, company, subversion) = VERSION;
        call.returns.put_u8(version);
        call.returns.put_u16(subversion);
        call.returns.put_u8(version);
        call.returns.put_u16(company);
        call.returns.put_u16(subversion);
        Ok(())
    }

    pub fn read_local_commands(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        let mut bits = [0u8; 64];
        let known = COMMANDS.iter().filter(|command| has(self.personality, command.needs));
        for (octet, bit) in known.filter_map(|command| command.bit) {
            bits[octet] |= 1 << bit;
        }
        call.returns.put(&bits);
        Ok(())
    }

    pub fn read_local_features(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u64(LMP_FEATURES);
        Ok(())
    }

    pub fn read_bd_addr(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put(&self.address);
        Ok(())
    }

    pub fn le_read_buffer_size(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u16(self.personality.acl_size);
        call.returns.put_u8(self.personality.acl_count);
        Ok(())
    }

    pub fn le_read_buffer_size_v2(&mut self, call: &mut Call<'_>) -> Answer {
        self.le_read_buffer_size(call)?;
        // No isochronous data: no octets, no packets.
        call.returns.put(&[0; 3]);
        Ok(())
    }

    pub fn le_read_local_features(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u64(features(self.personality));
        Ok(())
    }

    pub fn read_supported_states(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u64(SUPPORTED_STATES);
        Ok(())
    }

    pub fn read_adv_tx_power(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u8(TX_POWER_DBM as u8);
        Ok(())
    }

    pub fn read_transmit_power(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put(&[TX_POWER_DBM as u8; 2]);
        Ok(())
    }
}
