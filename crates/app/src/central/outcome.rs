//! Outcome of a connection of the test, and the steps that lead to the stream.

use core::fmt;

use airtime_rpc::client::SetupError;

/// The steps from a fresh connection to the stream, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Data length update.
    DataLength,
    /// Another connection interval.
    Interval,
    /// PHY update.
    Phy,
    /// Frame space update.
    FrameSpace,
    /// Encryption start.
    Encryption,
    /// ATT MTU exchange.
    Mtu,
    /// Discovery of the test service, which publishes the PSM.
    Discovery,
    /// Subscription to notifications.
    Subscription,
    /// Opening of the channels.
    Channels,
    /// Data length update of a central that leaves it to the end.
    LateDataLength,
}

impl Step {
    /// Every step, in order.
    pub const ALL: [Self; 10] = [
        Self::DataLength,
        Self::Interval,
        Self::Phy,
        Self::FrameSpace,
        Self::Encryption,
        Self::Mtu,
        Self::Discovery,
        Self::Subscription,
        Self::Channels,
        Self::LateDataLength,
    ];

    /// True if the stream can do without it: a link layer procedure that the peer refuses, or that changes nothing and
    /// therefore raises no event.
    pub const fn can_be_missed(self) -> bool {
        matches!(self, Self::DataLength | Self::Interval | Self::Phy | Self::FrameSpace | Self::LateDataLength)
    }

    /// Name as records write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DataLength | Self::LateDataLength => "data length",
            Self::Interval => "interval",
            Self::Phy => "PHY",
            Self::FrameSpace => "frame space",
            Self::Encryption => "encryption",
            Self::Mtu => "MTU exchange",
            Self::Discovery => "discovery",
            Self::Subscription => "subscription",
            Self::Channels => "channels",
        }
    }
}

/// Outcome of the test for one peripheral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// No device with the name was found in time.
    ScanTimeout,
    /// No connection came about in [`ATTEMPTS_MAX`](super::ATTEMPTS_MAX) attempts.
    NotConnected {
        /// Reason of the last one, usually 0x3E.
        reason: u8,
    },
    /// The connection ended.
    Disconnected {
        /// Error code; 0x08 for a connection that was lost.
        reason: u8,
    },
    /// A step on the way to the stream failed.
    SetupFailed {
        /// Step that failed.
        step: Step,
        /// Its status, or none when it was not answered.
        status: Option<u8>,
    },
    /// The peripheral has no test service.
    NoService,
    /// The peripheral refused a channel.
    ChannelRefused {
        /// Result of Core 6.0, Vol 3, Part A, 4.23.
        result: u16,
    },
    /// Every channel was closed during the stream.
    ChannelsClosed,
    /// The other end of remote calls could not be agreed with.
    NoCalls {
        /// Error of the set-up.
        error: SetupError,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ScanTimeout => f.write_str("the scan found no device with the name"),
            Self::NotConnected { reason } => write!(f, "no connection was established (0x{reason:02X})"),
            Self::Disconnected { reason } => write!(f, "the connection ended (0x{reason:02X})"),
            Self::SetupFailed { step, status: Some(status) } => write!(f, "{} failed (0x{status:02X})", step.name()),
            Self::SetupFailed { step, status: None } => write!(f, "{} was not answered", step.name()),
            Self::NoService => f.write_str("the peripheral has no test service"),
            Self::ChannelRefused { result } => write!(f, "the peripheral refused the channel (0x{result:04X})"),
            Self::ChannelsClosed => f.write_str("every channel was closed"),
            Self::NoCalls { error } => write!(f, "no remote calls: {error}"),
        }
    }
}
