//! Values that are answered: write requests, indications, reads, and long writes as prepared parts and their execution.
//!
//! One is outstanding at a time, and the next goes when it has its answer; one that has none in 30 s ends the bearer. Core 6.0, Vol 3,
//! Part F, 3.3.2 and 3.3.3.

use alloc::collections::VecDeque;

use airtime_core::bytes::Reader;
use airtime_core::{Instant, Packet, Pool};

use super::{Att, Client, op};
use crate::host::link::Env;
use crate::host::{ATT_CHANNEL, HostEvent, TRANSACTION_TIMEOUT, ValueMethod};

/// Opcode, handle and offset of a prepared write. Core 6.0, Vol 3, Part F, 3.4.6.1.
const PREPARE_HEADER: usize = 5;

/// Flags of an execution: write all that is prepared. Core 6.0, Vol 3, Part F, 3.4.6.3.
const WRITE_ALL: u8 = 1;
/// Flags of an execution: cancel all that is prepared.
const CANCEL_ALL: u8 = 0;

/// A PDU that is answered.
#[derive(Debug)]
struct Asked {
    pdu: Packet,
    /// Set if a value of the application ends with its answer.
    ends: bool,
}

/// Exchanges of values on one bearer, at both of its ends.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    /// PDUs that wait for the answer to the one before.
    waiting: VecDeque<Asked>,
    /// Opcode of the PDU that is outstanding, and whether a value ends with its answer.
    outstanding: Option<(u8, bool)>,
    /// Instant by which it has to be answered.
    until: Option<Instant>,
    timed_out: bool,
    /// Answers with values that wait to be read.
    readable: VecDeque<Packet>,
    /// A read that waits for a value.
    reads: bool,
}

impl Exchange {
    /// The next PDU to ask with, and a flag that is set if it is the last of a value; none while one is outstanding, or while `client`
    /// has the place of a request.
    pub(super) fn next(&mut self, now: Instant, client: &Client) -> Option<(Packet, bool)> {
        if !self.is_ready(client) {
            return None;
        }
        let Asked { pdu, ends } = self.waiting.pop_front()?;
        self.outstanding = Some((pdu.first().copied().unwrap_or(0), ends));
        self.until = Some(now + TRANSACTION_TIMEOUT);
        Some((pdu, ends))
    }

    /// True if a PDU could go at once.
    pub(super) fn is_ready(&self, client: &Client) -> bool {
        let is_request = |asked: &Asked| asked.pdu.first() != Some(&op::INDICATION);
        let has_place = |asked: &Asked| !(client.is_asking() && is_request(asked));
        self.outstanding.is_none() && self.waiting.front().is_some_and(has_place)
    }

    /// True while a PDU of this end is without its answer.
    pub(super) fn is_outstanding(&self) -> bool {
        self.outstanding.is_some()
    }

    /// True while a value waits for the answer to the one before, or to be read.
    pub(super) fn waits(&self) -> bool {
        self.outstanding.is_some() && !self.waiting.is_empty() || !self.readable.is_empty()
    }

    /// True while a request, which takes the client's one place, is without its response. An indication is the server's.
    pub(super) fn is_asking(&self) -> bool {
        self.outstanding.is_some_and(|(opcode, _)| opcode != op::INDICATION)
    }

    /// Instant at which the bearer ends unless the answer comes.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.until
    }

    /// True once an answer did not come in time: nothing is sent any more.
    pub(super) fn has_timed_out(&self) -> bool {
        self.timed_out
    }

    fn ask(&mut self, pdu: Packet, ends: bool) {
        self.waiting.push_back(Asked { pdu, ends });
    }

    fn over(&mut self) {
        (self.outstanding, self.until) = (None, None);
    }
}

/// Opcode that answers `opcode`.
fn answer_of(opcode: u8) -> u8 {
    // Every response follows its request: Core 6.0, Vol 3, Part F, 3.4.8.
    opcode + 1
}

impl Att {
    /// Queues a value that has been made, in the PDUs of its method.
    pub(in crate::host) fn push_value(&mut self, made: Packet, method: ValueMethod, pool: &Pool) {
        match method {
            ValueMethod::Unanswered => self.queue.push_back((made, true)),
            ValueMethod::WriteRequest | ValueMethod::Indication => self.exchange.ask(made, true),
            ValueMethod::LongWrite => self.prepare(&made, pool),
            ValueMethod::Read => {
                self.exchange.readable.push_back(made);
                self.give_read();
            }
        }
    }

