//! The published tunnel on threads, as its program has them.

use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::Mutex;
use std::thread;

use airtime_core::Duration;
use airtime_nrf24::driver::Radio;
use airtime_nrf24::legacy::{self, Channel, Config, Desk, QUEUE_OCTETS_MAX};
use airtime_nrf24::trace::Note;
use airtime_system::stop::Stopper;

use super::bell::Bell;
use super::board::Board;
use super::crew::{Crew, locked};
use super::daemon::{Backlog, DaemonError, Figures};
use super::device::Device;
use super::faces::{Faces, Sleep, faces};
use super::node::Traffic;
use super::reactor::Reactor;

/// Octets that are read from the device at most: more than the largest MTU.
const PACKET_MAX: usize = 2_048;

/// Radio that transmits, and radio that receives.
const TRANSMITS: usize = 0;
const RECEIVES: usize = 1;

/// A node of the published tunnel: two boards, a TUN device, and its four threads.
///
/// Its sleeps are calls of the kernel with the slack of an ordinary thread, and its receiver asks its chip without a pause,
/// which takes a core: both are the published program's, and its pace.
pub struct Published<B, T> {
    config: Config,
    boards: [B; 2],
    node: Node<T>,
    crew: Crew,
}

struct Node<T> {
    lanes: [Lane; Channel::COUNT],
    traffic: Mutex<Traffic>,
    device: T,
}

/// Channel between two threads.
struct Lane {
    waiting: Mutex<Waiting>,
    bell: Bell,
}

#[derive(Default)]
struct Waiting {
    packets: VecDeque<Vec<u8>>,
    backlog: Backlog,
}

impl Lane {
    fn new() -> io::Result<Self> {
        Ok(Self { waiting: Mutex::default(), bell: Bell::new()? })
    }

    fn put(&self, packet: Vec<u8>) -> Result<(), Vec<u8>> {
        let mut waiting = locked(&self.waiting);
        let octets = waiting.backlog.octets + packet.len() as u64;
        if octets > QUEUE_OCTETS_MAX as u64 {
            return Err(packet);
        }
        waiting.backlog = Backlog { octets, most: waiting.backlog.most.max(octets) };
        waiting.packets.push_back(packet);
        drop(waiting);
        self.bell.ring();
        Ok(())
    }

    fn take(&self) -> Option<Vec<u8>> {
        let mut waiting = locked(&self.waiting);
        let packet = waiting.packets.pop_front()?;
        waiting.backlog.octets -= packet.len() as u64;
        Some(packet)
    }

    /// The first packet; while there is none, the bell has not rung.
    fn look(&self) -> Option<Vec<u8>> {
        self.take().or_else(|| {
            // First forget, then look: a ring in between is not lost, it only wakes once more.
            self.bell.has_rung();
            self.take()
        })
    }
}

/// The node as one of its threads sees it.
struct Seat<'r, 'a, T> {
    node: &'a Node<T>,
    reactor: &'r Reactor<'a>,
}

impl<T: Device> Desk for Seat<'_, '_, T> {
    type Packet = Vec<u8>;

    fn packet(&self, octets: &[u8]) -> Vec<u8> {
        octets.to_vec()
    }

    async fn read_packet(&self) -> Option<Vec<u8>> {
        let device = &self.node.device;
        let mut packet = [0; PACKET_MAX];
        let read = self.reactor.when_readable(device.as_fd(), || device.read(&mut packet).transpose()).await;
        let octets = read.ok()?;
        locked(&self.node.traffic).crossed.packet(true, octets);
        Some(packet[..octets].to_vec())
    }

    async fn write_packet(&self, octets: Vec<u8>, taken: Option<usize>) {
        // The kernel gets all of it, as it does from the published program, and finds out for itself.
        let written = self.node.device.write(&octets).unwrap_or(false);
        if let (true, Some(len)) = (written, taken) {
            locked(&self.node.traffic).crossed.packet(false, len);
        }
    }

