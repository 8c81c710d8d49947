//! TOML with the place of everything in it, and errors that name that place.
//!
//! Plans and personalities are both read through here, so that a mistake in either is told alike.

pub mod error;
pub(crate) mod tree;

pub use error::{Place, PlanError};
