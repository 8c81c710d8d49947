//! `airtime live` where there are no UNIX sockets.

use crate::arguments::LiveCommand;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Says that there is nothing to be had.
pub fn live(_: &LiveCommand, _: Manner) -> Result<Exit, Failure> {
    Err(Failure::Machine("`airtime live` needs a UNIX system".to_owned()))
}
