//! Events that say something of a connection, for whoever listens to a host that is not ours. Core 6.0, Vol 4, Part E, 7.7.

use airtime_core::Duration;
use airtime_core::bytes::Reader;

use super::{Status, event as code, opcode};
use crate::air::Phy;
use crate::ll::pdu::{UNIT_1_25_MS, UNIT_10_MS};

/// Connection Complete, of BR/EDR.
const CONNECTION_COMPLETE: u8 = 0x03;
/// LE Enhanced Connection Complete `[v2]`.
const LE_ENHANCED_CONNECTION_COMPLETE_V2: u8 = 0x29;
/// Read Buffer Size, of BR/EDR, which a controller may have in common with LE.
const READ_BUFFER_SIZE: u16 = 0x1005;
/// LE Read Buffer Size `[v2]`.
const LE_READ_BUFFER_SIZE_V2: u16 = 0x2060;

/// Terms of a connection that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Set if this host is the central.
    pub central: bool,
    /// Address of the other device, its first octet on the air first.
    pub peer: [u8; 6],
    /// Connection interval.
    pub interval: Duration,
    /// Peripheral latency, in events.
    pub latency: u16,
    /// Supervision timeout.
    pub timeout: Duration,
}

/// Change of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Parameters of the connection.
    Interval {
        /// Connection interval.
        interval: Duration,
        /// Peripheral latency, in events.
        latency: u16,
        /// Supervision timeout.
        timeout: Duration,
    },
    /// Octets and µs of what is sent, then of what is received.
    DataLength([u16; 4]),
    /// PHY of what is sent and of what is received; of LE Coded the faster one.
    Phy([Phy; 2]),
    /// Encryption is on, or off.
    Encrypted(bool),
    /// Frame space.
    FrameSpace(Duration),
    /// Subrate factor, and continuation number.
    Subrate(u16, u16),
}

/// Handles and counts of a Number Of Completed Packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completed<'a>(&'a [[u8; 4]]);

impl Completed<'_> {
    /// Handles, and the packets completed on each.
    pub fn iter(&self) -> impl Iterator<Item = (u16, u16)> {
        self.0.iter().map(|&[a, b, c, d]| (u16::from_le_bytes([a, b]) & 0x0fff, u16::from_le_bytes([c, d])))
    }
}

/// An event, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A connection of LE stands.
    Connected {
        /// Handle of the connection.
        handle: u16,
        /// Terms that it began with.
        terms: Terms,
    },
    /// A connection of BR/EDR.
    Classic {
        /// Handle of the connection.
        handle: u16,
    },
    /// A connection is gone.
    Disconnected {
        /// Handle of the connection.
        handle: u16,
        /// Reason of its end.
        reason: Status,
    },
    /// Packets that the controller is done with.
    Completed(Completed<'a>),
    /// Buffers for ACL data: for LE alone, or for BR/EDR and whatever has none of its own.
    Buffers {
        /// Octets of one.
        octets: u16,
        /// Number of them.
        count: u16,
        /// Set if they are for LE alone.
        le: bool,
    },
    /// A connection has changed.
    Of {
        /// Handle of the connection.
        handle: u16,
        /// Its change.
        change: Change,
    },
    /// Anything else, a failure included.
    Other,
}

impl<'a> Event<'a> {
    /// Reads an event behind its indicator; none when it is shorter than it says, or than its kind is.
    pub fn parse(data: &'a [u8]) -> Option<Self> {
        let mut r = Reader::new(data);
        let (event, octets) = (r.u8()?, r.u8()?);
        let mut r = Reader::new(r.take(octets.into())?);
        match event {
            CONNECTION_COMPLETE => {
                let [status, a, b] = r.array()?;
                let handle = u16::from_le_bytes([a, b]) & 0x0fff;
                Some(if status == 0 { Self::Classic { handle } } else { Self::Other })
            }
            code::DISCONNECTION_COMPLETE => {
                let [status, a, b, reason] = r.array()?;
                let handle = u16::from_le_bytes([a, b]) & 0x0fff;
                Some(if status == 0 { Self::Disconnected { handle, reason: Status(reason) } } else { Self::Other })
            }
            code::ENCRYPTION_CHANGE | code::ENCRYPTION_CHANGE_V2 => {
                let [status, a, b, on] = r.array()?;
                Some(of(status, [a, b], Change::Encrypted(on != 0)))
            }
            code::NUMBER_OF_COMPLETED_PACKETS => {
                let count = usize::from(r.u8()?);
                let (each, _) = r.take(4 * count)?.as_chunks::<4>();
                Some(Self::Completed(Completed(each)))
            }
            code::COMMAND_COMPLETE => Self::command_complete(&mut r),
            code::LE_META => Self::le(&mut r),
            _ => Some(Self::Other),
        }
    }

