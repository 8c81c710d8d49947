//! The record of a point: its runs with every repeat, rounded.

mod asked;
mod links;
mod point;
mod record;
mod unlogged;

pub use record::{record, record_unless};
