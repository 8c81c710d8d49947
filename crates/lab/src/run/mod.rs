//! The record of a point: its runs with every repeat, rounded.

mod links;
mod point;
mod record;
mod unlogged;

pub use point::Ran;
pub use record::{Runs, record, record_of, record_unless};
