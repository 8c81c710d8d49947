//! A field of octets that are not in memory.

use micropb::field::{FieldDecode, FieldEncode};
use micropb::{DecodeError, PbDecoder, PbEncoder, PbRead, PbWrite, Tag};

/// A `bytes` field whose octets stay where they are: encoded, it is tag and length, and whoever sends the message lets the
/// octets follow; decoded, it is their number, and they were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octets {
    /// Number of the field in its message.
    pub field: u8,
    /// Number of octets.
    pub len: u32,
}

impl Octets {
    /// `len` octets as the field of this number.
    pub fn new(field: u8, len: u32) -> Self {
        Self { field, len }
    }

    fn tag(self) -> Tag {
        Tag::from_parts(u32::from(self.field), micropb::WIRE_TYPE_LEN)
    }
}

impl FieldEncode for Octets {
    // Up to what a length can say.
    const MAX_SIZE: Result<usize, &'static str> = Err("octets have no bound");

    fn encode_fields<W: PbWrite>(&self, encoder: &mut PbEncoder<W>) -> Result<(), W::Error> {
        if self.len == 0 {
            // Proto3 leaves out what is empty.
            return Ok(());
        }
        encoder.encode_tag(self.tag())?;
        encoder.encode_varint32(self.len)
    }

    fn compute_fields_size(&self) -> usize {
        if self.len == 0 {
            return 0;
        }
        micropb::size::sizeof_tag(self.tag()) + micropb::size::sizeof_varint32(self.len) + self.len as usize
    }
}

impl FieldDecode for Octets {
    fn decode_field<R: PbRead>(&mut self, tag: Tag, decoder: &mut PbDecoder<R>) -> Result<bool, DecodeError<R::Error>> {
        if tag.wire_type() != micropb::WIRE_TYPE_LEN {
            return Err(DecodeError::WrongWireType);
        }
        let len = decoder.decode_varint32()?;
        decoder.skip_bytes(len as usize)?;
        *self = Self { field: tag.field_num() as u8, len };
        Ok(true)
    }
}
