//! Runs of a Bluetooth LE link: the devices of a scenario, what looks on, and the figures.

mod bottleneck;
mod calling;
mod captured;
mod cpu;
mod ends;
mod granted;
mod joined;
mod links;
mod network;
mod observe;
mod outcome;
mod ran;
pub mod rpc;
mod stop;

pub use bottleneck::says;
pub use calling::{FLASH_OCTETS, build_calling, called_config, calling_config};
pub use captured::{captured, captures};
pub use cpu::Cpu;
pub use ends::{central_config, host_config, peripheral_config};
pub use joined::{controller, medium, tune};
pub use network::{build, end};
pub use observe::{Recorder, Traffic};
pub use outcome::{LinkOutcome, Outcome, Watcher, run, run_watched};
pub use ran::ran;
