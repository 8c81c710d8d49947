//! Parameters that both ends agreed on, as one end was told.

use airtime_ble::air::{DATA_OCTETS_MIN, Phy, T_IFS};
use airtime_ble::hci::Status;
use airtime_ble::host::{ConnHandle, HostEvent};
use airtime_core::Duration;

/// The parameters of one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Negotiated {
    /// Connection interval now.
    pub interval: Duration,
    /// Connection interval at the start.
    pub first_interval: Duration,
    /// Reason that the last change of the interval was refused, if it was.
    pub interval_refused: Option<Status>,
    /// PHY towards the peer.
    pub phy: Phy,
    /// Reason that the PHY asked for was refused, if it was.
    pub phy_refused: Option<Status>,
    /// LL payload octets towards the peer.
    pub tx_octets: u16,
    /// LL payload octets from the peer.
    pub rx_octets: u16,
    /// Frame space.
    pub frame_space: Duration,
    /// Reason that the frame space asked for was refused, if it was.
    pub frame_space_refused: Option<Status>,
    /// Subrate factor and continuation number.
    pub subrate: (u16, u16),
    /// Set if the connection is encrypted.
    pub encrypted: bool,
    /// ATT MTU.
    pub att_mtu: u16,
    /// PSM discovered.
    pub psm: Option<u16>,
    /// The first channel, if one was opened.
    pub channel: Option<ChannelTerms>,
    /// Channels opened.
    pub channels: u16,
}

/// Terms of a channel as the peer said them when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelTerms {
    /// Largest SDU it takes.
    pub peer_mtu: u16,
    /// Largest K-frame payload it takes.
    pub peer_mps: u16,
    /// Credits it gave.
    pub initial_credits: u16,
}

impl Default for Negotiated {
    /// Parameters before anything was negotiated.
    fn default() -> Self {
        Self {
            interval: Duration::ZERO,
            first_interval: Duration::ZERO,
            interval_refused: None,
            phy: Phy::Le1M,
            phy_refused: None,
            tx_octets: DATA_OCTETS_MIN,
            rx_octets: DATA_OCTETS_MIN,
            frame_space: T_IFS,
            frame_space_refused: None,
            subrate: (1, 0),
            encrypted: false,
            // Core 6.0, Vol 3, Part G, 5.2.1.
            att_mtu: 23,
            psm: None,
            channel: None,
            channels: 0,
        }
    }
}

impl Negotiated {
    /// Notes what an event says of the connection.
    fn observe(&mut self, event: &HostEvent) {
        match *event {
            HostEvent::Connected { interval, .. } => {
                (self.interval, self.first_interval) = (interval, interval);
            }
            HostEvent::IntervalUpdated { status, interval, .. } => {
                if status.is_success() && interval != self.interval {
                    self.subrate = (1, 0);
                }
                self.interval = interval;
                self.interval_refused = refusal(status);
            }
            HostEvent::DataLength { tx_octets, rx_octets, .. } => {
                (self.tx_octets, self.rx_octets) = (tx_octets, rx_octets);
            }
            HostEvent::PhyUpdated { status, tx, .. } => {
                self.phy = tx;
                self.phy_refused = refusal(status);
            }
            HostEvent::FrameSpace { status, space, .. } => {
                self.frame_space_refused = refusal(status);
                if status.is_success() {
                    self.frame_space = space;
                }
            }
            HostEvent::Subrated { status, factor, continuation, .. } if status.is_success() => {
                self.subrate = (factor, continuation);
            }
            HostEvent::Encrypted { status, .. } => self.encrypted = status.is_success(),
            HostEvent::MtuExchanged { mtu, .. } => self.att_mtu = mtu,
            HostEvent::Discovered { psm, .. } => self.psm = psm,
            HostEvent::ChannelOpened { peer_mtu, peer_mps, initial_credits, .. } => {
                self.channel.get_or_insert(ChannelTerms { peer_mtu, peer_mps, initial_credits });
                self.channels += 1;
            }
            _ => {}
        }
    }
}

fn refusal(status: Status) -> Option<Status> {
    (!status.is_success()).then_some(status)
}

/// Notes what an event says in the parameters of its connection, which begin anew when it does.
pub(super) fn note(of: &mut Negotiated, event: &HostEvent) {
    if matches!(event, HostEvent::Connected { .. }) {
        *of = Negotiated::default();
    }
    of.observe(event);
}

/// The connection whose parameters an event may change.
pub(super) fn conn(event: &HostEvent) -> Option<ConnHandle> {
    match *event {
        HostEvent::Connected { conn, .. }
        | HostEvent::IntervalUpdated { conn, .. }
        | HostEvent::DataLength { conn, .. }
        | HostEvent::PhyUpdated { conn, .. }
        | HostEvent::FrameSpace { conn, .. }
        | HostEvent::Subrated { conn, .. }
        | HostEvent::Encrypted { conn, .. }
        | HostEvent::MtuExchanged { conn, .. }
        | HostEvent::Discovered { conn, .. }
        | HostEvent::ChannelOpened { conn, .. } => Some(conn),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_ble::host::Role;

    #[test]
    fn the_last_word_on_each_parameter_counts() {
        let fifteen = Duration::from_millis(15);
        let mut seen = Negotiated::default();
        let refused = Status::UNACCEPTABLE_PARAMETERS;
        for event in [
            HostEvent::Connected { conn: 0, role: Role::Central, peer: [0; 6], interval: fifteen },
            HostEvent::DataLength { conn: 0, tx_octets: 251, rx_octets: 251 },
            HostEvent::PhyUpdated { conn: 0, status: Status::SUCCESS, tx: Phy::Le2M },
            HostEvent::IntervalUpdated { conn: 0, status: refused, interval: fifteen },
            HostEvent::FrameSpace { conn: 0, status: Status::UNSUPPORTED_REMOTE_FEATURE, space: Duration::ZERO },
            HostEvent::ChannelOpened { conn: 0, channel: 64, peer_mtu: 2_000, peer_mps: 247, initial_credits: 10 },
            HostEvent::ChannelOpened { conn: 0, channel: 65, peer_mtu: 23, peer_mps: 23, initial_credits: 1 },
        ] {
            assert_eq!(conn(&event), Some(0));
            seen.observe(&event);
        }
        let expected = Negotiated {
            interval: fifteen,
            first_interval: fifteen,
            interval_refused: Some(refused),
            phy: Phy::Le2M,
            tx_octets: 251,
            rx_octets: 251,
            frame_space_refused: Some(Status::UNSUPPORTED_REMOTE_FEATURE),
            channel: Some(ChannelTerms { peer_mtu: 2_000, peer_mps: 247, initial_credits: 10 }),
            channels: 2,
            ..Negotiated::default()
        };
        assert_eq!(seen, expected);
    }
}
