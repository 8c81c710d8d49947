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

use airtime_net::traffic::Traffic;

use super::keys::{Air, Mac, Means, Sender};
use super::limited;
use super::{captured, run};
use crate::lowpan::{IpAddresses, PAYLOAD_MAX, PAYLOAD_MIN};
use crate::network::{Config, ConfigError, Datagram, Receiving};
use crate::rcp::Uart;
use crate::wire::Security;

/// Names of the link in plans and records.
const NAMES: &[&str] = &["ieee802154"];

/// Keys of the link, in the order of documentation and records.
const TABLES: &[Table] = &[Table::new(Sender::KEYS, NAMES), Table::new(Mac::KEYS, NAMES), Table::new(Air::KEYS, NAMES)];

/// Of the keys of traffic over IP the payload alone: datagrams go one way, and `ieee802154.offered` paces them.
const TRAFFIC: &[Table] = &[Table {
    without: &[
        Traffic::KIND,
        Traffic::OFFERED,
        Traffic::PACE,
        Traffic::WRITE,
        Traffic::WINDOW,
        Traffic::SIZE,
        Traffic::FLOWS,
        Traffic::DIRECTION,
        Traffic::PING,
        Traffic::DRAIN,
    ],
    ..Table::new(Traffic::KEYS, NAMES)
}];

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

    fn traffic(&self) -> &'static [Table] {
        TRAFFIC
    }

    fn accounts(&self) -> &'static [(&'static str, &'static str)] {
        crate::ledger::Account::LEGEND
    }

    fn limited(&self, mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
        limited::limited(mechanism, before, after)
    }

    /// Plain frames, or datagrams: those that the receiver's host has.
    fn delivery(&self, told: &Told<'_>) -> Delivery {
        Delivery::default().with(told.count("units.arrived"), told.count("units.lost"))
    }

    fn read(&self, _: &str, from: &dyn Source, _: &dyn Devices) -> Result<Box<dyn Scenario>, Fault> {
        Ok(Box::new(Point::read(from)?))
    }
}

