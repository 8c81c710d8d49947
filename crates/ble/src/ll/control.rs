//! LL control PDUs. Core 6.0, Vol 6, Part B, 2.4.2.

use airtime_core::bytes::Reader;
use airtime_core::{Packet, Pool};

use super::length::Offer;
use super::subrating::{SubrateRange, SubrateUpdate};
use crate::hci::Status;

/// Opcodes. Core 6.0, Vol 6, Part B, 2.4.2, Table 2.18.
pub mod opcode {
    #![allow(missing_docs)]
    pub const CONNECTION_UPDATE_IND: u8 = 0x00;
    pub const CHANNEL_MAP_IND: u8 = 0x01;
    pub const TERMINATE_IND: u8 = 0x02;
    pub const ENC_REQ: u8 = 0x03;
    pub const ENC_RSP: u8 = 0x04;
    pub const START_ENC_REQ: u8 = 0x05;
    pub const START_ENC_RSP: u8 = 0x06;
    pub const UNKNOWN_RSP: u8 = 0x07;
    pub const FEATURE_REQ: u8 = 0x08;
    pub const FEATURE_RSP: u8 = 0x09;
    pub const PAUSE_ENC_REQ: u8 = 0x0a;
    pub const PAUSE_ENC_RSP: u8 = 0x0b;
    pub const VERSION_IND: u8 = 0x0c;
    pub const REJECT_IND: u8 = 0x0d;
    pub const PERIPHERAL_FEATURE_REQ: u8 = 0x0e;
    pub const CONNECTION_PARAM_REQ: u8 = 0x0f;
    pub const CONNECTION_PARAM_RSP: u8 = 0x10;
    pub const REJECT_EXT_IND: u8 = 0x11;
    pub const PING_REQ: u8 = 0x12;
    pub const PING_RSP: u8 = 0x13;
    pub const LENGTH_REQ: u8 = 0x14;
    pub const LENGTH_RSP: u8 = 0x15;
    pub const PHY_REQ: u8 = 0x16;
    pub const PHY_RSP: u8 = 0x17;
    pub const PHY_UPDATE_IND: u8 = 0x18;
    pub const SUBRATE_REQ: u8 = 0x26;
    pub const SUBRATE_IND: u8 = 0x27;
    /// Core 6.0 adds the frame space procedure, 5.1.30.
    pub const FRAME_SPACE_REQ: u8 = 0x3b;
    pub const FRAME_SPACE_RSP: u8 = 0x3c;
}

/// PHY bit of LE 1M in PHY fields.
pub const PHY_1M: u8 = 1;
/// PHY bit of LE 2M.
pub const PHY_2M: u8 = 2;
/// PHY bit of LE Coded.
pub const PHY_CODED: u8 = 4;

/// Parameters of a connection update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionUpdate {
    /// Size of the transmit window in units of 1.25 ms.
    pub win_size: u8,
    /// Offset of the transmit window in units of 1.25 ms.
    pub win_offset: u16,
    /// Interval in units of 1.25 ms.
    pub interval: u16,
    /// Peripheral latency.
    pub latency: u16,
    /// Supervision timeout in units of 10 ms.
    pub timeout: u16,
    /// Event counter at which it takes effect.
    pub instant: u16,
}

/// Parameters of a connection parameter request; anchor preferences are left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterRequest {
    /// Shortest interval wanted, in units of 1.25 ms.
    pub interval_min: u16,
    /// Longest interval wanted, in units of 1.25 ms.
    pub interval_max: u16,
    /// Peripheral latency.
    pub latency: u16,
    /// Supervision timeout in units of 10 ms.
    pub timeout: u16,
}

