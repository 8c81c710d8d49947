//! Peripherals of a host in virtual time, as its boot sequence has them: the flash with the staged image, and the network.

use airtime_core::{Duration, Instant};

use crate::boot::FlashRequest;
use crate::flash::{Nor, Storage, StorageError, Timing};

/// Largest piece that is read at once, in octets.
const PIECE_MAX: usize = 4_096;

/// Flash and network of a host, which are at one request each.
#[derive(Clone, Debug)]
pub(crate) struct Peripherals {
    pub flash: Nor,
    timing: Timing,
    /// Until the host is on the network.
    connect: Duration,
    /// Request that the flash is at, and its end.
    operation: Option<(Instant, FlashRequest)>,
    joined: Option<Instant>,
}

impl Peripherals {
    pub fn new(flash: Nor, timing: Timing, connect: Duration) -> Self {
        Self { flash, timing, connect, operation: None, joined: None }
    }

    /// The host restarts, or has lost its power: what was asked for is forgotten.
    pub fn forget(&mut self) {
        (self.operation, self.joined) = (None, None);
    }

    pub fn deadline(&self) -> Option<Instant> {
        let flash = self.operation.as_ref().map(|(end, _)| *end);
        [flash, self.joined].into_iter().flatten().min()
    }

    /// The sequence wants to be on the network.
    pub fn connect(&mut self, now: Instant) {
        self.joined = Some(now + self.connect);
    }

    /// The sequence asks the flash for something.
    pub fn ask(&mut self, now: Instant, request: FlashRequest) {
        let takes = match request {
            FlashRequest::Read { octets, .. } => self.timing.read(u32::from(octets)),
            FlashRequest::Program { .. } => self.timing.page,
            FlashRequest::Erase { octets, .. } => self.timing.erase(octets),
        };
        self.operation = Some((now + takes, request));
    }

    /// Tells once, when it is time, that the host is on the network.
    pub fn has_joined(&mut self, now: Instant) -> bool {
        self.joined.take_if(|at| *at <= now).is_some()
    }

    /// Carries out what the flash was asked for, when it is time, and tells `hear` the outcome.
    pub fn operate<R>(&mut self, now: Instant, hear: impl FnOnce(Result<&[u8], StorageError>) -> R) -> Option<R> {
        let (_, request) = self.operation.take_if(|(end, _)| *end <= now)?;
        let mut piece = [0; PIECE_MAX];
        let done = match request {
            FlashRequest::Read { at, octets } => {
                let piece = &mut piece[..usize::from(octets)];
                self.flash.read(at, piece).map(|()| &*piece)
            }
            FlashRequest::Program { at, octet } => self.flash.program(at, &[octet]).map(|()| [].as_slice()),
            FlashRequest::Erase { at, octets } => self.flash.erase(at, octets).map(|()| [].as_slice()),
        };
        Some(hear(done))
    }
}