/// Parameters of one run, each with its value in effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Octets of UDP payload of each datagram; none of plain frames.
    pub datagram: Option<u16>,
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
        let mut point = Self {
            datagram: Traffic::read(from)?.payload,
            sender: Sender::read(from)?,
            mac: Mac::read(from)?,
            air: Air::read(from)?,
            run: Run::read(from)?,
        };
        if point.air.level.is_some() && point.air.loss != Loss::None {
            let what = format!("`{}` and `{}`: what is lost follows from one of them", Air::LEVEL.name, Air::LOSS.name);
            return Err(Fault::new(what).about([Air::LEVEL, Air::LOSS]));
        }
        let link = if point.sender.hops > 1 { IpAddresses::MeshLocal } else { IpAddresses::LinkLocal };
        point.sender.ip_addresses.get_or_insert(link);
        if point.datagram.is_none() {
            let room = point.config().payload_max();
            point.sender.payload.get_or_insert(room);
        } else if point.sender.payload.is_some() {
            let what = format!(
                "`{}` and `{}`: a frame carries a part of a datagram or payload of its own",
                Traffic::PAYLOAD.name,
                Sender::PAYLOAD.name
            );
            return Err(Fault::new(what).about([Traffic::PAYLOAD, Sender::PAYLOAD]));
        }
        point.run.check()?;
        point.config().check().map_err(|error| fault(error, &point))?;
        Ok(point)
    }

    /// Means of this point, as far as they decide which keys mean something.
    fn means(&self) -> Means {
        let datagrams = self.datagram.is_some();
        let Sender { hops, rcp, .. } = self.sender;
        Means { datagrams, relayed: datagrams && hops > 1, rcp }
    }

    /// The network of this point, with the seed of its first run.
    pub fn config(&self) -> Config {
        let Self { datagram, sender, mac, air, run } = self;
        let uart = Uart { baud: sender.rcp_baud };
        Config {
            payload: sender.payload.unwrap_or(0),
            datagram: datagram.map(|payload| Datagram { payload, addresses: sender.ip_addresses.unwrap_or_default() }),
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
            retry_access: mac.retry_access,
            stations: sender.stations,
            hops: sender.hops,
            reach: sender.reach,
            offered: sender.offered,
            queue: sender.queue,
            load: sender.load,
            uart: sender.rcp.sends().then_some(uart),
            receiving: sender.rcp.receives().then_some(Receiving { uart, buffer: sender.rcp_buffer }),
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
        ConfigError::Anonymous => &[Traffic::PAYLOAD, Mac::SOURCE, Mac::DESTINATION],
        ConfigError::Hops => &[Sender::HOPS, Traffic::PAYLOAD, Sender::IP_ADDRESSES, Mac::SOURCE, Mac::DESTINATION],
        ConfigError::Fragment => &[Traffic::PAYLOAD, Mac::SECURITY, Mac::SOURCE, Mac::DESTINATION],
        ConfigError::Datagram => &[Traffic::PAYLOAD],
        ConfigError::Offered => &[Sender::OFFERED, Sender::PAYLOAD],
        ConfigError::Mean => &[Mac::BACKOFF, Sender::STATIONS],
        // The ranges of the keys leave one contradiction more: a first backoff beyond the longest.
        ConfigError::Range { .. } => &[Mac::MIN_BE, Mac::MAX_BE],
    };
    let fault = Fault::new(alloc::format!("`{}`: {error}", about[0].name)).about(about.iter().copied());
    match error {
        ConfigError::Payload { most } => fault.near(alloc::format!("{most}")),
        ConfigError::Datagram => {
            let near = if point.datagram < Some(PAYLOAD_MIN) { PAYLOAD_MIN } else { PAYLOAD_MAX };
            fault.near(alloc::format!("{near}"))
        }
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
        if let Some(payload) = self.datagram {
            told(Traffic::PAYLOAD, payload.into());
        }
        self.sender.show(&self.means(), told);
        self.mac.show(&self.mac, told);
        self.air.show(&(), told);
        self.run.show(&(), told);
    }

    fn fitting(&self, key: &Key, _: u64) -> Vec<u64> {
        match key.name {
            name if name == Sender::PAYLOAD.name => vec![self.config().payload_max().into()],
            // What fills the MTU. A few octets less may spare a last fragment, which depends on everything else in a frame.
            name if name == Traffic::PAYLOAD.name => vec![PAYLOAD_MAX.into()],
            _ => Vec::new(),
        }
    }

    fn keeper(&self, key: &Key) -> String {
        let mac = &self.mac;
        let told = |name: &'static Key, value: &str| format!("{}={value}", name.name);
        let without = |name: &'static Key| format!("no {}", name.name);
        match key.name {
            name if name == Mac::KEY_ID_MODE.name => told(Mac::SECURITY, mac.security.word()),
            name if name == Mac::RETRIES.name => told(Mac::ACK, "false"),
            name if name == Mac::RETRY_ACCESS.name && mac.csma => told(Mac::RETRIES, "0"),
            name if [Sender::IP_ADDRESSES.name, Sender::HOPS.name].contains(&name) => without(Traffic::PAYLOAD),
            name if name == Sender::REACH.name && self.datagram.is_none() => without(Traffic::PAYLOAD),
            name if name == Sender::REACH.name => told(Sender::HOPS, "1"),
            name if [Sender::RCP_BAUD.name, Sender::RCP_BUFFER.name].contains(&name) => {
                told(Sender::RCP, if self.sender.rcp.sends() { "senders" } else { "none" })
            }
            _ => told(Mac::CSMA, if mac.csma { "true" } else { "false" }),
        }
    }

    fn ran_unless(&self, seed: u64, stop: Stop<'_>) -> Ran {
        run::ran(self, seed, stop)
    }

    fn captures(&self, form: Form) -> Result<Vec<String>, String> {
        match form {
            Form::Air | Form::Timeline => Ok(vec![String::new()]),
            Form::Host => Err(format!("a run over `{}` is captured as .pcapng or .perfetto", NAMES[0])),
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
