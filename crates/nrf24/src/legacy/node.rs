//! The published program on a virtual host.

use alloc::rc::Rc;

use airtime_core::{Duration, Instant, Packet, Pool};

use super::desk::{Channel, Desk};
use super::device::Device;
use super::{Config, QUEUE_OCTETS_MAX, threads};
use crate::trace::{Activity, Note};
use crate::wires::queue::{Outbox, Queue};
use crate::wires::{Board, Ce, Delay, Kernel, SharedChip, Spi, Task, TaskHost, Tasks, TunDevice, Wires};

/// Kernel below the published tunnel, and its queue.
#[derive(Debug)]
pub struct LegacyKernel {
    device: TunDevice,
    queue: Rc<Queue>,
}

impl Kernel for LegacyKernel {
    fn packet(&mut self, packet: &[u8]) {
        self.device.packet(packet);
    }
}

/// Desk of one thread in virtual time.
struct Seat {
    task: Task,
    device: Rc<Queue>,
    channels: [Rc<Queue>; Channel::COUNT],
    out: Rc<Outbox>,
    pool: Pool,
    /// Time that the device takes.
    tun: Duration,
}

impl Seat {
    async fn first(&self, queue: &Queue) -> Packet {
        loop {
            if let Some(packet) = queue.take() {
                return packet;
            }
            self.task.until_any(Activity::NoData, false, Some(queue.bell()), None).await;
        }
    }
}

impl Desk for Seat {
    type Packet = Packet;

    fn packet(&self, octets: &[u8]) -> Packet {
        self.pool.copy(octets)
    }

    async fn read_packet(&self) -> Option<Packet> {
        let packet = self.first(&self.device).await;
        self.task.pause(self.tun).await;
        Some(packet)
    }

    async fn write_packet(&self, mut octets: Packet, taken: Option<usize>) {
        self.task.pause(self.tun).await;
        if let Some(len) = taken {
            octets.truncate(len);
            self.out.borrow_mut().push_back(octets);
        }
    }

    fn put(&self, channel: Channel, packet: Packet) -> Result<(), Packet> {
        self.channels[channel as usize].put(packet)
    }

    async fn next(&self, channel: Channel) -> Packet {
        self.first(&self.channels[channel as usize]).await
    }

    async fn sleep(&self, span: Duration) {
        self.task.sleep_as(Activity::Delay, span).await;
    }

    fn note(&self, note: Note) {
        self.task.note(note);
    }
}

/// An end of the published tunnel: a host with two chips.
pub type Legacy = TaskHost<LegacyKernel>;

impl Legacy {
    /// An end that starts now on these chips, whatever state they are in: radio 0 transmits, radio 1 receives.
    pub fn new(chips: [SharedChip; 2], config: Config, pool: &Pool, now: Instant) -> Self {
        let mut tasks = Tasks::new(now, config.cost);
        let [transmit, receive] = chips.map(|chip| Board { chip, cost: config.cost });
        let reader = tasks.task(None);
        let transmitter = tasks.task(Some((0, transmit)));
        let receiver = tasks.task(Some((1, receive)));
        let writer = tasks.task(None);
        let device = TunDevice::new(&mut tasks, config.mtu, pool, reader.notify());
        let queue = Rc::new(Queue::new(QUEUE_OCTETS_MAX, transmitter.notify()));
        let written = Rc::new(Queue::new(QUEUE_OCTETS_MAX, writer.notify()));
        let out = Rc::new(Outbox::default());
        let seat = |task: &Task| Seat {
            task: task.clone(),
            device: device.read(),
            channels: [queue.clone(), written.clone()],
            out: out.clone(),
            pool: pool.clone(),
            tun: config.cost.tun,
        };
        let desk = seat(&reader);
        tasks.spawn(&reader, async move { threads::read_tun(&desk).await });
        // A thread that would panic ends, and the other three go on.
        let (desk, mut radio) = (seat(&transmitter), wired(&transmitter, &config));
        tasks.spawn(&transmitter, async move { threads::transmit(&desk, &mut radio, &config).await.unwrap_or(()) });
        let (desk, mut radio) = (seat(&receiver), wired(&receiver, &config));
        tasks.spawn(&receiver, async move { threads::receive(&desk, &mut radio, &config).await.unwrap_or(()) });
        let desk = seat(&writer);
        tasks.spawn(&writer, async move { threads::write_tun(&desk).await });
        Self::of(tasks, out, LegacyKernel { device, queue })
    }

    /// Octets that wait for the transmitter.
    pub fn backlog(&self) -> usize {
        self.kernel().queue.octets()
    }

    /// The most octets that ever waited for the transmitter.
    pub fn backlog_max(&self) -> usize {
        self.kernel().queue.most()
    }
}

fn wired(task: &Task, config: &Config) -> Device<Spi, Ce, Delay> {
    let Wires { spi, ce, delay, .. } = task.wires();
    Device::new(spi, ce, delay, config.auto_ack)
}
