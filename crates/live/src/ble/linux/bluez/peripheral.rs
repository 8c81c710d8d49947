//! BlueZ as the host of a peripheral: it advertises, and has the characteristic that publishes a PSM or carries the stream.

use airtime_app::payload;
use airtime_core::{Duration, Instant};
use airtime_system::clock::TIME_MAX;

use super::bus::{Arguments, BusError, Call};
use super::error::BluezError;
use super::finder::adapter;
use super::objects::{ADVERTISEMENT, CHARACTERISTIC, Happening, Objects, Offer, ROOT};
use super::served::ServedBus;
use crate::ble::rate::Rate;
use crate::ble::whole::{Check, Whole};

/// Interfaces of an adapter by which it is given objects.
const GATT: &str = "org.bluez.GattManager1";
const ADVERTISING: &str = "org.bluez.LEAdvertisingManager1";

/// Configuration of a peripheral.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeripheralConfig {
    /// Address of the adapter; none for the one that is powered.
    pub adapter: Option<String>,
    /// Name that it advertises.
    pub name: String,
    /// Part of the test service that it has.
    pub offer: Offer,
    /// Octets of the values that it indicates.
    pub octets: u16,
    /// Time that is left out of the steady state.
    pub warmup: Duration,
}

/// A peripheral with BlueZ as its host, and the values that were carried.
pub struct Peripheral<B> {
    bus: B,
    objects: Objects,
    config: PeripheralConfig,
    /// Address of the adapter, once it advertises.
    adapter: Option<String>,
    subscribed: bool,
    /// The central has not confirmed the last value yet.
    unconfirmed: bool,
    indicated: u64,
    rate: Rate,
    began: Option<Instant>,
    octets: u64,
    check: Check,
}

impl<B: ServedBus> Peripheral<B> {
    /// A peripheral on `bus`, which advertises from the first [`run`](Self::run) on.
    pub fn new(bus: B, config: PeripheralConfig) -> Self {
        Self {
            bus,
            objects: Objects::new(config.name.clone(), config.offer),
            rate: Rate::new(config.warmup),
            config,
            adapter: None,
            subscribed: false,
            unconfirmed: false,
            indicated: 0,
            began: None,
            octets: 0,
            check: Check::default(),
        }
    }

    /// The bus that it is on.
    pub fn bus(&self) -> &B {
        &self.bus
    }

    /// Time by its bus.
    pub fn bus_now(&self) -> Instant {
        self.bus.now()
    }

    /// Address of the adapter, once it advertises.
    pub fn adapter(&self) -> Option<&str> {
        self.adapter.as_deref()
    }

    /// Time since the first value; none before it.
    pub fn streaming(&self) -> Option<Duration> {
        self.began.map(|began| self.bus.now().saturating_since(began))
    }

    /// Payload that was carried, in octets.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// Values that were written to it, against what the test sends.
    pub fn whole(&self) -> Option<Whole> {
        self.check.outcome()
    }

    /// Rate of the payload, and the time by which it is told.
    pub fn rate(&self) -> (&Rate, Instant) {
        (&self.rate, self.bus.now())
    }

    /// Advertises, and serves who calls, for `time` or until somebody asks to stop.
    ///
    /// # Errors
    /// When it cannot advertise, or BlueZ advertises no more.
    pub fn run(&mut self, time: Duration) -> Result<(), BluezError> {
        if self.adapter.is_none() {
            self.begin()?;
        }
        let end = self.bus.now() + time.min(TIME_MAX);
        loop {
            let rest = end.saturating_since(self.bus.now());
            if rest.is_zero() || self.bus.is_stopped() {
                return Ok(());
            }
            self.indicate()?;
            match self.bus.serve(&self.objects, rest)? {
                None | Some(Happening::Nothing | Happening::Read) => {}
                Some(Happening::Written(value)) => {
                    self.check.take(&value);
                    self.note(value.len());
                }
                Some(Happening::Subscribed(subscribed)) => {
                    (self.subscribed, self.unconfirmed) = (subscribed, false);
                }
                Some(Happening::Confirmed) => {
                    if std::mem::take(&mut self.unconfirmed) {
                        self.note(self.config.octets.into());
                    }
                }
                Some(Happening::Released) => return Err(BluezError::Released),
            }
        }
    }

    /// Gives BlueZ the objects.
    fn begin(&mut self) -> Result<(), BluezError> {
        let (path, address) = adapter(&mut self.bus, self.config.adapter.as_deref())?;
        for (interface, method, object) in
            [(GATT, "RegisterApplication", ROOT), (ADVERTISING, "RegisterAdvertisement", ADVERTISEMENT)]
        {
            let call = Call { path: &path, interface, method, arguments: Arguments::Object(object) };
            self.bus.call_served(&call, &self.objects).map_err(|error| match error {
                BusError::Refused { name, text }
                    if name.starts_with("org.bluez.") || name.ends_with(".UnknownMethod") =>
                {
                    BluezError::Unadvertised { method, why: if text.is_empty() { name } else { text } }
                }
                error => error.into(),
            })?;
        }
        self.adapter = Some(address);
        Ok(())
    }

    /// Indicates the next value, once the central has the one before.
    fn indicate(&mut self) -> Result<(), BluezError> {
        if self.config.offer != Offer::Indicated || !self.subscribed || self.unconfirmed {
            return Ok(());
        }
        let mut value = vec![0; usize::from(self.config.octets)];
        payload::write(self.indicated, &mut value);
        // The rate is of what was confirmed: it begins with the first indication.
        self.began.get_or_insert(self.bus.now());
        self.bus.tell(CHARACTERISTIC, &value)?;
        self.indicated += 1;
        self.unconfirmed = true;
        Ok(())
    }

    /// Notes a value of so many octets.
    fn note(&mut self, octets: usize) {
        let now = self.bus.now();
        self.began.get_or_insert(now);
        self.octets += octets as u64;
        self.rate.note(now, octets as u64);
    }
}
