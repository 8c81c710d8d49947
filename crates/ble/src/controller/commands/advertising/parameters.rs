//! Parameters of an advertising set, as a command gives them. Core 6.0, Vol 4, Part E, 7.8.53.

use super::UNIT_625_US;
use crate::air::Phy;
use crate::controller::commands::{Call, need};
use crate::hci::Status;
use crate::ll::address::DeviceAddress;
use crate::ll::advertising::{ExtendedEvent, Filter, Kind, Parameters};
use crate::personality;

/// Largest handle of a set.
const HANDLE_MAX: u8 = 0xef;
/// Largest Advertising_SID.
const SID_MAX: u8 = 0x0f;
/// Shortest interval between advertising events: 20 ms in units of 625 µs.
const INTERVAL_MIN: u32 = 0x20;
/// Transmit power: left to the controller by the host, which gets 0 dBm.
pub(super) const TX_POWER_DBM: i8 = 0;

/// Bits of Advertising_Event_Properties.
mod properties {
    pub const CONNECTABLE: u16 = 1 << 0;
    pub const SCANNABLE: u16 = 1 << 1;
    pub const DIRECTED: u16 = 1 << 2;
    pub const HIGH_DUTY: u16 = 1 << 3;
    pub const LEGACY: u16 = 1 << 4;
    pub const ANONYMOUS: u16 = 1 << 5;
    pub const TX_POWER: u16 = 1 << 6;
}

/// Reads the parameters of a set that advertises like `before` until now; its handle is the first of them.
pub(super) fn read(
    call: &mut Call<'_>,
    personality: &personality::Controller,
    before: impl FnOnce(u8) -> Parameters,
) -> Result<(u8, Parameters), Status> {
    let handle = need(call.r.u8())?;
    let properties = need(call.r.u16())?;
    let (min, max) = (need(call.r.u24())?, need(call.r.u24())?);
    let channels = need(call.r.u8())?;
    let own = call.own_address()?;
    let (peer_kind, peer) = (need(call.r.u8())?, need(call.r.array())?);
    let (policy, _tx_power) = (need(call.r.u8())?, need(call.r.u8())?);
    let primary = need(call.r.u8())?;
    // A controller may skip events; this one sends an auxiliary packet in each.
    let _most_skipped = need(call.r.u8())?;
    let (secondary, sid, notify) = (need(call.r.u8())?, need(call.r.u8())?, need(call.r.u8())?);
    call.end()?;
    let good = handle <= HANDLE_MAX && channels & 0b111 != 0 && policy <= 3 && sid <= SID_MAX && notify <= 1;
    let kind = kind(personality, properties, (primary, secondary), sid)?;
    let interval_is_good = (INTERVAL_MIN..=max).contains(&min) || kind == Kind::HighDutyDirected;
    if !good || !interval_is_good || (kind.is_directed() && peer_kind > 1) {
        return Err(Status::INVALID_PARAMETERS);
    }
    let parameters = Parameters {
        interval: UNIT_625_US * u64::from(max),
        kind,
        notify: notify == 1,
        channels: channels & 0b111,
        own,
        peer: DeviceAddress::of(peer_kind & 1 == 1, peer),
        filter: if kind.is_directed() { Filter::default() } else { Filter::from_hci(policy) },
        ..before(handle)
    };
    Ok((handle, parameters))
}

/// The kind of events that these properties and PHYs make.
fn kind(
    personality: &personality::Controller,
    properties: u16,
    (primary, secondary): (u8, u8),
    sid: u8,
) -> Result<Kind, Status> {
    use properties::{ANONYMOUS, CONNECTABLE, DIRECTED, HIGH_DUTY, LEGACY, SCANNABLE, TX_POWER};
    let has = |bit| properties & bit != 0;
    let primary = phy(personality, primary).filter(|phy| *phy != Phy::Le2M);
    let primary = primary.ok_or(Status::INVALID_PARAMETERS)?;
    if has(LEGACY) {
        let kind = match properties & !LEGACY {
            bits if bits == CONNECTABLE | SCANNABLE => Kind::Connectable,
            bits if bits == CONNECTABLE | DIRECTED => Kind::LowDutyDirected,
            bits if bits == CONNECTABLE | DIRECTED | HIGH_DUTY => Kind::HighDutyDirected,
            SCANNABLE => Kind::Scannable,
            0 => Kind::NonConnectable,
            _ => return Err(Status::INVALID_PARAMETERS),
        };
        return if primary == Phy::Le1M { Ok(kind) } else { Err(Status::INVALID_PARAMETERS) };
    }
    if (has(CONNECTABLE) && has(SCANNABLE)) || has(HIGH_DUTY) || properties >= 1 << 7 {
        return Err(Status::INVALID_PARAMETERS);
    }
    if has(ANONYMOUS) {
        return Err(Status::UNSUPPORTED_FEATURE);
    }
    let secondary = phy(personality, secondary).ok_or(Status::INVALID_PARAMETERS)?;
    Ok(Kind::Extended(ExtendedEvent {
        connectable: has(CONNECTABLE),
        scannable: has(SCANNABLE),
        directed: has(DIRECTED),
        primary,
        secondary,
        sid,
        did: 0,
        tx_power: has(TX_POWER).then_some(TX_POWER_DBM),
        clock_50_ppm: personality.clock_ppm <= 50,
    }))
}

/// The PHY with this number, if the controller has it.
fn phy(personality: &personality::Controller, number: u8) -> Option<Phy> {
    match number {
        1 => Some(Phy::Le1M),
        2 if personality.phy_2m => Some(Phy::Le2M),
        3 if personality.phy_coded => Some(Phy::LeCodedS8),
        _ => None,
    }
}