/// A control PDU, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// New connection parameters at an instant.
    ConnectionUpdateInd(ConnectionUpdate),
    /// New channel map at an instant.
    ChannelMapInd {
        /// Channels in use, one bit each.
        map: u64,
        /// Event counter at which it takes effect.
        instant: u16,
    },
    /// The end.
    TerminateInd {
        /// Error code: reason of the termination.
        reason: Status,
    },
    /// Encryption wanted.
    EncReq {
        /// Random number of the key.
        rand: u64,
        /// Diversifier of the key.
        ediv: u16,
        /// Central's half of the session key diversifier.
        skd: u64,
        /// Central's half of the initialisation vector.
        iv: u32,
    },
    /// The peripheral's halves.
    EncRsp {
        /// Peripheral's half of the session key diversifier.
        skd: u64,
        /// Peripheral's half of the initialisation vector.
        iv: u32,
    },
    /// Three-way handshake, first step.
    StartEncReq,
    /// Second and third step.
    StartEncRsp,
    /// The running encryption is to be paused.
    PauseEncReq,
    /// It is.
    PauseEncRsp,
    /// The opcode is not known.
    UnknownRsp {
        /// Opcode that is not known.
        opcode: u8,
    },
    /// The central's features, asking for the peripheral's.
    FeatureReq(u64),
    /// The features used.
    FeatureRsp(u64),
    /// The peripheral's features, asking for the central's.
    PeripheralFeatureReq(u64),
    /// Version, company and subversion.
    VersionInd {
        /// Version of the specification.
        version: u8,
        /// Company identifier.
        company: u16,
        /// Subversion.
        subversion: u16,
    },
    /// No, without saying to what.
    RejectInd {
        /// Error code: reason of the rejection.
        reason: Status,
    },
    /// New parameters wanted.
    ConnectionParamReq(ParameterRequest),
    /// New parameters accepted by the peripheral.
    ConnectionParamRsp(ParameterRequest),
    /// No, to that opcode.
    RejectExtInd {
        /// Opcode that is rejected.
        opcode: u8,
        /// Error code: reason of the rejection.
        reason: Status,
    },
    /// Are you there?
    PingReq,
    /// Answer to a ping.
    PingRsp,
    /// Data length offer, asking for the peer's.
    LengthReq(Offer),
    /// Data length offer in reply.
    LengthRsp(Offer),
    /// PHYs the sender prefers.
    PhyReq {
        /// PHYs to send on.
        tx: u8,
        /// PHYs to receive on.
        rx: u8,
    },
    /// PHYs the peripheral prefers.
    PhyRsp {
        /// PHYs to send on.
        tx: u8,
        /// PHYs to receive on.
        rx: u8,
    },
    /// The PHYs at an instant; zero: no change.
    PhyUpdateInd {
        /// Central to peripheral.
        c_to_p: u8,
        /// Peripheral to central.
        p_to_c: u8,
        /// Event counter at which it takes effect.
        instant: u16,
    },
    /// Other subrating wanted.
    SubrateReq(SubrateRange),
    /// The subrating from now on.
    SubrateInd(SubrateUpdate),
    /// A frame space in this range wanted.
    FrameSpaceReq {
        /// Shortest, µs.
        min: u16,
        /// Longest, µs.
        max: u16,
        /// PHY bits.
        phys: u8,
        /// Spacing types.
        types: u16,
    },
    /// The frame space chosen.
    FrameSpaceRsp {
        /// Chosen, µs.
        space: u16,
        /// PHY bits.
        phys: u8,
        /// Spacing types.
        types: u16,
    },
}

/// Spacing types of an ACL connection: central to peripheral, and peripheral to central.
pub const SPACING_ACL: u16 = 0b11;

/// Reason that a control PDU could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The opcode is unknown, or its length is not what the specification gives it: either way it
    /// is answered with LL_UNKNOWN_RSP (Core 6.0, Vol 6, Part B, 5.1).
    Unknown(u8),
    /// There is no opcode.
    Empty,
}

impl Control {
    /// Reads the payload of a control PDU.
    ///
    /// # Errors
    /// [`Unreadable`] when opcode or length are unknown.
    pub fn parse(payload: &[u8]) -> Result<Self, Unreadable> {
        let (&opcode, fields) = payload.split_first().ok_or(Unreadable::Empty)?;
        let mut r = Reader::new(fields);
        Self::fields(opcode, &mut r).filter(|_| r.is_empty()).ok_or(Unreadable::Unknown(opcode))
    }

