//! Frames on a UART: a stream of octets without borders, in which a header that makes sense begins a frame.

use airtime_esp_hosted::wire::{Frame, FrameError, Layout, Transport};
use alloc::vec::Vec;
use esp_hal::Async;
use esp_hal::uart::{TxError, Uart};
use log::warn;

/// Both sides check sums on this bus (`ESP_UART_CHECKSUM`).
pub const LAYOUT: Layout = Layout::of(Transport::Uart);

/// The UART with what has come in and is not a whole frame yet.
pub struct Link {
    uart: Uart<'static, Async>,
    held: Vec<u8>,
}

impl Link {
    pub fn new(uart: Uart<'static, Async>) -> Self {
        Self { uart, held: Vec::with_capacity(2 * LAYOUT.buffer_octets) }
    }

    /// Sends a frame whole.
    pub async fn send(&mut self, mut octets: &[u8]) -> Result<(), TxError> {
        while !octets.is_empty() {
            let written = self.uart.write_async(octets).await?;
            octets = &octets[written..];
        }
        self.uart.flush_async().await
    }

    /// Waits for octets.
    pub async fn receive(&mut self) {
        let mut piece = [0; 256];
        match self.uart.read_async(&mut piece).await {
            Ok(octets) => self.held.extend_from_slice(&piece[..octets]),
            Err(error) => {
                // Octets are missing: nothing that was begun can be ended.
                warn!("UART: {error:?}");
                self.held.clear();
            }
        }
    }

    /// Shows every frame that is whole.
    pub fn frames(&mut self, mut take: impl FnMut(&Frame<'_>)) {
        let mut at = 0;
        loop {
            match Frame::new_checked(&self.held[at..], &LAYOUT) {
                Ok(frame) => {
                    take(&frame);
                    at += frame.octets();
                }
                Err(FrameError::Short { .. } | FrameError::Cut { .. }) => break,
                // No frame begins here: perhaps with the next octet.
                Err(_) => at += 1,
            }
        }
        self.held.drain(..at);
    }
}
