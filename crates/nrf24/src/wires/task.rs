//! Task of a host, and the events that it can wait for.

use alloc::rc::Rc;
use core::cell::Cell;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Context, Poll};

use airtime_core::{Duration, Instant};

use super::tasks::{Doing, Slot};
use super::{Board, Wires};
use crate::trace::{Activity, Note, Upload};

/// The handle by which a task tells the time, waits, and says what it does. Clones are the same task.
#[derive(Clone, Debug)]
pub struct Task {
    pub(super) slot: Rc<Slot>,
}

/// Cause that ended a wait; of several at one instant, the first in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// IRQ is asserted.
    Irq,
    /// Another task has notified this one.
    Notified,
    /// The deadline has passed.
    Deadline,
}

impl Task {
    /// The time of the host that the task runs on.
    pub fn now(&self) -> Instant {
        self.slot.shared.now.get()
    }

    /// The board of its radio.
    ///
    /// # Panics
    /// When it serves none.
    pub fn board(&self) -> &Board {
        &self.slot.radio.as_ref().expect("a task with wires serves a radio").1
    }

    /// The wires of its radio, for a driver.
    ///
    /// # Panics
    /// When it serves none.
    pub fn wires(&self) -> Wires {
        Wires::new(self)
    }

    /// A bell that wakes this task.
    pub fn notify(&self) -> Notify {
        Notify { bell: Rc::new(Bell { rung: Cell::new(None), slot: self.slot.clone() }) }
    }

    /// Says something to the observer.
    pub fn note(&self, note: Note) {
        if self.slot.shared.watched.get() {
            self.slot.shared.notes.borrow_mut().push(note);
        }
    }

    /// Notes the composition of the payload that was just written into the TX FIFO of its radio. To be called when the
    /// write has returned, before waiting for anything.
    pub fn uploaded(&self, upload: Upload) {
        if let Some((radio, _)) = self.slot.radio {
            self.note(Note::Upload { radio, upload });
        }
    }

    /// Adds to what the next wait has to pay for first: the cost of a synchronous call.
    pub fn owe(&self, cost: Duration) {
        self.slot.debt.set(self.slot.debt.get() + cost);
    }

    /// Uses the CPU for `cost`, exactly.
    pub async fn pause(&self, cost: Duration) {
        let until = self.now() + self.debt() + cost;
        self.spend(Activity::Cpu, until).await;
    }

    /// Sleeps for `span` as its program says, and for the slack of the host's timers.
    pub async fn sleep(&self, span: Duration) {
        self.sleep_as(Activity::Sleep, span).await;
    }

    /// Sleeps for `span` and the slack, which counts as `activity` but for the slack.
    pub async fn sleep_as(&self, activity: Activity, span: Duration) {
        self.settle().await;
        let until = self.now() + span;
        self.spend(activity, until).await;
        self.spend(Activity::Waking, until + self.slot.shared.cost.sleep_slack).await;
    }

    /// Waits for what comes first: IRQ (if `irq`), a notification, or a deadline (and the slack of the host's timers);
    /// the wait counts as `activity`. What is there already ends it at once; what comes while it waits ends it
    /// `Cost::wake` later.
    ///
    /// # Panics
    /// When it is to wait for IRQ and serves no radio, or for a notification of another task.
    pub async fn until_any(
        &self,
        activity: Activity,
        irq: bool,
        notify: Option<&Notify>,
        deadline: Option<Instant>,
    ) -> Woken {
        // Most waits owe nothing, and need no other future to find out.
        if self.owes() {
            self.settle().await;
        }
        let deadline = deadline.unwrap_or(Instant::FAR_FUTURE);
        if irq && self.board().irq() {
            return Woken::Irq;
        }
        if notify.is_some_and(Notify::take) {
            return Woken::Notified;
        }
        if deadline <= self.now() {
            return Woken::Deadline;
        }
        if let Some(notify) = notify {
            assert!(Rc::ptr_eq(&notify.bell.slot, &self.slot), "a task waits for its own bells");
        }
        let slot = &*self.slot;
        slot.edge.set(Instant::FAR_FUTURE);
        slot.does(Doing::Activity(activity));
        let late = slot.shared.cost.sleep_slack;
        poll_fn(move |_| {
            let now = slot.shared.now.get();
            if irq && slot.edge.get() <= now {
                return Poll::Ready(Woken::Irq);
            }
            let rung = notify.and_then(|notify| notify.bell.rung.get()).unwrap_or(Instant::FAR_FUTURE);
            if rung <= now {
                notify.map(Notify::take);
                return Poll::Ready(Woken::Notified);
            }
            let mut over = deadline;
            if deadline <= now {
                over = deadline + late;
                if over <= now {
                    return Poll::Ready(Woken::Deadline);
                }
                slot.does(Doing::Activity(Activity::Waking));
            }
            slot.awaits(if irq { Slot::ASSERTED } else { 0 } | if notify.is_some() { Slot::NOTIFIED } else { 0 });
            slot.wants(over.min(slot.edge.get()).min(rung));
            Poll::Pending
        })
        .await
    }

