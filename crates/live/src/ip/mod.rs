//! Links that carry IP in real time, between two TUN devices in network namespaces: what runs in one namespace reaches the
//! other by nothing but the link.
//!
//! - [`PacedLink`]: a plant paced against the clock, without devices and without a clock; packets come in with the time of their
//!   arrival · [`Joined`]: what such a plant is · [`TunQueue`]: a TUN device above an interface of it
//! - [`Server`]: devices, clock and [`PacedLink`] in one loop, on one thread · [`Served`]: what a link wants of it besides
//! - [`Namespaces`]: where the devices are
//! - [`Report`]: what every such link has to say · [`Reported`]: what each has besides
//! - [`nrf24`]: two nodes · [`wifi`]: the pipeline of an ESP host

mod link;
mod namespaces;
pub mod nrf24;
mod report;
mod served;
mod server;
mod tun_queue;
pub mod wifi;

pub use link::{Joined, PacedLink};
pub use namespaces::{ENDS, Names, Namespaces};
pub use report::{Air, EndReport, Report, Reported};
pub use served::Served;
pub use server::Server;
pub use tun_queue::{INBOX_MAX, OUTGOING_MAX, TunQueue};
