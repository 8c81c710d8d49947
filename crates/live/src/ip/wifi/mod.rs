//! The pipeline of an ESP host in real time between two TUN devices: what runs in one namespace reaches the other through the
//! bus, the co-processor and the air, and by nothing else.
//!
//! - [`link`]: the pipeline of a plan, as a [`PacedLink`](crate::ip::PacedLink) · [`TunInterface`]: what is above one of its interfaces
//!
//! The end `a` is the ESP host's interface, `b` is beyond the access point. The TCP/IP stacks are those of the kernel: lwIP with what
//! its calls cost is left aside.

mod link;
mod report;
mod tun_interface;

pub use link::{Pipeline, link};
pub use report::EndFigures;
pub use tun_interface::TunInterface;
