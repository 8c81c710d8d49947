//! Messages that come in pieces, field by field.

use crate::message::NoMessage;

/// A field, or a piece of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// An integer field; the upper octets of one with more than 32 bits are left out, as protobuf has it for 32-bit fields.
    Integer {
        /// Number of the field.
        field: u32,
        /// Value of the field.
        value: u32,
    },
    /// A field of octets or text begins.
    Begin {
        /// Number of the field.
        field: u32,
        /// Length of the field in octets.
        len: u32,
    },
    /// The next octets of the field that began last.
    Octets(&'a [u8]),
}

/// Reads the fields of one message whose octets come in pieces of any size. Needs no memory for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldReader {
    at: At,
}

/// Place of a reader in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Within a tag, of which so much has come.
    Tag(Varint),
    /// Within a number of `field`.
    Integer { field: u32, so_far: Varint },
    /// Within a number of fixed size, of which `left` octets are missing.
    Fixed { field: u32, value: u64, have: u8, of: u8 },
    /// Within the length of `field`.
    Length { field: u32, so_far: Varint },
    /// Within octets, of which `left` are missing.
    Octets { left: u32 },
}

impl Default for At {
    fn default() -> Self {
        Self::Tag(Varint::default())
    }
}

impl FieldReader {
    /// Takes the next octets of the message and tells `each` of the fields in them.
    ///
    /// # Errors
    /// If this is no message; whoever reads gives up then.
    pub fn push<'a>(&mut self, octets: &'a [u8], mut each: impl FnMut(Field<'a>)) -> Result<(), NoMessage> {
        let mut rest = octets;
        while let Some((&octet, after)) = rest.split_first() {
            if let At::Octets { left } = self.at {
                let (now, later) = rest.split_at(rest.len().min(left as usize));
                each(Field::Octets(now));
                self.at = match left - now.len() as u32 {
                    0 => At::default(),
                    left => At::Octets { left },
                };
                rest = later;
                continue;
            }
            if let Some(field) = self.step(octet)? {
                each(field);
            }
            rest = after;
        }
        Ok(())
    }

    /// True if the message may end here: between two fields.
    pub fn may_end(&self) -> bool {
        self.at == At::default()
    }

    /// Takes one octet that is not within a field of octets.
    fn step(&mut self, octet: u8) -> Result<Option<Field<'static>>, NoMessage> {
        match &mut self.at {
            At::Tag(so_far) => {
                if let Some(tag) = so_far.push(octet)? {
                    self.at = after_tag(u32::try_from(tag).map_err(|_| NoMessage)?)?;
                }
            }
            At::Integer { field, so_far } => {
                let field = *field;
                if let Some(value) = so_far.push(octet)? {
                    self.at = At::default();
                    return Ok(Some(Field::Integer { field, value: value as u32 }));
                }
            }
            At::Fixed { field, value, have, of } => {
                *value |= u64::from(octet) << (8 * *have);
                *have += 1;
                if have == of {
                    let read = Field::Integer { field: *field, value: *value as u32 };
                    self.at = At::default();
                    return Ok(Some(read));
                }
            }
            At::Length { field, so_far } => {
                let field = *field;
                if let Some(len) = so_far.push(octet)? {
                    let len = u32::try_from(len).map_err(|_| NoMessage)?;
                    self.at = if len == 0 { At::default() } else { At::Octets { left: len } };
                    return Ok(Some(Field::Begin { field, len }));
                }
            }
            At::Octets { .. } => unreachable!("octets are taken in pieces"),
        }
        Ok(None)
    }
}

/// Place of the reader behind a tag. Groups have not been written since proto2.
fn after_tag(tag: u32) -> Result<At, NoMessage> {
    let field = tag >> 3;
    if field == 0 {
        return Err(NoMessage);
    }
    match tag & 7 {
        0 => Ok(At::Integer { field, so_far: Varint::default() }),
        1 => Ok(At::Fixed { field, value: 0, have: 0, of: 8 }),
        2 => Ok(At::Length { field, so_far: Varint::default() }),
        5 => Ok(At::Fixed { field, value: 0, have: 0, of: 4 }),
        _ => Err(NoMessage),
    }
}

/// A number of seven bits an octet, so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Varint {
    value: u64,
    octets: u8,
}

impl Varint {
    /// Takes an octet; the number, if it was the last one.
    fn push(&mut self, octet: u8) -> Result<Option<u64>, NoMessage> {
        // 64 bits take ten octets.
        if self.octets == 10 {
            return Err(NoMessage);
        }
        self.value |= u64::from(octet & 0x7f) << (7 * u32::from(self.octets)).min(63);
        self.octets += 1;
        Ok((octet & 0x80 == 0).then_some(self.value))
    }
}
