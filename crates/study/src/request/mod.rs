//! Requests: from the words that somebody asks with to plans and points, the same for the command and for whoever calls from a program.
//!
//! - [`catalog`]: plans by name · [`mod@select`]: points by id · [`grid`]: points of plans as one grid

pub mod catalog;
pub mod grid;
pub mod select;

use thiserror::Error;

pub use grid::{Grid, named_link};
pub use select::{Selected, select, single};

/// Reason that a request makes no sense, as a sentence for whoever made it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refused(pub String);
