//! `airtime live wifi` where there are no network namespaces.

use crate::arguments::LiveWifiArguments;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Says that there is nothing to be had.
pub fn wifi(_: &LiveWifiArguments, _: Manner) -> Result<Exit, Failure> {
    Err(Failure::Machine("`airtime live wifi` needs Linux, with network namespaces".to_owned()))
}
