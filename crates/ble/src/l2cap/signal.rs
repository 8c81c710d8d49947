//! Signalling commands on the wire. Core 6.0, Vol 3, Part A, 4.

use airtime_core::bytes::Reader;
use airtime_core::{Packet, Pool};

/// Largest signalling C-frame every LE device takes. Core 6.0, Vol 3, Part A, 4.
pub const SIGNALLING_MTU: usize = 23;

/// Reject: command not understood. Core 6.0, Vol 3, Part A, 4.1.
pub const NOT_UNDERSTOOD: u16 = 0x0000;
/// Reject: signalling MTU exceeded.
pub const SIGNALLING_MTU_EXCEEDED: u16 = 0x0001;
/// Reject: invalid channel identifier in request.
pub const INVALID_CID: u16 = 0x0002;

/// Connection response: successful. Core 6.0, Vol 3, Part A, 4.23.
pub const CONNECTED: u16 = 0x0000;
/// Connection response: PSM not supported.
pub const PSM_NOT_SUPPORTED: u16 = 0x0002;
/// Connection response: no resources available.
pub const NO_RESOURCES: u16 = 0x0004;
/// Connection response: invalid source channel identifier.
pub const INVALID_SOURCE_CID: u16 = 0x0009;
/// Connection response: source channel identifier already allocated.
pub const SOURCE_CID_ALLOCATED: u16 = 0x000a;
/// Connection response: unacceptable parameters.
pub const UNACCEPTABLE_PARAMETERS: u16 = 0x000b;

/// One signalling command without its identifier. Channel identifiers keep the specification's
/// names: source is the sender's of the request, destination the other one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// 0x01: a command is refused.
    Reject {
        /// One of the reject reasons.
        reason: u16,
        /// The receiver's and the sender's identifiers, with [`INVALID_CID`] only.
        cids: Option<(u16, u16)>,
    },
    /// 0x06: close a channel.
    DisconnectRequest {
        /// The receiver's identifier.
        destination: u16,
        /// The sender's identifier.
        source: u16,
    },
    /// 0x07: it is closed.
    DisconnectResponse {
        /// Destination CID, as in the request.
        destination: u16,
        /// Source CID, as in the request.
        source: u16,
    },
    /// 0x12: a peripheral asks for other connection parameters.
    ParameterRequest {
        /// Shortest interval, 1.25 ms.
        min: u16,
        /// Longest interval, 1.25 ms.
        max: u16,
        /// Peripheral latency, events.
        latency: u16,
        /// Supervision timeout, 10 ms.
        timeout: u16,
    },
    /// 0x13: the central's answer.
    ParameterResponse {
        /// 0 accepts, 1 rejects.
        result: u16,
    },
    /// 0x14: open a credit-based channel.
    ConnectRequest {
        /// LE PSM.
        psm: u16,
        /// The sender's identifier of the channel.
        source: u16,
        /// Largest SDU the sender takes.
        mtu: u16,
        /// Largest K-frame payload the sender takes.
        mps: u16,
        /// K-frames the sender takes at once.
        credits: u16,
    },
    /// 0x15: the answer.
    ConnectResponse {
        /// The responder's identifier of the channel.
        destination: u16,
        /// Largest SDU the responder takes.
        mtu: u16,
        /// Largest K-frame payload the responder takes.
        mps: u16,
        /// K-frames the responder takes at once.
        credits: u16,
        /// [`CONNECTED`], or why not.
        result: u16,
    },
    /// 0x16: that many more K-frames.
    Credits {
        /// The sender's identifier of the channel.
        cid: u16,
        /// Number of credits granted.
        credits: u16,
    },
}

/// A C-frame that is no command we know: the answer is a reject with this identifier and reason,
/// or none when not even the identifier is there.
pub type Unknown = Option<(u8, u16)>;

impl Signal {
    /// Reads the one command of an LE C-frame, with its identifier.
    ///
    /// # Errors
    /// What a device answers to a frame that it does not understand: [`Unknown`].
    pub fn parse(frame: &[u8]) -> Result<(u8, Self), Unknown> {
        let mut r = Reader::new(frame);
        let (code, identifier) = r.u8().zip(r.u8()).ok_or(None)?;
        if frame.len() > SIGNALLING_MTU {
            return Err(Some((identifier, SIGNALLING_MTU_EXCEEDED)));
        }
        let not_understood = Some((identifier, NOT_UNDERSTOOD));
        let length = r.u16().ok_or(not_understood)?;
        if usize::from(length) != r.rest().len() || identifier == 0 {
            return Err(not_understood);
        }
        Self::parse_data(code, &mut r).map(|signal| (identifier, signal)).ok_or(not_understood)
    }