    /// Cuts a value into prepared writes, with the execution behind them.
    fn prepare(&mut self, value: &[u8], pool: &Pool) {
        let room = usize::from(self.mtu) - PREPARE_HEADER;
        let handle = self.client.stream().unwrap_or(0);
        for (number, part) in value.chunks(room).enumerate() {
            let mut pdu = pool.copy(&[op::PREPARE_WRITE_REQUEST]);
            pdu.put_u16(handle);
            pdu.put_u16((number * room) as u16);
            pdu.put(part);
            self.exchange.ask(pdu, false);
        }
        self.exchange.ask(pool.copy(&[op::EXECUTE_WRITE_REQUEST, WRITE_ALL]), true);
    }

    /// Asks for the next value as a client that reads.
    pub(super) fn read_on(&mut self, env: &mut Env<'_>) {
        let Some(handle) = self.client.stream() else { return };
        let mut pdu = env.out.pool.copy(&[op::READ_REQUEST]);
        pdu.put_u16(handle);
        self.exchange.ask(pdu, false);
    }

    /// A client reads the stream: the next value answers it as soon as there is one.
    pub(super) fn serve_read(&mut self, env: &mut Env<'_>) {
        if !core::mem::replace(&mut self.subscribed, true) {
            env.out.event(HostEvent::Subscribed { conn: self.conn });
        }
        self.exchange.reads = true;
        self.give_read();
    }

    fn give_read(&mut self) {
        if self.exchange.reads
            && let Some(response) = self.exchange.readable.pop_front()
        {
            self.exchange.reads = false;
            self.queue.push_back((response, true));
        }
    }

    /// Takes the answer to the PDU that is outstanding; says no to one that is for somebody else.
    pub(super) fn on_answer(&mut self, opcode: u8, r: &Reader<'_>, env: &mut Env<'_>) -> bool {
        let Some((asked, ends)) = self.exchange.outstanding else { return false };
        // An error names the request that it answers.
        let failed = opcode == op::ERROR_RESPONSE && r.clone().u8() == Some(asked);
        if opcode != answer_of(asked) && !failed {
            return false;
        }
        self.exchange.over();
        if failed && asked == op::PREPARE_WRITE_REQUEST {
            // What is left of the value has no use, nor has what was prepared of it.
            while self.exchange.waiting.pop_front().is_some_and(|asked| !asked.ends) {}
            self.queued -= 1.min(self.queued);
            let cancel = env.out.pool.copy(&[op::EXECUTE_WRITE_REQUEST, CANCEL_ALL]);
            self.exchange.waiting.push_front(Asked { pdu: cancel, ends: false });
        }
        if asked == op::READ_REQUEST {
            // Who may not read it now is told so again however often he asks.
            if !failed {
                self.deliver(r.clone().rest(), env);
                self.read_on(env);
            }
        } else if ends || failed && asked == op::PREPARE_WRITE_REQUEST {
            env.out.event(HostEvent::Sent { conn: self.conn, channel: ATT_CHANNEL });
        }
        self.next_procedure(env);
        true
    }

    /// Ends the bearer if an answer is overdue at `now`.
    pub(in crate::host) fn check_answer(&mut self, now: Instant) -> Option<HostEvent> {
        self.exchange.until.filter(|until| *until <= now)?;
        self.exchange.over();
        self.exchange.timed_out = true;
        Some(HostEvent::TransactionTimeout { conn: self.conn })
    }

    /// Instant at which the bearer ends unless an answer comes.
    pub(in crate::host) fn deadline(&self) -> Option<Instant> {
        self.exchange.deadline()
    }

    /// True while a value waits for the other end's answer to the one before, or to be read.
    pub(in crate::host) fn waits_for_answer(&self) -> bool {
        self.exchange.waits()
    }

    /// True while a value of this end is without its answer, whether another one waits for that or not.
    pub(in crate::host) fn awaits_answer(&self) -> bool {
        self.exchange.is_outstanding()
    }
}
