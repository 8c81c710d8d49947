//! A run: a pure function of a scenario and a seed, and the record of a point's runs.

mod latency;
mod network;
mod observe;
mod outcome;
mod record;
mod says;

pub use network::{build, central_config, end, peripheral_config};
pub use observe::{Recorder, Traffic};
pub use outcome::{Outcome, Watcher, run, run_watched};
pub use record::record;
pub use says::says;
