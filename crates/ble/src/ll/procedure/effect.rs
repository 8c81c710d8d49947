//! Effects: all that a procedure may want done, by the connection it is part of.

use airtime_core::Duration;

use crate::air::Phy;
use crate::hci::Status;
use crate::ll::connection::{Encryption, Timing};
use crate::ll::control::{Control, ParameterRequest};
use crate::ll::hopping::ChannelMap;
use crate::ll::length::Offer;
use crate::ll::subrating::SubrateUpdate;

/// Effect of one input on the connection around a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// A PDU is sent.
    Send(Control),
    /// Data is held back, or let go again.
    HoldData(bool),
    /// Another encryption is in force.
    Encryption(Encryption),
    /// An offer of ours is made.
    OwnOffer(Offer),
    /// An offer of the peer has come, and what follows from both offers is in force.
    PeerOffer(Offer),
    /// These PHYs are in force.
    Phys {
        /// PHY to send on.
        tx: Phy,
        /// PHY to receive on.
        rx: Phy,
    },
    /// This timing is in force, and the anchor is somewhere in a transmit window.
    Timing {
        /// Interval, latency and timeout.
        timing: Timing,
        /// Offset of the transmit window.
        offset: Duration,
        /// Size of the transmit window.
        window: Duration,
    },
    /// This channel map is in force.
    Map(ChannelMap),
    /// The peer may leave gaps from the shortest to the longest of these.
    PeerSpace(Duration, Duration),
    /// This frame space is in force on the PHYs with these bits.
    Space {
        /// Gap before a packet.
        space: Duration,
        /// PHY bits.
        phys: u8,
    },
    /// A central has said that this subrating will be in force: until the peripheral has acknowledged it, events of either are used.
    ComingSubrating(SubrateUpdate),
    /// This subrating is in force, with its latency and timeout.
    Subrating(SubrateUpdate),
    /// The host is told.
    Tell(Told),
    /// The procedure of ours that ran is over.
    Over,
    /// The peer is asked to end the connection.
    Terminate(Status),
    /// The connection is over.
    End(Status),
}

/// Event for the host. What is in force when it is sent is added by the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Features of the peer, or none and a reason.
    Features {
        /// Success, or the peer's reason.
        status: Status,
        /// Features, one bit each.
        features: u64,
    },
    /// Version, company and subversion of the peer.
    Version(u8, u16, u16),
    /// A PHY update is over.
    Phys(Status),
    /// A connection update is over.
    Parameters(Status),
    /// The peer wants other parameters, and the host is to decide.
    ParameterRequest(ParameterRequest),
    /// The key with this random number and diversifier is needed.
    KeyRequest {
        /// Random number of the key.
        rand: u64,
        /// Diversifier of the key.
        ediv: u16,
    },
    /// An encryption start is over.
    Encryption {
        /// Success, or the reason that it is none.
        status: Status,
        /// The encryption was in force before, with another key.
        refreshed: bool,
    },
    /// A subrate update is over, or the request for one.
    Subrating(Status),
    /// A frame space update is over.
    FrameSpace {
        /// Success, or the peer's reason.
        status: Status,
        /// Initiator as HCI numbers it: 0 is this host, 2 the peer.
        initiator: u8,
        /// PHY bits.
        phys: u8,
        /// Frame space, µs.
        space: u16,
    },
}
