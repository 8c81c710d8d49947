//! Runs of IP over the nRF24L01+.

mod config;
mod delays;
mod network;
mod node;
mod observe;
mod outcome;
mod record;
mod says;
mod tally;
mod terminal;

pub use config::{Node as NodeConfig, legacy, node, station};
pub use network::{Built, build};
pub use node::Node;
pub use observe::{Counted, Recorder};
pub use outcome::{Outcome, run, run_watched};
pub(super) use record::record;
pub use says::says;
pub use tally::{Eyes, Flow, Tally};
pub use terminal::{ADDRESSES, Terminal};
