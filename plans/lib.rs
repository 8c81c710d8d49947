//! The plans that ship with airtime, as text: the files of this folder and of those below it.
//!
//! ```
//! let (name, text) = airtime_plans::ALL.iter().find(|(name, _)| *name == "coc-nrf").unwrap();
//! assert!(!name.ends_with(".toml") && text.contains("link = \"ble-coc\""));
//! ```
#![no_std]
#![warn(missing_docs)]

/// Name and text of each, in the order of names; a name is the path below this folder without `.toml`.
pub const ALL: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/plans.rs"));
