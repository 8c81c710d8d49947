//! The resolving list: identities of peers, their keys and ours. Core 6.0, Vol 6, Part B, 6.

use alloc::vec::Vec;

use airtime_core::random::Stream;
use airtime_core::{Duration, Instant};

use super::accept_list::Full;
use super::address::DeviceAddress;
use super::security::ah;
use crate::words::Address;

/// Devices the list holds. The specification leaves the number open; assumed, that of Zephyr's controller is 8.
pub const RESOLVING_LIST_SIZE: u8 = 16;

/// Default of the resolvable private address timeout. Core 6.0, Vol 4, Part E, 7.8.45.
const RPA_TIMEOUT: Duration = Duration::from_secs(900);

/// A key of zeros is none. Core 6.0, Vol 6, Part B, 6.1.
const NO_KEY: [u8; 16] = [0; 16];

/// Privacy mode: treatment of a peer that shows its identity address. Core 6.0, Vol 4, Part E, 7.8.77.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivacyMode {
    /// Network privacy: the peer is ignored, unless its key is none.
    Network,
    /// Device privacy: the peer is let through.
    Device,
}

/// A resolvable private address of our own.
#[derive(Clone, Copy, Debug)]
struct Made {
    address: Address,
    at: Instant,
}

#[derive(Clone, Debug)]
struct Entry {
    identity: DeviceAddress,
    peer_key: [u8; 16],
    local_key: [u8; 16],
    mode: PrivacyMode,
    /// The address the peer was last seen with.
    peer_address: Option<Address>,
    local_address: Option<Made>,
}

/// Identities with the keys that resolve and make private addresses.
#[derive(Clone, Debug)]
pub struct ResolvingList {
    entries: Vec<Entry>,
    /// Set while addresses of peers are resolved.
    pub enabled: bool,
    /// Time for which an address of our own is used.
    pub timeout: Duration,
}

impl Default for ResolvingList {
    fn default() -> Self {
        Self { entries: Vec::new(), enabled: false, timeout: RPA_TIMEOUT }
    }
}

impl ResolvingList {
    fn entry(&mut self, identity: DeviceAddress) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.identity == identity)
    }

    /// Tells if there is an entry for this identity.
    pub fn contains(&self, identity: DeviceAddress) -> bool {
        self.entries.iter().any(|entry| entry.identity == identity)
    }

    /// Adds a device, in network privacy mode.
    ///
    /// # Errors
    /// [`Full`] when there is no room for another.
    pub fn add(&mut self, identity: DeviceAddress, peer_key: [u8; 16], local_key: [u8; 16]) -> Result<(), Full> {
        if self.entries.len() >= usize::from(RESOLVING_LIST_SIZE) {
            return Err(Full);
        }
        let mode = PrivacyMode::Network;
        self.entries.push(Entry { identity, peer_key, local_key, mode, peer_address: None, local_address: None });
        Ok(())
    }

    /// Takes a device off the list; says whether it was on it.
    pub fn remove(&mut self, identity: DeviceAddress) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.identity != identity);
        self.entries.len() < before
    }

    /// Empties the list.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Sets how a device that shows its identity is treated; says whether it is on the list.
    pub fn set_mode(&mut self, identity: DeviceAddress, mode: PrivacyMode) -> bool {
        self.entry(identity).map(|entry| entry.mode = mode).is_some()
    }

    /// The private address a peer was last seen with.
    pub fn peer_address(&mut self, identity: DeviceAddress) -> Option<Address> {
        self.entry(identity)?.peer_address
    }

    /// The private address shown to a peer, if one was made.
    pub fn local_address(&mut self, identity: DeviceAddress) -> Option<Address> {
        self.entry(identity)?.local_address.map(|made| made.address)
    }

    /// The identity behind a resolvable address, if resolving is on and a key fits.
    pub fn resolve(&mut self, address: DeviceAddress) -> Option<DeviceAddress> {
        if !self.enabled || !address.is_resolvable() {
            return None;
        }
        let fits = |entry: &&mut Entry| entry.peer_key != NO_KEY && is_made_with(&entry.peer_key, address.octets);
        let entry = self.entries.iter_mut().find(fits)?;
        entry.peer_address = Some(address.octets);
        Some(entry.identity)
    }

    /// Tells if a device that shows this address, its identity, is to be ignored. Core 6.0, Vol 6, Part B, 4.7.
    pub fn hides(&self, address: DeviceAddress) -> bool {
        let hides =
            |entry: &Entry| entry.identity == address && entry.mode == PrivacyMode::Network && entry.peer_key != NO_KEY;
        self.enabled && self.entries.iter().any(hides)
    }

    /// Tells if a resolvable address is one of ours: made with a local key of the list.
    pub fn is_ours(&self, address: DeviceAddress) -> bool {
        let made = |entry: &Entry| entry.local_key != NO_KEY && is_made_with(&entry.local_key, address.octets);
        self.enabled && address.is_resolvable() && self.entries.iter().any(made)
    }

    /// The private address to show to this peer at `now`; none without an entry that has a local key.
    pub fn make(&mut self, now: Instant, identity: DeviceAddress, chance: &mut Stream) -> Option<Address> {
        let timeout = self.timeout;
        let entry = self.entry(identity).filter(|entry| entry.local_key != NO_KEY)?;
        if let Some(made) = entry.local_address.filter(|made| now < made.at + timeout) {
            return Some(made.address);
        }
        let address = make(&entry.local_key, chance);
        entry.local_address = Some(Made { address, at: now });
        Some(address)
    }
}