    fn fields(code: u8, r: &mut Reader<'_>) -> Option<Self> {
        Some(match code {
            opcode::CONNECTION_UPDATE_IND => Self::ConnectionUpdateInd(ConnectionUpdate {
                win_size: r.u8()?,
                win_offset: r.u16()?,
                interval: r.u16()?,
                latency: r.u16()?,
                timeout: r.u16()?,
                instant: r.u16()?,
            }),
            opcode::CHANNEL_MAP_IND => {
                Self::ChannelMapInd { map: u64::from(r.u32()?) | u64::from(r.u8()?) << 32, instant: r.u16()? }
            }
            opcode::TERMINATE_IND => Self::TerminateInd { reason: Status(r.u8()?) },
            opcode::ENC_REQ => Self::EncReq { rand: r.u64()?, ediv: r.u16()?, skd: r.u64()?, iv: r.u32()? },
            opcode::ENC_RSP => Self::EncRsp { skd: r.u64()?, iv: r.u32()? },
            opcode::START_ENC_REQ => Self::StartEncReq,
            opcode::START_ENC_RSP => Self::StartEncRsp,
            opcode::PAUSE_ENC_REQ => Self::PauseEncReq,
            opcode::PAUSE_ENC_RSP => Self::PauseEncRsp,
            opcode::UNKNOWN_RSP => Self::UnknownRsp { opcode: r.u8()? },
            opcode::FEATURE_REQ => Self::FeatureReq(r.u64()?),
            opcode::FEATURE_RSP => Self::FeatureRsp(r.u64()?),
            opcode::PERIPHERAL_FEATURE_REQ => Self::PeripheralFeatureReq(r.u64()?),
            opcode::VERSION_IND => Self::VersionInd { version: r.u8()?, company: r.u16()?, subversion: r.u16()? },
            opcode::REJECT_IND => Self::RejectInd { reason: Status(r.u8()?) },
            opcode::CONNECTION_PARAM_REQ => Self::ConnectionParamReq(parameter_request(r)?),
            opcode::CONNECTION_PARAM_RSP => Self::ConnectionParamRsp(parameter_request(r)?),
            opcode::REJECT_EXT_IND => Self::RejectExtInd { opcode: r.u8()?, reason: Status(r.u8()?) },
            opcode::PING_REQ => Self::PingReq,
            opcode::PING_RSP => Self::PingRsp,
            opcode::LENGTH_REQ => Self::LengthReq(offer(r)?),
            opcode::LENGTH_RSP => Self::LengthRsp(offer(r)?),
            opcode::PHY_REQ => Self::PhyReq { tx: r.u8()?, rx: r.u8()? },
            opcode::PHY_RSP => Self::PhyRsp { tx: r.u8()?, rx: r.u8()? },
            opcode::PHY_UPDATE_IND => Self::PhyUpdateInd { c_to_p: r.u8()?, p_to_c: r.u8()?, instant: r.u16()? },
            opcode::SUBRATE_REQ => Self::SubrateReq(SubrateRange {
                factor_min: r.u16()?,
                factor_max: r.u16()?,
                latency_max: r.u16()?,
                continuation: r.u16()?,
                timeout: r.u16()?,
            }),
            opcode::SUBRATE_IND => Self::SubrateInd(SubrateUpdate {
                factor: r.u16()?,
                base: r.u16()?,
                latency: r.u16()?,
                continuation: r.u16()?,
                timeout: r.u16()?,
            }),
            opcode::FRAME_SPACE_REQ => {
                Self::FrameSpaceReq { min: r.u16()?, max: r.u16()?, phys: r.u8()?, types: r.u16()? }
            }
            opcode::FRAME_SPACE_RSP => Self::FrameSpaceRsp { space: r.u16()?, phys: r.u8()?, types: r.u16()? },
            _ => return None,
        })
    }

