//! Commands of the Filter Accept List. Core 6.0, Vol 4, Part E, 7.8.14 to 7.8.17.

use super::{Answer, Call};
use crate::controller::Controller;
use crate::hci::Status;
use crate::ll::accept_list::ACCEPT_LIST_SIZE;
use crate::ll::address::DeviceAddress;
use crate::ll::advertising::Filter;

/// Address type of the devices that advertise without an address. Core 6.0, Vol 4, Part E, 7.8.16.
const ANONYMOUS: u8 = 0xff;

impl Controller {
    pub(super) fn read_accept_list_size(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u8(ACCEPT_LIST_SIZE);
        Ok(())
    }

    pub(super) fn clear_accept_list(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        self.accept_list_is_free()?;
        self.identities.accept.clear();
        Ok(())
    }

    pub(super) fn add_to_accept_list(&mut self, call: &mut Call<'_>) -> Answer {
        let device = self.accept_list_entry(call)?;
        self.accept_list_is_free()?;
        self.identities.accept.add(device).map_err(|_| Status::MEMORY_EXCEEDED)
    }

    pub(super) fn remove_from_accept_list(&mut self, call: &mut Call<'_>) -> Answer {
        let device = self.accept_list_entry(call)?;
        self.accept_list_is_free()?;
        self.identities.accept.remove(device);
        Ok(())
    }

    fn accept_list_entry(&self, call: &mut Call<'_>) -> Result<DeviceAddress, Status> {
        if call.r.rest().first() == Some(&ANONYMOUS) {
            return Err(Status::UNSUPPORTED_FEATURE);
        }
        let device = call.address(2)?;
        call.end()?;
        Ok(device)
    }

    /// The list does not change while something goes by it. Core 6.0, Vol 4, Part E, 7.8.15.
    fn accept_list_is_free(&self) -> Answer {
        let advertises = self.advertisers.iter().any(|a| a.parameters().filter != Filter::default());
        let scans = self.scanner.as_ref().is_some_and(|scanner| scanner.setup().filter.listed);
        let initiates = self.initiator.as_ref().is_some_and(|initiator| initiator.peer.is_none());
        if advertises || scans || initiates { Err(Status::COMMAND_DISALLOWED) } else { Ok(()) }
    }
}
