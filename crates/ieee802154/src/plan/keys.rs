//! Keys of an IEEE 802.15.4 link: one struct for each part, in the order of documentation and records.

use airtime_core::Duration;
use airtime_core::level;
use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;
use airtime_keys::{Keys, Words};

use crate::air::noise::bit_errors;
use crate::lowpan::IpAddresses;
use crate::mac::Backoff;
use crate::wire::{Addressing, KeyIdMode, Level};

/// Means of a scenario, as far as they decide which keys mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// Flag: datagrams go in fragments, not plain frames.
    pub datagrams: bool,
    /// Flag: they go over several hops.
    pub relayed: bool,
    /// Ends whose radio is in a co-processor.
    pub rcp: Rcp,
}

/// Ends whose radio is in a co-processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Words)]
pub enum Rcp {
    /// None of them.
    #[default]
    None,
    /// Every sender.
    Senders,
    /// The receiver.
    Receiver,
    /// All of them; routers have none.
    Both,
}

impl Rcp {
    /// Tells if senders have one.
    pub const fn sends(self) -> bool {
        matches!(self, Self::Senders | Self::Both)
    }

    /// Tells if the receiver has one.
    pub const fn receives(self) -> bool {
        matches!(self, Self::Receiver | Self::Both)
    }
}

impl Means {
    fn datagrams(&self) -> bool {
        self.datagrams
    }

    fn rcp(&self) -> bool {
        self.rcp != Rcp::None
    }

    fn receiving(&self) -> bool {
        self.rcp.receives()
    }

    fn relayed(&self) -> bool {
        self.relayed
    }

    fn frames(&self) -> bool {
        !self.datagrams
    }
}

/// Keys of what is sent, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "ieee802154", context = Means)]
pub struct Sender {
    /// Octets of payload in each plain frame, as far as headers and security leave them of 127. Not together with `traffic.payload`.
    // IEEE Std 802.15.4-2020, aMaxPhyPacketSize.
    #[key(
        range = 0..=125, unit = "octets", from = "all that fits: 116 with short addresses in one PAN",
        whose = Application, steps = [Half, Double, Fitting], when = Means::frames,
        mechanism = Packet
    )]
    pub payload: Option<u8>,
    /// IPv6 addresses of datagrams, by what 6LoWPAN leaves of them: nothing of `link-local` ones, eight octets of each of `mesh-local`
    /// ones, sixteen of `global` ones.
    // RFC 6282, 3.1.1.
    #[key(
        from = "`link-local` over one hop, `mesh-local` over several", whose = Application, when = Means::datagrams,
        mechanism = Packet
    )]
    pub ip_addresses: Option<IpAddresses>,
    /// Payload that each sender's application offers; absent: it always has more.
    #[key(mechanism = Offered)]
    pub offered: Option<Bitrate>,
    /// Frames, or datagrams, that wait in the queue of each host at most, where a rate is offered; of a router, frames to pass on.
    #[key(range = 1..=65_535, default = 16, unit = "frames", whose = Firmware, mechanism = Underway, way = More)]
    pub queue: u16,
    /// Senders on one channel, all to one receiver.
    #[key(range = 1..=250, default = 1, mechanism = Neighbours)]
    pub stations: u8,
    /// Hops from the senders to the receiver; between each two is a router on the same channel, that passes on every frame of a datagram by
    /// its mesh header and puts none together.
    // RFC 4944, 5.2; Thread has at most 16 of route cost.
    #[key(range = 1..=16, default = 1, when = Means::datagrams, mechanism = Neighbours)]
    pub hops: u8,
    /// Hops over which a station is heard: those beyond are hidden from it, neither sense nor spoil what it sends; absent: everywhere.
    #[key(range = 1..=16, when = Means::relayed, mechanism = Neighbours)]
    pub reach: Option<u8>,
    /// Time of the host from the end of a transaction to the next frame's being in the radio: interrupt, task, octets over
    /// SPI; *assumed* unless it was measured.
    #[key(range = "0us"..="1s", default = "0us", whose = Firmware, steps = [To(0), Half, Double], mechanism = Handover, way = Less)]
    pub load: Duration,
    /// Ends whose radio is in a co-processor (RCP) behind a UART, with OpenThread's Spinel; the radio of the others is in the host's own chip.
    #[key(default = "none")]
    pub rcp: Rcp,
    /// Baud rate of the UART between a host and its co-processor. Each frame of a sender is confirmed over it before the next one goes.
    // OpenThread, uart-baudrate of radio URLs: 115200 until 2025, 460800 since (openthread/openthread#11432).
    #[key(
        range = 9_600..=4_000_000, default = 460_800, unit = "baud", whose = Firmware, steps = [Double, To(460_800), To(1_000_000)],
        when = Means::rcp, mechanism = Bus, way = More
    )]
    pub rcp_baud: u32,
    /// Octets of messages that the receiver's co-processor holds for its host: a frame beyond them is acknowledged and lost.
    // OpenThread: OPENTHREAD_CONFIG_NCP_TX_BUFFER_SIZE.
    #[key(
        range = 160..=65_535, default = 2_048, unit = "octets", whose = Firmware, steps = [Double], when = Means::receiving,
        mechanism = Underway, way = More
    )]
    pub rcp_buffer: u16,
}

