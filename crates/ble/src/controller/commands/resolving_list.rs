//! Commands of the resolving list and of private addresses. Core 6.0, Vol 4, Part E, 7.8.38 to 7.8.45 and 7.8.77.

use airtime_core::Duration;

use super::{Answer, Call, need};
use crate::controller::Controller;
use crate::hci::Status;
use crate::ll::address::DeviceAddress;
use crate::ll::resolving_list::{PrivacyMode, RESOLVING_LIST_SIZE};
use crate::words::Address;

impl Controller {
    pub(super) fn read_resolving_list_size(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u8(RESOLVING_LIST_SIZE);
        Ok(())
    }

    pub(super) fn add_to_resolving_list(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = call.address(2)?;
        let (peer_key, local_key) = (need(call.r.array())?, need(call.r.array())?);
        call.end()?;
        self.resolving_list_is_free()?;
        if self.identities.resolving.contains(identity) {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.identities.resolving.add(identity, peer_key, local_key).map_err(|_| Status::MEMORY_EXCEEDED)
    }

    pub(super) fn remove_from_resolving_list(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = call.address(2)?;
        call.end()?;
        self.resolving_list_is_free()?;
        if self.identities.resolving.remove(identity) { Ok(()) } else { Err(Status::UNKNOWN_CONNECTION) }
    }

    pub(super) fn clear_resolving_list(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        self.resolving_list_is_free()?;
        self.identities.resolving.clear();
        Ok(())
    }

    pub(super) fn read_peer_resolvable_address(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = self.listed_identity(call)?;
        return_address(call, self.identities.resolving.peer_address(identity))
    }

    pub(super) fn read_local_resolvable_address(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = self.listed_identity(call)?;
        return_address(call, self.identities.resolving.local_address(identity))
    }

    fn listed_identity(&self, call: &mut Call<'_>) -> Result<DeviceAddress, Status> {
        let identity = call.address(2)?;
        call.end()?;
        let listed = self.identities.resolving.contains(identity);
        if listed { Ok(identity) } else { Err(Status::UNKNOWN_CONNECTION) }
    }

    pub(super) fn set_address_resolution(&mut self, call: &mut Call<'_>) -> Answer {
        let enable = need(call.r.u8())?;
        call.end()?;
        if enable > 1 {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.seeks_or_advertises() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.identities.resolving.enabled = enable == 1;
        Ok(())
    }

    pub(super) fn set_rpa_timeout(&mut self, call: &mut Call<'_>) -> Answer {
        let seconds = need(call.r.u16())?;
        call.end()?;
        if !(1..=3600).contains(&seconds) {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.identities.resolving.timeout = Duration::from_secs(seconds.into());
        Ok(())
    }

    pub(super) fn set_privacy_mode(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = call.address(2)?;
        let mode = match need(call.r.u8())? {
            0 => PrivacyMode::Network,
            1 => PrivacyMode::Device,
            _ => return Err(Status::INVALID_PARAMETERS),
        };
        call.end()?;
        if self.seeks_or_advertises() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let listed = self.identities.resolving.set_mode(identity, mode);
        if listed { Ok(()) } else { Err(Status::UNKNOWN_CONNECTION) }
    }

    /// The list does not change while it is in use.
    fn resolving_list_is_free(&self) -> Answer {
        let used = self.identities.resolving.enabled && self.seeks_or_advertises();
        if used { Err(Status::COMMAND_DISALLOWED) } else { Ok(()) }
    }

    fn seeks_or_advertises(&self) -> bool {
        !self.advertisers.is_empty() || self.scanner.is_some() || self.initiator.is_some()
    }
}

/// Without an address yet there is nothing to return but zeros.
fn return_address(call: &mut Call<'_>, address: Option<Address>) -> Answer {
    call.returns.put(&address.unwrap_or_default());
    Ok(())
}
