//! Words between the application and its host: events and commands.

use airtime_core::Duration;

use crate::{LINKS_MAX, Name};

/// A device address as the air carries it, least significant octet first.
pub type Address = [u8; 6];

/// A PHY to ask for. Core 6.0, Vol 6, Part B, 1 and 2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Phy {
    /// 1 Msym/s, what every connection starts with.
    Le1M,
    /// 2 Msym/s.
    #[default]
    Le2M,
    /// LE Coded with two symbols per bit.
    LeCodedS2,
    /// LE Coded with eight symbols per bit.
    LeCodedS8,
}

/// Event that the host tells the application. Every `status` and `reason` is an error code of Core 6.0, Vol 1, Part F,
/// kept as the number it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The deadline has come.
    Wake,
    /// The host works.
    Ready,
    /// The scan found the name.
    Found {
        /// Address of the device that has the name.
        peer: Address,
    },
    /// The scan found nothing in time.
    ScanTimeout,
    /// A connection stands.
    Connected {
        /// Handle of the connection.
        conn: u16,
        /// The other end.
        peer: Address,
        /// Connection interval.
        interval: Duration,
    },
    /// A connection is gone, or was never established (0x3E).
    Disconnected {
        /// Its handle; any value for a connection that never had one.
        conn: u16,
        /// Error code: reason of the disconnection.
        reason: u8,
    },
    /// An interval update ended.
    IntervalUpdated {
        /// Handle of the connection.
        conn: u16,
        /// Zero, or why the interval stays as it is.
        status: u8,
        /// The interval now.
        interval: Duration,
    },
    /// The effective data length changed.
    DataLength {
        /// Handle of the connection.
        conn: u16,
        /// LL payload octets towards the peer.
        tx_octets: u16,
        /// LL payload octets from the peer.
        rx_octets: u16,
    },
    /// A PHY update ended.
    PhyUpdated {
        /// Handle of the connection.
        conn: u16,
        /// Zero, or why not.
        status: u8,
    },
    /// A frame space update ended.
    FrameSpace {
        /// Handle of the connection.
        conn: u16,
        /// Zero, or why not.
        status: u8,
    },
    /// Encryption was started, or was not.
    Encrypted {
        /// Handle of the connection.
        conn: u16,
        /// Zero, or why not.
        status: u8,
    },
    /// The ATT MTU is agreed.
    MtuExchanged {
        /// Handle of the connection.
        conn: u16,
        /// The smaller of both MTUs.
        mtu: u16,
    },
    /// Discovery ended.
    Discovered {
        /// Handle of the connection.
        conn: u16,
        /// The PSM the test service publishes, or none when there is no such service.
        psm: Option<u16>,
        /// Set if the peer has the stream characteristic.
        stream: bool,
    },
    /// Notifications of the stream characteristic are on.
    Subscribed {
        /// Handle of the connection.
        conn: u16,
    },
    /// A credit-based channel is open.
    ChannelOpened {
        /// Handle of the connection.
        conn: u16,
        /// Our channel identifier.
        channel: u16,
        /// Largest SDU the peer takes.
        peer_mtu: u16,
        /// Largest K-frame payload the peer takes.
        peer_mps: u16,
    },
    /// The peer refused a channel.
    ChannelRefused {
        /// Handle of the connection.
        conn: u16,
        /// Result of Core 6.0, Vol 3, Part A, 4.23.
        result: u16,
    },
    /// A channel was closed while its connection lives on.
    ChannelClosed {
        /// Handle of the connection.
        conn: u16,
        /// Our channel identifier.
        channel: u16,
    },
    /// An SDU or a value has left the host: its place in the semaphore is free again.
    Sent {
        /// Handle of the connection.
        conn: u16,
        /// Channel they went by.
        channel: u16,
    },
    /// The host had no room for the value that it was given last: it has not taken it.
    Refused {
        /// Handle of the connection.
        conn: u16,
        /// Channel it was to go by.
        channel: u16,
    },
    /// An SDU or a value has arrived.
    Received {
        /// Handle of the connection.
        conn: u16,
        /// Channel it came by.
        channel: u16,
        /// Length of the SDU in octets.
        len: u16,
        /// The first eight octets, zero where the SDU is shorter.
        head: [u8; 8],
    },
}

impl Event {
    /// The connection it is about, for the events of the set-up and the stream.
    pub(crate) fn conn(&self) -> Option<u16> {
        match *self {
            Self::Wake | Self::Ready | Self::Found { .. } | Self::ScanTimeout => None,
            Self::Connected { conn, .. }
            | Self::Disconnected { conn, .. }
            | Self::IntervalUpdated { conn, .. }
            | Self::DataLength { conn, .. }
            | Self::PhyUpdated { conn, .. }
            | Self::FrameSpace { conn, .. }
            | Self::Encrypted { conn, .. }
            | Self::MtuExchanged { conn, .. }
            | Self::Discovered { conn, .. }
            | Self::Subscribed { conn }
            | Self::ChannelOpened { conn, .. }
            | Self::ChannelRefused { conn, .. }
            | Self::ChannelClosed { conn, .. }
            | Self::Sent { conn, .. }
            | Self::Refused { conn, .. }
            | Self::Received { conn, .. } => Some(conn),
        }
    }
}

