//! Stream of values that a board notifies, as BlueZ hands them on: each is a change of its characteristic.

use airtime_core::{Duration, Instant};
use airtime_system::sleep::TIME_MAX;

use super::bus::{Arguments, Bus, Call, Value};
use super::error::BluezError;
use super::finder::{CHARACTERISTIC, Finder, Part, Wanted, of_value};
use crate::ble::rate::Rate;

/// Board and its stream, once they are found.
struct Found {
    board: String,
    stream: String,
}

/// Stream of values, and what was carried by it.
pub struct Values<B> {
    finder: Finder<B>,
    found: Option<Found>,
    rate: Rate,
    began: Option<Instant>,
    octets: u64,
}

impl<B: Bus> Values<B> {
    /// Stream of whoever has the name that is `wanted`, on `bus`; its first `warmup` is not its steady state.
    pub fn new(bus: B, wanted: Wanted, warmup: Duration) -> Self {
        let finder = Finder::new(bus, Wanted { part: Part::Stream, ..wanted });
        Self { finder, found: None, rate: Rate::new(warmup), began: None, octets: 0 }
    }

    /// The search for the board.
    pub fn finder(&self) -> &Finder<B> {
        &self.finder
    }

    /// True once the board has been asked to notify.
    pub fn is_open(&self) -> bool {
        self.found.is_some()
    }

    /// Time since the first value; none before it.
    pub fn streaming(&self) -> Option<Duration> {
        self.began.map(|began| self.finder.bus().now().saturating_since(began))
    }

    /// Payload that was taken in, in octets.
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
            match &self.found {
                Some(_) => self.take(rest)?,
                None => self.find(rest)?,
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
        let found = Found { stream: board.stream.unwrap_or_default(), board: board.object };
        let name = self.finder.name().to_owned();
        let bus = self.finder.bus_mut();
        // Values may come before the answer to whoever asks for them.
        bus.watch(&found.board)?;
        bus.watch(&found.stream)?;
        let notify =
            Call { path: &found.stream, interface: CHARACTERISTIC, method: "StartNotify", arguments: Arguments::None };
        bus.call(&notify).map_err(|error| of_value(error, &name))?;
        self.found = Some(found);
        Ok(())
    }

    /// Takes the next value that comes within `time`.
    fn take(&mut self, time: Duration) -> Result<(), BluezError> {
        let Some(change) = self.finder.bus_mut().change(time)? else { return Ok(()) };
        let Some(found) = &self.found else { return Ok(()) };
        if change.path == found.board && change.properties.of("Connected") == Some(&Value::Flag(false)) {
            return Err(BluezError::Left(self.finder.name().to_owned()));
        }
        if let Some(Value::List(value)) = change.properties.of("Value").filter(|_| change.path == found.stream) {
            let now = self.finder.bus().now();
            self.began.get_or_insert(now);
            self.octets += value.len() as u64;
            self.rate.note(now, value.len() as u64);
        }
        Ok(())
    }
}
