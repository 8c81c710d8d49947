//! Parameters and data of advertising sets. Core 6.0, Vol 4, Part E, 7.8.53 to 7.8.55.

use super::advertising::UNIT_625_US;
use super::{Answer, Call, need};
use crate::air::Phy;
use crate::controller::Controller;
use crate::controller::sets::{DATA_OCTETS_MAX, Data, Fragment, SETS_MAX, Set};
use crate::hci::Status;
use crate::ll::address::DeviceAddress;
use crate::ll::advertising::{ExtendedEvent, Filter, Kind, Parameters};

/// Largest handle of a set.
const HANDLE_MAX: u8 = 0xef;
/// Largest Advertising_SID.
const SID_MAX: u8 = 0x0f;
/// Shortest interval between advertising events: 20 ms in units of 625 µs.
const INTERVAL_MIN: u32 = 0x20;
/// Octets of legacy advertising data.
const LEGACY_DATA_MAX: usize = 31;
/// Transmit power: left to the controller by the host, which gets 0 dBm.
const TX_POWER_DBM: i8 = 0;

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

/// Selector of the data of a set that a command is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Advertising,
    Response,
}

impl Controller {
    pub(super) fn extended_advertising_parameters(&mut self, call: &mut Call<'_>) -> Answer {
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
        let kind = self.kind(properties, (primary, secondary), sid)?;
        let interval_is_good = (INTERVAL_MIN..=max).contains(&min) || kind == Kind::HighDutyDirected;
        if !good || !interval_is_good || (kind.is_directed() && peer_kind > 1) {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.running(handle).is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let old = self.settings.sets.iter().position(|set| set.handle == handle);
        if old.is_none() && self.settings.sets.len() >= usize::from(SETS_MAX) {
            return Err(Status::MEMORY_EXCEEDED);
        }
        let mut set = match old {
            Some(index) => self.settings.sets.remove(index),
            None => self.new_set(handle),
        };
        set.parameters.interval = UNIT_625_US * u64::from(max);
        set.parameters.kind = kind;
        set.parameters.notify = notify == 1;
        set.parameters.channels = channels & 0b111;
        set.parameters.own = own;
        set.parameters.peer = DeviceAddress::of(peer_kind & 1 == 1, peer);
        set.parameters.filter = if kind.is_directed() { Filter::default() } else { Filter::from_hci(policy) };
        let fits = data_fits(&kind, Which::Advertising, set.data.octets.len())
            && data_fits(&kind, Which::Response, set.response.octets.len());
        self.settings.sets.push(set);
        if !fits {
            return Err(Status::INVALID_PARAMETERS);
        }
        call.returns.put_u8(TX_POWER_DBM as u8);
        Ok(())
    }

    fn new_set(&self, handle: u8) -> Set {
        let parameters = Parameters { set: Some(handle), random: None, ..self.settings.advertising.clone() };
        Set { handle, parameters, data: Data::default(), response: Data::default() }
    }

    /// The kind of events that these properties and PHYs make.
    fn kind(&self, properties: u16, (primary, secondary): (u8, u8), sid: u8) -> Result<Kind, Status> {
        use properties::{ANONYMOUS, CONNECTABLE, DIRECTED, HIGH_DUTY, LEGACY, SCANNABLE, TX_POWER};
        let has = |bit| properties & bit != 0;
        let primary = self.advertising_phy(primary).filter(|phy| *phy != Phy::Le2M);
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
        let secondary = self.advertising_phy(secondary).ok_or(Status::INVALID_PARAMETERS)?;
        Ok(Kind::Extended(ExtendedEvent {
            connectable: has(CONNECTABLE),
            scannable: has(SCANNABLE),
            directed: has(DIRECTED),
            primary,
            secondary,
            sid,
            did: 0,
            tx_power: has(TX_POWER).then_some(TX_POWER_DBM),
            clock_50_ppm: self.personality.clock_ppm <= 50,
        }))
    }

    /// The PHY with this number, if the controller has it.
    fn advertising_phy(&self, number: u8) -> Option<Phy> {
        match number {
            1 => Some(Phy::Le1M),
            2 if self.personality.phy_2m => Some(Phy::Le2M),
            3 if self.personality.phy_coded => Some(Phy::LeCodedS8),
            _ => None,
        }
    }

    pub(super) fn extended_advertising_data(&mut self, call: &mut Call<'_>) -> Answer {
        self.take_data(call, Which::Advertising)
    }

    pub(super) fn extended_scan_response_data(&mut self, call: &mut Call<'_>) -> Answer {
        self.take_data(call, Which::Response)
    }

    fn take_data(&mut self, call: &mut Call<'_>, which: Which) -> Answer {
        let handle = need(call.r.u8())?;
        let fragment = need(call.r.u8().and_then(Fragment::from_hci))?;
        let _preference = need(call.r.u8())?;
        let len = need(call.r.u8())?;
        let part = need(call.r.take(len.into()))?;
        call.end()?;
        let runs = self.running(handle).is_some();
        let set = self.set(handle)?;
        let whole = matches!(fragment, Fragment::Complete | Fragment::Unchanged);
        let kind = set.parameters.kind;
        let data = if which == Which::Advertising { &mut set.data } else { &mut set.response };
        let nothing = part.is_empty() && !whole;
        let unchanged = fragment == Fragment::Unchanged
            && (!part.is_empty() || data.octets.is_empty() || which == Which::Response || !runs);
        let continues = !matches!(fragment, Fragment::Intermediate | Fragment::Last) || data.partial;
        let legacy = !matches!(kind, Kind::Extended(_)) && fragment != Fragment::Complete;
        if nothing || unchanged || !continues || legacy || !data_fits(&kind, which, part.len()) {
            return Err(Status::INVALID_PARAMETERS);
        }
        if runs && !whole {
            return Err(Status::COMMAND_DISALLOWED);
        }
        data.take(fragment, part).map_err(|_| Status::MEMORY_EXCEEDED)?;
        if let Kind::Extended(extended) = &mut set.parameters.kind {
            // A new DID tells scanners that the data is new. Core 6.0, Vol 6, Part B, 4.4.2.11.
            extended.did = extended.did.wrapping_add(1) & 0x0fff;
        }
        let (kind, data, response) = (set.parameters.kind, set.data.octets.clone(), set.response.octets.clone());
        if let Some(advertiser) = self.running(handle) {
            let parameters = advertiser.parameters_mut();
            parameters.kind = kind;
            (parameters.data, parameters.response) = (data, response);
        }
        Ok(())
    }
}

/// Tells if events of this kind take so much data of this sort.
fn data_fits(kind: &Kind, which: Which, octets: usize) -> bool {
    let takes = match which {
        Which::Advertising => kind.has_data(),
        Which::Response => kind.is_scannable(),
    };
    let most = match (takes, kind) {
        (false, _) => 0,
        (true, Kind::Extended(_)) => usize::from(DATA_OCTETS_MAX),
        (true, _) => LEGACY_DATA_MAX,
    };
    octets <= most
}
