//! Two hosts with a radio each, and what was seen of them.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::loss::Loss;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_nrf24::air::{Crc, Rate};
use airtime_nrf24::chip::Options;
use airtime_nrf24::driver::{Config, Radio};
use airtime_nrf24::host::{Cost, Host, HostOutput};
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::{Network, Observer};
use airtime_nrf24::trace::{Lint, Reception, Trace};
use airtime_nrf24::wires::{Board, Ce, Delay, Irq, Spi, Task, Tasks};

/// The driver on the lab's wires.
pub type Driver = Radio<Spi, Ce, Irq, Delay>;

/// A host that costs nothing but the octets at 10 MHz.
pub const FREE: Cost = Cost {
    spi_hz: 10_000_000,
    transaction: Duration::ZERO,
    pin: Duration::ZERO,
    wake: Duration::ZERO,
    sleep_slack: Duration::ZERO,
    tun: Duration::ZERO,
};

/// The same with 15 µs of system call for every transaction.
pub const CALLS: Cost = Cost { transaction: Duration::from_micros(15), ..FREE };

/// A link as the tests want it; they change what they are about.
pub fn config(rate: Rate, address_width: u8) -> Config {
    Config {
        channel: 108,
        rate,
        address_width,
        crc: Crc::Two,
        auto_ack: true,
        ard: 0,
        arc: 15,
        power: 3,
        address: [0x12, 0x34, 0x56, 0x78, 0x9A],
        pll_break: false,
    }
}

/// Payload number `index`.
pub fn payload(index: u32) -> [u8; 32] {
    let mut octets = [0; 32];
    for (at, octet) in octets.iter_mut().enumerate() {
        *octet = (index >> (8 * (at % 4))) as u8 ^ (at as u8).wrapping_mul(29);
    }
    octets
}

/// What arrived at a host, as its driver read it.
pub type Inbox = Rc<RefCell<Vec<Vec<u8>>>>;

/// What the chips said.
#[derive(Debug, Default)]
pub struct Seen {
    /// When a new payload ended at chip 0 or 1.
    pub arrivals: [Vec<Instant>; 2],
    /// Every lint.
    pub lints: Vec<(usize, Lint)>,
    /// Longest time in TX without a break at chip 0, and what it is now.
    pub longest_stay: Duration,
    stay: Duration,
    ended: Instant,
}

impl Observer for Seen {
    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        match trace {
            Trace::Received { reception: Reception::New, .. } => self.arrivals[chip].push(now),
            Trace::Lint(lint) => self.lints.push((chip, *lint)),
            Trace::Began { until, .. } if chip == 0 => {
                self.stay = if self.ended == now { self.stay } else { Duration::ZERO } + (*until - now);
                self.ended = *until;
                self.longest_stay = self.longest_stay.max(self.stay);
            }
            _ => {}
        }
    }
}

struct Node(Tasks);

impl Host for Node {
    fn wake(&mut self, now: Instant) {
        self.0.run(now);
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.0.irq(now, radio, asserted);
    }

    fn packet(&mut self, _: Instant, _: &[u8]) {}

    fn poll(&mut self, _: Instant) -> Option<HostOutput> {
        self.0.note().map(HostOutput::Note)
    }

    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }
}

/// Runs two tasks for `span`, one on each side with the cost of each, and says what the chips said.
pub fn run<A, B>(
    costs: [Cost; 2],
    loss: Loss,
    span: Duration,
    left: impl FnOnce(Driver, Task) -> A,
    right: impl FnOnce(Driver, Task) -> B,
) -> Seen
where
    A: Future<Output = ()> + 'static,
    B: Future<Output = ()> + 'static,
{
    let boards = costs.map(|cost| Board::new(Options::default(), cost));
    let chips = boards.iter().map(|board| board.chip.clone()).collect();
    let (one, task) = host(&boards[0]);
    let left = left(driver(&task), task.clone());
    let hosts = vec![one, host(&boards[1]).0];
    let mut network = Network::new(Medium::new(2, loss, 1), chips, hosts, vec![(), ()], Seen::default());
    network.hosts[0].0.spawn(&task, left);
    let task = network.hosts[1].0.task(Some((0, boards[1].clone())));
    let right = right(driver(&task), task.clone());
    network.hosts[1].0.spawn(&task, right);
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    while events.step(&mut network, Instant::ZERO + span) {}
    network.observer
}

fn host(board: &Board) -> (Node, Task) {
    let tasks = Tasks::new(Instant::ZERO, board.cost);
    let task = tasks.task(Some((0, board.clone())));
    (Node(tasks), task)
}

fn driver(task: &Task) -> Driver {
    let wires = task.wires();
    Radio::new(wires.spi, wires.ce, wires.irq, wires.delay)
}
