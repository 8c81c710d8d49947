//! Two hosts with a radio each, and what was seen of them.

use std::collections::BTreeMap;

use airtime_core::loss::Loss;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_guest::nrf24::{Machine, Program};
use airtime_nrf24::air::Rate;
use airtime_nrf24::chip::Options;
use airtime_nrf24::host::{Cost, Host, HostOutput};
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::{Network, Observer};
use airtime_nrf24::trace::{Lint, Reception, Trace};
use airtime_nrf24::wires::{Board, Task, Tasks};

/// What the chips said.
#[derive(Debug, Default)]
pub struct Seen {
    /// When each new payload ended at the receiver.
    pub arrivals: Vec<Instant>,
    /// Lints of the sender's chip and of the receiver's, and how often.
    pub lints: [BTreeMap<Lint, u32>; 2],
    /// Payloads that left the sender's FIFO unsent.
    pub flushed: u32,
    /// Payloads whose retransmissions were used up.
    pub max_rt: u32,
    /// What the sender's chip was tuned to in the end.
    pub tuned: Option<(u8, Rate)>,
}

impl Observer for Seen {
    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        match trace {
            Trace::Received { reception: Reception::New, .. } if chip == 1 => self.arrivals.push(now),
            Trace::Lint(lint) => *self.lints[chip].entry(*lint).or_default() += 1,
            Trace::Flushed { first, last } if chip == 0 => self.flushed += last - first + 1,
            Trace::MaxRt { .. } => self.max_rt += 1,
            _ => {}
        }
    }
}

/// A program of either kind.
pub enum Guest {
    /// A coroutine.
    Blocking(Program),
    /// A future.
    Tasks(Tasks),
}

impl Guest {
    /// A blocking program on this board.
    pub fn blocking(board: &Board, program: impl FnOnce(&Machine<'_>) + 'static) -> Self {
        Self::Blocking(Program::new(vec![board.clone()], Instant::ZERO, program))
    }

    /// An asynchronous one.
    pub fn tasks<F: Future<Output = ()> + 'static>(board: &Board, program: impl FnOnce(Task) -> F) -> Self {
        let mut tasks = Tasks::new(Instant::ZERO, board.cost);
        let task = tasks.task(Some((0, board.clone())));
        tasks.spawn(&task, program(task.clone()));
        Self::Tasks(tasks)
    }
}

impl Host for Guest {
    fn wake(&mut self, now: Instant) {
        match self {
            Self::Blocking(program) => program.wake(now),
            Self::Tasks(tasks) => tasks.run(now),
        }
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        match self {
            Self::Blocking(program) => program.irq(now, radio, asserted),
            Self::Tasks(tasks) => tasks.irq(now, radio, asserted),
        }
    }

    fn packet(&mut self, _: Instant, _: &[u8]) {}

    fn poll(&mut self, now: Instant) -> Option<HostOutput> {
        match self {
            Self::Blocking(program) => program.poll(now),
            Self::Tasks(tasks) => tasks.note().map(HostOutput::Note),
        }
    }

    fn is_quiet(&self) -> bool {
        match self {
            Self::Blocking(program) => program.is_quiet(),
            Self::Tasks(tasks) => tasks.is_quiet(),
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match self {
            Self::Blocking(program) => program.deadline(),
            Self::Tasks(tasks) => tasks.deadline(),
        }
    }
}

/// Two boards with new chips, the sender's first.
pub fn boards(cost: Cost) -> [Board; 2] {
    [Board::new(Options::default(), cost), Board::new(Options::default(), cost)]
}

/// Runs the two programs for `span` over a perfect air.
pub fn run(boards: &[Board; 2], sender: Guest, receiver: Guest, span: Duration) -> Seen {
    let chips = boards.iter().map(|board| board.chip.clone()).collect();
    let medium = Medium::new(2, Loss::None, 1);
    let mut network = Network::new(medium, chips, vec![sender, receiver], vec![(), ()], Seen::default());
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    while events.step(&mut network, Instant::ZERO + span) {}
    network.observer.tuned = Some(boards[0].chip.borrow().tuned());
    network.observer
}
