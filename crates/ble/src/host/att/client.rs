//! The client: finds the services of its profile, reads the PSM, turns on notifications.
//!
//! One request is outstanding at a time: Core 6.0, Vol 3, Part F, 3.3.2.

use alloc::collections::VecDeque;

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::database::{self, CHARACTERISTIC, CLIENT_CONFIGURATION, PRIMARY_SERVICE, PSM, Uuid};
use super::{Att, MTU_MIN, op, own_mtu};
use crate::host::link::Env;
use crate::host::{HostEvent, Refused, ValueMethod};

/// Procedure that an application asks of the ATT client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum Procedure {
    /// MTU exchange.
    ExchangeMtu,
    /// Find the services and read the PSM.
    Discover,
    /// Turn on notifications of the stream.
    Subscribe,
}

/// The request that is outstanding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Mtu,
    /// Number of the service in the profile's list.
    Service(usize),
    Characteristics {
        of: usize,
        from: u16,
    },
    Psm,
    Descriptors {
        from: u16,
    },
    Configure {
        handle: u16,
    },
}

/// Procedures that wait behind the one under way.
const PROCEDURES_MAX: usize = 4;

/// State of the ATT client: the procedure under way, and the handles found so far.
#[derive(Debug, Default)]
pub(super) struct Client {
    step: Option<Step>,
    waiting: VecDeque<Procedure>,
    service_end: u16,
    psm: Option<u16>,
    stream: Option<u16>,
    /// End group handle of the service of the stream.
    stream_end: u16,
}

impl Client {
    /// True while a request of a procedure is without its response.
    pub(super) fn is_asking(&self) -> bool {
        self.step.is_some()
    }

    /// Handle of the peer's stream value, once discovered.
    pub(super) fn stream(&self) -> Option<u16> {
        self.stream
    }
}

/// Tells if a notification with this handle is of the stream.
pub(super) fn is_stream(client: &Client, handle: u16) -> bool {
    client.stream == Some(handle)
}

impl Att {
    /// Starts a procedure, or queues it behind the one under way.
    pub(in crate::host) fn start(&mut self, procedure: Procedure, env: &mut Env<'_>) -> Result<(), Refused> {
        let discovers = self.client.step.is_some() || self.client.stream.is_some();
        if procedure == Procedure::Subscribe && !discovers {
            return Err(Refused::NotDiscovered);
        }
        if self.client.waiting.len() == PROCEDURES_MAX {
            return Err(Refused::Busy);
        }
        self.client.waiting.push_back(procedure);
        self.next_procedure(env);
        Ok(())
    }

    pub(super) fn next_procedure(&mut self, env: &mut Env<'_>) {
        if self.client.step.is_some() || self.exchange.is_asking() {
            return;
        }
        let Some(procedure) = self.client.waiting.pop_front() else { return };
        let step = match procedure {
            Procedure::ExchangeMtu => Step::Mtu,
            Procedure::Discover => {
                (self.client.psm, self.client.stream) = (None, None);
                Step::Service(0)
            }
            // Who reads turns nothing on.
            Procedure::Subscribe if env.config.values == ValueMethod::Read => {
                if self.client.stream.is_none() {
                    return self.next_procedure(env);
                }
                env.out.event(HostEvent::Subscribed { conn: self.conn });
                self.read_on(env);
                return self.next_procedure(env);
            }
            Procedure::Subscribe => match self.client.stream.and_then(|stream| stream.checked_add(1)) {
                Some(from) => Step::Descriptors { from },
                None => return self.next_procedure(env),
            },
        };
        self.ask(step, env);
    }

    fn ask(&mut self, step: Step, env: &mut Env<'_>) {
        let mut request = env.out.pool.packet();
        let range = |request: &mut Packet, opcode: u8, from: u16, to: u16| {
            request.put_u8(opcode);
            request.put_u16(from);
            request.put_u16(to);
        };
        match step {
            Step::Mtu => {
                request.put_u8(op::MTU_REQUEST);
                request.put_u16(own_mtu(env));
            }
            Step::Service(number) => {
                range(&mut request, op::FIND_BY_TYPE_VALUE_REQUEST, 1, 0xffff);
                PRIMARY_SERVICE.emit(&mut request);
                if let Some(service) = database::services(env.config.profile).get(number) {
                    service.emit(&mut request);
                }
            }
            Step::Characteristics { from, .. } => {
                range(&mut request, op::READ_BY_TYPE_REQUEST, from, self.client.service_end);
                CHARACTERISTIC.emit(&mut request);
            }
            Step::Psm => {
                request.put_u8(op::READ_REQUEST);
                request.put_u16(self.client.psm.unwrap_or(0));
            }
            Step::Descriptors { from } => {
                range(&mut request, op::FIND_INFORMATION_REQUEST, from, self.client.stream_end);
            }
            Step::Configure { handle } => {
                request.put_u8(op::WRITE_REQUEST);
                request.put_u16(handle);
                request.put_u16(database::configuration(env.config.values));
            }
        }
        self.client.step = Some(step);
        self.queue.push_back((request, false));
    }

