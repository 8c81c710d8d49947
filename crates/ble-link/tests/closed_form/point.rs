//! One point of the grid, as a plan and as a closed form.

use airtime_ble_link::plan::Scenario;
use airtime_lab::{Library, Plan};

use super::air::{Phy, longest, pdus};
use super::walk::{Link, Side};

/// A controller's end-of-event rule, by the personality that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Zephyr,
    Nordic,
    Ideal,
}

impl Rule {
    pub const ALL: [Self; 3] = [Self::Zephyr, Self::Nordic, Self::Ideal];

    fn personality(self) -> &'static str {
        match self {
            Self::Zephyr => "zephyr-ll",
            Self::Nordic => "nordic-sdc",
            Self::Ideal => "ideal",
        }
    }

    /// Margin in µs, full budget, and how long before a packet its payload must be there: the
    /// published 250 to 312 µs and 292 to 316 µs at their middles, and one inter frame space.
    fn side(self) -> Side {
        let (margin, full, ahead) = match self {
            Self::Zephyr => (281, false, 150),
            Self::Nordic => (304, true, 150),
            Self::Ideal => (0, false, 0),
        };
        Side { margin, full, ahead, stream: Vec::new(), next: 0, credits: 0, fresh: 0, frames: 0, every: u64::MAX }
    }
}

/// Which way the stream goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    P2c,
    C2p,
    Both,
}

impl Direction {
    fn name(self) -> &'static str {
        match self {
            Self::P2c => "p2c",
            Self::C2p => "c2p",
            Self::Both => "both",
        }
    }
}

/// The receiver's credits: enough for ever, or so many for as many K-frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credits {
    Plenty,
    Per(u64),
}

/// A point of the grid.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub phy: Phy,
    /// µs.
    pub interval: u64,
    pub sdu: u64,
    pub mps: u64,
    pub central: Rule,
    pub peripheral: Rule,
    pub direction: Direction,
    pub credits: Credits,
    pub encrypted: bool,
    pub data_length: u64,
    /// µs.
    pub gap: u64,
}

impl Point {
    /// A clear link of two devices with the same rule, 251 octets per PDU and one PDU per K-frame.
    pub fn new(phy: Phy, interval: u64, sdu: u64, rule: Rule, direction: Direction) -> Self {
        Self {
            phy,
            interval,
            sdu,
            mps: 247,
            central: rule,
            peripheral: rule,
            direction,
            credits: Credits::Plenty,
            encrypted: false,
            data_length: 251,
            gap: 150,
        }
    }

    /// Payload octets of the longest PDU.
    pub fn longest(&self) -> u64 {
        longest(self.phy, self.data_length, self.interval, self.gap, self.encrypted)
    }

    /// The closed form of the link, at the start of an SDU.
    pub fn link(&self) -> Link {
        let stream = pdus(self.sdu, self.mps, 251, self.longest());
        let (mut central, mut peripheral) = (self.central.side(), self.peripheral.side());
        if self.direction != Direction::P2c {
            central.stream.clone_from(&stream);
        }
        if self.direction != Direction::C2p {
            peripheral.stream = stream;
        }
        if let Credits::Per(every) = self.credits {
            (central.every, peripheral.every) = (every, every);
        }
        Link {
            phy: self.phy,
            encrypted: self.encrypted,
            interval: self.interval,
            gap: self.gap,
            // connEffectiveMaxRxOctets and connEffectiveMaxRxTime: the interval shortens what a side
            // may send on LE Coded, and not what it must be ready to receive (4.5.10).
            expected: self.data_length,
            central,
            peripheral,
            again: None,
        }
    }

    /// The same as a scenario in which neither host nor buffers ever hold the sender back.
    pub fn scenario(&self, library: &Library) -> Scenario {
        let credits = match self.credits {
            Credits::Plenty => "{ initial = 65535, on_connect = 0, grant = 1, every = 65535 }".to_owned(),
            Credits::Per(every) => {
                format!("{{ initial = {}, on_connect = 0, grant = {every}, every = {every} }}", 10 + 2 * every)
            }
        };
        let mut set: Vec<(String, String)> = Vec::new();
        let mut put = |key: &str, value: String| set.push((key.to_owned(), value));
        put("central.personality", self.central.personality().into());
        put("peripheral.personality", self.peripheral.personality().into());
        put("ble.conn_interval", format!("{}us", self.interval));
        put("ble.phy", self.phy.name().into());
        put("ble.direction", self.direction.name().into());
        put("ble.encrypted", self.encrypted.to_string());
        put("ble.data_length", self.data_length.to_string());
        put("ble.frame_space", format!("{}us", self.gap));
        put("coc.sdu", self.sdu.to_string());
        put("coc.mps", self.mps.to_string());
        put("coc.mtu", "4096".into());
        put("coc.credits", credits);
        put("coc.in_flight", "255".into());
        put("coc.tx_buffers", "255".into());
        put("acl.count", "64".into());
        put("acl.size", "251".into());
        for key in ["host.latency", "host.packet_time", "host.sdu_time"] {
            put(key, "0us".into());
        }
        if self.direction != Direction::Both {
            put("peer_host.latency", "0us".into());
            put("peer_host.packet_time", "0us".into());
        }
        let plan = Plan::parse("grid", "link = \"ble-coc\"", library, &set).unwrap_or_else(|e| panic!("{self:?}: {e}"));
        let scenario = plan.point(0).expect("a plan has a point").scenario;
        scenario.of::<airtime_ble_link::plan::Scenario>().cloned().expect("it is a Bluetooth LE link")
    }
}
