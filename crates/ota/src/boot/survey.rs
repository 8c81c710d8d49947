//! Up to the decision: the transport, the network, what is staged and whether it is whole.

use airtime_core::Instant;

use super::state::{Finding, State};
use super::{Boot, BootOutput, FlashRequest, Reply, Request};
use crate::image::{ERASED, ImageError, Verifier};
use crate::partition::SECTOR;
use crate::stage::{STRIKES, strikes, used};

/// Octets read at once.
const PIECE: u32 = SECTOR;

impl Boot {
    /// The transport is up: on, unless it is too early.
    pub(super) fn start(&mut self, now: Instant) {
        let earliest = self.power_on + self.config.not_before;
        if now < earliest {
            self.deadline = Some(earliest);
            return;
        }
        self.state = State::Connecting;
        self.deadline = Some(now + self.config.connect);
        self.say(BootOutput::Connect);
    }

    pub(super) fn look(&mut self, _now: Instant) {
        self.deadline = None;
        self.state = State::Looking;
        self.say(BootOutput::Flash(FlashRequest::Read { at: 0, octets: 1 }));
    }

    pub(super) fn looked(&mut self, _now: Instant, octets: &[u8]) {
        match octets.first() {
            None => self.finish(Finding::Flash),
            Some(&ERASED) => self.finish(Finding::Nothing),
            Some(&first) if used(first) => self.erase(self.config.partition),
            Some(_) => {
                // The last octet counts failed attempts.
                self.verifier = Some(Verifier::new(self.config.chip, self.config.partition - 1));
                self.check(0);
            }
        }
    }

    fn check(&mut self, at: u32) {
        self.state = State::Checking { at };
        self.piece(at);
    }

    fn piece(&mut self, at: u32) {
        let octets = (self.config.partition - 1 - at).min(PIECE) as u16;
        self.say(BootOutput::Flash(FlashRequest::Read { at, octets }));
    }

    pub(super) fn checked(&mut self, at: u32, octets: &[u8]) {
        let Some(verifier) = &mut self.verifier else { return };
        let fed = verifier.feed(octets);
        let at = at + octets.len() as u32;
        // Octets that end where the partition does end the image as well.
        let over = verifier.done() || at >= self.config.partition - 1 || octets.is_empty();
        let whole = match fed {
            Err(error) => Err(error),
            Ok(()) if over => self.verifier.take().map(Verifier::finish).transpose(),
            Ok(()) => Ok(None),
        };
        match whole {
            Err(error) => self.search(SECTOR.min(self.config.partition - 1), error),
            Ok(None) => self.check(at),
            Ok(Some(image)) => {
                (self.staged, self.octets) = (Some(image.description), image.octets);
                self.state = State::Counting;
                let at = self.config.partition - 1;
                self.say(BootOutput::Flash(FlashRequest::Read { at, octets: 1 }));
            }
        }
    }

    /// The first sector is erased last: when only that holds anything, its erasing was cut off.
    fn search(&mut self, at: u32, error: ImageError) {
        self.verifier = None;
        if at >= self.config.partition - 1 {
            return self.erase(self.config.partition);
        }
        self.state = State::Searching { at, error };
        self.piece(at);
    }

    pub(super) fn searched(&mut self, _now: Instant, at: u32, error: ImageError, octets: &[u8]) {
        if octets.is_empty() || octets.iter().any(|octet| *octet != ERASED) {
            return self.refuse(error);
        }
        self.search(at + octets.len() as u32, error);
    }

    pub(super) fn counted(&mut self, now: Instant, octets: &[u8]) {
        self.last = octets.first().copied().unwrap_or(ERASED);
        if strikes(self.last) >= STRIKES {
            return self.finish(Finding::GivenUp);
        }
        self.state = State::Asking;
        self.ask(now, Request::Version, self.config.answer);
    }

    /// Takes the version of the firmware that runs, or that the co-processor is too old to say it.
    pub(super) fn asked(&mut self, now: Instant, reply: Reply) {
        if let Reply::Version(version) = reply {
            self.before = Some(version);
        }
        self.begin(now);
    }
}
