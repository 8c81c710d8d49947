//! Boards in the place of silicon: a thread of their own plays the bus, the pins and the air of virtual chips.
#![cfg(target_os = "linux")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::{thread, time};

use airtime_core::loss::Loss;
use airtime_core::{EventLoop, Instant};
use airtime_hw::{Bell, Board};
use airtime_nrf24::chip::Options;
use airtime_nrf24::host::{Host, HostOutput};
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::Network;
use airtime_nrf24::station::RASPBERRY_PI;
use airtime_nrf24::wires;
use airtime_system::clock::Clock;

/// Request of a board to its chip.
enum Ask {
    Transfer(Vec<u8>),
    Ce(bool),
}

/// The chip's number, what it is asked, and where the answer goes.
type Request = (usize, Ask, Sender<Vec<u8>>);

/// A board whose chip is on another thread.
pub struct Remote {
    chip: usize,
    ask: Mutex<Sender<Request>>,
    irq: Arc<(AtomicBool, Bell)>,
}

impl Remote {
    /// One whose chip is on no thread.
    pub fn dead() -> Self {
        Self { chip: 0, ask: Mutex::new(channel().0), irq: Arc::new((AtomicBool::new(false), Bell::new().unwrap())) }
    }

    fn ask(&self, ask: Ask) -> io::Result<Vec<u8>> {
        let (answer, answered) = channel();
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.ask.lock().unwrap().send((self.chip, ask, answer)).map_err(|_| io::ErrorKind::BrokenPipe)?;
        answered.recv().map_err(gone)
    }
}

impl Board for Remote {
    fn transfer(&self, octets: &mut [u8]) -> io::Result<()> {
        octets.copy_from_slice(&self.ask(Ask::Transfer(octets.to_vec()))?);
        Ok(())
    }
    fn set_ce(&self, high: bool) -> io::Result<()> {
        self.ask(Ask::Ce(high)).map(|_| ())
    }
    fn irq_is_low(&self) -> io::Result<bool> {
        Ok(self.irq.0.load(Ordering::SeqCst))
    }
    fn edges(&self) -> BorrowedFd<'_> {
        self.irq.1.as_fd()
    }
    fn forget_edges(&self) -> io::Result<()> {
        self.irq.1.has_rung();
        Ok(())
    }
}

/// The host's side of the chips: nothing but lines.
struct Lines(Vec<Arc<(AtomicBool, Bell)>>);

impl Host for Lines {
    fn wake(&mut self, _: Instant) {}
    fn irq(&mut self, _: Instant, radio: usize, asserted: bool) {
        self.0[radio].0.store(asserted, Ordering::SeqCst);
        self.0[radio].1.ring();
    }
    fn packet(&mut self, _: Instant, _: &[u8]) {}
    fn poll(&mut self, _: Instant) -> Option<HostOutput> {
        None
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
}

/// The boards of two nodes, `a`'s first, whose chips share the air on a thread that ends with the last of them.
pub fn boards(radios: usize) -> Vec<Vec<Remote>> {
    let (ask, asked) = channel();
    let line = |_| Arc::new((AtomicBool::new(false), Bell::new().unwrap()));
    let lines: Vec<_> = (0..2 * radios).map(line).collect();
    let hosts: Vec<Vec<_>> = lines.chunks(radios).map(<[_]>::to_vec).collect();
    thread::spawn(move || air(hosts, &asked));
    let remote = |chip: usize| Remote { chip, ask: Mutex::new(ask.clone()), irq: lines[chip].clone() };
    (0..2).map(|end| (end * radios..(end + 1) * radios).map(remote).collect()).collect()
}

fn air(hosts: Vec<Vec<Arc<(AtomicBool, Bell)>>>, asked: &Receiver<Request>) {
    let radios = hosts[0].len();
    let chip = |_| wires::Board::new(Options::default(), RASPBERRY_PI);
    let boards: Vec<_> = (0..2 * radios).map(chip).collect();
    let chips = boards.iter().map(|board| board.chip.clone()).collect();
    let medium = Medium::new(2 * radios, Loss::Packet { per: 0.02 }, 1);
    let mut network = Network::new(medium, chips, hosts.into_iter().map(Lines).collect(), vec![(), ()], ());
    network.start(Instant::ZERO);
    let (mut events, clock) = (EventLoop::new(Instant::ZERO, &network), Clock::start());
    loop {
        events.run_until(&mut network, clock.now());
        let rest = events.next_due().map_or(1_000_000, |due| due.saturating_since(clock.now()).as_nanos());
        let (chip, ask, answer) = match asked.recv_timeout(time::Duration::from_nanos(rest.min(1_000_000))) {
            Ok(request) => request,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        events.run_until(&mut network, clock.now());
        let board = &boards[chip];
        let mut octets = vec![];
        if let Ask::Transfer(mosi) = &ask {
            octets.resize(mosi.len(), 0);
            let lasts = board.begin(events.now(), mosi, &mut octets);
            let end = events.now() + lasts;
            while events.now() < end {
                events.run_until(&mut network, clock.now());
            }
        }
        let now = events.now();
        events.act(&mut network, now, |network, touched| {
            match &ask {
                Ask::Transfer(mosi) => board.end(now, mosi),
                Ask::Ce(high) => {
                    board.set_ce(now, *high);
                }
            }
            network.attend(chip / radios, now, touched);
        });
        // Whoever asked may have been stopped meanwhile.
        let _ = answer.send(octets);
    }
}
