//! Care for longer packets: the key of a plan over what the personalities of both ends say.

use super::device::Device;
use super::link::LengthBy;
use super::scenario::Scenario;
use airtime_ble::personality::LengthCare;
use airtime_ble::words::Role;

/// Puts into `device`, which has this role, what `by` leaves of its own ways.
pub(super) fn apply(by: LengthBy, device: &mut Device, role: Role) {
    if by == LengthBy::Devices {
        return;
    }
    let (controller, host) = (&mut device.controller, &mut device.host);
    controller.begins_data_length = false;
    host.data_length = LengthCare::None;
    match (by, role) {
        // A host that wants long packets, and has said so before the connection.
        (LengthBy::Both, _) => controller.suggested_octets = controller.data_octets,
        (LengthBy::Central, Role::Central) | (LengthBy::Peripheral, Role::Peripheral) => {
            host.data_length = LengthCare::Asks
        }
        _ => {}
    }
}

impl Scenario {
    /// Tells if the host of the end with this role asks for the data length of a new connection.
    pub fn asks_for_length(&self, role: Role) -> bool {
        let device = match role {
            Role::Central => &self.central,
            Role::Peripheral => &self.peripheral,
        };
        match self.connection.data_length_by {
            LengthBy::Both => role == Role::Central,
            _ => device.host.data_length == LengthCare::Asks,
        }
    }
}
