//! Objects that BlueZ calls: an advertisement, and a service with one characteristic. BlueZ `doc/org.bluez.GattManager.rst`,
//! `…GattCharacteristic.rst` and `…LEAdvertisement.rst`.

use super::bus::Value;
use crate::ble::system::{PSM, STREAM};

/// Object that lists the others; the advertisement is behind it.
pub const ROOT: &str = "/airtime";
/// The advertisement.
pub const ADVERTISEMENT: &str = "/airtime/advertisement";
/// The service and its characteristic.
const SERVICE: &str = "/airtime/service";
/// The characteristic.
pub const CHARACTERISTIC: &str = "/airtime/service/characteristic";

/// Test service: `ble/src/host/att/database.rs`.
const SERVICE_UUID: &str = "8d5f0001-4c5e-4a7b-9f3a-61697274696d";

/// Part of the test service that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// PSM of a channel, which is read.
    Psm(u16),
    /// Stream that takes values.
    Written,
    /// Stream that indicates values.
    Indicated,
}

/// Value of a property or an answer, in the type that BlueZ wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Text.
    Text(String),
    /// Path of an object.
    Path(&'static str),
    /// Truth of something.
    Flag(bool),
    /// Texts.
    Texts(Vec<&'static str>),
    /// Octets.
    Octets(Vec<u8>),
    /// Properties by name.
    Properties(Vec<(&'static str, Self)>),
    /// Objects by path, each with one interface and its properties.
    Objects(Vec<(&'static str, &'static str, Self)>),
}

/// Call of one of the objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Path of the object.
    pub path: String,
    /// Method.
    pub method: String,
    /// Arguments in order.
    pub arguments: Vec<Value>,
}

/// Happening that a call is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Nothing that matters here.
    Nothing,
    /// The PSM was read.
    Read,
    /// A value was written.
    Written(Vec<u8>),
    /// A central wants the values, or wants them no more.
    Subscribed(bool),
    /// The central has the last value.
    Confirmed,
    /// BlueZ advertises no more.
    Released,
}

/// Name of the error for a method that there is not. D-Bus specification, "Error names".
pub const UNKNOWN: &str = "org.freedesktop.DBus.Error.UnknownMethod";

/// The objects.
#[derive(Clone, Debug)]
pub struct Objects {
    name: String,
    offer: Offer,
}

impl Objects {
    /// Objects of a peripheral that advertises `name` and has what is offered.
    pub fn new(name: String, offer: Offer) -> Self {
        Self { name, offer }
    }

    /// Part that is offered.
    pub fn offer(&self) -> Offer {
        self.offer
    }

    /// Answer to a call, and what it tells; none where there is no such method.
    pub fn answer(&self, called: &Called) -> Option<(Option<Typed>, Happening)> {
        let nothing = |typed| Some((typed, Happening::Nothing));
        match (called.path.as_str(), called.method.as_str()) {
            (ROOT, "GetManagedObjects") => nothing(Some(self.managed())),
            (ADVERTISEMENT, "GetAll") => nothing(Some(self.advertisement())),
            (ADVERTISEMENT, "Release") => Some((None, Happening::Released)),
            (CHARACTERISTIC, "GetAll") => nothing(Some(self.characteristic())),
            (SERVICE, "GetAll") => nothing(Some(service())),
            (CHARACTERISTIC, "ReadValue") => match self.offer {
                Offer::Psm(psm) => Some((Some(Typed::Octets(psm.to_le_bytes().to_vec())), Happening::Read)),
                Offer::Written | Offer::Indicated => nothing(Some(Typed::Octets(Vec::new()))),
            },
            (CHARACTERISTIC, "WriteValue") => {
                let value = called.arguments.first().and_then(Value::octets).unwrap_or_default();
                Some((None, Happening::Written(value)))
            }
            (CHARACTERISTIC, "StartNotify") => Some((None, Happening::Subscribed(true))),
            (CHARACTERISTIC, "StopNotify") => Some((None, Happening::Subscribed(false))),
            (CHARACTERISTIC, "Confirm") => Some((None, Happening::Confirmed)),
            _ => None,
        }
    }

    fn managed(&self) -> Typed {
        Typed::Objects(vec![
            (SERVICE, "org.bluez.GattService1", service()),
            (CHARACTERISTIC, "org.bluez.GattCharacteristic1", self.characteristic()),
        ])
    }

    fn advertisement(&self) -> Typed {
        Typed::Properties(vec![
            ("Type", Typed::Text("peripheral".to_owned())),
            ("LocalName", Typed::Text(self.name.clone())),
            ("Discoverable", Typed::Flag(true)),
        ])
    }

    fn characteristic(&self) -> Typed {
        let (uuid, flags) = match self.offer {
            Offer::Psm(_) => (PSM, vec!["read"]),
            Offer::Written => (STREAM, vec!["write", "write-without-response"]),
            Offer::Indicated => (STREAM, vec!["indicate"]),
        };
        Typed::Properties(vec![
            ("UUID", Typed::Text(uuid.to_owned())),
            ("Service", Typed::Path(SERVICE)),
            ("Flags", Typed::Texts(flags)),
        ])
    }
}

fn service() -> Typed {
    Typed::Properties(vec![("UUID", Typed::Text(SERVICE_UUID.to_owned())), ("Primary", Typed::Flag(true))])
}
