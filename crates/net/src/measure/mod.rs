//! Measuring of a run of IP traffic, the same for every link that carries it.
//!
//! - [`Tally`]: octets, delays and round trips of the applications, which its [`Eyes`] tell it
//! - [`Measuring`]: the warm-up, the steady state and what comes after · [`Outcome`]: what they came to
//! - [`Again`]: octets of TCP that come out of the link more than once · [`Delays`]: how long packets are in the link that do not say when they left

mod again;
mod delays;
mod measuring;
mod outcome;
mod tally;

pub use again::Again;
pub use delays::Delays;
pub use measuring::{Measuring, Steady};
pub use outcome::Outcome;
pub use tally::{Eyes, Flow, Tally};
