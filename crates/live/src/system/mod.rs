//! Changes to the machine while something live goes on, each undone whatever ends it.
//!
//! Every change is a [`Deed`]. A [`Journal`] writes down each deed before it is done; its end undoes them, latest first,
//! and whoever comes next undoes what a killed process has left. TUN devices need none of that: they go with the
//! descriptor.

mod deed;
mod error;
mod journal;
mod machine;
mod network;
mod tun;

pub use deed::Deed;
pub use error::SystemError;
pub use journal::{FOLDER, Journal};
pub use machine::{Linux, Machine};
pub use network::Ipv4Network;
pub use tun::{QUEUE_PACKETS, Tun, TunConfig};
