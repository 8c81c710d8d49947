//! The way in: frames from the chip, packets out of them.

use airtime_core::Instant;

use super::agreement::Heard;
use super::arq::feedback::Feedback;
use super::arq::receiver::{Accepted, Receiver};
use super::chunk::{Frame, Header};
use super::compression::{Compressor, Decompressor};
use super::control::{Control, Greeting};
use super::intake::Entry;
use super::seal::Side;
use super::sequence::{Follows, Sequence};
use super::{Mode, Tunnel};
use crate::trace::DropPoint;

impl Tunnel {
    /// A payload from the receiving chip.
    pub fn received(&mut self, now: Instant, frame: &[u8]) {
        match Frame::read(frame) {
            Some(Frame::Chunk(header)) => self.chunk(now, header, frame),
            Some(Frame::Control(kind, _)) => {
                if let Some(control) = Control::read(kind, self.agreement.session(), frame) {
                    self.control_came(now, control);
                }
            }
            None => {}
        }
    }

    /// The next whole IP packet for the TUN device, written to `packet` (at least MTU octets); its length.
    pub fn next_packet(&mut self, packet: &mut [u8]) -> Option<usize> {
        while let Some(entry) = self.intake.pop() {
            let Some(octets) = self.reassembly.add(&entry, &mut self.reports) else { continue };
            match self.unpack(octets, packet) {
                Ok(len) => return Some(len),
                Err(at) => self.reports.dropped(at, octets),
            }
        }
        None
    }

    fn control_came(&mut self, now: Instant, control: Control) {
        if let Control::Greeting(greeting) = control {
            return self.greeting(now, greeting);
        }
        let Some(terms) = self.agreement.terms() else { return };
        match control {
            Control::Ack { base, bitmap } => self.sender.acknowledged(now, base, bitmap),
            Control::Sync { base } if terms.mode == Mode::Stream => {
                if self.receiver.skip_to(base, &mut self.intake) {
                    self.feedback.received(now, true);
                }
            }
            Control::ContextUnknown { context } => self.compressor.refresh(context),
            Control::Sync { .. } | Control::Poll | Control::Greeting(_) => {}
        }
    }

    fn greeting(&mut self, now: Instant, greeting: Greeting) {
        let before = (self.agreement.terms(), self.agreement.epochs());
        let heard = self.agreement.heard(now, greeting);
        let terms = self.agreement.terms();
        if heard == Heard::NewSession || before.0 != terms {
            self.intake.push(Entry::HOLE);
            self.receiver = Receiver::new();
            self.sequence = Sequence::default();
            self.feedback = Feedback::new(self.tuning.ack_every, self.tuning.ack_delay);
            self.compressor = Compressor::default();
            self.decompressor = Decompressor::default();
            let peer = |epochs: (Side, Option<Side>)| epochs.1.map(|side| side.0);
            if let Some(seal) = self.seal.as_mut().filter(|_| peer(before.1) != peer(self.agreement.epochs())) {
                seal.forget_counter();
            }
            self.restart_sender(terms.map(|terms| terms.mode));
        }
    }

    fn chunk(&mut self, now: Instant, header: Header, frame: &[u8]) {
        let Some(terms) = self.agreement.terms() else { return };
        let entry = Entry::of(frame);
        if terms.mode == Mode::Stream {
            let accepted = self.receiver.accept(header.seq, entry, &mut self.intake);
            if accepted != Accepted::NoRoom {
                self.feedback.received(now, matches!(accepted, Accepted::Gap | Accepted::Old));
            }
            return;
        }
        if let Some(poller) = &mut self.poller {
            poller.answered();
        }
        let follows = self.sequence.judge(header.seq);
        if follows == Follows::Old {
            return;
        }
        if self.intake.room() < 2 {
            // Its number stays expected, so that the next one shows the gap.
            self.reports.dropped(DropPoint::Ring, frame.len() - 1);
            return;
        }
        if follows == Follows::Gap {
            self.intake.push(Entry::HOLE);
        }
        self.intake.push(entry);
        self.sequence.took(header.seq);
    }
}
