//! Fates of the payload that came by air: it arrives at its application, or is dropped on the way there.

use airtime_core::transit::Transit;
use airtime_core::{Duration, Instant, Ledger};

use super::{Account, Direction};
use crate::hosted::coprocessor::CoprocessorDrop;
use crate::hosted::host::HostDrop;
use crate::trace::{DropPoint, Mpdu};

/// Payload that is under way, up and down.
#[derive(Clone, Debug)]
pub(super) struct Fates {
    /// The fastest rate, 10³ bit/s: what payload is counted at.
    best: u32,
    transits: [Transit<Account>; 2],
    /// Octets of the last frame with payload, and of the payload in it.
    last: [(u32, u32); 2],
}

impl Fates {
    pub(super) fn new(best: u32) -> Self {
        let transits =
            [Account::PayloadUp, Account::PayloadDown].map(|payload| Transit::new(Account::Undelivered, payload));
        Self { best: best.max(1), transits, last: [(0, 0); 2] }
    }

    /// Air of so many octets at the fastest rate.
    fn air(&self, octets: u64) -> Duration {
        Duration::from_nanos(octets * 8_000_000 / u64::from(self.best))
    }

    /// Books a payload of `octets` on the air up to `until`.
    pub(super) fn aired(&mut self, ledger: &mut Ledger<Account>, direction: usize, octets: u64, until: Instant) {
        let fast = ledger.cursor() + self.air(octets);
        self.transits[direction].aired(ledger, fast.min(until));
        ledger.book(Account::SlowRate, until);
    }

    /// Payload was in such an MPDU.
    pub(super) fn carried_by(&mut self, direction: usize, mpdu: &Mpdu) {
        // Of an A-MSDU all MSDUs are taken to be alike.
        let each = |octets: u16| u32::from(octets / mpdu.msdus.max(1));
        self.last[direction] = (each(mpdu.msdu), each(mpdu.payload));
    }

    pub(super) fn came(&mut self, ledger: &mut Ledger<Account>, direction: usize, octets: u64) {
        let span = self.air(octets);
        self.transits[direction].arrived(ledger, span);
    }

    pub(super) fn ended(&mut self, ledger: &mut Ledger<Account>, direction: usize, account: Account, octets: u64) {
        let span = self.air(octets);
        self.transits[direction].ended(ledger, account, span);
    }

    /// A frame, or the packet in it, was dropped: if that was behind the air, its payload has come to its end.
    pub(super) fn dropped(&mut self, ledger: &mut Ledger<Account>, booked: Direction, at: DropPoint, octets: u32) {
        let Some(direction) = behind_the_air(at, booked) else { return };
        let (frame, payload) = self.last[direction];
        // Headers of the bus come and go; those of IP stay with the payload.
        let octets = octets.saturating_sub(frame.saturating_sub(payload)).min(payload);
        self.ended(ledger, direction, Account::Dropped, octets.into());
    }

    pub(super) fn begin(&mut self) {
        self.transits.iter_mut().for_each(Transit::begin);
    }
}

/// Direction of what is dropped here, if it came by air.
fn behind_the_air(at: DropPoint, booked: Direction) -> Option<usize> {
    use HostDrop::{Down, Interface, Pool, RxBurst, RxChecksum, RxFailed, RxInvalid};
    match at {
        // The wired hop has a queue of this name at either end; the one towards the access point is in front of the air.
        DropPoint::PathQueue if booked == Direction::Up => Some(0),
        DropPoint::WifiRx | DropPoint::WifiReset => Some(1),
        DropPoint::Host(RxBurst | RxFailed | RxInvalid | RxChecksum | Pool | Interface | Down) => Some(1),
        DropPoint::Coprocessor(CoprocessorDrop::Reset) => Some(1),
        _ => None,
    }
}