    fn parse_data(code: u8, r: &mut Reader<'_>) -> Option<Self> {
        let signal = match code {
            0x01 => Self::Reject { reason: r.u16()?, cids: r.u16().zip(r.u16()) },
            0x06 => Self::DisconnectRequest { destination: r.u16()?, source: r.u16()? },
            0x07 => Self::DisconnectResponse { destination: r.u16()?, source: r.u16()? },
            0x12 => Self::ParameterRequest { min: r.u16()?, max: r.u16()?, latency: r.u16()?, timeout: r.u16()? },
            0x13 => Self::ParameterResponse { result: r.u16()? },
            0x14 => Self::ConnectRequest {
                psm: r.u16()?,
                source: r.u16()?,
                mtu: r.u16()?,
                mps: r.u16()?,
                credits: r.u16()?,
            },
            0x15 => Self::ConnectResponse {
                destination: r.u16()?,
                mtu: r.u16()?,
                mps: r.u16()?,
                credits: r.u16()?,
                result: r.u16()?,
            },
            0x16 => Self::Credits { cid: r.u16()?, credits: r.u16()? },
            _ => return None,
        };
        r.is_empty().then_some(signal)
    }

    /// Writes the information payload of a C-frame.
    pub fn emit(self, pool: &Pool, identifier: u8) -> Packet {
        let mut frame = pool.packet();
        let mut put = |code: u8, words: &[u16]| {
            frame.put(&[code, identifier, 2 * words.len() as u8, 0]);
            words.iter().for_each(|word| frame.put_u16(*word));
        };
        match self {
            Self::Reject { reason, cids: None } => put(0x01, &[reason]),
            Self::Reject { reason, cids: Some((local, remote)) } => put(0x01, &[reason, local, remote]),
            Self::DisconnectRequest { destination, source } => put(0x06, &[destination, source]),
            Self::DisconnectResponse { destination, source } => put(0x07, &[destination, source]),
            Self::ParameterRequest { min, max, latency, timeout } => put(0x12, &[min, max, latency, timeout]),
            Self::ParameterResponse { result } => put(0x13, &[result]),
            Self::ConnectRequest { psm, source, mtu, mps, credits } => put(0x14, &[psm, source, mtu, mps, credits]),
            Self::ConnectResponse { destination, mtu, mps, credits, result } => {
                put(0x15, &[destination, mtu, mps, credits, result]);
            }
            Self::Credits { cid, credits } => put(0x16, &[cid, credits]),
        }
        frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes() {
        let pool = Pool::new();
        let table: [(Signal, &[u8]); 6] = [
            (
                Signal::ConnectRequest { psm: 0x80, source: 0x40, mtu: 2000, mps: 247, credits: 10 },
                &[0x14, 7, 10, 0, 0x80, 0, 0x40, 0, 0xd0, 0x07, 0xf7, 0, 10, 0],
            ),
            (
                Signal::ConnectResponse { destination: 0x41, mtu: 2000, mps: 247, credits: 1, result: 0 },
                &[0x15, 7, 10, 0, 0x41, 0, 0xd0, 0x07, 0xf7, 0, 1, 0, 0, 0],
            ),
            (Signal::Credits { cid: 0x40, credits: 2 }, &[0x16, 7, 4, 0, 0x40, 0, 2, 0]),
            (Signal::DisconnectRequest { destination: 0x40, source: 0x41 }, &[0x06, 7, 4, 0, 0x40, 0, 0x41, 0]),
            (
                Signal::Reject { reason: INVALID_CID, cids: Some((0x40, 0x41)) },
                &[0x01, 7, 6, 0, 2, 0, 0x40, 0, 0x41, 0],
            ),
            (
                Signal::ParameterRequest { min: 12, max: 24, latency: 0, timeout: 400 },
                &[0x12, 7, 8, 0, 12, 0, 24, 0, 0, 0, 0x90, 1],
            ),
        ];
        for (signal, bytes) in table {
            assert_eq!(&*signal.emit(&pool, 7), bytes);
            assert_eq!(Signal::parse(bytes), Ok((7, signal)));
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let table: [(&[u8], Unknown); 6] = [
            (&[], None),
            (&[0x16], None),
            (&[0x16, 3], Some((3, NOT_UNDERSTOOD))),
            (&[0x16, 3, 3, 0, 1, 2, 3], Some((3, NOT_UNDERSTOOD))),
            (&[0x99, 3, 0, 0], Some((3, NOT_UNDERSTOOD))),
            (&[0x16; 24], Some((0x16, SIGNALLING_MTU_EXCEEDED))),
        ];
        for (bytes, answer) in table {
            assert_eq!(Signal::parse(bytes), Err(answer), "{bytes:02x?}");
        }
    }
}
