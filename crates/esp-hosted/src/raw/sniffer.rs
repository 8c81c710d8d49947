//! The application of the published test that listens to everything: commands to the co-processor, frames back. The laboratory's
//! hosts and those on boards have the same.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use airtime_core::Instant;

use super::{Command, Filter, Finished, Interface, Monitor, MonitorCounts, PromiscuousPacket, Second, Told};
use crate::host::{Host, HostOutput};
use crate::rpc::proto::CustomRequest;
use crate::rpc::{Event, Request, Response};

/// A command with its frame, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Listen to everything, or not.
    Listen(bool),
    /// Go to a channel.
    Channel(u8),
    /// Set the filter of the frames to hand over.
    Filter(Filter),
    /// Send a frame, which is without FCS.
    Inject(Vec<u8>),
}

impl Step {
    fn command(&self) -> Command<'_> {
        match self {
            Self::Listen(on) => Command::SetPromiscuous(*on),
            Self::Channel(primary) => Command::SetChannel { primary: *primary, second: Second::None },
            Self::Filter(filter) => Command::SetFilter(*filter),
            Self::Inject(frame) => {
                Command::Transmit { interface: Interface::Station, system_sequence: true, frame: frame.as_slice() }
            }
        }
    }
}

/// Receiver of the frames that are heard.
pub trait Hearer {
    /// The host was told of a frame.
    fn packet(&mut self, now: Instant, packet: &PromiscuousPacket<'_>);
}

impl Hearer for () {
    fn packet(&mut self, _: Instant, _: &PromiscuousPacket<'_>) {}
}

/// Steps, one after the other, each begun at its time and when the one before is over.
#[derive(Debug)]
pub struct Sniffer<H> {
    /// Receiver of the frames that are heard.
    pub hearer: H,
    monitor: Monitor,
    steps: VecDeque<(Instant, Step)>,
    /// The step that is to be sent, or was and is not over.
    current: Option<CustomRequest>,
    waits: bool,
    finished: Vec<Finished>,
}

impl<H: Hearer> Sniffer<H> {
    /// An application that takes `steps` in their order; the co-processor says frames under `packet_id`.
    pub fn new(packet_id: u32, steps: impl IntoIterator<Item = (Instant, Step)>, hearer: H) -> Self {
        Self {
            hearer,
            monitor: Monitor::new(packet_id),
            steps: steps.into_iter().collect(),
            current: None,
            waits: false,
            finished: Vec::new(),
        }
    }

    /// True when no step is left and none is under way.
    pub fn is_over(&self) -> bool {
        self.steps.is_empty() && self.current.is_none() && !self.waits
    }

    /// Outcomes of the steps, in their order.
    pub fn finished(&self) -> &[Finished] {
        &self.finished
    }

    /// Counts so far.
    pub fn counts(&self) -> MonitorCounts {
        self.monitor.counts()
    }

    fn over(&mut self, finished: Option<Finished>) {
        if let Some(finished) = finished {
            self.finished.push(finished);
            self.waits = false;
        }
    }

    /// The next step begins, if it is time.
    fn begin(&mut self, now: Instant) {
        if self.waits || self.current.is_some() {
            return;
        }
        if self.steps.front().is_some_and(|(at, _)| *at <= now)
            && let Some((_, step)) = self.steps.pop_front()
        {
            // A frame that is no frame is refused before anything is sent.
            self.current = self.monitor.command(now, &step.command()).ok();
        }
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        let timed_out = self.monitor.wake(now);
        self.over(timed_out);
    }

    /// The host's side says something.
    pub fn said(&mut self, now: Instant, output: &HostOutput) {
        match output {
            HostOutput::Reply { response: Response::CustomRpc(reply), .. } => {
                let failed = self.monitor.reply(reply);
                self.over(failed);
            }
            HostOutput::Event(Event::CustomRpc(event)) => {
                let finished = match self.monitor.event(event) {
                    Some(Told::Packet(packet)) => {
                        self.hearer.packet(now, &packet);
                        None
                    }
                    Some(Told::Finished(finished)) => Some(finished),
                    None => None,
                };
                self.over(finished);
            }
            _ => {}
        }
    }

    /// Sends the next command if it is time; tells if it has.
    pub fn ask(&mut self, now: Instant, host: &mut Host) -> bool {
        self.begin(now);
        let Some(request) = self.current.take() else { return false };
        // The host may be at its limit of calls, or not up: asked again at the next step.
        match host.call(now, Request::CustomRpc(request.clone())) {
            Ok(_) => {
                self.waits = true;
                true
            }
            Err(_) => {
                self.current = Some(request);
                false
            }
        }
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        if self.waits {
            return self.monitor.deadline();
        }
        let next = self.steps.front().map(|(at, _)| *at).filter(|_| self.current.is_none());
        match (next, self.monitor.deadline()) {
            (Some(next), Some(monitor)) => Some(next.min(monitor)),
            (next, monitor) => next.or(monitor),
        }
    }
}
