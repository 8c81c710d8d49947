//! The update over ESP-hosted itself: the host's sequence on its RPC, the co-processor's slots behind its RPC server, and both
//! on a virtual SDIO bus.
//!
//! - [`Updater`]: [`Boot`](super::boot::Boot) above a [`Host`](airtime_esp_hosted::host::Host); firmware of a real host runs it too
//! - [`Installed`]: [`Slots`](super::slots::Slots) below a [`Coprocessor`](airtime_esp_hosted::coprocessor::Coprocessor)
//! - [`Session`]: all of it in virtual time, with power that goes at any point

mod bus;
mod installed;
mod session;
mod updater;

pub use installed::Installed;
pub use session::{Session, SessionConfig};
pub use updater::{Order, Updater};
