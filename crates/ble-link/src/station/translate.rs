//! Between the words of the application and those of the host.

use airtime_app::{Command, Event};
use airtime_ble::air::Phy;
use airtime_ble::host::{ChannelEnd, HostEvent, Request};

/// Event for the application from a host's event, if there is one.
pub(super) fn event(event: &HostEvent) -> Option<Event> {
    Some(match *event {
        HostEvent::Ready => Event::Ready,
        HostEvent::Found { peer } => Event::Found { peer },
        HostEvent::ScanTimeout => Event::ScanTimeout,
        HostEvent::Connected { conn, peer, interval, .. } => Event::Connected { conn, peer, interval },
        HostEvent::Disconnected { conn, reason } => Event::Disconnected { conn, reason: reason.0 },
        HostEvent::IntervalUpdated { conn, status, interval } => {
            Event::IntervalUpdated { conn, status: status.0, interval }
        }
        HostEvent::DataLength { conn, tx_octets, rx_octets } => Event::DataLength { conn, tx_octets, rx_octets },
        HostEvent::PhyUpdated { conn, status, .. } => Event::PhyUpdated { conn, status: status.0 },
        HostEvent::FrameSpace { conn, status, .. } => Event::FrameSpace { conn, status: status.0 },
        HostEvent::Encrypted { conn, status } => Event::Encrypted { conn, status: status.0 },
        HostEvent::MtuExchanged { conn, mtu } => Event::MtuExchanged { conn, mtu },
        HostEvent::Discovered { conn, psm, stream } => Event::Discovered { conn, psm, stream },
        HostEvent::Subscribed { conn } => Event::Subscribed { conn },
        HostEvent::ChannelOpened { conn, channel, peer_mtu, peer_mps, .. } => {
            Event::ChannelOpened { conn, channel, peer_mtu, peer_mps }
        }
        HostEvent::ChannelClosed { conn, reason: ChannelEnd::Refused(result), .. } => {
            Event::ChannelRefused { conn, result }
        }
        // The connection's own end says it.
        HostEvent::ChannelClosed { reason: ChannelEnd::LinkLost, .. } => return None,
        HostEvent::ChannelClosed { conn, channel, .. } => Event::ChannelClosed { conn, channel },
        HostEvent::Sent { conn, channel } => Event::Sent { conn, channel },
        HostEvent::Received { conn, channel, sdu } => Event::Received { conn, channel, len: sdu.len, head: sdu.head },
        _ => return None,
    })
}

/// Gives `take` the request that a command stands for; none for an SDU, whose octets are made by
/// the station.
pub(super) fn with_request<T>(command: &Command, take: impl FnOnce(Request<'_>) -> T) -> Option<T> {
    let request = match command {
        Command::Listen { psm } => Request::Listen { psm: *psm },
        Command::Advertise { name, interval } => Request::Advertise { name: name.as_str(), interval: *interval },
        Command::StopAdvertising => Request::StopAdvertising,
        Command::Scan { name, timeout, except } => {
            Request::Scan { name: name.as_str(), timeout: *timeout, except: except.as_slice() }
        }
        &Command::Connect { peer, interval, latency, supervision_timeout } => {
            Request::Connect { peer, interval, latency, supervision_timeout }
        }
        &Command::Disconnect { conn } => Request::Disconnect { conn },
        &Command::SetDataLength { conn, octets } => Request::SetDataLength { conn, octets },
        &Command::SetPhy { conn, phy } => Request::SetPhy { conn, phy: radio(phy) },
        &Command::SetFrameSpace { conn, space } => Request::SetFrameSpace { conn, space },
        &Command::Encrypt { conn } => Request::Encrypt { conn },
        &Command::UpdateInterval { conn, shortest, interval, latency, supervision_timeout } => {
            Request::UpdateInterval { conn, shortest, interval, latency, supervision_timeout }
        }
        &Command::ExchangeMtu { conn } => Request::ExchangeMtu { conn },
        &Command::Discover { conn } => Request::Discover { conn },
        &Command::Subscribe { conn } => Request::Subscribe { conn },
        &Command::OpenChannel { conn, psm } => Request::OpenChannel { conn, psm },
        _ => return None,
    };
    Some(take(request))
}

/// The radio's word for a PHY.
fn radio(phy: airtime_app::Phy) -> Phy {
    match phy {
        airtime_app::Phy::Le1M => Phy::Le1M,
        airtime_app::Phy::Le2M => Phy::Le2M,
        airtime_app::Phy::LeCodedS2 => Phy::LeCodedS2,
        airtime_app::Phy::LeCodedS8 => Phy::LeCodedS8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_ble::hci::Status;

    #[test]
    fn reasons_stay_the_numbers_they_are() {
        let gone = HostEvent::Disconnected { conn: 3, reason: Status::FAILED_TO_ESTABLISH };
        assert_eq!(event(&gone), Some(Event::Disconnected { conn: 3, reason: 0x3e }));
    }

    #[test]
    fn a_channel_that_ends_with_its_connection_is_not_told() {
        let closed = |reason| event(&HostEvent::ChannelClosed { conn: 0, channel: 64, reason });
        assert_eq!(closed(ChannelEnd::LinkLost), None);
        assert_eq!(closed(ChannelEnd::ByPeer), Some(Event::ChannelClosed { conn: 0, channel: 64 }));
        assert_eq!(closed(ChannelEnd::Refused(2)), Some(Event::ChannelRefused { conn: 0, result: 2 }));
    }

    #[test]
    fn an_sdu_is_no_request_without_its_octets() {
        let open = with_request(&Command::OpenChannel { conn: 0, psm: 0x80 }, |request| format!("{request:?}"));
        assert_eq!(open.as_deref(), Some("OpenChannel { conn: 0, psm: 128 }"));
        assert_eq!(with_request(&Command::Send { conn: 0, channel: 64, len: 1 }, |_| ()), None);
    }
}
