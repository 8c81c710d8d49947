//! Runs of IP over Wi-Fi through an ESP-hosted co-processor.

mod busy;
mod capture;
pub mod config;
mod ends;
mod network;
mod observe;
mod ota;
mod outcome;
mod ram;
mod raw;
mod record;
mod says;

pub use capture::{Heard, run_capture};
pub use ends::{ADDRESSES, FarEnd, HostEnd};
pub use network::{Built, build};
pub use observe::Recorder;
pub use outcome::{Outcome, START, run, run_watched};
pub use record::record;
pub use says::says;
