//! BlueZ as the host of a central: its daemon's search, and one characteristic of the board that it has found.

use airtime_ble::host::Address;
use airtime_core::{Duration, Instant};

use super::bus::{Arguments, Bus, BusError, Call, Change, Value};
use super::error::BluezError;
use super::finder::{CHARACTERISTIC, Characteristic, Finder, of_value};
use crate::ble::system::{News, SystemHost, Unanswered, Wanted, Written};

/// Board that is connected: its object, and the characteristic by which values travel.
#[derive(Clone, Debug)]
struct Connected {
    board: String,
    values: Characteristic,
}

/// BlueZ, on a bus.
pub struct Bluez<B> {
    finder: Finder<B>,
    connected: Option<Connected>,
}

impl<B: Bus> Bluez<B> {
    /// BlueZ on `bus`, which is to find what is `wanted`.
    pub fn new(bus: B, wanted: Wanted) -> Self {
        Self { finder: Finder::new(bus, wanted), connected: None }
    }

    /// The bus that it is on.
    pub fn bus(&self) -> &B {
        self.finder.bus()
    }

    /// Answer to a method of the characteristic.
    fn asked(&mut self, method: &str, arguments: Arguments<'_>) -> Result<Value, Unanswered<BluezError>> {
        let Some(Connected { values, .. }) = &self.connected else { return Err(Unanswered::Gone) };
        let call = Call { path: &values.object, interface: CHARACTERISTIC, method, arguments };
        let answer = self.finder.bus_mut().call(&call);
        // An object that is not there any more went with its connection.
        if matches!(&answer, Err(BusError::Refused { name, .. }) if name.ends_with(".UnknownObject")) {
            return Err(Unanswered::Gone);
        }
        answer.map_err(|error| match of_value(error, self.finder.name()) {
            BluezError::Gone(_) => Unanswered::Gone,
            error => Unanswered::Error(error),
        })
    }

    /// News that a change is, if it is any.
    fn told(&self, change: &Change) -> Option<News> {
        let Connected { board, values } = self.connected.as_ref()?;
        if change.path == *board && change.properties.of("Connected") == Some(&Value::Flag(false)) {
            return Some(News::Gone);
        }
        let value = change.properties.of("Value").filter(|_| change.path == values.object)?;
        value.octets().map(News::Value)
    }
}

impl<B: Bus> SystemHost for Bluez<B> {
    type Error = BluezError;

    fn now(&self) -> Instant {
        self.finder.bus().now()
    }

    fn is_stopped(&self) -> bool {
        self.finder.bus().is_stopped()
    }

    fn rest(&mut self, time: Duration) -> Result<(), BluezError> {
        Ok(self.finder.bus_mut().rest(time)?)
    }

    fn step(&self) -> Option<&'static str> {
        self.finder.step()
    }

    fn is_heard(&self) -> bool {
        self.finder.is_heard()
    }

    fn hear(&mut self, time: Duration) -> Result<Option<Address>, BluezError> {
        self.finder.hear(time)
    }

    fn connect(&mut self, time: Duration) -> Result<Option<u16>, BluezError> {
        let Some(board) = self.finder.run(time)? else { return Ok(None) };
        let connected = Connected { board: board.object, values: board.values.unwrap_or_default() };
        let att_mtu = connected.values.att_mtu;
        self.connected = Some(connected);
        Ok(Some(att_mtu))
    }

    fn subscribe(&mut self) -> Result<(), Unanswered<BluezError>> {
        let Some(Connected { board, values }) = self.connected.clone() else { return Err(Unanswered::Gone) };
        // Values may come before the answer to whoever asks for them.
        for object in [&board, &values.object] {
            self.finder.bus_mut().watch(object).map_err(BluezError::from)?;
        }
        self.asked("StartNotify", Arguments::None).map(drop)
    }

    fn read(&mut self) -> Result<usize, Unanswered<BluezError>> {
        let value = self.asked("ReadValue", Arguments::NoOptions)?;
        Ok(value.octets().map_or(0, |octets| octets.len()))
    }

    fn write(&mut self, value: &[u8], way: Written) -> Result<(), Unanswered<BluezError>> {
        self.asked("WriteValue", Arguments::Write(value, way)).map(drop)
    }

    fn news(&mut self, time: Duration) -> Result<Option<News>, BluezError> {
        let change = self.finder.bus_mut().change(time)?;
        Ok(change.and_then(|change| self.told(&change)))
    }

    fn left(&self) -> BluezError {
        BluezError::Left(self.finder.name().to_owned())
    }

    fn begin_again(&mut self) {
        self.connected = None;
        self.finder.begin_again();
    }

    fn hang_up(&mut self) {
        self.connected = None;
        self.finder.hang_up();
    }
}
