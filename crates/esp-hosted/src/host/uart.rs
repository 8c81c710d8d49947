//! A UART: one task writes, one reads, and neither waits for the other. Source: `host/drivers/transport/uart/uart_drv.c` at `4d9dc385`
//! (2.12.12).
//!
//! A frame to be written is a transaction as on the other buses; one that has come is handed over with
//! [`received`](Host::received), whenever that is.

use airtime_core::Instant;

use super::start::Stage;
use super::{Host, HostDrop};
use crate::wire::Frame;

impl Host {
    /// A frame has come over the UART, as [`Line`](crate::wire::Line) has found it.
    pub fn received(&mut self, now: Instant, frame: &Frame<'_>) {
        let _ = now;
        if self.start.stage == Stage::Failed {
            return self.told.lost(HostDrop::Down, frame.payload.len());
        }
        self.receive.frame_read(frame, &self.pool, &mut self.told);
    }
}