/// A new resolvable private address. Core 6.0, Vol 6, Part B, 1.3.2.2.
fn make(key: &[u8; 16], chance: &mut Stream) -> Address {
    loop {
        let [a, b, c, ..] = chance.bits().to_le_bytes();
        let prand = [a, b, c & 0x3f | 0x40];
        // The random part must hold both a zero and a one.
        let random = u32::from_le_bytes([a, b, c & 0x3f, 0]);
        if random != 0 && random != 0x3f_ffff {
            let [x, y, z] = ah(key, prand);
            return [x, y, z, prand[0], prand[1], prand[2]];
        }
    }
}

fn is_made_with(key: &[u8; 16], address: Address) -> bool {
    let [x, y, z, a, b, c] = address;
    ah(key, [a, b, c]) == [x, y, z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::random::stream;

    const PEER: DeviceAddress = DeviceAddress::random([1, 2, 3, 4, 5, 0xc6]);

    fn list() -> ResolvingList {
        let mut list = ResolvingList { enabled: true, ..ResolvingList::default() };
        list.add(PEER, [7; 16], [9; 16]).unwrap();
        list
    }

    #[test]
    fn what_a_key_made_it_resolves() {
        let mut chance = stream(1, "rpa");
        let mut list = list();
        for _ in 0..100 {
            let address = DeviceAddress::random(make(&[7; 16], &mut chance));
            assert!(address.is_resolvable());
            assert_eq!(list.resolve(address), Some(PEER));
            assert_eq!(list.peer_address(PEER), Some(address.octets));
            let other = DeviceAddress::random(make(&[8; 16], &mut chance));
            assert_eq!(list.resolve(other), None);
        }
        list.enabled = false;
        assert_eq!(list.resolve(DeviceAddress::random(make(&[7; 16], &mut chance))), None);
    }

    #[test]
    fn an_own_address_is_used_until_its_time_is_up() {
        let mut chance = stream(1, "rpa");
        let mut list = list();
        let first = list.make(Instant::ZERO, PEER, &mut chance).unwrap();
        let at = |seconds| Instant::ZERO + Duration::from_secs(seconds);
        assert_eq!(list.make(at(899), PEER, &mut chance), Some(first));
        let second = list.make(at(900), PEER, &mut chance).unwrap();
        assert_ne!(first, second);
        assert!(list.is_ours(DeviceAddress::random(second)));
        assert_eq!(list.make(at(900), DeviceAddress::public([0; 6]), &mut chance), None, "no entry");
    }

    #[test]
    fn a_bare_identity_is_hidden_in_network_privacy_mode_only() {
        let mut list = list();
        assert!(list.hides(PEER));
        assert!(list.set_mode(PEER, PrivacyMode::Device));
        assert!(!list.hides(PEER));
    }
}
