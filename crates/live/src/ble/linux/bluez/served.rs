//! The system bus as whoever BlueZ calls back is on it: calls are answered while an answer of BlueZ's, or time, is waited for.

use airtime_core::Duration;
use rustbus::connection::Timeout;
use rustbus::message_builder::MarshalledMessage;
use rustbus::params::{Base, Container, Param};
use rustbus::wire::errors::MarshalError;
use rustbus::{MessageBuilder, MessageType};

use super::bus::{ANSWER_MAX, Bus, BusError, Call, LOOK_EVERY, SystemBus, Value, is_later, lost, value};
use super::objects::{Called, Happening, Objects, Typed, UNKNOWN};

/// Interface of the properties that BlueZ reads, and is told of.
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

/// A bus on which BlueZ calls objects of this program.
pub trait ServedBus: Bus {
    /// First value of the answer to a call, while the objects are served.
    ///
    /// # Errors
    /// Why there is no answer.
    fn call_served(&mut self, call: &Call<'_>, objects: &Objects) -> Result<Value, BusError>;

    /// Serves the objects until a call has told something; none where none does within `time`, or somebody asks to stop.
    ///
    /// # Errors
    /// When the bus has gone.
    fn serve(&mut self, objects: &Objects, time: Duration) -> Result<Option<Happening>, BusError>;

    /// Tells that the value of the characteristic at `path` has changed.
    ///
    /// # Errors
    /// When the bus has gone.
    fn tell(&mut self, path: &str, value: &[u8]) -> Result<(), BusError>;
}

impl SystemBus {
    /// The bus, greeted, with calls let in.
    ///
    /// # Errors
    /// When there is none, or it does not let this user on.
    pub fn serving() -> Result<Self, BusError> {
        let mut bus = Self::open()?;
        bus.connection.set_filter(Box::new(|_| true));
        Ok(bus)
    }

    /// Answers the calls that wait, up to the first that tells something.
    fn pending(&mut self, objects: &Objects) -> Result<Option<Happening>, BusError> {
        while let Some(call) = self.connection.try_get_call() {
            if let Some(happening) = self.answered(call, objects)? {
                return Ok(Some(happening));
            }
        }
        Ok(None)
    }

    /// Answers `call`; what it tells.
    fn answered(&mut self, call: MarshalledMessage, objects: &Objects) -> Result<Option<Happening>, BusError> {
        let header = call.dynheader.clone();
        let no_sense = |error: &dyn std::fmt::Display| BusError::Lost(error.to_string());
        let arguments = call.unmarshall_all().map_err(|error| no_sense(&error))?.params.iter().map(value).collect();
        let called = Called {
            path: header.object.clone().unwrap_or_default(),
            method: header.member.clone().unwrap_or_default(),
            arguments,
        };
        let Some((answer, happening)) = objects.answer(&called) else {
            self.send(&mut header.make_error_response(UNKNOWN, Some(called.method)))?;
            return Ok(None);
        };
        let mut response = header.make_response();
        if let Some(answer) = answer {
            let param = param(&answer).map_err(|error| no_sense(&error))?;
            response.body.push_old_param(&param).map_err(|error| no_sense(&error))?;
        }
        self.send(&mut response)?;
        Ok(Some(happening).filter(|happening| *happening != Happening::Nothing))
    }

    /// Takes the next message in, waiting for a moment.
    fn refill(&mut self, rest: Duration) -> Result<(), BusError> {
        let rest = LOOK_EVERY.min(std::time::Duration::from_nanos(rest.as_nanos()));
        match self.connection.try_refill_once(Timeout::Duration(rest)) {
            Err(error) if !is_later(&error) => Err(lost(&error)),
            _ => Ok(()),
        }
    }
}

impl ServedBus for SystemBus {
    fn call_served(&mut self, call: &Call<'_>, objects: &Objects) -> Result<Value, BusError> {
        let serial = self.send(&mut Self::message(call)?)?;
        let until = self.now() + ANSWER_MAX;
        loop {
            // What is told before there is a connection is nothing yet.
            while self.pending(objects)?.is_some() {}
            if let Some(answer) = self.connection.try_get_response(serial) {
                return Self::first(answer);
            }
            let rest = until.saturating_since(self.now());
            if self.is_stopped() {
                return Err(BusError::Stopped);
            }
            if rest.is_zero() {
                return Err(BusError::Silent);
            }
            self.refill(rest)?;
        }
    }

