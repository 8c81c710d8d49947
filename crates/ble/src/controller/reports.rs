//! Advertising reports: the host's view of packets that a scanner has heard. Core 6.0, Vol 4, Part E, 7.7.65.2,
//! 7.7.65.11, 7.7.65.13 and 7.7.65.17.

use airtime_core::Instant;

use super::{Controller, Holder};
use crate::hci::event;
use crate::ll::procedure::phy_number;
use crate::ll::scanning::Report;

/// The virtual medium has no distances; -50 dBm stands for "near".
pub(super) const RSSI_DBM: i8 = -50;

/// Address type of a target that is resolvable and not known to be ours, in a legacy and in an extended report.
const TARGET_RESOLVABLE: u8 = 1;
const TARGET_UNRESOLVED: u8 = 0xfe;
/// No SID, and no transmit power, in an extended report.
const NO_SID: u8 = 0xff;
const NO_TX_POWER: i8 = 127;
/// Data octets that fit one extended report: 255 less subevent, number of reports and 24 octets of fields.
const DATA_MAX: usize = 229;
/// Data status in the event type: more is to come.
const MORE_TO_COME: u16 = 0b01 << 5;

impl Controller {
    /// Tells the host what the scanner has heard.
    pub(super) fn report(&mut self, heard: &Report) {
        let extended = self.scanning.scanner().is_some_and(|scanner| scanner.setup().extended);
        if extended {
            return self.report_extended(heard);
        }
        let unknown = heard.target.filter(|_| !heard.for_us);
        let subevent = match unknown {
            Some(_) => event::LE_DIRECTED_ADVERTISING_REPORT,
            None => event::LE_ADVERTISING_REPORT,
        };
        let mut packet = event::le_event(self.out.pool(), subevent);
        packet.put(&[1, heard.legacy_type(), heard.sender.hci_kind()]);
        packet.put(&heard.sender.address().octets);
        if let Some(target) = unknown {
            packet.put_u8(TARGET_RESOLVABLE);
            packet.put(&target.octets);
        } else {
            // Foreign packets may be longer than legacy data is.
            let data = &heard.data[..heard.data.len().min(31)];
            packet.put_u8(data.len() as u8);
            packet.put(data);
        }
        packet.put_u8(RSSI_DBM as u8);
        self.out.le_event(event::finish(packet));
    }

    /// One LE Extended Advertising Report for each part of the data that fits one.
    fn report_extended(&mut self, heard: &Report) {
        let mut rest = &heard.data[..];
        loop {
            let (part, behind) = rest.split_at(rest.len().min(DATA_MAX));
            let status = if behind.is_empty() { 0 } else { MORE_TO_COME };
            let mut packet = event::le_event(self.out.pool(), event::LE_EXTENDED_ADVERTISING_REPORT);
            packet.put_u8(1);
            packet.put_u16(heard.event_type | status);
            packet.put_u8(heard.sender.hci_kind());
            packet.put(&heard.sender.address().octets);
            packet.put(&[phy_number(heard.primary), heard.secondary.map_or(0, phy_number)]);
            packet.put_u8(heard.adi.map_or(NO_SID, |adi| (adi >> 12) as u8));
            packet.put(&[heard.tx_power.unwrap_or(NO_TX_POWER) as u8, RSSI_DBM as u8]);
            // No periodic advertising.
            packet.put_u16(0);
            let target =
                heard.target.map(|target| (if heard.for_us { target.kind as u8 } else { TARGET_UNRESOLVED }, target));
            packet.put_u8(target.map_or(0, |(kind, _)| kind));
            packet.put(&target.map_or([0; 6], |(_, target)| target.octets));
            packet.put_u8(part.len() as u8);
            packet.put(part);
            self.out.le_event(event::finish(packet));
            rest = behind;
            if rest.is_empty() {
                return;
            }
        }
    }

    /// A scan whose time is up ends, and the host is told.
    pub(super) fn check_scan(&mut self, now: Instant) {
        if self.scanning.ends() > now {
            return;
        }
        self.scanning.stop();
        if self.holder == Holder::Scanner {
            self.out.listen(None);
            self.holder = Holder::Nobody;
        }
        let packet = event::le_event(self.out.pool(), event::LE_SCAN_TIMEOUT);
        self.out.le_event(event::finish(packet));
    }
}
