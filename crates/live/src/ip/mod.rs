//! Links that carry IP in real time, between two TUN devices in network namespaces: what runs in one namespace reaches the
//! other by nothing but the link.
//!
//! - [`Outside`]: a TUN device above an interface, with the packets that have been read and those to be written
//! - [`Namespaces`]: where the devices are

mod namespaces;
mod outside;

pub use namespaces::{ENDS, Names, Namespaces};
pub use outside::{INBOX_MAX, OUTGOING_MAX, Outside};
