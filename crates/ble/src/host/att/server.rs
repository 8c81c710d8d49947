//! The server: one response to every request. Core 6.0, Vol 3, Part F, 3.4.

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::database::{self, At, Attribute, PRIMARY_SERVICE, Uuid, Value};
use super::{Att, op, own_mtu};
use crate::host::link::Env;
use crate::host::{HostEvent, ValueMethod};

/// Error codes. Core 6.0, Vol 3, Part F, 3.4.1.1.
const INVALID_HANDLE: u8 = 0x01;
const READ_NOT_PERMITTED: u8 = 0x02;
const WRITE_NOT_PERMITTED: u8 = 0x03;
const INVALID_PDU: u8 = 0x04;
const REQUEST_NOT_SUPPORTED: u8 = 0x06;
const INVALID_OFFSET: u8 = 0x07;
const PREPARE_QUEUE_FULL: u8 = 0x09;
const ATTRIBUTE_NOT_FOUND: u8 = 0x0a;
const INVALID_LENGTH: u8 = 0x0d;
const UNSUPPORTED_GROUP_TYPE: u8 = 0x10;

/// Largest attribute value. Core 6.0, Vol 3, Part F, 3.2.9.
const VALUE_MAX: usize = 512;

/// An error code and the handle it is about.
type Fault = (u8, u16);

const MALFORMED: Fault = (INVALID_PDU, 0);

impl Att {
    /// Answers one request.
    pub(super) fn serve(&mut self, opcode: u8, r: Reader<'_>, env: &mut Env<'_>) {
        let stream = database::stream_value(env.config.profile);
        let mut asked = r;
        let is_stream = asked.u16() == Some(stream) && asked.rest().is_empty();
        if opcode == op::READ_REQUEST && env.config.values == ValueMethod::Read && is_stream {
            return self.serve_read(env);
        }
        let mut response = env.out.pool.packet();
        let served = match opcode {
            op::MTU_REQUEST => self.serve_mtu(r, &mut response, env),
            op::FIND_INFORMATION_REQUEST => self.find_information(r, &mut response, env),
            op::FIND_BY_TYPE_VALUE_REQUEST => self.find_by_type_value(r, &mut response, env),
            op::READ_BY_TYPE_REQUEST => self.read_by_type(r, &mut response, env),
            op::READ_BY_GROUP_TYPE_REQUEST => self.read_by_group_type(r, &mut response, env),
            op::READ_REQUEST => self.read(r, &mut response, env),
            op::WRITE_REQUEST => self.write(r, &mut response, env),
            op::PREPARE_WRITE_REQUEST => self.prepare_write(r, &mut response, env),
            op::EXECUTE_WRITE_REQUEST => self.execute_write(r, &mut response, env),
            _ => Err((REQUEST_NOT_SUPPORTED, 0)),
        };
        if let Err((code, handle)) = served {
            response.truncate(0);
            response.put(&[op::ERROR_RESPONSE, opcode]);
            response.put_u16(handle);
            response.put_u8(code);
        }
        self.answer(response);
    }

    fn serve_mtu(&mut self, mut r: Reader<'_>, response: &mut Packet, env: &mut Env<'_>) -> Result<(), Fault> {
        let theirs = r.u16().filter(|_| r.is_empty()).ok_or(MALFORMED)?;
        response.put_u8(op::MTU_RESPONSE);
        response.put_u16(own_mtu(env));
        self.agree_on_mtu(theirs, env);
        Ok(())
    }

    fn find_information(&self, mut r: Reader<'_>, response: &mut Packet, env: &Env<'_>) -> Result<(), Fault> {
        let (start, end) = handles(&mut r)?;
        response.put_u8(op::FIND_INFORMATION_RESPONSE);
        let format = |uuid| if matches!(uuid, Uuid::Short(_)) { (1, 4) } else { (2, 18) };
        for (handle, attribute) in database::range(env.config.profile, start, end) {
            let (code, octets) = format(attribute.uuid);
            if response.len() == 1 {
                response.put_u8(code);
            }
            if response[1] != code || response.len() + octets > self.mtu.into() {
                break;
            }
            response.put_u16(handle);
            attribute.uuid.emit(response);
        }
        if response.len() > 1 { Ok(()) } else { Err((ATTRIBUTE_NOT_FOUND, start)) }
    }

