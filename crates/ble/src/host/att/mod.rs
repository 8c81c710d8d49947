//! The attribute protocol: a server with the services of a profile, and a client that finds them.
//!
//! Core 6.0, Vol 3, Part F (ATT) and Part G (GATT).

mod client;
mod database;
mod exchange;
mod server;

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use airtime_core::bytes::Reader;
use airtime_core::{Instant, Packet, Pool};

use super::link::{Env, Link};
use super::{ATT_CHANNEL, ConnHandle, HostConfig, HostEvent, Profile, ReceivedSdu, Refused, Role, ValueMethod};
use client::Client;
pub(super) use client::Procedure;
pub(super) use database::RPC_SERVICE_UUID;
use exchange::Exchange;

/// ATT MTU until another is agreed. Core 6.0, Vol 3, Part G, 5.2.1.
pub(super) const MTU_MIN: u16 = 23;

/// Values that wait: as many as the widest window of an application that waits, so that none of those is refused.
pub(super) const VALUES_MAX: usize = 255;

/// Answers that wait for the controller. A client has one request outstanding, so more is a flood.
const ANSWERS_MAX: usize = 8;

/// Opcodes. Core 6.0, Vol 3, Part F, 3.4.8.
mod op {
    pub(super) const ERROR_RESPONSE: u8 = 0x01;
    pub(super) const MTU_REQUEST: u8 = 0x02;
    pub(super) const MTU_RESPONSE: u8 = 0x03;
    pub(super) const FIND_INFORMATION_REQUEST: u8 = 0x04;
    pub(super) const FIND_INFORMATION_RESPONSE: u8 = 0x05;
    pub(super) const FIND_BY_TYPE_VALUE_REQUEST: u8 = 0x06;
    pub(super) const FIND_BY_TYPE_VALUE_RESPONSE: u8 = 0x07;
    pub(super) const READ_BY_TYPE_REQUEST: u8 = 0x08;
    pub(super) const READ_BY_TYPE_RESPONSE: u8 = 0x09;
    pub(super) const READ_REQUEST: u8 = 0x0a;
    pub(super) const READ_RESPONSE: u8 = 0x0b;
    pub(super) const READ_BY_GROUP_TYPE_REQUEST: u8 = 0x10;
    pub(super) const READ_BY_GROUP_TYPE_RESPONSE: u8 = 0x11;
    pub(super) const WRITE_REQUEST: u8 = 0x12;
    pub(super) const WRITE_RESPONSE: u8 = 0x13;
    pub(super) const PREPARE_WRITE_REQUEST: u8 = 0x16;
    pub(super) const PREPARE_WRITE_RESPONSE: u8 = 0x17;
    pub(super) const EXECUTE_WRITE_REQUEST: u8 = 0x18;
    pub(super) const EXECUTE_WRITE_RESPONSE: u8 = 0x19;
    pub(super) const NOTIFICATION: u8 = 0x1b;
    pub(super) const INDICATION: u8 = 0x1d;
    pub(super) const CONFIRMATION: u8 = 0x1e;
    pub(super) const WRITE_COMMAND: u8 = 0x52;
    /// Set in the opcode of a command, which is never answered.
    pub(super) const COMMAND_FLAG: u8 = 0x40;
}

/// The ATT bearer of one connection: server and client side by side.
#[derive(Debug)]
pub(super) struct Att {
    conn: ConnHandle,
    mtu: u16,
    /// Set once the client at the other end has turned on notifications.
    subscribed: bool,
    client: Client,
    exchange: Exchange,
    /// Octets that a client has prepared to write.
    prepared: Vec<u8>,
    /// PDUs that wait, each with whether it is a value of the application.
    queue: VecDeque<(Packet, bool)>,
    /// Values the application gave and that are not with the controller.
    pub(super) queued: usize,
}

impl Att {
    pub(super) fn new(conn: ConnHandle) -> Self {
        Self {
            conn,
            mtu: MTU_MIN,
            subscribed: false,
            client: Client::default(),
            exchange: Exchange::default(),
            prepared: Vec::new(),
            queue: VecDeque::new(),
            queued: 0,
        }
    }

    /// The next PDU to send, and a flag that is set if the application hears that it has gone: of a value without an answer.
    pub(super) fn pop(&mut self, now: Instant) -> Option<(Packet, bool)> {
        if self.exchange.has_timed_out() {
            return None;
        }
        if let Some((pdu, value)) = self.queue.pop_front() {
            self.queued -= usize::from(value).min(self.queued);
            return Some((pdu, value));
        }
        let (pdu, ends) = self.exchange.next(now, &self.client)?;
        self.queued -= usize::from(ends).min(self.queued);
        Some((pdu, false))
    }

