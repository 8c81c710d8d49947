//! Things that lines of a log say, and the test that they add up to.

use airtime_lab::record::Environment;

use super::terms::{Change, Terms};

/// End of the stream that counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountingEnd {
    /// The sender's: octets that its stack took.
    Sender,
    /// The receiver's, or a sender whose every octet was acknowledged on the air: octets that arrived.
    Receiver,
}

/// Stretch of time with the rate in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Line it stands on, from 1.
    pub line: usize,
    /// Length in seconds, above zero.
    pub seconds: f64,
    /// 10³ bit of payload per second.
    pub kbps: f64,
}

/// Figure of a test as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Total {
    /// Line it stands on, from 1.
    pub line: usize,
    /// 10³ bit of payload per second.
    pub kbps: f64,
    /// Octets of payload, where they are said.
    pub octets: Option<u64>,
    /// Length in seconds, where it is said.
    pub seconds: Option<f64>,
    /// Set if its program has left out a warm-up itself.
    pub steady: bool,
}

/// A test as the log tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Test {
    /// Program that wrote it, a short name.
    pub program: &'static str,
    /// Kind of link, where the program works over one only.
    pub link: Option<&'static str>,
    /// Kind of link that a line names, of a program that works over several.
    pub named: Option<&'static str>,
    /// Way of the stream over Bluetooth LE.
    pub direction: Option<&'static str>,
    /// Kind of traffic, as plans name it.
    pub traffic: Option<&'static str>,
    /// End that counted `stretches`.
    pub end: Option<CountingEnd>,
    /// Rates by stretch, in their order.
    pub stretches: Vec<Stretch>,
    /// Set if the program is known for the client, who is told the figures of the other end.
    pub client: bool,
    /// Figure of the sender for the whole.
    pub sent: Option<Total>,
    /// Figure of the receiver for the whole.
    pub received: Option<Total>,
    /// Terms under which the last figure was measured.
    pub terms: Terms,
    /// Terms that were told last: those of the next figure.
    pub told: Terms,
    /// Terms that became others between figures, in their order.
    pub changes: Vec<Change>,
    /// Octets of the ATT MTU or of the receiver's SDU.
    pub mtu: Option<u16>,
    /// Octets of K-frame payload that the receiver takes.
    pub mps: Option<u16>,
    /// SDUs, datagrams or writes of this many octets.
    pub unit_octets: Option<u64>,
    /// Surroundings that the log tells.
    pub environment: Environment,
    /// Name of the test among others of the log.
    pub name: Option<String>,
    /// Remarks on what it says.
    pub notes: Vec<String>,
}

/// A thing that one line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Another test begins.
    Begins,
    /// Rate of a stretch, of the stream with this name where there are several.
    Stretch { seconds: f64, kbps: f64, stream: Option<String> },
    /// Figure for the whole, by this end or by whoever counted the stretches.
    Total { end: Option<CountingEnd>, total: Total, stream: Option<String> },
    /// Rate from one second of the test to another, of the stream with this name: a total where it begins with the test anew.
    Span { from: f64, to: f64, kbps: f64, stream: Option<String> },
    /// Packets of the size that was told, in a stretch.
    Packets { seconds: f64, packets: u64 },
    /// End that counts.
    End(CountingEnd),
    /// True of a client, who is told the figures of the other end; false of a server.
    Client(bool),
    /// Connection interval, units of 1.25 ms.
    Interval(u32),
    /// PHY of the sender.
    Phy(&'static str),
    /// Octets out and in of an LL payload.
    DataLength(u16, u16),
    /// MTU of what is sent.
    Mtu(u16),
    /// Largest K-frame payload of the receiver.
    Mps(u16),
    /// Octets of what is sent at a time.
    Unit(u64),
    /// Kind of traffic: `udp` or `tcp`.
    Traffic(&'static str),
    /// Way of the stream: `c2p` or `p2c`.
    Direction(&'static str),
    /// Kind of link.
    Link(&'static str),
    /// Name of the firmware.
    Firmware(String),
    /// Name of the controller.
    Controller(String),
}

impl Test {
    /// Takes what a line says of the test, but for figures.
    pub fn note(&mut self, said: Said) {
        match said {
            Said::End(end) => self.end = Some(end),
            Said::Client(client) => self.client = client,
            Said::Interval(units) => self.told.interval_units = Some(units),
            Said::Phy(phy) => self.told.phy = Some(phy),
            Said::DataLength(out, back) => self.told.data_length = Some((out, back)),
            Said::Mtu(mtu) => self.mtu = Some(mtu),
            Said::Mps(mps) => self.mps = Some(mps),
            Said::Unit(octets) => self.unit_octets = Some(octets),
            Said::Traffic(kind) => self.traffic = Some(kind),
            Said::Direction(direction) => self.direction = Some(direction),
            Said::Link(link) => self.named = Some(link),
            Said::Firmware(firmware) => self.environment.firmware = Some(firmware),
            Said::Controller(controller) => self.environment.controller = Some(controller),
            // Figures are not of a test before it is known of which stream.
            Said::Begins | Said::Stretch { .. } | Said::Packets { .. } | Said::Span { .. } | Said::Total { .. } => {}
        }
    }

    /// A figure comes, behind so many: what was told before it holds for it.
    pub fn measured(&mut self, behind: usize) {
        if behind > 0 {
            self.changes.extend(self.terms.changes(&self.told, behind));
        }
        self.terms = self.told.clone();
    }

    /// The test that follows on the same link: what was agreed on stays.
    pub fn next(&self) -> Self {
        Self { changes: Vec::new(), notes: Vec::new(), ..self.clone() }
    }
}
