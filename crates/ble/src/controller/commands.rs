//! HCI commands: every one is answered, known or not, well-formed or not.
//!
//! A command whose effect comes later is answered with Command Status, any other with Command
//! Complete; a malformed one gets "invalid HCI command parameters" in the same kind of answer.

use airtime_core::bytes::Reader;
use airtime_core::{Duration, Instant, Packet};

use super::connecting::Initiator;
use super::{Controller, Holder};
use crate::hci::opcode::{self, Opcode};
use crate::hci::{Status, event};
use crate::host::{Address, Role};
use crate::ll::advertising::Advertiser;
use crate::ll::connection::{Connection, Timing};
use crate::ll::control::{PHY_1M, PHY_CODED, ParameterRequest};
use crate::ll::hopping::ChannelMap;
use crate::ll::length::Offer;
use crate::ll::pdu::{AdvertisingType, UNIT_1_25_MS};
use crate::ll::procedure::{Local, VERSION, features, phy_bit, supported_phys, timing};
use crate::ll::scanning::{Scanner, Windows};

/// One unit of advertising and scan intervals.
const UNIT_625_US: Duration = Duration::from_micros(625);
/// What a command comes to before its effect.
type Answer = Result<(), Status>;

/// Parameters that are too short or too long are "invalid HCI command parameters".
fn need<T>(value: Option<T>) -> Result<T, Status> {
    value.ok_or(Status::INVALID_PARAMETERS)
}

impl Controller {
    pub(super) fn command(&mut self, now: Instant, opcode: Opcode, params: &[u8]) {
        let mut r = Reader::new(params);
        if opcode == opcode::HOST_NUMBER_OF_COMPLETED_PACKETS {
            // The one command that is answered only when it is wrong. Core 6.0, Vol 4, Part E, 7.3.40.
            if let Err(status) = self.host_completed(&mut r) {
                self.complete(opcode, status, |_| {});
            }
            return;
        }
        let before = self.out.len();
        if let Some(answer) = self.command_with_status(now, opcode, &mut r) {
            // The answer goes ahead of whatever the command has set off at once.
            let packet = event::command_status(self.out.pool(), opcode, answer.err().unwrap_or(Status::SUCCESS));
            return self.out.hci_at(before, packet);
        }
        self.command_with_complete(now, opcode, &mut r);
    }

    fn complete(&mut self, opcode: Opcode, status: Status, put: impl FnOnce(&mut Packet)) {
        let mut packet = event::command_complete(self.out.pool(), opcode, status);
        put(&mut packet);
        self.out.hci(event::finish(packet));
    }

    /// Commands whose end is an event of its own.
    fn command_with_status(&mut self, now: Instant, opcode: Opcode, r: &mut Reader<'_>) -> Option<Answer> {
        Some(match opcode {
            opcode::DISCONNECT => self.disconnect(now, r),
            opcode::READ_REMOTE_VERSION => self.start_for(now, r, |_, _, _| Ok(Local::Version)),
            opcode::LE_READ_REMOTE_FEATURES => self.start_for(now, r, |_, _, _| Ok(Local::Features)),
            opcode::LE_CREATE_CONNECTION => self.create_connection(now, r),
            opcode::LE_CONNECTION_UPDATE => self.start_for(now, r, Self::connection_update),
            opcode::LE_ENABLE_ENCRYPTION => self.start_for(now, r, Self::enable_encryption),
            opcode::LE_SET_PHY => self.start_for(now, r, Self::set_phy),
            opcode::LE_FRAME_SPACE_UPDATE => self.start_for(now, r, Self::frame_space_update),
            _ => return None,
        })
    }

