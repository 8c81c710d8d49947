//! A network as plain data, each field with unit and range.

use core::fmt;

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;

use super::COORDINATOR;
use crate::air::{Access, Cycle, OCTET, PSDU_MAX, TURNAROUND};
use crate::lowpan::{Cut, Flow, IpAddresses, Mesh, PAYLOAD_MAX, PAYLOAD_MIN, UNCOMPRESSED};
use crate::mac::{Backoff, MacConfig};
use crate::medium::Hearing;
use crate::rcp::Uart;
use crate::trace::Parts;
use crate::wire::{Address, Addressing, Level, Security};

/// PAN of the network.
const PAN: u16 = 0x1A17;

/// First of the 64-bit addresses: of a block that nobody makes devices with (locally administered).
const EXTENDED: u64 = 0x0200_0000_0000_0000;

/// Senders on one channel, and the coordinator that they send to. The PHY is O-QPSK, 250 kbit/s, at 2.4 GHz.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Octets of payload in each frame, 0 up to what headers and security leave of 127: 116 with the defaults.
    pub payload: u8,
    /// Datagrams in place of plain frames, whose `payload` then means nothing.
    pub datagram: Option<Datagram>,
    /// Addressing of senders in their frames. Without, the receiver takes all of them for one: of several it may take a duplicate for
    /// new, and what is new for a duplicate.
    pub source: Addressing,
    /// Addressing of the receiver.
    pub destination: Addressing,
    /// Flag: the PAN is named once where both ends have an address, which saves two octets.
    pub pan_compression: bool,
    /// Security level and key identifier mode. They cost air, and nothing else here.
    pub security: Security,
    /// Flag: frames are acknowledged.
    pub ack: bool,
    /// Flag: frames are sent with CSMA-CA; without, at once.
    pub csma: bool,
    /// Least backoff exponent, macMinBe, 0..=`max_be`.
    pub min_be: u8,
    /// Largest backoff exponent, macMaxBe, 3..=8.
    pub max_be: u8,
    /// Backoffs before access fails, macMaxCsmaBackoffs, 0..=5.
    pub max_backoffs: u8,
    /// macMaxFrameRetries, 0..=15: the standard has 7 at most.
    pub retries: u8,
    /// Flag: an attempt that found no free channel is one of these, as OpenThread has it; without, the frame is given up.
    pub retry_access: bool,
    /// Number of senders, 1..=250.
    pub stations: u8,
    /// Hops from the senders to the receiver, 1..=16: between them is a router less than that, in a line. More than one is for datagrams.
    pub hops: u8,
    /// Hops over which a station is heard, 1..=16; none: everywhere.
    pub reach: Option<u8>,
    /// Payload that each sender's application offers; none: it always has more.
    pub offered: Option<Bitrate>,
    /// Frames, or datagrams, that wait in the queue of each host at most, 1..=65535. Without meaning for one that always has more.
    pub queue: u16,
    /// Time of the host from the end of a transaction to the next frame's being in the radio: interrupt, task, octets over SPI.
    /// Zero by default; any other value is *assumed* unless it was measured.
    pub load: Duration,
    /// Line from each sender's host to its radio co-processor, 9600..=4,000,000 baud; none: host and radio are one chip.
    pub uart: Option<Uart>,
    /// The receiver's radio co-processor; none: host and radio are one chip.
    pub receiving: Option<Receiving>,
    /// Way in which backoffs are drawn.
    pub backoff: Backoff,
    /// Loss at each receiver, of frames and of acknowledgements.
    pub loss: Loss,
    /// Loss of acknowledgements instead; none as long as there is no other.
    pub loss_ack: Loss,
    /// Channel, 11..=26: 2405 MHz and then every 5 MHz.
    pub channel: u8,
    /// Virtual time of a run.
    pub duration: Duration,
    /// Seed of backoffs, losses and phases.
    pub seed: u64,
}

impl Default for Config {
    /// One sender that always has more, full frames, and what the standard says of the rest.
    fn default() -> Self {
        Self {
            payload: 116,
            datagram: None,
            source: Addressing::Short,
            destination: Addressing::Short,
            pan_compression: true,
            security: Security::default(),
            ack: true,
            csma: true,
            min_be: 3,
            max_be: 5,
            max_backoffs: 4,
            retries: 3,
            retry_access: false,
            stations: 1,
            hops: 1,
            reach: None,
            offered: None,
            queue: 16,
            load: Duration::ZERO,
            uart: None,
            receiving: None,
            backoff: Backoff::Random,
            loss: Loss::None,
            loss_ack: Loss::None,
            channel: 11,
            duration: Duration::from_secs(10),
            seed: 1,
        }
    }
}

