//! Events that tell the host about procedures. Core 6.0, Vol 4, Part E, 7.7.

use super::effect::Told;
use super::phy_number;
use crate::hci::{Status, event};
use crate::ll::connection::Connection;
use crate::ll::control::SPACING_ACL;
use crate::ll::outbox::Outbox;
use crate::ll::pdu::{UNIT_1_25_MS, UNIT_10_MS};

/// Encryption Change `[v2]` in the second page of the event mask. Core 6.0, Vol 4, Part E, 7.3.69.
const ENCRYPTION_CHANGE_V2_BIT: u64 = 1 << 25;
/// Octets of an LE key.
const KEY_OCTETS: u8 = 16;

/// Tells the host, with what is in force on `connection`.
pub(super) fn tell(connection: &Connection, out: &mut Outbox, told: Told) {
    let handle = connection.handle;
    match told {
        Told::Features { status, features } => {
            let mut packet = event::le_event(out.pool(), event::LE_READ_REMOTE_FEATURES_COMPLETE);
            packet.put_u8(status.0);
            packet.put_u16(handle);
            packet.put_u64(features);
            out.le_event(event::finish(packet));
        }
        Told::Version(version, company, subversion) => {
            let mut packet = event::event(out.pool(), event::READ_REMOTE_VERSION_COMPLETE);
            packet.put_u8(Status::SUCCESS.0);
            packet.put_u16(handle);
            packet.put_u8(version);
            packet.put_u16(company);
            packet.put_u16(subversion);
            out.event(event::finish(packet));
        }
        Told::Phys(status) => {
            let mut packet = event::le_event(out.pool(), event::LE_PHY_UPDATE_COMPLETE);
            packet.put_u8(status.0);
            packet.put_u16(handle);
            packet.put(&[phy_number(connection.tx_phy), phy_number(connection.rx_phy)]);
            out.le_event(event::finish(packet));
        }
        Told::Parameters(status) => {
            let timing = connection.timing;
            let mut packet = event::le_event(out.pool(), event::LE_CONNECTION_UPDATE_COMPLETE);
            packet.put_u8(status.0);
            packet.put_u16(handle);
            packet.put_u16((timing.interval / UNIT_1_25_MS) as u16);
            packet.put_u16(timing.latency);
            packet.put_u16((timing.timeout / UNIT_10_MS) as u16);
            out.le_event(event::finish(packet));
        }
        Told::ParameterRequest(request) => {
            let mut packet = event::le_event(out.pool(), event::LE_REMOTE_PARAMETER_REQUEST);
            for field in [handle, request.interval_min, request.interval_max, request.latency, request.timeout] {
                packet.put_u16(field);
            }
            out.le_event(event::finish(packet));
        }
        Told::KeyRequest { rand, ediv } => {
            let mut packet = event::le_event(out.pool(), event::LE_LONG_TERM_KEY_REQUEST);
            packet.put_u16(handle);
            packet.put_u64(rand);
            packet.put_u16(ediv);
            out.le_event(event::finish(packet));
        }
        Told::Subrating(status) => tell_subrating(connection, out, status),
        Told::Encryption { status, refreshed } => tell_encryption(handle, out, status, refreshed),
        Told::FrameSpace { status, initiator, phys, space } => {
            let mut packet = event::le_event(out.pool(), event::LE_FRAME_SPACE_UPDATE_COMPLETE);
            packet.put_u8(status.0);
            packet.put_u16(handle);
            packet.put_u8(initiator);
            packet.put_u16(space);
            packet.put_u8(phys);
            packet.put_u16(SPACING_ACL);
            out.le_event(event::finish(packet));
        }
    }
}

fn tell_subrating(connection: &Connection, out: &mut Outbox, status: Status) {
    let (timing, subrating) = (connection.timing, connection.subrating);
    let mut packet = event::le_event(out.pool(), event::LE_SUBRATE_CHANGE);
    packet.put_u8(status.0);
    let timeout = (timing.timeout / UNIT_10_MS) as u16;
    for field in [connection.handle, subrating.factor(), timing.latency, subrating.continuation(), timeout] {
        packet.put_u16(field);
    }
    out.le_event(event::finish(packet));
}

/// Tells the host that other lengths are in effect.
pub(super) fn tell_length(connection: &Connection, out: &mut Outbox) {
    let mut packet = event::le_event(out.pool(), event::LE_DATA_LENGTH_CHANGE);
    let e = connection.effective;
    for field in [connection.handle, e.max_tx_octets, e.max_tx_time, e.max_rx_octets, e.max_rx_time] {
        packet.put_u16(field);
    }
    out.le_event(event::finish(packet));
}

fn tell_encryption(handle: u16, out: &mut Outbox, status: Status, refreshed: bool) {
    let second_page = out.event_mask_page_2 & ENCRYPTION_CHANGE_V2_BIT != 0;
    let code = match (refreshed, second_page) {
        (true, _) => event::ENCRYPTION_KEY_REFRESH_COMPLETE,
        (false, true) => event::ENCRYPTION_CHANGE_V2,
        (false, false) => event::ENCRYPTION_CHANGE,
    };
    let mut packet = event::event(out.pool(), code);
    packet.put_u8(status.0);
    packet.put_u16(handle);
    if !refreshed {
        packet.put_u8(u8::from(status.is_success()));
    }
    if code == event::ENCRYPTION_CHANGE_V2 {
        packet.put_u8(if status.is_success() { KEY_OCTETS } else { 0 });
        out.hci(event::finish(packet));
    } else {
        out.event(event::finish(packet));
    }
}
