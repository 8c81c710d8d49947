//! `airtime perf` where there is no UNIX.

use crate::arguments::PerfArguments;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Says that it does not exist here.
pub fn perf(_: &PerfArguments, _: Manner) -> Result<Exit, Failure> {
    Err(Failure::Machine("measuring with iperf3 and ping needs UNIX".to_owned()))
}
