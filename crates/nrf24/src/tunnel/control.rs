//! Control frames: greeting, acknowledgement, synchronisation, unknown context, poll.
//!
//! Every one but the poll ends in a check of 16 bits. That of a greeting is over its octets; that of the others also over
//! the number of the session, so that what a former session left in a FIFO does nothing.

use airtime_core::bytes::Reader;

use super::chunk::control_octet;
use super::integrity::{CHECK, check_in};

/// Version of the protocol that this file writes. Others are not understood.
const VERSION: u8 = 1;

const KIND_GREETING: u8 = 0;
const KIND_ACK: u8 = 1;
const KIND_SYNC: u8 = 2;
const KIND_CONTEXT_UNKNOWN: u8 = 3;
const KIND_POLL: u8 = 4;

/// Greeting: the description that one end gives of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Greeting {
    /// Modes it can: bit 0 auto-ack, bit 1 ACK payload, bit 2 stream.
    pub(super) modes: u8,
    /// Set if it compresses headers.
    pub(super) compression: bool,
    /// Set if it encrypts.
    pub(super) sealed: bool,
    /// Set once it has heard its own epoch come back.
    pub(super) established: bool,
    /// Longest packet it takes.
    pub(super) mtu: u16,
    /// Epoch of this end.
    pub(super) epoch: u64,
    /// Number of times that it has seen the other end's epoch change.
    pub(super) generation: u32,
    /// The other end's epoch, if it has heard one.
    pub(super) echo: Option<u64>,
}

/// A control frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// Description that the other end gives of itself, with what it has heard of this one.
    Greeting(Greeting),
    /// The next chunk that is missing, and which of the 32 behind it are there.
    Ack {
        /// Chunks before this one are there, modulo 65536.
        base: u16,
        /// Bit i: chunk `base + 1 + i` is there.
        bitmap: u32,
    },
    /// Chunks before this one will not come any more.
    Sync {
        /// Modulo 65536.
        base: u16,
    },
    /// A packet was compressed against a context that is not there.
    ContextUnknown {
        /// Number of the context, 0..=15.
        context: u8,
    },
    /// Nothing but an occasion to answer.
    Poll,
}

impl Control {
    /// Writes the frame; its length.
    pub(super) fn write(self, session: u64, frame: &mut [u8; 32]) -> u8 {
        let mut writer = Writer { frame, len: 0 };
        match self {
            Self::Greeting(greeting) => {
                writer.put(&[control_octet(KIND_GREETING), VERSION, greeting.modes, flags(greeting)]);
                writer.put(&greeting.mtu.to_le_bytes());
                writer.put(&greeting.epoch.to_le_bytes());
                writer.put(&greeting.generation.to_le_bytes());
                writer.put(&greeting.echo.unwrap_or_default().to_le_bytes());
                return writer.seal(0);
            }
            Self::Ack { base, bitmap } => {
                writer.put(&[control_octet(KIND_ACK)]);
                writer.put(&base.to_le_bytes());
                writer.put(&bitmap.to_le_bytes());
            }
            Self::Sync { base } => {
                writer.put(&[control_octet(KIND_SYNC)]);
                writer.put(&base.to_le_bytes());
            }
            Self::ContextUnknown { context } => writer.put(&[control_octet(KIND_CONTEXT_UNKNOWN), context]),
            Self::Poll => {
                writer.put(&[control_octet(KIND_POLL)]);
                return writer.len;
            }
        }
        writer.seal(session)
    }

    /// Reads a frame of this kind; none if it is damaged, of another session, or unknown. `frame` is all of it.
    pub(super) fn read(kind: u8, session: u64, frame: &[u8]) -> Option<Self> {
        if kind == KIND_POLL {
            return (frame.len() == 1).then_some(Self::Poll);
        }
        let (octets, check) = frame.split_last_chunk::<CHECK>()?;
        let session = if kind == KIND_GREETING { 0 } else { session };
        if check_in(session, octets) != u16::from_le_bytes(*check) {
            return None;
        }
        let mut reader = Reader::new(octets.get(1..)?);
        let control = match kind {
            KIND_GREETING => Self::Greeting(greeting(&mut reader)?),
            KIND_ACK => Self::Ack { base: reader.u16()?, bitmap: reader.u32()? },
            KIND_SYNC => Self::Sync { base: reader.u16()? },
            KIND_CONTEXT_UNKNOWN => Self::ContextUnknown { context: reader.u8()? & 0xf },
            _ => return None,
        };
        reader.is_empty().then_some(control)
    }
}

fn flags(greeting: Greeting) -> u8 {
    u8::from(greeting.compression)
        | u8::from(greeting.sealed) << 1
        | u8::from(greeting.established) << 2
        | u8::from(greeting.echo.is_some()) << 3
}

fn greeting(reader: &mut Reader<'_>) -> Option<Greeting> {
    let [version, modes, flags] = reader.array()?;
    let mtu = reader.u16()?;
    let epoch = reader.u64()?;
    let generation = reader.u32()?;
    let echo = reader.u64()?;
    (version == VERSION).then_some(Greeting {
        modes,
        compression: flags & 1 != 0,
        sealed: flags & 2 != 0,
        established: flags & 4 != 0,
        mtu,
        epoch,
        generation,
        echo: (flags & 8 != 0).then_some(echo),
    })
}

struct Writer<'a> {
    frame: &'a mut [u8; 32],
    len: u8,
}

impl Writer<'_> {
    fn put(&mut self, octets: &[u8]) {
        let at = usize::from(self.len);
        self.frame[at..at + octets.len()].copy_from_slice(octets);
        self.len += octets.len() as u8;
    }

    fn seal(mut self, session: u64) -> u8 {
        let check = check_in(session, &self.frame[..usize::from(self.len)]);
        self.put(&check.to_le_bytes());
        self.len
    }
}
