//! The boot sequence of a host that brings its co-processor's firmware up to date. Sans-IO.
//!
//! Transport up → connect → look at `slave_fw` → begin, writes, end, activate → the co-processor restarts → the new version
//! answers → only then erase, and restart → the next boot finds nothing staged and runs the tests. Power may go anywhere: what
//! is staged stays until the new firmware has answered, and a later boot begins again.
//!
//! Of its own this host adds to the published sequence: it checks the staged image before it begins, it notes in the first octet
//! that the image was installed before it erases it (so that an erasing that was cut off is taken up again), and it counts
//! attempts that ended with the old firmware in the last octet, to give up after [`STRIKES`](super::stage::STRIKES).

mod erase;
mod events;
mod install;
mod state;
mod survey;

use airtime_core::{Duration, Instant};

use super::image::{Chip, Description, ImageError, Verifier};
use super::partition::SECTOR;
use state::State;
pub use state::{Finding, Phase};

/// Configuration of the host's boot sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootConfig {
    /// Octets of the partition.
    pub partition: u32,
    /// The co-processor's chip.
    pub chip: Chip,
    /// No update begins before this time after power on, whenever the transport is up: about 18 s were observed until the
    /// handshake was through (throughput report).
    pub not_before: Duration,
    /// Octets of a write: esp-hosted's `CHUNK_SIZE`.
    pub chunk: u16,
    /// Sleep of `esp_hosted_slave_ota_write` after each write.
    pub pause: Duration,
    /// Within what time an answer comes: 5 s for an ordinary request of esp-hosted.
    pub answer: Duration,
    /// Within what time the answer to the beginning comes: the slot is erased meanwhile (15 s).
    pub begin_answer: Duration,
    /// Within what time the host is on the network, or goes on without. *Assumed.*
    pub connect: Duration,
    /// Within what time the transport is up again after a restart of the co-processor. *Assumed.*
    pub restart: Duration,
    /// Number of times in one boot that a co-processor which does not answer is reset. *Assumed.*
    pub resets: u8,
}

impl BootConfig {
    /// The published sequence, for a partition of this many octets.
    pub fn published(partition: u32) -> Self {
        Self {
            partition,
            chip: Chip::ESP32_C6,
            not_before: Duration::from_secs(18),
            chunk: 1400,
            pause: Duration::from_millis(10),
            answer: Duration::from_secs(5),
            begin_answer: Duration::from_secs(15),
            connect: Duration::from_secs(30),
            restart: Duration::from_secs(30),
            resets: 3,
        }
    }
}

/// Request of the host to the co-processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Version of the firmware that it runs.
    Version,
    /// To begin an update.
    Begin,
    /// To write the octets of [`Boot::chunk`].
    Write {
        /// Offset of the octets in the image.
        at: u32,
    },
    /// To check what it was sent.
    End,
    /// To boot it.
    Activate,
}

/// Reply of the co-processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Done, as asked.
    Done,
    /// Refused, with this `esp_err_t`.
    Refused(u32),
    /// Version that runs.
    Version(Version),
}

/// Version of the firmware that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Major, minor, patch: `GetCoprocessorFwVersion`.
    pub numbers: [u32; 3],
    /// SHA-256 of its ELF file (`AppGetDesc`), if it was asked: it tells builds of one version apart.
    pub elf_sha256: Option<[u8; 32]>,
}

impl Version {
    /// True for `staged`, when `before` ran before. Where neither a digest nor a number tells, it is a firmware that is another.
    fn is(&self, staged: &Description, before: Option<Version>) -> bool {
        match (self.elf_sha256, staged.numbers()) {
            (Some(elf), _) => elf == staged.elf_sha256,
            (None, Some(numbers)) => self.numbers == numbers,
            (None, None) => before.is_none_or(|before| before != *self),
        }
    }
}

