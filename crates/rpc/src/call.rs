//! Interface of the machines to both ends of a call.

use core::fmt;

/// A call of this connection, by its number. Numbers are given by the client, count up and wrap; those of calls under way
/// differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u16);

/// Kind of a call: the number of messages each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One request, one response.
    Unary,
    /// One request, a stream of responses.
    ServerStream,
    /// A stream of requests, one response.
    ClientStream,
    /// A stream each way; extended mode only.
    Bidirectional,
}

/// Next thing that an end has to send on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A message of this many octets, which are then read from offset 0 on, once and in order.
    Message {
        /// Octets of the encoded message, without any header.
        octets: u32,
    },
    /// Nothing yet; the machine is told with `resume` when there is.
    Later,
    /// Nothing more: the stream, or the single message, is over.
    End,
    /// The call fails (server only).
    Failed(Status),
}

/// Status of a call that a server did not answer. The numbers are on the wire of extended mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Status {
    /// There is no such method.
    UnknownCommand = 1,
    /// The request makes no sense.
    BadArgument = 2,
    /// Busy: as many calls are under way as the server takes; try again.
    Busy = 3,
    /// A message is longer than its receiver takes.
    TooLarge = 4,
    /// The client has cancelled it.
    Cancelled = 5,
    /// It was not over at its deadline.
    Deadline = 6,
    /// The server's own fault.
    Internal = 7,
    /// Frames were lost, so that nobody knows.
    Lost = 8,
}

/// Error with which a call ended for its client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The server says so.
    Refused(Status),
    /// Nothing came in time.
    Timeout,
    /// The connection went away, or frames of it did.
    Lost,
    /// Malformed: the octets that came make no sense, or were not genuine.
    Malformed,
}

/// Reason that a call was not begun. Nothing of it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The connection is not ready for calls.
    NotReady,
    /// Busy: as many calls are under way as both ends take.
    Busy,
    /// The name is empty, longer than [`NAME_MAX`](crate::NAME_MAX), or not ASCII.
    Name,
    /// The mode in use has no such call: streams both ways, or a message beyond 64 KB, in compatible mode.
    Unsupported,
}

/// Caller: gives the octets of requests and takes those of responses.
pub trait Caller {
    /// Next thing to send on `call`. After a message was read to its end, the machine asks again.
    fn next(&mut self, call: CallId) -> Next;

    /// Fills `into`, which is never empty, with octets of the request message under way, from `offset` on.
    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]);

    /// Octets of a response message of `call`; `last` ends the message. A message may be empty.
    fn received(&mut self, call: CallId, octets: &[u8], last: bool);

    /// Octets of responses that can be taken on `call` now, beyond what was received; the end of a message counts as one more.
    /// In extended mode the other end is never allowed more, but for the window that the call began with. Asked after
    /// every mutation.
    fn room(&self, call: CallId) -> u32 {
        let _ = call;
        u32::MAX
    }

    /// The call is over: nothing more is said of it.
    fn ended(&mut self, call: CallId, result: Result<(), CallError>);
}

/// Service that is called. Every method is told of a call that stands, from `open` to `closed`.
pub trait Service {
    /// A call of the method `name` begins; says of which kind that is.
    ///
    /// # Errors
    /// [`Status::UnknownCommand`], or whatever else keeps it from beginning; `closed` is not told of it then.
    fn open(&mut self, call: CallId, name: &str) -> Result<Kind, Status>;

    /// Octets of a request message; `last` ends the message.
    ///
    /// # Errors
    /// Ends the call with this status.
    fn received(&mut self, call: CallId, octets: &[u8], last: bool) -> Result<(), Status>;

    /// The client sends no more requests.
    ///
    /// # Errors
    /// Ends the call with this status.
    fn finished(&mut self, call: CallId) -> Result<(), Status>;

    /// Next thing to send on `call`. Never asked before there is something to answer: a unary call or a server's stream
    /// is asked from the end of its request on, a client's stream from `finished` on, a bidirectional one at any time.
    fn next(&mut self, call: CallId) -> Next;

    /// Fills `into`, which is never empty, with octets of the response message under way, from `offset` on.
    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]);

    /// Octets of requests that can be taken on `call` now, beyond what was received; the end of a message counts as one more.
    /// In extended mode the other end is never allowed more, but for the first 512 of a call. Asked after
    /// every mutation.
    fn room(&self, call: CallId) -> u32 {
        let _ = call;
        u32::MAX
    }

    /// The call is over, however it ended: its place is free.
    fn closed(&mut self, call: CallId);
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownCommand => "the server has no such method",
            Self::BadArgument => "the request makes no sense to the server",
            Self::Busy => "as many calls are under way as the server takes",
            Self::TooLarge => "a message is longer than its receiver takes",
            Self::Cancelled => "cancelled by the client",
            Self::Deadline => "not over at its deadline",
            Self::Internal => "the server failed",
            Self::Lost => "frames were lost",
        })
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(status) => status.fmt(f),
            Self::Timeout => f.write_str("no answer in time"),
            Self::Lost => f.write_str("the connection went away"),
            Self::Malformed => f.write_str("the answer makes no sense"),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotReady => "the connection is not ready for calls",
            Self::Busy => "as many calls are under way as both ends take",
            Self::Name => "a method's name has 1 to 16 ASCII characters",
            Self::Unsupported => "the mode in use has no such call",
        })
    }
}

impl core::error::Error for Status {}
impl core::error::Error for CallError {}
impl core::error::Error for Refused {}
