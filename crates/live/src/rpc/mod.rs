//! Remote calls in real time, and from a command line: who calls ([`work`]), and what only a machine with files and a system
//! has: identities, known keys, randomness.

pub mod calling;
pub mod counted;
pub mod hex;
pub mod identity;
pub mod known;
pub mod memory;
mod private;
pub mod secrets;
pub mod served;
pub mod work;

pub use airtime_rpc::crypto::identity as public_identity;
pub use calling::{Calling, CallingConfig};
pub use identity::{KeyFileError, identity};
pub use known::{Acquaintance, KnownKeys};
pub use served::{Served, ServedConfig};
pub use work::{Job, JobError, Trust, Work};
