//! Advertising, scanning and connecting. Core 6.0, Vol 3, Part C.

use alloc::vec::Vec;

use airtime_core::bytes::Reader;
use airtime_core::{Duration, Instant, Packet};

use super::commands::For;
use super::intervals::{INTERVAL_UNIT, TIMEOUT_UNIT, units};
use super::link::Link;
use super::{Address, Host, HostEvent, NO_CONNECTION, Profile, RPC_SERVICE_UUID, Refused, Role};
use crate::hci::{Status, opcode};

/// Octets of advertising or scan response data. Core 6.0, Vol 6, Part B, 2.3.1.
const ADV_DATA_OCTETS: usize = 31;

/// AD types. Core Specification Supplement, Part A, 1.
const FLAGS: u8 = 0x01;
const COMPLETE_UUIDS_128: u8 = 0x07;
const COMPLETE_LOCAL_NAME: u8 = 0x09;
const MANUFACTURER: u8 = 0xff;

/// Octets of a beacon's manufacturer specific data: what the flags leave of 31.
const BEACON_OCTETS: usize = ADV_DATA_OCTETS - 3 - 2;

/// LE General Discoverable Mode, BR/EDR not supported.
const LE_ONLY: u8 = 0x06;

/// Unit of advertising and scan intervals: 0.625 ms.
const ADV_UNIT: Duration = Duration::from_micros(625);

/// Scan interval and window, in 0.625 ms: 60 ms, scanning all the time.
const SCAN_UNITS: u16 = 96;

/// A scan under way.
#[derive(Debug)]
pub(super) struct Scan {
    name: Vec<u8>,
    except: Vec<Address>,
    pub(super) until: Instant,
}

impl Host {
    pub(super) fn advertise(&mut self, name: &str, interval: Duration) -> Result<(), Refused> {
        let name = name.as_bytes();
        if name.len() + 2 > ADV_DATA_OCTETS {
            return Err(Refused::TooLong);
        }
        let interval = units(interval, ADV_UNIT).filter(|units| (0x20..=0x4000).contains(units));
        let interval = interval.ok_or(Refused::OutOfRange)?;
        self.stop_advertising();
        self.local.name.clear();
        self.local.name.extend_from_slice(name);
        // Clients of the published protocol look for its service.
        let service: &[u8] = if self.config.profile == Profile::Rpc { &RPC_SERVICE_UUID } else { &[] };
        let structure = |data: &[u8]| if data.is_empty() { 0 } else { 2 + data.len() };
        let fits = 3 + structure(service) + structure(name) <= ADV_DATA_OCTETS;
        self.out.command(opcode::LE_SET_ADV_PARAMETERS, For::Nobody, |params| {
            params.put_u16(interval);
            params.put_u16(interval);
            // ADV_IND, public addresses, no peer, all three channels, everybody.
            params.put(&[0x00, 0x00, 0x00, 0, 0, 0, 0, 0, 0, 0x07, 0x00]);
        });
        self.out.command(opcode::LE_SET_ADV_DATA, For::Nobody, |params| {
            let name = if fits { name } else { &[] };
            ad_structures(params, &[(FLAGS, &[LE_ONLY]), (COMPLETE_UUIDS_128, service), (COMPLETE_LOCAL_NAME, name)]);
        });
        self.out.command(opcode::LE_SET_SCAN_RESPONSE_DATA, For::Nobody, |params| {
            ad_structures(params, &[(COMPLETE_LOCAL_NAME, if fits { &[] } else { name })]);
        });
        self.out.command(opcode::LE_SET_ADV_ENABLE, For::Nobody, |params| params.put_u8(1));
        self.advertising = true;
        Ok(())
    }

    /// Advertises ADV_NONCONN_IND with as much data as there may be, as beacons do.
    pub(super) fn broadcast(&mut self, interval: Duration) -> Result<(), Refused> {
        let interval = units(interval, ADV_UNIT).filter(|units| (0x20..=0x4000).contains(units));
        let interval = interval.ok_or(Refused::OutOfRange)?;
        self.stop_advertising();
        self.out.command(opcode::LE_SET_ADV_PARAMETERS, For::Nobody, |params| {
            params.put_u16(interval);
            params.put_u16(interval);
            params.put(&[0x03, 0x00, 0x00, 0, 0, 0, 0, 0, 0, 0x07, 0x00]);
        });
        self.out.command(opcode::LE_SET_ADV_DATA, For::Nobody, |params| {
            ad_structures(params, &[(FLAGS, &[LE_ONLY]), (MANUFACTURER, &[0xff; BEACON_OCTETS])]);
        });
        self.out.command(opcode::LE_SET_ADV_ENABLE, For::Nobody, |params| params.put_u8(1));
        self.advertising = true;
        Ok(())
    }

