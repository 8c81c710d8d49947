//! Large objects on their way in, which go on where they stopped.

use super::{Crc32, Flash};
use crate::message::{BulkWriteRequest, Field, FieldReader, Octets};
use crate::{CallId, Status};

/// The object that was written last, however far it came. It outlives calls and connections.
#[derive(Debug, Default)]
pub(super) struct Upload {
    address: u32,
    length: u32,
    have: u32,
    crc: Crc32,
    /// The call that writes now.
    writer: Option<CallId>,
}

/// A `bulk_write` under way.
#[derive(Debug, Default)]
pub(super) struct BulkWrite {
    reader: FieldReader,
    request: BulkWriteRequest,
    /// The octets that come are those of the object.
    writes: bool,
}

impl Upload {
    /// Octets of this object that are there, and their check.
    pub fn status(&self, address: u32, length: u32) -> (u32, u32) {
        if (self.address, self.length) == (address, length) {
            (self.have, self.crc.value())
        } else {
            (0, Crc32::new().value())
        }
    }

    /// The call is over.
    pub fn leave(&mut self, call: CallId) {
        if self.writer == Some(call) {
            self.writer = None;
        }
    }

    /// Begins a write if `octets` of an object may follow those that are there.
    fn begin(&mut self, call: CallId, request: &BulkWriteRequest, octets: u32, flash: u32) -> Result<(), Status> {
        let BulkWriteRequest { address, length, offset, .. } = *request;
        let fits = address.checked_add(length).is_some_and(|end| end <= flash);
        let follows = offset == 0 || offset == self.status(address, length).0;
        if !fits || !follows || octets > length - offset.min(length) {
            return Err(Status::BadArgument);
        }
        if self.writer.is_some_and(|writer| writer != call) {
            return Err(Status::Busy);
        }
        if offset == 0 {
            *self = Self { address, length, ..Self::default() };
        }
        self.writer = Some(call);
        Ok(())
    }

    fn write(&mut self, octets: &[u8], flash: &mut impl Flash) {
        flash.write(self.address + self.have, octets);
        self.crc.update(octets);
        self.have += octets.len() as u32;
    }
}

impl BulkWrite {
    /// Takes a piece of the request: what belongs to the object is written.
    pub fn push(
        &mut self,
        call: CallId,
        octets: &[u8],
        upload: &mut Upload,
        flash: &mut impl Flash,
    ) -> Result<(), Status> {
        let mut result = Ok(());
        let Self { reader, request, writes } = self;
        let read = reader.push(octets, |field| {
            if result.is_ok() {
                result = take(call, field, request, writes, upload, flash);
            }
        });
        read.map_err(|_| Status::BadArgument)?;
        result
    }

    /// The request, when all of it has come.
    pub fn finish(&self) -> Result<BulkWriteRequest, Status> {
        if self.reader.may_end() { Ok(self.request.clone()) } else { Err(Status::BadArgument) }
    }
}

/// Takes a field, or a piece of the octets.
fn take(
    call: CallId,
    field: Field<'_>,
    request: &mut BulkWriteRequest,
    writes: &mut bool,
    upload: &mut Upload,
    flash: &mut impl Flash,
) -> Result<(), Status> {
    match field {
        // What was said before the octets cannot be taken back.
        Field::Integer { field: 1..=3, .. } | Field::Begin { field: 4, .. } if request.data.field != 0 => {
            Err(Status::BadArgument)
        }
        Field::Integer { field, value } => {
            match field {
                1 => request.address = value,
                2 => request.length = value,
                3 => request.offset = value,
                _ => {}
            }
            Ok(())
        }
        Field::Begin { field: 4, len } => {
            upload.begin(call, request, len, flash.len())?;
            request.data = Octets::new(4, len);
            *writes = true;
            Ok(())
        }
        Field::Begin { .. } => {
            *writes = false;
            Ok(())
        }
        Field::Octets(octets) => {
            if *writes {
                upload.write(octets, flash);
            }
            Ok(())
        }
    }
}
