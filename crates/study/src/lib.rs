//! Many runs: grids in parallel, run folders that can go on, published measurements replayed.

mod digest;
mod explain;
pub mod field;
mod folder;
pub mod perf;
mod shard;
mod sweep;
pub mod whole;

pub use digest::Digest;
pub use explain::{Explained, explain};
pub use folder::{FolderError, RECORDS_FILE, RunFolder};
pub use shard::{Shard, ShardError};
pub use sweep::{Name, Runner, Sweep, Swept};
