//! Measuring of a run of IP traffic, the same for every link that carries it.
//!
//! - [`Tally`]: octets, delays and round trips of the applications, which its [`Eyes`] tell it
//! - [`Measuring`]: the warm-up, the steady state and what comes after · [`Outcome`]: what they came to
//! - [`Repetitions`]: octets of TCP that come out of the link more than once · [`Delays`]: how long packets are in the link that do not say when they left

mod delays;
mod measuring;
mod outcome;
mod repetitions;
mod tally;

pub use delays::Delays;
pub use measuring::{Measuring, Steady};
pub use outcome::Outcome;
pub use repetitions::Repetitions;
pub use tally::{Eyes, Flow, Tally};
