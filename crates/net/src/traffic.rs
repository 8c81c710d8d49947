//! Keys of the traffic over a link that carries IP: the same for every one of them.

use alloc::format;

use airtime_core::Duration;
use airtime_core::units::{Bitrate, Size};
use airtime_keys::{Fault, Keys, Words};

/// Keys of a plan's `[traffic]` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "traffic", context = Carried)]
pub struct Traffic {
    /// Kind of traffic; over nRF24 also raw frames straight from the application; through a co-processor also raw frames of the
    /// test interface between it and its host, frames that it hears in promiscuous mode, or new firmware for it; between native Wi-Fi
    /// chips of Espressif frames of ESP-NOW.
    #[key(default = "udp")]
    pub kind: Kind,
    /// Octets of payload of each datagram or raw frame (16 or more of a UDP datagram).
    #[key(
        range = 1..=1_472, unit = "octets",
        from = "what fits the MTU: 28 less; of a raw frame of nRF24 32; through a co-processor 1400, in its raw test 1460; of ESP-NOW 250; over 802.15.4 none: its frames are plain",
        whose = Application, steps = [Half, Double, Fitting], when = Carried::units,
        mechanism = Packet
    )]
    pub payload: Option<u16>,
    /// UDP payload offered by each sender.
    #[key(
        from = "half as much again as the air can carry; raw frames of nRF24 and of ESP-NOW, and through a co-processor up, as fast as calls return",
        when = Carried::units,
        mechanism = Offered
    )]
    pub offered: Option<Bitrate>,
    /// Pace of datagrams: even, or as iperf3 paces: every millisecond what brings the average up to the rate.
    #[key(default = "constant", when = Carried::datagrams, mechanism = Offered)]
    pub pace: Pace,
    /// TCP: octets per call of the application.
    #[key(range = 1..=1_000_000, default = "16kB", whose = Application, when = Carried::stream, mechanism = Packet)]
    pub write: Size,
    /// TCP: receive buffer.
    #[key(
        range = 536..=1_048_576, from = "65535B in legacy, else five segments", whose = Machine, when = Carried::stream,
        mechanism = Underway, way = More
    )]
    pub window: Option<Size>,
    /// TCP: octets of the whole transfer, which then ends the run; absent: as much as the time allows.
    #[key(range = 1..=10_000_000_000, when = Carried::stream)]
    pub size: Option<Size>,
    /// Flows of each sender, that share what is offered.
    #[key(range = 1..=16, default = 1, when = Carried::ip, mechanism = Underway)]
    pub flows: u8,
    /// Way it goes: up is from `a` to `b`, or from the host to the far end.
    #[key(default = "up", when = Carried::any)]
    pub direction: Direction,
    /// Echo requests of 64 octets of ICMP beside the load, one per this time; from `a`, or from the far end.
    #[key(range = "1ms"..="24h", when = Carried::ip, mechanism = Offered)]
    pub ping: Option<Duration>,
    /// Goes on, after the senders have stopped at the end of the run, until all has arrived: by how much a bounded test
    /// overruns.
    #[key(default = false, when = Carried::any)]
    pub drain: bool,
}

/// Kind of traffic, or another test in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Kind {
    /// Datagrams at a rate.
    Udp,
    /// Streams.
    Tcp,
    /// Frames without IP: of an application on nRF24, of the test interface of a co-processor.
    Raw,
    /// Frames that a co-processor hears in promiscuous mode.
    Capture,
    /// New firmware for a co-processor.
    Ota,
    /// Frames of ESP-NOW between native chips.
    EspNow,
}

/// Pace at which a sender of datagrams keeps to its rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Pace {
    /// Evenly.
    Constant,
    /// As iperf3 does.
    #[word("iperf3")]
    Iperf3,
}

/// Way the traffic goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Direction {
    /// From `a`, or from the host, up to the other end.
    Up,
    /// The other way.
    Down,
    /// Both ways at once.
    Both,
}

