//! Link layer control procedures. Core 6.0, Vol 6, Part B, 5.1.
//!
//! Each procedure is a machine of its own: it keeps what is under way, takes inputs with the facts it
//! decides by, and gives effects, which the connection carries out. What is in force is the
//! connection's. The tables of all machines are in `tables/snapshots`.
//!
//! One procedure of our own runs at a time and the others wait; a procedure of the peer is answered
//! whenever it comes. What has an instant waits in its procedure for its event.

mod apply;
mod channel_map;
mod data_length;
mod effect;
mod encryption_start;
mod facts;
mod features;
mod frame_space;
mod local;
mod parameters;
mod phy;
mod route;
mod subrate;
#[cfg(test)]
mod tables;
mod tell;
mod termination;
mod turn;
mod version;

use airtime_core::Instant;

use super::length::Offer;
use super::subrating::SubrateRange;
use channel_map::ChannelMapUpdate;
use data_length::DataLengthUpdate;
use encryption_start::EncryptionStart;
use features::FeatureExchange;
use frame_space::FrameSpaceUpdate;
use parameters::ParameterUpdate;
use phy::PhyUpdate;
use subrate::Subrate;
use termination::Termination;
use turn::Turn;
use version::VersionExchange;

pub use features::{SUBRATING_HOST_SUPPORT, features};
pub use local::Local;
pub use parameters::timing;
pub use phy::{phy_number, supported_phys};
pub use version::VERSION;

/// Control procedures of one connection.
#[derive(Debug)]
pub struct Procedures {
    turn: Turn,
    termination: Termination,
    features: FeatureExchange,
    version: VersionExchange,
    length: DataLengthUpdate,
    phy: PhyUpdate,
    parameters: ParameterUpdate,
    map: ChannelMapUpdate,
    encryption: EncryptionStart,
    space: FrameSpaceUpdate,
    subrate: Subrate,
    /// Features that the peer has told.
    peer: Option<u64>,
}

impl Procedures {
    /// Nothing under way; `offer` is made when a length procedure runs, `phys` are allowed to send and to receive on when the peer asks
    /// for others, and `subrates` are acceptable when it asks for subrating.
    pub fn new(offer: Offer, phys: (u8, u8), subrates: SubrateRange) -> Self {
        Self {
            turn: Turn::default(),
            termination: Termination::default(),
            features: FeatureExchange::default(),
            version: VersionExchange::default(),
            length: DataLengthUpdate::new(offer),
            phy: PhyUpdate::new(phys),
            parameters: ParameterUpdate::default(),
            map: ChannelMapUpdate::default(),
            encryption: EncryptionStart::default(),
            space: FrameSpaceUpdate::default(),
            subrate: Subrate::new(subrates),
            peer: None,
        }
    }

    /// Instant at which the running procedure has taken too long. Of a connection that is being terminated nothing else counts.
    pub fn deadline(&self) -> Instant {
        self.termination.by().unwrap_or_else(|| self.turn.deadline())
    }

    /// True while something is under way that forbids sleeping.
    pub fn busy(&self) -> bool {
        self.turn.is_busy()
            || self.parameters.instant().is_some()
            || self.map.instant().is_some()
            || self.phy.instant().is_some()
            || self.encryption.owes_key()
            || self.subrate.is_coming()
            || self.termination.leaves()
    }

    /// True while no further procedure can be queued.
    pub fn is_full(&self) -> bool {
        self.turn.is_full()
    }

    /// Changes the offer of the next length procedure.
    pub fn set_tx_offer(&mut self, octets: u16, time: u16) {
        self.length.set_tx_offer(octets, time);
    }

    /// True while the host owes an answer to a parameter request.
    pub fn owes_answer(&self) -> bool {
        self.parameters.owes_answer()
    }

    /// True if the peer has told these features.
    pub fn peer_has(&self, features: u64) -> bool {
        self.peer.is_some_and(|peer| peer & features == features)
    }

    /// Tells if the event with this counter is used whatever the subrating: the one at which other parameters take effect, and the one
    /// before it. Core 6.2, Vol 6, Part B, 5.1.1.
    pub(crate) fn needs_event(&self, counter: u16) -> bool {
        self.parameters.instant().is_some_and(|instant| instant.wrapping_sub(counter) <= 1)
    }

    /// True while the host owes a key.
    pub fn owes_key(&self) -> bool {
        self.encryption.owes_key()
    }

    /// True while an encryption start of ours runs or waits.
    pub fn encrypts(&self) -> bool {
        self.turn.has(|local| matches!(local, Local::Encrypt { .. }))
    }

    /// True while the connection is being terminated from here.
    pub fn terminates(&self) -> bool {
        self.termination.by().is_some()
    }

    /// The termination, which is told of each packet.
    pub(crate) fn termination(&mut self) -> &mut Termination {
        &mut self.termination
    }
}
