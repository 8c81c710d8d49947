//! Runs of IP over Wi-Fi through an ESP-hosted co-processor: the plant of a scenario, what looks on, and the figures.

mod bottleneck;
pub(crate) mod busy;
mod capture;
mod captured;
pub mod config;
pub(crate) mod doze;
mod ends;
mod espnow;
mod granted;
mod network;
mod observe;
mod ota;
mod outcome;
mod ram;
mod ran;
mod raw;

pub use bottleneck::says;
pub use capture::{Heard, run_capture};
pub use captured::{captured, captures};
pub use ends::{ADDRESSES, FarEnd, HostEnd};
pub use espnow::run_espnow;
pub use granted::keeper;
pub use network::{Built, build};
pub use observe::Recorder;
pub use outcome::{Counted, Outcome, START, STUCK, run, run_watched};
pub use ram::ram;
pub use ran::ran;
