//! `airtime hw` where there is neither `spidev` nor a GPIO character device.

use crate::arguments::HwCommand;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Says that there is nothing to be had.
pub fn hw(_: &HwCommand, _: Manner) -> Result<Exit, Failure> {
    Err(Failure::Machine("`airtime hw` needs Linux, with SPI and GPIO".to_owned()))
}
