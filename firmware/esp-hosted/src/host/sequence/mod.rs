//! The sequence of the published report: join a network, datagrams, a stream, everything that is heard, channel, filter, injection.
//! Behind it comes the staged update.
//!
//! It is a machine without IO, as the driver below it is: it is told the time and what the host's side says, makes calls, and has a
//! stack on the station's frames. Each part has its time; what does not work is said, and the next part begins.

mod flow;
mod join;
mod listen;
mod plan;
mod stack;

pub use plan::{Plan, Words, Wrong};

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::host::{Host, HostOutput};
use log::{info, warn};

use flow::{Datagrams, Stream};
use join::{Joined, Joining};
use listen::Listening;
use stack::Stack;

/// Time in which a network gives an address. *Assumed*: DHCP's first two repetitions come within 12 s.
const ADDRESS: Duration = Duration::from_secs(20);

/// Part that is under way.
enum Part {
    Fresh,
    Joining(Joining),
    Addressing { until: Instant },
    Datagrams(Datagrams),
    Stream(Stream),
    Listening(Listening),
    Over,
}

/// The sequence.
pub struct Sequence<'p> {
    plan: Plan<'p>,
    pool: Pool,
    part: Part,
    joined: Option<Joined>,
    stack: Option<Stack>,
    /// Its end is still to be told.
    ends: bool,
}

impl<'p> Sequence<'p> {
    /// The sequence of a plan, which waits for [`begin`](Self::begin).
    pub fn new(plan: Plan<'p>, pool: Pool) -> Self {
        Self { plan, pool, part: Part::Fresh, joined: None, stack: None, ends: false }
    }

    /// The longest that it takes.
    pub fn limit(&self) -> Duration {
        join::LIMIT + ADDRESS + flow::limit(self.plan.span) + listen::LIMIT
    }

    /// The transport is up: begins. False when it has begun before: a link that is lost on the way is not worth a second time, for an
    /// update may mend it.
    pub fn begin(&mut self, now: Instant) -> bool {
        if !matches!(self.part, Part::Fresh) {
            return false;
        }
        info!("airtime host of plan report, network {}", self.plan.ssid);
        self.part = Part::Joining(Joining::new(now, &self.plan));
        true
    }

    /// The host's side says something.
    pub fn said(&mut self, now: Instant, output: &HostOutput) {
        if let HostOutput::Failed(_) = output
            && !matches!(self.part, Part::Fresh | Part::Over)
        {
            warn!("the sequence is cut off");
            return self.over();
        }
        match (output, &mut self.stack) {
            (HostOutput::Frame(frame), Some(stack)) => stack.received(frame),
            (HostOutput::Room, Some(stack)) => stack.room(now),
            _ => {}
        }
        match &mut self.part {
            Part::Joining(joining) => joining.said(now, output),
            Part::Listening(listening) => listening.said(now, output),
            _ => {}
        }
    }

    /// Does what there is to do; tells if there was anything.
    pub fn act(&mut self, now: Instant, host: &mut Host) -> bool {
        let moved = self.stack.as_mut().is_some_and(|stack| stack.run(now, host));
        let ran = match (&mut self.part, &mut self.stack) {
            (Part::Joining(joining), _) => joining.run(now, host),
            (Part::Datagrams(datagrams), Some(stack)) => datagrams.run(now, stack),
            (Part::Stream(stream), Some(stack)) => stream.run(now, stack),
            (Part::Listening(listening), _) => listening.run(now, host),
            _ => false,
        };
        moved | ran | self.advance(now)
    }

    /// Goes on to the next part if the one under way is over.
    fn advance(&mut self, now: Instant) -> bool {
        let over = match (&self.part, &mut self.stack) {
            (Part::Joining(joining), _) => joining.is_over(now),
            (Part::Addressing { until }, Some(stack)) => stack.address().is_some() || *until <= now,
            (Part::Datagrams(datagrams), Some(stack)) => datagrams.is_over(now, stack),
            (Part::Stream(stream), Some(stack)) => stream.is_over(now, stack),
            (Part::Listening(listening), _) => listening.is_over(now),
            _ => false,
        };
        if !over {
            return false;
        }
        match (core::mem::replace(&mut self.part, Part::Over), self.stack.as_mut()) {
            (Part::Joining(joining), _) => self.joined(now, joining),
            (Part::Addressing { .. }, _) => self.addressed(now),
            (Part::Datagrams(datagrams), Some(stack)) => {
                datagrams.finish(stack);
                self.stream(now);
            }
            (Part::Stream(stream), Some(stack)) => {
                stream.finish(stack);
                self.listen(now);
            }
            _ => {
                info!("the sequence is over");
                self.over();
            }
        }
        true
    }

    fn joined(&mut self, now: Instant, joining: Joining) {
        self.joined = joining.outcome();
        let Some(joined) = self.joined else {
            warn!("no network: datagrams and stream are left out");
            return self.listen(now);
        };
        info!("joined {}, channel {}", self.plan.ssid, joined.channel);
        self.stack = Some(Stack::new(now, joined.mac, self.plan.address, self.pool.clone()));
        self.part = Part::Addressing { until: now + ADDRESS };
    }

    fn addressed(&mut self, now: Instant) {
        let Some(stack) = self.stack.as_mut() else { return self.listen(now) };
        match (stack.address(), self.plan.server) {
            (None, _) => warn!("no address: DHCP has not answered in {} s", ADDRESS.as_micros() / 1_000_000),
            (Some(address), None) => info!("address {address}; no server is given"),
            (Some(address), Some(server)) => {
                info!("address {address}");
                let datagrams = Datagrams::new(now, stack, server, self.plan.rate, self.plan.span);
                self.part = Part::Datagrams(datagrams);
                return;
            }
        }
        self.listen(now);
    }

    fn stream(&mut self, now: Instant) {
        let (Some(stack), Some(server)) = (self.stack.as_mut(), self.plan.server) else { return self.listen(now) };
        self.part = Part::Stream(Stream::new(now, stack, server, self.plan.span));
    }

    /// The last part needs no network.
    fn listen(&mut self, now: Instant) {
        self.stack = None;
        let Joined { channel, mac } = self.joined.unwrap_or_default();
        self.part = Part::Listening(Listening::new(now, channel, mac, &self.pool));
    }

    fn over(&mut self) {
        (self.part, self.stack, self.ends) = (Part::Over, None, true);
    }

    /// Tells its end, once: whether the network was joined.
    pub fn ended(&mut self) -> Option<bool> {
        core::mem::take(&mut self.ends).then_some(self.joined.is_some())
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&mut self, now: Instant) -> Option<Instant> {
        let part = match &self.part {
            Part::Fresh | Part::Over => None,
            Part::Joining(joining) => Some(joining.until()),
            Part::Addressing { until } => Some(*until),
            Part::Datagrams(datagrams) => datagrams.deadline(now),
            Part::Stream(stream) => stream.deadline(now),
            Part::Listening(listening) => listening.deadline(now),
        };
        let stack = self.stack.as_mut().and_then(|stack| stack.deadline(now));
        [part, stack].into_iter().flatten().min()
    }
}
