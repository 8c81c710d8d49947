//! The laboratory: plan → run → record.
//!
//! Everything here is a pure function of its arguments: no file, no thread, no clock. A plan's text
//! and a library of personalities become a typed [`Scenario`] per point; a scenario becomes a
//! [`record::Record`].
#![warn(missing_docs)]

pub mod advice;
pub mod captured;
pub mod explain;
pub mod links;
pub mod machine;
pub mod personality;
pub mod plan;
pub mod record;
pub mod run;
pub mod schema;
pub mod sdkconfig;
pub mod spelling;
pub mod toml;
pub mod verdict;

pub use airtime_link::Ordered;
pub use personality::{Library, Personality};
pub use plan::scenario::Scenario;
pub use plan::{Plan, Point};
pub use record::{Document, Record};
pub use toml::PlanError;
pub use verdict::Verdict;
