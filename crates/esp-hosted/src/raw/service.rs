//! The co-processor's side: commands in, answers and heard frames out. Sans-IO: after each mutation [`Service::poll`] is drained.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::command::{Command, CommandError, Second};
use super::filter::Filter;
use super::id;
use super::injection;
use super::packet::{PacketKind, PromiscuousPacket};
use super::rate::Rate;
use super::reply::Reply;
use crate::rpc::proto::{CustomEvent, CustomReply, CustomRequest};
use crate::rpc::{Handlers, status};
use airtime_ieee80211::wire::{FrameControl, RxInfo, fcs};

/// Events that wait for the bus before heard frames are dropped. *Assumed*: the firmware is not public; a receive callback must
/// not block for long, so there has to be a bound.
const EVENTS_MAX: usize = 32;

/// Commands that wait for the radio. *Assumed*; on silicon one does, in the thread that receives calls.
const PENDING_MAX: usize = 8;

/// Answers and events that wait for the bus before commands are lost. *Assumed*; on silicon the thread that receives calls blocks.
const OUTPUTS_MAX: usize = 64;

/// Abilities of the co-processor's image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Firmware {
    /// Factory firmware: no custom message has a handler.
    Factory,
    /// Firmware with the extension.
    Raw {
        /// Custom messages that its table holds (`MAX_CUSTOM_MSG_HANDLERS`); the commands need four.
        handlers: usize,
        /// Number of the event that carries a heard frame.
        packet_id: u32,
    },
}

/// Request of the service to the radio; to be answered with [`Service::done`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RadioRequest {
    /// Listen to everything, or not.
    Listen(bool),
    /// Go to a channel.
    Channel {
        /// Primary channel, 1..=14.
        primary: u8,
        /// Place of the secondary channel.
        second: Second,
    },
    /// Send a frame.
    Inject {
        /// The frame without FCS.
        frame: Vec<u8>,
        /// Set if the driver puts its own sequence number in.
        system_sequence: bool,
    },
}

/// Output of the service. One that nobody carries out is lost, so whoever matches matches all.
#[derive(Clone, Debug, PartialEq)]
pub enum ServiceOutput {
    /// The reply to a custom request.
    Reply {
        /// Identity of the request.
        uid: u32,
        /// The reply.
        reply: CustomReply,
    },
    /// A custom event.
    Event(CustomEvent),
    /// The radio is to do this.
    Radio(RadioRequest),
}

/// Counts of commands and frames so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ServiceCounts {
    /// Commands that were carried out.
    pub commands: u64,
    /// Commands that were refused.
    pub refused: u64,
    /// Custom messages without a handler.
    pub unhandled: u64,
    /// Frames handed over.
    pub packets: u64,
    /// Frames that the filter kept.
    pub filtered: u64,
    /// Frames dropped because the host was slow.
    pub dropped: u64,
    /// Custom requests lost because the host reads no answers.
    pub unanswered: u64,
}

/// The extension of a co-processor's firmware.
#[derive(Debug)]
pub struct Service {
    handlers: Handlers<()>,
    packet_id: u32,
    promiscuous: bool,
    filter: Filter,
    outputs: VecDeque<ServiceOutput>,
    /// Number of events among `outputs`.
    events: usize,
    /// Commands that the radio carries out.
    pending: VecDeque<Pending>,
    counts: ServiceCounts,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    command: u32,
    listen: Option<bool>,
}

impl Service {
    /// The extension of an image; of a factory image nothing but refusals. Commands beyond the room for handlers have none.
    pub fn new(firmware: Firmware) -> Self {
        let (room, packet_id) = match firmware {
            Firmware::Factory => (0, id::PROMISCUOUS_PACKET),
            Firmware::Raw { handlers, packet_id } => (handlers, packet_id),
        };
        let mut handlers = Handlers::new(room);
        for command in id::COMMANDS {
            // A table without room is what the image was built with: its commands are refused when they come.
            let _ = handlers.register(command, ());
        }
        Self {
            handlers,
            packet_id,
            promiscuous: false,
            filter: Filter::DEFAULT,
            outputs: VecDeque::new(),
            events: 0,
            pending: VecDeque::new(),
            counts: ServiceCounts::default(),
        }
    }

