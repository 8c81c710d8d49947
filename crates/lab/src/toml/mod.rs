//! TOML with the place of everything in it, and errors that name that place.
//!
//! Plans, personalities and whatever else users write are read through here, so that a mistake in any of them is told alike.

pub mod error;
pub mod tree;

pub use error::{Place, PlanError};
