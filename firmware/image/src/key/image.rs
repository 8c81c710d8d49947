//! An image as it lies in the chip's memory.

use std::ops::Range;

/// An image as it lies in the chip's memory, before it runs.
pub struct Image {
    /// Octets by their address; nothing where the image leaves a gap.
    pub memory: Vec<Option<u8>>,
    /// Addresses that clients can read.
    pub served: Range<usize>,
    /// Page the key belongs in.
    pub keys: Range<usize>,
}
