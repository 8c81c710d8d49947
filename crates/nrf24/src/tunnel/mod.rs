//! The tunnel: IP packets over frames of at most 32 octets. Sans-IO, no allocation.
//!
//! One mutation, then drain [`Tunnel::next_frame`] (as far as the radio has room) and [`Tunnel::next_packet`], then ask
//! [`Tunnel::deadline`]. Between `next_frame` and the air there may be four payloads at most, three in the chip's TX FIFO
//! and one in the host's hand: where the chip acknowledges, a fifth is proof that the first is across.
//!
//! The way of a packet: `queue` (bounded, fair) → `pack` (`compression`, `integrity`, `seal`) → `stage` (cut into chunks) →
//! `arq::sender` → the air → `arq::receiver` or `sequence` → `intake` (bounded) → `reassembly` → `unpack`. What both ends
//! do is in `agreement`. docs/nrf24-tunnel.md has the protocol octet by octet.

mod agreement;
mod arq;
mod chunk;
mod compression;
mod control;
mod intake;
mod integrity;
mod ip;
mod pace;
mod pack;
mod poll;
mod queue;
mod reassembly;
mod receive;
mod reports;
mod ring;
mod seal;
mod sequence;
mod stage;
mod transmit;
mod tuning;

use core::fmt;

use airtime_core::{Duration, Instant};

use self::agreement::Agreement;
use self::arq::feedback::Feedback;
use self::arq::receiver::Receiver;
use self::arq::sender::Sender;
use self::compression::{Compressor, Decompressor};
use self::intake::Intake;
use self::pace::Pace;
use self::poll::Poller;
use self::queue::Queue;
use self::reassembly::Reassembly;
use self::reports::Reports;
use self::seal::Seal;
use self::sequence::Sequence;
use self::stage::Stage;
pub use self::tuning::Tuning;

use crate::trace::{DropPoint, Upload};

/// Nobody waits for longer.
const PERSISTENCE_MAX: Duration = Duration::from_secs(3_600);

/// Mode: the way in which frames get to the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Two radios per node; every chunk is acknowledged by the chip.
    AutoAck,
    /// One radio per node; one end polls, data rides on acknowledgements too.
    AckPayload,
    /// Two radios per node; no acknowledgement by the chip, selective repeat by the tunnel.
    Stream,
}

/// Configuration of a tunnel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Mode wished for; the two ends agree on one in their greeting.
    pub mode: Mode,
    /// Largest IP packet, 576..=1500.
    pub mtu: u16,
    /// Allows compressed TCP/IP and UDP/IP headers, if the other end can.
    pub compression: bool,
    /// Pre-shared key: encrypts and authenticates every packet; both ends must have the same.
    pub key: Option<[u8; 32]>,
    /// A number that no earlier start of this end has used, and not the other end's: from the system's random source on a real
    /// host, from a named stream in the lab. With a key, using one twice gives the key's secrets away.
    pub epoch: u64,
    /// Longest backlog at the current service rate.
    pub queue: Duration,
    /// A packet that is not across after this is dropped; an hour at most, the time of a frame at least. Where the chip
    /// acknowledges, it is looked at when the chip gives up.
    pub persistence: Duration,
    /// Time on the air of a full frame: what the service rate starts from.
    pub frame_time: Duration,
}

impl fmt::Debug for Config {
    /// Shows all but the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("mode", &self.mode)
            .field("mtu", &self.mtu)
            .field("compression", &self.compression)
            .field("encrypted", &self.key.is_some())
            .field("epoch", &self.epoch)
            .field("queue", &self.queue)
            .field("persistence", &self.persistence)
            .field("frame_time", &self.frame_time)
            .finish()
    }
}

/// One payload to be written to the transmitting chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Octets of it in the buffer given.
    pub len: u8,
    /// Set if it goes by W_TX_PAYLOAD_NOACK.
    pub no_ack: bool,
    /// Composition of the frame.
    pub upload: Upload,
}

