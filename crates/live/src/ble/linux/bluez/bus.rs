//! The system bus as far as BlueZ is asked by it: calls, and answers as trees of values.

use std::collections::BTreeMap;
use std::io;

use airtime_core::{Duration, Instant};
use airtime_system::clock::Clock;
use airtime_system::sleep::sleep;
use airtime_system::stop::{Stop, Stopper};
use rustbus::connection::ll_conn::force_finish_on_error;
use rustbus::connection::{Error, Timeout};
use rustbus::message_builder::MarshalledMessage;
use rustbus::params::{Base, Container, Param};
use rustbus::standard_messages::add_match;
use rustbus::{MessageBuilder, MessageType, RpcConn};
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use thiserror::Error as Said;

use crate::ble::system::Written;

/// Name of BlueZ's daemon on the bus.
const BLUEZ: &str = "org.bluez";

/// Longest wait for an answer. *Assumed*: twice the kernel's time to connect (Linux `hci.h`, HCI_LE_CONN_TIMEOUT), and some more.
pub(super) const ANSWER_MAX: Duration = Duration::from_secs(45);

/// Stretch after which it is looked if somebody has asked to stop.
pub(super) const LOOK_EVERY: std::time::Duration = std::time::Duration::from_millis(100);

/// Time in which the bus itself answers. *Assumed.*
const HELLO_MAX: std::time::Duration = std::time::Duration::from_secs(5);

/// Value of an answer, as far as any is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// Nothing, or what nobody here asks for.
    #[default]
    Other,
    /// Text, or a path.
    Text(String),
    /// Truth of something.
    Flag(bool),
    /// Integer of any size.
    Number(i64),
    /// Values in order.
    List(Vec<Self>),
    /// Values by name.
    Dict(BTreeMap<String, Self>),
}

impl Value {
    /// Value of that name in a dictionary.
    pub fn of(&self, name: &str) -> Option<&Self> {
        if let Self::Dict(dict) = self { dict.get(name) } else { None }
    }

    /// Text of that name in a dictionary.
    pub fn text(&self, name: &str) -> Option<&str> {
        if let Some(Self::Text(text)) = self.of(name) { Some(text) } else { None }
    }

    /// True if the flag of that name is there and set.
    pub fn is(&self, name: &str) -> bool {
        self.of(name) == Some(&Self::Flag(true))
    }

    /// Number of that name in a dictionary.
    pub fn number(&self, name: &str) -> Option<i64> {
        if let Some(Self::Number(number)) = self.of(name) { Some(*number) } else { None }
    }

    /// Octets of a list.
    pub fn octets(&self) -> Option<Vec<u8>> {
        let Self::List(values) = self else { return None };
        values
            .iter()
            .map(|value| if let Self::Number(octet) = value { u8::try_from(*octet).ok() } else { None })
            .collect()
    }
}

/// Arguments of a call: none but these are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments<'a> {
    /// No argument.
    None,
    /// Options, of which none is set.
    NoOptions,
    /// Filter for devices of Bluetooth LE.
    LowEnergy,
    /// Object of this program, and options, of which none is set.
    Object(&'a str),
    /// Value to write, and the way in which it is.
    Write(&'a [u8], Written),
}

/// Call of a method of BlueZ's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// Object that is called.
    pub path: &'a str,
    /// Interface of the method.
    pub interface: &'a str,
    /// The method.
    pub method: &'a str,
    /// Its arguments.
    pub arguments: Arguments<'a>,
}

/// Properties of an object that have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Object that they are of.
    pub path: String,
    /// Their new values, by name.
    pub properties: Value,
}

/// Reason that there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Said)]
pub enum BusError {
    /// There is no bus.
    #[error("{0}")]
    NoBus(String),
    /// BlueZ, or the bus in its place, answers with an error.
    #[error("{name}: {text}")]
    Refused {
        /// Name of the error.
        name: String,
        /// Words that come with it.
        text: String,
    },
    /// No answer came.
    #[error("no answer for {ANSWER_MAX}")]
    Silent,
    /// The bus has gone, or makes no sense.
    #[error("{0}")]
    Lost(String),
    /// Somebody has asked to stop.
    #[error("stopped")]
    Stopped,
}

