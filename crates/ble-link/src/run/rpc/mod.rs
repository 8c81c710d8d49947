//! Runs of remote calls: the script that calls, what it told, and what that comes to.

mod calls;
mod figures;
mod says;
mod script;

pub(super) use calls::sent;
pub use calls::{BenchOutcome, Calls, CheckOutcome, Snapshot};
pub(super) use figures::{calls, counters, outcome};
pub(super) use says::says;
pub use script::{BUFFER, LabScript};