impl Direction {
    /// Tells if this end sends, 0 for `a` or the host and 1 for the other.
    pub const fn sends(self, end: usize) -> bool {
        match self {
            Self::Up => end == 0,
            Self::Down => end == 1,
            Self::Both => true,
        }
    }

    /// Tells if this end receives.
    pub const fn receives(self, end: usize) -> bool {
        self.sends(1 - end)
    }
}

/// Traffic of a scenario, as far as it decides which keys mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// Datagrams, or frames like them.
    Datagrams,
    /// Streams.
    Streams,
    /// Raw frames, with no IP above them.
    Frames,
    /// Nothing: another test is run.
    Nothing,
}

impl Carried {
    fn datagrams(&self) -> bool {
        *self == Self::Datagrams
    }

    fn units(&self) -> bool {
        matches!(self, Self::Datagrams | Self::Frames)
    }

    fn stream(&self) -> bool {
        *self == Self::Streams
    }

    fn ip(&self) -> bool {
        matches!(self, Self::Datagrams | Self::Streams)
    }

    fn any(&self) -> bool {
        *self != Self::Nothing
    }
}

/// Fewest octets of a datagram of a test: its stamp.
pub const DATAGRAM_MIN: u16 = 16;

/// Transport of the payload, with what only it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Datagrams at a rate.
    Udp {
        /// Octets of payload of each.
        payload: u16,
        /// Payload offered by each sender; none saturates.
        offered: Option<Bitrate>,
        /// Pace at which the sender keeps to it.
        pace: Pace,
    },
    /// Streams.
    Tcp {
        /// Octets per call of the application.
        write: u32,
        /// Receive buffer.
        window: u32,
        /// Octets of the whole transfer; none: as much as the time allows.
        size: Option<u64>,
    },
}

/// Values of a link where the plan does not say.
#[derive(Clone, Copy, Debug)]
pub struct Missing {
    /// Payload of a datagram.
    pub payload: u16,
    /// Receive buffer of TCP.
    pub window: u32,
}

impl Traffic {
    /// Fills in what the plan left to the link.
    pub fn fill(&mut self, missing: Missing) {
        self.payload.get_or_insert(missing.payload);
        self.window.get_or_insert(Size(missing.window.into()));
    }

    /// Transport of the payload; call it once everything is filled in.
    pub fn transport(&self) -> Transport {
        let octets = |size: Size| u32::try_from(size.0).unwrap_or(u32::MAX);
        match self.kind {
            Kind::Tcp => Transport::Tcp {
                write: octets(self.write),
                window: self.window.map_or(0, octets),
                size: self.size.map(|size| size.0),
            },
            _ => Transport::Udp { payload: self.payload.unwrap_or(0), offered: self.offered, pace: self.pace },
        }
    }

    /// Set where the payload goes in streams.
    pub fn is_tcp(&self) -> bool {
        self.kind == Kind::Tcp
    }

    /// Refuses what only the other transport has, and a datagram without room for its stamp.
    ///
    /// # Errors
    /// With the keys it is about and what is wrong with them.
    pub fn check(&self) -> Result<(), Fault> {
        if let Some(payload) =
            self.payload.filter(|&payload| payload < DATAGRAM_MIN && !matches!(self.kind, Kind::Tcp | Kind::EspNow))
        {
            let what =
                format!("`traffic.payload`: {payload} is less than the {DATAGRAM_MIN} octets of a datagram's stamp");
            return Err(Fault::new(what)
                .allowing(format!("{DATAGRAM_MIN} to 1472"))
                .about([Self::PAYLOAD, Self::KIND]));
        }
        if !self.is_tcp() && self.size.is_some() {
            let what = "only a TCP transfer has a size; datagrams last as long as the run";
            return Err(Fault::new(format!("`traffic.size`: {what}")).about([Self::SIZE, Self::KIND]));
        }
        if self.is_tcp() && self.offered.is_some() {
            let what = "TCP takes what it gets; only UDP is offered at a rate";
            return Err(Fault::new(format!("`traffic.offered`: {what}")).about([Self::OFFERED, Self::KIND]));
        }
        Ok(())
    }
}
