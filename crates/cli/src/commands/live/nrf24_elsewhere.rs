//! `airtime live nrf24` where there are no network namespaces.

use crate::arguments::LiveNrf24Arguments;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Says that there is nothing to be had.
pub fn nrf24(_: &LiveNrf24Arguments, _: Manner) -> Result<Exit, Failure> {
    Err(Failure::Machine("`airtime live nrf24` needs Linux, with network namespaces".to_owned()))
}