    /// Scans passively beside what else there is; what is heard is nobody's business.
    pub(super) fn observe(&mut self, interval: Duration, window: Duration) -> Result<(), Refused> {
        if self.scan.is_some() {
            return Err(Refused::Busy);
        }
        let allowed = |span| units(span, ADV_UNIT).filter(|units| (0x4..=0x4000).contains(units));
        let (interval, window) = allowed(interval).zip(allowed(window)).ok_or(Refused::OutOfRange)?;
        self.stop_observing();
        self.observing = true;
        self.out.command(opcode::LE_SET_SCAN_PARAMETERS, For::Nobody, |params| {
            params.put_u8(0);
            params.put_u16(interval);
            params.put_u16(window);
            params.put(&[0, 0]);
        });
        self.out.command(opcode::LE_SET_SCAN_ENABLE, For::Nobody, |params| params.put(&[1, 1]));
        Ok(())
    }

    pub(super) fn stop_advertising(&mut self) {
        if core::mem::take(&mut self.advertising) {
            self.out.command(opcode::LE_SET_ADV_ENABLE, For::Nobody, |params| params.put_u8(0));
        }
    }

    fn stop_observing(&mut self) {
        if core::mem::take(&mut self.observing) {
            self.out.command(opcode::LE_SET_SCAN_ENABLE, For::Nobody, |params| params.put(&[0, 0]));
        }
    }

    pub(super) fn scan(
        &mut self,
        now: Instant,
        name: &str,
        timeout: Duration,
        except: &[Address],
    ) -> Result<(), Refused> {
        if self.scan.is_some() {
            return Err(Refused::Busy);
        }
        self.stop_observing();
        self.scan = Some(Scan { name: name.as_bytes().to_vec(), except: except.to_vec(), until: now + timeout });
        self.out.command(opcode::LE_SET_SCAN_PARAMETERS, For::Nobody, |params| {
            params.put_u8(1);
            params.put_u16(SCAN_UNITS);
            params.put_u16(SCAN_UNITS);
            params.put(&[0, 0]);
        });
        self.out.command(opcode::LE_SET_SCAN_ENABLE, For::Nobody, |params| params.put(&[1, 0]));
        Ok(())
    }

    /// Ends the scan if its time is up.
    pub(super) fn check_scan(&mut self, now: Instant) {
        if self.scan.as_ref().is_some_and(|scan| scan.until <= now) {
            self.end_scan(HostEvent::ScanTimeout);
        }
    }

    fn end_scan(&mut self, event: HostEvent) {
        self.scan = None;
        self.out.command(opcode::LE_SET_SCAN_ENABLE, For::Nobody, |params| params.put(&[0, 0]));
        self.out.event(event);
    }

    /// LE Advertising Report. Core 6.0, Vol 4, Part E, 7.7.65.2.
    pub(super) fn on_advertising_report(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let reports = r.u8()?;
        for _ in 0..reports {
            let (_kind, address_type, peer): (u8, u8, Address) = (r.u8()?, r.u8()?, r.array()?);
            let octets = r.u8()?;
            let data = r.take(octets.into())?;
            let _rssi = r.u8()?;
            let Some(scan) = &self.scan else { return Some(()) };
            if local_name(data) == Some(&scan.name) && !scan.except.contains(&peer) {
                self.found = Some((peer, address_type));
                self.end_scan(HostEvent::Found { peer });
            }
        }
        Some(())
    }

    /// Gives up an attempt at a connection whose time is up. The controller says that it has come to nothing.
    pub(super) fn check_connecting(&mut self, now: Instant) {
        if self.connecting.is_some_and(|until| until <= now) {
            self.connecting = Some(Instant::FAR_FUTURE);
            self.out.command(opcode::LE_CREATE_CONNECTION_CANCEL, For::Nobody, |_| ());
        }
    }

