//! Remote calls over a Bluetooth LE link: what is called, and how it travels.

pub(super) mod check;
mod published;
mod resolve;

use airtime_rpc::client::Mode;
use airtime_rpc::suite::{BenchConfig, Method};

pub use published::BENCHES;
pub(super) use resolve::Carriers;

/// The calls of a run, and what carries them.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcScenario {
    /// What the client does.
    pub script: RpcScript,
    /// What carries the frames.
    pub transport: Transport,
    /// The mode the client asks for.
    pub mode: Mode,
    /// Whether calls are sealed by the protocol's own encryption.
    pub sealed: bool,
    /// Frames that an application has with its host at a time; none: as many as that end's controller buffers.
    pub in_flight: Option<u16>,
    /// Octets that each receiver lets a call have under way in extended mode.
    pub window: u32,
    /// Longest frame in octets; compatible mode uses at most 244 of them.
    pub frame: u16,
}

/// What the client of a run does.
#[derive(Clone, Debug, PartialEq)]
pub enum RpcScript {
    /// The published checks; the one of this name, or every one.
    Conformance(Option<&'static str>),
    /// Benchmarks, one after the other; at least one.
    Benches(Vec<BenchConfig>),
}

/// What carries the frames of remote calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Write commands and notifications of one characteristic.
    Gatt,
    /// SDUs of a credit-based channel.
    Coc,
}

impl Transport {
    /// As plans and records write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gatt => "gatt",
            Self::Coc => "coc",
        }
    }
}

impl RpcScenario {
    /// The benchmarks; none when the checks are run.
    pub fn benches(&self) -> &[BenchConfig] {
        match &self.script {
            RpcScript::Conformance(_) => &[],
            RpcScript::Benches(benches) => benches,
        }
    }

    /// Whether the check of this name counts.
    pub fn counts(&self, check: &str) -> bool {
        matches!(self.script, RpcScript::Conformance(only) if only.is_none_or(|only| only == check))
    }

    /// The one benchmark, if it is one.
    pub fn bench(&self) -> Option<&BenchConfig> {
        match self.benches() {
            [bench] => Some(bench),
            _ => None,
        }
    }

    /// Whether the client's calls go on until the run ends.
    pub fn is_open_ended(&self) -> bool {
        self.benches().iter().any(|bench| bench.calls.is_none())
    }
}

/// A method's name as the protocol has it.
pub const fn method_name(method: Method) -> &'static str {
    method.name()
}

/// A mode as plans and records write it.
pub const fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Compatible => "compatible",
        Mode::Extended => "extended",
    }
}