/// The bus with BlueZ on it, and the time by which it is waited for.
pub trait Bus {
    /// First value of the answer to a call.
    ///
    /// # Errors
    /// Why there is no answer.
    fn call(&mut self, call: &Call<'_>) -> Result<Value, BusError>;

    /// Has changes of the object at `path` told, from now on.
    ///
    /// # Errors
    /// Why they are not.
    fn watch(&mut self, path: &str) -> Result<(), BusError>;

    /// Next change of an object that is watched; none where nothing changes within `time`, or somebody asks to stop.
    ///
    /// # Errors
    /// When the bus has gone.
    fn change(&mut self, time: Duration) -> Result<Option<Change>, BusError>;

    /// Time now.
    fn now(&self) -> Instant;

    /// Waits for `time`, or until somebody asks to stop.
    ///
    /// # Errors
    /// When the system refuses to wait.
    fn rest(&mut self, time: Duration) -> io::Result<()>;

    /// True once somebody has asked to stop.
    fn is_stopped(&self) -> bool;
}

/// The system bus of this machine.
pub struct SystemBus {
    pub(super) connection: RpcConn,
    clock: Clock,
    stop: Stop,
}

impl SystemBus {
    /// The bus, greeted.
    ///
    /// # Errors
    /// When there is none, or it does not let this user on.
    pub fn open() -> Result<Self, BusError> {
        let mut connection =
            RpcConn::system_conn(Timeout::Duration(HELLO_MAX)).map_err(|error| BusError::NoBus(error.to_string()))?;
        // Nobody has a call to make here.
        connection.set_filter(Box::new(|message| message.typ != MessageType::Call));
        let stop = Stop::new().map_err(|error| BusError::NoBus(error.to_string()))?;
        Ok(Self { connection, clock: Clock::start(), stop })
    }

    /// First value of the answer to `message`.
    fn asked(&mut self, message: &mut MarshalledMessage) -> Result<Value, BusError> {
        let serial = self.send(message)?;
        Self::first(self.answer(serial)?)
    }

    /// Message that a call is.
    pub(super) fn message(call: &Call<'_>) -> Result<MarshalledMessage, BusError> {
        let builder = MessageBuilder::new().call(call.method).on(call.path).with_interface(call.interface);
        let mut message = builder.at(BLUEZ).build();
        let pushed = match call.arguments {
            Arguments::Write(octets, _) => message.body.push_param(octets),
            Arguments::Object(path) => message.body.push_old_param(&Param::Base(Base::ObjectPath(path.to_owned()))),
            _ => Ok(()),
        };
        pushed.map_err(|error| BusError::Lost(error.to_string()))?;
        if let Some(options) = options(call.arguments) {
            let pushed = options.and_then(|options| message.body.push_old_param(&Param::Container(options)));
            pushed.map_err(|error| BusError::Lost(error.to_string()))?;
        }
        Ok(message)
    }

    /// First value of `answer`.
    pub(super) fn first(answer: MarshalledMessage) -> Result<Value, BusError> {
        let answer = answer.unmarshall_all().map_err(|error| BusError::Lost(error.to_string()))?;
        let first = answer.params.first().map(value).unwrap_or_default();
        match answer.typ {
            MessageType::Error => {
                let text = if let Value::Text(text) = first { text } else { String::new() };
                Err(BusError::Refused { name: answer.dynheader.error_name.unwrap_or_default(), text })
            }
            _ => Ok(first),
        }
    }

    /// Handle that stops what is waited for from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Sends a message; its number.
    pub(super) fn send(&mut self, message: &mut MarshalledMessage) -> Result<u32, BusError> {
        let sent = self.connection.send_message(message).map_err(|error| lost(&error))?.write_all();
        sent.map_err(force_finish_on_error).map_err(|error| lost(&error))
    }

