//! Terms that this end offers on its channels.

use airtime_app::Transport;
use trouble_host::PacketPool;
use trouble_host::l2cap::{CreditFlowPolicy, L2capChannelConfig};

/// Octets of the L2CAP basic header, which shares a packet with the K-frame. Core 6.0, Vol 3, Part A,
/// 3.1.
const BASIC_HEADER: u16 = 4;

/// Rule by which the receiver grants credits for what has arrived. TrouBLE looks at this once per SDU that the application
/// takes, never inside an SDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// As soon as at least this many K-frames have arrived since the last grant.
    Every(u16),
    /// Below so many credits left to the peer.
    Below(u16),
}

/// The terms of one end: what it streams by, and those of its credit-based channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Transport of the stream, as the machine has it: with values an end takes no channels, and publishes no PSM.
    pub transport: Transport,
    /// The one PSM this end takes channels on, registered with the stack; 0x0080..=0x00FF.
    pub psm: u16,
    /// Largest SDU it takes; default and upper limit what the pool's packets hold.
    pub mtu: Option<u16>,
    /// Largest K-frame payload it takes; default and upper limit the pool's packets less 4 octets.
    pub mps: Option<u16>,
    /// Credits it gives when a channel opens; default what its receive queue and its pool hold.
    pub initial_credits: Option<u16>,
    /// Rule by which it grants more; default after every K-frame.
    pub grant: Grant,
}

impl Terms {
    /// TrouBLE's own defaults on `psm`, for a stream in channels.
    pub const fn new(psm: u16) -> Self {
        Self { transport: Transport::Coc, psm, mtu: None, mps: None, initial_credits: None, grant: Grant::Every(1) }
    }

    /// Configuration in TrouBLE's words, within what its pool holds: a frame above it would end the channel.
    pub(crate) fn config<P: PacketPool>(&self) -> L2capChannelConfig {
        let packet = u16::try_from(P::MTU).unwrap_or(u16::MAX);
        L2capChannelConfig {
            mtu: self.mtu.map(|mtu| mtu.min(packet)),
            mps: self.mps.map(|mps| mps.min(packet.saturating_sub(BASIC_HEADER))),
            flow_policy: match self.grant {
                Grant::Every(frames) => CreditFlowPolicy::Every(frames.max(1)),
                Grant::Below(credits) => CreditFlowPolicy::MinThreshold(credits),
            },
            initial_credits: self.initial_credits,
        }
    }
}
