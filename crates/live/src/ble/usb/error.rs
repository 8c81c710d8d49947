//! Reasons that a dongle is not to be had, with what to do.

use std::io::{self, ErrorKind};

use nusb::DeviceInfo;
use thiserror::Error;

use super::found::named;

/// Reason that there is no dongle.
#[derive(Debug, Error)]
pub enum UsbError {
    /// None is plugged in that is meant.
    #[error(
        "no such dongle as {wanted} ({}); `lsusb` names what is plugged in, and not every one says that it is a controller: usb:VENDOR:PRODUCT",
        if there.is_empty() { "no Bluetooth controller is there".to_owned() } else { format!("there is {there}") }
    )]
    NotFound {
        /// Dongle that was asked for.
        wanted: String,
        /// Controllers that there are.
        there: String,
    },
    /// Several are meant.
    #[error("several are meant: {0}; usb:VENDOR:PRODUCT:SERIAL says which")]
    Several(String),
    /// This user may not have it.
    #[error("{0} may not be opened by this user: a udev rule with TAG+=\"uaccess\" for its vendor, or root")]
    NoPermission(String),
    /// Somebody has it.
    #[error("{0} is in use: by another program, or by the system's own driver, which lets go of it on Linux alone")]
    Busy(String),
    /// It is no controller.
    #[error("{0} has not the three endpoints of a Bluetooth controller")]
    NoController(String),
    /// USB fails.
    #[error("USB: {0}")]
    Usb(#[from] nusb::Error),
    /// The machine has no sockets or threads left.
    #[error(transparent)]
    Machine(#[from] io::Error),
}

impl UsbError {
    /// Reason that `device` was refused.
    pub(super) fn refused(device: &DeviceInfo, error: &nusb::Error) -> Self {
        match error.kind() {
            nusb::ErrorKind::PermissionDenied => Self::NoPermission(named(device)),
            nusb::ErrorKind::Busy => Self::Busy(named(device)),
            _ => Self::Machine(io::Error::other(format!("{}: {error}", named(device)))),
        }
    }
}

impl From<UsbError> for io::Error {
    fn from(error: UsbError) -> Self {
        let kind = match &error {
            UsbError::NotFound { .. } => ErrorKind::NotFound,
            UsbError::Machine(error) => error.kind(),
            // What a refusal of permission says is of ports; here the error has its own words.
            _ => ErrorKind::Other,
        };
        Self::new(kind, error.to_string())
    }
}
