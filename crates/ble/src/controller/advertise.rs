//! The controller's advertisers: their turns on the radio, and how they end.

use airtime_core::Instant;

use super::{Controller, Holder};
use crate::hci::{Status, event};
use crate::ll::advertising::{Advertiser, Asked, Kind, Over};
use crate::ll::event::Heard;
use crate::ll::identity::Sender;
use crate::words::Role;

impl Controller {
    pub(super) fn wake_advertisers(&mut self, now: Instant) {
        let mut index = 0;
        while let Some(advertiser) = self.advertising.running_mut().get_mut(index) {
            if advertiser.deadline() > now {
                index += 1;
            } else if let Some(over) = advertiser.over(now) {
                let advertiser = self.advertising.running_mut().remove(index);
                self.report_over(&advertiser, over);
            } else {
                self.wake_advertiser(index, now);
                index += 1;
            }
        }
    }

    fn wake_advertiser(&mut self, index: usize, now: Instant) {
        if !self.advertising.running_mut().get_mut(index).is_some_and(|a| a.active)
            && !self.advertiser_takes_turn(index, now)
        {
            return;
        }
        let next = self.connections.iter().flatten().map(|c| c.begins(&self.personality)).min();
        let map = self.defaults.channel_map();
        let Some(advertiser) = self.advertising.running_mut().get_mut(index) else { return };
        let busy = match self.holder {
            Holder::Connection(_) => true,
            Holder::Advertiser => !advertiser.active,
            Holder::Nobody | Holder::Scanner | Holder::Initiator => false,
        };
        let crowded = !advertiser.has_turn && next.is_some_and(|next| now + advertiser.event_max() > next);
        if !advertiser.active && (busy || crowded) {
            return advertiser.skip();
        }
        advertiser.send(&mut self.out, &mut self.identities, map);
        self.holder = if advertiser.active { Holder::Advertiser } else { Holder::Nobody };
    }

    /// The advertiser that holds the radio has heard something.
    pub(super) fn advertiser_heard(&mut self, now: Instant, heard: Heard<'_>) {
        let Some(advertiser) = self.advertising.running_mut().active() else { return };
        let asked = advertiser.heard(&mut self.out, &mut self.identities, heard.pdu, heard.end);
        self.holder = if advertiser.active { Holder::Advertiser } else { Holder::Nobody };
        let notify = advertiser.parameters().set.filter(|_| advertiser.parameters().notify);
        match asked {
            Asked::Nothing => {}
            Asked::Response(scanner) => {
                if let Some(set) = notify {
                    self.report_scan_request(set, &scanner);
                }
            }
            Asked::Connection(pdu, sender) => self.accept_connection(now, &pdu, sender, heard),
        }
    }

    /// LE Scan Request Received. Core 6.0, Vol 4, Part E, 7.7.65.19.
    fn report_scan_request(&mut self, set: u8, scanner: &Sender) {
        let mut packet = event::le_event(self.out.pool(), event::LE_SCAN_REQUEST_RECEIVED);
        packet.put(&[set, scanner.hci_kind()]);
        packet.put(&scanner.address().octets);
        self.out.le_event(event::finish(packet));
    }

    fn report_over(&mut self, advertiser: &Advertiser, over: Over) {
        let status = match over {
            Over::Duration => Status::ADVERTISING_TIMEOUT,
            Over::Events => Status::LIMIT_REACHED,
        };
        if advertiser.parameters().set.is_some() {
            self.report_terminated(advertiser, status, 0);
        } else if advertiser.parameters().kind == Kind::HighDutyDirected {
            // Core 6.0, Vol 4, Part E, 7.8.9: high duty cycle directed advertising has found nobody.
            self.report_no_connection(status, Role::Peripheral);
        }
    }

    /// LE Advertising Set Terminated, if it was one. Core 6.0, Vol 4, Part E, 7.7.65.18.
    pub(super) fn report_terminated(&mut self, advertiser: &Advertiser, status: Status, handle: u16) {
        let Some(set) = advertiser.parameters().set else { return };
        let mut packet = event::le_event(self.out.pool(), event::LE_ADVERTISING_SET_TERMINATED);
        packet.put(&[status.0, set]);
        packet.put_u16(handle);
        packet.put_u8(advertiser.completed());
        self.out.le_event(event::finish(packet));
    }
}
