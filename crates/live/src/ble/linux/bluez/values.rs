//! Stream of values: those that a board notifies or indicates, each a change of its characteristic as BlueZ hands it on; and those that
//! are read or written, one as soon as the one before is answered.

use airtime_app::payload;
use airtime_core::{Duration, Instant};
use airtime_system::sleep::TIME_MAX;

use super::bus::{Arguments, Bus, Call, Value, Written};
use super::error::BluezError;
use super::finder::{CHARACTERISTIC, Characteristic, Finder, Part, Wanted, of_value};
use crate::ble::rate::Rate;

/// Octets of an ATT request in front of the value. Core 6.0, Vol 3, Part F, 3.4.5.1.
const ATT_HEADER: u16 = 3;

/// Longest value of an attribute. Core 6.0, Vol 3, Part F, 3.2.9.
const VALUE_MAX: u16 = 512;

/// Way of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Notified or indicated, as the board chooses.
    Notified,
    /// Read, each as soon as the one before has come.
    Read,
    /// Written with requests, of so many octets at most.
    Written {
        /// Octets of a value; those that do not fit behind the header of one request go in several.
        octets: u16,
        /// Set if a value may go in several.
        long: bool,
    },
}

/// Board and its stream, once they are found.
struct Found {
    board: String,
    stream: Characteristic,
}

/// Stream of values, and what was carried by it.
pub struct Values<B> {
    finder: Finder<B>,
    way: Way,
    found: Option<Found>,
    rate: Rate,
    began: Option<Instant>,
    octets: u64,
    /// Values that were written.
    written: u64,
}

impl<B: Bus> Values<B> {
    /// Stream of whoever has the name that is `wanted`, on `bus`; its first `warmup` is not its steady state.
    pub fn new(bus: B, wanted: Wanted, way: Way, warmup: Duration) -> Self {
        let finder = Finder::new(bus, Wanted { part: Part::Stream, ..wanted });
        Self { finder, way, found: None, rate: Rate::new(warmup), began: None, octets: 0, written: 0 }
    }

    /// The search for the board.
    pub fn finder(&self) -> &Finder<B> {
        &self.finder
    }

    /// True once the stream may flow.
    pub fn is_open(&self) -> bool {
        self.found.is_some()
    }

    /// Time since the first value; none before it.
    pub fn streaming(&self) -> Option<Duration> {
        self.began.map(|began| self.finder.bus().now().saturating_since(began))
    }

    /// Payload that was carried, in octets.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// Rate of the payload, and the time by which it is told.
    pub fn rate(&self) -> (&Rate, Instant) {
        (&self.rate, self.finder.bus().now())
    }

    /// Goes on for `time`, or until somebody asks to stop.
    ///
    /// # Errors
    /// When there is no stream, or none any more.
    pub fn run(&mut self, time: Duration) -> Result<(), BluezError> {
        let end = self.finder.bus().now() + time.min(TIME_MAX);
        loop {
            let rest = end.saturating_since(self.finder.bus().now());
            if rest.is_zero() || self.finder.bus().is_stopped() {
                return Ok(());
            }
            match (&self.found, self.way) {
                (None, _) => self.find(rest)?,
                (Some(_), Way::Notified) => self.take(rest)?,
                (Some(_), Way::Read) => self.read()?,
                (Some(_), Way::Written { octets, long }) => self.write(octets, long)?,
            }
        }
    }

    /// Ends the connection that the search has made.
    pub fn hang_up(&mut self) {
        self.finder.hang_up();
    }

    /// Looks for the board, and has it notify once it is found.
    fn find(&mut self, time: Duration) -> Result<(), BluezError> {
        let Some(board) = self.finder.run(time)? else { return Ok(()) };
        let found = Found { stream: board.values.unwrap_or_default(), board: board.object };
        if self.way == Way::Notified {
            let bus = self.finder.bus_mut();
            // Values may come before the answer to whoever asks for them.
            bus.watch(&found.board)?;
            bus.watch(&found.stream.object)?;
            self.asked(&found.stream.object, "StartNotify", Arguments::None)?;
        }
        self.found = Some(found);
        Ok(())
    }

    /// Answer to a method of the stream at `path`.
    fn asked(&mut self, path: &str, method: &str, arguments: Arguments<'_>) -> Result<Value, BluezError> {
        let answer = self.finder.bus_mut().call(&Call { path, interface: CHARACTERISTIC, method, arguments });
        answer.map_err(|error| match of_value(error, self.finder.name()) {
            BluezError::Gone(name) if self.found.is_some() => BluezError::Left(name),
            error => error,
        })
    }

    /// Takes the next value that comes within `time`.
    fn take(&mut self, time: Duration) -> Result<(), BluezError> {
        let Some(change) = self.finder.bus_mut().change(time)? else { return Ok(()) };
        let Some(found) = &self.found else { return Ok(()) };
        if change.path == found.board && change.properties.of("Connected") == Some(&Value::Flag(false)) {
            return Err(BluezError::Left(self.finder.name().to_owned()));
        }
        if let Some(Value::List(value)) = change.properties.of("Value").filter(|_| change.path == found.stream.object) {
            let octets = value.len();
            self.note(octets);
        }
        Ok(())
    }

    /// Reads the value.
    fn read(&mut self) -> Result<(), BluezError> {
        let Some(Found { stream, .. }) = &self.found else { return Ok(()) };
        let path = stream.object.clone();
        let value = self.asked(&path, "ReadValue", Arguments::NoOptions)?;
        self.note(value.octets().map_or(0, |octets| octets.len()));
        Ok(())
    }

    /// Writes a value of `octets`, or of what one request carries where it is not to be `long`.
    fn write(&mut self, octets: u16, long: bool) -> Result<(), BluezError> {
        let Some(Found { stream, .. }) = &self.found else { return Ok(()) };
        let room = if long { VALUE_MAX } else { stream.att_mtu - ATT_HEADER };
        let path = stream.object.clone();
        let mut value = [0; VALUE_MAX as usize];
        let value = &mut value[..usize::from(octets.min(room))];
        payload::write(self.written, value);
        // The rate is of what was answered: it begins with the first request.
        self.began.get_or_insert(self.finder.bus().now());
        self.asked(&path, "WriteValue", Arguments::Write(value, Written::Request))?;
        self.written += 1;
        self.note(value.len());
        Ok(())
    }

    /// Notes a value of so many octets.
    fn note(&mut self, octets: usize) {
        let now = self.finder.bus().now();
        self.began.get_or_insert(now);
        self.octets += octets as u64;
        self.rate.note(now, octets as u64);
    }
}