/// Keys of the MAC of every sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "ieee802154", context = Mac)]
pub struct Mac {
    /// Address of a sender in its frames: of 16 bits, of 64, or none.
    #[key(default = "short", whose = Firmware, mechanism = Packet, guards = Protocol)]
    pub source: Addressing,
    /// Address of the receiver in frames to it.
    #[key(default = "short", whose = Firmware, mechanism = Packet, guards = Protocol)]
    pub destination: Addressing,
    /// One PAN identifier instead of two where both ends have an address, which saves two octets.
    #[key(default = true, whose = Firmware, mechanism = Packet)]
    pub pan_compression: bool,
    /// Security level; `enc` is reserved since 2015. It costs air, and nothing else here.
    #[key(default = "none", whose = Firmware, mechanism = Packet, guards = Security)]
    pub security: Level,
    /// Way in which a frame names its key: 0, 1, 5 or 9 octets more.
    #[key(default = "implicit", whose = Firmware, when = Mac::secured, mechanism = Packet, guards = Security)]
    pub key_id_mode: KeyIdMode,
    /// Acknowledgements.
    #[key(default = true, whose = Firmware, mechanism = Answers, guards = Protocol)]
    pub ack: bool,
    /// CSMA-CA in front of each frame; without, a frame is sent at once.
    #[key(default = true, whose = Firmware, mechanism = Contention, guards = Protocol)]
    pub csma: bool,
    /// macMinBe: the first backoff is up to 2^this - 1 periods of 320us.
    // IEEE Std 802.15.4-2020, 6.2.5.1; attributes of the MAC: 0 to macMaxBe, 3 to 8, 0 to 5, 0 to 7. OpenThread's own MAC:
    // OPENTHREAD_CONFIG_MAC_DEFAULT_MAX_FRAME_RETRIES_DIRECT is 15.
    #[key(range = 0..=8, default = 3, whose = Firmware, steps = [To(0), Less(1), More(1)], when = Mac::csma, mechanism = Contention)]
    pub min_be: u8,
    /// macMaxBe: no backoff is longer than 2^this - 1 periods.
    #[key(range = 3..=8, default = 5, whose = Firmware, steps = [Less(1), More(1)], when = Mac::csma, mechanism = Contention)]
    pub max_be: u8,
    /// macMaxCsmaBackoffs: assessments that may find the channel busy before a frame is given up, less one.
    #[key(range = 0..=5, default = 4, whose = Firmware, steps = [Less(1), More(1)], when = Mac::csma, mechanism = Contention)]
    pub max_backoffs: u8,
    /// macMaxFrameRetries: transmissions after the first that no acknowledgement answered; the standard has 7 at most, OpenThread 15. That
    /// it waits at random in front of each since 2022 is not modelled.
    // openthread/openthread#7346, OPENTHREAD_CONFIG_MAC_ADD_DELAY_ON_NO_ACK_ERROR_BEFORE_RETRY, set by default.
    #[key(range = 0..=15, default = 3, whose = Firmware, steps = [To(0), Less(1), More(1)], when = Mac::ack, mechanism = Losses, way = More)]
    pub retries: u8,
    /// An attempt that found no free channel is followed by another one, up to `ieee802154.retries`, as OpenThread does; without, its
    /// frame is given up.
    #[key(default = false, whose = Firmware, when = Mac::contends, mechanism = Losses)]
    pub retry_access: bool,
    /// Random, or always half of the first backoff: then a lone sender's cycle is the closed form.
    #[key(default = "random", when = Mac::csma)]
    pub backoff: Backoff,
}

impl Mac {
    fn secured(&self) -> bool {
        self.security != Level::None
    }

    fn csma(&self) -> bool {
        self.csma
    }

    fn contends(&self) -> bool {
        self.csma && self.retries > 0
    }

    fn ack(&self) -> bool {
        self.ack
    }
}

/// Keys of the air.
#[derive(Clone, Copy, Debug, PartialEq, Keys)]
#[keys(table = "ieee802154")]
pub struct Air {
    /// Channel: 2405 MHz and then every 5 MHz; the lab's channels are all alike.
    #[key(range = 11..=26, default = 11)]
    pub channel: u8,
    /// Loss of frames and of acknowledgements at each receiver: in shares, per bit, or in bursts (Gilbert-Elliott).
    #[key(loss = "frame")]
    pub loss: Loss,
    /// Loss of acknowledgements instead.
    #[key(loss = "acknowledgement")]
    pub loss_acknowledgement: Loss,
    /// Level at every receiver: bits are wrong by it and by the sensitivity, as in white noise and nothing else. Absent: without noise.
    /// Not together with a loss.
    #[key(kind = Kind::LEVEL, mechanism = Losses)]
    pub level: Option<level::Level>,
    /// Level at which receivers lose one frame of 20 octets in a hundred.
    // nRF54L15 data sheet, receiver operation; IEEE Std 802.15.4-2020, 12.3.4: -85 dBm or better.
    #[key(kind = Kind::LEVEL, default = "-102dBm")]
    pub sensitivity: level::Level,
}

impl Air {
    /// Loss at each receiver: that of the level, or what is said.
    pub fn loss(&self) -> Loss {
        self.level.map_or(self.loss, |level| Loss::Bit { ber: bit_errors(level, self.sensitivity) })
    }
}
