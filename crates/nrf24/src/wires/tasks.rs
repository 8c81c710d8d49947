//! The tasks of one host, on one virtual clock.

use alloc::boxed::Box;
use alloc::rc::Rc;
use core::cell::{Cell, RefCell};
use core::fmt;
use core::future::Future;
use core::hint::select_unpredictable;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use airtime_core::{Duration, Instant};

use super::{Board, Notes, Task};
use crate::host::Cost;
use crate::trace::{Activity, Note};

/// Most polls of a host's tasks at one instant. Two tasks that notify each other without end would hang the loop.
const POLLS_MAX: u32 = 10_000;

/// Most tasks of a host: as many as the published tunnel has. Every step of a host looks at all of them.
const TASKS_MAX: usize = 5;

/// Radios of a host.
const RADIOS: usize = 2;

/// State that the tasks of a host share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) now: Cell<Instant>,
    pub(super) notes: RefCell<Notes>,
    pub(super) cost: Cost,
    /// Instants at which the tasks are to be polled; side by side, because every step of the host looks at all of them.
    due: [Cell<Instant>; TASKS_MAX],
    /// The earliest of them.
    next: Cell<Instant>,
    /// Index of that task; of several, the one whose handle was made first.
    first: Cell<usize>,
    /// Handles of tasks made so far.
    made: Cell<usize>,
    /// Set if somebody looks at the notes.
    pub(super) watched: Cell<bool>,
}

impl Shared {
    /// Looks for the earliest.
    #[inline]
    fn find_first(&self) {
        // Two selections and no branch: which task is next is what no predictor knows.
        let (mut next, mut first) = (Instant::FAR_FUTURE, 0);
        for (index, due) in self.due.iter().enumerate() {
            let sooner = due.get() < next;
            next = select_unpredictable(sooner, due.get(), next);
            first = select_unpredictable(sooner, index, first);
        }
        self.next.set(next);
        self.first.set(first);
    }
}

/// Use of a radio's time by its task.
#[derive(Clone, Copy, Debug)]
pub(super) enum Doing {
    Activity(Activity),
    /// CPU until CSN falls then, and octets from then on.
    Transaction(Instant),
}

/// Slot of one task: all that it waits for. Leaf futures write it whenever they are polled and are not over.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) shared: Rc<Shared>,
    /// Its place in [`Shared::due`].
    index: usize,
    /// The radio that the task serves, if any: its number, and how to reach it.
    pub(super) radio: Option<(usize, Board)>,
    /// Causes that can end its wait besides time, as bits.
    awaits: Cell<u8>,
    /// Instant at which the edge that it waits for reaches it, once there was one.
    pub(super) edge: Cell<Instant>,
    /// Time that synchronous calls have cost since it last waited.
    pub(super) debt: Cell<Duration>,
    /// Activity it has now, if that is yet to be said: of several things at one instant, the last takes the time.
    doing: Cell<Option<Doing>>,
}

impl Slot {
    /// It waits for IRQ to be asserted.
    pub(super) const ASSERTED: u8 = 1;
    /// It waits for IRQ to be released.
    pub(super) const RELEASED: u8 = 2;
    /// It waits to be notified.
    pub(super) const NOTIFIED: u8 = 4;

    /// It waits for these as well.
    #[inline]
    pub(super) fn awaits(&self, what: u8) {
        self.awaits.set(self.awaits.get() | what);
    }

    /// Tells if it waits for this.
    #[inline]
    pub(super) fn is_awaiting(&self, what: u8) -> bool {
        self.awaits.get() & what != 0
    }

    fn due(&self) -> &Cell<Instant> {
        &self.shared.due[self.index]
    }

    /// Polls the task at `at` or before. For its own leaves: behind its poll the earliest of all tasks is looked for anyway.
    #[inline]
    pub(super) fn wants(&self, at: Instant) {
        let due = self.due();
        due.set(due.get().min(at));
    }

    /// Polls the task, which is not running, at `at` or before.
    fn is_wanted(&self, at: Instant) {
        self.wants(at);
        let (next, first) = (&self.shared.next, &self.shared.first);
        if at < next.get() || at == next.get() && self.index < first.get() {
            next.set(at);
            first.set(self.index);
        }
    }

    /// The task does this from now on.
    #[inline]
    pub(super) fn does(&self, doing: Doing) {
        if self.shared.watched.get() {
            self.doing.set(Some(doing));
        }
    }

    /// The task, which is not running, is on its way.
    pub(super) fn wakes(&self, at: Instant) {
        self.is_wanted(at);
        self.does(Doing::Activity(Activity::Waking));
        self.say();
    }