    fn command_complete(r: &mut Reader<'a>) -> Option<Self> {
        let _credits = r.u8()?;
        let opcode = r.u16()?;
        // Some commands answer with nothing but their opcode, and one that failed with its status alone.
        if r.u8() != Some(0) {
            return Some(Self::Other);
        }
        let (octets, count) = match opcode {
            READ_BUFFER_SIZE => {
                let octets = r.u16()?;
                let _synchronous = r.u8()?;
                (octets, r.u16()?)
            }
            LE_READ_BUFFER_SIZE_V2 => (r.u16()?, u16::from(r.u8()?)),
            _ if opcode == opcode::LE_READ_BUFFER_SIZE.0 => (r.u16()?, u16::from(r.u8()?)),
            _ if opcode == opcode::LE_READ_PHY.0 => {
                let [a, b, tx, rx] = r.array()?;
                let Some(phys) = phy(tx).zip(phy(rx)) else { return Some(Self::Other) };
                return Some(of(0, [a, b], Change::Phy([phys.0, phys.1])));
            }
            _ => return Some(Self::Other),
        };
        // An LE size of 0 says that those of BR/EDR serve both (7.8.2).
        let le = opcode != READ_BUFFER_SIZE;
        Some(if octets == 0 || count == 0 { Self::Other } else { Self::Buffers { octets, count, le } })
    }

    fn le(r: &mut Reader<'a>) -> Option<Self> {
        let subevent = r.u8()?;
        if subevent == code::LE_DATA_LENGTH_CHANGE {
            let handle = r.u16()? & 0x0fff;
            let lengths = [r.u16()?, r.u16()?, r.u16()?, r.u16()?];
            return Some(Self::Of { handle, change: Change::DataLength(lengths) });
        }
        match subevent {
            code::LE_CONNECTION_COMPLETE
            | code::LE_ENHANCED_CONNECTION_COMPLETE
            | LE_ENHANCED_CONNECTION_COMPLETE_V2 => return Self::connected(r, subevent),
            code::LE_CONNECTION_UPDATE_COMPLETE
            | code::LE_PHY_UPDATE_COMPLETE
            | code::LE_FRAME_SPACE_UPDATE_COMPLETE
            | code::LE_SUBRATE_CHANGE => {}
            _ => return Some(Self::Other),
        }
        let [status, a, b] = r.array()?;
        let change = match subevent {
            code::LE_CONNECTION_UPDATE_COMPLETE => {
                let (interval, latency, timeout) = (r.u16()?, r.u16()?, r.u16()?);
                Change::Interval {
                    interval: UNIT_1_25_MS * u64::from(interval),
                    latency,
                    timeout: UNIT_10_MS * u64::from(timeout),
                }
            }
            code::LE_PHY_UPDATE_COMPLETE => match phy(r.u8()?).zip(phy(r.u8()?)) {
                Some((tx, rx)) => Change::Phy([tx, rx]),
                None => return Some(Self::Other),
            },
            code::LE_FRAME_SPACE_UPDATE_COMPLETE => {
                let _initiator = r.u8()?;
                Change::FrameSpace(Duration::from_micros(r.u16()?.into()))
            }
            _ => {
                let (factor, _latency, continuation) = (r.u16()?, r.u16()?, r.u16()?);
                Change::Subrate(factor, continuation)
            }
        };
        Some(of(status, [a, b], change))
    }

    fn connected(r: &mut Reader<'a>, subevent: u8) -> Option<Self> {
        let [status, a, b, role, _peer_type] = r.array()?;
        let peer = r.array()?;
        if subevent != code::LE_CONNECTION_COMPLETE {
            // Resolvable private addresses of both.
            r.take(12)?;
        }
        let (interval, latency, timeout) = (r.u16()?, r.u16()?, r.u16()?);
        let terms = Terms {
            central: role == 0,
            peer,
            interval: UNIT_1_25_MS * u64::from(interval),
            latency,
            timeout: UNIT_10_MS * u64::from(timeout),
        };
        let handle = u16::from_le_bytes([a, b]) & 0x0fff;
        Some(if status == 0 && interval > 0 { Self::Connected { handle, terms } } else { Self::Other })
    }
}

fn of<'a>(status: u8, handle: [u8; 2], change: Change) -> Event<'a> {
    let handle = u16::from_le_bytes(handle) & 0x0fff;
    if status == 0 { Event::Of { handle, change } } else { Event::Other }
}