    /// Waits until IRQ changes to asserted, or to released, from now on.
    pub(super) async fn until_edge(&self, asserted: bool, released: bool) {
        self.settle().await;
        let slot = &*self.slot;
        slot.edge.set(Instant::FAR_FUTURE);
        slot.does(Doing::Activity(Activity::AwaitsChip));
        poll_fn(move |_| {
            if slot.edge.get() <= slot.shared.now.get() {
                return Poll::Ready(());
            }
            slot.awaits(if asserted { Slot::ASSERTED } else { 0 } | if released { Slot::RELEASED } else { 0 });
            slot.wants(slot.edge.get());
            Poll::Pending
        })
        .await;
    }

    /// Time that synchronous calls have cost since the last wait; whoever asks pays for it.
    pub(super) fn debt(&self) -> Duration {
        self.slot.debt.take()
    }

    /// True if synchronous calls have cost something since the last wait.
    fn owes(&self) -> bool {
        !self.slot.debt.get().is_zero()
    }

    /// Pays for synchronous calls.
    pub(super) async fn settle(&self) {
        let debt = self.debt();
        if !debt.is_zero() {
            self.spend(Activity::Cpu, self.now() + debt).await;
        }
    }

    /// Spends the time until `until` on `activity`; takes no time if that has passed.
    pub(crate) async fn spend(&self, activity: Activity, until: Instant) {
        if self.now() < until {
            self.slot.does(Doing::Activity(activity));
            self.until(until).await;
        }
    }

    /// A transaction in which CSN falls at `falls` and rises at `rises`.
    #[inline]
    pub(super) fn transact(&self, falls: Instant, rises: Instant) -> Until<'_> {
        self.slot.does(Doing::Transaction(falls));
        self.until(rises)
    }

    #[inline]
    fn until(&self, until: Instant) -> Until<'_> {
        Until { slot: &self.slot, until }
    }
}

/// Waits until its time has come.
#[derive(Debug)]
pub(super) struct Until<'t> {
    slot: &'t Slot,
    until: Instant,
}

impl Until<'_> {
    /// The time.
    #[inline]
    pub(super) fn now(&self) -> Instant {
        self.slot.shared.now.get()
    }
}

impl Future for Until<'_> {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.now() >= self.until {
            return Poll::Ready(());
        }
        self.slot.wants(self.until);
        Poll::Pending
    }
}

#[derive(Debug)]
struct Bell {
    /// Instant at which the ring reaches the task, if it was rung.
    rung: Cell<Option<Instant>>,
    slot: Rc<Slot>,
}

/// A bell between tasks: it wakes the task it was made by, and is remembered until that task next waits for it.
/// Ringing it twice is ringing it once. It costs whoever rings it nothing; the task that waits runs `Cost::wake` later,
/// as after an interrupt.
#[derive(Clone, Debug)]
pub struct Notify {
    bell: Rc<Bell>,
}

impl Notify {
    /// Rings it. From outside the tasks, after [`Tasks::advance`](super::Tasks::advance).
    pub fn ring(&self) {
        let Bell { rung, slot } = &*self.bell;
        if rung.get().is_some() {
            return;
        }
        let now = slot.shared.now.get();
        if slot.is_awaiting(Slot::NOTIFIED) {
            let reaches = now + slot.shared.cost.wake;
            rung.set(Some(reaches));
            slot.wakes(reaches);
        } else {
            rung.set(Some(now));
        }
    }

    /// Tells if it was rung; it is silent afterwards.
    fn take(&self) -> bool {
        self.bell.rung.take().is_some()
    }
}
