//! Measuring with programs of others: iperf3 and ping, in network namespaces or not, run after run.
//!
//! What is measured, and what their output says, is in [`airtime_study::perf`]; here programs are started, given time, and ended.

mod bench;
mod commands;
mod program;

pub use bench::{Bench, BenchError, Places};
pub use program::{Ended, Program, ProgramError};
