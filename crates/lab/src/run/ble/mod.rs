//! Runs of a Bluetooth LE link.

mod calling;
mod network;
mod observe;
mod outcome;
mod record;
pub mod rpc;
mod says;

pub use calling::{FLASH_OCTETS, build_calling, called_config, calling_config};
pub use network::{build, central_config, controller, end, host_config, peripheral_config};
pub use observe::{Recorder, Traffic};
pub use outcome::{Outcome, Watcher, run, run_watched};
pub(super) use record::record;
pub use says::says;
