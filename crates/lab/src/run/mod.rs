//! The record of a point: its runs with every repeat, rounded.

mod asked;
mod finding;
mod links;
mod point;
mod record;
mod unlogged;

pub use finding::LIMIT_PCT;
pub use point::Repeats;
pub use record::{IMPOSSIBLE, Runs, depends_on, impossible, quoted, record, record_of, record_unless};
