//! Counters of a station: all that it has done, in numbers.

use super::sending::What;
use crate::trace::TxFailure;

/// Totals of one sending station. MPDUs of its data only; PPDUs of everything it sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// PPDUs, also those that collided.
    pub ppdus: u64,
    /// Transmissions among them that were an RTS.
    pub rts: u64,
    /// PPDUs that collided with another station's.
    pub collisions: u64,
    /// PPDUs that no response followed, without those that collided.
    pub unanswered: u64,
    /// Responses that did not arrive.
    pub responses_lost: u64,
    /// Responses among them that arrived damaged; the others were missed.
    pub responses_damaged: u64,
    /// MPDUs, counted at each transmission.
    pub mpdus: u64,
    /// MPDUs that arrived for the first time.
    pub delivered: u64,
    /// Octets of those.
    pub delivered_octets: u64,
    /// MPDUs that arrived again.
    pub duplicates: u64,
    /// MPDUs that did not arrive.
    pub lost: u64,
    /// MPDUs among them whose PPDU was missed; the others were damaged.
    pub missed: u64,
    /// MSDUs lost: given up after too many failures.
    pub given_up: u64,
    /// MSDUs lost: given up because they were too old.
    pub expired: u64,
    /// MSDUs given up for either reason that had arrived: only their responses were lost.
    pub unheard: u64,
    /// Frames of the cell's own traffic that found the buffers full: MSDUs, probe requests and their answers.
    pub overflowed: u64,
    /// Block Ack requests.
    pub requests: u64,
    /// PPDUs that were narrowed to 20 MHz, and accesses put off, for the secondary channel's sake.
    pub narrowed: u64,
}

impl Counters {
    /// A PPDU starts: `what`, or the RTS in front of it.
    pub(super) fn sent(&mut self, what: What, rts: bool) {
        self.ppdus += 1;
        match what {
            _ if rts => self.rts += 1,
            What::Data { sent, .. } => self.mpdus += u64::from(sent.count_ones()),
            What::Request { .. } | What::Single { .. } => {}
        }
    }

    /// So many MSDUs are settled: acknowledged, or given up.
    pub(super) fn settled(&mut self, failure: Option<TxFailure>, msdus: u16) {
        match failure {
            None => {}
            Some(TxFailure::Retries) => self.given_up += u64::from(msdus),
            Some(TxFailure::Lifetime) => self.expired += u64::from(msdus),
            Some(TxFailure::Unheard) => self.unheard += u64::from(msdus),
        }
    }
}
