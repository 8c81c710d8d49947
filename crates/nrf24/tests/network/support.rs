//! A host of bare tasks, a driver that knows nothing but registers, and an observer that writes everything down.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use airtime_core::loss::Loss;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_nrf24::air::{Framing, Rate};
use airtime_nrf24::chip::Options;
use airtime_nrf24::host::{Cost, Host, HostOutput};
use airtime_nrf24::ledger::{BookedLink, Books};
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::{Network, Observer};
use airtime_nrf24::trace::{Note, OnAir, Reception, Trace};
use airtime_nrf24::wires::{Board, SharedChip, Task, Tasks, Wires};
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::Operation;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

/// 10 MHz SPI, and everything else so that each part of a sum can be told from the others.
pub const COST: Cost = Cost {
    spi_hz: 10_000_000,
    transaction: Duration::from_micros(15),
    pin: Duration::from_micros(1),
    wake: Duration::from_micros(10),
    sleep_slack: Duration::from_micros(55),
    tun: Duration::from_micros(20),
};

pub const FRAMING: Framing = Framing::enhanced(Rate::M2, 3);

pub fn at(ns: u64) -> Instant {
    Instant::from_nanos(ns)
}

/// A host of nothing but tasks.
pub struct Bare(pub Tasks);

impl Host for Bare {
    fn wake(&mut self, now: Instant) {
        self.0.run(now);
    }
    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.0.irq(now, radio, asserted);
    }
    fn packet(&mut self, now: Instant, _: &[u8]) {
        self.0.advance(now);
    }
    fn poll(&mut self, _: Instant) -> Option<HostOutput> {
        self.0.note().map(HostOutput::Note)
    }
    fn is_quiet(&self) -> bool {
        self.0.is_quiet()
    }
    fn watched(&mut self, watched: bool) {
        self.0.watched(watched);
    }
    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }
}

/// A host with one radio and one task.
pub fn bare<F: Future<Output = ()> + 'static>(now: Instant, task: impl FnOnce(Task) -> F) -> (Bare, SharedChip) {
    let board = Board::new(Options::default(), COST);
    let chip = board.chip.clone();
    (bare_on(now, board, task), chip)
}

/// The same on a board that is there already.
pub fn bare_on<F: Future<Output = ()> + 'static>(now: Instant, board: Board, task: impl FnOnce(Task) -> F) -> Bare {
    let mut tasks = Tasks::new(now, COST);
    let handle = tasks.task(Some((0, board)));
    tasks.spawn(&handle, task(handle.clone()));
    Bare(tasks)
}

/// Registers and commands over the wires.
pub struct Raw {
    pub wires: Wires,
    pub task: Task,
}

impl Raw {
    pub fn new(task: &Task) -> Self {
        Self { wires: task.wires(), task: task.clone() }
    }

    /// Writes a register of one octet. 16.6 µs with [`COST`].
    pub async fn set(&mut self, register: u8, value: u8) {
        self.wires.spi.write(&[0x20 | register, value]).await.unwrap();
    }

    /// A command with data behind it.
    pub async fn command(&mut self, command: u8, data: &[u8]) {
        let operations = &mut [Operation::Write(&[command]), Operation::Write(data)];
        self.wires.spi.transaction(operations).await.unwrap();
    }

    /// Reads a register of one octet.
    pub async fn read(&mut self, register: u8) -> u8 {
        let mut both = [register, 0];
        self.wires.spi.transfer_in_place(&mut both).await.unwrap();
        both[1]
    }

    /// The payload of 32 octets at the head of the RX FIFO.
    pub async fn payload(&mut self) -> [u8; 32] {
        let mut payload = [0; 32];
        let operations = &mut [Operation::Write(&[0x61]), Operation::Read(&mut payload)];
        self.wires.spi.transaction(operations).await.unwrap();
        payload
    }

    pub fn ce(&mut self, high: bool) {
        self.wires.ce.set_state(high.into()).unwrap();
    }

    /// 2 Mbit/s, addresses of 3 octets, dynamic length, NO_ACK allowed; in standby afterwards. ARD 250 µs.
    pub async fn configure(&mut self, receiver: bool, acknowledged: bool) {
        self.set(0x00, 0x0E | u8::from(receiver)).await;
        self.set(0x01, 0x3F).await;
        self.set(0x03, 0x01).await;
        self.set(0x04, if acknowledged { 0x0F } else { 0x00 }).await;
        self.set(0x05, 108).await;
        self.set(0x06, 0x0E).await;
        self.set(0x1C, 0x3F).await;
        self.set(0x1D, 0x07).await;
        self.wires.delay.delay_us(5_000).await;
    }

    /// Configured as a receiver, reads payloads for ever as IRQ announces them, and leaves them to `take`.
    pub async fn receive(mut self, mut take: impl FnMut(Instant, [u8; 32])) {
        self.configure(true, true).await;
        self.ce(true);
        loop {
            self.wires.irq.wait_for_low().await.unwrap();
            // Cleared first: what comes from now on raises it again.
            self.set(0x07, 0x40).await;
            while self.read(0x17).await & 1 == 0 {
                let payload = self.payload().await;
                take(self.task.now(), payload);
            }
        }
    }
}

/// Time for [`Raw::configure`]: eight registers, and a sleep with slack.
pub const CONFIGURED: u64 = 8 * 16_600 + 5_000_000 + 55_000;

/// Everything that was told, a line each.
#[derive(Default)]
pub struct Diary(pub String);

impl Observer for Diary {
    fn transmission(&mut self, from: usize, on_air: &OnAir, received: Option<(usize, Reception)>) {
        writeln!(self.0, "frame {from} {on_air:?} {received:?}").unwrap();
    }
    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        writeln!(self.0, "{now} chip {chip} {trace:?}").unwrap();
    }
    fn note(&mut self, now: Instant, host: usize, note: &Note) {
        writeln!(self.0, "{now} host {host} {note:?}").unwrap();
    }
    fn packet(&mut self, now: Instant, host: usize, into: bool, packet: &[u8]) {
        writeln!(self.0, "{now} packet {host} {into} {}", packet.len()).unwrap();
    }
    fn replaced(&mut self, now: Instant, host: usize, fresh_chips: bool) {
        writeln!(self.0, "{now} replaced {host} {fresh_chips}").unwrap();
    }
}

/// The frames of one chip: start and what became of them.
#[derive(Default)]
pub struct Frames(pub Vec<(usize, u64, Option<Reception>)>);

impl Observer for Frames {
    fn transmission(&mut self, from: usize, on_air: &OnAir, received: Option<(usize, Reception)>) {
        self.0.push((from, on_air.start.as_nanos(), received.map(|(_, reception)| reception)));
    }
}

pub type Pair<O> = (Network<Bare, (), O>, EventLoop);

/// Two hosts with one radio each.
pub fn pair<O: Observer>([a, b]: [(Bare, SharedChip); 2], loss: Loss, seed: u64, observer: O) -> Pair<O> {
    let mut network = Network::new(Medium::new(2, loss, seed), vec![a.1, b.1], vec![a.0, b.0], vec![(), ()], observer);
    network.start(Instant::ZERO);
    let event_loop = EventLoop::new(Instant::ZERO, &network);
    (network, event_loop)
}

/// Books of [`pair`], the first sends.
pub fn books() -> Books {
    Books::new(BookedLink { sender: 0, receiver: 1, radios: 1, framing: FRAMING }, Instant::ZERO)
}

/// What tasks write down.
pub type Log<T> = Rc<RefCell<Vec<T>>>;
