//! Commands about one connection.

use alloc::boxed::Box;

use airtime_core::Duration;
use airtime_core::bytes::Reader;

use super::defaults::{phys, subrates};
use super::effect::Effect;
use super::{Answer, Call, need};
use crate::controller::reports::RSSI_DBM;
use crate::hci::Status;
use crate::ll::connection::{Connection, Timing};
use crate::ll::control::{PHY_1M, PHY_CODED, ParameterRequest};
use crate::ll::length::Offer;
use crate::ll::pdu::{UNIT_1_25_MS, UNIT_10_MS};
use crate::ll::procedure::{Local, SUBRATING_HOST_SUPPORT, phy_number, timing};
use crate::personality;
use crate::words::{ConnHandle, Role};

/// Reasons a host may give for the end. Core 6.0, Vol 4, Part E, 7.1.6.
const REASONS: [Status; 7] = [
    Status::AUTHENTICATION_FAILURE,
    Status::REMOTE_USER_TERMINATED,
    Status::REMOTE_LOW_RESOURCES,
    Status::REMOTE_POWER_OFF,
    Status::UNSUPPORTED_REMOTE_FEATURE,
    Status::UNIT_KEY_PAIRING,
    Status::UNACCEPTABLE_PARAMETERS,
];

/// Connections as the host's commands meet them: to look at. What is to happen to one is an effect.
pub(super) struct Commands<'a> {
    connections: &'a [Option<Box<Connection>>],
    personality: &'a personality::Controller,
    offer: Offer,
}

impl<'a> Commands<'a> {
    /// Commands about `connections`, the one with handle `i` at `i`, of a controller that can do what `personality` says
    /// and makes this `offer` of a data length.
    pub fn new(
        connections: &'a [Option<Box<Connection>>],
        personality: &'a personality::Controller,
        offer: Offer,
    ) -> Self {
        Self { connections, personality, offer }
    }

