//! The arithmetic of the air: how long frames and cycles take with the O-QPSK PHY of 2.4 GHz, 250 kbit/s.
//!
//! Clause numbers are of IEEE Std 802.15.4-2020. Everything is a whole number of symbols.

mod cycle;
pub mod noise;

use airtime_core::Duration;

pub use cycle::{Access, Cycle, mean_backoff};

/// One symbol: four bits. 62.5 ksymbol/s, 12.2.
pub const SYMBOL: Duration = Duration::from_micros(16);

/// One octet: two symbols. phySymbolsPerOctet, 11.3.
pub const OCTET: Duration = symbols(2);

/// Octets of preamble and start-of-frame delimiter. 12.1.
pub const SHR_OCTETS: u8 = 5;

/// Octets of the PHY header, which holds the length. 12.1.
pub const PHR_OCTETS: u8 = 1;

/// Longest PSDU, in octets. aMaxPhyPacketSize, 11.3.
pub const PSDU_MAX: usize = 127;

/// From receiving to transmitting, or back. aTurnaroundTime, 11.3.
pub const TURNAROUND: Duration = symbols(12);

/// Clear channel assessment: time for which the channel is listened to before it counts as idle. aCcaTime, 11.3; 10.2.
pub const CCA: Duration = symbols(8);

/// Unit of backoffs. aUnitBackoffPeriod = aTurnaroundTime + aCcaTime, 8.4.1.
pub const UNIT_BACKOFF: Duration = symbols(20);

/// Space behind a short frame. macSifsPeriod, 8.4.2.
pub const SIFS: Duration = symbols(12);

/// Space behind a long frame. macLifsPeriod, 8.4.2.
pub const LIFS: Duration = symbols(40);

/// Longest PSDU, in octets, that a short space follows. aMaxSifsFrameSize, 8.4.1.
pub const SIFS_FRAME_MAX: usize = 18;

/// Octets of an immediate acknowledgement: frame control, sequence number, check. 7.3.3.
pub const ACK_OCTETS: usize = 5;

/// From the end of a frame to when its acknowledgement has failed to come.
///
/// macAckWaitDuration = aUnitBackoffPeriod + aTurnaroundTime + phyShrDuration + 6 · phySymbolsPerOctet, 8.4.2: 54 symbols.
pub const ACK_WAIT: Duration = symbols(20 + 12 + 2 * SHR_OCTETS as u64 + 6 * 2);

/// A span of this many symbols.
pub const fn symbols(count: u64) -> Duration {
    Duration::from_micros(16 * count)
}

/// Time on the air of a PSDU of `octets`, with everything that the PHY puts in front of it. 12.1.
pub const fn frame_time(octets: usize) -> Duration {
    symbols(2 * (SHR_OCTETS as u64 + PHR_OCTETS as u64 + octets as u64))
}

/// Time on the air of an acknowledgement.
pub const fn ack_time() -> Duration {
    frame_time(ACK_OCTETS)
}

/// Bits on the air of a PSDU of `octets`, synchronisation and PHY header included.
pub const fn bits(octets: usize) -> u32 {
    8 * (SHR_OCTETS as u32 + PHR_OCTETS as u32 + octets as u32)
}

/// Space behind a frame of `octets`, or behind its acknowledgement. 6.2.4.
pub const fn spacing(octets: usize) -> Duration {
    if octets <= SIFS_FRAME_MAX { SIFS } else { LIFS }
}

/// Centre of `channel` of channel page 0, 11..=26, in MHz. 10.1.3.
pub const fn frequency_mhz(channel: u8) -> u16 {
    2_405 + 5 * (channel as u16 - 11)
}
