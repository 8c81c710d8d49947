//! Procedures as they are asked for.

use crate::hci::Status;
use crate::ll::connection::Timing;
use crate::ll::control::ParameterRequest;
use crate::ll::subrating::SubrateRange;

/// A procedure this side starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    /// Feature exchange for the host.
    Features,
    /// Version exchange for the host.
    Version,
    /// Data length update.
    Length,
    /// PHY update: PHY bits to send and receive on, and the coding wanted.
    Phy {
        /// PHYs to send on.
        tx: u8,
        /// PHYs to receive on.
        rx: u8,
        /// Send LE Coded as S=8.
        s8: bool,
    },
    /// Connection update by the central.
    Update(Timing),
    /// Connection parameter request.
    Parameters(ParameterRequest),
    /// New channel map by the central.
    ChannelMap(u64),
    /// Encryption start by the central.
    Encrypt {
        /// Random number of the key.
        rand: u64,
        /// Diversifier of the key.
        ediv: u16,
        /// The key.
        key: [u8; 16],
    },
    /// Frame space update.
    FrameSpace {
        /// Shortest wanted, µs.
        min: u16,
        /// Longest wanted, µs.
        max: u16,
        /// PHY bits.
        phys: u8,
    },
    /// Other subrating: as a central set, as a peripheral asked for.
    Subrate(SubrateRange),
    /// The end.
    Terminate(Status),
}
