//! Firmware put into the host's partition, and what is found there.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::image::{Chip, ERASED, Image, ImageError, ImageFault, MAGIC, verify};
use super::partition::SECTOR;

/// Mark of an installed image: the first octet of a partition is cleared to this before the partition is erased.
/// Clearing bits needs no erasing, so the octet is either this or 0xE9; an erasing that was cut off is thus taken up
/// again.
pub const USED: u8 = 0x00;

/// Attempts that ended with the old firmware, after which the host does not try the image any more. *Assumed.*
pub const STRIKES: u32 = 3;

/// Tells if a first octet says that the image was installed. Programming [`USED`] may be cut off too: some of the bits
/// that 0xE9 has are cleared then, and none of the others is set.
pub fn used(first: u8) -> bool {
    first != MAGIC && first & !MAGIC == 0
}

/// Number of attempts with the staged image that have failed: bits cleared in the partition's last octet.
pub fn strikes(last: u8) -> u32 {
    last.count_zeros()
}

/// The last octet after another failed attempt.
pub fn strike(last: u8) -> u8 {
    last & (last.wrapping_shl(1))
}

/// Content of a partition for the co-processor's firmware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Staged {
    /// Nothing: its first octet is 0xFF.
    Nothing {
        /// The first octet that is not erased all the same, if there is one.
        leftover: Option<u32>,
    },
    /// An image that was installed; the host was interrupted while it erased it.
    Installed,
    /// An image that can be installed.
    Image {
        /// Image that is staged.
        image: Box<Image>,
        /// Content behind the image.
        tail: Tail,
        /// Attempts that failed.
        strikes: u32,
    },
    /// Damaged: something that is no image.
    Damaged(ImageError),
}

/// Content behind a staged image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Erased flash, and the image's last octet is another: a host that looks for the end of what is not 0xFF finds it.
    Clean,
    /// The image ends with this many octets 0xFF: such a host would not send them.
    Hidden(u32),
    /// Octets up to this one are not erased: such a host would send them as well.
    Stale(u32),
}

/// Looks at a partition, for an image of `chip`.
pub fn look(partition: &[u8], chip: Chip) -> Staged {
    let (Some(first), Some((last, body))) = (partition.first(), partition.split_last()) else {
        return Staged::Nothing { leftover: None };
    };
    match *first {
        ERASED => Staged::Nothing { leftover: partition.iter().position(|octet| *octet != ERASED).map(|at| at as u32) },
        first if used(first) => Staged::Installed,
        _ => match verify(body, chip) {
            Ok(image) => {
                let tail = tail(body, image.octets);
                Staged::Image { image: Box::new(image), tail, strikes: strikes(*last) }
            }
            // The first sector is erased last: when only that holds anything, its erasing was cut off.
            Err(_) if body.iter().skip(SECTOR as usize).all(|octet| *octet == ERASED) => Staged::Installed,
            Err(error) => Staged::Damaged(error),
        },
    }
}

fn tail(body: &[u8], octets: u32) -> Tail {
    let end = body.iter().rposition(|octet| *octet != ERASED).map_or(0, |at| at as u32 + 1);
    match end.cmp(&octets) {
        core::cmp::Ordering::Equal => Tail::Clean,
        core::cmp::Ordering::Less => Tail::Hidden(octets - end),
        core::cmp::Ordering::Greater => Tail::Stale(end),
    }
}

/// Reason that an image was not staged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StageError {
    /// It is no image for the co-processor, or damaged.
    Image(ImageError),
    /// It is longer than the partition, whose last octet counts failed attempts.
    TooLong {
        /// Length of the image in octets.
        octets: u32,
        /// Octets of the partition that are for images.
        room: u32,
    },
    /// The partition is not erased.
    Occupied {
        /// Octets up to the last one that is not erased.
        end: u32,
        /// Octets of the image that was to be staged.
        octets: u32,
    },
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Image(error) => write!(f, "{error}"),
            Self::TooLong { octets, room } => {
                write!(f, "the image has {octets} octets, and the partition has room for {room}")
            }
            Self::Occupied { end, octets } if end > octets => write!(
                f,
                "the partition is not erased: a host that takes what is not 0xff for the image would send {} octets of what \
                 is staged now behind it; erase the partition first",
                end - octets
            ),
            Self::Occupied { end, .. } => write!(
                f,
                "the partition is not erased, up to octet {end:#x}: programming can only clear bits, and the image would be \
                 damaged; erase the partition first"
            ),
        }
    }
}

impl core::error::Error for StageError {}

/// The partition of `size` octets with `image` staged for `chip`, and what the image is. `before` is what the partition holds
/// now; none after it was erased.
///
/// # Errors
/// When the image is none, does not fit, or the partition is not erased.
pub fn stage(image: &[u8], chip: Chip, size: u32, before: Option<&[u8]>) -> Result<(Vec<u8>, Image), StageError> {
    let found = verify(image, chip).map_err(StageError::Image)?;
    let room = size.saturating_sub(1);
    let octets = found.octets;
    if let Some(at) = image.iter().skip(octets as usize).position(|octet| *octet != ERASED) {
        // More than an image: perhaps one with the bootloader, or two.
        let fault = ImageFault::TooLong { room: octets };
        return Err(StageError::Image(ImageError { at: octets + at as u32, fault }));
    }
    if octets > room {
        return Err(StageError::TooLong { octets, room });
    }
    if let Some(last) = before.and_then(|before| before.iter().rposition(|octet| *octet != ERASED)) {
        return Err(StageError::Occupied { end: last as u32 + 1, octets });
    }
    let mut partition = vec![ERASED; size as usize];
    partition[..octets as usize].copy_from_slice(&image[..octets as usize]);
    Ok((partition, found))
}