    fn serve(&mut self, objects: &Objects, time: Duration) -> Result<Option<Happening>, BusError> {
        let until = self.now() + time;
        loop {
            if let Some(happening) = self.pending(objects)? {
                return Ok(Some(happening));
            }
            // Nobody here asks for signals.
            while self.connection.try_get_signal().is_some() {}
            let rest = until.saturating_since(self.now());
            if rest.is_zero() || self.is_stopped() {
                return Ok(None);
            }
            self.refill(rest)?;
        }
    }

    fn tell(&mut self, path: &str, value: &[u8]) -> Result<(), BusError> {
        let mut signal = MessageBuilder::new().signal(PROPERTIES, "PropertiesChanged", path).build();
        debug_assert!(signal.typ == MessageType::Signal);
        let changed = Typed::Properties(vec![("Value", Typed::Octets(value.to_vec()))]);
        let no_sense = |error: &dyn std::fmt::Display| BusError::Lost(error.to_string());
        let pushed = signal.body.push_param("org.bluez.GattCharacteristic1");
        pushed.map_err(|error| no_sense(&error))?;
        for of in [&changed, &Typed::Texts(Vec::new())] {
            let param = param(of).map_err(|error| no_sense(&error))?;
            signal.body.push_old_param(&param).map_err(|error| no_sense(&error))?;
        }
        self.send(&mut signal).map(drop)
    }
}

/// Value on the wire.
fn param(of: &Typed) -> Result<Param<'static, 'static>, MarshalError> {
    let text = |text: &str| Base::String(text.to_owned());
    Ok(match of {
        Typed::Text(of) => Param::Base(text(of)),
        Typed::Path(path) => Param::Base(Base::ObjectPath((*path).to_owned())),
        Typed::Flag(flag) => Param::Base(Base::Boolean(*flag)),
        Typed::Texts(texts) => Param::Container(Container::make_array("s", texts.iter().map(|of| text(of)))?),
        Typed::Octets(octets) => {
            Param::Container(Container::make_array("y", octets.iter().map(|octet| Base::Byte(*octet)))?)
        }
        Typed::Properties(properties) => {
            let named = properties.iter().map(|(name, of)| Ok((text(name), Container::make_variant(param(of)?))));
            let named = named.collect::<Result<Vec<_>, MarshalError>>()?;
            Param::Container(Container::make_dict("s", "v", named.into_iter())?)
        }
        Typed::Objects(objects) => {
            let object = |(path, interface, properties): &(&str, &str, Typed)| {
                let one = std::iter::once((text(interface), param(properties)?));
                let interfaces = Container::make_dict("s", "a{sv}", one)?;
                Ok((Base::ObjectPath((*path).to_owned()), Param::Container(interfaces)))
            };
            let objects = objects.iter().map(object).collect::<Result<Vec<_>, MarshalError>>()?;
            Param::Container(Container::make_dict("o", "a{sa{sv}}", objects.into_iter())?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::objects::{CHARACTERISTIC, Offer, ROOT};
    use super::*;

    /// Objects as BlueZ reads them.
    #[test]
    fn objects_cross_the_wire() {
        let objects = Objects::new("pi".to_owned(), Offer::Psm(0x0080));
        let of = |path: &str, method: &str| {
            let called = Called { path: path.to_owned(), method: method.to_owned(), arguments: Vec::new() };
            let mut message = MessageBuilder::new().signal("a.b", "C", "/d").build();
            message.body.push_old_param(&param(&objects.answer(&called).unwrap().0.unwrap()).unwrap()).unwrap();
            value(&message.unmarshall_all().unwrap().params[0])
        };
        let managed = of(ROOT, "GetManagedObjects");
        let characteristic = managed.of(CHARACTERISTIC).and_then(|object| object.of("org.bluez.GattCharacteristic1"));
        let characteristic = characteristic.unwrap();
        assert_eq!(characteristic.text("UUID"), Some("8d5f0002-4c5e-4a7b-9f3a-61697274696d"));
        assert_eq!(characteristic.text("Service"), Some("/airtime/service"));
        assert_eq!(characteristic.of("Flags"), Some(&Value::List(vec![Value::Text("read".to_owned())])));
        assert_eq!(of("/airtime/advertisement", "GetAll").text("LocalName"), Some("pi"));
        assert_eq!(of(CHARACTERISTIC, "ReadValue").octets(), Some(vec![0x80, 0x00]));
    }
}
