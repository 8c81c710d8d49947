//! Commands of legacy scanning. Core 6.0, Vol 4, Part E, 7.8.10 and 7.8.11.

use airtime_core::bytes::Reader;

use super::advertising::UNIT_625_US;
use super::{Answer, Call, need};
use crate::controller::{Controller, Holder};
use crate::hci::Status;
use crate::ll::scanning::{Filter, Scanner, Setup, Windows};

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
        let filter = Filter::from_hci(policy);
        self.settings.scan = Setup { windows, active: active == 1, filter_duplicates: false, own, filter };
        Ok(())
    }

    pub(super) fn scan_enable(&mut self, call: &mut Call<'_>) -> Answer {
        let (enable, duplicates) = (need(call.r.u8())?, need(call.r.u8())?);
        call.end()?;
        if enable > 1 || duplicates > 1 {
            return Err(Status::INVALID_PARAMETERS);
        }
        let setup = Setup { filter_duplicates: duplicates == 1, ..self.settings.scan };
        if enable == 1 && setup.own.falls_back_to_random() {
            need(self.identities.random)?;
        }
        if self.holder == Holder::Scanner {
            self.out.listen(None);
            self.holder = Holder::Nobody;
        }
        self.scanner = (enable == 1).then(|| Scanner::new(setup, call.now));
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