    fn put(&self, channel: Channel, packet: Vec<u8>) -> Result<(), Vec<u8>> {
        self.node.lanes[channel as usize].put(packet)
    }

    async fn next(&self, channel: Channel) -> Vec<u8> {
        let lane = &self.node.lanes[channel as usize];
        self.reactor.when_readable(lane.bell.as_fd(), || lane.look()).await
    }

    async fn sleep(&self, span: Duration) {
        self.reactor.until(self.reactor.now() + span).await;
    }

    fn note(&self, note: Note) {
        locked(&self.node.traffic).note(&note);
    }

    fn stops(&self) -> bool {
        self.reactor.stops()
    }
}

impl<B: Board, T: Device> Published<B, T> {
    /// A node on `boards`: the first transmits, the second receives. Nothing moves before [`run`](Self::run).
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new(config: Config, boards: [B; 2], device: T) -> io::Result<Self> {
        let node = Node { lanes: [Lane::new()?, Lane::new()?], traffic: Mutex::default(), device };
        Ok(Self { config, boards, node, crew: Crew::new()? })
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.crew.stopper()
    }

    /// Figures to report so far. The ends agree on nothing, so there is no mode.
    pub fn figures(&self) -> Figures {
        Figures {
            elapsed: self.crew.elapsed(),
            mode: None,
            traffic: locked(&self.node.traffic).clone(),
            ring_dropped: 0,
            backlog: Some(locked(&self.node.lanes[Channel::Transmit as usize].waiting).backlog),
        }
    }

    /// Runs the threads until they are stopped, or for `time`; says how it goes to `tell`, every `every`.
    ///
    /// # Errors
    /// When a radio fails, the device goes, or a thread of the published program would panic: the first of them.
    pub fn run(
        &self,
        time: Option<Duration>,
        every: Option<Duration>,
        mut tell: impl FnMut(&Figures),
    ) -> Result<(), DaemonError> {
        thread::scope(|scope| {
            self.spawn(scope, "transmit", |seat| self.serve(seat, TRANSMITS));
            self.spawn(scope, "receive", |seat| self.serve(seat, RECEIVES));
            self.spawn(scope, "tun reader", |seat| {
                Crew::read(seat.reactor.run_as_is(legacy::read_tun(seat))?, seat.reactor)
            });
            self.spawn(scope, "tun writer", |seat| Ok(seat.reactor.run_as_is(legacy::write_tun(seat)).map(|_| ())?));
            self.crew.watch(time, every, || tell(&self.figures()), || Ok(()))
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

    /// The thread of a radio.
    fn serve<'a>(&'a self, seat: &Seat<'_, 'a, T>, radio: usize) -> Result<(), DaemonError> {
        let board = &self.boards[radio];
        let ended = seat.reactor.run_as_is(async {
            // The published program neither looks for its chip nor waits for the crystal, and a first packet whose pulse comes
            // before that is waited for without end. Neither is a measurement.
            let Faces { spi, ce, irq, delay } = faces(board, seat.reactor);
            let mut chip = Radio::new(spi, ce, irq, delay);
            chip.stop()?;
            chip.find().await?;
            chip.power_up().await?;
            let Faces { spi, ce, .. } = faces(board, seat.reactor);
            let mut device = legacy::Device::new(spi, ce, Sleep(seat.reactor), self.config.auto_ack);
            match radio {
                TRANSMITS => legacy::transmit(seat, &mut device, &self.config).await,
                _ => legacy::receive(seat, &mut device, &self.config).await,
            }
        });
        // Whatever it was doing: nobody is there to use the air.
        let _ = board.set_ce(false);
        match ended? {
            Some(Err(legacy::Error::Radio(source))) => Err(DaemonError::Radio { radio, source }),
            Some(Err(source)) => Err(DaemonError::Panics { radio, source }),
            Some(Ok(())) | None => Ok(()),
        }
    }
}
