//! `airtime hw vhci`: a controller behind H4 as an adapter of Linux's own Bluetooth stack.

use std::io::{self, ErrorKind};

use airtime_live::ble::linux::vhci::{DEVICE, Vhci};
use airtime_live::ble::options::controller;

use crate::arguments::HwVhciArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::output;

/// Lends the controller to the kernel until it is stopped.
pub fn vhci(arguments: &HwVhciArguments) -> Result<Exit, Failure> {
    let place = controller(&arguments.hci).map_err(|what| Failure::BadInput(format!("--hci {what}")))?;
    let mut bridge = Vhci::open(&place).map_err(|(error, what)| Failure::Machine(refused(&error, &what)))?;
    stop_on_signal(bridge.stopper())?;
    // Scripts wait for this line.
    output::say(&format!("adapter hci{} is {place}", bridge.index()));
    bridge.run().map_err(|error| Failure::Machine(format!("{place}: {error}")))?;
    Ok(Exit::Ok)
}

/// The reason that there is no adapter, with what to do.
fn refused(error: &io::Error, what: &str) -> String {
    let remedy = match error.kind() {
        ErrorKind::NotFound if what == DEVICE => "; `modprobe hci_vhci` makes it",
        ErrorKind::PermissionDenied if what == DEVICE => "; root may open it",
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => "; `airtime live ble --hci …` listens there once it runs",
        _ => "",
    };
    format!("{what}: {error}{remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_says_what_to_do() {
        for (kind, what, words) in [
            (ErrorKind::NotFound, DEVICE, "modprobe hci_vhci"),
            (ErrorKind::PermissionDenied, DEVICE, "root"),
            (ErrorKind::ConnectionRefused, "tcp:127.0.0.1:9000", "airtime live ble"),
        ] {
            let said = refused(&kind.into(), what);
            assert!(said.starts_with(what) && said.contains(words), "{said}");
        }
    }
}