    /// Writes the payload.
    pub fn emit(&self, pool: &Pool) -> Packet {
        let mut p = pool.packet();
        p.put_u8(self.opcode());
        match *self {
            Self::ConnectionUpdateInd(u) => {
                p.put_u8(u.win_size);
                for field in [u.win_offset, u.interval, u.latency, u.timeout, u.instant] {
                    p.put_u16(field);
                }
            }
            Self::ChannelMapInd { map, instant } => {
                p.put(&map.to_le_bytes()[..5]);
                p.put_u16(instant);
            }
            Self::EncReq { rand, ediv, skd, iv } => {
                p.put_u64(rand);
                p.put_u16(ediv);
                p.put_u64(skd);
                p.put_u32(iv);
            }
            Self::EncRsp { skd, iv } => {
                p.put_u64(skd);
                p.put_u32(iv);
            }
            Self::UnknownRsp { opcode } => p.put_u8(opcode),
            Self::FeatureReq(f) | Self::FeatureRsp(f) | Self::PeripheralFeatureReq(f) => p.put_u64(f),
            Self::VersionInd { version, company, subversion } => {
                p.put_u8(version);
                p.put_u16(company);
                p.put_u16(subversion);
            }
            Self::TerminateInd { reason } | Self::RejectInd { reason } => p.put_u8(reason.0),
            Self::ConnectionParamReq(q) | Self::ConnectionParamRsp(q) => put_parameter_request(&mut p, q),
            Self::RejectExtInd { opcode, reason } => p.put(&[opcode, reason.0]),
            Self::LengthReq(o) | Self::LengthRsp(o) => {
                for field in [o.max_rx_octets, o.max_rx_time, o.max_tx_octets, o.max_tx_time] {
                    p.put_u16(field);
                }
            }
            Self::PhyReq { tx, rx } | Self::PhyRsp { tx, rx } => p.put(&[tx, rx]),
            Self::PhyUpdateInd { c_to_p, p_to_c, instant } => {
                p.put(&[c_to_p, p_to_c]);
                p.put_u16(instant);
            }
            Self::SubrateReq(q) => {
                put_words(&mut p, [q.factor_min, q.factor_max, q.latency_max, q.continuation, q.timeout]);
            }
            Self::SubrateInd(u) => put_words(&mut p, [u.factor, u.base, u.latency, u.continuation, u.timeout]),
            Self::FrameSpaceReq { min, max, phys, types } => {
                p.put_u16(min);
                p.put_u16(max);
                p.put_u8(phys);
                p.put_u16(types);
            }
            Self::FrameSpaceRsp { space, phys, types } => {
                p.put_u16(space);
                p.put_u8(phys);
                p.put_u16(types);
            }
            Self::StartEncReq
            | Self::StartEncRsp
            | Self::PauseEncReq
            | Self::PauseEncRsp
            | Self::PingReq
            | Self::PingRsp => {}
        }
        p
    }

    /// The opcode.
    pub fn opcode(&self) -> u8 {
        match self {
            Self::ConnectionUpdateInd(_) => opcode::CONNECTION_UPDATE_IND,
            Self::ChannelMapInd { .. } => opcode::CHANNEL_MAP_IND,
            Self::TerminateInd { .. } => opcode::TERMINATE_IND,
            Self::EncReq { .. } => opcode::ENC_REQ,
            Self::EncRsp { .. } => opcode::ENC_RSP,
            Self::StartEncReq => opcode::START_ENC_REQ,
            Self::StartEncRsp => opcode::START_ENC_RSP,
            Self::PauseEncReq => opcode::PAUSE_ENC_REQ,
            Self::PauseEncRsp => opcode::PAUSE_ENC_RSP,
            Self::UnknownRsp { .. } => opcode::UNKNOWN_RSP,
            Self::FeatureReq(_) => opcode::FEATURE_REQ,
            Self::FeatureRsp(_) => opcode::FEATURE_RSP,
            Self::PeripheralFeatureReq(_) => opcode::PERIPHERAL_FEATURE_REQ,
            Self::VersionInd { .. } => opcode::VERSION_IND,
            Self::RejectInd { .. } => opcode::REJECT_IND,
            Self::ConnectionParamReq(_) => opcode::CONNECTION_PARAM_REQ,
            Self::ConnectionParamRsp(_) => opcode::CONNECTION_PARAM_RSP,
            Self::RejectExtInd { .. } => opcode::REJECT_EXT_IND,
            Self::PingReq => opcode::PING_REQ,
            Self::PingRsp => opcode::PING_RSP,
            Self::LengthReq(_) => opcode::LENGTH_REQ,
            Self::LengthRsp(_) => opcode::LENGTH_RSP,
            Self::PhyReq { .. } => opcode::PHY_REQ,
            Self::PhyRsp { .. } => opcode::PHY_RSP,
            Self::PhyUpdateInd { .. } => opcode::PHY_UPDATE_IND,
            Self::SubrateReq(_) => opcode::SUBRATE_REQ,
            Self::SubrateInd(_) => opcode::SUBRATE_IND,
            Self::FrameSpaceReq { .. } => opcode::FRAME_SPACE_REQ,
            Self::FrameSpaceRsp { .. } => opcode::FRAME_SPACE_RSP,
        }
    }
}

/// Fields of LL_CONNECTION_PARAM_REQ and _RSP behind the timeout: preferred periodicity, reference
/// event count and six anchor offsets. Core 6.0, Vol 6, Part B, 2.4.2.16.
const ANCHOR_PREFERENCE_OCTETS: usize = 15;

fn put_words(p: &mut Packet, words: [u16; 5]) {
    words.into_iter().for_each(|word| p.put_u16(word));
}

