//! Start-up: what a host asks of its controller before anything else.

use airtime_core::bytes::Reader;

use super::commands::For;
use super::intervals::{TIMEOUT_UNIT, units};
use super::procedures::TX_TIME_MAX;
use super::{Host, HostEvent};
use crate::air::DATA_OCTETS_MAX;
use crate::hci::{Opcode, Status, event, opcode};
use crate::personality::LengthCare;

/// The default mask and LE Meta. Core 6.0, Vol 4, Part E, 7.3.1.
const EVENT_MASK: u64 = 0x2000_1fff_ffff_ffff;

/// LE events we act on; bit n is subevent n + 1. Core 6.0, Vol 4, Part E, 7.8.1.
const LE_EVENT_MASK: u64 = le_event_mask(&[
    event::LE_CONNECTION_COMPLETE,
    event::LE_ADVERTISING_REPORT,
    event::LE_CONNECTION_UPDATE_COMPLETE,
    event::LE_LONG_TERM_KEY_REQUEST,
    event::LE_REMOTE_PARAMETER_REQUEST,
    event::LE_DATA_LENGTH_CHANGE,
    event::LE_PHY_UPDATE_COMPLETE,
    event::LE_FRAME_SPACE_UPDATE_COMPLETE,
]);

/// Those besides of a host that supports connection subrating.
const SUBRATING_EVENTS: u64 = le_event_mask(&[event::LE_READ_REMOTE_FEATURES_COMPLETE, event::LE_SUBRATE_CHANGE]);

/// Longest supervision timeout, in units of 10 ms. Core 6.2, Vol 4, Part E, 7.8.123.
const TIMEOUT_MAX: u16 = 0x0c80;

/// Connection Subrating (Host Support). Core 6.2, Vol 6, Part B, 4.6.
const SUBRATING_BIT: u8 = 38;

const fn le_event_mask(subevents: &[u8]) -> u64 {
    let mut mask = 0;
    let mut at = 0;
    while at < subevents.len() {
        mask |= 1 << (subevents[at] - 1);
        at += 1;
    }
    mask
}

impl Host {
    /// Queues the commands of start-up; requests of the application queue behind them.
    pub(super) fn start_up(&mut self) {
        let out = &mut self.out;
        out.command(opcode::RESET, For::Nobody, |_| ());
        out.command(opcode::SET_EVENT_MASK, For::Nobody, |params| params.put_u64(EVENT_MASK));
        let subrates = self.config.subrates;
        let le_events = LE_EVENT_MASK | if subrates.is_some() { SUBRATING_EVENTS } else { 0 };
        out.command(opcode::LE_SET_EVENT_MASK, For::Nobody, |params| params.put_u64(le_events));
        out.command(opcode::READ_BD_ADDR, For::Nobody, |_| ());
        if let Some(packets) = self.config.personality.flow_control {
            out.command(opcode::HOST_BUFFER_SIZE, For::Nobody, |params| {
                params.put_u16(DATA_OCTETS_MAX);
                params.put_u8(0);
                params.put_u16(packets.max(1).into());
                params.put_u16(0);
            });
            out.command(opcode::SET_CONTROLLER_TO_HOST_FLOW_CONTROL, For::Nobody, |params| params.put_u8(1));
        }
        if self.config.personality.data_length != LengthCare::None {
            // Its controller offers no more than it can.
            out.command(opcode::LE_WRITE_SUGGESTED_DATA_LENGTH, For::Nobody, |params| {
                [DATA_OCTETS_MAX, TX_TIME_MAX].iter().for_each(|word| params.put_u16(*word));
            });
        }
        if let Some(terms) = subrates {
            out.command(opcode::LE_SET_HOST_FEATURE, For::Nobody, |params| params.put(&[SUBRATING_BIT, 1]));
            let timeout = units(terms.supervision_timeout, TIMEOUT_UNIT).unwrap_or(TIMEOUT_MAX);
            out.command(opcode::LE_SET_DEFAULT_SUBRATE, For::Nobody, |params| {
                [1, terms.factor, terms.latency, 0, timeout].iter().for_each(|word| params.put_u16(*word));
            });
        }
        out.command(opcode::LE_READ_LOCAL_FEATURES, For::Nobody, |_| ());
        out.command(opcode::LE_READ_BUFFER_SIZE, For::Ready, |_| ());
    }

    /// Takes the return parameters of a command that succeeded.
    pub(super) fn on_return(&mut self, opcode: Opcode, r: &mut Reader<'_>) -> Option<()> {
        match opcode {
            opcode::READ_BD_ADDR => self.address = r.array()?,
            opcode::SET_CONTROLLER_TO_HOST_FLOW_CONTROL => self.buffers.flow_control = true,
            opcode::LE_READ_BUFFER_SIZE => {
                let (size, count) = (r.u16()?, r.u8()?);
                // At least the smallest ACL data length of LE: Core 6.0, Vol 4, Part E, 7.8.2.
                self.buffers.acl_size = usize::from(size).max(27);
                self.buffers.acl_count = count.into();
                self.buffers.acl_free = count.into();
            }
            _ => (),
        }
        Some(())
    }

    /// Tells the right one that a command ended, with success or without.
    pub(super) fn on_command_ended(&mut self, opcode: Opcode, whom: For, status: Status) {
        match whom {
            For::Nobody if opcode == opcode::LE_CREATE_CONNECTION && !status.is_success() => {
                self.connecting = None;
                let conn = super::NO_CONNECTION;
                self.out.event(HostEvent::Disconnected { conn, reason: status });
            }
            For::Nobody => (),
            For::Ready => self.out.event(HostEvent::Ready),
            For::Link(_) if status.is_success() => (),
            For::Link(conn) => self.on_link_command_failed(opcode, conn, status),
        }
    }
}
