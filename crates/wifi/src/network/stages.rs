//! Look at the stages and at how full queues are, told when it changes.

use airtime_core::Instant;

use super::{AP, Control, End, InterfaceUser, Network, Observer, STATION};
use crate::hosted::coprocessor::CoprocessorState;
use crate::hosted::host::HostState;
use crate::trace::{Activity, Feed, Queue, Stage};

impl<A: InterfaceUser, F: InterfaceUser, O: Observer, C: Control> Network<A, F, O, C> {
    /// Tells what has changed since the last step.
    pub(super) fn look(&mut self, now: Instant) {
        let (feed, far) = (self.above.feed(), self.far.feed());
        self.gauge(now, Stage::Stack, Activity::Waits(feed));
        self.gauge(now, Stage::FarStack, Activity::Waits(far));
        self.look_at_chain(now, feed);
        let holding = self.cell.holding();
        let busy = |holds: bool| if holds { Activity::Working } else { Activity::Starved };
        let held = |by, has| if holding == Some(by) { Activity::Holding } else { busy(has) };
        let (station, ap) = (self.cell.queued(STATION), self.cell.queued(AP));
        let (up, down, waits) = (self.ap.up.waiting(now), self.ap.down.waiting(now), self.ap.queued());
        self.gauge(now, Stage::Mac, held(STATION, station > 0));
        self.gauge(now, Stage::AccessPoint, held(AP, ap + waits > 0));
        self.gauge(now, Stage::Path, busy(self.ap.down.is_narrow(now)));
        let depths =
            [(Queue::WifiTx, station), (Queue::AccessPoint, ap + waits), (Queue::PathUp, up), (Queue::PathDown, down)];
        for (queue, depth) in depths {
            self.gauges.depth(now, queue, depth, &mut self.observer);
        }
        self.gauges.window(now, End::Host, self.above.cwnd(), &mut self.observer);
        self.gauges.window(now, End::Far, self.far.cwnd(), &mut self.observer);
    }

    fn look_at_chain(&mut self, now: Instant, feed: Feed) {
        let Some(chain) = &self.chain else { return };
        let queued = chain.host.queued() + usize::from(self.blocked.is_some());
        let (from_host, to_host) = (chain.coprocessor.queued(), usize::from(chain.coprocessor.depth().transmit));
        let wants = matches!(feed, Feed::Ready | Feed::Refused);
        let (bus, queue) = match chain.host.state() {
            HostState::Writing => (Activity::Working, Activity::Working),
            HostState::Credits => (Activity::Credits, Activity::Working),
            HostState::Reading => (Activity::Reading, Activity::Starved),
            _ => (Activity::Starved, Activity::Starved),
        };
        let bus = if chain.is_full() { Activity::Full } else { bus };
        let queue = match queue {
            Activity::Starved if queued > 0 => Activity::Working,
            Activity::Starved if chain.host.throttled() && wants => Activity::Throttled,
            queue => queue,
        };
        let coprocessor = match chain.coprocessor.state() {
            CoprocessorState::Retrying => Activity::Retrying,
            _ if chain.cpu.sends() || from_host > 0 => Activity::Working,
            _ => Activity::Starved,
        };
        let wifi_rx = chain.cpu.receiving();
        self.gauge(now, Stage::Bus, bus);
        self.gauge(now, Stage::HostQueue, queue);
        self.gauge(now, Stage::Coprocessor, coprocessor);
        let depths = [
            (Queue::HostTx, queued),
            (Queue::CoprocessorRx, from_host),
            (Queue::CoprocessorTx, to_host),
            (Queue::WifiRx, wifi_rx),
        ];
        for (queue, depth) in depths {
            self.gauges.depth(now, queue, depth, &mut self.observer);
        }
    }

    fn gauge(&mut self, now: Instant, stage: Stage, activity: Activity) {
        self.gauges.stage(now, stage, activity, &mut self.observer);
    }
}
