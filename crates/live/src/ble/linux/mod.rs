//! Linux's own Bluetooth: [`vhci`] lends a controller to the kernel, [`l2cap`] opens a channel of the kernel's, [`bluez`] finds boards by name,
//! [`user_channel`] takes a controller from the kernel's host.

pub mod bluez;
pub mod l2cap;
pub mod user_channel;
pub mod vhci;
