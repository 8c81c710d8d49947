//! Commands of the Filter Accept List. Core 6.0, Vol 4, Part E, 7.8.14 to 7.8.17.

use super::{Answer, Call};
use crate::hci::Status;
use crate::ll::accept_list::{ACCEPT_LIST_SIZE, AcceptList};
use crate::ll::address::DeviceAddress;

/// Address type of the devices that advertise without an address. Core 6.0, Vol 4, Part E, 7.8.16.
const ANONYMOUS: u8 = 0xff;

/// The Filter Accept List as the host's commands meet it.
pub(super) struct Commands<'a> {
    list: &'a mut AcceptList,
    in_use: bool,
}

impl<'a> Commands<'a> {
    /// Commands on `list`; `in_use` while something advertises, scans or initiates by it.
    pub fn new(list: &'a mut AcceptList, in_use: bool) -> Self {
        Self { list, in_use }
    }

    pub fn read_size(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u8(ACCEPT_LIST_SIZE);
        Ok(())
    }

    pub fn clear(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        self.check_free()?;
        self.list.clear();
        Ok(())
    }

    pub fn add(&mut self, call: &mut Call<'_>) -> Answer {
        let device = entry(call)?;
        self.check_free()?;
        self.list.add(device).map_err(|_| Status::MEMORY_EXCEEDED)
    }

    pub fn remove(&mut self, call: &mut Call<'_>) -> Answer {
        let device = entry(call)?;
        self.check_free()?;
        self.list.remove(device);
        Ok(())
    }

    /// The list does not change while something goes by it. Core 6.0, Vol 4, Part E, 7.8.15.
    fn check_free(&self) -> Answer {
        if self.in_use { Err(Status::COMMAND_DISALLOWED) } else { Ok(()) }
    }
}

fn entry(call: &mut Call<'_>) -> Result<DeviceAddress, Status> {
    if call.r.rest().first() == Some(&ANONYMOUS) {
        return Err(Status::UNSUPPORTED_FEATURE);
    }
    let device = call.address(2)?;
    call.end()?;
    Ok(device)
}