/// Radio co-processor of the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receiving {
    /// Line to its host, 9600..=4,000,000 baud.
    pub uart: Uart,
    /// Octets of messages that it holds for that, 160..=65535: what is acknowledged beyond them is lost.
    pub buffer: u16,
}

/// UDP datagrams over IPv6, that go in frames as 6LoWPAN has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// Octets of UDP payload of each, 16..=1232.
    pub payload: u16,
    /// Kind of IPv6 addresses.
    pub addresses: IpAddresses,
}

/// A message of the longest frame fits the buffer of a co-processor.
fn range_of_buffer(receiving: Option<Receiving>) -> Result<(), ConfigError> {
    match receiving {
        Some(Receiving { buffer: ..160, .. }) => {
            Err(ConfigError::Range { field: "receiving.buffer", least: 160, most: u16::MAX.into() })
        }
        _ => Ok(()),
    }
}

/// Contradiction in a configuration, or with the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// The frame is longer than a PHY carries.
    Payload {
        /// Octets of payload that fit.
        most: u8,
    },
    /// A number is out of its range.
    Range {
        /// Name of the field.
        field: &'static str,
        /// Least value.
        least: u64,
        /// Largest value.
        most: u64,
    },
    /// Level `enc` is reserved since 2015.
    Reserved,
    /// The rate that is offered leaves no time between two frames, or there is no payload to offer.
    Offered,
    /// A datagram is shorter than its stamp, or longer than the MTU.
    Datagram,
    /// Datagrams are put together again by the addresses of their frames, and one end has none.
    Anonymous,
    /// Headers leave no room for a fragment.
    Fragment,
    /// Routers pass frames of datagrams on, between addresses of one kind, and addresses of the link do not reach beyond it.
    Hops,
    /// Mean backoffs of several senders that begin together collide for ever.
    Mean,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Payload { most } => {
                write!(f, "the payload does not fit: headers and security leave {most} of 127 octets")
            }
            Self::Range { field, least, most } => write!(f, "{field} is out of range; allowed are {least} to {most}"),
            Self::Reserved => f.write_str("security level enc is reserved since 2015; one with a MIC is allowed"),
            Self::Offered => f.write_str("a rate that is offered needs payload, and at least 1 ns between two frames"),
            Self::Datagram => write!(
                f,
                "a datagram has {PAYLOAD_MIN} to {PAYLOAD_MAX} octets: the stamp of a test takes {PAYLOAD_MIN}, and IPv6 over 802.15.4 has an \
                 MTU of {} (RFC 4944, 4), {UNCOMPRESSED} of which are headers of IPv6 and UDP",
                PAYLOAD_MAX + UNCOMPRESSED
            ),
            Self::Anonymous => {
                f.write_str("fragments are put together by the addresses of both ends; use short or extended ones")
            }
            Self::Fragment => f.write_str("headers and security leave no eight octets for a fragment"),
            Self::Hops => f.write_str(
                "several hops take datagrams, addresses of one kind in frames, and IPv6 addresses beyond the link",
            ),
            Self::Mean => {
                f.write_str("mean backoffs are for one sender: several would collide for ever; use random ones")
            }
        }
    }
}

impl core::error::Error for ConfigError {}

