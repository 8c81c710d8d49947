//! Checks an image piece by piece, as it comes out of a file, a flash or an update.

use sha2::{Digest, Sha256};

use super::{
    CHECKSUM_INITIAL, Chip, DESCRIPTION, DIGEST, Description, ERASED, HEADER, ImageError, ImageFault, MAGIC,
    SEGMENT_HEADER, SEGMENT_MAX, SEGMENTS_MAX,
};

/// An image that was found to be whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Description in the image.
    pub description: Description,
    /// Chip that the image is for.
    pub chip: Chip,
    /// Number of segments.
    pub segments: u8,
    /// Its octets, digest included.
    pub octets: u32,
    /// Its digest: SHA-256 of everything before it.
    pub sha256: [u8; DIGEST],
}

/// Checks `octets`, an image at their beginning, for `chip`.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn verify(octets: &[u8], chip: Chip) -> Result<Image, ImageError> {
    let mut verifier = Verifier::new(chip, u32::try_from(octets.len()).unwrap_or(u32::MAX));
    verifier.feed(octets)?;
    verifier.finish()
}

/// The part of an image that is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Header,
    SegmentHeader,
    Data {
        left: u32,
    },
    /// Zeros up to the checksum, which is the last octet of a block of 16.
    Padding {
        left: u32,
    },
    Digest,
    Done,
}

/// Checks an image piece by piece, in constant memory.
#[derive(Clone, Debug)]
pub struct Verifier {
    chip: Chip,
    room: u32,
    at: u32,
    part: Part,
    /// Octets collected of a part that is read whole.
    held: [u8; DIGEST],
    filled: usize,
    segments: u8,
    segment: u8,
    description: [u8; DESCRIPTION],
    described: usize,
    checksum: u8,
    sha: Sha256,
    digest: [u8; DIGEST],
}

impl Verifier {
    /// Awaits the first octet of an image for `chip` that may have `room` octets.
    pub fn new(chip: Chip, room: u32) -> Self {
        Self {
            chip,
            room,
            at: 0,
            part: Part::Header,
            held: [0; DIGEST],
            filled: 0,
            segments: 0,
            segment: 0,
            description: [0; DESCRIPTION],
            described: 0,
            checksum: CHECKSUM_INITIAL,
            sha: Sha256::new(),
            digest: [0; DIGEST],
        }
    }

    /// True once the whole image has been seen; octets fed from then on are not looked at.
    pub fn done(&self) -> bool {
        self.part == Part::Done
    }

    /// Octets of the image seen so far.
    pub fn seen(&self) -> u32 {
        self.at
    }

    /// The description, once it has been seen.
    pub fn description(&self) -> Option<Description> {
        (self.described == DESCRIPTION).then(|| Description::parse(&self.description)).flatten()
    }

    /// The next octets of the image.
    ///
    /// # Errors
    /// The first thing that is wrong; the verifier is of no use afterwards.
    pub fn feed(&mut self, mut octets: &[u8]) -> Result<(), ImageError> {
        while !octets.is_empty() && self.part != Part::Done {
            let taken = match self.part {
                Part::Header => self.gather(octets, HEADER, Self::header)?,
                Part::SegmentHeader => self.gather(octets, SEGMENT_HEADER, Self::segment_header)?,
                Part::Data { left } => self.data(octets, left)?,
                Part::Padding { left } => self.padding(octets, left)?,
                Part::Digest => self.gather(octets, DIGEST, Self::digest)?,
                Part::Done => octets.len(),
            };
            octets = &octets[taken..];
        }
        Ok(())
    }

    /// The image, if it is whole.
    ///
    /// # Errors
    /// When octets are missing, or it says nothing of itself.
    pub fn finish(self) -> Result<Image, ImageError> {
        if self.part != Part::Done {
            return Err(self.fault(ImageFault::Truncated));
        }
        let missing = ImageError { at: (HEADER + SEGMENT_HEADER) as u32, fault: ImageFault::NoDescription };
        let description = self.description().ok_or(missing)?;
        Ok(Image { description, chip: self.chip, segments: self.segments, octets: self.at, sha256: self.digest })
    }

    fn fault(&self, fault: ImageFault) -> ImageError {
        ImageError { at: self.at, fault }
    }