    fn command_with_complete(&mut self, now: Instant, opcode: Opcode, r: &mut Reader<'_>) {
        let answer = match opcode {
            opcode::RESET => self.reset(r),
            opcode::SET_EVENT_MASK => need(r.u64()).map(|mask| self.out.event_mask = mask),
            opcode::LE_SET_EVENT_MASK => need(r.u64()).map(|mask| self.out.le_event_mask = mask),
            opcode::SET_EVENT_MASK_PAGE_2 => need(r.u64()).map(|_| ()),
            opcode::SET_CONTROLLER_TO_HOST_FLOW_CONTROL => self.host_flow_control(r),
            opcode::HOST_BUFFER_SIZE => self.host_buffer_size(r),
            opcode::LE_SET_RANDOM_ADDRESS => need(r.array()).map(|a| self.settings.random_address = Some(a)),
            opcode::LE_SET_ADV_PARAMETERS => self.advertising_parameters(r),
            opcode::LE_SET_ADV_DATA => data31(r).map(|data| self.settings.advertising.data = data.to_vec()),
            opcode::LE_SET_SCAN_RESPONSE_DATA => {
                data31(r).map(|data| self.settings.advertising.response = data.to_vec())
            }
            opcode::LE_SET_ADV_ENABLE => self.advertising_enable(now, r),
            opcode::LE_SET_SCAN_PARAMETERS => self.scan_parameters(r),
            opcode::LE_SET_SCAN_ENABLE => self.scan_enable(now, r),
            opcode::LE_CREATE_CONNECTION_CANCEL => self.cancel_connection(opcode),
            opcode::LE_SET_CHANNEL_CLASSIFICATION => self.channel_classification(now, r),
            opcode::LE_WRITE_SUGGESTED_DATA_LENGTH => self.suggested_length(r),
            opcode::LE_SET_DEFAULT_PHY => self.default_phy(r),
            _ => return self.command_with_values(now, opcode, r),
        };
        let answer = answer.and_then(|()| if r.is_empty() { Ok(()) } else { Err(Status::INVALID_PARAMETERS) });
        self.complete(opcode, answer.err().unwrap_or(Status::SUCCESS), |_| {});
        if opcode == opcode::LE_CREATE_CONNECTION_CANCEL && answer.is_ok() {
            self.report_cancelled();
        }
    }

    /// Commands that return values.
    fn command_with_values(&mut self, now: Instant, opcode: Opcode, r: &mut Reader<'_>) {
        let p = self.personality;
        let address = self.address;
        match opcode {
            opcode::READ_BD_ADDR => self.complete(opcode, Status::SUCCESS, |out| out.put(&address)),
            opcode::READ_LOCAL_VERSION => self.complete(opcode, Status::SUCCESS, |out| {
                let (version, company, subversion) = VERSION;
                out.put_u8(version);
                out.put_u16(subversion);
                out.put_u8(version);
                out.put_u16(company);
                out.put_u16(subversion);
            }),
            opcode::READ_LOCAL_COMMANDS => self.complete(opcode, Status::SUCCESS, |out| out.put(&SUPPORTED_COMMANDS)),
            // BR/EDR not supported, LE supported. Core 6.0, Vol 2, Part C, 3.3.
            opcode::READ_LOCAL_FEATURES => self.complete(opcode, Status::SUCCESS, |out| out.put_u64(0b11 << 37)),
            opcode::LE_READ_BUFFER_SIZE => self.complete(opcode, Status::SUCCESS, |out| {
                out.put_u16(p.acl_size);
                out.put_u8(p.acl_count);
            }),
            opcode::LE_READ_LOCAL_FEATURES => self.complete(opcode, Status::SUCCESS, |out| out.put_u64(features(&p))),
            // Every state and combination of legacy advertising, scanning, initiating and connection.
            opcode::LE_READ_SUPPORTED_STATES => {
                self.complete(opcode, Status::SUCCESS, |out| out.put_u64(0x3ff_ffff_ffff));
            }
            opcode::LE_RAND => {
                let bits = self.chance.bits();
                self.complete(opcode, Status::SUCCESS, |out| out.put_u64(bits));
            }
            opcode::LE_READ_SUGGESTED_DATA_LENGTH => {
                let offer = self.settings.offer;
                self.complete(opcode, Status::SUCCESS, |out| {
                    out.put_u16(offer.max_tx_octets);
                    out.put_u16(offer.max_tx_time);
                });
            }
            opcode::LE_READ_MAXIMUM_DATA_LENGTH => {
                let most = Offer::of(p.data_octets, p.data_octets, p.phy_coded);
                self.complete(opcode, Status::SUCCESS, |out| {
                    for field in [most.max_tx_octets, most.max_tx_time, most.max_rx_octets, most.max_rx_time] {
                        out.put_u16(field);
                    }
                });
            }
            _ => self.command_for_connection(now, opcode, r),
        }
    }