    /// Takes a response; one that does not answer our request is ignored.
    pub(super) fn on_response(&mut self, opcode: u8, mut r: Reader<'_>, env: &mut Env<'_>) {
        let Some(step) = self.client.step else { return };
        match (step, opcode) {
            (Step::Mtu, op::MTU_RESPONSE) => {
                let theirs = r.u16().unwrap_or(MTU_MIN);
                self.agree_on_mtu(theirs, env);
                self.end(env);
            }
            (Step::Service(of), op::FIND_BY_TYPE_VALUE_RESPONSE) => match r.u16().zip(r.u16()) {
                Some((from, end)) if from < end => {
                    self.client.service_end = end;
                    self.ask(Step::Characteristics { of, from: from + 1 }, env);
                }
                _ => self.fail(step, env),
            },
            (Step::Characteristics { of, from }, op::READ_BY_TYPE_RESPONSE) => {
                self.on_characteristics(of, from, r, env);
            }
            (Step::Psm, op::READ_RESPONSE) => {
                let psm = r.u16().filter(|psm| *psm != 0);
                self.discovered(psm, env);
            }
            (Step::Descriptors { from }, op::FIND_INFORMATION_RESPONSE) => self.on_descriptors(from, r, env),
            (Step::Configure { .. }, op::WRITE_RESPONSE) => {
                env.out.event(HostEvent::Subscribed { conn: self.conn });
                self.end(env);
            }
            (_, op::ERROR_RESPONSE) => self.fail(step, env),
            _ => (),
        }
    }

    /// Characteristic declarations: handle, properties, value handle, type.
    fn on_characteristics(&mut self, of: usize, from: u16, mut r: Reader<'_>, env: &mut Env<'_>) {
        let stream = database::stream(env.config.profile);
        let octets = usize::from(r.u8().unwrap_or(0)).max(1);
        let mut last = None;
        while let Some(entry) = r.take(octets) {
            let mut entry = Reader::new(entry);
            let Some((handle, _properties)) = entry.u16().zip(entry.u8()) else { break };
            let Some(value) = entry.u16() else { break };
            last = Some(handle);
            match Uuid::parse(entry.rest()) {
                Some(PSM) => self.client.psm = Some(value),
                Some(uuid) if uuid == stream => {
                    (self.client.stream, self.client.stream_end) = (Some(value), self.client.service_end);
                }
                _ => (),
            }
        }
        // A server that goes backwards would keep us asking for ever.
        match last.and_then(|last| last.checked_add(1)) {
            Some(next) if next > from && next <= self.client.service_end => {
                self.ask(Step::Characteristics { of, from: next }, env);
            }
            _ => self.fail(Step::Characteristics { of, from }, env),
        }
    }

    /// Descriptors: format, then handle and type of each.
    fn on_descriptors(&mut self, from: u16, mut r: Reader<'_>, env: &mut Env<'_>) {
        let octets = if r.u8() == Some(1) { 4 } else { 18 };
        let mut last = None;
        while let Some(entry) = r.take(octets) {
            let mut entry = Reader::new(entry);
            let Some(handle) = entry.u16() else { break };
            if Uuid::parse(entry.rest()) == Some(CLIENT_CONFIGURATION) {
                return self.ask(Step::Configure { handle }, env);
            }
            last = Some(handle);
        }
        match last.and_then(|last| last.checked_add(1)) {
            Some(next) if next > from && next <= self.client.stream_end => {
                self.ask(Step::Descriptors { from: next }, env);
            }
            _ => self.fail(Step::Descriptors { from }, env),
        }
    }

    /// A step found nothing more. For the characteristics of a service that is their end.
    fn fail(&mut self, step: Step, env: &mut Env<'_>) {
        match step {
            Step::Mtu => {
                env.out.event(HostEvent::MtuExchanged { conn: self.conn, mtu: self.mtu });
                self.end(env);
            }
            Step::Service(of) | Step::Characteristics { of, .. } => {
                if of + 1 < database::services(env.config.profile).len() {
                    self.ask(Step::Service(of + 1), env);
                } else if self.client.psm.is_some() {
                    self.ask(Step::Psm, env);
                } else {
                    self.discovered(None, env);
                }
            }
            Step::Psm => self.discovered(None, env),
            Step::Descriptors { .. } | Step::Configure { .. } => self.end(env),
        }
    }

    fn discovered(&mut self, psm: Option<u16>, env: &mut Env<'_>) {
        let stream = self.client.stream.is_some();
        env.out.event(HostEvent::Discovered { conn: self.conn, psm, stream });
        self.end(env);
    }

    fn end(&mut self, env: &mut Env<'_>) {
        self.client.step = None;
        self.next_procedure(env);
    }
}
