//! The receiver for a real board: takes datagrams and streams, and says what of them arrives, each second and in all.
//!
//! - [`Server`]: sockets, clock and books in one loop, on one thread · [`Flow`]: the books of one sender
//! - [`Numbers`]: how lost datagrams are told: by the header of iperf 2, or by the stamp of our own tests
//! - [`Report`]: what there is to say

mod flow;
mod numbers;
mod report;
mod server;

pub use flow::{Flow, SECONDS_MAX};
pub use numbers::Numbers;
pub use report::{FlowReport, LossReport, REPORT_SCHEMA, Report};
pub use server::{Config, FLOWS_MAX, Server};
