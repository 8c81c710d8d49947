//! Runs of IP over the nRF24L01+: the nodes of a scenario, what looks on, and the figures.

mod bottleneck;
mod config;
mod gateway;
mod granted;
mod network;
mod node;
mod observe;
mod outcome;
mod ran;
mod raw;
mod terminal;
mod timeline;

pub use bottleneck::sentence;
pub use config::{Node as NodeConfig, gateway, legacy, node, raw, station};
pub use granted::keeper;
pub use network::{Built, build};
pub use node::Node;
pub use observe::{Counted, Recorder};
pub use outcome::{Outcome, START, run, run_watched};
pub use ran::ran;
pub use terminal::{ADDRESSES, Terminal};
pub use timeline::captured;
