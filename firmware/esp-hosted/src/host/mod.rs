//! The host: the driver of ESP-hosted, and above it the boot sequence that brings the co-processor's firmware up to date.
//!
//! With a [`Plan`] it first joins a network and goes through the sequence of the published report, which its log tells.
//!
//! Each way to a co-processor ends when the host has to be restarted, and not before. What the sequence has found is told once it is
//! through: that nothing is staged, or what is wrong.

mod card;
mod driver;
mod sequence;
mod staged;
mod uart;

pub use card::{BURST_BLOCKS, over_card};
pub use sequence::{Plan, Words, Wrong};
pub use uart::over_line;

use airtime_core::Duration;
use embedded_hal::digital::OutputPin;
use log::warn;

use crate::Board;

/// Time for which the reset line is held. Source: `ensure_slave_bus_ready`.
const RESET: Duration = Duration::from_millis(10);

/// Pulses the co-processor's reset line: low resets it.
async fn reset(enable: &mut impl OutputPin, board: &impl Board) {
    let low = enable.set_low();
    board.after(RESET).await;
    if low.and(enable.set_high()).is_err() {
        warn!("the reset line does not move");
    }
}
