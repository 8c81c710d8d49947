//! Counters of the co-processor, above all of the places where frames are lost.

use alloc::collections::VecDeque;

use super::CoprocessorOutput;
use crate::wire::FrameFaults;

/// Drop point of the co-processor: a place where it loses frames. Books have a line for each, so whoever matches matches all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoprocessorDrop {
    /// The host wrote without a credit: no SDIO buffer was loaded.
    Overflow,
    /// A header made no sense.
    Invalid,
    /// A checksum was wrong.
    Checksum,
    /// The Wi-Fi driver had no transmit buffer, at no attempt; nobody is told. `hs_bus_sta_fail`
    NoBuffer,
    /// The station is not connected.
    NotConnected,
    /// The host has not opened the data path, or has closed it.
    DataPath,
    /// Frames for an interface that nobody serves.
    Interface,
    /// Frames that it held when it was reset.
    Reset,
}

impl CoprocessorDrop {
    /// Drop points in their order.
    pub const ALL: [Self; 8] = [
        Self::Overflow,
        Self::Invalid,
        Self::Checksum,
        Self::NoBuffer,
        Self::NotConnected,
        Self::DataPath,
        Self::Interface,
        Self::Reset,
    ];

    /// Name of its counter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overflow => "drops.slave_overflow",
            Self::Invalid => "drops.slave_invalid",
            Self::Checksum => "drops.slave_checksum",
            Self::NoBuffer => "drops.slave_no_buffer",
            Self::NotConnected => "drops.slave_not_connected",
            Self::DataPath => "drops.slave_data_path",
            Self::Interface => "drops.slave_interface",
            Self::Reset => "drops.slave_reset",
        }
    }
}

/// Counters of the co-processor since it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoprocessorCounters {
    /// Frames that the Wi-Fi driver took.
    pub transmitted: u64,
    /// Attempts that it refused.
    pub refused: u64,
    /// Frames for the host that were queued.
    pub queued: u64,
    /// Frames for the host that it has read.
    pub fetched: u64,
    /// Times that throttling began.
    pub throttles: u64,
    /// Octets of payload of the raw throughput test.
    pub test_octets: u64,
    /// Packets of the raw throughput test.
    pub test_packets: u64,
    /// Interrupts from the host that mean nothing to this firmware.
    pub interrupts_ignored: u64,
    /// Requests that the server has served.
    pub requests: u64,
    /// Messages that were none, or too many.
    pub requests_lost: u64,
    /// Answers and events lost because the host does not read.
    pub messages_lost: u64,
    /// Answers and events beyond the bound of a message.
    pub messages_too_long: u64,
    /// Times that the flash did not take the word that its firmware works.
    pub flash_errors: u64,
    /// Faults of frames from the host.
    pub faults: FrameFaults,
    drops: [u64; CoprocessorDrop::ALL.len()],
}

impl CoprocessorCounters {
    /// Frames lost at `point`.
    pub fn drops(&self, point: CoprocessorDrop) -> u64 {
        self.drops[point as usize]
    }
}

/// Outputs that the co-processor has yet to give, and its counters.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub outputs: VecDeque<CoprocessorOutput>,
    pub counters: CoprocessorCounters,
}

impl Told {
    /// A frame is lost, or what was to be one.
    pub fn lost(&mut self, at: CoprocessorDrop, octets: usize) {
        self.counters.drops[at as usize] += 1;
        self.outputs.push_back(CoprocessorOutput::Dropped { at, octets: octets as u32 });
    }

    pub fn say(&mut self, output: CoprocessorOutput) {
        self.outputs.push_back(output);
    }

    /// Frames that were offered and that nobody has taken yet are lost in a reset: nothing is left to take an answer.
    pub fn withdraw_offers(&mut self) {
        for output in core::mem::take(&mut self.outputs) {
            match output {
                CoprocessorOutput::Offer(frame) => self.lost(CoprocessorDrop::Reset, frame.len()),
                other => self.say(other),
            }
        }
    }
}