    /// True while PDUs wait that could go.
    pub(super) fn has_data(&self) -> bool {
        !self.exchange.has_timed_out() && (!self.queue.is_empty() || self.exchange.is_ready(&self.client))
    }

    /// Takes one PDU from the peer.
    pub(super) fn on_pdu(&mut self, pdu: &[u8], env: &mut Env<'_>) {
        let mut r = Reader::new(pdu);
        let Some(opcode) = r.u8() else { return };
        if pdu.len() > self.mtu.into() {
            return;
        }
        match opcode {
            op::NOTIFICATION => self.on_value(r, client::is_stream, env),
            op::WRITE_COMMAND => {
                let stream = database::stream_value(env.config.profile);
                self.on_value(r, |_, handle| handle == stream, env);
            }
            op::INDICATION => {
                if env.config.values == ValueMethod::Indication {
                    self.on_value(r, client::is_stream, env);
                }
                let confirmation = env.out.pool.copy(&[op::CONFIRMATION]);
                self.answer(confirmation);
            }
            op::CONFIRMATION => drop(self.on_answer(opcode, &r, env)),
            _ if opcode & op::COMMAND_FLAG != 0 => (),
            // Requests are even, responses odd: Core 6.0, Vol 3, Part F, 3.4.8.
            _ if opcode % 2 == 0 => self.serve(opcode, r, env),
            _ if self.on_answer(opcode, &r, env) => (),
            _ => self.on_response(opcode, r, env),
        }
    }

    fn on_value(&mut self, mut r: Reader<'_>, is_stream: impl Fn(&Client, u16) -> bool, env: &mut Env<'_>) {
        if !r.u16().is_some_and(|handle| is_stream(&self.client, handle)) {
            return;
        }
        self.deliver(r.rest(), env);
    }

    /// Gives the application a value that has arrived whole.
    fn deliver(&self, value: &[u8], env: &mut Env<'_>) {
        if env.config.profile == Profile::Rpc {
            let octets = env.out.pool.copy(value);
            return env.out.octets(self.conn, ATT_CHANNEL, octets);
        }
        let mut head = [0; 8];
        let n = head.len().min(value.len());
        head[..n].copy_from_slice(&value[..n]);
        let Ok(len) = u16::try_from(value.len()) else { return };
        let sdu = ReceivedSdu { len, head };
        env.out.event(HostEvent::Received { conn: self.conn, channel: ATT_CHANNEL, sdu });
    }

    fn answer(&mut self, pdu: Packet) {
        if self.queue.len() - self.queued.min(self.queue.len()) < ANSWERS_MAX {
            self.queue.push_back((pdu, false));
        }
    }

    fn agree_on_mtu(&mut self, theirs: u16, env: &mut Env<'_>) {
        self.mtu = own_mtu(env).min(theirs).max(MTU_MIN);
        env.out.event(HostEvent::MtuExchanged { conn: self.conn, mtu: self.mtu });
    }
}

impl Link {
    /// The PDU that carries `value` of the stream characteristic by the method of `config`; of a long write the value alone, which its
    /// parts are cut from.
    pub(super) fn value_pdu(&self, config: &HostConfig, value: &[u8], pool: &Pool) -> Result<Packet, Refused> {
        let method = config.values;
        let handle = match self.role {
            Role::Peripheral if !self.att.subscribed => return Err(Refused::NotSubscribed),
            Role::Peripheral => database::stream_value(config.profile),
            Role::Central => self.att.client.stream().ok_or(Refused::NotDiscovered)?,
        };
        if value.len() > method.octets_max(self.att.mtu).into() {
            return Err(Refused::TooLong);
        }
        let opcode = match (method, self.role) {
            (ValueMethod::LongWrite, _) => return Ok(pool.copy(value)),
            (ValueMethod::Read, _) => {
                let mut pdu = pool.copy(&[op::READ_RESPONSE]);
                pdu.put(value);
                return Ok(pdu);
            }
            (ValueMethod::WriteRequest, _) => op::WRITE_REQUEST,
            (ValueMethod::Indication, _) => op::INDICATION,
            (ValueMethod::Unanswered, Role::Peripheral) => op::NOTIFICATION,
            (ValueMethod::Unanswered, Role::Central) => op::WRITE_COMMAND,
        };
        let mut pdu = pool.packet();
        pdu.put_u8(opcode);
        pdu.put_u16(handle);
        pdu.put(value);
        Ok(pdu)
    }
}

/// The ATT MTU this host offers.
fn own_mtu(env: &Env<'_>) -> u16 {
    env.config.personality.att_mtu.max(MTU_MIN)
}
