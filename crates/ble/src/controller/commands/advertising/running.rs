//! The advertisers at work.

use alloc::vec::Vec;

use airtime_core::Instant;

use crate::ll::advertising::{Advertiser, Filter};

/// The advertisers at work: the legacy one, or those of sets, in the order of their starts. One at most is active.
#[derive(Debug, Default)]
pub struct Running(pub(super) Vec<Advertiser>);

impl Running {
    /// True while none is at work.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Instant at which the next one is due. A controller that streams has none, and asks this for every packet.
    pub fn due(&self) -> Instant {
        if self.0.is_empty() {
            return Instant::FAR_FUTURE;
        }
        self.0.iter().map(Advertiser::deadline).fold(Instant::FAR_FUTURE, Instant::min)
    }

    /// Tells if one of them goes by the Filter Accept List.
    pub fn goes_by_list(&self) -> bool {
        self.0.iter().any(|advertiser| advertiser.parameters().filter != Filter::default())
    }

    /// Tells if the advertiser of this set is at work, or the legacy one.
    pub fn has(&self, set: Option<u8>) -> bool {
        self.0.iter().any(|advertiser| advertiser.parameters().set == set)
    }

    /// The advertiser of this set, or the legacy one.
    pub fn of(&mut self, set: Option<u8>) -> Option<&mut Advertiser> {
        self.0.iter_mut().find(|advertiser| advertiser.parameters().set == set)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Advertiser> {
        self.0.iter()
    }

    /// All of them, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Advertiser> {
        self.0.iter_mut()
    }

    /// The one with this number.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Advertiser> {
        self.0.get_mut(index)
    }

    /// Takes the one with this number out.
    ///
    /// # Panics
    /// When there is none.
    pub fn remove(&mut self, index: usize) -> Advertiser {
        self.0.remove(index)
    }

    /// The one that is between the start and the end of an event.
    pub fn active(&mut self) -> Option<&mut Advertiser> {
        self.0.iter_mut().find(|advertiser| advertiser.active)
    }

    /// Takes the active one out.
    pub fn take_active(&mut self) -> Option<Advertiser> {
        let index = self.0.iter().position(|advertiser| advertiser.active)?;
        Some(self.0.remove(index))
    }

    /// Sets one to work.
    pub fn start(&mut self, advertiser: Advertiser) {
        self.0.push(advertiser);
    }

    /// Stops the advertiser of this set, or the legacy one; says whether it was active.
    pub fn stop(&mut self, set: Option<u8>) -> bool {
        let index = self.0.iter().position(|advertiser| advertiser.parameters().set == set);
        index.is_some_and(|index| self.0.remove(index).active)
    }
}
