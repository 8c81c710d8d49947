//! Packets from chunks: any gap costs the packet it is in, and the next first chunk is a new start.

use super::intake::Entry;
use super::reports::Reports;
use super::stage::STAGE;
use crate::trace::DropPoint;

/// The packet that is being put together.
#[derive(Debug)]
pub(super) struct Reassembly {
    octets: [u8; STAGE],
    len: usize,
    open: bool,
    /// Octets thrown away since the place was lost.
    astray: u32,
}

impl Reassembly {
    pub(super) fn new() -> Self {
        Self { octets: [0; STAGE], len: 0, open: false, astray: 0 }
    }

    /// The next chunk or hole; octets of the packet, if it ends with this one.
    pub(super) fn add(&mut self, entry: &Entry, reports: &mut Reports) -> Option<usize> {
        let Some((header, body)) = entry.chunk() else {
            self.lose(DropPoint::Gap, reports);
            return None;
        };
        if header.first {
            self.lose(DropPoint::Gap, reports);
            if self.astray > 0 {
                reports.resynced(self.astray);
            }
            (self.open, self.len, self.astray) = (true, 0, 0);
        }
        if !self.open {
            self.astray += body.len() as u32;
            return None;
        }
        let to = self.len + body.len();
        let Some(room) = self.octets.get_mut(self.len..to) else {
            self.lose(DropPoint::Malformed, reports);
            return None;
        };
        room.copy_from_slice(body);
        self.len = to;
        if !header.last {
            return None;
        }
        self.open = false;
        Some(to)
    }

    /// The packet that has just ended, of so many octets.
    pub(super) fn octets(&mut self, len: usize) -> &mut [u8] {
        &mut self.octets[..len]
    }

    fn lose(&mut self, at: DropPoint, reports: &mut Reports) {
        if self.open {
            reports.dropped(at, self.len);
            self.astray += self.len as u32;
            self.open = false;
        }
    }
}
