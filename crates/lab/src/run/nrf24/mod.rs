//! Runs of IP over the nRF24L01+.

mod config;
mod network;
mod node;
mod observe;
mod outcome;
mod record;
mod says;
mod terminal;

pub use crate::run::tally::{Eyes, Flow, Tally};
pub use config::{Node as NodeConfig, legacy, node, station};
pub use network::{Built, build};
pub use node::Node;
pub use observe::{Counted, Recorder};
pub use outcome::{Outcome, run, run_watched};
pub(super) use record::record;
pub use says::says;
pub use terminal::{ADDRESSES, Terminal};
