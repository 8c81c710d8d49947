//! Dongles among what is plugged in.

use nusb::{DeviceInfo, MaybeFuture};

use super::error::UsbError;
use crate::ble::place::Choice;

/// Class, subclass and protocol of a Bluetooth controller. Core 6.0, Vol 4, Part B, 2.1.
const CONTROLLER: (u8, u8, u8) = (0xe0, 0x01, 0x01);

/// The one device that `choice` means.
///
/// # Errors
/// When there is none, or several.
pub(super) fn found(choice: &Choice) -> Result<DeviceInfo, UsbError> {
    let all: Vec<DeviceInfo> = nusb::list_devices().wait()?.collect();
    let meant: Vec<&DeviceInfo> = all.iter().filter(|device| is_meant(device, choice)).collect();
    match meant.as_slice() {
        [one] => Ok((*one).clone()),
        [] => {
            let there: Vec<String> = all.iter().filter(|device| is_controller(device)).map(named).collect();
            Err(UsbError::NotFound { wanted: choice.to_string(), there: there.join(", ") })
        }
        several => Err(UsbError::Several(several.iter().map(|device| named(device)).collect::<Vec<_>>().join(", "))),
    }
}

fn is_meant(device: &DeviceInfo, choice: &Choice) -> bool {
    let same_serial = choice.serial.as_deref().is_none_or(|serial| device.serial_number() == Some(serial));
    match choice.id {
        Some(id) => id == (device.vendor_id(), device.product_id()) && same_serial,
        None => is_controller(device),
    }
}

/// Tells if a device says that it is a controller, as a whole or by its first interface.
fn is_controller(device: &DeviceInfo) -> bool {
    let whole = (device.class(), device.subclass(), device.protocol());
    let of = |interface: &nusb::InterfaceInfo| (interface.class(), interface.subclass(), interface.protocol());
    whole == CONTROLLER || device.interfaces().next().is_some_and(|interface| of(interface) == CONTROLLER)
}

/// Name of a device as [`Choice`] takes it, and as its maker calls it.
pub(super) fn named(device: &DeviceInfo) -> String {
    let id = Some((device.vendor_id(), device.product_id()));
    let choice = Choice { id, serial: device.serial_number().map(str::to_owned) };
    device.product_string().map_or_else(|| choice.to_string(), |product| format!("{choice} ({product})"))
}