/// One end of a tunnel.
#[derive(Debug)]
pub struct Tunnel {
    config: Config,
    tuning: Tuning,
    agreement: Agreement,
    poller: Option<Poller>,
    queue: Queue,
    pace: Pace,
    stage: Stage,
    packets: u32,
    sender: Sender,
    receiver: Receiver,
    feedback: Feedback,
    sequence: Sequence,
    intake: Intake,
    reassembly: Reassembly,
    compressor: Compressor,
    decompressor: Decompressor,
    seal: Option<Seal>,
    reports: Reports,
}

impl Tunnel {
    /// A tunnel that has yet to greet the other end.
    pub fn new(config: Config, now: Instant) -> Self {
        Self::with_tuning(config, Tuning::default(), now)
    }

    /// A tunnel with other than the usual parameters.
    ///
    /// # Panics
    /// If the MTU is not 576..=1500 or `frame_time` is zero.
    pub fn with_tuning(config: Config, tuning: Tuning, now: Instant) -> Self {
        assert!((576..=1500).contains(&config.mtu), "an MTU of {} is not 576..=1500", config.mtu);
        assert!(!config.frame_time.is_zero(), "a frame takes time");
        let persistence = config.persistence.min(PERSISTENCE_MAX).max(config.frame_time);
        let config = Config { persistence, ..config };
        Self {
            agreement: Agreement::new(&config, now),
            poller: tuning.polls.then(|| Poller::new(now)),
            queue: Queue::new(),
            pace: Pace::new(config.frame_time),
            stage: Stage::new(),
            packets: 0,
            sender: Sender::new(false, tuning.window),
            receiver: Receiver::new(),
            feedback: Feedback::new(tuning.ack_every, tuning.ack_delay),
            sequence: Sequence::default(),
            intake: Intake::new(),
            reassembly: Reassembly::new(),
            compressor: Compressor::default(),
            decompressor: Decompressor::default(),
            seal: config.key.as_ref().map(Seal::new),
            reports: Reports::new(),
            config,
            tuning,
        }
    }

    /// The deadline has come: greetings, acknowledgements held back, timeouts, persistence.
    pub fn wake(&mut self, now: Instant) {
        self.agreement.wake(now);
        self.feedback.wake(now);
        self.abandon(now);
        self.sender.wake(now);
        if let Some(poller) = &mut self.poller {
            poller.wake(now);
        }
    }

    /// Instant at which it next wants to be woken; later than the last `wake`. Pure.
    pub fn deadline(&self) -> Option<Instant> {
        let poll = self.poller.as_ref().map(Poller::deadline);
        let ours = sooner(self.agreement.deadline(), self.feedback.deadline());
        sooner(sooner(ours, self.sender.deadline()), poll)
    }

    /// True once all the 2^32 numbers of encrypted packets are used up (16 days of the smallest ones): every packet is
    /// dropped until a tunnel with another epoch takes its place.
    pub fn needs_new_epoch(&self) -> bool {
        self.seal.as_ref().is_some_and(Seal::is_exhausted)
    }

    /// The mode the two ends have agreed on, once they have.
    pub fn agreed(&self) -> Option<Mode> {
        self.agreement.terms().map(|terms| terms.mode)
    }

    /// The next drop since the last call: where, and of how many octets.
    pub fn next_drop(&mut self) -> Option<(DropPoint, u32)> {
        self.reports.next_drop()
    }

    /// The next time since the last call that reassembly found its place again: octets it has thrown away until then.
    pub fn next_resync(&mut self) -> Option<u32> {
        self.reports.next_resync()
    }

    /// Time that a new chunk takes, as measured: what the queue's bound in time rests on.
    pub fn chunk_time(&self) -> Duration {
        self.pace.chunk()
    }
}

/// The earlier of two deadlines, if there is one.
fn sooner(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    let at = one.unwrap_or(Instant::FAR_FUTURE).min(other.unwrap_or(Instant::FAR_FUTURE));
    (at != Instant::FAR_FUTURE).then_some(at)
}

/// Everything is inside, in fixed arrays: a host knows what it has to set aside.
const _: () = assert!(size_of::<Tunnel>() <= 64 * 1024);
