//! A node on threads.

use std::io;
use std::os::fd::AsFd as _;
use std::sync::Mutex;
use std::thread;

use airtime_core::Duration;
use airtime_nrf24::driver::{self, Radio};
use airtime_nrf24::station::{self, Radios};
use airtime_nrf24::tunnel::{self, Mode, Tunnel};
use airtime_system::clock::Clock;
use airtime_system::sleep::{TIME_MAX, sleep};
use airtime_system::stop::{Stop, Stopper};
use rustix::event::{PollFd, PollFlags};
use thiserror::Error;

use super::board::Board;
use super::desk::{Node, Seat, locked};
use super::device::Device;
use super::faces::{Faces, faces};
use super::node::{Traffic, fresh_epoch};
use super::reactor::Reactor;

/// Interval at which a node looks if its tunnel needs a new epoch. The last packets of an epoch are lost anyway.
const LOOKS_EVERY: Duration = Duration::from_secs(1);

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
}

/// A node: one or two boards, a TUN device, and a thread for each task.
pub struct Daemon<B, T> {
    config: station::Config,
    boards: Vec<B>,
    node: Node<T>,
    clock: Clock,
    stop: Stop,
    /// Error that ended a task before its time.
    failure: Mutex<Option<DaemonError>>,
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
        let clock = Clock::start();
        let tunnel = Tunnel::with_tuning(config.tunnel, config.tuning, clock.now());
        let node = Node::new(tunnel, device)?;
        Ok(Self { config, boards, node, clock, stop: Stop::new()?, failure: Mutex::default() })
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Figures to report so far.
    pub fn figures(&self) -> Figures {
        Figures {
            elapsed: self.clock.now() - airtime_core::Instant::ZERO,
            mode: locked(&self.node.tunnel).agreed(),
            traffic: locked(&self.node.traffic).clone(),
            ring_dropped: locked(&self.node.ring).dropped(),
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
            Tunnel::with_tuning(tunnel::Config { epoch, ..self.config.tunnel }, self.config.tuning, self.clock.now());
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
            self.spawn(scope, "tun reader", |seat| {
                let ended = seat.reactor.run(station::offer(seat))?;
                // It ends by itself only when there is nothing to read from any more.
                if ended.is_some() && !seat.reactor.stops() { Err(DaemonError::Device) } else { Ok(()) }
            });
            self.spawn(scope, "tun writer", |seat| Ok(seat.reactor.run(station::assemble(seat)).map(|_| ())?));
            let watched = self.watch(time, every, &mut tell);
            self.stop.stopper().stop();
            watched
        })?;
        locked(&self.failure).take().map_or(Ok(()), Err)
    }

    /// Starts a thread for a task; when it fails, all stop.
    fn spawn<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
        name: &str,
        task: impl FnOnce(&Seat<'_, 'scope, T>) -> Result<(), DaemonError> + Send + 'scope,
    ) {
        let run = move || {
            let reactor = Reactor::new(self.clock, &self.stop);
            if let Err(error) = task(&Seat { node: &self.node, reactor: &reactor }) {
                locked(&self.failure).get_or_insert(error);
                self.stop.stopper().stop();
            }
        };
        let spawned = thread::Builder::new().name(name.to_owned()).spawn_scoped(scope, run);
        if let Err(error) = spawned {
            locked(&self.failure).get_or_insert(error.into());
            self.stop.stopper().stop();
        }
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

    fn watch(
        &self,
        time: Option<Duration>,
        every: Option<Duration>,
        tell: &mut impl FnMut(&Figures),
    ) -> Result<(), DaemonError> {
        let end = self.clock.now() + time.unwrap_or(TIME_MAX).min(TIME_MAX);
        let every = every.unwrap_or(TIME_MAX);
        let mut next = self.clock.now() + every;
        while !self.stop.is_asked() {
            let now = self.clock.now();
            if now >= end {
                return Ok(());
            }
            if now >= next {
                tell(&self.figures());
                next += every;
            }
            if locked(&self.node.tunnel).needs_new_epoch() {
                self.renew()?;
            }
            let mut fds = [PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN)];
            sleep(&mut fds, end.min(next).saturating_since(now).min(LOOKS_EVERY))?;
        }
        Ok(())
    }
}

/// Task of a radio's thread.
#[derive(Clone, Copy, Debug)]
enum Task {
    Transmit,
    Receive,
    Answer,
}
