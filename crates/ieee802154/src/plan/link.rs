//! The link as it declares itself, and one point of a plan over it.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::any::Any;

use airtime_core::loss::Loss;
use airtime_keys::{Fault, Key, Keys, Mechanism, Run, Source, Table, Value, Words};
use airtime_link::{Captures, Delivery, Devices, Form, Link, Ran, Scenario, Stop, Told};

use super::keys::{Air, Mac, Sender};
use super::limited;
use super::{captured, run};
use crate::network::{Config, ConfigError};
use crate::wire::Security;

/// Names of the link in plans and records.
const NAMES: &[&str] = &["ieee802154"];

/// Keys of the link, in the order of documentation and records.
const TABLES: &[Table] = &[Table::new(Sender::KEYS, NAMES), Table::new(Mac::KEYS, NAMES), Table::new(Air::KEYS, NAMES)];

/// IEEE 802.15.4 at 2.4 GHz: senders that contend for one receiver.
#[derive(Clone, Copy, Debug)]
pub struct Ieee802154;

impl Link for Ieee802154 {
    fn names(&self) -> &'static [&'static str] {
        NAMES
    }

    fn about(&self) -> &'static str {
        "frames of IEEE 802.15.4 at 2.4 GHz"
    }

    fn tables(&self) -> &'static [Table] {
        TABLES
    }

    fn accounts(&self) -> &'static [(&'static str, &'static str)] {
        crate::ledger::Account::LEGEND
    }

    /// Frames that a MAC was given, of all senders together.
    fn limited(&self, mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
        limited::limited(mechanism, before, after)
    }

    fn delivery(&self, told: &Told<'_>) -> Delivery {
        let arrived = told.count("data.delivered");
        Delivery::default().with(arrived, told.count("data.handed").saturating_sub(arrived))
    }

    fn read(&self, _: &str, from: &dyn Source, _: &dyn Devices) -> Result<Box<dyn Scenario>, Fault> {
        Ok(Box::new(Point::read(from)?))
    }
}

/// Parameters of one run, each with its value in effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Traffic, and hosts of the senders.
    pub sender: Sender,
    /// MAC of every sender.
    pub mac: Mac,
    /// The air.
    pub air: Air,
    /// Length and repeats.
    pub run: Run,
}

impl Point {
    /// The point of a plan, checked.
    ///
    /// # Errors
    /// The first thing that does not hold between its keys.
    pub fn read(from: &dyn Source) -> Result<Self, Fault> {
        let mut point =
            Self { sender: Sender::read(from)?, mac: Mac::read(from)?, air: Air::read(from)?, run: Run::read(from)? };
        if point.air.level.is_some() && point.air.loss != Loss::None {
            let what = format!("`{}` and `{}`: what is lost follows from one of them", Air::LEVEL.name, Air::LOSS.name);
            return Err(Fault::new(what).about([Air::LEVEL, Air::LOSS]));
        }
        let room = point.config().payload_max();
        point.sender.payload.get_or_insert(room);
        point.run.check()?;
        point.config().check().map_err(|error| fault(error, &point))?;
        Ok(point)
    }

    /// The network of this point, with the seed of its first run.
    pub fn config(&self) -> Config {
        let Self { sender, mac, air, run } = self;
        Config {
            payload: sender.payload.unwrap_or(0),
            source: mac.source,
            destination: mac.destination,
            pan_compression: mac.pan_compression,
            security: Security { level: mac.security, key_id_mode: mac.key_id_mode },
            ack: mac.ack,
            csma: mac.csma,
            min_be: mac.min_be,
            max_be: mac.max_be,
            max_backoffs: mac.max_backoffs,
            retries: mac.retries,
            stations: sender.stations,
            offered: sender.offered,
            queue: sender.queue,
            load: sender.load,
            backoff: mac.backoff,
            loss: air.loss(),
            loss_ack: air.loss_acknowledgement,
            channel: air.channel,
            duration: run.duration,
            seed: run.seed,
        }
    }
}

/// The fault of a contradiction, with the keys it is about.
fn fault(error: ConfigError, point: &Point) -> Fault {
    let about: &[&'static Key] = match error {
        ConfigError::Payload { .. } => &[Sender::PAYLOAD, Mac::SECURITY, Mac::SOURCE, Mac::DESTINATION],
        ConfigError::Reserved => &[Mac::SECURITY],
        ConfigError::Offered => &[Sender::OFFERED, Sender::PAYLOAD],
        ConfigError::Mean => &[Mac::BACKOFF, Sender::STATIONS],
        // The ranges of the keys leave one contradiction: a first backoff beyond the longest.
        ConfigError::Range { .. } => &[Mac::MIN_BE, Mac::MAX_BE],
    };
    let fault = Fault::new(alloc::format!("`{}`: {error}", about[0].name)).about(about.iter().copied());
    match error {
        ConfigError::Payload { most } => fault.near(alloc::format!("{most}")),
        ConfigError::Range { .. } => fault.near(alloc::format!("{}", point.mac.max_be)),
        _ => fault,
    }
}

impl Scenario for Point {
    fn link(&self) -> &'static str {
        NAMES[0]
    }

    fn run(&self) -> &Run {
        &self.run
    }

    fn show(&self, told: &mut dyn FnMut(&'static Key, Value)) {
        self.sender.show(&(), told);
        self.mac.show(&self.mac, told);
        self.air.show(&(), told);
        self.run.show(&(), told);
    }

    fn fitting(&self, key: &Key, _: u64) -> Vec<u64> {
        if key.name == Sender::PAYLOAD.name { vec![self.config().payload_max().into()] } else { Vec::new() }
    }

    fn keeper(&self, key: &Key) -> String {
        let mac = &self.mac;
        let told = |name: &'static Key, value: &str| format!("{}={value}", name.name);
        match key.name {
            name if name == Mac::KEY_ID_MODE.name => told(Mac::SECURITY, mac.security.word()),
            name if name == Mac::RETRIES.name => told(Mac::ACK, "false"),
            _ => told(Mac::CSMA, if mac.csma { "true" } else { "false" }),
        }
    }

    fn ran_unless(&self, seed: u64, stop: Stop<'_>) -> Ran {
        run::ran(self, seed, stop)
    }

    fn captures(&self, form: Form) -> Result<Vec<String>, String> {
        match form {
            Form::Air => Ok(vec![String::new()]),
            Form::Host | Form::Timeline => Err(format!("a run over `{}` is captured as .pcapng", NAMES[0])),
        }
    }

    fn captured(&self, seed: u64, captures: Captures<'_>) {
        captured::captured(self, seed, captures);
    }

    fn boxed(&self) -> Box<dyn Scenario> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
