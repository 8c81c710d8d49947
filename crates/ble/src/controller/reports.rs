//! Advertising reports. Core 6.0, Vol 4, Part E, 7.7.65.2 and 7.7.65.11.

use super::Controller;
use crate::hci::event;
use crate::ll::scanning::{Report, report};

/// The virtual medium has no distances; -50 dBm stands for "near".
pub(super) const RSSI_DBM: i8 = -50;

/// Address type of a target that is resolvable and not known to be ours.
const TARGET_RESOLVABLE: u8 = 1;

impl Controller {
    /// Tells the host what the scanner has heard.
    pub(super) fn report(&mut self, heard: &Report) {
        let subevent = match heard.target {
            Some(_) => event::LE_DIRECTED_ADVERTISING_REPORT,
            None => event::LE_ADVERTISING_REPORT,
        };
        let mut packet = event::le_event(self.out.pool(), subevent);
        packet.put(&[1, heard.kind, heard.sender.hci_kind()]);
        packet.put(&heard.sender.address().octets);
        if let Some(target) = heard.target {
            packet.put_u8(TARGET_RESOLVABLE);
            packet.put(&target.octets);
        } else {
            // Foreign packets may be longer than legacy data is; a directed one has none.
            let data = if heard.kind == report::ADV_DIRECT_IND { &[] } else { &heard.data[..] };
            let data = &data[..data.len().min(31)];
            packet.put_u8(data.len() as u8);
            packet.put(data);
        }
        packet.put_u8(RSSI_DBM as u8);
        self.out.le_event(event::finish(packet));
    }
}