    /// Says what the task does, if it serves a radio.
    #[inline]
    fn say(&self) {
        if self.shared.watched.get() {
            self.say_so();
        }
    }

    fn say_so(&self) {
        if let (Some(doing), Some((radio, _))) = (self.doing.take(), &self.radio) {
            let mut notes = self.shared.notes.borrow_mut();
            match doing {
                Doing::Activity(activity) => notes.activity(*radio, activity),
                Doing::Transaction(octets) => notes.transaction(*radio, octets),
            }
        }
    }

    fn irq(&self, asserted: bool) {
        let edge = if asserted { Self::ASSERTED } else { Self::RELEASED };
        if self.is_awaiting(edge) && self.edge.get() == Instant::FAR_FUTURE {
            let reaches = self.shared.now.get() + self.shared.cost.wake;
            self.edge.set(reaches);
            self.wakes(reaches);
        }
    }
}

type Running = Pin<Box<dyn Future<Output = ()>>>;

struct Spawned {
    slot: Rc<Slot>,
    future: Running,
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
    /// Places of the tasks that serve each radio, a bit each.
    serving: [u8; RADIOS],
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
            first: Cell::new(0),
            made: Cell::new(0),
            watched: Cell::new(true),
        };
        Self { shared: Rc::new(shared), tasks: [const { None }; TASKS_MAX], serving: [0; RADIOS] }
    }

    /// The handle of a task to be [spawned](Self::spawn); with a radio's number (0 or 1) and board if it serves one.
    ///
    /// # Panics
    /// At the sixth: a host has five tasks at most.
    pub fn task(&self, radio: Option<(usize, Board)>) -> Task {
        let index = self.shared.made.get();
        assert!(index < TASKS_MAX, "a host has {TASKS_MAX} tasks at most");
        self.shared.made.set(index + 1);
        let slot = Slot {
            shared: self.shared.clone(),
            index,
            radio,
            awaits: Cell::new(0),
            edge: Cell::new(Instant::FAR_FUTURE),
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
        slot.is_wanted(self.shared.now.get());
        if let Some((radio, _)) = slot.radio {
            self.serving[radio] |= 1 << slot.index;
        }
        self.tasks[slot.index] = Some(Spawned { slot: slot.clone(), future: Box::pin(future) });
    }

    /// Time has come to `now`; nothing runs. To be called before something from outside notifies a task.
    pub fn advance(&mut self, now: Instant) {
        self.shared.now.set(now);
    }

    /// The IRQ line of `radio` has changed; `asserted` is low on the line. Nothing runs.
    pub fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.advance(now);
        let mut serving = self.serving[radio];
        while serving != 0 {
            if let Some(task) = &self.tasks[serving.trailing_zeros() as usize] {
                task.slot.irq(asserted);
            }
            serving &= serving - 1;
        }
    }

    /// Runs what is due at `now` until all of it waits; ties in the order in which the handles were made.
    ///
    /// # Panics
    /// When tasks keep each other awake without letting time pass.
    pub fn run(&mut self, now: Instant) {
        self.advance(now);
        let Self { shared, tasks, .. } = self;
        let mut context = Context::from_waker(Waker::noop());
        let mut polls = 0;
        while shared.next.get() <= now {
            let first = shared.first.get();
            let Some(task) = &mut tasks[first] else { unreachable!("only spawned tasks wait") };
            // Whatever it waits for it says again.
            shared.due[first].set(Instant::FAR_FUTURE);
            task.slot.awaits.set(0);
            if let Poll::Ready(()) = task.future.as_mut().poll(&mut context) {
                shared.due[first].set(Instant::FAR_FUTURE);
                task.slot.awaits.set(0);
                task.future = Box::pin(core::future::pending());
            }
            task.slot.say();
            shared.find_first();
            polls += 1;
            assert!(polls < POLLS_MAX, "the tasks of a host keep each other awake at {now}");
        }
    }

    /// Instant at which [`run`](Self::run) next has something to do.
    pub fn deadline(&self) -> Option<Instant> {
        let next = self.shared.next.get();
        (next != Instant::FAR_FUTURE).then(|| next.max(self.shared.now.get()))
    }

    /// Turns the notes of the tasks on or off: if nobody watches they make none. Until it is told, somebody watches.
    pub fn watched(&mut self, watched: bool) {
        self.shared.watched.set(watched);
    }

    /// True if no note waits.
    #[inline]
    pub fn is_quiet(&self) -> bool {
        self.shared.notes.borrow().is_empty()
    }

    /// The oldest note of a task that was not yet taken.
    #[inline]
    pub fn note(&mut self) -> Option<Note> {
        self.shared.notes.borrow_mut().pop()
    }
}
