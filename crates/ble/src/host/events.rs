//! Events of HCI, as the Bluetooth task of a host takes them from the controller.

use airtime_core::bytes::Reader;

use super::Host;
use crate::hci::{H4, Opcode, Status, event};

impl Host {
    /// Takes in one H4 packet. One that is cut short, or that a controller does not send, is
    /// counted and dropped.
    pub(super) fn on_packet(&mut self, bytes: &[u8]) {
        let understood = match H4::parse(bytes) {
            Ok(H4::Acl(acl)) => {
                self.on_acl(acl);
                Some(())
            }
            Ok(H4::Event { code, params }) => self.on_event(code, &mut Reader::new(params)),
            Ok(H4::Command { .. }) | Err(_) => None,
        };
        if understood.is_none() {
            self.malformed += 1;
        }
    }

    fn on_event(&mut self, code: u8, r: &mut Reader<'_>) -> Option<()> {
        match code {
            event::NUMBER_OF_COMPLETED_PACKETS => self.on_completed_packets(r),
            event::COMMAND_COMPLETE => self.on_command_complete(r),
            event::COMMAND_STATUS => self.on_command_status(r),
            event::DISCONNECTION_COMPLETE => self.on_disconnection(r),
            event::ENCRYPTION_CHANGE => self.on_encryption_change(r),
            event::LE_META => self.on_le_event(r),
            // Events that were not asked for are no mistake.
            _ => Some(()),
        }
    }

    fn on_le_event(&mut self, r: &mut Reader<'_>) -> Option<()> {
        match r.u8()? {
            event::LE_CONNECTION_COMPLETE => self.on_connection_complete(r),
            event::LE_ADVERTISING_REPORT => self.on_advertising_report(r),
            event::LE_CONNECTION_UPDATE_COMPLETE => self.on_connection_update(r),
            event::LE_LONG_TERM_KEY_REQUEST => self.on_key_request(r),
            event::LE_REMOTE_PARAMETER_REQUEST => self.on_parameter_request(r),
            event::LE_DATA_LENGTH_CHANGE => self.on_data_length(r),
            event::LE_PHY_UPDATE_COMPLETE => self.on_phy_update(r),
            event::LE_FRAME_SPACE_UPDATE_COMPLETE => self.on_frame_space(r),
            event::LE_READ_REMOTE_FEATURES_COMPLETE => self.on_remote_features(r),
            event::LE_SUBRATE_CHANGE => self.on_subrate_change(r),
            _ => Some(()),
        }
    }

    fn on_command_complete(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (window, opcode) = (r.u8()?, Opcode(r.u16()?));
        let whom = self.out.answered(opcode, window);
        let Some(whom) = whom else { return Some(()) };
        let status = Status(r.u8()?);
        let understood = if status.is_success() { self.on_return(opcode, r) } else { Some(()) };
        self.on_command_ended(opcode, whom, status);
        understood
    }

    fn on_command_status(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (status, window, opcode) = (Status(r.u8()?), r.u8()?, Opcode(r.u16()?));
        if let Some(whom) = self.out.answered(opcode, window) {
            self.on_command_ended(opcode, whom, status);
        }
        Some(())
    }
}
