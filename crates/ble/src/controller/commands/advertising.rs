//! Commands of advertising, scanning and initiating.

use airtime_core::bytes::Reader;
use airtime_core::{Duration, Instant};

use super::{Answer, need};
use crate::controller::connecting::Initiator;
use crate::controller::{Controller, Holder};
use crate::hci::{Status, event};
use crate::host::Address;
use crate::ll::advertising::Advertiser;
use crate::ll::pdu::AdvertisingType;
use crate::ll::procedure::timing;
use crate::ll::scanning::{Scanner, Windows};

/// One unit of advertising and scan intervals.
const UNIT_625_US: Duration = Duration::from_micros(625);

/// A length octet and 31 octets of data, of which that many count.
pub(super) fn data31<'a>(r: &mut Reader<'a>) -> Result<&'a [u8], Status> {
    let len = usize::from(need(r.u8())?);
    let data = need(r.take(31))?;
    data.get(..len).ok_or(Status::INVALID_PARAMETERS)
}

impl Controller {
    pub(super) fn own_address(&self, random: bool) -> Result<Address, Status> {
        if random { self.settings.random_address.ok_or(Status::INVALID_PARAMETERS) } else { Ok(self.address) }
    }

    pub(super) fn advertising_parameters(&mut self, r: &mut Reader<'_>) -> Answer {
        if self.advertiser.is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let (min, max) = (need(r.u16())?, need(r.u16())?);
        let kind = match need(r.u8())? {
            0 => AdvertisingType::AdvInd,
            2 => AdvertisingType::AdvScanInd,
            3 => AdvertisingType::AdvNonconnInd,
            1 | 4 => return Err(Status::UNSUPPORTED_FEATURE),
            _ => return Err(Status::INVALID_PARAMETERS),
        };
        let own_type = need(r.u8())?;
        need(r.take(7))?;
        let channels = need(r.u8())?;
        let policy = need(r.u8())?;
        let good = (0x20..=0x4000).contains(&min) && min <= max && max <= 0x4000;
        if !good || own_type > 3 || channels & 0b111 == 0 || policy > 3 {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.settings.advertise_random = own_type & 1 == 1;
        self.settings.advertising.interval = UNIT_625_US * u64::from(max);
        self.settings.advertising.kind = kind;
        self.settings.advertising.channels = channels & 0b111;
        Ok(())
    }

    pub(super) fn advertising_enable(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
        match need(r.u8())? {
            0 => {
                if self.holder == Holder::Advertiser {
                    self.out.listen(None);
                    self.holder = Holder::Nobody;
                }
                self.advertiser = None;
            }
            1 => {
                let address = self.own_address(self.settings.advertise_random)?;
                self.settings.advertising.address = address;
                let delay = self.chance.clone();
                self.advertiser.get_or_insert_with(|| Advertiser::new(self.settings.advertising.clone(), delay, now));
            }
            _ => return Err(Status::INVALID_PARAMETERS),
        }
        Ok(())
    }

    pub(super) fn scan_parameters(&mut self, r: &mut Reader<'_>) -> Answer {
        if self.scanner.is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let active = need(r.u8())?;
        let windows = need(windows(r))?;
        let own_type = need(r.u8())?;
        let policy = need(r.u8())?;
        if active > 1 || own_type > 3 || policy > 3 {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.settings.scan = windows;
        self.settings.scan_active = active == 1;
        Ok(())
    }

    pub(super) fn scan_enable(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
        let (enable, filter) = (need(r.u8())?, need(r.u8())?);
        if enable > 1 || filter > 1 {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.holder == Holder::Scanner {
            self.out.listen(None);
            self.holder = Holder::Nobody;
        }
        let s = &self.settings;
        let scanner = || Scanner::new(s.scan, s.scan_active, filter == 1, self.address, now);
        self.scanner = (enable == 1).then(scanner);
        Ok(())
    }

    pub(super) fn create_connection(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
        let windows = need(windows(r))?;
        let _policy = need(r.u8())?;
        let _peer_type = need(r.u8())?;
        let peer: Address = need(r.array())?;
        let own_type = need(r.u8())?;
        let asked = need(self.link_parameters(r))?;
        if !r.is_empty() {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.initiator.is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        if self.connections.iter().flatten().any(|c| c.peer == peer) {
            return Err(Status::ALREADY_CONNECTED);
        }
        if self.free_slot().is_none() {
            return Err(Status::CONNECTION_LIMIT);
        }
        let own = self.own_address(own_type & 1 == 1)?;
        let scanner = Scanner::new(windows, false, false, own, now);
        let timing = timing(asked.interval_max, asked.latency, asked.timeout);
        self.initiator = Some(Initiator { scanner, peer, own, timing });
        Ok(())
    }

    pub(super) fn cancel_connection(&mut self) -> Answer {
        if self.holder == Holder::Initiator {
            self.out.listen(None);
            self.holder = Holder::Nobody;
        }
        self.initiator.take().map(|_| ()).ok_or(Status::COMMAND_DISALLOWED)
    }

    /// A cancelled attempt ends with a Connection Complete that says so. Core 6.0, Vol 4, Part E, 7.8.13.
    pub(super) fn report_cancelled(&mut self) {
        let mut packet = event::le_event(self.out.pool(), event::LE_CONNECTION_COMPLETE);
        packet.put_u8(Status::UNKNOWN_CONNECTION.0);
        packet.put(&[0; 17]);
        self.out.le_event(event::finish(packet));
    }
}

/// Interval and window of scanning or initiating: 2.5 ms to 10.24 s, the window no longer than the interval.
fn windows(r: &mut Reader<'_>) -> Option<Windows> {
    let (interval, window) = (r.u16()?, r.u16()?);
    let range = 4..=0x4000;
    (range.contains(&interval) && range.contains(&window) && window <= interval)
        .then(|| Windows { interval: UNIT_625_US * u64::from(interval), window: UNIT_625_US * u64::from(window) })
}
