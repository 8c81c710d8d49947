//! Rest of a scenario, as far as it decides which keys mean something in it.

use airtime_net::traffic::{Carried, Kind};

use super::Transport;

/// Kind of measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Datagrams or a stream.
    Traffic,
    /// Frames of the test interface between host and co-processor: the bus alone.
    Raw,
    /// Frames that a promiscuous co-processor hears and hands to its host.
    Capture,
    /// An update of the co-processor.
    Ota,
    /// Frames of ESP-NOW between two native chips.
    EspNow,
}

impl Test {
    /// The measurement that this kind of traffic is.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Udp | Kind::Tcp => Self::Traffic,
            Kind::Raw => Self::Raw,
            Kind::Capture => Self::Capture,
            Kind::Ota => Self::Ota,
            Kind::EspNow => Self::EspNow,
        }
    }
}

/// Facts about a scenario by which its keys mean something or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Kind of measurement.
    pub test: Test,
    /// Set if both chips are there; else it is the air alone, without stack and path.
    pub chips: bool,
    /// Bus that they have between them.
    pub bus: Transport,
    /// Set if the host is a Linux.
    pub linux: bool,
    /// Set if the co-processor is the access point.
    pub access_point: bool,
    /// Set if the station dozes.
    pub dozes: bool,
    /// Set if it chooses the beacons that it wakes for.
    pub listens: bool,
    /// Set if the payload goes in streams.
    pub tcp: bool,
    /// Set if the channel has 40 MHz.
    pub wide: bool,
    /// Set if data is sent with DSSS or CCK.
    pub dsss: bool,
    /// Set if it is sent with HT or HE.
    pub aggregates: bool,
    /// Set if there are other stations.
    pub others: bool,
}

impl Context {
    /// Tells if anything is sent by air.
    pub(super) fn has_air(&self) -> bool {
        self.test != Test::Raw
    }

    /// Tells if anybody sends frames of data: ESP-NOW has none.
    pub(super) fn has_data(&self) -> bool {
        !self.is_espnow() || self.others
    }

    /// Tells if these may carry A-MSDUs.
    pub(super) fn has_amsdus(&self) -> bool {
        self.has_data() && self.aggregates
    }

    pub(super) fn is_espnow(&self) -> bool {
        self.test == Test::EspNow
    }

    /// Tells if there are stacks, and a path between them.
    pub(super) fn has_stacks(&self) -> bool {
        self.chips && self.test == Test::Traffic
    }

    /// Traffic, as far as it decides which of its keys mean something.
    pub(super) fn carried(&self) -> Carried {
        match (self.test, self.tcp) {
            (Test::Capture | Test::Ota, _) => Carried::Nothing,
            (Test::EspNow, _) => Carried::Frames,
            (Test::Traffic | Test::Raw, false) => Carried::Datagrams,
            (Test::Traffic | Test::Raw, true) => Carried::Streams,
        }
    }

    pub(super) fn is_spi(&self) -> bool {
        self.bus == Transport::Spi
    }

    pub(super) fn is_half_duplex(&self) -> bool {
        self.bus == Transport::SpiHd
    }

    pub(super) fn is_clocked_as_spi(&self) -> bool {
        self.is_spi() || self.is_half_duplex()
    }

    /// Tells if what is read is not read in the transaction of something that is written.
    pub(super) fn reads_alone(&self) -> bool {
        !self.is_spi()
    }

    pub(super) fn is_sdio(&self) -> bool {
        !self.is_clocked_as_spi()
    }

    /// Tells if the stack of the host is lwIP.
    pub(super) fn has_lwip(&self) -> bool {
        self.has_stacks() && !self.linux
    }

    /// Tells if there is a wired hop behind the air.
    pub(super) fn has_hop(&self) -> bool {
        !self.access_point
    }

    /// Tells if packets go through the interface of a station, which alone looks at a throttle and tries twice.
    pub(super) fn is_station(&self) -> bool {
        !self.access_point
    }

    pub(super) fn dozes(&self) -> bool {
        self.dozes
    }

    pub(super) fn listens(&self) -> bool {
        self.listens
    }

    pub(super) fn is_dsss(&self) -> bool {
        self.dsss
    }

    pub(super) fn is_ofdm(&self) -> bool {
        !self.dsss
    }

    pub(super) fn is_wide(&self) -> bool {
        self.wide
    }

    pub(super) fn is_capture(&self) -> bool {
        self.test == Test::Capture
    }

    pub(super) fn is_update(&self) -> bool {
        self.test == Test::Ota
    }

    pub(super) fn has_streams(&self) -> bool {
        self.tcp
    }

    pub(super) fn has_datagrams(&self) -> bool {
        !self.tcp
    }
}