/// A PHY as events name it; HCI does not say the coding of LE Coded, the faster one is taken.
const fn phy(number: u8) -> Option<Phy> {
    match number {
        1 => Some(Phy::Le1M),
        2 => Some(Phy::Le2M),
        3 => Some(Phy::LeCodedS2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn change(data: &[u8]) -> Option<(u16, Change)> {
        match Event::parse(data) {
            Some(Event::Of { handle, change }) => Some((handle, change)),
            _ => None,
        }
    }

    /// Layouts of 7.7.65.1, .10 and .42: status, handle 0x40, peripheral, public address, 24 × 1.25 ms, latency 0, 42 × 10 ms.
    #[test]
    fn a_connection_in_each_of_three_events() {
        let begin = [0, 0x40, 0, 1, 0, 1, 2, 3, 4, 5, 6];
        let end = [24, 0, 0, 0, 42, 0, 5];
        let terms = Terms {
            central: false,
            peer: [1, 2, 3, 4, 5, 6],
            interval: Duration::from_millis(30),
            latency: 0,
            timeout: Duration::from_millis(420),
        };
        for (subevent, between, behind) in [(0x01, 0, 0), (0x0a, 12, 0), (0x29, 12, 3)] {
            let octets = 1 + begin.len() + between + end.len() + behind;
            let mut event: Vec<u8> = [&[0x3e, octets as u8, subevent], &begin[..]].concat();
            event.resize(event.len() + between, 0);
            event.extend_from_slice(&end);
            event.resize(event.len() + behind, 0xff);
            assert_eq!(Event::parse(&event), Some(Event::Connected { handle: 0x40, terms: terms.clone() }));
            event[3] = 0x3e;
            assert_eq!(Event::parse(&event), Some(Event::Other), "it failed");
        }
    }

    #[test]
    fn changes_of_a_connection() {
        let interval =
            Change::Interval { interval: Duration::from_millis(15), latency: 4, timeout: Duration::from_secs(4) };
        assert_eq!(change(&[0x3e, 10, 3, 0, 0x40, 0, 12, 0, 4, 0, 0x90, 1]), Some((0x40, interval)));
        let lengths = Change::DataLength([251, 2120, 27, 328]);
        assert_eq!(change(&[0x3e, 11, 7, 0x40, 0, 251, 0, 0x48, 8, 27, 0, 0x48, 1]), Some((0x40, lengths)));
        assert_eq!(change(&[0x3e, 6, 0x0c, 0, 0x40, 0, 2, 1]), Some((0x40, Change::Phy([Phy::Le2M, Phy::Le1M]))));
        assert_eq!(
            change(&[0x0e, 8, 1, 0x30, 0x20, 0, 0x40, 0, 1, 3]),
            Some((0x40, Change::Phy([Phy::Le1M, Phy::LeCodedS2])))
        );
        assert_eq!(change(&[0x08, 4, 0, 0x40, 0, 1]), Some((0x40, Change::Encrypted(true))));
        assert_eq!(change(&[0x59, 5, 0, 0x40, 0, 1, 16]), Some((0x40, Change::Encrypted(true))));
        let space = Change::FrameSpace(Duration::from_micros(60));
        assert_eq!(change(&[0x3e, 10, 0x35, 0, 0x40, 0, 0, 60, 0, 2, 3, 0]), Some((0x40, space)));
        assert_eq!(change(&[0x3e, 6, 0x0c, 0x1a, 0x40, 0, 2, 2]), None, "the other side does not know 2M");
    }

    #[test]
    fn buffers_and_completed_packets() {
        let completed = [0x13, 9, 2, 0x40, 0, 3, 0, 0x41, 0, 1, 0];
        let Some(Event::Completed(each)) = Event::parse(&completed) else { panic!("completed packets") };
        assert_eq!(each.iter().collect::<Vec<_>>(), [(0x40, 3), (0x41, 1)]);
        let buffers = |octets, count, le| Some(Event::Buffers { octets, count, le });
        assert_eq!(Event::parse(&[0x0e, 7, 1, 2, 0x20, 0, 251, 0, 3]), buffers(251, 3, true));
        assert_eq!(Event::parse(&[0x0e, 10, 1, 0x60, 0x20, 0, 251, 0, 10, 0, 0, 0]), buffers(251, 10, true));
        assert_eq!(Event::parse(&[0x0e, 11, 1, 5, 0x10, 0, 0xfd, 3, 64, 8, 0, 8, 0]), buffers(1021, 8, false));
        assert_eq!(Event::parse(&[0x0e, 7, 1, 2, 0x20, 0, 0, 0, 0]), Some(Event::Other), "those of BR/EDR serve both");
        assert_eq!(Event::parse(&[0x0e, 3, 1, 0, 0]), Some(Event::Other), "no command");
    }

    #[test]
    fn what_is_cut_is_no_event() {
        let event = [0x3e, 10, 3, 0, 0x40, 0, 12, 0, 4, 0, 0x90, 1];
        for cut in 0..event.len() {
            assert_eq!(Event::parse(&event[..cut]), None, "{cut}");
        }
        assert_eq!(Event::parse(&[0x3e, 4, 3, 0, 0x40, 0]), None, "shorter than its kind is");
        assert_eq!(Event::parse(&[0x13, 3, 2, 0x40, 0]), None);
    }
}
