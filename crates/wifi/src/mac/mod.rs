//! One station: transmit queue, backoff and EDCA parameters, A-MPDUs, Block Ack window, retries, rate.
//!
//! - [`Contention`]: space, backoff and contention window of one queue · [`Originator`]: MPDUs that wait or are under way to one
//!   receiver · [`Queued`]: one of them, with its MSDUs · [`Recipient`]: what a receiver keeps of one sender · [`Rate`]: at which rate the next PPDU is sent

mod contention;
mod originator;
mod queued;
mod rate;
mod recipient;

pub use contention::{Backoff, Contention};
pub use originator::{Originator, Room, Selection, Sequence};
pub use queued::{Joined, Msdus, Queued};
pub use rate::{Minstrel, Rate, RateConfig};
pub use recipient::Recipient;
