//! Identities: the addresses a device shows, and the devices it takes senders for. Own addresses, the Filter Accept
//! List and the resolving list together. Core 6.0, Vol 6, Part B, 4.3 and 6.

use airtime_core::Instant;
use airtime_core::random::Stream;

use super::accept_list::AcceptList;
use super::address::{DeviceAddress, OwnAddress};
use super::resolving_list::ResolvingList;
use crate::words::Address;

/// Sender of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender {
    /// Its address on the air.
    pub shown: DeviceAddress,
    /// Its identity, where the resolving list knows it.
    pub identity: Option<DeviceAddress>,
}

impl Sender {
    /// The identity, else what is shown.
    pub fn address(&self) -> DeviceAddress {
        self.identity.unwrap_or(self.shown)
    }

    /// Address type of HCI events: 2 and 3 for a resolved identity.
    pub fn hci_kind(&self) -> u8 {
        self.address().kind as u8 | if self.identity.is_some() { 2 } else { 0 }
    }

    /// Tells if this is the device that a command has named: by its identity, or by what it shows.
    pub fn is(&self, wanted: DeviceAddress) -> bool {
        self.address() == wanted || self.shown == wanted
    }
}

/// Addresses and lists of one controller.
#[derive(Debug)]
pub struct Identities {
    /// The public address.
    pub public: Address,
    /// The random address, if the host has set one.
    pub random: Option<Address>,
    /// The Filter Accept List.
    pub accept: AcceptList,
    /// The resolving list.
    pub resolving: ResolvingList,
    chance: Stream,
}

impl Identities {
    /// A device with this public address and empty lists; private addresses are drawn from `chance`.
    pub fn new(public: Address, chance: Stream) -> Self {
        let (accept, resolving) = (AcceptList::default(), ResolvingList::default());
        Self { public, random: None, accept, resolving, chance }
    }

    /// Forgets what the host has set.
    pub fn reset(&mut self) {
        self.random = None;
        self.accept = AcceptList::default();
        self.resolving = ResolvingList::default();
    }

    /// The address to show to `peer` at `now`, with `random` as the random address; none when the host has
    /// set none.
    pub fn own(
        &mut self,
        now: Instant,
        own: OwnAddress,
        random: Option<Address>,
        peer: Option<DeviceAddress>,
    ) -> Option<DeviceAddress> {
        if let (true, Some(peer)) = (own.is_resolvable(), peer)
            && let Some(made) = self.resolving.make(now, peer, &mut self.chance)
        {
            return Some(DeviceAddress::random(made));
        }
        if own.falls_back_to_random() { random.map(DeviceAddress::random) } else { Some(self.public()) }
    }

    /// The public address.
    pub fn public(&self) -> DeviceAddress {
        DeviceAddress::public(self.public)
    }

    /// Device behind the address of a packet; none when privacy says to ignore it.
    pub fn sender(&mut self, shown: DeviceAddress) -> Option<Sender> {
        if self.resolving.hides(shown) {
            return None;
        }
        Some(Sender { shown, identity: self.resolving.resolve(shown) })
    }

    /// Tells if the Filter Accept List has this sender.
    pub fn accepts(&self, sender: &Sender) -> bool {
        self.accept.contains(sender.address())
    }

    /// Tells if a packet for `target` is for a device that shows `own`, or one of its private addresses.
    pub fn is_for(&self, target: DeviceAddress, own: Option<DeviceAddress>) -> bool {
        Some(target) == own || self.resolving.is_ours(target)
    }
}
