//! The published checks and benchmarks as machines that call: what runs them, virtual, live or on a chip, only carries frames.

mod answer;
mod bench;
mod conformance;
mod running;
mod task;
#[cfg(feature = "plan")]
mod words;

use airtime_core::{Duration, Instant};

use crate::client::Client;
use crate::message::BlerpcMethod;
use crate::{CallError, Caller, Kind};

pub use bench::Bench;
pub use conformance::Conformance;
#[cfg(feature = "plan")]
pub use words::PublishedCheck;

/// A benchmark or a set of checks: begins calls on a client and judges what comes of them.
///
/// After every mutation of the client its runner calls [`advance`](Self::advance), then drains [`poll`](Self::poll).
pub trait Script<const BUFFER: usize>: Caller {
    /// Begins what is to begin now. The client may not be ready yet, or no more.
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>);

    /// The next thing to report, until there is none.
    fn poll(&mut self) -> Option<Report>;

    /// Instant at which it wants to be advanced though nothing happened.
    fn deadline(&self) -> Option<Instant>;

    /// True once nothing more will happen.
    fn is_over(&self) -> bool;
}

/// Report of a script.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Report {
    /// The measured part of a benchmark begins: its warm-up is over.
    Began {
        /// The benchmark's name.
        name: &'static str,
    },
    /// A call ended.
    Call {
        /// Name of the method.
        name: &'static str,
        /// From its begin to its end.
        took: Duration,
        /// Messages in the streaming direction; 1 for a unary call.
        items: u32,
        /// Octets of the application's payload both ways, without any header or encoding.
        octets: u32,
        /// Set if it is of the warm-up.
        warmup: bool,
        /// Result of the call.
        result: Result<(), CallError>,
    },
    /// A check was made.
    Checked {
        /// Its name, as published.
        name: &'static str,
        /// Result of the check: passed, or the failure.
        result: Result<(), Failure>,
    },
    /// The benchmark is over.
    Ended {
        /// Name of the benchmark.
        name: &'static str,
        /// From the first call after the warm-up to the end of the last.
        took: Duration,
    },
}

/// Reason that a check failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The call did not end well.
    Call(CallError),
    /// It ended well with something else.
    Unexpected,
    /// It could not begin.
    NotBegun,
}

/// One benchmark: the same call again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchConfig {
    /// Method that is called.
    pub call: Method,
    /// Payload octets of one call: read, written or echoed; items of a stream.
    pub payload: u32,
    /// Calls after the warm-up; none for as long as the runner likes.
    pub calls: Option<u32>,
    /// Calls before the first that counts: 1 in the published benchmark.
    pub warmup: u32,
    /// Calls under way at a time.
    pub outstanding: u8,
}

/// Methods that a benchmark can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Text there and back.
    Echo,
    /// Octets of flash.
    FlashRead,
    /// Octets written.
    DataWrite,
    /// Items from the server.
    CounterStream,
    /// Items to the server.
    CounterUpload,
    /// A large object from the server; extended mode only.
    BulkRead,
    /// A large object to the server; extended mode only.
    BulkWrite,
}

impl Method {
    /// Every method, those of extended mode last.
    pub const ALL: [Self; 7] = [
        Self::Echo,
        Self::FlashRead,
        Self::DataWrite,
        Self::CounterStream,
        Self::CounterUpload,
        Self::BulkRead,
        Self::BulkWrite,
    ];

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        self.called().name()
    }

    /// Kind of the call: the number of messages each way.
    pub const fn kind(self) -> Kind {
        self.called().kind()
    }

    const fn called(self) -> BlerpcMethod {
        match self {
            Self::Echo => BlerpcMethod::Echo,
            Self::FlashRead => BlerpcMethod::FlashRead,
            Self::DataWrite => BlerpcMethod::DataWrite,
            Self::CounterStream => BlerpcMethod::CounterStream,
            Self::CounterUpload => BlerpcMethod::CounterUpload,
            Self::BulkRead => BlerpcMethod::BulkRead,
            Self::BulkWrite => BlerpcMethod::BulkWrite,
        }
    }
}
