//! A node on threads.

use std::io;
use std::thread;

use airtime_core::Duration;
use airtime_nrf24::driver::{self, Radio};
use airtime_nrf24::legacy;
use airtime_nrf24::station::{self, Radios};
use airtime_nrf24::tunnel::{self, Mode, Tunnel};
use airtime_system::stop::Stopper;
use thiserror::Error;

use super::board::Board;
use super::crew::{Crew, locked};
use super::desk::{Node, Seat};
use super::device::Device;
use super::faces::{Faces, faces};
use super::node::{Traffic, fresh_epoch};
use super::reactor::Reactor;

/// Reason that a node could not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DaemonError {
    /// A radio.
    #[error("radio {radio}: {source}")]
    Radio {
        /// Index of the radio, 0 or 1.
        radio: usize,
        /// Error of the driver.
        source: driver::Error,
    },
    /// The published program ends in a panic here.
    #[error("radio {radio}: {source}")]
    Panics {
        /// Index of the radio, 0 or 1.
        radio: usize,
        /// Reason of the panic.
        source: legacy::Error,
    },
    /// The TUN device has gone.
    #[error("the TUN device has gone")]
    Device,
    /// The system refuses to wait.
    #[error("cannot wait for what is due: {0}")]
    Wait(#[from] io::Error),
}

/// Figures that a node has to report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Time since its start.
    pub elapsed: Duration,
    /// The mode that both ends agreed on, once they have.
    pub mode: Option<Mode>,
    /// Traffic that crossed its device.
    pub traffic: Traffic,
    /// Payloads that found the ring between radio and reassembly full.
    pub ring_dropped: u64,
    /// Octets that wait for the transmitter of the published tunnel, whose queue has no bound. Ours has one in time.
    pub backlog: Option<Backlog>,
}

/// Octets in a queue without a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Octets in it now.
    pub octets: u64,
    /// The most that it ever held.
    pub most: u64,
}

/// A node: one or two boards, a TUN device, and a thread for each task.
pub struct Daemon<B, T> {
    config: station::Config,
    boards: Vec<B>,
    node: Node<T>,
    crew: Crew,
}

impl<B: Board, T: Device> Daemon<B, T> {
    /// A node on `boards`, radio 0 first. Nothing moves before [`run`](Self::run).
    ///
    /// # Errors
    /// When the system has no descriptors left.
    ///
    /// # Panics
    /// When there are not as many boards as the configuration has radios.
    pub fn new(config: station::Config, boards: Vec<B>, device: T) -> io::Result<Self> {
        assert_eq!(boards.len(), config.radios.count(), "a board for each radio");
        let crew = Crew::new()?;
        let tunnel = Tunnel::with_tuning(config.tunnel, config.tuning, crew.now());
        let node = Node::new(tunnel, device)?;
        Ok(Self { config, boards, node, crew })
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.crew.stopper()
    }

    /// Figures to report so far.
    pub fn figures(&self) -> Figures {
        Figures {
            elapsed: self.crew.elapsed(),
            mode: locked(&self.node.tunnel).agreed(),
            traffic: locked(&self.node.traffic).clone(),
            ring_dropped: locked(&self.node.ring).dropped(),
            backlog: None,
        }
    }

    /// Puts a tunnel with a fresh epoch in the place of the one that runs, as a start does: the other end greets again, and
    /// packets under way are lost. [`run`](Self::run) does so when the numbers of sealed packets are used up.
    ///
    /// # Errors
    /// When there is no random number to be had.
    pub fn renew(&self) -> io::Result<()> {
        let epoch = fresh_epoch()?;
        let mut tunnel = locked(&self.node.tunnel);
        *tunnel =
            Tunnel::with_tuning(tunnel::Config { epoch, ..self.config.tunnel }, self.config.tuning, self.crew.now());
        drop(tunnel);
        self.node.ring_all();
        Ok(())
    }

    /// Runs the tasks until they are stopped, or for `time`; says how it goes to `tell`, every `every`.
    ///
    /// # Errors
    /// When a radio fails or the device goes: the first of them.
    pub fn run(
        &self,
        time: Option<Duration>,
        every: Option<Duration>,
        mut tell: impl FnMut(&Figures),
    ) -> Result<(), DaemonError> {
        thread::scope(|scope| {
            match self.config.radios {
                Radios::Two { transmit, receive } => {
                    self.spawn(scope, "transmit", move |seat| self.serve(seat, 0, Task::Transmit, &transmit));
                    self.spawn(scope, "receive", move |seat| self.serve(seat, 1, Task::Receive, &receive));
                }
                Radios::One { radio } => {
                    let task = if self.config.tuning.polls { Task::Transmit } else { Task::Answer };
                    self.spawn(scope, "radio", move |seat| self.serve(seat, 0, task, &radio));
                }
            }
            self.spawn(scope, "tun reader", |seat| Crew::read(seat.reactor.run(station::offer(seat))?, seat.reactor));
            self.spawn(scope, "tun writer", |seat| Ok(seat.reactor.run(station::assemble(seat)).map(|_| ())?));
            // The last packets of an epoch are lost anyway: it is early enough to look now and then.
            self.crew.watch(time, every, || tell(&self.figures()), || self.renew_if_due())
        })?;
        self.crew.ended()
    }

    fn spawn<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
        name: &str,
        task: impl FnOnce(&Seat<'_, 'scope, T>) -> Result<(), DaemonError> + Send + 'scope,
    ) {
        self.crew.spawn(scope, name, move |reactor: &Reactor<'scope>| task(&Seat { node: &self.node, reactor }));
    }

    fn renew_if_due(&self) -> io::Result<()> {
        if locked(&self.node.tunnel).needs_new_epoch() { self.renew() } else { Ok(()) }
    }

    /// The task of a radio.
    fn serve<'a>(
        &'a self,
        seat: &Seat<'_, 'a, T>,
        radio: usize,
        task: Task,
        config: &driver::Config,
    ) -> Result<(), DaemonError> {
        let board = &self.boards[radio];
        let Faces { spi, ce, irq, delay } = faces(board, seat.reactor);
        let mut chip = Radio::new(spi, ce, irq, delay);
        let ended = seat.reactor.run(async {
            match task {
                Task::Transmit => station::transmit(seat, &mut chip, config).await,
                Task::Receive => station::receive(seat, &mut chip, config).await,
                Task::Answer => station::answer(seat, &mut chip, config).await,
            }
        });
        // Whatever it was doing: nobody is there to use the air.
        let _ = board.set_ce(false);
        match ended? {
            Some(Err(source)) => Err(DaemonError::Radio { radio, source }),
            Some(Ok(())) | None => Ok(()),
        }
    }
}

/// Task of a radio's thread.
#[derive(Clone, Copy, Debug)]
enum Task {
    Transmit,
    Receive,
    Answer,
}
