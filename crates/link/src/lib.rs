//! Declaration of a kind of link: its names, its keys, a run of it, and what a capture of it holds.
//!
//! The laboratory knows a link by [`Link`] and [`Scenario`] and nothing else. A new kind is a crate that implements both, and
//! one line in the registry of `airtime-lab`; plans, sweeps, explanations, records and captures follow.
//!
//! - [`Link`]: names and keys, and the reader of a plan · [`Scenario`]: one point, ready to run
//! - [`Ran`]: figures of one run, in integers · [`Capture`]: packets of one run
//! - [`nearest_rank`]: percentiles of latencies
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod ran;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Debug;

use airtime_core::Instant;
use airtime_keys::{Fault, Key, Knob, Run, Source, Table, Turns, Value};

pub use ran::{Booked, Percentiles, Ran, booked, nearest_rank};

/// A kind of link, or several that have keys together.
pub trait Link: Debug + Sync {
    /// Names in plans and records: `ieee802154`.
    fn names(&self) -> &'static [&'static str];

    /// Phrase that tells the kinds apart, for the help of the key `link`.
    fn about(&self) -> &'static str;

    /// Keys of these links alone, in the order of documentation and records.
    fn tables(&self) -> &'static [Table];

    /// The scenario of a plan whose link is `name`, checked.
    ///
    /// # Errors
    /// The first thing that does not hold between its keys.
    fn read(&self, name: &str, from: &dyn Source) -> Result<Box<dyn Scenario>, Fault>;
}

/// One point of a plan, with every key resolved.
pub trait Scenario: Debug + Send + Sync {
    /// Name of the link in plans and records.
    fn link(&self) -> &'static str;

    /// Length and repeats.
    fn run(&self) -> &Run;

    /// Tells every key that means something in this scenario, with its value in effect.
    fn show(&self, told: &mut dyn FnMut(&'static Key, Value));

    /// Owner of `key` in this scenario.
    fn turns(&self, key: &Key) -> Turns {
        match key.knob {
            Knob::Of(turns) => turns,
            Knob::Sender | Knob::Receiver | Knob::Interval => Turns::Nobody,
        }
    }

    /// Values of `key` that follow from the rest of the scenario, for [`Step::Fitting`](airtime_keys::Step::Fitting).
    fn fitting(&self, key: &Key) -> Vec<u64> {
        let _ = key;
        Vec::new()
    }

    /// Runs once with `seed`. The same scenario and seed give the same figures.
    fn ran(&self, seed: u64) -> Ran;

    /// The packets of a run, where there is a form to write them in.
    fn capture(&self) -> Option<Capture> {
        None
    }

    /// Runs once with `seed`, and tells `packet` what the capture holds: each with its time, in the order of their ends.
    fn captured(&self, seed: u64, packet: &mut dyn FnMut(Instant, &[u8])) {
        let _ = (seed, packet);
    }

    /// The same scenario once more.
    fn boxed(&self) -> Box<dyn Scenario>;
}

/// Form of the packets of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Link type of pcap and pcapng.
    pub link_type: u16,
    /// Name of the interface that hears them.
    pub interface: &'static str,
    /// Sentence about what it hears.
    pub about: &'static str,
}
