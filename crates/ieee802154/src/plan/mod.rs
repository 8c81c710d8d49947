//! IEEE 802.15.4 as the laboratory runs it: the keys of a plan, the link that declares them, and the record of a run.

mod bottleneck;
mod captured;
mod keys;
mod limited;
mod link;
mod run;
mod timeline;

pub use keys::{Air, Mac, Means, Rcp, Sender};
pub use link::{Ieee802154, Point};
