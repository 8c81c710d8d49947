//! Interface of a host: inputs and outputs towards its application and the world.

use core::fmt;

use airtime_core::{Duration, Packet};

use crate::air::Phy;
use crate::hci::Status;
use crate::personality;

/// The handle in a [`HostEvent::Disconnected`] of a connection that never got one.
pub const NO_CONNECTION: ConnHandle = 0x0fff;

/// Words of both sides of HCI.
pub use crate::words::{Address, ConnHandle, Role, Starved};

/// The channel of values.
pub use crate::l2cap::ATT_CHANNEL;

/// Local channel identifier of a credit-based channel: 0x0040..=0x007F.
pub type ChannelId = u16;

/// Configuration of a host.
#[derive(Clone, Debug)]
pub struct HostConfig {
    /// Behaviour that differs between host stacks.
    pub personality: personality::Host,
    /// Long term key both ends share, as if bonded; used when encryption is started.
    pub long_term_key: [u8; 16],
    /// GATT profile: served here, and looked for in peers.
    pub profile: Profile,
    /// Method by which values of the stream travel; both ends have the same.
    pub values: ValueMethod,
    /// Set if the application gives values without a look at the room for them: then those that find none are dealt with as the
    /// personality says, and [`Refused::Full`]. Else they wait here.
    pub blind: bool,
    /// Most that it grants a peripheral which asks for subrating; none if it does not support that, and does not tell its controller so.
    pub subrates: Option<SubrateTerms>,
}

/// Time in which a request or an indication has to be answered. Core 6.0, Vol 3, Part F, 3.3.3.
pub const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(30);

/// Method by which values of the stream travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueMethod {
    /// Notifications of the server, write commands of the client: as many as there is room for.
    #[default]
    Unanswered,
    /// Write requests of the client, each of which waits for its response.
    WriteRequest,
    /// Indications of the server, each of which waits for its confirmation.
    Indication,
    /// Reads by the client, one as soon as the one before is answered.
    Read,
    /// Prepared writes of the client and their execution, each of which waits for its response.
    LongWrite,
}

impl ValueMethod {
    /// Most octets of a value at an ATT MTU of `mtu`. Core 6.0, Vol 3, Part F, 3.2.9 and 3.4.
    pub const fn octets_max(self, mtu: u16) -> u16 {
        match self {
            Self::Unanswered | Self::WriteRequest | Self::Indication => mtu.saturating_sub(3),
            Self::Read => mtu.saturating_sub(1),
            Self::LongWrite => 512,
        }
    }
}

/// The services of a host, and what becomes of the octets that arrive on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The throughput test: a PSM and a stream. Octets that arrive are counted, and the application hears their number and
    /// the first eight ([`HostEvent::Received`]).
    #[default]
    Test,
    /// Remote calls: the published RPC service in the place of the stream, the PSM beside it. Octets that arrive reach the
    /// application whole ([`HostOutput::Octets`]).
    Rpc,
}

/// Input of a host: wake-ups, and H4 bytes from its controller.
#[derive(Debug)]
pub enum HostInput<'a> {
    /// Its deadline has come.
    Wake,
    /// One H4 packet from the controller.
    Hci(&'a [u8]),
}

/// Output of a host: H4 bytes for its controller, events for its application. One that nobody carries out is lost, so whoever
/// matches matches all.
#[derive(Debug)]
pub enum HostOutput {
    /// One H4 packet for the controller.
    Hci(Packet),
    /// Event for the application.
    Event(HostEvent),
    /// A whole SDU or value for the application, with [`Profile::Rpc`].
    Octets {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Channel they came by; 4 for a value.
        channel: ChannelId,
        /// Payload that arrived.
        octets: Packet,
    },
}

