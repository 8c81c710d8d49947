//! Requests on their way in.

use heapless::Vec;

use super::bulk::BulkWrite;
use crate::Status;
use crate::message::{DataWriteRequest, Field, FieldReader, MESSAGE_MAX, Octets};

/// State of a request message that comes in.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message that fits into memory.
    Message(Vec<u8, MESSAGE_MAX>),
    /// Octets that are counted.
    Data(DataReader),
    /// Octets that are written.
    Bulk(BulkWrite),
}

/// Counts the octets of a `data_write`.
#[derive(Debug, Default)]
pub(super) struct DataReader {
    reader: FieldReader,
    /// Within the field that counts, and not one that a later version may have.
    counts: bool,
    octets: u32,
}

impl DataReader {
    pub fn push(&mut self, octets: &[u8]) -> Result<(), Status> {
        let (counts, count) = (&mut self.counts, &mut self.octets);
        let read = self.reader.push(octets, |field| match field {
            Field::Begin { field, .. } => {
                *counts = field == 1;
                if *counts {
                    // Of a field that comes twice the last one holds.
                    *count = 0;
                }
            }
            Field::Octets(octets) if *counts => *count += octets.len() as u32,
            Field::Octets(_) | Field::Integer { .. } => {}
        });
        read.map_err(|_| Status::BadArgument)
    }

    pub fn finish(&self) -> Result<DataWriteRequest, Status> {
        if !self.reader.may_end() {
            return Err(Status::BadArgument);
        }
        Ok(DataWriteRequest { data: Octets::new(1, self.octets) })
    }
}
