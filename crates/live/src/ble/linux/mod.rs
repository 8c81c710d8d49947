//! Linux's own Bluetooth: [`vhci`] lends a controller to the kernel, [`l2cap`] opens a channel of the kernel's.

pub mod l2cap;
pub mod vhci;
