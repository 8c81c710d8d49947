//! Everything one run of IP over Wi-Fi through an ESP-hosted co-processor needs to know.

use alloc::vec;
use alloc::vec::Vec;

use airtime_keys::{Fault, Key, Keys, Run, Source, Table, Value};
use airtime_net::lwip;
use airtime_net::traffic::{Kind, Missing, Traffic};

use super::context::{Context, Test};
use super::{
    Access, Board, Bus, Cell, Chain, EspNow, Host, Hosted, Lwip, OperatingSystem, Path, PowerSave, Radio, Transport,
    check,
};
use crate::air::{Phy, Standard, Timing, Width};
use crate::network::{Costs, PathConfig};
use crate::plan::Band;
use crate::wire::espnow::Version;

/// Octets of a datagram of the published test.
const PAYLOAD: u16 = 1_400;

/// Octets of a frame of the raw test. esp-hosted-mcu Kconfig, `ESP_HOSTED_RAW_TP_HOST_TO_ESP_PKT_LEN`.
const RAW_FRAME: u16 = 1_460;

/// Octets of the longest body of ESP-NOW 1.0.
const ESP_NOW_BODY: u16 = Version::V1.body_max() as u16;

/// Names of the link in plans and records.
pub const LINKS: &[&str] = &["wifi-hosted"];

/// Keys of the link, in the order of documentation and records.
pub const TABLES: &[Table] = &[
    Table::new(Board::KEYS, LINKS),
    Table::new(Radio::KEYS, LINKS),
    Table::new(Access::KEYS, LINKS),
    Table::new(Cell::KEYS, LINKS),
    Table::new(PowerSave::KEYS, LINKS),
    Table::new(EspNow::KEYS, LINKS),
    Table::new(Bus::KEYS, LINKS),
    Table::new(Hosted::KEYS, LINKS),
    Table::new(Lwip::KEYS, LINKS),
    Table::new(Host::KEYS, LINKS),
    Table::new(Path::KEYS, LINKS),
];

/// Keys of its traffic, which it shares with other links that carry IP.
pub const TRAFFIC: &[Table] = &[Table { keys: Traffic::KEYS, links: LINKS, without: &[Traffic::WINDOW] }];

/// Parameters of one run, each with its value in effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Name of the chain of host, bus and co-processor.
    pub board: Board,
    /// Costs and memories of that chain, as its personality says; what the plan says instead is in `hosted` and `host`.
    pub chain: Chain,
    /// PPDUs with data.
    pub radio: Radio,
    /// Access to the channel.
    pub access: Access,
    /// The channel and its other stations.
    pub cell: Cell,
    /// Power save of the station.
    pub power_save: PowerSave,
    /// Frames of ESP-NOW; without effect for every other test.
    pub espnow: EspNow,
    /// The bus, or the air alone.
    pub bus: Bus,
    /// Both sides of the bus; without effect for the air alone.
    pub hosted: Hosted,
    /// The host's TCP/IP stack.
    pub lwip: Lwip,
    /// CPU time of that stack.
    pub host: Host,
    /// Path beyond the access point.
    pub path: Path,
    /// Traffic, or the test in its place.
    pub traffic: Traffic,
    /// Length and repeats.
    pub run: Run,
}

impl Scenario {
    /// The scenario of a plan that names `chain`, checked.
    ///
    /// # Errors
    /// The first thing that does not hold between its keys.
    pub fn read(from: &dyn Source, chain: Chain) -> Result<Self, Fault> {
        let mut scenario = Self {
            board: Board::read(from)?,
            chain,
            radio: Radio::read(from)?,
            access: Access::read(from)?,
            espnow: EspNow::read(from)?,
            cell: Cell::read(from)?,
            power_save: PowerSave::read(from)?,
            bus: Bus::read(from)?,
            hosted: Hosted::read(from)?,
            lwip: Lwip::read(from)?,
            host: Host::read(from)?,
            path: Path::read(from)?,
            traffic: Traffic::read(from)?,
            run: Run::read(from)?,
        };
        scenario.fill();
        check::check(&scenario)?;
        Ok(scenario)
    }

    /// Fills in what the plan left to others of its keys, or to the chain.
    fn fill(&mut self) {
        self.radio.fill(self.test());
        self.access.fill(self.radio.standard(), self.test());
        self.power_save.fill();
        // Who dozes wakes for beacons.
        if self.power_save.dozes() {
            self.cell.beacons.get_or_insert(true);
        }
        self.cell.fill(self.radio.standard());
        self.hosted.fill(self.bus.bus, self.is_linux(), &self.chain.bus);
        self.host.fill(self.chain.stack);
        let payload = match self.traffic.kind {
            Kind::Raw => RAW_FRAME,
            Kind::EspNow => ESP_NOW_BODY,
            _ => PAYLOAD,
        };
        self.traffic.fill(Missing { payload, window: self.lwip.wnd });
    }