impl Config {
    /// Consistency with itself and with the standard.
    ///
    /// # Errors
    /// When a value is out of its range, or the payload does not fit.
    pub fn check(&self) -> Result<(), ConfigError> {
        let range = |field, value, least, most| {
            let value = u64::from(value);
            if (least..=most).contains(&value) { Ok(()) } else { Err(ConfigError::Range { field, least, most }) }
        };
        range("max_be", self.max_be, 3, 8)?;
        range("min_be", self.min_be, 0, u64::from(self.max_be))?;
        range("max_backoffs", self.max_backoffs, 0, 5)?;
        range("retries", self.retries, 0, 15)?;
        range("stations", self.stations, 1, 250)?;
        range("hops", self.hops, 1, 16)?;
        range("reach", self.reach.unwrap_or(1), 1, 16)?;
        range("channel", self.channel, 11, 26)?;
        for uart in self.uart.into_iter().chain(self.receiving.map(|receiving| receiving.uart)) {
            if !(9_600..=4_000_000).contains(&uart.baud) {
                return Err(ConfigError::Range { field: "uart.baud", least: 9_600, most: 4_000_000 });
            }
        }
        range_of_buffer(self.receiving)?;
        if self.queue == 0 {
            return Err(ConfigError::Range { field: "queue", least: 1, most: u64::from(u16::MAX) });
        }
        if self.security.level == Level::Enc {
            return Err(ConfigError::Reserved);
        }
        self.check_datagram()?;
        if self.datagram.is_none() && self.payload > self.payload_max() {
            return Err(ConfigError::Payload { most: self.payload_max() });
        }
        if self.interval().is_some_and(Duration::is_zero) || self.offered == Some(Bitrate(0)) {
            return Err(ConfigError::Offered);
        }
        if self.backoff == Backoff::Mean && self.stations > 1 {
            return Err(ConfigError::Mean);
        }
        Ok(())
    }

    fn check_datagram(&self) -> Result<(), ConfigError> {
        let Some(Datagram { payload, addresses }) = self.datagram else {
            return if self.is_mesh() { Err(ConfigError::Hops) } else { Ok(()) };
        };
        if !(PAYLOAD_MIN..=PAYLOAD_MAX).contains(&payload) {
            return Err(ConfigError::Datagram);
        }
        if self.source == Addressing::None || self.destination == Addressing::None {
            return Err(ConfigError::Anonymous);
        }
        if self.is_mesh() && (self.source != self.destination || addresses == IpAddresses::LinkLocal) {
            return Err(ConfigError::Hops);
        }
        if self.cut().is_none() { Err(ConfigError::Fragment) } else { Ok(()) }
    }

    /// Octets of a PSDU of plain frames by what they are for.
    pub fn parts(&self) -> Parts {
        self.mac(1).parts(self.payload)
    }

    /// Octets of a PSDU of plain frames.
    pub fn psdu_octets(&self) -> usize {
        self.psdu_of(self.payload)
    }

    /// Octets of a PSDU with `octets` for the MAC to carry.
    fn psdu_of(&self, octets: u8) -> usize {
        let Parts { payload, mac, security, .. } = self.mac(1).parts(octets);
        usize::from(payload) + usize::from(mac) + usize::from(security)
    }

    /// Way in which datagrams are cut; none of plain frames.
    pub fn cut(&self) -> Option<Cut> {
        let Datagram { payload, addresses } = self.datagram?;
        let mesh = if self.is_mesh() { Mesh::octets(self.source) } else { 0 };
        Cut::new(payload, self.payload_max(), addresses.compressed_octets(), mesh)
    }

    /// Datagrams of the sender at `place`; none of who sends none of its own.
    pub(super) fn flow(&self, place: usize) -> Option<Flow> {
        if !self.is_sender(place) {
            return None;
        }
        let (source, destination) = (self.address(self.source, place), self.address(self.destination, COORDINATOR));
        Some(Flow { cut: self.cut()?, addresses: self.datagram?.addresses, source, destination, mesh: self.is_mesh() })
    }

    /// Octets of payload of a datagram, or of a plain frame.
    pub fn unit(&self) -> u16 {
        self.datagram.map_or(self.payload.into(), |datagram| datagram.payload)
    }

    /// Octets of payload that headers and security leave.
    pub fn payload_max(&self) -> u8 {
        let Parts { mac, security, .. } = self.mac(1).parts(0);
        (PSDU_MAX as u8).saturating_sub(mac + security)
    }

    /// The closed form of one sender of plain frames without loss.
    pub fn cycle(&self) -> Cycle {
        self.cycle_of(self.psdu_octets())
    }

    fn cycle_of(&self, psdu: usize) -> Cycle {
        let access = Access { min_be: self.csma.then_some(self.min_be), ack: self.ack, load: self.load };
        Cycle::new(psdu, access)
    }

