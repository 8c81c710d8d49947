//! Declaration of a kind of link: its names, its keys, a run of it, and what a capture of it holds.
//!
//! The laboratory knows a link by [`Link`] and [`Scenario`] and nothing else. A new kind is a crate that implements both, and
//! one line in the registry of `airtime-lab`; plans, sweeps, explanations, records and captures follow.
//!
//! - [`Link`]: names and keys, and the reader of a plan · [`Scenario`]: one point, ready to run
//! - [`Ran`]: figures of one run, in integers · [`Captures`]: files that one run is written to
//! - [`Delivery`]: what arrived, by stream, and what was lost on the way · [`config`]: build configurations of its devices
//! - [`identity`]: a scenario as text, by which runs are told apart · [`figures`]: what records carry of a run as it is · [`Ordered`]: names with values, in a fixed order
//! - [`Latencies`], [`nearest_rank`]: percentiles of many latencies, and of few
//!
//! One point of a plan over an ideal pipe, which carries what it is told to:
//!
//! ```
//! use std::any::Any;
//!
//! use airtime_core::Duration;
//! use airtime_keys::{Key, Keys, Run, Value};
//! use airtime_link::{Carried, Ran, Scenario, Stop, figures};
//!
//! /// Keys of a plan's `[pipe]` table.
//! #[derive(Clone, Debug, Keys)]
//! #[keys(table = "pipe")]
//! struct Pipe {
//!     /// Octets that it carries in a millisecond.
//!     #[key(range = 1..=1000, default = 125)]
//!     octets: u16,
//! }
//!
//! #[derive(Clone, Debug)]
//! struct Point {
//!     pipe: Pipe,
//!     run: Run,
//! }
//!
//! impl Scenario for Point {
//!     fn link(&self) -> &'static str {
//!         "pipe"
//!     }
//!     fn run(&self) -> &Run {
//!         &self.run
//!     }
//!     fn show(&self, told: &mut dyn FnMut(&'static Key, Value)) {
//!         self.pipe.show(&(), told);
//!         self.run.show(&(), told);
//!     }
//!     fn ran_unless(&self, _seed: u64, _stop: Stop<'_>) -> Ran {
//!         let time = self.run.duration - self.run.warmup;
//!         let octets = u64::from(self.pipe.octets) * (time / Duration::from_millis(1));
//!         Ran { carried: Some(Carried { octets, time }), steady: time, outcome: "ok".into(), ..Ran::default() }
//!     }
//!     fn boxed(&self) -> Box<dyn Scenario> {
//!         Box::new(self.clone())
//!     }
//!     fn as_any(&self) -> &dyn Any {
//!         self
//!     }
//! }
//!
//! // A plan says how long; everything else is as declared.
//! let set = |key: &Key| (key.name == "run.duration").then(|| Value::from("10s"));
//! let point = Point { pipe: Pipe::read(&set).unwrap(), run: Run::read(&set).unwrap() };
//! let carried = point.ran(point.run().seed).carried.unwrap();
//! assert_eq!(figures::kbps(carried.octets, carried.time), 1000.0);
//!
//! // Nobody has said how its packets would be written down.
//! assert_eq!(point.captures(airtime_link::Form::Air).unwrap_err(), "a run over `pipe` cannot be captured");
//! ```
//!
//! The three types to begin with: [`Scenario`], which is what a link's crate writes, [`Link`], which reads one from a plan, and
//! [`Ran`], which is what comes of it.
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod capture;
pub mod config;
mod delivery;
mod device_kind;
pub mod figures;
mod identity;
mod latency;
mod ordered;
mod ran;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt::Debug;

use airtime_keys::config::ConfigOption;
use airtime_keys::{Fault, Key, Knob, Mechanism, Personality, Run, Source, Table, Turns, Value};

pub use airtime_core::event_loop::Stop;
pub use capture::{Capture, Captures, Form, Noted, Origin, Sink};
use config::Configurations;
pub use delivery::Delivery;
pub use device_kind::{BuiltAs, DeviceKind};
use figures::Ram;
pub use identity::identity;
pub use latency::Latencies;
pub use ordered::Ordered;
pub use ran::{Booked, Carried, DefaultLimit, Figure, Granted, LinkRan, Percentiles, Ran, Told, booked, nearest_rank};

/// Name of the key that says which link a plan is of.
pub const LINK: &str = "link";

