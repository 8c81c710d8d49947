//! Stream of values: those that a board notifies or indicates, as the system hands them on; and those that are read or written, one as soon
//! as the one before is answered.

use airtime_app::payload;
use airtime_core::{Duration, Instant};
use airtime_system::clock::TIME_MAX;

use super::{ATT_HEADER, News, SystemHost, Unanswered, Written};
use crate::ble::rate::Rate;
use crate::ble::whole::{Check, Whole};

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
    /// Written with commands, of so many octets at most, each as soon as the system takes it.
    Commanded {
        /// Octets of a value.
        octets: u16,
    },
}

/// Stream of values, and what was carried by it.
pub struct Values<H> {
    host: H,
    way: Way,
    /// ATT MTU, once the stream may flow.
    att_mtu: Option<u16>,
    rate: Rate,
    began: Option<Instant>,
    octets: u64,
    /// Values that were written.
    written: u64,
    check: Check,
}

impl<H: SystemHost> Values<H> {
    /// Stream of the board that `host` is to find; its first `warmup` is not its steady state.
    pub fn new(host: H, way: Way, warmup: Duration) -> Self {
        Self {
            host,
            way,
            att_mtu: None,
            rate: Rate::new(warmup),
            began: None,
            octets: 0,
            written: 0,
            check: Check::default(),
        }
    }

    /// The host that carries it.
    pub fn host(&self) -> &H {
        &self.host
    }

    /// True once the stream may flow.
    pub fn is_open(&self) -> bool {
        self.att_mtu.is_some()
    }

    /// Time since the first value; none before it.
    pub fn streaming(&self) -> Option<Duration> {
        self.began.map(|began| self.host.now().saturating_since(began))
    }

    /// Payload that was carried, in octets.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// Values that the board has told, against what the test sends.
    pub fn whole(&self) -> Option<Whole> {
        self.check.outcome()
    }

    /// Rate of the payload, and the time by which it is told.
    pub fn rate(&self) -> (&Rate, Instant) {
        (&self.rate, self.host.now())
    }

    /// Goes on for `time`, or until somebody asks to stop.
    ///
    /// # Errors
    /// When there is no stream, or none any more.
    pub fn run(&mut self, time: Duration) -> Result<(), H::Error> {
        let end = self.host.now() + time.min(TIME_MAX);
        loop {
            let rest = end.saturating_since(self.host.now());
            if rest.is_zero() || self.host.is_stopped() {
                return Ok(());
            }
            match (self.att_mtu, self.way) {
                (None, _) => self.find(rest)?,
                (Some(_), Way::Notified) => self.take(rest)?,
                (Some(_), Way::Read) => self.read()?,
                (Some(att_mtu), Way::Written { octets, long }) => {
                    let room = if long { VALUE_MAX } else { att_mtu.saturating_sub(ATT_HEADER) };
                    self.write(octets.min(room), Written::Request)?;
                }
                (Some(att_mtu), Way::Commanded { octets }) => {
                    self.write(octets.min(att_mtu.saturating_sub(ATT_HEADER)), Written::Command)?;
                }
            }
        }
    }

    /// Ends the connection that the search has made.
    pub fn hang_up(&mut self) {
        self.host.hang_up();
    }

    /// Looks for the board, and has it notify once it is found.
    fn find(&mut self, time: Duration) -> Result<(), H::Error> {
        let Some(att_mtu) = self.host.connect(time)? else { return Ok(()) };
        if self.way == Way::Notified {
            let subscribed = self.host.subscribe();
            self.answered(subscribed)?;
        }
        self.att_mtu = Some(att_mtu);
        Ok(())
    }

    fn answered<T>(&self, answer: Result<T, Unanswered<H::Error>>) -> Result<T, H::Error> {
        answer.map_err(|unanswered| match unanswered {
            Unanswered::Gone => self.host.left(),
            Unanswered::Error(error) => error,
        })
    }

    /// Takes the next value that comes within `time`.
    fn take(&mut self, time: Duration) -> Result<(), H::Error> {
        match self.host.news(time)? {
            None => {}
            Some(News::Value(value)) => {
                self.check.take(&value);
                self.note(value.len());
            }
            Some(News::Gone) => return Err(self.host.left()),
        }
        Ok(())
    }

    /// Reads the value.
    fn read(&mut self) -> Result<(), H::Error> {
        let read = self.host.read();
        let octets = self.answered(read)?;
        self.note(octets);
        Ok(())
    }

    /// Writes a value of `octets`.
    fn write(&mut self, octets: u16, way: Written) -> Result<(), H::Error> {
        let mut value = [0; VALUE_MAX as usize];
        let value = &mut value[..usize::from(octets.min(VALUE_MAX))];
        payload::write(self.written, value);
        // The rate is of what was answered, or taken: it begins with the first.
        self.began.get_or_insert(self.host.now());
        let written = self.host.write(value, way);
        self.answered(written)?;
        self.written += 1;
        self.note(value.len());
        Ok(())
    }

    /// Notes a value of so many octets.
    fn note(&mut self, octets: usize) {
        let now = self.host.now();
        self.began.get_or_insert(now);
        self.octets += octets as u64;
        self.rate.note(now, octets as u64);
    }
}