/// Request to the host's flash, within the partition. Answered with [`Boot::flash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashRequest {
    /// Read octets.
    Read {
        /// Offset of the first octet.
        at: u32,
        /// Number of octets, up to 4096.
        octets: u16,
    },
    /// Program one octet.
    Program {
        /// Offset in the partition.
        at: u32,
        /// Value to program; bits are only cleared.
        octet: u8,
    },
    /// Erase whole sectors.
    Erase {
        /// The first octet.
        at: u32,
        /// Number of octets.
        octets: u32,
    },
}

/// Output of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BootOutput {
    /// Join the network; answered with [`Boot::connected`].
    Connect,
    /// Request to the co-processor; answered with [`Boot::reply`].
    Request(Request),
    /// Request to the flash; answered with [`Boot::flash`].
    Flash(FlashRequest),
    /// Reset the co-processor, and bring the transport up again.
    Reset,
    /// Restart the host.
    Restart,
    /// The boot is over: run the application. This is what was found.
    Run(Finding),
}

/// Progress of an installation, and its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Phase that the host is at.
    pub phase: Phase,
    /// Octets the co-processor has acknowledged.
    pub written: u32,
    /// Octets of the image; 0 before it is known.
    pub octets: u32,
    /// Instant at which the update began.
    pub begun: Option<Instant>,
}

/// The machine. Contract of a node: one mutation, drain [`poll`](Self::poll), then [`deadline`](Self::deadline).
#[derive(Clone, Debug)]
pub struct Boot {
    config: BootConfig,
    power_on: Instant,
    state: State,
    deadline: Option<Instant>,
    output: Option<BootOutput>,
    transport: bool,
    resets: u8,
    verifier: Option<Verifier>,
    staged: Option<Description>,
    octets: u32,
    before: Option<Version>,
    begun: Option<Instant>,
    chunk: [u8; CHUNK_MAX],
    filled: usize,
    last: u8,
}

/// Octets of the longest write; a larger `chunk` is cut to it. An RPC message has room for 8166.
const CHUNK_MAX: usize = 4096;

impl Boot {
    /// A host that has just been switched on. It waits for the transport.
    ///
    /// # Panics
    /// When the partition is not made of whole sectors: nothing could erase it.
    pub fn new(now: Instant, mut config: BootConfig) -> Self {
        assert!(config.partition >= SECTOR && config.partition.is_multiple_of(SECTOR), "a partition has whole sectors");
        config.chunk = config.chunk.clamp(1, CHUNK_MAX as u16);
        let deadline = Some(now + config.not_before + config.restart);
        Self {
            config,
            power_on: now,
            state: State::Starting,
            deadline,
            output: None,
            transport: false,
            resets: 0,
            verifier: None,
            staged: None,
            octets: 0,
            before: None,
            begun: None,
            chunk: [0; CHUNK_MAX],
            filled: 0,
            last: 0xFF,
        }
    }

    /// Next output; drained to none.
    pub fn poll(&mut self, _now: Instant) -> Option<BootOutput> {
        self.output.take()
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The octets that the last [`Request::Write`] is about.
    pub fn chunk(&self) -> &[u8] {
        &self.chunk[..self.filled]
    }

    /// Progress of the host.
    pub fn progress(&self) -> Progress {
        Progress {
            phase: self.state.phase(),
            written: self.state.written(self.octets),
            octets: self.octets,
            begun: self.begun,
        }
    }

    /// Description of the staged image, once it was looked at.
    pub fn staged(&self) -> Option<&Description> {
        self.staged.as_ref()
    }

    fn say(&mut self, output: BootOutput) {
        debug_assert!(self.output.is_none(), "one thing at a time");
        self.output = Some(output);
    }

    fn ask(&mut self, now: Instant, request: Request, within: Duration) {
        self.deadline = Some(now + within);
        self.say(BootOutput::Request(request));
    }

    /// The boot is over.
    fn finish(&mut self, finding: Finding) {
        self.state = State::Over;
        self.deadline = None;
        self.say(BootOutput::Run(finding));
    }

    fn refuse(&mut self, error: ImageError) {
        self.finish(Finding::Damaged(error));
    }
}