    fn find_by_type_value(&self, mut r: Reader<'_>, response: &mut Packet, env: &Env<'_>) -> Result<(), Fault> {
        let (start, end) = handles(&mut r)?;
        let wanted = Uuid::Short(r.u16().ok_or(MALFORMED)?);
        response.put_u8(op::FIND_BY_TYPE_VALUE_RESPONSE);
        let mut value = env.out.pool.packet();
        for (handle, attribute) in database::range(env.config.profile, start, end) {
            value.truncate(0);
            if attribute.uuid != wanted || !attribute.read(at(handle, env), self.subscribed, &mut value) {
                continue;
            }
            if &*value != r.rest() || response.len() + 4 > self.mtu.into() {
                continue;
            }
            response.put_u16(handle);
            response.put_u16(group_end(handle, attribute));
        }
        if response.len() > 1 { Ok(()) } else { Err((ATTRIBUTE_NOT_FOUND, start)) }
    }

    fn read_by_type(&self, mut r: Reader<'_>, response: &mut Packet, env: &Env<'_>) -> Result<(), Fault> {
        let (start, end) = handles(&mut r)?;
        let wanted = Uuid::parse(r.rest()).ok_or(MALFORMED)?;
        response.put(&[op::READ_BY_TYPE_RESPONSE, 0]);
        self.list(start, end, wanted, false, response, env)
    }

    fn read_by_group_type(&self, mut r: Reader<'_>, response: &mut Packet, env: &Env<'_>) -> Result<(), Fault> {
        let (start, end) = handles(&mut r)?;
        if Uuid::parse(r.rest()).ok_or(MALFORMED)? != PRIMARY_SERVICE {
            return Err((UNSUPPORTED_GROUP_TYPE, start));
        }
        response.put(&[op::READ_BY_GROUP_TYPE_RESPONSE, 0]);
        self.list(start, end, PRIMARY_SERVICE, true, response, env)
    }

    /// Appends `handle, [group end,] value` of the attributes of type `wanted`, as long as they are
    /// equally long and fit, and writes that length into the second octet.
    fn list(
        &self,
        start: u16,
        end: u16,
        wanted: Uuid,
        groups: bool,
        response: &mut Packet,
        env: &Env<'_>,
    ) -> Result<(), Fault> {
        let mtu = usize::from(self.mtu);
        for (handle, attribute) in database::range(env.config.profile, start, end).filter(|(_, a)| a.uuid == wanted) {
            let (from, is_first) = (response.len(), response[1] == 0);
            response.put_u16(handle);
            if groups {
                response.put_u16(group_end(handle, attribute));
            }
            if !attribute.read(at(handle, env), self.subscribed, response) {
                response.truncate(from);
                if is_first {
                    return Err((READ_NOT_PERMITTED, handle));
                }
                break;
            }
            if is_first {
                // A first value that is too long is cut: Core 6.0, Vol 3, Part F, 3.4.4.2.
                response.truncate((from + 255).min(mtu));
                response[1] = (response.len() - from) as u8;
            } else if response.len() > mtu || response.len() - from != usize::from(response[1]) {
                response.truncate(from);
                break;
            }
        }
        if response[1] > 0 { Ok(()) } else { Err((ATTRIBUTE_NOT_FOUND, start)) }
    }

    fn read(&self, mut r: Reader<'_>, response: &mut Packet, env: &Env<'_>) -> Result<(), Fault> {
        let handle = r.u16().filter(|_| r.is_empty()).ok_or(MALFORMED)?;
        let attribute = database::find(env.config.profile, handle).ok_or((INVALID_HANDLE, handle))?;
        response.put_u8(op::READ_RESPONSE);
        if !attribute.read(at(handle, env), self.subscribed, response) {
            return Err((READ_NOT_PERMITTED, handle));
        }
        response.truncate(response.len().min(self.mtu.into()));
        Ok(())
    }

