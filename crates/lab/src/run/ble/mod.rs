//! Runs of a Bluetooth LE link.

mod network;
mod observe;
mod outcome;
mod record;
mod says;

pub use network::{build, central_config, end, peripheral_config};
pub use observe::{Recorder, Traffic};
pub use outcome::{Outcome, Watcher, run, run_watched};
pub(super) use record::record;
pub use says::says;
