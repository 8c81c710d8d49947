//! The co-processor's side: what it does when, in terms of its slots.

use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::DirectConfig;
use crate::boot::{Reply, Request, Version};
use crate::flash::Nor;
use crate::slots::{BootError, SlotError, Slots};

/// `RESTART_TIMEOUT` of esp-hosted's `slave_control.c`.
const RESTART: Duration = Duration::from_secs(2);

/// Outcome of a wake.
pub(super) enum Happening {
    /// Nothing the host would notice.
    Nothing,
    /// The handshake is through.
    Up,
    /// An answer; whether it is one to a write.
    Answers(Reply, bool),
}

/// The co-processor.
#[derive(Clone, Debug)]
pub(super) struct Coprocessor {
    pub slots: Slots<Nor>,
    /// Its handshake is through at this time.
    up: Option<Instant>,
    /// Instant at which it restarts.
    restart: Option<Instant>,
    request: Option<(Instant, Request)>,
    /// The octets of a write.
    octets: Vec<u8>,
    answer: Option<(Instant, Reply, bool)>,
}

impl Coprocessor {
    pub fn new(slots: Slots<Nor>) -> Self {
        Self { slots, up: None, restart: None, request: None, octets: Vec::new(), answer: None }
    }

    /// Takes its power away.
    pub fn off(&mut self) {
        self.slots.reset();
        (self.up, self.restart, self.request, self.answer) = (None, None, None, None);
    }

    /// Its reset line goes low and high again: the bootloader runs, and at `ready` its handshake is through.
    pub fn reset(&mut self, _now: Instant, ready: Instant) -> Result<(), BootError> {
        self.off();
        if !self.slots.storage().powered() {
            return Ok(());
        }
        let booted = self.slots.boot().map(|_| ());
        if self.slots.storage().powered() {
            booted?;
            self.up = Some(ready);
        } else {
            self.off();
        }
        Ok(())
    }

    /// A request is on its way and arrives at `at`.
    pub fn request(&mut self, at: Instant, request: Request, octets: &[u8]) {
        self.octets.clear();
        self.octets.extend(octets);
        self.request = Some((at, request));
    }

    pub fn deadline(&self) -> Option<Instant> {
        let request = self.request.as_ref().map(|(at, _)| *at);
        let answer = self.answer.as_ref().map(|(at, ..)| *at);
        [self.up, self.restart, request, answer].into_iter().flatten().min()
    }

    pub fn wake(&mut self, now: Instant, config: &DirectConfig) -> Happening {
        let due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if due(self.up) {
            self.up = None;
            return self.greet(config);
        }
        if due(self.restart) {
            // Whatever it was at is forgotten, and a co-processor with nothing to boot stays silent.
            let _ = self.reset(now, now + config.restart);
            return Happening::Nothing;
        }
        if let Some((_, reply, write)) = self.answer.take_if(|(at, ..)| *at <= now) {
            return Happening::Answers(reply, write);
        }
        if let Some((_, request)) = self.request.take_if(|(at, _)| *at <= now) {
            self.serve(now, request, config);
        }
        Happening::Nothing
    }

    /// The handshake is through: what runs works, unless it is one that never answers.
    fn greet(&mut self, config: &DirectConfig) -> Happening {
        if self.mute(config) {
            return Happening::Nothing;
        }
        match self.slots.confirm() {
            Ok(()) => Happening::Up,
            Err(_) => {
                self.lost();
                Happening::Nothing
            }
        }
    }

    fn serve(&mut self, now: Instant, request: Request, config: &DirectConfig) {
        if self.slots.running().is_none() || self.mute(config) || self.up.is_some() {
            return;
        }
        let (result, took) = match request {
            Request::Version => (Ok(()), Duration::ZERO),
            Request::Begin => {
                let octets = self.slots.begin_octets();
                (self.slots.begin(), config.timing.erase(octets))
            }
            Request::Write { .. } => (self.slots.write(&self.octets), config.timing.program(self.octets.len() as u32)),
            Request::End => (self.slots.end(), Duration::ZERO),
            Request::Activate => (self.slots.activate(), config.timing.erase(crate::partition::SECTOR)),
        };
        if !self.slots.storage().powered() {
            return self.lost();
        }
        let reply = match (request, result) {
            (Request::Version, Ok(())) => self.version(),
            (_, Ok(())) => Reply::Done,
            (_, Err(error)) => Reply::Refused(SlotError::code(error)),
        };
        if request == Request::Activate && result.is_ok() {
            self.restart = Some(now + RESTART);
        }
        let write = matches!(request, Request::Write { .. });
        self.answer = Some((now + took + config.round_trip / 2, reply, write));
    }

    fn version(&self) -> Reply {
        let running = self.slots.running().map(|running| &running.image.description);
        let numbers = running.and_then(|description| description.numbers()).unwrap_or_default();
        Reply::Version(Version { numbers, elf_sha256: None })
    }

    fn mute(&self, config: &DirectConfig) -> bool {
        let numbers = self.slots.running().and_then(|running| running.image.description.numbers());
        config.mute.is_some() && numbers == config.mute
    }

    /// Its power went in the middle of something.
    fn lost(&mut self) {
        self.off();
    }
}