/// Command of the application to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// Take channels on `psm` and publish it in the test service.
    Listen {
        /// LE PSM, 0x0080..=0x00FF.
        psm: u16,
    },
    /// Advertise connectably.
    Advertise {
        /// Complete local name.
        name: Name,
        /// Advertising interval.
        interval: Duration,
    },
    /// Stop advertising.
    StopAdvertising,
    /// Scan until a device with this name is found or time is up.
    Scan {
        /// Complete local name.
        name: Name,
        /// Time after which the search is given up.
        timeout: Duration,
        /// Devices to pass over: they are connected.
        except: Peers,
    },
    /// Connect.
    Connect {
        /// Address of the device to connect to.
        peer: Address,
        /// Interval asked for.
        interval: Duration,
        /// Peripheral latency in events.
        latency: u16,
        /// Supervision timeout.
        supervision_timeout: Duration,
    },
    /// End a connection.
    Disconnect {
        /// Handle of the connection.
        conn: u16,
    },
    /// Ask for a data length.
    SetDataLength {
        /// Handle of the connection.
        conn: u16,
        /// LL payload octets towards the peer, 27..=251.
        octets: u16,
    },
    /// Ask for a PHY in both directions.
    SetPhy {
        /// Handle of the connection.
        conn: u16,
        /// PHY asked for, in both directions.
        phy: Phy,
    },
    /// Ask for a frame space.
    SetFrameSpace {
        /// Handle of the connection.
        conn: u16,
        /// The space.
        space: Duration,
    },
    /// Start encryption.
    Encrypt {
        /// Handle of the connection.
        conn: u16,
    },
    /// Ask for another connection interval.
    UpdateInterval {
        /// Handle of the connection.
        conn: u16,
        /// Shortest interval that will do.
        shortest: Duration,
        /// Longest interval that will do.
        interval: Duration,
        /// Peripheral latency in events.
        latency: u16,
        /// Supervision timeout.
        supervision_timeout: Duration,
    },
    /// Exchange the ATT MTU.
    ExchangeMtu {
        /// Handle of the connection.
        conn: u16,
    },
    /// Discover the test service and the stream, and read the PSM.
    Discover {
        /// Handle of the connection.
        conn: u16,
    },
    /// Turn on notifications of the stream characteristic.
    Subscribe {
        /// Handle of the connection.
        conn: u16,
    },
    /// Open a credit-based channel.
    OpenChannel {
        /// Handle of the connection.
        conn: u16,
        /// PSM of the peer.
        psm: u16,
    },
    /// Send what the machine's `fill` writes: an SDU, or on [`ATT_CHANNEL`](crate::ATT_CHANNEL) a
    /// value of the stream characteristic.
    Send {
        /// Handle of the connection.
        conn: u16,
        /// Channel to send by.
        channel: u16,
        /// Octets.
        len: u16,
    },
}

/// Up to [`LINKS_MAX`] devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Peers {
    addresses: [Address; LINKS_MAX],
    count: u8,
}

impl Peers {
    /// Adds a device; one too many is left out.
    pub fn push(&mut self, peer: Address) {
        if let Some(place) = self.addresses.get_mut(usize::from(self.count)) {
            *place = peer;
            self.count += 1;
        }
    }

    /// The devices.
    pub fn as_slice(&self) -> &[Address] {
        &self.addresses[..usize::from(self.count)]
    }
}

/// The reasons of the disconnections seen, oldest first, as the numbers they came as. Keeps the
/// first eight: a test that disconnects oftener repeats itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Reasons {
    codes: [u8; 8],
    count: u8,
}

impl Reasons {
    /// Connection timeout: an established connection was lost. Core 6.0, Vol 1, Part F, 2.8.
    pub const CONNECTION_TIMEOUT: u8 = 0x08;
    /// Connection failed to be established. Core 6.0, Vol 1, Part F, 2.58.
    pub const FAILED_TO_ESTABLISH: u8 = 0x3e;

    pub(crate) fn push(&mut self, code: u8) {
        if let Some(place) = self.codes.get_mut(usize::from(self.count)) {
            *place = code;
            self.count += 1;
        }
    }

    /// The reasons.
    pub fn as_slice(&self) -> &[u8] {
        &self.codes[..usize::from(self.count)]
    }
}
