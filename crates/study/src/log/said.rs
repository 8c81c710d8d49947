//! Things that lines of a log say, and the test that they add up to.

use airtime_lab::record::Environment;

/// End of the stream that counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
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
    /// Way of the stream over Bluetooth LE.
    pub direction: Option<&'static str>,
    /// End that counted `stretches`.
    pub end: Option<End>,
    /// Rates by stretch, in their order.
    pub stretches: Vec<Stretch>,
    /// Figure of the sender for the whole.
    pub sent: Option<Total>,
    /// Figure of the receiver for the whole.
    pub received: Option<Total>,
    /// Connection interval in units of 1.25 ms, the last that was told.
    pub interval_units: Option<u32>,
    /// PHY of what the sender sends.
    pub phy: Option<&'static str>,
    /// Octets of an LL payload the sender may send, and those it takes.
    pub data_length: Option<(u16, u16)>,
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
    Total { end: Option<End>, total: Total, stream: Option<String> },
    /// Rate from one second of the test to another, of the stream with this name: a total where it begins with the test anew.
    Span { from: f64, to: f64, kbps: f64, stream: Option<String> },
    /// Packets of the size that was told, in a stretch.
    Packets { seconds: f64, packets: u64 },
    /// End that counts.
    End(End),
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
    /// Way of the stream: `c2p` or `p2c`.
    Direction(&'static str),
    /// Firmware.
    Firmware(String),
    /// Controller.
    Controller(String),
}

impl Test {
    /// Takes what a line says of the test, but for figures, of which there are so many by now.
    pub fn note(&mut self, said: Said, figures: usize) {
        match said {
            Said::End(end) => self.end = Some(end),
            Said::Interval(units) => self.interval_units = Some(units),
            Said::Phy(phy) => {
                if let Some(before) = self.phy.filter(|before| *before != phy && figures > 0) {
                    self.notes.push(format!("the PHY changed from {before} to {phy} behind {figures} figures"));
                }
                self.phy = Some(phy);
            }
            Said::DataLength(out, back) => self.data_length = Some((out, back)),
            Said::Mtu(mtu) => self.mtu = Some(mtu),
            Said::Mps(mps) => self.mps = Some(mps),
            Said::Unit(octets) => self.unit_octets = Some(octets),
            Said::Direction(direction) => self.direction = Some(direction),
            Said::Firmware(firmware) => self.environment.firmware = Some(firmware),
            Said::Controller(controller) => self.environment.controller = Some(controller),
            // Figures are not of a test before it is known of which stream.
            Said::Begins | Said::Stretch { .. } | Said::Packets { .. } | Said::Span { .. } | Said::Total { .. } => {}
        }
    }

    /// The test that follows on the same link: what was agreed on stays.
    pub fn next(&self) -> Self {
        Self { notes: Vec::new(), ..self.clone() }
    }
}
