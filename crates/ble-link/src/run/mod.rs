//! Runs of a Bluetooth LE link: the devices of a scenario, what looks on, and the figures.

mod calling;
mod captured;
mod granted;
mod links;
mod network;
mod observe;
mod outcome;
mod ran;
pub mod rpc;
mod says;
mod unless;

pub use calling::{FLASH_OCTETS, build_calling, called_config, calling_config};
pub use captured::{captured, captures};
pub use network::{build, central_config, controller, end, host_config, medium, peripheral_config, tune};
pub use observe::{Recorder, Traffic};
pub use outcome::{LinkOutcome, Outcome, Watcher, run, run_watched};
pub use ran::ran;
pub use says::says;
