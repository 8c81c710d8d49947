//! Personality of a device as plain data: the choices in which devices differ.
//!
//! With the feature `plan` their fields are the keys of a personality's file; the file form, with value, status and source of
//! every key, lives in `airtime-lab`.

mod controller;
mod credits;
mod host;
#[cfg(feature = "plan")]
mod policy;

pub use controller::{Budget, CompletedPackets, Controller};
pub use credits::CreditPolicy;
pub use host::{Host, Intervals, LengthCare, OffGrid, TaskPriority, WriteOverflow};
#[cfg(feature = "plan")]
pub use policy::{CREDITS, CreditWord, Credits, credit_policy};