    pub(super) fn connect(
        &mut self,
        now: Instant,
        peer: Address,
        interval: Duration,
        latency: u16,
        supervision_timeout: Duration,
    ) -> Result<(), Refused> {
        if self.connecting.is_some() {
            return Err(Refused::Busy);
        }
        let intervals = &self.config.personality.intervals;
        let granted = if intervals.application_chooses { intervals.grant(interval, interval) } else { None };
        let interval = units(granted.unwrap_or(intervals.initial), INTERVAL_UNIT).ok_or(Refused::OutOfRange)?;
        let timeout = units(supervision_timeout, TIMEOUT_UNIT).ok_or(Refused::OutOfRange)?;
        let address_type = self.found.filter(|(found, _)| *found == peer).map_or(0, |(_, address_type)| address_type);
        self.connecting = Some(intervals.gives_up_after.map_or(Instant::FAR_FUTURE, |after| now + after));
        self.out.command(opcode::LE_CREATE_CONNECTION, For::Nobody, |params| {
            params.put_u16(SCAN_UNITS);
            params.put_u16(SCAN_UNITS);
            params.put(&[0, address_type]);
            params.put(&peer);
            params.put_u8(0);
            [interval, interval, latency, timeout, 0, 0].iter().for_each(|word| params.put_u16(*word));
        });
        Ok(())
    }

    /// LE Connection Complete. Core 6.0, Vol 4, Part E, 7.7.65.1.
    pub(super) fn on_connection_complete(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (status, conn, role) = (Status(r.u8()?), r.u16()?, r.u8()?);
        let (_address_type, peer) = (r.u8()?, r.array()?);
        let interval = INTERVAL_UNIT * u64::from(r.u16()?);
        let role = if role == 0 { Role::Central } else { Role::Peripheral };
        if role == Role::Central {
            self.connecting = None;
        }
        if !status.is_success() {
            self.out.event(HostEvent::Disconnected { conn: NO_CONNECTION, reason: status });
            return Some(());
        }
        if role == Role::Peripheral {
            // The controller stops advertising by itself: Core 6.0, Vol 6, Part B, 4.4.2.3.
            self.advertising = false;
        }
        self.forget(conn);
        let serial = self.local.next_serial();
        self.links.push(Link::new(conn, role, peer, interval, serial));
        self.out.event(HostEvent::Connected { conn, role, peer, interval });
        Some(())
    }
}

/// Writes the length and 31 octets of AD structures; an empty one is left out.
fn ad_structures(params: &mut Packet, structures: &[(u8, &[u8])]) {
    let octets: usize = structures.iter().filter(|(_, data)| !data.is_empty()).map(|(_, data)| 2 + data.len()).sum();
    params.put_u8(octets as u8);
    let end = params.len() + ADV_DATA_OCTETS;
    for (kind, data) in structures.iter().filter(|(_, data)| !data.is_empty()) {
        params.put(&[1 + data.len() as u8, *kind]);
        params.put(data);
    }
    params.resize(end);
}

/// The complete local name in advertising or scan response data.
fn local_name(data: &[u8]) -> Option<&[u8]> {
    let mut r = Reader::new(data);
    loop {
        let length = r.u8().filter(|length| *length > 0)?;
        if let [COMPLETE_LOCAL_NAME, name @ ..] = r.take(length.into())? {
            return Some(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Pool;

    #[test]
    fn the_name_is_found_behind_the_flags() {
        let mut params = Pool::new().packet();
        ad_structures(&mut params, &[(FLAGS, &[LE_ONLY]), (COMPLETE_LOCAL_NAME, b"nRF54L15_Test")]);
        assert_eq!(&params[..8], &[18, 2, 1, 6, 14, 9, b'n', b'R']);
        assert_eq!(params.len(), 32);
        assert_eq!(local_name(&params[1..]), Some(b"nRF54L15_Test".as_slice()));
    }

    #[test]
    fn data_without_a_name() {
        for data in [&[][..], &[0], &[2, 1, 6], &[9, 9, b'x'], &[2, 1]] {
            assert_eq!(local_name(data), None, "{data:02x?}");
        }
    }
}