/// Request of an application to its host. Requests that need the controller queue behind start-up.
#[derive(Clone, Debug)]
pub enum Request<'a> {
    /// Advertise connectably under `name` (complete local name, in the scan response if it does not
    /// fit), every `interval`.
    Advertise {
        /// Complete local name, at most 29 octets.
        name: &'a str,
        /// Advertising interval, 20 ms to 10.24 s.
        interval: Duration,
    },
    /// Stop advertising.
    StopAdvertising,
    /// Advertise every `interval` without taking connections or requests: a beacon of 31 octets of data.
    Broadcast {
        /// Advertising interval, 20 ms to 10.24 s.
        interval: Duration,
    },
    /// Scan passively, and tell nobody, until a search begins.
    Observe {
        /// Scan interval, 2.5 ms to 10.24 s.
        interval: Duration,
        /// Scan window, no longer than the interval.
        window: Duration,
    },
    /// Scan actively until a device with this name is seen ([`HostEvent::Found`]) or time is up
    /// ([`HostEvent::ScanTimeout`]). Devices in `except` are passed over.
    Scan {
        /// Complete local name.
        name: &'a str,
        /// Time after which the search is given up; 15 s in the published test.
        timeout: Duration,
        /// Addresses already connected.
        except: &'a [Address],
    },
    /// Connect to `peer`; the interval is the personality's unless its application may choose.
    Connect {
        /// Address of the device to connect to.
        peer: Address,
        /// Interval asked for.
        interval: Duration,
        /// Peripheral latency in events.
        latency: u16,
        /// Supervision timeout, 100 ms to 32 s.
        supervision_timeout: Duration,
    },
    /// End the connection.
    Disconnect {
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// Ask for this many LL payload octets towards the peer.
    SetDataLength {
        /// Handle of the connection.
        conn: ConnHandle,
        /// 27..=251.
        octets: u16,
    },
    /// Ask for a PHY in both directions.
    SetPhy {
        /// Handle of the connection.
        conn: ConnHandle,
        /// PHY asked for, in both directions.
        phy: Phy,
    },
    /// Ask for a frame space on every PHY.
    SetFrameSpace {
        /// Handle of the connection.
        conn: ConnHandle,
        /// The value asked for, as minimum and maximum.
        space: Duration,
    },
    /// Use one of so many connection events; ends with [`HostEvent::Subrated`].
    Subrate {
        /// Handle of the connection.
        conn: ConnHandle,
        /// The subrating asked for.
        subrate: SubrateTerms,
    },
    /// Start encryption with the long term key both ends share.
    Encrypt {
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// Ask for another connection interval: HCI Connection Update as a central; as a peripheral the
    /// same command, which the controller turns into a parameter request.
    UpdateInterval {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Shortest interval that will do.
        shortest: Duration,
        /// Longest interval that will do.
        interval: Duration,
        /// Peripheral latency in events.
        latency: u16,
        /// Supervision timeout.
        supervision_timeout: Duration,
    },
    /// ATT MTU exchange; ends with [`HostEvent::MtuExchanged`].
    ExchangeMtu {
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// Discover the services of the profile by UUID and read the PSM characteristic; ends with
    /// [`HostEvent::Discovered`].
    Discover {
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// Turn on notifications of the stream characteristic; ends with [`HostEvent::Subscribed`].
    Subscribe {
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// Take channels on `psm`, and publish it in the PSM characteristic.
    Listen {
        /// LE PSM, 0x0080..=0x00FF dynamic.
        psm: u16,
    },
    /// Open a credit-based channel (Core 6.0, Vol 3, Part A, 4.22).
    OpenChannel {
        /// Handle of the connection.
        conn: ConnHandle,
        /// PSM of the peer.
        psm: u16,
    },
    /// Close a channel.
    CloseChannel {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Channel to close.
        channel: ChannelId,
    },
    /// Send one SDU. Costs the stream task its time, then queues on the channel; ends with
    /// [`HostEvent::Sent`].
    SendSdu {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Channel to send by.
        channel: ChannelId,
        /// The SDU.
        sdu: &'a [u8],
    },
    /// Send one value of the stream characteristic by the [`ValueMethod`] of this host. Ends with [`HostEvent::Sent`] with channel 4
    /// (the ATT channel): when it has gone, or when it was answered.
    SendValue {
        /// Handle of the connection.
        conn: ConnHandle,
        /// The value, at most [`ValueMethod::octets_max`].
        value: &'a [u8],
    },
}

/// Terms of a subrated connection. Core 6.2, Vol 6, Part B, 4.5.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubrateTerms {
    /// Events of which one is used, 1 to 500.
    pub factor: u16,
    /// Peripheral latency, in events that are used.
    pub latency: u16,
    /// Events behind one that carried something which are used as well, less than the factor.
    pub continuation: u16,
    /// Supervision timeout.
    pub supervision_timeout: Duration,
}

/// Event that a host reports to its application.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostEvent {
    /// The controller has been reset and configured.
    Ready,
    /// A device with the name scanned for.
    Found {
        /// Address of the device.
        peer: Address,
    },
    /// The scan found nothing in time.
    ScanTimeout,
    /// A connection stands.
    Connected {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Our end.
        role: Role,
        /// The other end.
        peer: Address,
        /// Connection interval.
        interval: Duration,
    },
    /// A connection is gone, or was never established.
    Disconnected {
        /// Handle of the connection.
        conn: ConnHandle,
        /// HCI reason of the disconnection.
        reason: Status,
    },
    /// The interval changed, or a change was refused.
    IntervalUpdated {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Success, or why it stays as it is.
        status: Status,
        /// The interval now.
        interval: Duration,
    },
    /// The effective data length changed.
    DataLength {
        /// Handle of the connection.
        conn: ConnHandle,
        /// LL payload octets towards the peer.
        tx_octets: u16,
        /// LL payload octets from the peer.
        rx_octets: u16,
    },
    /// A PHY update ended.
    PhyUpdated {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Success, or why not.
        status: Status,
        /// PHY towards the peer.
        tx: Phy,
    },
    /// A frame space update ended.
    FrameSpace {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Success, or why not.
        status: Status,
        /// The space now.
        space: Duration,
    },
    /// The subrating changed, or was asked for in vain.
    Subrated {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Success, or why not.
        status: Status,
        /// Events of which one is used now.
        factor: u16,
        /// Continuation number now.
        continuation: u16,
    },
    /// Encryption was started, or was not.
    Encrypted {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Success, or why not.
        status: Status,
    },
    /// The ATT MTU is agreed.
    MtuExchanged {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Smaller of both MTUs.
        mtu: u16,
    },
    /// Discovery ended.
    Discovered {
        /// Handle of the connection.
        conn: ConnHandle,
        /// The PSM published, or none when there is no such service.
        psm: Option<u16>,
        /// True if the peer has the stream characteristic.
        stream: bool,
    },
    /// Notifications are on: at the client once confirmed, at the server once written.
    Subscribed {
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// A value that waits for its answer had none in 30 s: nothing more goes by ATT on this connection. Core 6.0, Vol 3, Part F, 3.3.3.
    TransactionTimeout {
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// A channel is open.
    ChannelOpened {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Our channel identifier.
        channel: ChannelId,
        /// Largest SDU the peer takes.
        peer_mtu: u16,
        /// Largest K-frame payload the peer takes.
        peer_mps: u16,
        /// Credits the peer gave in the handshake.
        initial_credits: u16,
    },
    /// A channel was refused or is gone.
    ChannelClosed {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Our channel identifier.
        channel: ChannelId,
        /// Reason of the end.
        reason: ChannelEnd,
    },
    /// An SDU or a value has left the host, or every PDU of it was acknowledged.
    Sent {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Channel it went by; 4 for a value.
        channel: ChannelId,
    },
    /// An SDU or a value has arrived, with [`Profile::Test`].
    Received {
        /// Handle of the connection.
        conn: ConnHandle,
        /// Channel it came by; 4 for a value.
        channel: ChannelId,
        /// SDU that arrived.
        sdu: ReceivedSdu,
    },
}

/// Length and first octets of an SDU that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceivedSdu {
    /// Octets.
    pub len: u16,
    /// The first eight octets, zero where the SDU is shorter: the test stream's sequence number.
    pub head: [u8; 8],
}

/// Reason that a channel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChannelEnd {
    /// The peer refused it, with this result code (Core 6.0, Vol 3, Part A, 4.23).
    Refused(u16),
    /// The peer closed it.
    ByPeer,
    /// We closed it.
    ByUs,
    /// The peer broke the rules of the channel.
    Violation(Violation),
    /// The connection went away.
    LinkLost,
}

/// Violation by a peer of the rules of a credit-based channel. Core 6.0, Vol 3, Part A, 3.4.3 and 10.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// A K-frame without a credit for it.
    NoCredit,
    /// A K-frame longer than the MPS.
    AboveMps,
    /// An SDU longer than the MTU.
    AboveMtu,
    /// K-frames that add up to more than the SDU length announced.
    LengthMismatch,
    /// Credits that add up to more than 65535.
    CreditOverflow,
}

/// Reason that a host did not take a request. Nothing of the request was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// There is no connection with this handle.
    UnknownConnection,
    /// There is no open channel with this identifier.
    UnknownChannel,
    /// As much of this kind is under way as the host takes; try again later.
    Busy,
    /// Every transmit buffer is taken, and the application did not look: the value is gone.
    Full,
    /// The SDU is longer than the peer's MTU, the value than the ATT MTU allows, or the name than a packet.
    TooLong,
    /// A value is outside the range the specification gives it.
    OutOfRange,
    /// The stream characteristic has not been discovered.
    NotDiscovered,
    /// The client has not turned on notifications.
    NotSubscribed,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownConnection => "no connection has this handle",
            Self::UnknownChannel => "no open channel has this identifier",
            Self::Busy => "too much of this kind is under way; wait for an event of it to end",
            Self::Full => "every transmit buffer is taken; wait for one to be free",
            Self::TooLong => "longer than the peer takes",
            Self::OutOfRange => "a value is outside the range of the specification",
            Self::NotDiscovered => "the stream characteristic is not known; discover first",
            Self::NotSubscribed => "the client has not turned on notifications",
        })
    }
}

impl core::error::Error for Refused {}
