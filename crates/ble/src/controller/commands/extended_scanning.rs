//! Commands of extended scanning and initiating. Core 6.0, Vol 4, Part E, 7.8.64 to 7.8.66.

use airtime_core::Duration;

use super::scanning::windows;
use super::{Answer, Call, need};
use crate::controller::Controller;
use crate::controller::connecting::Initiator;
use crate::hci::Status;
use crate::ll::address::DeviceAddress;
use crate::ll::control::{PHY_1M, PHY_2M, PHY_CODED};
use crate::ll::procedure::timing;
use crate::ll::scanning::{Duplicates, Filter, OnPhy, Scanner, Setup};

/// One unit of scan durations, and of periods.
const UNIT_10_MS: Duration = Duration::from_millis(10);
const UNIT_1_28_S: Duration = Duration::from_millis(1_280);

impl Controller {
    pub(super) fn extended_scan_parameters(&mut self, call: &mut Call<'_>) -> Answer {
        if self.scanner.is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let own = call.own_address()?;
        let (policy, phys) = (need(call.r.u8())?, need(call.r.u8())?);
        if policy > 3 {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.check_phys(phys, PHY_1M | PHY_CODED)?;
        let mut on_phy = |bit| -> Result<Option<OnPhy>, Status> {
            if phys & bit == 0 {
                return Ok(None);
            }
            let active = need(call.r.u8().filter(|active| *active <= 1))? == 1;
            Ok(Some(OnPhy { windows: need(windows(&mut call.r))?, active }))
        };
        let (on_1m, on_coded) = (on_phy(PHY_1M)?, on_phy(PHY_CODED)?);
        call.end()?;
        let filter = Filter::from_hci(policy);
        self.settings.scan = Setup {
            on_1m,
            on_coded,
            duplicates: Duplicates::Reported,
            own,
            filter,
            extended: true,
            duration: None,
            period: None,
        };
        Ok(())
    }

    /// PHY bits must be some of `allowed`, and such that the controller has.
    fn check_phys(&self, phys: u8, allowed: u8) -> Answer {
        if phys == 0 || phys & !(PHY_1M | PHY_2M | PHY_CODED) != 0 {
            return Err(Status::INVALID_PARAMETERS);
        }
        let own = crate::ll::procedure::supported_phys(&self.personality);
        if phys & !(allowed & own) != 0 { Err(Status::UNSUPPORTED_FEATURE) } else { Ok(()) }
    }

    pub(super) fn extended_scan_enable(&mut self, call: &mut Call<'_>) -> Answer {
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
            ..self.settings.scan
        };
        self.scan(call.now, (enable == 1).then_some(setup))
    }

    pub(super) fn extended_create_connection(&mut self, call: &mut Call<'_>) -> Answer {
        let by_list = need(call.r.u8())?;
        let own = call.own_address()?;
        let (kind, octets) = (need(call.r.u8())?, need(call.r.array())?);
        let phys = need(call.r.u8())?;
        self.check_phys(phys, PHY_1M | PHY_2M | PHY_CODED)?;
        if phys & (PHY_1M | PHY_CODED) == 0 {
            return Err(Status::INVALID_PARAMETERS);
        }
        let mut timings = [None; 3];
        let mut scans = [None; 3];
        for (index, bit) in [PHY_1M, PHY_2M, PHY_CODED].into_iter().enumerate() {
            if phys & bit == 0 {
                continue;
            }
            // Hosts leave anything in the scan windows of 2M, which has no primary channels.
            let on_2m = bit == PHY_2M;
            let scan = if on_2m { call.r.take(4).map(|_| None) } else { windows(&mut call.r).map(Some) };
            scans[index] = need(scan)?.map(|windows| OnPhy { windows, active: false });
            let asked = need(self.link_parameters(&mut call.r))?;
            timings[index] = Some(timing(asked.interval_max, asked.latency, asked.timeout));
        }
        call.end()?;
        let peer = match by_list {
            0 => Some(need(DeviceAddress::from_hci(kind, octets))?),
            1 => None,
            _ => return Err(Status::INVALID_PARAMETERS),
        };
        self.may_initiate(peer, own)?;
        let [on_1m, _, on_coded] = scans;
        let setup = Setup {
            on_1m,
            on_coded,
            duplicates: Duplicates::Reported,
            own,
            filter: Filter::default(),
            extended: true,
            duration: None,
            period: None,
        };
        let scanner = Scanner::new(setup, call.now);
        self.initiator = Some(Initiator { scanner, peer, own, timings, asked: None });
        Ok(())
    }
}
