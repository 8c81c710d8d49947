//! Outputs of a cell, in order.

use alloc::collections::VecDeque;

use airtime_core::Packet;

use super::{CellOutput, StationId};
use crate::mac::Msdus;
use crate::trace::{OnAir, TxFailure};
use crate::wire::RxInfo;

/// Kind of the next output. MSDUs and all that is large wait in queues of their own; of the same kind several are one
/// note.
#[derive(Clone, Copy, Debug)]
enum Note {
    Delivered { count: u32 },
    Done { station: StationId, failure: Option<TxFailure>, count: u32 },
    OnAir,
    Heard,
}

/// An MSDU, who sent it, and whose it is.
#[derive(Debug)]
struct Msdu {
    octets: Packet,
    from: StationId,
    to: StationId,
}

/// Outputs that wait to be polled.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    notes: VecDeque<Note>,
    delivered: VecDeque<Msdu>,
    on_air: VecDeque<OnAir>,
    heard: VecDeque<(StationId, Packet, RxInfo)>,
}

impl Outbox {
    pub(super) fn delivered(&mut self, from: StationId, to: StationId, octets: Packet) {
        self.delivered.push_back(Msdu { octets, from, to });
        match self.notes.back_mut() {
            Some(Note::Delivered { count }) => *count += 1,
            _ => self.notes.push_back(Note::Delivered { count: 1 }),
        }
    }

    pub(super) fn done(&mut self, station: StationId, failure: Option<TxFailure>, buffers: u32) {
        match self.notes.back_mut() {
            Some(Note::Done { station: last, failure: same, count }) if (*last, *same) == (station, failure) => {
                *count += buffers;
            }
            _ => self.notes.push_back(Note::Done { station, failure, count: buffers }),
        }
    }

    /// Every MSDU of an MPDU is delivered.
    pub(super) fn delivered_all(&mut self, from: StationId, to: StationId, msdus: Msdus) {
        self.delivered(from, to, msdus.first);
        msdus.more.into_iter().for_each(|msdu| self.delivered(from, to, msdu));
    }

    pub(super) fn on_air(&mut self, on_air: OnAir) {
        self.notes.push_back(Note::OnAir);
        self.on_air.push_back(on_air);
    }

    pub(super) fn heard(&mut self, station: StationId, frame: Packet, info: RxInfo) {
        self.notes.push_back(Note::Heard);
        self.heard.push_back((station, frame, info));
    }

    pub(super) fn pop(&mut self) -> Option<CellOutput> {
        // Early returns keep the frequent small outputs away from the code that moves the large ones.
        match self.notes.front_mut()? {
            Note::Delivered { count } => {
                *count -= 1;
                if *count == 0 {
                    self.notes.pop_front();
                }
                let Msdu { octets, from, to } = self.delivered.pop_front()?;
                return Some(CellOutput::Delivered { from, to, msdu: octets });
            }
            Note::Done { station, failure, count } => {
                let done = CellOutput::Done { station: *station, failure: *failure, buffers: *count };
                self.notes.pop_front();
                return Some(done);
            }
            Note::OnAir | Note::Heard => {}
        }
        self.pop_large()
    }

    #[inline(never)]
    fn pop_large(&mut self) -> Option<CellOutput> {
        if let Note::OnAir = self.notes.pop_front()? {
            return self.on_air.pop_front().map(CellOutput::OnAir);
        }
        let (station, frame, info) = self.heard.pop_front()?;
        Some(CellOutput::Heard { station, frame, info })
    }
}
