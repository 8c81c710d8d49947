//! New firmware for the co-processor: partitions, images, and the boot sequence of the host.
//!
//! - [`partition`]: the table of a flash · [`image`]: what firmware looks like, and whether it is whole
//! - [`stage`]: firmware in the host's partition `slave_fw`, and what is found there
//! - [`boot`]: the host's sequence, sans-IO · [`slots`]: the co-processor's two slots and its bootloader
//! - [`flash`]: what either does with a flash · [`direct`]: both joined, with power that goes at any point
//! - [`hosted`]: the same over the frames and calls of ESP-hosted on an SDIO bus

pub mod boot;
pub mod direct;
pub mod flash;
pub mod hosted;
pub mod image;
pub mod partition;
pub mod slots;
pub mod stage;
