//! Drop points: places where packets are lost, each with a name of its own.

use crate::hosted::coprocessor::CoprocessorDrop;
use crate::hosted::host::HostDrop;

/// Drop point: the place where a packet was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DropPoint {
    /// By the host's side of the bus.
    Host(HostDrop),
    /// By the co-processor's.
    Coprocessor(CoprocessorDrop),
    /// The host's queue in front of the bus was full, and nobody could wait.
    HostQueue,
    /// Refused by the interface because the transport is not up.
    NotUp,
    /// Sent too often without an acknowledgement.
    AirRetries,
    /// Too old to be sent.
    AirLifetime,
    /// The queue in front of the wired hop was full.
    PathQueue,
    /// The access point's queue for the air was full.
    ApQueue,
    /// The co-processor's Wi-Fi receive buffers were used up.
    WifiRx,
    /// In the co-processor's Wi-Fi receive buffers when it was reset.
    WifiReset,
    /// No IPv4 packet.
    NotIp,
}

/// Places of the host's side and of the co-processor's.
const HOST: usize = HostDrop::ALL.len();
const COPROCESSOR: usize = CoprocessorDrop::ALL.len();

/// Places besides those.
const OTHERS: [DropPoint; 9] = [
    DropPoint::HostQueue,
    DropPoint::NotUp,
    DropPoint::AirRetries,
    DropPoint::AirLifetime,
    DropPoint::PathQueue,
    DropPoint::ApQueue,
    DropPoint::WifiRx,
    DropPoint::WifiReset,
    DropPoint::NotIp,
];

impl DropPoint {
    /// Number of drop points.
    pub const COUNT: usize = HOST + COPROCESSOR + OTHERS.len();

    /// Drop points in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        let sides =
            HostDrop::ALL.into_iter().map(Self::Host).chain(CoprocessorDrop::ALL.into_iter().map(Self::Coprocessor));
        sides.chain(OTHERS)
    }

    /// Its place in [`all`](Self::all), below [`COUNT`](Self::COUNT).
    pub fn index(self) -> usize {
        match self {
            Self::Host(at) => at as usize,
            Self::Coprocessor(at) => HOST + at as usize,
            other => HOST + COPROCESSOR + OTHERS.iter().position(|at| *at == other).unwrap_or_default(),
        }
    }

    /// True if the interface refused the packet, so that its sender knows.
    pub fn refused(self) -> bool {
        matches!(self, Self::Host(HostDrop::Throttled) | Self::NotUp)
    }

    /// The name of its counter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host(at) => at.name(),
            Self::Coprocessor(at) => at.name(),
            Self::HostQueue => "drops.host_queue",
            Self::NotUp => "drops.not_up",
            Self::AirRetries => "drops.air_retries",
            Self::AirLifetime => "drops.air_lifetime",
            Self::PathQueue => "drops.path_queue",
            Self::ApQueue => "drops.ap_queue",
            Self::WifiRx => "drops.wifi_rx",
            Self::WifiReset => "drops.wifi_reset",
            Self::NotIp => "drops.not_ip",
        }
    }

    /// One line on what is dropped here.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Host(at) => host_meaning(at),
            Self::Coprocessor(at) => coprocessor_meaning(at),
            Self::HostQueue => "the host's queue in front of the bus was full, and nobody could wait",
            Self::NotUp => "refused by the interface because the transport is not up",
            Self::AirRetries => "sent too often without an acknowledgement",
            Self::AirLifetime => "too old to be sent",
            Self::PathQueue => "the queue in front of the wired hop was full",
            Self::ApQueue => "the access point's queue for the air was full",
            Self::WifiRx => "the co-processor's Wi-Fi receive buffers were used up",
            Self::WifiReset => "in the co-processor's Wi-Fi receive buffers when it was reset",
            Self::NotIp => "no IPv4 packet",
        }
    }
}

const fn host_meaning(at: HostDrop) -> &'static str {
    match at {
        HostDrop::Throttled => "refused by the interface because the co-processor throttles (`ERR_BUF`)",
        HostDrop::CreditsTimeout => "no credit of the co-processor within 50 polls, or two of the Linux driver",
        HostDrop::WriteFailed => "the bus failed twice with the same frame",
        HostDrop::RxBurst => "in a burst that was read while the one before was still being split",
        HostDrop::RxFailed => "the bus failed in a read",
        HostDrop::RxInvalid => "a header from the co-processor made no sense",
        HostDrop::RxChecksum => "a checksum of the co-processor was wrong",
        HostDrop::Pool => "no block was left in the host's pool",
        HostDrop::Interface => "for an interface of the host that nobody serves",
        HostDrop::Down => "in the host when the transport went down",
        HostDrop::Stopped => "the packet that found the queue of the Linux driver full",
        HostDrop::Start => "what the co-processor said of itself made no sense",
        HostDrop::Message => "a message of the co-processor that could not be read",
    }
}

const fn coprocessor_meaning(at: CoprocessorDrop) -> &'static str {
    match at {
        CoprocessorDrop::Overflow => "written by the host without a credit",
        CoprocessorDrop::Invalid => "a header of the host made no sense",
        CoprocessorDrop::Checksum => "a checksum of the host was wrong",
        CoprocessorDrop::NoBuffer => "no Wi-Fi transmit buffer at any try of the co-processor; nobody is told",
        CoprocessorDrop::NotConnected => "the station is not connected",
        CoprocessorDrop::DataPath => "the data path of the co-processor is not open",
        CoprocessorDrop::Interface => "for an interface of the co-processor that nobody serves",
        CoprocessorDrop::Reset => "in the co-processor when it was reset",
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_drop_point_is_found_at_its_index_and_has_a_name_of_its_own() {
        let mut names = BTreeSet::new();
        for (index, at) in DropPoint::all().enumerate() {
            assert_eq!(at.index(), index);
            assert!(at.name().starts_with("drops.") && names.insert(at.name()), "{}", at.name());
        }
        assert_eq!(names.len(), DropPoint::COUNT);
    }
}