    /// Fills `held` up to `wanted` octets and then lets `then` read them.
    fn gather(
        &mut self,
        octets: &[u8],
        wanted: usize,
        then: fn(&mut Self) -> Result<(), ImageError>,
    ) -> Result<usize, ImageError> {
        if self.part == Part::Header && self.filled == 0 {
            match octets[0] {
                MAGIC => {}
                ERASED => return Err(self.fault(ImageFault::Erased)),
                other => return Err(self.fault(ImageFault::Magic(other))),
            }
        }
        let taken = octets.len().min(wanted - self.filled);
        self.held[self.filled..self.filled + taken].copy_from_slice(&octets[..taken]);
        self.filled += taken;
        if self.filled == wanted {
            self.filled = 0;
            if self.part != Part::Digest {
                self.sha.update(&self.held[..wanted]);
            }
            then(self)?;
            self.at += wanted as u32;
        }
        Ok(taken)
    }

    fn header(&mut self) -> Result<(), ImageError> {
        let header = &self.held;
        self.segments = header[1];
        if !(1..=SEGMENTS_MAX).contains(&self.segments) {
            return Err(ImageError { at: 1, fault: ImageFault::Segments(self.segments) });
        }
        let found = Chip(u16::from_le_bytes([header[12], header[13]]));
        if found != self.chip {
            return Err(ImageError { at: 12, fault: ImageFault::Chip { found, wanted: self.chip } });
        }
        if header[23] != 1 {
            return Err(ImageError { at: 23, fault: ImageFault::NoDigest });
        }
        self.part = Part::SegmentHeader;
        Ok(())
    }

    fn segment_header(&mut self) -> Result<(), ImageError> {
        let octets = u32::from_le_bytes([self.held[4], self.held[5], self.held[6], self.held[7]]);
        if !octets.is_multiple_of(4) || octets >= SEGMENT_MAX {
            return Err(self.fault(ImageFault::SegmentLength { segment: self.segment, octets }));
        }
        // Checksum and digest follow the last segment.
        let end = self.at + SEGMENT_HEADER as u32 + octets + 1 + DIGEST as u32;
        if end > self.room {
            return Err(self.fault(ImageFault::TooLong { room: self.room }));
        }
        self.part = Part::Data { left: octets };
        if octets == 0 {
            self.end_of_segment(self.at + SEGMENT_HEADER as u32);
        }
        Ok(())
    }

    fn data(&mut self, octets: &[u8], left: u32) -> Result<usize, ImageError> {
        let taken = octets.len().min(left as usize);
        let data = &octets[..taken];
        if self.segment == 0 && self.described < DESCRIPTION {
            let part = taken.min(DESCRIPTION - self.described);
            self.description[self.described..self.described + part].copy_from_slice(&data[..part]);
            self.described += part;
        }
        self.checksum = data.iter().fold(self.checksum, |sum, octet| sum ^ octet);
        self.sha.update(data);
        self.at += taken as u32;
        let left = left - taken as u32;
        self.part = Part::Data { left };
        if left == 0 {
            if self.segment == 0 && self.description().is_none() {
                return Err(ImageError { at: (HEADER + SEGMENT_HEADER) as u32, fault: ImageFault::NoDescription });
            }
            self.end_of_segment(self.at);
        }
        Ok(taken)
    }

    /// A segment ends at octet `at`.
    fn end_of_segment(&mut self, at: u32) {
        self.segment += 1;
        self.part = if self.segment < self.segments {
            Part::SegmentHeader
        } else {
            Part::Padding { left: (at + 1).next_multiple_of(16) - at }
        };
    }

    fn padding(&mut self, octets: &[u8], left: u32) -> Result<usize, ImageError> {
        let taken = octets.len().min(left as usize);
        self.sha.update(&octets[..taken]);
        if taken == left as usize {
            let found = octets[taken - 1];
            if found != self.checksum {
                let at = self.at + left - 1;
                return Err(ImageError { at, fault: ImageFault::Checksum { found, computed: self.checksum } });
            }
            self.part = Part::Digest;
        } else {
            self.part = Part::Padding { left: left - taken as u32 };
        }
        self.at += taken as u32;
        Ok(taken)
    }

    fn digest(&mut self) -> Result<(), ImageError> {
        let computed: [u8; DIGEST] = self.sha.clone().finalize().into();
        if computed != self.held {
            return Err(self.fault(ImageFault::Digest));
        }
        self.digest = computed;
        self.part = Part::Done;
        Ok(())
    }
}
