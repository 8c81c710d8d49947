//! The host's side: one command at a time, and the frames that were heard.

use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::command::Command;
use super::id;
use super::packet::PromiscuousPacket;
use super::reply::Reply;
use crate::rpc::proto::{CustomEvent, CustomReply, CustomRequest};
use crate::rpc::status;

/// Time for which a command waits for its answer. `main/wifi_raw.c`.
pub const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);
/// Octets of a frame that the host hands on; the chip takes no more than [`INJECTED_MAX`](super::INJECTED_MAX).
pub const WRITTEN_MAX: usize = 4000;

/// Reason that a command was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotSent {
    /// Another command waits for its answer.
    #[error("another command waits for its answer")]
    Busy,
    /// A frame of no octets, or of too many.
    #[error("a frame of {0} octets; 1 to {WRITTEN_MAX} are handed on")]
    Length(usize),
}

/// Reason that a command has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandFailure {
    /// No answer in time.
    #[error("no answer within 5 s")]
    Timeout,
    /// The firmware has no handler for the command.
    #[error(
        "the co-processor's firmware has no handler for raw frames (status {0:#x}): it is the factory image, or its table \
         has too little room. Build one with ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER=y, MAX_CUSTOM_MSG_HANDLERS=8 and the \
         handlers, and load it"
    )]
    NoHandler(i32),
    /// The chip refuses.
    #[error("the chip refuses (status {0:#x})")]
    Refused(i32),
}

/// A command is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Number of the command.
    pub command: u32,
    /// Outcome of the command.
    pub result: Result<(), CommandFailure>,
}

/// Content of a custom event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<'a> {
    /// A frame was heard.
    Packet(PromiscuousPacket<'a>),
    /// The command is over.
    Finished(Finished),
}

/// Counts of events so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MonitorCounts {
    /// Frames that came.
    pub packets: u64,
    /// Events that are cut off or make no sense.
    pub malformed: u64,
    /// Answers to no command, or to another.
    pub unasked: u64,
    /// Events of other numbers: of another part of the application, or of firmware that numbers packets otherwise.
    pub foreign: u64,
    /// Commands without an answer in time.
    pub timeouts: u64,
}

/// The host's side.
#[derive(Clone, Debug)]
pub struct Monitor {
    packet_id: u32,
    pending: Option<(u32, Instant)>,
    counts: MonitorCounts,
}

impl Default for Monitor {
    fn default() -> Self {
        Self::new(id::PROMISCUOUS_PACKET)
    }
}

impl Monitor {
    /// Monitor for firmware that says heard frames under the number `packet_id`.
    pub fn new(packet_id: u32) -> Self {
        Self { packet_id, pending: None, counts: MonitorCounts::default() }
    }

    /// The custom request of a command, which is sent now.
    ///
    /// # Errors
    /// When it is not to be sent.
    pub fn command(&mut self, now: Instant, command: &Command<'_>) -> Result<CustomRequest, NotSent> {
        if self.pending.is_some() {
            return Err(NotSent::Busy);
        }
        match command {
            Command::Transmit { frame, .. } if !(1..=WRITTEN_MAX).contains(&frame.len()) => {
                return Err(NotSent::Length(frame.len()));
            }
            _ => {}
        }
        let mut data = Vec::new();
        command.emit(&mut data);
        self.pending = Some((command.id(), now + COMMAND_TIMEOUT));
        Ok(CustomRequest { custom_msg_id: command.id(), data })
    }

    /// The reply to its custom request has come: the command goes on, unless nobody handles it.
    pub fn reply(&mut self, reply: &CustomReply) -> Option<Finished> {
        let (command, _) = self.pending.filter(|(command, _)| *command == reply.custom_msg_id)?;
        if reply.resp == status::OK {
            return None;
        }
        Some(self.finish(command, Err(CommandFailure::NoHandler(reply.resp))))
    }

    /// A custom event has come.
    pub fn event<'e>(&mut self, event: &'e CustomEvent) -> Option<Told<'e>> {
        if event.custom_event_id == self.packet_id {
            let packet = PromiscuousPacket::parse(&event.data);
            *(if packet.is_ok() { &mut self.counts.packets } else { &mut self.counts.malformed }) += 1;
            return packet.ok().map(Told::Packet);
        }
        if event.custom_event_id != id::COMMAND_RESPONSE {
            self.counts.foreign += 1;
            return None;
        }
        let Some(Reply { command, status }) = Reply::parse(&event.data) else {
            self.counts.malformed += 1;
            return None;
        };
        let Some((pending, _)) = self.pending.filter(|(pending, _)| *pending == u32::from(command)) else {
            self.counts.unasked += 1;
            return None;
        };
        let result = if status == status::OK { Ok(()) } else { Err(CommandFailure::Refused(status)) };
        Some(Told::Finished(self.finish(pending, result)))
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) -> Option<Finished> {
        let (command, _) = self.pending.filter(|(_, until)| *until <= now)?;
        self.counts.timeouts += 1;
        Some(self.finish(command, Err(CommandFailure::Timeout)))
    }

    fn finish(&mut self, command: u32, result: Result<(), CommandFailure>) -> Finished {
        self.pending = None;
        Finished { command, result }
    }

    /// Instant at which the command under way runs out of time.
    pub fn deadline(&self) -> Option<Instant> {
        self.pending.map(|(_, until)| until)
    }

    /// Counts of events so far.
    pub const fn counts(&self) -> MonitorCounts {
        self.counts
    }
}
