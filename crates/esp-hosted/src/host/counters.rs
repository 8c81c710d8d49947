//! Counters of the host's side, above all of the places where frames are lost.

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use airtime_core::Packet;

use super::HostOutput;

/// Drop point of the host's side: a place where it loses frames. Books have a line for each, so whoever matches matches all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostDrop {
    /// The co-processor throttles: the stack gets `ERR_BUF`. `sta_tx_flowctrl_drop`
    Throttled,
    /// Fifty polls for a credit were in vain, or two of the Linux driver: the writing task drops its frame and says nothing. `sta_tx_out_drop`
    CreditsTimeout,
    /// The bus failed twice with the same frame.
    WriteFailed,
    /// The previous burst was still being split: the whole new one is dropped, frame by frame counted here.
    RxBurst,
    /// The bus failed in a read: one burst, of unknown frames.
    RxFailed,
    /// A header made no sense: the rest of its burst, counted as one.
    RxInvalid,
    /// A checksum was wrong: the rest of its burst, counted as one.
    RxChecksum,
    /// No block was left in the pool of fixed size.
    Pool,
    /// Frames for an interface that nobody serves.
    Interface,
    /// A start-up event that is none, or of a chip that nobody knows.
    Start,
    /// A frame of the serial interface that completes no message.
    Message,
    /// Frames queued on either side when the transport went down.
    Down,
    /// The Linux driver's queue was full: it stops the queue, and frees the packet that has found that.
    Stopped,
}

impl HostDrop {
    /// Drop points in their order.
    pub const ALL: [Self; 13] = [
        Self::Throttled,
        Self::CreditsTimeout,
        Self::WriteFailed,
        Self::RxBurst,
        Self::RxFailed,
        Self::RxInvalid,
        Self::RxChecksum,
        Self::Pool,
        Self::Interface,
        Self::Start,
        Self::Message,
        Self::Down,
        Self::Stopped,
    ];

    /// Name of its counter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Throttled => "drops.throttled",
            Self::CreditsTimeout => "drops.credits_timeout",
            Self::WriteFailed => "drops.host_write_failed",
            Self::RxBurst => "drops.rx_burst",
            Self::RxFailed => "drops.rx_failed",
            Self::RxInvalid => "drops.rx_invalid",
            Self::RxChecksum => "drops.rx_checksum",
            Self::Pool => "drops.host_pool",
            Self::Interface => "drops.host_interface",
            Self::Start => "drops.host_start",
            Self::Message => "drops.host_message",
            Self::Down => "drops.host_down",
            Self::Stopped => "drops.host_stopped",
        }
    }
}

/// Counters of the host's side since it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostCounters {
    /// Frames written to the co-processor.
    pub written: u64,
    /// Frames handed to their interface.
    pub delivered: u64,
    /// Bursts read from the co-processor.
    pub bursts: u64,
    /// Bursts dropped because the previous one was still being split.
    pub bursts_dropped: u64,
    /// Reads put off for the same reason, from 2.12.12 on.
    pub reads_deferred: u64,
    /// Reads of more than one frame that a host in packet mode has refused.
    pub reads_refused: u64,
    /// Reads of the credit register.
    pub credit_reads: u64,
    /// Sleeps for want of credits, the mutex held.
    pub credit_waits: u64,
    /// Transactions that failed.
    pub bus_errors: u64,
    /// Times the co-processor was reset.
    pub resets: u64,
    drops: [u64; HostDrop::ALL.len()],
}

impl HostCounters {
    /// Frames lost at `point`.
    pub fn drops(&self, point: HostDrop) -> u64 {
        self.drops[point as usize]
    }
}

/// Outputs that the host's side has yet to give, and its counters.
#[derive(Debug, Default)]
pub(super) struct Told {
    outputs: VecDeque<Said>,
    pub counters: HostCounters,
}

/// Output made for every frame, in few octets; all the rest is large and rare.
#[derive(Debug)]
pub enum Said {
    /// [`HostOutput::Frame`].
    Frame(Packet),
    /// [`HostOutput::Test`].
    Test(u16),
    /// [`HostOutput::Room`].
    Room,
    /// [`HostOutput::Dropped`]: the point, and its octets.
    Dropped(HostDrop, u32),
    /// All others.
    Rarely(Box<HostOutput>),
}

impl Said {
    /// Output as everybody else takes it.
    pub fn output(self) -> HostOutput {
        match self {
            Self::Frame(frame) => HostOutput::Frame(frame),
            Self::Test(octets) => HostOutput::Test(octets),
            Self::Room => HostOutput::Room,
            Self::Dropped(at, octets) => HostOutput::Dropped { at, octets },
            Self::Rarely(output) => *output,
        }
    }
}

impl Told {
    /// A frame is lost, or what was to be one.
    pub fn lost(&mut self, at: HostDrop, octets: usize) {
        self.counters.drops[at as usize] += 1;
        self.say(HostOutput::Dropped { at, octets: octets as u32 });
    }

    // What is said is known where it is said: nothing large is made of it there.
    #[inline]
    pub fn say(&mut self, output: HostOutput) {
        self.outputs.push_back(match output {
            HostOutput::Frame(frame) => Said::Frame(frame),
            HostOutput::Test(octets) => Said::Test(octets),
            HostOutput::Room => Said::Room,
            HostOutput::Dropped { at, octets } => Said::Dropped(at, octets),
            rarely => Said::Rarely(Box::new(rarely)),
        });
    }

    pub fn next(&mut self) -> Option<Said> {
        self.outputs.pop_front()
    }
}