/// A kind of link, or several that have keys together.
pub trait Link: Debug + Sync {
    /// Names in plans and records: `ieee802154`.
    fn names(&self) -> &'static [&'static str];

    /// Phrase that tells the kinds apart, for the help of the key `link`.
    fn about(&self) -> &'static str;

    /// Keys of these links alone, in the order of documentation and records.
    fn tables(&self) -> &'static [Table];

    /// Accounts of its books by name, each with a line on what is booked there.
    fn accounts(&self) -> &'static [(&'static str, &'static str)];

    /// Keys that it shares with other links, with its own names beside them: those of traffic over IP.
    fn traffic(&self) -> &'static [Table] {
        &[]
    }

    /// Rate of the air while payload is on it, 10³ bit/s; zero where it is not known.
    fn phy_kbps(&self, told: &Told<'_>) -> f64 {
        told.count("phy_kbps") as f64
    }

    /// Facts about a run that its figures do not show, a line each.
    fn facts(&self, told: &Told<'_>) -> Vec<String> {
        let _ = told;
        Vec::new()
    }

    /// Clause with figures on how `mechanism` limited a run, beside another one in which it is eased; none where its keys say all there
    /// is to say.
    fn limited(&self, mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
        let _ = (mechanism, before, after);
        None
    }

    /// Prices of a change that only this link has, from a run before it and one after it, a phrase each.
    fn prices(&self, before: &Told<'_>, after: &Told<'_>) -> Vec<String> {
        let _ = (before, after);
        Vec::new()
    }

    /// Payload that arrived in a run, by stream, and what was lost on the way.
    fn delivery(&self, told: &Told<'_>) -> Delivery {
        Delivery::of_streams(told)
    }

    /// Kind of personality that its devices have; none of a link without personalities.
    fn device_kind(&self) -> Option<&'static DeviceKind> {
        None
    }

    /// Build configurations of its devices; none where nobody reads such files.
    fn configurations(&self) -> Option<&'static dyn Configurations> {
        None
    }

    /// Key whose default may be what limits a run, where a plan says nothing of it.
    fn tacit(&self) -> Option<&'static Key> {
        None
    }

    /// Limit that a run has by the default of [`tacit`](Self::tacit), where most of its lost time went to `account`.
    fn limited_by_default(&self, account: &str, told: &Told<'_>) -> Option<DefaultLimit> {
        let _ = (account, told);
        None
    }

    /// Keys of which the second takes the place of the first once a run is under way: who sets the one means the other.
    fn superseded(&self) -> &'static [[&'static Key; 2]] {
        &[]
    }

    /// The scenario of a plan whose link is `name`, checked.
    ///
    /// # Errors
    /// The first thing that does not hold between its keys.
    fn read(&self, name: &str, from: &dyn Source, devices: &dyn Devices) -> Result<Box<dyn Scenario>, Fault>;
}

impl dyn Link + '_ {
    /// Keys of these links in the order of documentation, those that they share with others last; each once.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> {
        let tables = || self.tables().iter().chain(self.traffic());
        let first = move |(position, key): &(usize, &'static Key)| {
            !tables().flat_map(|table| table.keys).take(*position).any(|other| other.name == key.name)
        };
        tables().flat_map(|table| table.keys).enumerate().filter(first).map(|(_, key)| key)
    }
}

/// Personalities, and images of firmware, that a plan can name.
pub trait Devices {
    /// The device that `key` names, of a kind of personality.
    ///
    /// # Errors
    /// When there is none of that name, or it is of another kind.
    fn device(&self, key: &'static Key, name: &str, kind: &str) -> Result<&dyn Any, Fault>;

    /// Octets of the file at `path`, which `key` names as an image of firmware.
    ///
    /// # Errors
    /// When it cannot be read, or nothing is read here.
    fn image(&self, key: &'static Key, path: &str) -> Result<Arc<[u8]>, Fault> {
        Err(Fault::new(format!("`{}`: no file is read here, so not `{path}`", key.name)).about([key]))
    }
}

impl dyn Devices + '_ {
    /// The device that `key` names, as its kind of personality is declared.
    ///
    /// # Errors
    /// When there is none of that name, or it is of another kind.
    ///
    /// # Panics
    /// When there is another type behind the kind, which its registry rules out.
    pub fn of<P: Personality + Clone + 'static>(&self, key: &'static Key, name: &str) -> Result<P, Fault> {
        let device = self.device(key, name, P::LINK)?;
        Ok(device.downcast_ref::<P>().expect("a kind of personality is of one type").clone())
    }
}

