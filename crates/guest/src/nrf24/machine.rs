//! Machine that a blocking program runs on: its time, and its radios.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use airtime_core::{Duration, Instant};
use airtime_nrf24::trace::{Activity, Note, Upload};
use airtime_nrf24::wires::{Board, Notes};
use corosensei::Yielder;

use super::Wires;

/// Shortest time that a call of a pin takes, so that a loop over a pin lets time pass. *Assumed*: some instructions and one
/// access to a peripheral of a microcontroller.
const PIN_MIN: Duration = Duration::from_nanos(100);

/// Wait of a suspended program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    /// Instant at which it is to be resumed at the latest.
    pub(super) until: Instant,
    /// The radio whose IRQ resumes it before that.
    pub(super) irq: Option<usize>,
}

/// Notes of a program for the observer.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) notes: RefCell<Notes>,
    /// Set if it says what each radio's program does.
    pub(super) activity: Cell<bool>,
}

impl Said {
    fn does(&self, radio: usize, activity: Activity) {
        if self.activity.get() {
            self.notes.borrow_mut().activity(radio, activity);
        }
    }
}

/// The machine that one program runs on.
pub struct Machine<'y> {
    yielder: &'y Yielder<Instant, Wait>,
    boards: Vec<Board>,
    now: Cell<Instant>,
    /// Time of calls that had nothing to wait for when they returned; the next one waits for it.
    debt: Cell<Duration>,
    said: Rc<Said>,
}

impl<'y> Machine<'y> {
    pub(super) fn new(yielder: &'y Yielder<Instant, Wait>, boards: Vec<Board>, now: Instant, said: Rc<Said>) -> Self {
        Self { yielder, boards, now: Cell::new(now), debt: Cell::default(), said }
    }

    /// The time.
    pub fn now(&self) -> Instant {
        self.now.get() + self.debt.get()
    }

    /// The faces of its radio `radio`, 0 or 1.
    ///
    /// # Panics
    /// When there is none of that number.
    pub fn wires(&self, radio: usize) -> Wires<'_> {
        assert!(radio < self.boards.len(), "the machine has {} radios", self.boards.len());
        Wires::new(self, radio)
    }

    /// Notes the composition of the payload that was just written into the TX FIFO of `radio`.
    pub fn uploaded(&self, radio: usize, upload: Upload) {
        self.note(Note::Upload { radio, upload });
    }

    /// Says something to the observer.
    pub fn note(&self, note: Note) {
        self.said.notes.borrow_mut().push(note);
    }

    pub(super) fn board(&self, radio: usize) -> &Board {
        &self.boards[radio]
    }

    /// Is busy with `radio` for `span`, and for what is owed; no time at all if that is zero.
    fn spend(&self, radio: usize, activity: Activity, span: Duration) {
        let span = span + self.debt.take();
        if !span.is_zero() {
            self.said.does(radio, activity);
            self.suspend(Wait { until: self.now.get() + span, irq: None });
        }
    }

    /// Pays what is owed: to be called before the chip is touched or looked at.
    fn settle(&self, radio: usize) {
        self.spend(radio, Activity::Cpu, Duration::ZERO);
    }

    /// One call of a pin has taken this.
    fn owe(&self, cost: Duration) {
        self.debt.set(self.debt.get() + cost.max(PIN_MIN));
    }

    /// One transaction of `len` octets over SPI, of which `octets` reach the chip; what is read replaces what was written. The
    /// chip is told beforehand when CSN will fall: one step of the event loop less.
    pub(super) fn transact(&self, radio: usize, octets: &mut [u8], len: usize, pauses: Duration) {
        let board = self.board(radio);
        let falls = self.now.get() + self.debt.take() + board.lead();
        board.begin_ahead(falls, octets);
        if self.said.activity.get() {
            self.said.notes.borrow_mut().transaction(radio, falls);
        }
        self.suspend(Wait { until: falls + board.cost.clocked(len) + pauses, irq: None });
        board.end_in_place(self.now.get(), octets);
    }

    /// One transaction where CSN is a pin, from the call to just before CSN rises.
    pub(super) fn select(&self, radio: usize, mosi: &[u8], miso: &mut [u8], pauses: Duration) {
        let board = self.board(radio);
        self.spend(radio, Activity::Cpu, board.lead());
        let octets = board.begin(self.now.get(), mosi, miso);
        self.spend(radio, Activity::Spi, octets + pauses);
    }

    /// CSN rises.
    pub(super) fn deselect(&self, radio: usize, mosi: &[u8]) {
        self.board(radio).end(self.now.get(), mosi);
    }

    /// CSN is a pin, and was set.
    pub(super) fn set_csn(&self, radio: usize) {
        self.owe(self.board(radio).cost.pin);
    }

    /// Sets CE.
    pub(super) fn set_ce(&self, radio: usize, high: bool) {
        self.settle(radio);
        self.owe(self.board(radio).set_ce(self.now.get(), high));
    }

    /// Looks at IRQ, and takes as long as that takes.
    pub(super) fn irq(&self, radio: usize) -> bool {
        self.owe(self.board(radio).cost.pin);
        self.settle(radio);
        self.board(radio).irq()
    }

    /// Sleeps for `span`, and for the slack of the host's timers; at least a nanosecond.
    pub(super) fn sleep(&self, radio: usize, span: Duration) {
        self.settle(radio);
        let slack = self.board(radio).cost.sleep_slack;
        self.spend(radio, Activity::Sleep, (span + slack).max(Duration::from_nanos(1)));
    }

    /// Waits until IRQ of `radio` is asserted or `until` has come; says whether it is asserted.
    pub(super) fn until_irq(&self, radio: usize, until: Instant) -> bool {
        self.settle(radio);
        if self.board(radio).irq() {
            self.owe(self.board(radio).cost.pin);
        } else if until > self.now.get() {
            self.said.does(radio, Activity::AwaitsChip);
            self.suspend(Wait { until, irq: Some(radio) });
        }
        self.board(radio).irq()
    }

    fn suspend(&self, wait: Wait) {
        self.now.set(self.yielder.suspend(wait));
    }
}

impl std::fmt::Debug for Machine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("now", &self.now).field("boards", &self.boards.len()).finish_non_exhaustive()
    }
}