    fn connection(&self, handle: ConnHandle) -> Result<&'a Connection, Status> {
        let connection = self.connections.get(usize::from(handle)).and_then(Option::as_deref);
        connection.ok_or(Status::UNKNOWN_CONNECTION)
    }

    /// Reads a handle and returns it to the host; gives the slot of its connection.
    fn slot(&self, call: &mut Call<'_>) -> Result<usize, Status> {
        let handle = need(call.r.u16())?;
        call.returns.put_u16(handle);
        self.connection(handle).map(|_| usize::from(handle))
    }

    /// The connection that a command without further parameters is about.
    fn only(&self, call: &mut Call<'_>) -> Result<&Connection, Status> {
        let slot = self.slot(call)?;
        call.end()?;
        self.connections[slot].as_deref().ok_or(Status::UNKNOWN_CONNECTION)
    }

    pub fn read_rssi(&mut self, call: &mut Call<'_>) -> Answer {
        self.only(call)?;
        call.returns.put_u8(RSSI_DBM as u8);
        Ok(())
    }

    pub fn read_channel_map(&mut self, call: &mut Call<'_>) -> Answer {
        let map = self.only(call)?.map.bits();
        call.returns.put(&map.to_le_bytes()[..5]);
        Ok(())
    }

    pub fn read_phy(&mut self, call: &mut Call<'_>) -> Answer {
        let connection = self.only(call)?;
        let phys = [phy_number(connection.tx_phy), phy_number(connection.rx_phy)];
        call.returns.put(&phys);
        Ok(())
    }

    pub fn disconnect(&mut self, call: &mut Call<'_>) -> Answer {
        let (handle, reason) = (need(call.r.u16())?, Status(need(call.r.u8())?));
        call.end()?;
        let connection = self.connection(handle)?;
        if !REASONS.contains(&reason) {
            return Err(Status::INVALID_PARAMETERS);
        }
        if connection.procedures.terminates() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        call.ahead = Some(Effect::Start(usize::from(handle), Local::Terminate(reason)));
        Ok(())
    }

    /// Reads a handle and starts the procedure that `choose` makes of the rest.
    fn start_for(
        &mut self,
        call: &mut Call<'_>,
        choose: impl FnOnce(&Self, &Connection, &mut Reader<'_>) -> Result<Local, Status>,
    ) -> Answer {
        let handle = need(call.r.u16())?;
        let connection = self.connection(handle)?;
        let local = choose(self, connection, &mut call.r)?;
        call.end()?;
        if connection.procedures.is_full() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        call.ahead = Some(Effect::Start(usize::from(handle), local));
        Ok(())
    }

    pub fn read_remote_version(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |_, _, _| Ok(Local::Version))
    }

    pub fn read_remote_features(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |_, _, _| Ok(Local::Features))
    }

    pub fn update(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |commands, connection, r| {
            let asked = need(link_parameters(commands.personality, r))?;
            match connection.role {
                Role::Central => Ok(Local::Update(timing(asked.interval_max, asked.latency, asked.timeout))),
                Role::Peripheral if commands.personality.parameter_request => Ok(Local::Parameters(asked)),
                Role::Peripheral => Err(Status::UNSUPPORTED_FEATURE),
            }
        })
    }

    pub fn set_phy(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |commands, _, r| {
            let (all, tx, rx, options) = (need(r.u8())?, need(r.u8())?, need(r.u8())?, need(r.u16())?);
            let (tx, rx) = phys(commands.personality, all, tx, rx)?;
            // Options: 1 prefers S=2, 2 prefers S=8, 0 leaves it to the controller, which takes S=8.
            Ok(Local::Phy { tx, rx, s8: options != 1 || tx & PHY_CODED == 0 })
        })
    }

    pub fn frame_space_update(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |commands, _, r| {
            let (min, max, phys, types) = (need(r.u16())?, need(r.u16())?, need(r.u8())?, need(r.u16())?);
            let own = commands.personality.frame_space_min.ok_or(Status::UNKNOWN_COMMAND)?;
            if min > max || max > 10_000 || phys & (PHY_1M | 0b110) == 0 || types == 0 {
                return Err(Status::INVALID_PARAMETERS);
            }
            if Duration::from_micros(max.into()) < own {
                return Err(Status::UNSUPPORTED_FEATURE);
            }
            let min = min.max(own.as_micros().min(u64::from(max)) as u16);
            Ok(Local::FrameSpace { min, max, phys })
        })
    }

    pub fn subrate(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |_, connection, r| {
            let range = subrates(r)?;
            let longest = connection.timing.interval * u64::from(range.factor_min) * (u64::from(range.latency_max) + 1);
            if longest * 2 >= UNIT_10_MS * u64::from(range.timeout) {
                return Err(Status::INVALID_PARAMETERS);
            }
            // The peer has to have told. Core 6.2, Vol 4, Part E, 7.8.124.
            if connection.role == Role::Central && !connection.procedures.peer_has(SUBRATING_HOST_SUPPORT) {
                return Err(Status::UNSUPPORTED_REMOTE_FEATURE);
            }
            Ok(Local::Subrate(range))
        })
    }

    pub fn set_data_length(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        let (octets, time) = (need(call.r.u16())?, need(call.r.u16())?);
        call.end()?;
        let offer = Offer { max_tx_octets: octets, max_tx_time: time, ..self.offer };
        if !offer.is_valid() {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.connections[slot].as_ref().is_some_and(|connection| connection.procedures.is_full()) {
            return Err(Status::COMMAND_DISALLOWED);
        }
        let octets = octets.min(self.personality.data_octets);
        let time = offer.sent_within(self.personality.data_time).max_tx_time;
        call.ahead = Some(Effect::Length(slot, octets, time));
        Ok(())
    }

    pub fn parameter_reply(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        let accepted = need(link_parameters(self.personality, &mut call.r))?;
        call.end()?;
        self.answer_parameters(call, slot, Ok(accepted))
    }

    pub fn parameter_refusal(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        let reason = Status(need(call.r.u8())?);
        call.end()?;
        self.answer_parameters(call, slot, Err(reason))
    }

    fn answer_parameters(
        &mut self,
        call: &mut Call<'_>,
        slot: usize,
        answer: Result<ParameterRequest, Status>,
    ) -> Answer {
        let asked = self.connections[slot].as_ref().is_some_and(|c| c.procedures.owes_answer());
        if !asked {
            return Err(Status::COMMAND_DISALLOWED);
        }
        call.ahead = Some(Effect::Parameters(slot, answer));
        Ok(())
    }

    pub fn enable_encryption(&mut self, call: &mut Call<'_>) -> Answer {
        self.start_for(call, |_, connection, r| {
            let (rand, ediv, key) = (need(r.u64())?, need(r.u16())?, need(r.array())?);
            if connection.role != Role::Central || connection.procedures.encrypts() {
                return Err(Status::COMMAND_DISALLOWED);
            }
            Ok(Local::Encrypt { rand, ediv, key })
        })
    }

    pub fn key_reply(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        let key = need(call.r.array())?;
        call.end()?;
        self.answer_key(call, slot, Some(key))
    }

    pub fn key_refusal(&mut self, call: &mut Call<'_>) -> Answer {
        let slot = self.slot(call)?;
        call.end()?;
        self.answer_key(call, slot, None)
    }

    fn answer_key(&mut self, call: &mut Call<'_>, slot: usize, key: Option<[u8; 16]>) -> Answer {
        let asked = self.connections[slot].as_ref().is_some_and(|c| c.procedures.owes_key());
        if !asked {
            return Err(Status::COMMAND_DISALLOWED);
        }
        call.ahead = Some(Effect::Key(slot, key));
        Ok(())
    }
}

/// Interval range, latency, timeout and the two CE lengths. Core 6.0, Vol 4, Part E, 7.8.12.
pub(super) fn link_parameters(personality: &personality::Controller, r: &mut Reader<'_>) -> Option<ParameterRequest> {
    let asked =
        ParameterRequest { interval_min: r.u16()?, interval_max: r.u16()?, latency: r.u16()?, timeout: r.u16()? };
    let _event_length = (r.u16()?, r.u16()?);
    let shortest = (personality.interval_min / UNIT_1_25_MS).clamp(1, 6) as u16;
    let Timing { interval, latency, timeout } = timing(asked.interval_max, asked.latency, asked.timeout);
    let good = (shortest..=3200).contains(&asked.interval_min)
        && (asked.interval_min..=3200).contains(&asked.interval_max)
        && latency <= 499
        && (10..=3200).contains(&asked.timeout)
        && timeout > interval * 2 * (u64::from(latency) + 1);
    good.then_some(asked)
}