/// One point of a plan, with every key resolved.
pub trait Scenario: Debug + Send + Sync {
    /// Name of the link in plans and records.
    fn link(&self) -> &'static str;

    /// Duration, warm-up, seed and repeats of the run.
    fn run(&self) -> &Run;

    /// Tells every key that means something in this scenario, with its value in effect.
    fn show(&self, told: &mut dyn FnMut(&'static Key, Value));

    /// Tells every value of the devices in it, each with the end that the device is: with what [`show`](Self::show) tells, all that
    /// a run depends on besides its seed. A link without personalities has none.
    fn devices(&self, told: &mut dyn FnMut(&'static str, &'static Key, Value)) {
        let _ = told;
    }

    /// Owner of `key` in this scenario.
    fn turns(&self, key: &Key) -> Turns {
        match key.knob {
            Knob::Of(turns) => turns,
            Knob::Sender | Knob::Receiver | Knob::Central | Knob::Peripheral | Knob::Program | Knob::Interval => {
                Turns::Nobody
            }
        }
    }

    /// Values of `key` near `now` that follow from the rest of the scenario, for [`Step::Fitting`](airtime_keys::Step::Fitting).
    fn fitting(&self, key: &Key, now: u64) -> Vec<u64> {
        let _ = (key, now);
        Vec::new()
    }

    /// Largest value of `key` that makes sense beside the rest of the scenario, as far as that is less than its range allows.
    fn most(&self, key: &Key) -> Option<u64> {
        let _ = key;
        None
    }

    /// Name of who keeps `key` at the value that [`show`](Self::show) tells, where the plan asks for another; empty where that is
    /// nobody's doing.
    fn keeper(&self, key: &Key) -> String {
        let _ = key;
        String::new()
    }

    /// Key and value without which a step of `key` is impossible, where there is one.
    fn companion(&self, key: &Key) -> Option<(&'static Key, Value)> {
        let _ = key;
        None
    }

    /// Key and value with which the same stream goes the other way; none of one that goes both ways, or none in particular.
    fn turned_round(&self) -> Option<(&'static Key, Value)> {
        None
    }

    /// Tells if the image that `key` is built into has `option`.
    fn has_option(&self, key: &Key, option: &ConfigOption) -> bool {
        let _ = (key, option);
        true
    }

    /// Further lines of a build configuration, without which the one that `value` of `key` is has no effect.
    fn lines_beside(&self, key: &Key, value: &Value) -> Vec<String> {
        let _ = (key, value);
        Vec::new()
    }

    /// Runs once with `seed`, to its end or until `stop` says that nobody wants the rest; the figures are of what was run then. The
    /// same scenario and seed give the same figures.
    fn ran_unless(&self, seed: u64, stop: Stop<'_>) -> Ran;

    /// Runs once with `seed`, to its end.
    fn ran(&self, seed: u64) -> Ran {
        self.ran_unless(seed, &|| false)
    }

    /// Buffers in the RAM of each chip, by class, where the link counts them.
    fn ram(&self) -> Vec<Ram> {
        Vec::new()
    }

    /// The same on machines one stage of which takes half as long for a frame, by what is halved; none without such stages.
    fn faster(&self) -> Vec<(String, Box<dyn Scenario>)> {
        Vec::new()
    }

    /// Remarks below the lines of a build configuration, on what no such line can change.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// Views that a capture of this `form` has, by name, a file each; one without a name where a file holds all there is.
    ///
    /// # Errors
    /// The reason, as a sentence without its end, when a run cannot be written in this form.
    fn captures(&self, form: Form) -> Result<Vec<String>, String> {
        let _ = form;
        Err(format!("a run over `{}` cannot be captured", self.link()))
    }

    /// Runs once with `seed`, and writes the `captures`, which are among those that [`captures`](Self::captures) names. The run
    /// may end early when nobody wants the rest.
    fn captured(&self, seed: u64, captures: Captures<'_>) {
        let _ = (seed, captures);
    }

    /// A copy of the scenario.
    fn boxed(&self) -> Box<dyn Scenario>;

    /// The scenario as what it is, for those who know its link.
    fn as_any(&self) -> &dyn Any;
}
