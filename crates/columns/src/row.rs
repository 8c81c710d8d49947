//! Rows as they are handed over.

use airtime_lab::{Document, Record};

/// A record, with what is known around it.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Name of the plan.
    pub plan: &'a str,
    /// Version of the program that has made the record.
    pub version: &'a str,
    /// Digest of everything that the record depends on, as run folders have it, where that is known.
    pub digest: Option<&'a str>,
    /// The record.
    pub record: &'a Record,
}

impl<'a> Row<'a> {
    /// Row of a `record` of `document`.
    pub fn of<R>(document: &'a Document<R>, record: &'a Record) -> Self {
        Self { plan: &document.plan, version: &document.airtime, digest: None, record }
    }
}
