//! Commands of the resolving list and of private addresses. Core 6.0, Vol 4, Part E, 7.8.38 to 7.8.45 and 7.8.77.

use airtime_core::Duration;

use super::{Answer, Call, need};
use crate::hci::Status;
use crate::ll::address::DeviceAddress;
use crate::ll::resolving_list::{PrivacyMode, RESOLVING_LIST_SIZE, ResolvingList};
use crate::words::Address;

/// The resolving list as the host's commands meet it.
pub(super) struct Commands<'a> {
    list: &'a mut ResolvingList,
    busy: bool,
}

impl<'a> Commands<'a> {
    /// Commands on `list`; `busy` while something advertises, scans or initiates.
    pub fn new(list: &'a mut ResolvingList, busy: bool) -> Self {
        Self { list, busy }
    }

    pub fn read_size(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u8(RESOLVING_LIST_SIZE);
        Ok(())
    }

    pub fn add(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = call.address(2)?;
        let (peer_key, local_key) = (need(call.r.array())?, need(call.r.array())?);
        call.end()?;
        self.check_free()?;
        if self.list.contains(identity) {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.list.add(identity, peer_key, local_key).map_err(|_| Status::MEMORY_EXCEEDED)
    }

    pub fn remove(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = call.address(2)?;
        call.end()?;
        self.check_free()?;
        if self.list.remove(identity) { Ok(()) } else { Err(Status::UNKNOWN_CONNECTION) }
    }

    pub fn clear(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        self.check_free()?;
        self.list.clear();
        Ok(())
    }

    pub fn read_peer_address(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = self.listed_identity(call)?;
        return_address(call, self.list.peer_address(identity))
    }

    pub fn read_local_address(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = self.listed_identity(call)?;
        return_address(call, self.list.local_address(identity))
    }

    fn listed_identity(&self, call: &mut Call<'_>) -> Result<DeviceAddress, Status> {
        let identity = call.address(2)?;
        call.end()?;
        if self.list.contains(identity) { Ok(identity) } else { Err(Status::UNKNOWN_CONNECTION) }
    }

    pub fn enable(&mut self, call: &mut Call<'_>) -> Answer {
        let enable = need(call.r.u8())?;
        call.end()?;
        if enable > 1 {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.check_idle()?;
        self.list.enabled = enable == 1;
        Ok(())
    }

    pub fn set_timeout(&mut self, call: &mut Call<'_>) -> Answer {
        let seconds = need(call.r.u16())?;
        call.end()?;
        if !(1..=3600).contains(&seconds) {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.list.timeout = Duration::from_secs(seconds.into());
        Ok(())
    }

    pub fn set_privacy_mode(&mut self, call: &mut Call<'_>) -> Answer {
        let identity = call.address(2)?;
        let mode = match need(call.r.u8())? {
            0 => PrivacyMode::Network,
            1 => PrivacyMode::Device,
            _ => return Err(Status::INVALID_PARAMETERS),
        };
        call.end()?;
        self.check_idle()?;
        if self.list.set_mode(identity, mode) { Ok(()) } else { Err(Status::UNKNOWN_CONNECTION) }
    }

    /// The list does not change while it is in use.
    fn check_free(&self) -> Answer {
        if self.list.enabled { self.check_idle() } else { Ok(()) }
    }

    fn check_idle(&self) -> Answer {
        if self.busy { Err(Status::COMMAND_DISALLOWED) } else { Ok(()) }
    }
}

/// Without an address yet there is nothing to return but zeros.
fn return_address(call: &mut Call<'_>, address: Option<Address>) -> Answer {
    call.returns.put(&address.unwrap_or_default());
    Ok(())
}