    /// A custom request has come; `connected` says whether the station is.
    pub fn request(&mut self, uid: u32, request: &CustomRequest, connected: bool) {
        if self.outputs.len() >= OUTPUTS_MAX {
            self.counts.unanswered += 1;
            return;
        }
        let custom_msg_id = request.custom_msg_id;
        let handled = self.handlers.find(custom_msg_id).is_some();
        let resp = if handled { status::OK } else { status::NOT_SUPPORTED };
        let reply = CustomReply { resp, custom_msg_id, data: Vec::new() };
        self.outputs.push_back(ServiceOutput::Reply { uid, reply });
        if !handled {
            self.counts.unhandled += 1;
            return;
        }
        if self.pending.len() == PENDING_MAX {
            return self.respond(custom_msg_id, status::NO_MEM);
        }
        match self.command(request, connected) {
            Ok(radio) => {
                let listen = if let RadioRequest::Listen(on) = radio { Some(on) } else { None };
                self.pending.push_back(Pending { command: custom_msg_id, listen });
                self.outputs.push_back(ServiceOutput::Radio(radio));
            }
            Err(status) => self.respond(custom_msg_id, status),
        }
    }

    /// Request to the radio for a command, or the status that answers it at once.
    fn command(&mut self, request: &CustomRequest, connected: bool) -> Result<RadioRequest, i32> {
        let command = Command::parse(request.custom_msg_id, &request.data).map_err(|error| match error {
            CommandError::Length { .. } => status::INVALID_SIZE,
            _ => status::INVALID_ARG,
        })?;
        match command {
            Command::SetPromiscuous(on) => Ok(RadioRequest::Listen(on)),
            // The chip knows 2.4 GHz and nothing else.
            Command::SetChannel { primary: primary @ 1..=14, second } => Ok(RadioRequest::Channel { primary, second }),
            Command::SetChannel { .. } => Err(status::INVALID_ARG),
            Command::SetFilter(filter) => {
                self.filter = filter;
                Err(status::OK)
            }
            Command::Transmit { system_sequence, frame, .. } => {
                injection::check(frame, system_sequence, connected).map_err(|_| status::INVALID_ARG)?;
                Ok(RadioRequest::Inject { frame: frame.to_vec(), system_sequence })
            }
        }
    }

    /// The radio has carried out the oldest request, or says why not.
    pub fn done(&mut self, status: i32) {
        let Some(Pending { command, listen }) = self.pending.pop_front() else { return };
        if let Some(on) = listen.filter(|_| status == status::OK) {
            self.promiscuous = on;
        }
        self.respond(command, status);
    }

    fn respond(&mut self, command: u32, status: i32) {
        *(if status == status::OK { &mut self.counts.commands } else { &mut self.counts.refused }) += 1;
        let reply = Reply { command: command as u16, status };
        self.event(id::COMMAND_RESPONSE, reply.octets().to_vec());
    }

    fn event(&mut self, custom_event_id: u32, data: Vec<u8>) {
        self.events += 1;
        self.outputs.push_back(ServiceOutput::Event(CustomEvent { resp: status::OK, custom_event_id, data }));
    }

    /// The radio has heard a frame, which has its FCS.
    pub fn heard(&mut self, frame: &[u8], info: &RxInfo) {
        let [low, high, ..] = *frame else { return };
        let control = FrameControl(u16::from_le_bytes([low, high]));
        let fcs_ok = fcs::check(frame).is_some();
        if !self.promiscuous {
            return;
        }
        if !self.filter.passes(control, info.aggregated, fcs_ok) || frame.len() > usize::from(u16::MAX) {
            self.counts.filtered += 1;
            return;
        }
        if self.events >= EVENTS_MAX {
            self.counts.dropped += 1;
            return;
        }
        let kind = PacketKind::of(control.kind());
        let packet = PromiscuousPacket {
            kind,
            rssi_dbm: info.rssi_dbm,
            channel: info.channel,
            rate: Rate::of(info.phy),
            rx_state: u32::from(!fcs_ok),
            frame: if kind == PacketKind::Misc { &[] } else { frame },
        };
        let mut data = Vec::with_capacity(PromiscuousPacket::OCTETS + packet.frame.len());
        packet.emit(&mut data);
        self.counts.packets += 1;
        self.event(self.packet_id, data);
    }

    /// Next output; drained to none.
    pub fn poll(&mut self) -> Option<ServiceOutput> {
        let output = self.outputs.pop_front()?;
        self.events -= usize::from(matches!(output, ServiceOutput::Event(_)));
        Some(output)
    }

    /// True while it listens to everything.
    pub const fn promiscuous(&self) -> bool {
        self.promiscuous
    }

    /// Counts so far.
    pub const fn counts(&self) -> ServiceCounts {
        self.counts
    }
}
