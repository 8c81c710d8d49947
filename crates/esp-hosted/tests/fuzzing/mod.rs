//! Octets read as scripts for the codecs of the bus: what the fuzz targets run, and what ordinary tests run with random scripts
//! and with the corpora of `fuzz/corpus`.

mod frame;
mod raw;
mod rpc;

pub use frame::frame;
pub use raw::raw;
pub use rpc::rpc;

use airtime_testing::Script;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 12_000;
