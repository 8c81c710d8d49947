//! Firmware images as ESP-IDF makes them: header, segments, checksum, digest, and the description of the application.
//!
//! Source: ESP-IDF, components/bootloader_support (`esp_app_format.h`, `esp_image_format.c`) and components/esp_app_format
//! (`esp_app_desc.h`).

mod compose;
mod description;
mod error;
mod verifier;

pub use compose::compose;
pub use description::Description;
pub use error::{ImageError, ImageFault};
pub use verifier::{Image, Verifier, verify};

/// First octet of an image: `ESP_IMAGE_HEADER_MAGIC`.
pub const MAGIC: u8 = 0xE9;
/// Value that erased flash reads as.
pub const ERASED: u8 = 0xFF;

/// Octets of `esp_image_header_t`.
const HEADER: usize = 24;
/// Octets of `esp_image_segment_header_t`: load address and length.
const SEGMENT_HEADER: usize = 8;
/// `ESP_IMAGE_MAX_SEGMENTS`.
const SEGMENTS_MAX: u8 = 16;
/// A segment has fewer octets than this: `SIXTEEN_MB` of `esp_image_format.c`.
const SEGMENT_MAX: u32 = 16 << 20;
/// Start value of the checksum: `ESP_ROM_CHECKSUM_INITIAL`.
const CHECKSUM_INITIAL: u8 = 0xEF;
/// Octets of the SHA-256 behind the checksum.
const DIGEST: usize = 32;
/// Octets of `esp_app_desc_t`, which the first segment begins with.
const DESCRIPTION: usize = 256;
/// `ESP_APP_DESC_MAGIC_WORD`.
const DESCRIPTION_MAGIC: u32 = 0xABCD_5432;

/// A chip, as images name it: `esp_chip_id_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chip(pub u16);

impl Chip {
    /// The co-processor of this chain.
    pub const ESP32_C6: Self = Self(0x000D);
    /// Chip of the host, an ESP32-P4.
    pub const ESP32_P4: Self = Self(0x0012);

    /// Name of the chip, as far as known here.
    pub fn name(self) -> &'static str {
        match self.0 {
            0x0000 => "ESP32",
            0x0002 => "ESP32-S2",
            0x0005 => "ESP32-C3",
            0x0009 => "ESP32-S3",
            0x000C => "ESP32-C2",
            0x000D => "ESP32-C6",
            0x0010 => "ESP32-H2",
            0x0012 => "ESP32-P4",
            0x0014 => "ESP32-C61",
            0x0017 => "ESP32-C5",
            _ => "an unknown chip",
        }
    }
}
