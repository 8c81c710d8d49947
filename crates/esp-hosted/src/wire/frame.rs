//! Frames as they come in: proved once, read without fear.

use super::header::{Flags, Header, Layout, Throttle, checksum};
use super::interface::Interface;

/// Reason that octets are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// Fewer octets than a header.
    #[error("a header has {needs} octets, {has} came")]
    Short {
        /// Octets of a header.
        needs: usize,
        /// Octets that came.
        has: usize,
    },
    /// The payload does not begin behind the header.
    #[error("the payload begins at {found}, not at {expected}; are both sides built alike?")]
    Offset {
        /// Offset in the header.
        found: u16,
        /// Offset that it has to be.
        expected: usize,
    },
    /// Frame without payload.
    #[error("a frame without payload")]
    Empty,
    /// More payload than a buffer holds.
    #[error("{len} octets of payload, {max} at most")]
    TooLong {
        /// Length in the header.
        len: u16,
        /// Largest length that fits.
        max: usize,
    },
    /// The frame goes on behind what came.
    #[error("a frame of {needs} octets was cut after {has}")]
    Cut {
        /// Octets of the frame.
        needs: usize,
        /// Octets that came.
        has: usize,
    },
    /// The checksum is wrong.
    #[error("checksum {found:#06x}, computed {computed:#06x}")]
    Checksum {
        /// Checksum in the header.
        found: u16,
        /// Checksum over the octets.
        computed: u16,
    },
    /// No such interface.
    #[error("there is no interface {0}")]
    Interface(u8),
}

/// Counts of each [`FrameError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FrameFaults {
    /// Number of frames refused with [`FrameError::Short`].
    pub short: u64,
    /// Number of frames refused with [`FrameError::Offset`].
    pub offset: u64,
    /// Number of frames refused with [`FrameError::Empty`].
    pub empty: u64,
    /// Number of frames refused with [`FrameError::TooLong`].
    pub too_long: u64,
    /// Number of frames refused with [`FrameError::Cut`].
    pub cut: u64,
    /// Number of frames refused with [`FrameError::Checksum`].
    pub checksum: u64,
    /// Number of frames refused with [`FrameError::Interface`].
    pub interface: u64,
}

impl FrameFaults {
    /// Counts one `error` by its kind.
    pub const fn count(&mut self, error: FrameError) {
        let counter = match error {
            FrameError::Short { .. } => &mut self.short,
            FrameError::Offset { .. } => &mut self.offset,
            FrameError::Empty => &mut self.empty,
            FrameError::TooLong { .. } => &mut self.too_long,
            FrameError::Cut { .. } => &mut self.cut,
            FrameError::Checksum { .. } => &mut self.checksum,
            FrameError::Interface(_) => &mut self.interface,
        };
        *counter += 1;
    }

    /// Total of all faults.
    pub const fn total(&self) -> u64 {
        self.short + self.offset + self.empty + self.too_long + self.cut + self.checksum + self.interface
    }
}

/// A frame that has been proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Header of the frame.
    pub header: Header,
    /// Its payload, never empty; without the type of an HCI packet, which is the header's `kind`.
    pub payload: &'a [u8],
    octets: usize,
}

impl<'a> Frame<'a> {
    /// The frame at the start of `octets`; more may follow behind it.
    ///
    /// # Errors
    /// When there is none, or not a whole one. What a driver drops is in `is_valid_sdio_rx_packet` of
    /// `host/drivers/transport/sdio/sdio_drv.c`.
    pub fn new_checked(octets: &'a [u8], layout: &Layout) -> Result<Self, FrameError> {
        let start = layout.header_octets();
        let Some((header, _)) = octets.split_at_checked(start) else {
            return Err(FrameError::Short { needs: start, has: octets.len() });
        };
        let field = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (len, offset) = (field(2), field(4));
        if usize::from(offset) != start {
            return Err(FrameError::Offset { found: offset, expected: start });
        }
        if len == 0 {
            return Err(FrameError::Empty);
        }
        if usize::from(len) > layout.payload_max() {
            return Err(FrameError::TooLong { len, max: layout.payload_max() });
        }
        let end = start + usize::from(len);
        let Some(payload) = octets.get(start..end) else {
            return Err(FrameError::Cut { needs: end, has: octets.len() });
        };
        if layout.checksum {
            let found = field(6);
            // The sum is made while the field is zero.
            let field_octets = u16::from(header[6]) + u16::from(header[7]);
            let computed = checksum(&octets[..end]).wrapping_sub(field_octets);
            if found != computed {
                return Err(FrameError::Checksum { found, computed });
            }
        }
        let interface = header[0] & 0x0f;
        let header = Header {
            interface: Interface::of(interface).ok_or(FrameError::Interface(interface))?,
            instance: header[0] >> 4,
            flags: Flags::of(header[1]),
            sequence: field(8),
            throttle: Throttle::of(header[10]),
            number: if layout.numbered { field(11) } else { 0 },
            kind: header[start - 1],
        };
        Ok(Self { header, payload, octets: end })
    }

    /// Octets of header and payload.
    pub const fn octets(&self) -> usize {
        self.octets
    }

    /// The type of an HCI packet and the packet behind it; none on other interfaces.
    pub fn hci(&self) -> Option<(u8, &'a [u8])> {
        (self.header.interface == Interface::Hci).then_some((self.header.kind, self.payload))
    }
}

/// The frames of one read of the bus: one in packet mode, any number in streaming mode. Behind an error nothing can be
/// found again, and it ends.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'a> {
    rest: &'a [u8],
    layout: Layout,
}

impl<'a> Frames<'a> {
    /// The frames of `octets`.
    pub const fn new(octets: &'a [u8], layout: Layout) -> Self {
        Self { rest: octets, layout }
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, FrameError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let frame = Frame::new_checked(self.rest, &self.layout);
        self.rest = match frame {
            Ok(frame) => &self.rest[frame.octets()..],
            Err(_) => &[],
        };
        Some(frame)
    }
}