    /// Cycles of the frames of one datagram, or the one of a plain frame, without loss: their closed form, one after the other.
    pub fn cycles(&self) -> impl Iterator<Item = Cycle> + '_ {
        let plain = self.datagram.is_none().then(|| self.cycle());
        let pieces = self.cut().into_iter().flat_map(Cut::pieces);
        plain.into_iter().chain(pieces.map(|piece| self.cycle_of(self.psdu_of(piece.headers + piece.payload))))
    }

    /// Time of one datagram, or plain frame, by the closed form of one sender without loss: to where the next one begins.
    pub fn unit_time(&self) -> Duration {
        self.cycles().map(|cycle| cycle.total()).sum()
    }

    /// Goodput of the closed form in bit/s, rounded down.
    pub fn closed_form_bps(&self) -> u64 {
        u64::from(self.unit()) * 8 * 1_000_000_000 / self.unit_time().as_nanos()
    }

    /// Time between two frames, or datagrams, of a paced sender.
    pub(super) fn interval(&self) -> Option<Duration> {
        let Bitrate(rate) = self.offered?;
        Some(Duration::from_nanos((u64::from(self.unit()) * 8 * 1_000_000_000).checked_div(rate).unwrap_or(0)))
    }

    /// Flag: the station at `place` is neither the receiver nor a router.
    pub(super) fn is_sender(&self, place: usize) -> bool {
        place != COORDINATOR && place <= usize::from(self.stations)
    }

    /// Flag: frames go over several hops, and say from where and to where.
    pub(super) fn is_mesh(&self) -> bool {
        self.hops > 1
    }

    /// Stations of all kinds: the receiver, the senders, and the routers from the one next to the receiver on.
    pub(super) fn places(&self) -> usize {
        usize::from(self.stations) + usize::from(self.hops)
    }

    /// Hops from the station at `place` to the receiver.
    fn hops_from(&self, place: usize) -> u8 {
        match place.checked_sub(usize::from(self.stations)) {
            _ if place == COORDINATOR => 0,
            None | Some(0) => self.hops,
            Some(router) => router as u8,
        }
    }

    /// Place of the next station on the way from `place` to the receiver.
    pub(super) fn next_hop(&self, place: usize) -> usize {
        match self.hops_from(place) {
            0 | 1 => COORDINATOR,
            hops => usize::from(self.stations) + usize::from(hops) - 1,
        }
    }

    /// Stations on their line, and how far each is heard.
    pub(crate) fn hearing(&self) -> Hearing {
        Hearing::new((0..self.places()).map(|place| self.hops_from(place)).collect(), self.reach)
    }

    /// Time of a lone datagram of one frame over all hops, with mean backoffs, from the hand-over to its MAC to its arrival. A router has the
    /// frame once its acknowledgement has ended, and listens again a turnaround later; behind the third hop the mesh header is an octet
    /// shorter.
    pub fn way_time(&self) -> Duration {
        let Some(cycle) = self.cycles().next() else { return Duration::ZERO };
        let Cycle { backoff, cca, turnaround, frame, ack, .. } = cycle;
        let deaf = if self.ack { TURNAROUND } else { Duration::ZERO };
        let onward = ack + (self.load + backoff).max(deaf) + cca + turnaround + frame;
        let shorter = OCTET * u64::from(self.hops.saturating_sub(Mesh::DEEP_HOPS));
        backoff + cca + turnaround + frame + onward * u64::from(self.hops - 1) - shorter
    }

    fn address(&self, addressing: Addressing, place: usize) -> Address {
        match addressing {
            Addressing::None => Address::None,
            Addressing::Short => Address::Short(place as u16),
            Addressing::Extended => Address::Extended(EXTENDED | place as u64),
        }
    }

    /// Place of the station that frames know by `address`.
    pub(super) fn place_of(address: Address) -> Option<usize> {
        match address {
            Address::None => None,
            Address::Short(place) => Some(place.into()),
            Address::Extended(extended) => usize::try_from(extended ^ EXTENDED).ok(),
        }
    }

    /// Attributes of the station at `place`.
    pub(super) fn mac(&self, place: usize) -> MacConfig {
        let coordinator = place == COORDINATOR;
        // The receiver is known by the address that frames to it bear.
        let own = if coordinator { self.destination } else { self.source };
        MacConfig {
            pan: PAN,
            source: self.address(own, place),
            destination: self.address(self.destination, self.next_hop(place)),
            coordinator,
            pan_compression: self.pan_compression,
            security: self.security,
            ack: self.ack,
            csma: self.csma,
            min_be: self.min_be,
            max_be: self.max_be,
            max_backoffs: self.max_backoffs,
            retries: self.retries,
            retry_access: self.retry_access,
            backoff: self.backoff,
        }
    }
}
