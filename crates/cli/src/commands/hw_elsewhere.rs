//! `airtime hw` where there is neither `spidev` nor a GPIO character device.

#[cfg(unix)]
use super::sink::sink;
use crate::arguments::HwCommand;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Says what is not to be had.
pub fn hw(command: &HwCommand, manner: Manner) -> Result<Exit, Failure> {
    match command {
        #[cfg(unix)]
        HwCommand::Sink(arguments) => sink(arguments, manner),
        _ => {
            let _ = manner;
            Err(Failure::Machine("`airtime hw` needs Linux, with SPI and GPIO".to_owned()))
        }
    }
}
