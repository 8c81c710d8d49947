//! Responses of the server to the calls of a transfer.

use crate::message::{Field, FieldReader, NoMessage};
use crate::{CallError, Status};

/// A response on its way in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Response {
    reader: FieldReader,
    /// Octets that the server has of an upload.
    pub offset: u32,
    /// Check of the octets that it has, or of the whole object.
    pub crc: u32,
    /// The octets that come are those of the object.
    data: bool,
}

impl Response {
    /// Takes a piece: octets of the object go to `each`, who says whether they are welcome.
    pub fn push(&mut self, octets: &[u8], mut each: impl FnMut(&[u8]) -> bool) -> Result<(), NoMessage> {
        let Self { reader, offset, crc, data } = self;
        let mut welcome = true;
        reader.push(octets, |field| match field {
            Field::Integer { field: 1, value } => *offset = value,
            Field::Integer { field: 2, value } => *crc = value,
            Field::Integer { .. } => {}
            Field::Begin { field, .. } => *data = field == 1,
            Field::Octets(octets) if *data => welcome &= each(octets),
            Field::Octets(_) => {}
        })?;
        if welcome { Ok(()) } else { Err(NoMessage) }
    }

    /// True if the message may end where it is.
    pub fn may_end(&self) -> bool {
        self.reader.may_end()
    }
}

/// Tells if a call that ended so may go well the next time.
pub(super) fn is_passing(error: CallError) -> bool {
    match error {
        CallError::Lost | CallError::Timeout => true,
        CallError::Refused(status) => {
            matches!(status, Status::Busy | Status::Cancelled | Status::Deadline | Status::Lost)
        }
        CallError::Malformed => false,
    }
}
