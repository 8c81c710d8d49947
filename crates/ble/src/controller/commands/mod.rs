//! HCI commands: every one is answered, known or not, well-formed or not.
//!
//! A command whose effect comes later is answered with Command Status, any other with Command
//! Complete; a malformed one gets "invalid HCI command parameters" in the same kind of answer.

mod advertising;
mod connection;
mod defaults;

use airtime_core::bytes::Reader;
use airtime_core::{Instant, Packet};

use self::advertising::data31;
use super::{Controller, Holder};
use crate::hci::opcode::{self, Opcode};
use crate::hci::{Status, event};
use crate::ll::length::Offer;
use crate::ll::procedure::{Local, VERSION, features, phy_bit};

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
            opcode::LE_CREATE_CONNECTION_CANCEL => self.cancel_connection(),
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
                opcode::LE_READ_PHY => {
                    out.put(&[phy_bit(tx).trailing_zeros() as u8 + 1, phy_bit(rx).trailing_zeros() as u8 + 1])
                }
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

/// Octet and bit of every command of [`opcode::ALL`]. Core 6.0, Vol 4, Part E, 6.27.
const COMMAND_BITS: &[(usize, u8)] = &[
    (0, 5),
    (2, 7),
    (5, 6),
    (5, 7),
    (10, 5),
    (10, 6),
    (10, 7),
    (14, 3),
    (14, 5),
    (15, 1),
    (15, 5),
    (22, 2),
    (25, 0),
    (25, 1),
    (25, 2),
    (25, 4),
    (25, 5),
    (25, 7),
    (26, 0),
    (26, 1),
    (26, 2),
    (26, 3),
    (26, 4),
    (26, 5),
    (27, 2),
    (27, 3),
    (27, 4),
    (27, 5),
    (27, 7),
    (28, 0),
    (28, 1),
    (28, 2),
    (28, 3),
    (33, 4),
    (33, 5),
    (33, 6),
    (33, 7),
    (34, 0),
    (35, 3),
    (35, 4),
    (35, 5),
    (35, 6),
    (48, 1),
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
