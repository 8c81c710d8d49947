//! Remote calls over a Bluetooth LE link: what is called, and how it travels.

pub(super) mod check;
mod published;

use airtime_core::units::Size;
use airtime_keys::{Keys, OrNone, Words};
use airtime_rpc::CALLS_MAX;
use airtime_rpc::client::Mode;
use airtime_rpc::suite::{BenchConfig, Method, PublishedCheck};

pub use published::BENCHES;

/// Keys of remote calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "rpc", context = Option<Suite>)]
pub struct Rpc {
    /// Suite to run instead of one call: the published checks, or the published benchmarks one after the other.
    pub suite: Option<Suite>,
    /// Check of the suite that alone counts.
    pub check: Option<PublishedCheck>,
    /// Method that is called again and again; those of large objects in extended mode only.
    #[key(default = "flash_read", when = Option::is_none)]
    pub call: Method,
    /// Payload octets of one call, or items of its stream.
    // Extended mode carries a message of up to 2^32 - 1 octets; the published firmware reads and writes up to 8192.
    #[key(
        range = 0..=16_777_216,
        from = "as in the published benchmark: 8192 octets of flash, 5 echoed, 200 written, 20 items of a stream; 262144 of a large object",
        when = Option::is_none
    )]
    pub payload: Option<u32>,
    /// Calls that count.
    #[key(
        range = 1..=1_000_000_000, from = "as in the published benchmark; none goes on to the end of the run",
        when = Option::is_none
    )]
    pub calls: Option<OrNone<u32>>,
    /// Calls before the first that counts.
    #[key(range = 0..=1_000, default = 1)]
    pub warmup: u32,
    /// Carrier of the frames: write commands and notifications, or SDUs of a credit-based channel.
    #[key(default = "gatt", whose = Application, mechanism = Answers)]
    pub transport: Transport,
    /// Mode of the protocol: as published, or with the extension of it.
    #[key(default = "compatible", whose = Application, mechanism = Answers)]
    pub mode: Mode,
    /// Calls under way at a time; more than one in extended mode only.
    #[key(
        range = 1..=CALLS_MAX, default = 1, whose = CentralApplication,
        steps = [To(1), Half, Double, To(CALLS_MAX as u64)],
        mechanism = Underway, way = More
    )]
    pub outstanding: u8,
    /// Encryption of calls by the protocol itself, independent of the link's.
    #[key(default = false, whose = Application, mechanism = Packet, guards = Security)]
    pub encrypted: bool,
    /// Octets that a receiver lets each call have under way in extended mode.
    #[key(range = 1_024..=4_294_967_295, default = "16kB", whose = Application, mechanism = Underway, way = More)]
    pub window: Size,
    /// Frames that an application has with its host at a time.
    // A pair, and what the published firmware has.
    #[key(
        range = 1..=255, from = "as many as each end's controller buffers", whose = Application,
        steps = [To(2), Half, Double, To(20)],
        mechanism = Underway, way = More
    )]
    pub in_flight: Option<u16>,
    /// Longest frame in octets; compatible mode uses at most 244.
    // Core 6.0, Vol 3, Part F, 3.2.9: values of up to 512 octets.
    #[key(
        range = 20..=512, from = "what fits one LL PDU: 3 less than the ATT MTU, or an SDU of one K-frame",
        whose = Application, steps = [Fitting],
        mechanism = Packet
    )]
    pub frame: Option<u16>,
}

/// Suite that a plan can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Suite {
    /// The published checks.
    Conformance,
    /// The published benchmarks.
    Bench,
}

/// Carrier of the frames of remote calls, or of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Transport {
    /// Write commands and notifications of one characteristic.
    Gatt,
    /// SDUs of a credit-based channel.
    Coc,
}

impl Transport {
    /// Name as plans and records write it.
    pub fn name(self) -> &'static str {
        self.word()
    }
}

impl Rpc {
    /// Fills in what the plan left to the published benchmark of the method.
    pub(super) fn fill(&mut self) {
        if self.suite.is_none() {
            let published = published::of(self.call);
            self.payload.get_or_insert(published.payload);
            self.calls.get_or_insert(OrNone(published.calls));
        }
    }

    /// The benchmarks, one after the other; none when the checks are run.
    pub fn benches(&self) -> Vec<BenchConfig> {
        match self.suite {
            Some(Suite::Conformance) => Vec::new(),
            Some(Suite::Bench) => BENCHES.into_iter().map(|bench| self.as_often(bench)).collect(),
            None => vec![self.one_bench()],
        }
    }

    /// The one benchmark, if it is one.
    pub fn bench(&self) -> Option<BenchConfig> {
        self.suite.is_none().then(|| self.one_bench())
    }

    /// Tells if the check of this name counts.
    pub fn counts(&self, check: &str) -> bool {
        self.suite == Some(Suite::Conformance) && self.check.is_none_or(|only| only.word() == check)
    }

    /// Tells if the client's calls go on until the run ends.
    pub fn is_open_ended(&self) -> bool {
        self.benches().iter().any(|bench| bench.calls.is_none())
    }

    /// Octets that each receiver lets a call have under way in extended mode.
    pub fn window(&self) -> u32 {
        u32::try_from(self.window.0).unwrap_or(u32::MAX)
    }

    fn one_bench(&self) -> BenchConfig {
        let published = published::of(self.call);
        self.as_often(BenchConfig { payload: self.payload.unwrap_or(published.payload), ..published })
    }

    /// `bench` as often, and with as many calls at a time, as the plan says.
    fn as_often(&self, bench: BenchConfig) -> BenchConfig {
        let calls = self.calls.map_or(bench.calls, |calls| calls.0);
        BenchConfig { calls, warmup: self.warmup, outstanding: self.outstanding, ..bench }
    }
}

/// Name of a mode, as plans and records write it.
pub fn mode_name(mode: Mode) -> &'static str {
    mode.word()
}
