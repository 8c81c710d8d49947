//! Runs of remote calls: the script that calls, what it told, and what that comes to.

mod bottleneck;
mod calls;
mod figures;
mod script;

pub(super) use bottleneck::says;
pub(super) use calls::sent;
pub use calls::{BenchOutcome, Calls, CheckOutcome, Snapshot};
pub(super) use figures::{calls, counters, outcome};
pub use script::{BUFFER, LabScript};
