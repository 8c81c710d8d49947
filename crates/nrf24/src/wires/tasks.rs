//! The tasks of one host, on one virtual clock.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use airtime_core::{Duration, Instant};

use super::{Board, Notes, Task};
use crate::host::Cost;
use crate::trace::{Activity, Note};

/// Most polls of a host's tasks at one instant. Two tasks that notify each other without end would hang the loop.
const POLLS_MAX: u32 = 10_000;

/// What the tasks of a host share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) now: Cell<Instant>,
    pub(super) notes: RefCell<Notes>,
    pub(super) cost: Cost,
}

/// What one task waits for. Leaf futures write it whenever they are polled and are not over.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) shared: Rc<Shared>,
    /// The radio that the task serves, if any: its number, and how to reach it.
    pub(super) radio: Option<(usize, Board)>,
    /// When the task is to be polled.
    pub(super) due: Cell<Instant>,
    /// Whether it waits for IRQ to be asserted.
    pub(super) waits_asserted: Cell<bool>,
    /// Whether it waits for IRQ to be released.
    pub(super) waits_released: Cell<bool>,
    /// When the edge it waits for reaches it, once there was one.
    pub(super) edge: Cell<Instant>,
    /// Whether it waits to be notified.
    pub(super) waits_notified: Cell<bool>,
    /// What synchronous calls have cost since it last waited.
    pub(super) debt: Cell<Duration>,
}

impl Slot {
    /// Polls the task at `at` or before.
    pub(super) fn wants(&self, at: Instant) {
        self.due.set(self.due.get().min(at));
    }

    /// Says what the task does, if it serves a radio.
    pub(super) fn does(&self, activity: Activity) {
        if let Some((radio, _)) = &self.radio {
            self.shared.notes.borrow_mut().activity(*radio, activity);
        }
    }

    fn irq(&self, asserted: bool) {
        let waits = if asserted { &self.waits_asserted } else { &self.waits_released };
        if waits.get() && self.edge.get() == Instant::FAR_FUTURE {
            let reaches = self.shared.now.get() + self.shared.cost.wake;
            self.edge.set(reaches);
            self.wants(reaches);
            self.does(Activity::Waking);
        }
    }
}

type Running = Pin<Box<dyn Future<Output = ()>>>;

struct Spawned {
    slot: Rc<Slot>,
    future: Option<Running>,
}

impl fmt::Debug for Spawned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawned").field("slot", &self.slot).finish_non_exhaustive()
    }
}

/// A host's tasks: boxed futures that are polled when what they wait for has come, and at no other time.
///
/// A poll resets what its task waits for, and every leaf future of [`Task`] that is polled and not over says so
/// again; so leaves may be joined and selected, but only by what polls all of them each time.
#[derive(Debug)]
pub struct Tasks {
    shared: Rc<Shared>,
    tasks: Vec<Spawned>,
}

impl Tasks {
    /// No tasks yet, on a host with these costs, at `now`.
    pub fn new(now: Instant, cost: Cost) -> Self {
        let shared = Shared { now: Cell::new(now), notes: RefCell::default(), cost };
        Self { shared: Rc::new(shared), tasks: Vec::new() }
    }

    /// The handle of a task to be [spawned](Self::spawn); with a radio's number (0 or 1) and board if it serves one.
    pub fn task(&self, radio: Option<(usize, Board)>) -> Task {
        let slot = Slot {
            shared: self.shared.clone(),
            radio,
            due: Cell::new(Instant::FAR_FUTURE),
            waits_asserted: Cell::new(false),
            waits_released: Cell::new(false),
            edge: Cell::new(Instant::FAR_FUTURE),
            waits_notified: Cell::new(false),
            debt: Cell::new(Duration::ZERO),
        };
        Task { slot: Rc::new(slot) }
    }

    /// Sets `future` going as `task`, whose leaves it may wait for, and those of no other task. It is first polled by
    /// the next [`run`](Self::run), which is due at once.
    pub fn spawn(&mut self, task: &Task, future: impl Future<Output = ()> + 'static) {
        task.slot.due.set(self.shared.now.get());
        self.tasks.push(Spawned { slot: task.slot.clone(), future: Some(Box::pin(future)) });
    }

    /// Time has come to `now`; nothing runs. To be called before something from outside notifies a task.
    pub fn advance(&mut self, now: Instant) {
        self.shared.now.set(now);
    }

    /// The IRQ line of `radio` has changed; `asserted` is low on the line. Nothing runs.
    pub fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.advance(now);
        for task in &self.tasks {
            if task.slot.radio.as_ref().is_some_and(|(number, _)| *number == radio) {
                task.slot.irq(asserted);
            }
        }
    }

    /// Runs what is due at `now` until all of it waits; ties in the order of spawning.
    ///
    /// # Panics
    /// When tasks keep each other awake without letting time pass.
    pub fn run(&mut self, now: Instant) {
        self.advance(now);
        let mut context = Context::from_waker(Waker::noop());
        let mut polls = 0;
        while let Some(task) = self.tasks.iter_mut().find(|task| task.slot.due.get() <= now) {
            let slot = &task.slot;
            slot.due.set(Instant::FAR_FUTURE);
            slot.waits_asserted.set(false);
            slot.waits_released.set(false);
            slot.waits_notified.set(false);
            if let Some(future) = &mut task.future
                && let Poll::Ready(()) = future.as_mut().poll(&mut context)
            {
                slot.due.set(Instant::FAR_FUTURE);
                task.future = None;
            }
            polls += 1;
            assert!(polls < POLLS_MAX, "the tasks of a host keep each other awake at {now}");
        }
    }

    /// When [`run`](Self::run) next has something to do.
    pub fn deadline(&self) -> Option<Instant> {
        let due = self.tasks.iter().map(|task| task.slot.due.get()).min()?;
        (due != Instant::FAR_FUTURE).then(|| due.max(self.shared.now.get()))
    }

    /// The oldest note of a task that was not yet taken.
    pub fn note(&mut self) -> Option<Note> {
        self.shared.notes.borrow_mut().pop()
    }
}