    /// Tells every key that means something in this scenario, with its value in effect.
    pub fn show(&self, told: &mut dyn FnMut(&'static Key, Value)) {
        let context = self.context();
        self.board.show(&(), told);
        if context.has_air() {
            self.radio.show(&context, told);
            self.access.show(&context, told);
            self.cell.show(&context, told);
            self.power_save.show(&context, told);
            self.espnow.show(&context, told);
        }
        self.bus.show(&(), told);
        if context.chips {
            self.hosted.show(&context, told);
        }
        if context.has_lwip() {
            self.lwip.show(&context, told);
            self.host.show(&(), told);
        }
        if context.has_stacks() {
            self.path.show(&context, told);
        }
        self.traffic.show(&context.carried(), told);
        self.run.show(&(), told);
    }

    /// Values of `key` that follow from the rest of the scenario.
    pub fn fitting(&self, key: &Key) -> Vec<u64> {
        match key.name {
            // A datagram that fills a packet.
            name if name == Traffic::PAYLOAD.name => vec![match self.test() {
                Test::EspNow => self.espnow.version.body_max() as u64,
                _ => u64::from(check::PAYLOAD_MAX),
            }],
            _ => Vec::new(),
        }
    }

    /// Facts by which its keys mean something or nothing.
    pub fn context(&self) -> Context {
        Context {
            test: self.test(),
            chips: self.chips().is_some(),
            bus: self.bus.bus,
            linux: self.is_linux(),
            access_point: self.cell.is_access_point(),
            dozes: self.power_save.dozes(),
            listens: self.power_save.listens(),
            tcp: self.traffic.is_tcp(),
            wide: self.radio.width == Width::Mhz40,
            dsss: self.radio.standard() == Standard::B,
            aggregates: self.phy().aggregates(),
            others: self.cell.stations > 1,
        }
    }

    /// Kind of measurement.
    pub const fn test(&self) -> Test {
        Test::of(self.traffic.kind)
    }

    /// Both sides of the bus; none for the air alone.
    pub const fn chips(&self) -> Option<&Hosted> {
        match self.bus.bus {
            Transport::Sdio | Transport::Spi | Transport::SpiHd => Some(&self.hosted),
            Transport::None => None,
        }
    }

    /// PHY of data; with a rate that follows, the highest.
    pub fn phy(&self) -> Phy {
        self.radio.phy()
    }

    /// Spaces, slots and responses of the channel.
    pub fn timing(&self) -> Timing {
        let (standard, preamble) = (self.radio.standard(), self.phy().preamble);
        let band = match (standard, self.radio.band) {
            (Standard::B, _) => Timing::dsss(preamble),
            (_, Band::Ghz2) => Timing::ghz24(),
            (_, Band::Ghz5) => Timing::ghz5(),
        };
        Timing {
            slot: self.access.slot(standard).time(),
            responses: self.access.ba_rate(standard).responses(preamble),
            whole_symbols: self.radio.whole_symbols,
            ..band
        }
    }

    /// Configuration of the path behind the air. The air alone has no hop that drops what comes at once.
    pub fn path(&self) -> PathConfig {
        let path = self.path.config(!self.cell.is_access_point());
        if self.chips().is_some() { path } else { PathConfig { queue: u16::MAX, ..path } }
    }

    /// Costs of the tasks around the bus.
    pub fn costs(&self) -> Costs {
        self.hosted.costs(self.own_costs())
    }

    /// Costs that the personality has for this bus.
    fn own_costs(&self) -> Costs {
        let own = self.chain.costs();
        match self.bus.bus {
            Transport::Spi => Costs { write_frame: own.exchange_frame, ..own },
            // From its data-ready line to the task that reads: a switch of tasks, *assumed*; what SDIO takes is its own.
            Transport::SpiHd => Costs { wake: self.chain.stack.switch, ..own },
            Transport::Sdio | Transport::None => own,
        }
    }

    /// Tells if the host is a Linux, with a stack and a driver of its own.
    pub fn is_linux(&self) -> bool {
        self.chain.system.system == OperatingSystem::Linux
    }

    /// Tells if the bus is SPI.
    pub fn is_spi(&self) -> bool {
        self.bus.bus == Transport::Spi
    }

    /// Tells if the bus is SPI in half duplex.
    pub fn is_half_duplex(&self) -> bool {
        self.bus.bus == Transport::SpiHd
    }

    /// Name of the bus, in sentences.
    pub fn bus_name(&self) -> &'static str {
        if self.is_spi() || self.is_half_duplex() { "SPI" } else { "SDIO" }
    }

    /// CPU time of the host's TCP/IP stack.
    pub fn stack_costs(&self) -> lwip::Costs {
        self.host.costs(self.chain.stack)
    }
}
