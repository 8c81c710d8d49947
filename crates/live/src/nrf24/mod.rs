//! Two virtual nodes in real time, each with a TUN device in a network namespace: what runs in one namespace reaches the
//! other by nothing but the radios.
//!
//! - [`Link`]: the two nodes without devices and without a clock; packets come in with the time of their arrival
//! - [`Server`]: devices, clock and [`Link`] in one loop, on one thread
//! - [`Command`]: ends are killed and started in the middle

mod command;
mod end;
mod link;

mod report;
mod server;
mod stations;
mod watch;

pub use crate::ip::ENDS;
pub use command::{Command, Commands};
pub use end::End;
pub use link::{Link, Starter};

pub use report::{EndReport, LinkReport, REPORT_SCHEMA, Report, TrafficReport, mode_name};
pub use server::Server;
pub use stations::{Program, agreed, fresh_epoch, link};
pub use watch::{Traffic, Watch, drop_name};

/// Name of the device of each end, in its own namespace; the published report's name.
pub const DEVICE: &str = "longge";
