//! Work of a client on behalf of a command line, as a script: one job for one connection, or for several when the link
//! is lost on the way.

mod call;
mod course;
mod error;
mod job;
mod read;
mod suite;
mod trust;
mod write;

pub use call::Calls;
pub use course::Course;
pub use error::{JobError, Stage};
pub use job::{Job, Work};
pub use read::Read;
pub use suite::{Benchmark, Check, Suite};
pub use trust::{Peer, Trust};
pub use write::Write;

/// Octets of an encrypted response that compatible mode puts together: everything that the published service sends.
pub const BUFFER: usize = 16_384;