    /// Commands about one connection that are done at once.
    fn command_for_connection(&mut self, now: Instant, opcode: Opcode, r: &mut Reader<'_>) {
        let known = [
            opcode::READ_RSSI,
            opcode::LE_READ_CHANNEL_MAP,
            opcode::LE_READ_PHY,
            opcode::LE_SET_DATA_LENGTH,
            opcode::LE_LONG_TERM_KEY_REPLY,
            opcode::LE_LONG_TERM_KEY_NEGATIVE_REPLY,
            opcode::LE_PARAMETER_REQUEST_REPLY,
            opcode::LE_PARAMETER_REQUEST_NEGATIVE_REPLY,
        ];
        if !known.contains(&opcode) {
            let packet = event::command_status(self.out.pool(), opcode, Status::UNKNOWN_COMMAND);
            return self.out.hci(packet);
        }
        let Some(handle) = r.u16() else {
            return self.complete(opcode, Status::INVALID_PARAMETERS, |out| out.put_u16(0));
        };
        let slot = usize::from(handle);
        let Some(connection) = self.connection(handle) else {
            return self.complete(opcode, Status::UNKNOWN_CONNECTION, |out| out.put_u16(handle));
        };
        let (map, tx, rx) = (connection.map.bits(), connection.tx_phy, connection.rx_phy);
        let answer = match opcode {
            opcode::LE_SET_DATA_LENGTH => self.set_data_length(now, slot, r),
            opcode::LE_LONG_TERM_KEY_REPLY => self.key_reply(now, slot, need(r.array()).map(Some)),
            opcode::LE_LONG_TERM_KEY_NEGATIVE_REPLY => self.key_reply(now, slot, Ok(None)),
            opcode::LE_PARAMETER_REQUEST_REPLY => self.parameter_reply(now, slot, r),
            opcode::LE_PARAMETER_REQUEST_NEGATIVE_REPLY => self.parameter_refusal(now, slot, r),
            _ => Ok(()),
        };
        self.complete(opcode, answer.err().unwrap_or(Status::SUCCESS), |out| {
            out.put_u16(handle);
            match opcode {
                opcode::READ_RSSI => out.put_u8(-50i8 as u8),
                opcode::LE_READ_CHANNEL_MAP => out.put(&map.to_le_bytes()[..5]),
                opcode::LE_READ_PHY => out.put(&[phy_bit(tx).trailing_zeros() as u8 + 1, phy_bit(rx).trailing_zeros() as u8 + 1]),
                _ => {}
            }
        });
    }

    fn reset(&mut self, r: &Reader<'_>) -> Answer {
        if !r.is_empty() {
            return Err(Status::INVALID_PARAMETERS);
        }
        // The peers of open connections find out by supervision timeout, as with silicon.
        self.connections.clear();
        self.advertiser = None;
        self.scanner = None;
        self.initiator = None;
        self.host_room = None;
        self.holder = Holder::Nobody;
        self.settings = super::parameters::HostSettings::new(&self.personality);
        self.out.reset_masks();
        self.out.listen(None);
        Ok(())
    }
}

// Flow control from controller to host. Core 6.0, Vol 4, Part E, 4.2.
impl Controller {
    fn host_flow_control(&mut self, r: &mut Reader<'_>) -> Answer {
        match need(r.u8())? {
            0 => self.host_room = None,
            1 => self.host_room = Some(self.host_room.unwrap_or(0)),
            _ => return Err(Status::UNSUPPORTED_FEATURE),
        }
        Ok(())
    }

    fn host_buffer_size(&mut self, r: &mut Reader<'_>) -> Answer {
        let _octets = need(r.u16())?;
        let _synchronous_octets = need(r.u8())?;
        let packets = need(r.u16())?;
        let _synchronous_packets = need(r.u16())?;
        if packets == 0 {
            return Err(Status::INVALID_PARAMETERS);
        }
        if self.host_room.is_some() {
            self.host_room = Some(packets);
        }
        Ok(())
    }

