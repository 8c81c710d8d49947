//! Commands of advertising sets. Core 6.0, Vol 4, Part E, 7.8.52 to 7.8.60.

use airtime_core::Duration;

use super::advertising::UNIT_625_US;
use super::{Answer, Call, need};
use crate::air::Phy;
use crate::controller::Controller;
use crate::controller::sets::{DATA_OCTETS_MAX, Data, Fragment, SETS_MAX, Set};
use crate::hci::Status;
use crate::host::Address;
use crate::ll::address::DeviceAddress;
use crate::ll::advertising::{Advertiser, ExtendedEvent, Filter, Kind, Limits, Parameters};

/// Largest handle of a set.
const HANDLE_MAX: u8 = 0xef;
/// Largest Advertising_SID.
const SID_MAX: u8 = 0x0f;
/// Shortest interval between advertising events: 20 ms in units of 625 µs.
const INTERVAL_MIN: u32 = 0x20;
/// One unit of durations.
const UNIT_10_MS: Duration = Duration::from_millis(10);
/// Longest duration of high duty cycle directed advertising, in units of 10 ms.
const HIGH_DUTY_DURATION_MAX: u16 = 128;
/// Octets of legacy advertising data.
const LEGACY_DATA_MAX: usize = 31;
/// What the host leaves to the controller, and what it gets: 0 dBm.
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

/// Which of a set's data a command is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Advertising,
    Response,
}

impl Controller {
    fn set(&mut self, handle: u8) -> Result<&mut Set, Status> {
        let set = self.settings.sets.iter_mut().find(|set| set.handle == handle);
        set.ok_or(Status::UNKNOWN_ADVERTISING_IDENTIFIER)
    }

    /// The running advertiser of a set.
    fn running(&mut self, handle: u8) -> Option<&mut Advertiser> {
        self.advertisers.iter_mut().find(|advertiser| advertiser.parameters().set == Some(handle))
    }

    pub(super) fn set_random_address_of_set(&mut self, call: &mut Call<'_>) -> Answer {
        let handle = need(call.r.u8())?;
        let address: Address = need(call.r.array())?;
        call.end()?;
        self.set(handle)?;
        if let Some(advertiser) = self.running(handle) {
            if advertiser.parameters().kind.is_connectable() {
                return Err(Status::COMMAND_DISALLOWED);
            }
            advertiser.parameters_mut().random = Some(address);
        }
        self.set(handle)?.parameters.random = Some(address);
        Ok(())
    }

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

    pub(super) fn extended_advertising_enable(&mut self, call: &mut Call<'_>) -> Answer {
        let (enable, count) = (need(call.r.u8())?, need(call.r.u8())?);
        let mut asked = alloc::vec::Vec::new();
        for _ in 0..count {
            let (handle, duration, events) = (need(call.r.u8())?, need(call.r.u16())?, need(call.r.u8())?);
            if asked.iter().any(|(other, _)| *other == handle) {
                return Err(Status::INVALID_PARAMETERS);
            }
            asked.push((handle, (duration, events)));
        }
        call.end()?;
        match (enable, count) {
            (0, 0) => {
                let running = self.settings.sets.iter().map(|set| set.handle).collect::<alloc::vec::Vec<_>>();
                running.into_iter().for_each(|handle| {
                    self.stop_advertiser(Some(handle));
                });
            }
            (0, _) => {
                for (handle, _) in &asked {
                    self.set(*handle)?;
                }
                for (handle, _) in asked {
                    self.stop_advertiser(Some(handle));
                }
            }
            (1, 1..) => {
                let mut ready = alloc::vec::Vec::new();
                for (handle, limits) in asked {
                    ready.push(self.ready(call, handle, limits)?);
                }
                for advertiser in ready {
                    self.stop_advertiser(advertiser.parameters().set);
                    self.advertisers.push(advertiser);
                }
            }
            _ => return Err(Status::INVALID_PARAMETERS),
        }
        Ok(())
    }

    /// An advertiser for a set, if the set is complete.
    fn ready(&mut self, call: &Call<'_>, handle: u8, (duration, events): (u16, u8)) -> Result<Advertiser, Status> {
        let set = self.set(handle)?;
        let mut parameters = set.parameters.clone();
        let missing = matches!(parameters.kind, Kind::Extended(_))
            && parameters.kind.is_scannable()
            && set.response.octets.is_empty();
        if set.data.partial || set.response.partial || missing {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let endless = duration == 0 || duration > HIGH_DUTY_DURATION_MAX;
        if parameters.kind == Kind::HighDutyDirected && endless {
            return Err(Status::INVALID_PARAMETERS);
        }
        parameters.data = set.data.octets.clone();
        parameters.response = set.response.octets.clone();
        let own = self.identities.own(call.now, parameters.own, parameters.random, Some(parameters.peer));
        let own = need(own)?;
        let limits = Limits {
            duration: (duration > 0).then(|| UNIT_10_MS * u64::from(duration)),
            events: (events > 0).then_some(events),
        };
        let delay = airtime_core::random::stream(self.numbers.bits(), "controller/set");
        Ok(Advertiser::new(parameters, limits, own, delay, call.now))
    }

    pub(super) fn read_maximum_advertising_data(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u16(DATA_OCTETS_MAX);
        Ok(())
    }

    pub(super) fn read_number_of_sets(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        call.returns.put_u8(SETS_MAX);
        Ok(())
    }

    pub(super) fn remove_set(&mut self, call: &mut Call<'_>) -> Answer {
        let handle = need(call.r.u8())?;
        call.end()?;
        self.set(handle)?;
        if self.running(handle).is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.settings.sets.retain(|set| set.handle != handle);
        Ok(())
    }

    pub(super) fn clear_sets(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        if !self.advertisers.is_empty() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.settings.sets.clear();
        Ok(())
    }
}

/// Whether events of this kind take so much data of this sort.
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
