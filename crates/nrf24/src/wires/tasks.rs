//! The tasks of one host, on one virtual clock.

use alloc::boxed::Box;
use alloc::rc::Rc;
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

/// Most tasks of a host.
const TASKS_MAX: usize = 8;

/// What the tasks of a host share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) now: Cell<Instant>,
    pub(super) notes: RefCell<Notes>,
    pub(super) cost: Cost,
    /// When each task is to be polled; side by side, because every step of the host looks at all of them.
    due: [Cell<Instant>; TASKS_MAX],
    /// The earliest of them, or an earlier instant.
    next: Cell<Instant>,
    /// Handles of tasks made so far.
    made: Cell<usize>,
}

/// What a task does with its radio's time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Doing {
    Activity(Activity),
    /// CPU until CSN falls then, and octets from then on.
    Transaction(Instant),
}

/// What one task waits for. Leaf futures write it whenever they are polled and are not over.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) shared: Rc<Shared>,
    /// Its place in [`Shared::due`].
    index: usize,
    /// The radio that the task serves, if any: its number, and how to reach it.
    pub(super) radio: Option<(usize, Board)>,
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
    /// What it does now, if that is yet to be said: of several things at one instant, the last takes the time.
    doing: Cell<Option<Doing>>,
}

impl Slot {
    fn due(&self) -> &Cell<Instant> {
        &self.shared.due[self.index]
    }

    /// Polls the task at `at` or before.
    pub(super) fn wants(&self, at: Instant) {
        let due = self.due();
        if at < due.get() {
            due.set(at);
            self.shared.next.set(self.shared.next.get().min(at));
        }
    }

    /// The task does this from now on.
    pub(super) fn does(&self, doing: Doing) {
        self.doing.set(Some(doing));
    }

    /// The task, which is not running, is on its way.
    pub(super) fn wakes(&self, at: Instant) {
        self.wants(at);
        self.does(Doing::Activity(Activity::Waking));
        self.say();
    }

    /// Says what the task does, if it serves a radio.
    fn say(&self) {
        if let (Some(doing), Some((radio, _))) = (self.doing.take(), &self.radio) {
            let mut notes = self.shared.notes.borrow_mut();
            match doing {
                Doing::Activity(activity) => notes.activity(*radio, activity),
                Doing::Transaction(octets) => notes.transaction(*radio, octets),
            }
        }
    }

    fn irq(&self, asserted: bool) {
        let waits = if asserted { &self.waits_asserted } else { &self.waits_released };
        if waits.get() && self.edge.get() == Instant::FAR_FUTURE {
            let reaches = self.shared.now.get() + self.shared.cost.wake;
            self.edge.set(reaches);
            self.wakes(reaches);
        }
    }

    /// Before a poll: whatever it waits for it says again.
    fn forget(&self) {
        self.due().set(Instant::FAR_FUTURE);
        self.waits_asserted.set(false);
        self.waits_released.set(false);
        self.waits_notified.set(false);
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

/// A host's tasks: boxed futures that are polled when what they wait for has come, and at no other time; ties in the
/// order in which their handles were made.
///
/// A poll resets what its task waits for, and every leaf future of [`Task`] that is polled and not over says so
/// again; so leaves may be joined and selected, but only by what polls all of them each time.
#[derive(Debug)]
pub struct Tasks {
    shared: Rc<Shared>,
    tasks: [Option<Spawned>; TASKS_MAX],
}

impl Tasks {
    /// No tasks yet, on a host with these costs, at `now`.
    pub fn new(now: Instant, cost: Cost) -> Self {
        let shared = Shared {
            now: Cell::new(now),
            notes: RefCell::default(),
            cost,
            due: [const { Cell::new(Instant::FAR_FUTURE) }; TASKS_MAX],
            next: Cell::new(Instant::FAR_FUTURE),
            made: Cell::new(0),
        };
        Self { shared: Rc::new(shared), tasks: [const { None }; TASKS_MAX] }
    }

    /// The handle of a task to be [spawned](Self::spawn); with a radio's number (0 or 1) and board if it serves one.
    ///
    /// # Panics
    /// At the ninth: a host has eight tasks at most.
    pub fn task(&self, radio: Option<(usize, Board)>) -> Task {
        let index = self.shared.made.get();
        assert!(index < TASKS_MAX, "a host has {TASKS_MAX} tasks at most");
        self.shared.made.set(index + 1);
        let slot = Slot {
            shared: self.shared.clone(),
            index,
            radio,
            waits_asserted: Cell::new(false),
            waits_released: Cell::new(false),
            edge: Cell::new(Instant::FAR_FUTURE),
            waits_notified: Cell::new(false),
            debt: Cell::new(Duration::ZERO),
            doing: Cell::new(None),
        };
        Task { slot: Rc::new(slot) }
    }

    /// Sets `future` going as `task`, whose leaves it may wait for, and those of no other task. It is first polled by
    /// the next [`run`](Self::run), which is due at once.
    ///
    /// # Panics
    /// When `task` was spawned before.
    pub fn spawn(&mut self, task: &Task, future: impl Future<Output = ()> + 'static) {
        let slot = &task.slot;
        assert!(self.tasks[slot.index].is_none(), "a task is spawned once");
        slot.wants(self.shared.now.get());
        self.tasks[slot.index] = Some(Spawned { slot: slot.clone(), future: Some(Box::pin(future)) });
    }

    /// Time has come to `now`; nothing runs. To be called before something from outside notifies a task.
    pub fn advance(&mut self, now: Instant) {
        self.shared.now.set(now);
    }

    /// The IRQ line of `radio` has changed; `asserted` is low on the line. Nothing runs.
    pub fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.advance(now);
        for task in self.tasks.iter().flatten() {
            if task.slot.radio.as_ref().is_some_and(|(number, _)| *number == radio) {
                task.slot.irq(asserted);
            }
        }
    }

    /// Runs what is due at `now` until all of it waits; ties in the order in which the handles were made.
    ///
    /// # Panics
    /// When tasks keep each other awake without letting time pass.
    pub fn run(&mut self, now: Instant) {
        self.advance(now);
        let mut context = Context::from_waker(Waker::noop());
        let mut polls = 0;
        while let Some(index) = self.shared.due.iter().position(|due| due.get() <= now) {
            let Some(task) = &mut self.tasks[index] else { unreachable!("only spawned tasks wait") };
            let slot = &task.slot;
            slot.forget();
            if let Some(future) = &mut task.future
                && let Poll::Ready(()) = future.as_mut().poll(&mut context)
            {
                slot.forget();
                task.future = None;
            }
            slot.say();
            polls += 1;
            assert!(polls < POLLS_MAX, "the tasks of a host keep each other awake at {now}");
        }
        let due = &self.shared.due;
        self.shared.next.set(due.iter().fold(Instant::FAR_FUTURE, |next, due| next.min(due.get())));
    }

    /// When [`run`](Self::run) next has something to do.
    pub fn deadline(&self) -> Option<Instant> {
        let next = self.shared.next.get();
        (next != Instant::FAR_FUTURE).then(|| next.max(self.shared.now.get()))
    }

    /// The oldest note of a task that was not yet taken.
    pub fn note(&mut self) -> Option<Note> {
        self.shared.notes.borrow_mut().pop()
    }
}
