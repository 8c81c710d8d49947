//! The pipeline of an ESP host in real time, between two TUN devices in network namespaces: what runs in one namespace reaches the
//! other through the bus, the co-processor and the air, and by nothing else.
//!
//! - [`Link`]: the pipeline without devices and without a clock · [`Outside`]: what is above one of its interfaces
//! - [`Server`]: devices, clock and [`Link`] in one loop, on one thread · [`Report`]: what there is to say
//!
//! The end `a` is the ESP host's interface, `b` is beyond the access point. The TCP/IP stacks are those of the kernel: lwIP with what
//! its calls cost is left aside.

mod link;
mod outside;
mod report;
mod server;

pub use link::Link;
pub use outside::Outside;
pub use report::{EndReport, REPORT_SCHEMA, Report};
pub use server::Server;
