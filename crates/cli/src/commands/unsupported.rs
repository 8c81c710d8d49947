//! Commands that need what this system does not have: written as everywhere, they say what it is.

use super::ble::ble;
use super::log::log;
#[cfg(unix)]
use super::sink::sink;
use crate::arguments::HwCommand;
#[cfg(not(unix))]
use crate::arguments::PerfArguments;
#[cfg(not(unix))]
use crate::arguments::live::LiveCommand;
#[cfg(unix)]
use crate::arguments::live::{LiveNrf24Arguments, LiveWifiArguments};
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// `airtime live`, which has sockets and the waiting of UNIX.
#[cfg(not(unix))]
pub fn live(_: &LiveCommand, _: Manner) -> Result<Exit, Failure> {
    Err(needs("live", "UNIX; `airtime run` has the same radios in virtual time"))
}

/// `airtime live nrf24`.
#[cfg(unix)]
pub fn nrf24(_: &LiveNrf24Arguments, _: Manner) -> Result<Exit, Failure> {
    Err(needs("live nrf24", "Linux, with network namespaces"))
}

/// `airtime live wifi`.
#[cfg(unix)]
pub fn wifi(_: &LiveWifiArguments, _: Manner) -> Result<Exit, Failure> {
    Err(needs("live wifi", "Linux, with network namespaces"))
}

/// `airtime perf`, which runs programs of UNIX.
#[cfg(not(unix))]
pub fn perf(_: &PerfArguments, _: Manner) -> Result<Exit, Failure> {
    Err(needs("perf", "UNIX, with iperf3 and ping"))
}

/// `airtime hw`: what is about the nRF24 needs `spidev` and GPIO character devices.
pub fn hw(command: &HwCommand, manner: Manner) -> Result<Exit, Failure> {
    match command {
        HwCommand::Ble(command) => ble(command, manner),
        #[cfg(unix)]
        HwCommand::Sink(arguments) => sink(arguments, manner),
        #[cfg(not(unix))]
        HwCommand::Sink(_) => Err(needs("hw sink", "UNIX")),
        HwCommand::Log(arguments) => log(arguments, manner),
        HwCommand::Bench(_) => Err(needs("hw bench", "Linux, which tells when a program ends")),
        HwCommand::Vhci(_) => Err(needs("hw vhci", "Linux, with its Bluetooth stack")),
        HwCommand::Nrf24(_) => Err(needs("hw nrf24", "Linux, with SPI and GPIO")),
    }
}

/// Refusal of `airtime COMMAND`, with what it needs.
pub fn needs(command: &str, what: &str) -> Failure {
    Failure::Machine(format!("`airtime {command}` needs {what}"))
}
