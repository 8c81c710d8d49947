//! Bluetooth that the operating system has, host and all: a program asks it for a board, and carries values.
//!
//! - [`SystemHost`]: the least that each of them does · [`Values`]: a stream on it · [`Calls`]: remote calls on it
//!
//! Who they are: BlueZ (`super::linux::bluez`), CoreBluetooth and WinRT (`super::native`).

mod calls;
mod values;

pub use calls::{Calls, called};
pub use values::{Values, Way};

use std::error::Error;

use airtime_ble::host::Address;
use airtime_core::{Duration, Instant};

/// Characteristics of the test service, of which one publishes a PSM, two octets, and one is the stream: `ble/src/host/att/database.rs`.
pub const PSM: &str = "8d5f0002-4c5e-4a7b-9f3a-61697274696d";
/// The stream.
pub const STREAM: &str = "8d5f0003-4c5e-4a7b-9f3a-61697274696d";

/// Characteristic of the frames of remote calls: docs/rpc-protocol.md.
pub const FRAMES: &str = "12340002-0000-1000-8000-00805f9b34fb";

/// Octets of an ATT request in front of the value. Core 6.0, Vol 3, Part F, 3.4.5.1.
pub const ATT_HEADER: u16 = 3;

/// Board that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Address of the adapter; none for the one that is powered.
    pub adapter: Option<String>,
    /// Name that it advertises.
    pub name: String,
    /// Time in which it has to be heard.
    pub within: Duration,
    /// Part of it that is looked for.
    pub part: Part,
}

/// Part of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its address, for which it needs no connection.
    Address,
    /// PSM that it publishes.
    Psm,
    /// Stream of values.
    Stream,
    /// Frames of remote calls.
    Frames,
}

/// Way in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Write command: the system answers as soon as it has the value.
    Command,
    /// Write request, or prepared writes where the value is longer than one carries: the system answers once the board has.
    Request,
}

/// News of a board that is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A value has come.
    Value(Vec<u8>),
    /// The board has gone.
    Gone,
}

/// Reason that the board has not answered.
#[derive(Debug)]
pub enum Unanswered<E> {
    /// It has gone.
    Gone,
    /// Something else is wrong.
    Error(E),
}

impl<E> From<E> for Unanswered<E> {
    fn from(error: E) -> Self {
        Self::Error(error)
    }
}

/// Host of the operating system, as the central of one board: the part of it that was asked for is all that it carries.
pub trait SystemHost {
    /// Reason that something is not to be had, with what to do.
    type Error: Error;

    /// Time now.
    fn now(&self) -> Instant;

    /// True once somebody has asked to stop.
    fn is_stopped(&self) -> bool;

    /// Waits for `time`, or until somebody asks to stop.
    ///
    /// # Errors
    /// When the system refuses to wait.
    fn rest(&mut self, time: Duration) -> Result<(), Self::Error>;

    /// Step of the set-up that is under way, in words; none while it scans.
    fn step(&self) -> Option<&'static str>;

    /// True once the board was heard.
    fn is_heard(&self) -> bool;

    /// Goes on for `time` or until somebody asks to stop; address of the board once it is heard, before there is a connection.
    ///
    /// # Errors
    /// Why nobody is.
    fn hear(&mut self, time: Duration) -> Result<Option<Address>, Self::Error>;

    /// Goes on for `time` or until somebody asks to stop; ATT MTU of the connection once the board is connected and has the part that is wanted.
    ///
    /// # Errors
    /// Why there is none.
    fn connect(&mut self, time: Duration) -> Result<Option<u16>, Self::Error>;

    /// Has the board tell its values from now on.
    ///
    /// # Errors
    /// Why it does not.
    fn subscribe(&mut self) -> Result<(), Unanswered<Self::Error>>;

    /// Octets of the value, which is read.
    ///
    /// # Errors
    /// Why there are none.
    fn read(&mut self) -> Result<usize, Unanswered<Self::Error>>;

    /// Writes the value.
    ///
    /// # Errors
    /// Why it is not written.
    fn write(&mut self, value: &[u8], way: Written) -> Result<(), Unanswered<Self::Error>>;

    /// Next that a connected board tells; none where it tells nothing within `time`, or somebody asks to stop.
    ///
    /// # Errors
    /// When the system's Bluetooth has gone.
    fn news(&mut self, time: Duration) -> Result<Option<News>, Self::Error>;

    /// Error that the going of a board in mid-stream is.
    fn left(&self) -> Self::Error;

    /// Begins the search anew: the connection is over.
    fn begin_again(&mut self);

    /// Ends the connection, if there is one.
    fn hang_up(&mut self);
}
