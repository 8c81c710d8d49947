//! Commands of legacy scanning. Core 6.0, Vol 4, Part E, 7.8.10 and 7.8.11.

use airtime_core::Instant;
use airtime_core::bytes::Reader;

use super::advertising::UNIT_625_US;
use super::{Answer, Call, need};
use crate::controller::{Controller, Holder};
use crate::hci::Status;
use crate::ll::scanning::{Duplicates, Filter, Scanner, Setup, Windows};

impl Controller {
    pub(super) fn scan_parameters(&mut self, call: &mut Call<'_>) -> Answer {
        if self.scanner.is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let active = need(call.r.u8())?;
        let windows = need(windows(&mut call.r))?;
        let own = call.own_address()?;
        let policy = need(call.r.u8())?;
        call.end()?;
        if active > 1 || policy > 3 {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.settings.scan = Setup::legacy(windows, active == 1, own, Filter::from_hci(policy));
        Ok(())
    }

    pub(super) fn scan_enable(&mut self, call: &mut Call<'_>) -> Answer {
        let (enable, duplicates) = (need(call.r.u8())?, need(call.r.u8())?);
        call.end()?;
        if enable > 1 || duplicates > 1 {
            return Err(Status::INVALID_PARAMETERS);
        }
        let duplicates = if duplicates == 1 { Duplicates::Filtered } else { Duplicates::Reported };
        let setup = Setup { duplicates, ..self.settings.scan };
        self.scan(call.now, (enable == 1).then_some(setup))
    }

    /// Begins to scan, anew if need be, or stops.
    pub(super) fn scan(&mut self, now: Instant, setup: Option<Setup>) -> Answer {
        if setup.is_some_and(|setup| setup.own.falls_back_to_random()) {
            need(self.identities.random)?;
        }
        if self.holder == Holder::Scanner {
            self.out.listen(None);
            self.holder = Holder::Nobody;
        }
        self.scanner = setup.map(|setup| Scanner::new(setup, now));
        Ok(())
    }
}

/// Interval and window of scanning or initiating: 2.5 ms to 10.24 s, the window no longer than the interval.
pub(super) fn windows(r: &mut Reader<'_>) -> Option<Windows> {
    let (interval, window) = (r.u16()?, r.u16()?);
    let range = 4..=0x4000;
    (range.contains(&interval) && range.contains(&window) && window <= interval)
        .then(|| Windows { interval: UNIT_625_US * u64::from(interval), window: UNIT_625_US * u64::from(window) })
}
