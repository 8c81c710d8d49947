//! Data length update. Core 6.0, Vol 6, Part B, 5.1.9.

use super::Local;
use crate::hci::event;
use crate::ll::connection::{Connection, Context};
use crate::ll::control::Control;
use crate::ll::length::Offer;

impl Connection {
    pub(super) fn length_requested(&mut self, ctx: &mut Context<'_>, offer: Offer) {
        if !offer.is_valid() {
            return;
        }
        self.lengths.local = self.procedures.offer;
        self.send(ctx, Control::LengthRsp(self.procedures.offer));
        self.take_offer(ctx, offer);
    }

    pub(super) fn length_answered(&mut self, ctx: &mut Context<'_>, offer: Offer) {
        if self.procedures.active == Some(Local::Length) && offer.is_valid() {
            self.take_offer(ctx, offer);
            self.finish(ctx);
        }
    }

    pub(super) fn take_offer(&mut self, ctx: &mut Context<'_>, offer: Offer) {
        let before = self.effective;
        self.lengths.remote = offer;
        self.refresh_lengths();
        if self.effective != before {
            self.report_length(ctx);
        }
    }

    pub(super) fn report_length(&self, ctx: &mut Context<'_>) {
        let mut packet = event::le_event(ctx.out.pool(), event::LE_DATA_LENGTH_CHANGE);
        let e = self.effective;
        for field in [self.handle, e.max_tx_octets, e.max_tx_time, e.max_rx_octets, e.max_rx_time] {
            packet.put_u16(field);
        }
        ctx.out.le_event(event::finish(packet));
    }
}
