//! New firmware for the co-processor of ESP-Hosted: partitions, images, and the boot sequence of the host.
//!
//! - [`partition`]: the table of a flash · [`image`]: what firmware looks like, and whether it is whole
//! - [`stage`]: firmware in the host's partition `slave_fw`, and what is found there
//! - [`boot`]: the host's sequence, sans-IO · [`slots`]: the co-processor's two slots and its bootloader
//! - [`flash`]: what either does with a flash · [`direct`]: both joined, with power that goes at any point
//! - [`hosted`]: the same over the frames and calls of ESP-Hosted on an SDIO bus
//!
//! Firmware of both chips runs the same sequence and the same slots over its own flash.
//!
//! An image that was staged is found whole, and one wrong bit is found as well:
//!
//! ```
//! use airtime_ota::image::{Chip, Description, compose};
//! use airtime_ota::partition::{HOST, SLAVE_FW, Table};
//! use airtime_ota::stage::{Staged, look, stage};
//!
//! let description = Description {
//!     version: "2.12.5".into(),
//!     project: "network_adapter".into(),
//!     idf: "v5.5.1".into(),
//!     elf_sha256: [0; 32],
//! };
//! let image = compose(Chip::ESP32_C6, &description, &[0x5a; 8_192]);
//!
//! let host = Table::parse(HOST).expect("the published table");
//! let partition = host.find(SLAVE_FW).expect("a partition for the co-processor");
//! let (mut staged, _) = stage(&image, Chip::ESP32_C6, partition.size, None).expect("it is whole, and fits");
//! assert!(matches!(look(&staged, Chip::ESP32_C6), Staged::Image { strikes: 0, .. }));
//!
//! staged[500] ^= 1;
//! assert!(matches!(look(&staged, Chip::ESP32_C6), Staged::Damaged(_)));
//! ```
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod boot;
pub mod direct;
pub mod flash;
pub mod hosted;
pub mod image;
pub mod partition;
mod peripherals;
pub mod slots;
pub mod stage;
