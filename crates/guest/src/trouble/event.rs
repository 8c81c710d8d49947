//! From the words of the application to those of a record.

use airtime_app::{Event, Phy};
use airtime_ble::air;
use airtime_ble::hci::Status;
use airtime_ble::host::{ChannelEnd, HostEvent, Role};

/// Details that the application cannot be told, and a record wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Details {
    /// PHY towards the peer.
    pub(super) phy: Phy1M,
    pub(super) peer_mtu: u16,
    pub(super) peer_mps: u16,
    pub(super) initial_credits: u16,
}

/// PHY that a connection begins with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phy1M(pub(super) Phy);

impl Default for Phy1M {
    fn default() -> Self {
        Self(Phy::Le1M)
    }
}

/// The event that the model host would have reported.
pub(super) fn event(event: &Event, role: Role, details: &Details) -> Option<HostEvent> {
    Some(match *event {
        Event::Ready => HostEvent::Ready,
        Event::Found { peer } => HostEvent::Found { peer },
        Event::ScanTimeout => HostEvent::ScanTimeout,
        Event::Connected { conn, peer, interval } => HostEvent::Connected { conn, role, peer, interval },
        Event::Disconnected { conn, reason } => HostEvent::Disconnected { conn, reason: Status(reason) },
        Event::IntervalUpdated { conn, status, interval } => {
            HostEvent::IntervalUpdated { conn, status: Status(status), interval }
        }
        Event::DataLength { conn, tx_octets, rx_octets } => HostEvent::DataLength { conn, tx_octets, rx_octets },
        Event::PhyUpdated { conn, status } => {
            HostEvent::PhyUpdated { conn, status: Status(status), tx: radio(details.phy.0) }
        }
        Event::FrameSpace { conn, status } => HostEvent::FrameSpace { conn, status: Status(status), space: air::T_IFS },
        Event::Encrypted { conn, status } => HostEvent::Encrypted { conn, status: Status(status) },
        Event::MtuExchanged { conn, mtu } => HostEvent::MtuExchanged { conn, mtu },
        Event::Discovered { conn, psm, stream } => HostEvent::Discovered { conn, psm, stream },
        Event::Subscribed { conn } => HostEvent::Subscribed { conn },
        Event::ChannelOpened { conn, channel, .. } => HostEvent::ChannelOpened {
            conn,
            channel,
            peer_mtu: details.peer_mtu,
            peer_mps: details.peer_mps,
            initial_credits: details.initial_credits,
        },
        Event::ChannelRefused { conn, result } => {
            HostEvent::ChannelClosed { conn, channel: 0, reason: ChannelEnd::Refused(result) }
        }
        // TrouBLE does not tell whose doing it was; this application closes none.
        Event::ChannelClosed { conn, channel } => {
            HostEvent::ChannelClosed { conn, channel, reason: ChannelEnd::ByPeer }
        }
        _ => return None,
    })
}

/// The air's word for a PHY.
pub(super) fn radio(phy: Phy) -> air::Phy {
    match phy {
        Phy::Le1M => air::Phy::Le1M,
        Phy::Le2M => air::Phy::Le2M,
        Phy::LeCodedS2 => air::Phy::LeCodedS2,
        Phy::LeCodedS8 => air::Phy::LeCodedS8,
    }
}