fn parameter_request(r: &mut Reader<'_>) -> Option<ParameterRequest> {
    let request =
        ParameterRequest { interval_min: r.u16()?, interval_max: r.u16()?, latency: r.u16()?, timeout: r.u16()? };
    r.take(ANCHOR_PREFERENCE_OCTETS)?;
    Some(request)
}

fn put_parameter_request(p: &mut Packet, q: ParameterRequest) {
    for field in [q.interval_min, q.interval_max, q.latency, q.timeout] {
        p.put_u16(field);
    }
    // No preferred periodicity, reference event 0, no offset is valid (0xFFFF).
    p.put(&[0, 0, 0]);
    p.put(&[0xff; 12]);
}

fn offer(r: &mut Reader<'_>) -> Option<Offer> {
    Some(Offer { max_rx_octets: r.u16()?, max_rx_time: r.u16()?, max_tx_octets: r.u16()?, max_tx_time: r.u16()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pdu_round_trips_at_its_specified_length() {
        let offer = Offer::of(251, 251, true);
        let request = ParameterRequest { interval_min: 12, interval_max: 24, latency: 1, timeout: 400 };
        let update =
            ConnectionUpdate { win_size: 1, win_offset: 2, interval: 12, latency: 0, timeout: 400, instant: 77 };
        // Octets of CtrData plus the opcode: Core 6.0, Vol 6, Part B, 2.4.2.1 and following.
        let table = [
            (Control::ConnectionUpdateInd(update), 12),
            (Control::ChannelMapInd { map: 0x1f_ffff_fff0, instant: 9 }, 8),
            (Control::TerminateInd { reason: Status::REMOTE_USER_TERMINATED }, 2),
            (Control::EncReq { rand: 1, ediv: 2, skd: 3, iv: 4 }, 23),
            (Control::EncRsp { skd: 5, iv: 6 }, 13),
            (Control::StartEncReq, 1),
            (Control::StartEncRsp, 1),
            (Control::PauseEncReq, 1),
            (Control::PauseEncRsp, 1),
            (Control::UnknownRsp { opcode: 0x77 }, 2),
            (Control::FeatureReq(0x1234), 9),
            (Control::FeatureRsp(0x1234), 9),
            (Control::PeripheralFeatureReq(0x1234), 9),
            (Control::VersionInd { version: 14, company: 0xffff, subversion: 1 }, 6),
            (Control::RejectInd { reason: Status::PIN_OR_KEY_MISSING }, 2),
            (Control::ConnectionParamReq(request), 24),
            (Control::ConnectionParamRsp(request), 24),
            (Control::RejectExtInd { opcode: 0x0f, reason: Status::UNACCEPTABLE_PARAMETERS }, 3),
            (Control::PingReq, 1),
            (Control::PingRsp, 1),
            (Control::LengthReq(offer), 9),
            (Control::LengthRsp(offer), 9),
            (Control::PhyReq { tx: 2, rx: 2 }, 3),
            (Control::PhyRsp { tx: 1, rx: 4 }, 3),
            (Control::PhyUpdateInd { c_to_p: 2, p_to_c: 2, instant: 3 }, 5),
            // Core 6.2, Vol 6, Part B, 2.4.2.37 and 2.4.2.38.
            (
                Control::SubrateReq(SubrateRange {
                    factor_min: 2,
                    factor_max: 8,
                    latency_max: 3,
                    continuation: 1,
                    timeout: 400,
                }),
                11,
            ),
            (Control::SubrateInd(SubrateUpdate { factor: 8, base: 77, latency: 3, continuation: 1, timeout: 400 }), 11),
            (Control::FrameSpaceReq { min: 52, max: 150, phys: 7, types: SPACING_ACL }, 8),
            (Control::FrameSpaceRsp { space: 52, phys: 7, types: SPACING_ACL }, 6),
        ];
        for (pdu, octets) in table {
            let bytes = pdu.emit(&Pool::new());
            assert_eq!(bytes.len(), octets, "{pdu:?}");
            assert_eq!(Control::parse(&bytes), Ok(pdu));
            assert!(Control::parse(&bytes[..octets - 1]).is_err(), "one octet short: {pdu:?}");
        }
    }

    #[test]
    fn unknown_opcodes_are_named() {
        assert_eq!(Control::parse(&[0x7e, 1]), Err(Unreadable::Unknown(0x7e)));
        assert_eq!(Control::parse(&[]), Err(Unreadable::Empty));
    }
}
