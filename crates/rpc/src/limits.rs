//! Limits that bound memory at both ends.

/// Most calls under way at one end.
pub const CALLS_MAX: usize = 8;

/// Longest name of a method, in octets: what the published firmware takes.
pub const NAME_MAX: usize = 16;

/// Longest frame of compatible mode: an ATT value at an MTU of 247. Published implementations fail above it (their payload
/// length is one octet, and their staging buffers are shorter than 256).
pub const COMPATIBLE_FRAME_MAX: usize = 244;
