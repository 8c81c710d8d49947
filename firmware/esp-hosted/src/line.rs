//! Receiving end of a UART, for either side.

use core::convert::Infallible;
use core::pin::pin;

use airtime_esp_hosted::wire::{Frame, Layout, Line, SILENCE, Transport};
use embassy_futures::select::{Either, select};
use embedded_io_async::Read;
use log::warn;

use crate::Board;

/// Both sides check sums on this bus (`ESP_UART_CHECKSUM`).
pub const LAYOUT: Layout = Layout::of(Transport::Uart);

/// Shows `take` every frame that comes.
pub async fn listen(mut uart: impl Read, board: &impl Board, mut take: impl FnMut(&Frame<'_>)) -> Infallible {
    let mut line = Line::new(LAYOUT);
    let mut piece = [0; 256];
    loop {
        let mut show = |line: &mut Line| {
            while let Some(frame) = line.frame() {
                take(&frame);
            }
        };
        let came = {
            let mut read = pin!(uart.read(&mut piece));
            let silence = async {
                if !line.is_within() {
                    return core::future::pending().await;
                }
                board.after(SILENCE).await;
            };
            match select(read.as_mut(), silence).await {
                Either::First(came) => came,
                Either::Second(()) => {
                    line.cut();
                    show(&mut line);
                    read.await
                }
            }
        };
        match came {
            Ok(octets) => {
                line.put(&piece[..octets]);
            }
            Err(error) => {
                // Octets are missing: what was begun cannot be ended.
                warn!("UART: {error}");
                line.cut();
            }
        }
        show(&mut line);
    }
}