    fn write(&mut self, mut r: Reader<'_>, response: &mut Packet, env: &mut Env<'_>) -> Result<(), Fault> {
        let handle = r.u16().ok_or(MALFORMED)?;
        let attribute = database::find(env.config.profile, handle).ok_or((INVALID_HANDLE, handle))?;
        if attribute.value == Value::Stream && env.config.values == ValueMethod::WriteRequest {
            self.deliver(r.rest(), env);
            response.put_u8(op::WRITE_RESPONSE);
            return Ok(());
        }
        if attribute.value != Value::StreamConfiguration {
            return Err((WRITE_NOT_PERMITTED, handle));
        }
        let bits = r.u16().filter(|_| r.is_empty()).ok_or((INVALID_LENGTH, handle))?;
        response.put_u8(op::WRITE_RESPONSE);
        let subscribed = bits & database::configuration(env.config.values) != 0;
        if subscribed && !self.subscribed {
            env.out.event(HostEvent::Subscribed { conn: self.conn });
        }
        self.subscribed = subscribed;
        Ok(())
    }

    /// Keeps a part of a long value, and says it back. Core 6.0, Vol 3, Part F, 3.4.6.1.
    fn prepare_write(&mut self, mut r: Reader<'_>, response: &mut Packet, env: &mut Env<'_>) -> Result<(), Fault> {
        if env.config.values != ValueMethod::LongWrite {
            return Err((REQUEST_NOT_SUPPORTED, 0));
        }
        let (handle, offset) = r.u16().zip(r.u16()).ok_or(MALFORMED)?;
        let attribute = database::find(env.config.profile, handle).ok_or((INVALID_HANDLE, handle))?;
        if attribute.value != Value::Stream {
            return Err((WRITE_NOT_PERMITTED, handle));
        }
        let part = r.rest();
        // The lab's own server takes parts in their order, as clients send them.
        if usize::from(offset) != self.prepared.len() {
            return Err((INVALID_OFFSET, handle));
        }
        if self.prepared.len() + part.len() > VALUE_MAX {
            return Err((PREPARE_QUEUE_FULL, handle));
        }
        self.prepared.extend_from_slice(part);
        response.put_u8(op::PREPARE_WRITE_RESPONSE);
        response.put_u16(handle);
        response.put_u16(offset);
        response.put(part);
        Ok(())
    }

    /// Writes what is prepared, or forgets it. Core 6.0, Vol 3, Part F, 3.4.6.3.
    fn execute_write(&mut self, mut r: Reader<'_>, response: &mut Packet, env: &mut Env<'_>) -> Result<(), Fault> {
        if env.config.values != ValueMethod::LongWrite {
            return Err((REQUEST_NOT_SUPPORTED, 0));
        }
        let flags = r.u8().filter(|flags| r.is_empty() && *flags <= 1).ok_or(MALFORMED)?;
        let value = core::mem::take(&mut self.prepared);
        if flags == 1 && !value.is_empty() {
            self.deliver(&value, env);
        }
        response.put_u8(op::EXECUTE_WRITE_RESPONSE);
        Ok(())
    }
}

/// A range of handles, from at least 1 to at least its start.
fn handles(r: &mut Reader<'_>) -> Result<(u16, u16), Fault> {
    let (start, end) = r.u16().zip(r.u16()).ok_or(MALFORMED)?;
    if start == 0 || start > end { Err((INVALID_HANDLE, start)) } else { Ok((start, end)) }
}

/// Finds the attribute with this handle.
fn at<'a>(handle: u16, env: &'a Env<'_>) -> At<'a> {
    At { profile: env.config.profile, handle, local: env.local }
}

fn group_end(handle: u16, attribute: &Attribute) -> u16 {
    if let Value::Service { end, .. } = attribute.value { end } else { handle }
}
