//! Keys of a plan or of a personality, each declared once: a typed field of a plain struct in the crate of its link.
//!
//! From one field follow the reader and what it refuses, the value in effect that records show, the documentation,
//! `--set`, completion, who can turn it, its line in a build configuration, and the steps that `explain` tries.
//!
//! ```
//! use airtime_core::Duration;
//! use airtime_keys::{Keys, Key, Value, Words};
//!
//! /// Way in which frames get across.
//! #[derive(Clone, Copy, Debug, PartialEq, Words)]
//! enum Mode {
//!     /// Every frame is acknowledged.
//!     Acked,
//!     /// Frames follow one another without a gap.
//!     Stream,
//! }
//!
//! /// Keys of a plan's `[radio]` table.
//! #[derive(Clone, Debug, PartialEq, Keys)]
//! #[keys(table = "radio")]
//! struct Radio {
//!     /// Way in which frames get across.
//!     #[key(default = "stream", whose = Daemon)]
//!     mode: Mode,
//!     /// RF channel: 2400 MHz plus this.
//!     #[key(range = 0..=125, default = 108, whose = Daemon)]
//!     channel: u8,
//!     /// Retransmission delay of the chip.
//!     #[key(range = "250us"..="4ms", from = "the shortest of the mode", whose = Daemon)]
//!     ard: Option<Duration>,
//! }
//!
//! // A source of values: here one key is set.
//! let set = |key: &Key| (key.name == "radio.mode").then(|| Value::from("acked"));
//! let mut radio = Radio::read(&set).unwrap();
//! assert_eq!((radio.mode, radio.channel, radio.ard), (Mode::Acked, 108, None));
//!
//! // What the plan left open is filled in where it is known; what is shown is what is in effect.
//! radio.ard.get_or_insert(Duration::from_micros(250));
//! let mut shown = Vec::new();
//! radio.show(&(), &mut |key, value| shown.push(format!("{} = {value}", key.name)));
//! assert_eq!(shown, ["radio.mode = \"acked\"", "radio.channel = 108", "radio.ard = \"250us\""]);
//! assert_eq!(Radio::CHANNEL.kind.allowed(), "a whole number from 0 to 125");
//! ```
#![no_std]
#![warn(missing_docs)]

extern crate alloc;
// The derives name this crate from outside.
extern crate self as airtime_keys;

pub mod config;
mod fault;
mod field;
mod key;
mod kind;
pub mod loss;
mod mechanism;
mod personality;
mod run;
mod step;
mod turns;

pub use airtime_keys_derive::{Keys, Words};
pub use config::ConfigOption;
pub use fault::{Fault, Misspelt};
pub use field::{Field, OrNone, Words};
pub use key::{Default, Key, Keys, Source, Table, together};
pub use kind::{Kind, Need, Threshold, Whole};
pub use mechanism::{Eases, Guard, Mechanism, Way};
pub use personality::Personality;
pub use run::Run;
pub use serde_json::Value;
pub use step::Step;
pub use turns::{Knob, Turns};

/// Paths that the derives write out; nothing to be used by hand.
#[doc(hidden)]
pub mod derived {
    pub use airtime_core::Duration;
    pub use airtime_core::loss::Loss;
    pub use airtime_core::units::Size;
    pub use core::option::Option;

    pub use crate::field::shown_or_none;
    pub use crate::key::{joined, required};
}