    /// The answer with this number, once it is there.
    fn answer(&mut self, serial: u32) -> Result<MarshalledMessage, BusError> {
        let until = self.clock.now() + ANSWER_MAX;
        loop {
            match self.connection.wait_response(serial, Timeout::Duration(LOOK_EVERY)) {
                Ok(message) => return Ok(message),
                Err(_) if self.stop.is_asked() => return Err(BusError::Stopped),
                Err(error) if !is_later(&error) => return Err(lost(&error)),
                Err(_) if self.clock.now() >= until => return Err(BusError::Silent),
                Err(_) => {}
            }
        }
    }
}

/// Change that a signal tells of, if it tells of one.
fn changed(message: MarshalledMessage) -> Result<Option<Change>, BusError> {
    let is_change = message.dynheader.member.as_deref() == Some("PropertiesChanged");
    let signal = message.unmarshall_all().map_err(|error| BusError::Lost(error.to_string()))?;
    // The interface, what has changed on it, and what has changed to who knows what.
    let properties = signal.params.get(1).map(value);
    Ok(signal
        .dynheader
        .object
        .zip(properties)
        .filter(|_| is_change)
        .map(|(path, properties)| Change { path, properties }))
}

/// Tells if nothing has come yet, or a signal has cut the wait short.
pub(super) fn is_later(error: &Error) -> bool {
    match error {
        Error::TimedOut => true,
        Error::NixError(errno) => *errno as i32 == Errno::INTR.raw_os_error(),
        _ => false,
    }
}

pub(super) fn lost(error: &Error) -> BusError {
    BusError::Lost(error.to_string())
}

impl Bus for SystemBus {
    fn call(&mut self, call: &Call<'_>) -> Result<Value, BusError> {
        self.asked(&mut Self::message(call)?)
    }

    fn watch(&mut self, path: &str) -> Result<(), BusError> {
        // D-Bus specification, "Match Rules" and "org.freedesktop.DBus.Properties".
        let rule = format!(
            "type='signal',sender='{BLUEZ}',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',path='{path}'"
        );
        self.asked(&mut add_match(&rule)).map(drop)
    }

    fn change(&mut self, time: Duration) -> Result<Option<Change>, BusError> {
        let until = self.clock.now() + time;
        loop {
            let left = std::time::Duration::from_nanos(until.saturating_since(self.clock.now()).as_nanos());
            match self.connection.wait_signal(Timeout::Duration(LOOK_EVERY.min(left))) {
                Ok(message) => {
                    if let Some(change) = changed(message)? {
                        return Ok(Some(change));
                    }
                }
                Err(error) if !is_later(&error) => return Err(lost(&error)),
                Err(_) => {}
            }
            if self.stop.is_asked() || self.clock.now() >= until {
                return Ok(None);
            }
        }
    }

    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn rest(&mut self, time: Duration) -> io::Result<()> {
        sleep(&mut [PollFd::from_borrowed_fd(std::os::fd::AsFd::as_fd(&self.stop), PollFlags::IN)], time)?;
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }
}

/// Dictionary of arguments, if there is one.
fn options(
    arguments: Arguments<'_>,
) -> Option<Result<Container<'static, 'static>, rustbus::wire::errors::MarshalError>> {
    let option = match arguments {
        Arguments::None => return None,
        Arguments::NoOptions | Arguments::Object(_) => None,
        Arguments::LowEnergy => Some(("Transport", "le")),
        Arguments::Write(_, way) => Some(("type", word(way))),
    };
    let option = option.map(|(name, word)| (name.to_owned(), Container::make_variant(word.to_owned())));
    Some(Container::make_dict("s", "v", option.into_iter()))
}

/// Word for the way in which a value is written: BlueZ `doc/org.bluez.GattCharacteristic.rst`, WriteValue.
const fn word(way: Written) -> &'static str {
    match way {
        Written::Command => "command",
        Written::Request => "request",
    }
}

/// Tree of what `param` holds; a variant is what is in it.
pub(super) fn value(param: &Param<'_, '_>) -> Value {
    match param {
        Param::Base(base) => base_value(base),
        Param::Container(Container::Array(array)) => Value::List(array.values.iter().map(value).collect()),
        Param::Container(Container::Struct(values)) => Value::List(values.iter().map(value).collect()),
        Param::Container(Container::Variant(variant)) => value(&variant.value),
        Param::Container(Container::Dict(dict)) => {
            let named = |(key, of): (&Base<'_>, &Param<'_, '_>)| match base_value(key) {
                Value::Text(name) => Some((name, value(of))),
                _ => None,
            };
            Value::Dict(dict.map.iter().filter_map(named).collect())
        }
        Param::Container(_) => Value::Other,
    }
}

fn base_value(base: &Base<'_>) -> Value {
    match base {
        Base::String(text) | Base::ObjectPath(text) => Value::Text(text.clone()),
        Base::Boolean(flag) => Value::Flag(*flag),
        Base::Byte(number) => Value::Number((*number).into()),
        Base::Int16(number) => Value::Number((*number).into()),
        Base::Uint16(number) => Value::Number((*number).into()),
        Base::Int32(number) => Value::Number((*number).into()),
        Base::Uint32(number) => Value::Number((*number).into()),
        Base::Int64(number) => Value::Number(*number),
        _ => Value::Other,
    }
}
