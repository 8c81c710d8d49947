//! The Filter Accept List. Core 6.0, Vol 6, Part B, 4.3.1.

use alloc::vec::Vec;

use super::address::DeviceAddress;

/// Devices the list holds. The specification leaves the number open; assumed, that of Zephyr's controller is 8.
pub const ACCEPT_LIST_SIZE: u8 = 16;

/// The list is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Devices a filter policy lets through.
#[derive(Clone, Debug, Default)]
pub struct AcceptList {
    entries: Vec<DeviceAddress>,
}

impl AcceptList {
    /// Tells if the device is on the list.
    pub fn contains(&self, address: DeviceAddress) -> bool {
        self.entries.contains(&address)
    }

    /// True while nothing is on the list.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a device; one that is there already is there once.
    ///
    /// # Errors
    /// [`Full`] when there is no room for another.
    pub fn add(&mut self, address: DeviceAddress) -> Result<(), Full> {
        if self.contains(address) {
            return Ok(());
        }
        if self.entries.len() >= usize::from(ACCEPT_LIST_SIZE) {
            return Err(Full);
        }
        self.entries.push(address);
        Ok(())
    }

    /// Takes a device off the list, if it is on it.
    pub fn remove(&mut self, address: DeviceAddress) {
        self.entries.retain(|entry| *entry != address);
    }

    /// Empties the list.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_its_size_and_each_device_once() {
        let mut list = AcceptList::default();
        for i in 0..ACCEPT_LIST_SIZE {
            assert_eq!(list.add(DeviceAddress::public([i; 6])), Ok(()));
            assert_eq!(list.add(DeviceAddress::public([i; 6])), Ok(()));
        }
        assert_eq!(list.add(DeviceAddress::random([0; 6])), Err(Full));
        list.remove(DeviceAddress::public([3; 6]));
        assert_eq!(list.add(DeviceAddress::random([0; 6])), Ok(()));
        assert!(!list.contains(DeviceAddress::public([3; 6])) && list.contains(DeviceAddress::random([0; 6])));
    }
}
