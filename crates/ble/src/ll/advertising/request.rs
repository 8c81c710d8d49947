//! Requests that come back to an advertiser: scan requests and connection requests.

use airtime_core::Instant;

use super::{Advertiser, Kind, transmit};
use crate::air::T_IFS;
use crate::ll::extended::{AUX_CONNECT_RSP, EXTENDED, Extended};
use crate::ll::identity::{Identities, Sender};
use crate::ll::outbox::Outbox;
use crate::ll::pdu::{Advertising, AdvertisingType};

/// Request that a packet heard by an advertiser makes.
#[derive(Debug)]
pub enum Asked<'a> {
    /// Nothing for us.
    Nothing,
    /// The scan response, which has gone out.
    Response(Sender),
    /// A connection with this device.
    Connection(Advertising<'a>, Sender),
}

impl Advertiser {
    /// A packet was heard, ending at `end`.
    pub fn heard<'a>(
        &mut self,
        out: &mut Outbox,
        identities: &mut Identities,
        bytes: Option<&'a [u8]>,
        end: Instant,
    ) -> Asked<'a> {
        match bytes.and_then(Advertising::parse).and_then(|pdu| self.request(identities, pdu)) {
            Some((pdu, sender)) if pdu.kind == AdvertisingType::ConnectInd => Asked::Connection(pdu, sender),
            Some((_, sender)) => {
                let end = self.respond(out, end + T_IFS);
                self.go_on(end);
                Asked::Response(sender)
            }
            None => {
                self.go_on(end);
                Asked::Nothing
            }
        }
    }

    /// SCAN_RSP or AUX_SCAN_RSP; says when it ends.
    fn respond(&self, out: &mut Outbox, start: Instant) -> Instant {
        let (channel, phy) = self.place();
        let data = &self.parameters.response[..];
        let packet = match self.parameters.kind {
            Kind::Extended(extended) => {
                let (advertiser, adi) = (Some(self.own), Some(extended.adi()));
                Extended { advertiser, adi, data, ..Extended::new(EXTENDED, 0) }.emit(out.pool())
            }
            _ => {
                let kind = AdvertisingType::ScanRsp;
                Advertising { kind, ch_sel: false, sender: self.own, target: None, data }.emit(out.pool())
            }
        };
        transmit(out, packet, channel, phy, start)
    }

    /// AUX_CONNECT_RSP to the initiator of `request`, which ended at `end`. Core 6.0, Vol 6, Part B, 2.3.3.2.
    pub fn confirm(&self, out: &mut Outbox, request: &Advertising<'_>, end: Instant) {
        let (channel, phy) = self.place();
        let (advertiser, target) = (Some(self.own), Some(request.sender));
        let pdu = Extended { advertiser, target, ..Extended::new(AUX_CONNECT_RSP, 0) };
        transmit(out, pdu.emit(out.pool()), channel, phy, end + T_IFS);
    }

    /// A packet that this advertiser answers, and whose it is.
    fn request<'a>(&self, identities: &mut Identities, pdu: Advertising<'a>) -> Option<(Advertising<'a>, Sender)> {
        if pdu.target != Some(self.own) {
            return None;
        }
        let sender = identities.sender(pdu.sender)?;
        let (kind, filter) = (self.parameters.kind, self.parameters.filter);
        let listed = identities.accepts(&sender);
        let meant = !kind.is_directed() || sender.is(self.parameters.peer);
        let answered = match pdu.kind {
            AdvertisingType::ConnectInd => kind.is_connectable() && (listed || !filter.connection_requests),
            AdvertisingType::ScanReq => kind.is_scannable() && (listed || !filter.scan_requests),
            _ => false,
        };
        (meant && answered).then_some((pdu, sender))
    }
}