    fn host_completed(&mut self, r: &mut Reader<'_>) -> Answer {
        let handles = need(r.u8())?;
        for _ in 0..handles {
            let _handle = need(r.u16())?;
            let packets = need(r.u16())?;
            if let Some(room) = &mut self.host_room {
                *room = room.saturating_add(packets);
            }
        }
        for connection in self.connections.iter_mut().flatten() {
            connection.deliver(&mut self.out, &mut self.host_room);
        }
        if r.is_empty() { Ok(()) } else { Err(Status::INVALID_PARAMETERS) }
    }
}

/// A length octet and 31 octets of data, of which that many count.
fn data31<'a>(r: &mut Reader<'a>) -> Result<&'a [u8], Status> {
    let len = usize::from(need(r.u8())?);
    let data = need(r.take(31))?;
    data.get(..len).ok_or(Status::INVALID_PARAMETERS)
}

// Advertising, scanning, initiating.
impl Controller {
    fn own_address(&self, random: bool) -> Result<Address, Status> {
        if random { self.settings.random_address.ok_or(Status::INVALID_PARAMETERS) } else { Ok(self.address) }
    }

    fn advertising_parameters(&mut self, r: &mut Reader<'_>) -> Answer {
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

    fn advertising_enable(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
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

    fn scan_parameters(&mut self, r: &mut Reader<'_>) -> Answer {
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

    fn scan_enable(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
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

    fn create_connection(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
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

    /// Interval range, latency, timeout and the two CE lengths. Core 6.0, Vol 4, Part E, 7.8.12.
    fn link_parameters(&self, r: &mut Reader<'_>) -> Option<ParameterRequest> {
        let asked =
            ParameterRequest { interval_min: r.u16()?, interval_max: r.u16()?, latency: r.u16()?, timeout: r.u16()? };
        let _event_length = (r.u16()?, r.u16()?);
        let shortest = (self.personality.interval_min / UNIT_1_25_MS).clamp(1, 6) as u16;
        let Timing { interval, latency, timeout } = timing(asked.interval_max, asked.latency, asked.timeout);
        let good = (shortest..=3200).contains(&asked.interval_min)
            && (asked.interval_min..=3200).contains(&asked.interval_max)
            && latency <= 499
            && (10..=3200).contains(&asked.timeout)
            && timeout > interval * 2 * (u64::from(latency) + 1);
        good.then_some(asked)
    }

    fn cancel_connection(&mut self, _opcode: Opcode) -> Answer {
        if self.holder == Holder::Initiator {
            self.out.listen(None);
            self.holder = Holder::Nobody;
        }
        self.initiator.take().map(|_| ()).ok_or(Status::COMMAND_DISALLOWED)
    }

    /// A cancelled attempt ends with a Connection Complete that says so. Core 6.0, Vol 4, Part E, 7.8.13.
    fn report_cancelled(&mut self) {
        let mut packet = event::le_event(self.out.pool(), event::LE_CONNECTION_COMPLETE);
        packet.put_u8(Status::UNKNOWN_CONNECTION.0);
        packet.put(&[0; 17]);
        self.out.le_event(event::finish(packet));
    }

    fn channel_classification(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
        let map = u64::from(need(r.u32())?) | u64::from(need(r.u8())?) << 32;
        let map = ChannelMap::new(map).ok_or(Status::INVALID_PARAMETERS)?.bits();
        self.settings.channel_map = map;
        for slot in 0..self.connections.len() {
            self.with(slot, now, |connection, ctx| {
                if connection.role == Role::Central && connection.map.bits() != map {
                    connection.start(ctx, Local::ChannelMap(map));
                }
            });
        }
        Ok(())
    }

    fn suggested_length(&mut self, r: &mut Reader<'_>) -> Answer {
        let (octets, time) = (need(r.u16())?, need(r.u16())?);
        let offer = Offer { max_tx_octets: octets, max_tx_time: time, ..self.settings.offer };
        if !offer.is_valid() {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.settings.offer.max_tx_octets = octets.min(self.personality.data_octets);
        self.settings.offer.max_tx_time = time;
        Ok(())
    }

    fn default_phy(&mut self, r: &mut Reader<'_>) -> Answer {
        let (all, tx, rx) = (need(r.u8())?, need(r.u8())?, need(r.u8())?);
        self.settings.phys = self.phys(all, tx, rx)?;
        Ok(())
    }

    /// PHYs to send and receive on; what the host leaves open is everything supported.
    fn phys(&self, all: u8, tx: u8, rx: u8) -> Result<(u8, u8), Status> {
        let own = supported_phys(&self.personality);
        let pick = |open: u8, bits: u8| if all & open != 0 { own } else { bits };
        let (tx, rx) = (pick(1, tx), pick(2, rx));
        if tx == 0 || rx == 0 || tx > 7 || rx > 7 {
            return Err(Status::INVALID_PARAMETERS);
        }
        if tx & !own != 0 || rx & !own != 0 {
            return Err(Status::UNSUPPORTED_FEATURE);
        }
        Ok((tx, rx))
    }
}

/// Interval and window of scanning or initiating: 2.5 ms to 10.24 s, the window no longer than the interval.
fn windows(r: &mut Reader<'_>) -> Option<Windows> {
    let (interval, window) = (r.u16()?, r.u16()?);
    let range = 4..=0x4000;
    (range.contains(&interval) && range.contains(&window) && window <= interval).then(|| Windows {
        interval: UNIT_625_US * u64::from(interval),
        window: UNIT_625_US * u64::from(window),
    })
}

// One connection.
impl Controller {
    fn disconnect(&mut self, now: Instant, r: &mut Reader<'_>) -> Answer {
        let (handle, reason) = (need(r.u16())?, need(r.u8())?);
        if !r.is_empty() {
            return Err(Status::INVALID_PARAMETERS);
        }
        let slot = usize::from(handle);
        self.with(slot, now, |connection, ctx| connection.start(ctx, Local::Terminate(Status(reason))))
            .ok_or(Status::UNKNOWN_CONNECTION)
    }

    /// Reads a handle and starts the procedure that `choose` makes of the rest.
    fn start_for(
        &mut self,
        now: Instant,
        r: &mut Reader<'_>,
        choose: impl FnOnce(&Self, &Connection, &mut Reader<'_>) -> Result<Local, Status>,
    ) -> Answer {
        let handle = need(r.u16())?;
        let connection = self.connection(handle).ok_or(Status::UNKNOWN_CONNECTION)?;
        let local = choose(self, connection, r)?;
        if !r.is_empty() {
            return Err(Status::INVALID_PARAMETERS);
        }
        self.with(usize::from(handle), now, |connection, ctx| connection.start(ctx, local));
        Ok(())
    }

    fn connection_update(&self, connection: &Connection, r: &mut Reader<'_>) -> Result<Local, Status> {
        let asked = need(self.link_parameters(r))?;
        match connection.role {
            Role::Central => Ok(Local::Update(timing(asked.interval_max, asked.latency, asked.timeout))),
            Role::Peripheral if self.personality.parameter_request => Ok(Local::Parameters(asked)),
            Role::Peripheral => Err(Status::UNSUPPORTED_FEATURE),
        }
    }

    fn enable_encryption(&self, connection: &Connection, r: &mut Reader<'_>) -> Result<Local, Status> {
        let (rand, ediv, key) = (need(r.u64())?, need(r.u16())?, need(r.array())?);
        if connection.role != Role::Central || connection.encryption.tx {
            return Err(Status::COMMAND_DISALLOWED);
        }
        Ok(Local::Encrypt { rand, ediv, key })
    }

    fn set_phy(&self, _connection: &Connection, r: &mut Reader<'_>) -> Result<Local, Status> {
        let (all, tx, rx, options) = (need(r.u8())?, need(r.u8())?, need(r.u8())?, need(r.u16())?);
        let (tx, rx) = self.phys(all, tx, rx)?;
        // Options: 1 prefers S=2, 2 prefers S=8, 0 leaves it to the controller, which takes S=8.
        Ok(Local::Phy { tx, rx, s8: options != 1 || tx & PHY_CODED == 0 })
    }

    fn frame_space_update(&self, _connection: &Connection, r: &mut Reader<'_>) -> Result<Local, Status> {
        let (min, max, phys, types) = (need(r.u16())?, need(r.u16())?, need(r.u8())?, need(r.u16())?);
        let own = self.personality.frame_space_min.ok_or(Status::UNKNOWN_COMMAND)?;
        if min > max || max > 10_000 || phys & (PHY_1M | 0b110) == 0 || types == 0 {
            return Err(Status::INVALID_PARAMETERS);
        }
        if Duration::from_micros(max.into()) < own {
            return Err(Status::UNSUPPORTED_FEATURE);
        }
        let min = min.max(own.as_micros().min(u64::from(max)) as u16);
        Ok(Local::FrameSpace { min, max, phys })
    }

    fn set_data_length(&mut self, now: Instant, slot: usize, r: &mut Reader<'_>) -> Answer {
        let (octets, time) = (need(r.u16())?, need(r.u16())?);
        let offer = Offer { max_tx_octets: octets, max_tx_time: time, ..self.settings.offer };
        if !offer.is_valid() || !r.is_empty() {
            return Err(Status::INVALID_PARAMETERS);
        }
        let octets = octets.min(self.personality.data_octets);
        self.with(slot, now, |connection, ctx| {
            connection.procedures.set_tx_offer(octets, time);
            connection.start(ctx, Local::Length);
        });
        Ok(())
    }

    fn key_reply(&mut self, now: Instant, slot: usize, key: Result<Option<[u8; 16]>, Status>) -> Answer {
        let key = key?;
        let asked = self.connections[slot].as_ref().is_some_and(|c| c.procedures.owes_key());
        if !asked {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(slot, now, |connection, ctx| connection.answer_key(ctx, key.as_ref()));
        Ok(())
    }

    fn parameter_reply(&mut self, now: Instant, slot: usize, r: &mut Reader<'_>) -> Answer {
        let accepted = need(self.link_parameters(r))?;
        self.answer_parameters(now, slot, Ok(accepted))
    }

    fn parameter_refusal(&mut self, now: Instant, slot: usize, r: &mut Reader<'_>) -> Answer {
        let reason = Status(need(r.u8())?);
        self.answer_parameters(now, slot, Err(reason))
    }

    fn answer_parameters(&mut self, now: Instant, slot: usize, answer: Result<ParameterRequest, Status>) -> Answer {
        let asked = self.connections[slot].as_ref().is_some_and(|c| c.procedures.owes_answer());
        if !asked {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.with(slot, now, |connection, ctx| connection.answer_parameters(ctx, answer));
        Ok(())
    }
}

/// Octet and bit of every command of [`opcode::ALL`]. Core 6.0, Vol 4, Part E, 6.27.
const COMMAND_BITS: &[(usize, u8)] = &[
    (0, 5), (2, 7), (5, 6), (5, 7), (10, 5), (10, 6), (10, 7), (14, 3), (14, 5), (15, 1), (15, 5), (22, 2),
    (25, 0), (25, 1), (25, 2), (25, 4), (25, 5), (25, 7), (26, 0), (26, 1), (26, 2), (26, 3), (26, 4), (26, 5),
    (27, 2), (27, 3), (27, 4), (27, 5), (27, 7), (28, 0), (28, 1), (28, 2), (28, 3), (33, 4), (33, 5), (33, 6),
    (33, 7), (34, 0), (35, 3), (35, 4), (35, 5), (35, 6), (48, 1),
];

/// The answer to Read Local Supported Commands.
const SUPPORTED_COMMANDS: [u8; 64] = {
    let mut bits = [0; 64];
    let mut i = 0;
    while i < COMMAND_BITS.len() {
        bits[COMMAND_BITS[i].0] |= 1 << COMMAND_BITS[i].1;
        i += 1;
    }
    bits
};
