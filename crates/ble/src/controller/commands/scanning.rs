//! Scanning, by commands of either generation. Core 6.0, Vol 4, Part E, 7.8.10, 7.8.11, 7.8.64 and 7.8.65.

use airtime_core::bytes::Reader;
use airtime_core::{Duration, Instant};

use super::advertising::UNIT_625_US;
use super::effect::Effect;
use super::{Answer, Call, need};
use crate::controller::Holder;
use crate::hci::Status;
use crate::ll::address::OwnAddress;
use crate::ll::control::{PHY_1M, PHY_2M, PHY_CODED};
use crate::ll::procedure::supported_phys;
use crate::ll::scanning::{Duplicates, Filter, OnPhy, Scanner, Setup, Windows};
use crate::personality;

/// Scan interval and window after a reset. Core 6.0, Vol 4, Part E, 7.8.10.
const SCAN_WINDOWS: Windows = Windows { interval: Duration::from_millis(10), window: Duration::from_millis(10) };
/// One unit of scan durations, and of periods.
const UNIT_10_MS: Duration = Duration::from_millis(10);
const UNIT_1_28_S: Duration = Duration::from_millis(1_280);

/// Scanning of one controller: what the host has set up, and the scanner at work.
#[derive(Debug)]
pub struct Scanning {
    setup: Setup,
    scanner: Option<Scanner>,
}

impl Default for Scanning {
    fn default() -> Self {
        let setup = Setup::legacy(SCAN_WINDOWS, false, OwnAddress::Public, Filter::default());
        Self { setup, scanner: None }
    }
}

impl Scanning {
    /// The scanner at work.
    pub fn scanner(&self) -> Option<&Scanner> {
        self.scanner.as_ref()
    }

    /// The scanner at work, which hears and listens.
    pub fn scanner_mut(&mut self) -> Option<&mut Scanner> {
        self.scanner.as_mut()
    }

    /// True while something scans.
    pub fn is_on(&self) -> bool {
        self.scanner.is_some()
    }

    /// Instant at which the scan is over by itself.
    pub fn ends(&self) -> Instant {
        self.scanner.as_ref().map_or(Instant::FAR_FUTURE, Scanner::ends)
    }

    /// Ends the scan.
    pub fn stop(&mut self) {
        self.scanner = None;
    }
}

/// Scanning as the host's commands meet it.
pub(super) struct Commands<'a> {
    scanning: &'a mut Scanning,
    personality: &'a personality::Controller,
    has_random: bool,
}

impl<'a> Commands<'a> {
    /// Commands on `scanning` of a controller that can do what `personality` says; `has_random` once the host has set a
    /// random address.
    pub fn new(scanning: &'a mut Scanning, personality: &'a personality::Controller, has_random: bool) -> Self {
        Self { scanning, personality, has_random }
    }

    pub fn set_parameters(&mut self, call: &mut Call<'_>) -> Answer {
        self.check_idle()?;
        let active = need(call.r.u8())?;
        let windows = need(windows(&mut call.r))?;
        let own = call.own_address()?;
        let policy = need(call.r.u8())?;
        call.end()?;
        if active > 1 || policy > 3 {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.scanning.setup = Setup::legacy(windows, active == 1, own, Filter::from_hci(policy));
        Ok(())
    }

    pub fn enable(&mut self, call: &mut Call<'_>) -> Answer {
        let (enable, duplicates) = (need(call.r.u8())?, need(call.r.u8())?);
        call.end()?;
        if enable > 1 || duplicates > 1 {
            return Err(Status::INVALID_PARAMETERS);
        }
        let duplicates = if duplicates == 1 { Duplicates::Filtered } else { Duplicates::Reported };
        let setup = Setup { duplicates, ..self.scanning.setup };
        self.scan(call, (enable == 1).then_some(setup))
    }

    pub fn set_extended_parameters(&mut self, call: &mut Call<'_>) -> Answer {
        self.check_idle()?;
        let own = call.own_address()?;
        let (policy, phys) = (need(call.r.u8())?, need(call.r.u8())?);
        if policy > 3 {
            return Err(Status::INVALID_PARAMETERS);
        }
        check_phys(self.personality, phys, PHY_1M | PHY_CODED)?;
        let mut on_phy = |bit| -> Result<Option<OnPhy>, Status> {
            if phys & bit == 0 {
                return Ok(None);
            }
            let active = need(call.r.u8().filter(|active| *active <= 1))? == 1;
            Ok(Some(OnPhy { windows: need(windows(&mut call.r))?, active }))
        };
        let (on_1m, on_coded) = (on_phy(PHY_1M)?, on_phy(PHY_CODED)?);
        call.end()?;
        self.scanning.setup = Setup::extended(on_1m, on_coded, own, Filter::from_hci(policy));
        Ok(())
    }

    pub fn enable_extended(&mut self, call: &mut Call<'_>) -> Answer {
        let (enable, duplicates) = (need(call.r.u8())?, need(call.r.u8())?);
        let (duration, period) = (need(call.r.u16())?, need(call.r.u16())?);
        call.end()?;
        let duplicates = match duplicates {
            0 => Duplicates::Reported,
            1 => Duplicates::Filtered,
            2 if duration > 0 && period > 0 => Duplicates::FilteredPerPeriod,
            _ => return Err(Status::INVALID_PARAMETERS),
        };
        let (duration, period) = (UNIT_10_MS * u64::from(duration), UNIT_1_28_S * u64::from(period));
        let too_long = !duration.is_zero() && !period.is_zero() && duration >= period;
        if enable > 1 || too_long {
            return Err(Status::INVALID_PARAMETERS);
        }
        // Without a duration the scan goes on, whatever the period.
        let limited = !duration.is_zero();
        let setup = Setup {
            duplicates,
            extended: true,
            duration: limited.then_some(duration),
            period: (limited && !period.is_zero()).then_some(period),
            ..self.scanning.setup
        };
        self.scan(call, (enable == 1).then_some(setup))
    }

    /// Begins to scan, anew if need be, or stops.
    fn scan(&mut self, call: &mut Call<'_>, setup: Option<Setup>) -> Answer {
        if setup.is_some_and(|setup| setup.own.falls_back_to_random()) && !self.has_random {
            return Err(Status::INVALID_PARAMETERS);
        }
        call.ahead = Some(Effect::Release(Holder::Scanner));
        self.scanning.scanner = setup.map(|setup| Scanner::new(setup, call.now));
        Ok(())
    }

    fn check_idle(&self) -> Answer {
        if self.scanning.is_on() { Err(Status::COMMAND_DISALLOWED) } else { Ok(()) }
    }
}

/// PHY bits must be some of `allowed`, and such that the controller has.
pub(super) fn check_phys(personality: &personality::Controller, phys: u8, allowed: u8) -> Answer {
    if phys == 0 || phys & !(PHY_1M | PHY_2M | PHY_CODED) != 0 {
        return Err(Status::INVALID_PARAMETERS);
    }
    let own = supported_phys(personality);
    if phys & !(allowed & own) != 0 { Err(Status::UNSUPPORTED_FEATURE) } else { Ok(()) }
}

/// Interval and window of scanning or initiating: 2.5 ms to 10.24 s, the window no longer than the interval.
pub(super) fn windows(r: &mut Reader<'_>) -> Option<Windows> {
    let (interval, window) = (r.u16()?, r.u16()?);
    let range = 4..=0x4000;
    (range.contains(&interval) && range.contains(&window) && window <= interval)
        .then(|| Windows { interval: UNIT_625_US * u64::from(interval), window: UNIT_625_US * u64::from(window) })
}
