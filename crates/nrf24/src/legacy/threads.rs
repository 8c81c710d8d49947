//! The four threads of the published program, as tasks.

use alloc::rc::Rc;

use airtime_core::Packet;

use super::assembly::{Assembly, start_packet};
use super::device::{Device, Panicked};
use super::{Config, Framing, ip};
use crate::air::PAYLOAD_MAX;
use crate::trace::{Activity, DropPoint, Note, Purpose, Upload};
use crate::wires::Task;
use crate::wires::queue::{Outbox, Queue};

/// Number of times that the published transmitter sends again after all retransmissions of the chip, before it flushes
/// the FIFO.
const SENDS_AGAIN: u32 = 2;

/// The first packet of `queue`, which is waited for.
async fn next(task: &Task, queue: &Queue) -> Packet {
    loop {
        if let Some(packet) = queue.take() {
            return packet;
        }
        task.until_any(Activity::NoData, false, Some(queue.bell()), None).await;
    }
}

/// From the TUN device into the queue, as fast as they come.
pub(super) async fn read_tun(task: Task, config: Config, from: Rc<Queue>, to: Rc<Queue>) {
    loop {
        let packet = next(&task, &from).await;
        task.pause(config.cost.tun).await;
        if let Err(packet) = to.put(packet) {
            task.note(Note::Dropped { at: DropPoint::Queue, octets: packet.len() as u32 });
        }
    }
}

/// From the queue to the radio.
pub(super) async fn transmit(task: Task, config: Config, queue: Rc<Queue>) {
    let mut device = Device::new(&task, config.auto_ack);
    device.configure(&config, false).await;
    let mut number = 0;
    loop {
        let packet = next(&task, &queue).await;
        let sending = Sending { task: &task, config: &config, packet: &packet, number };
        if sending.send(&mut device).await.is_err() {
            return;
        }
        number = number.wrapping_add(1);
    }
}

/// One IP packet on its way out.
struct Sending<'a> {
    task: &'a Task,
    config: &'a Config,
    packet: &'a [u8],
    number: u32,
}

impl Sending<'_> {
    async fn send(&self, device: &mut Device) -> Result<(), Panicked> {
        let mut reached = true;
        if self.config.framing == Framing::StartPacket {
            device.push(&start_packet(self.packet.len())).await?;
            let tunnel = super::assembly::START_OCTETS as u8;
            self.task.uploaded(Upload { packet: self.number, tunnel, purpose: Purpose::Control, ..Upload::default() });
            reached &= self.flush_out(device).await;
        }
        let header = usize::from(self.config.framing == Framing::Sequence);
        let step = PAYLOAD_MAX - header;
        let batch = usize::from(self.config.batch.max(1));
        let chunks = self.packet.len().div_ceil(step);
        for first in (0..chunks).step_by(batch) {
            for index in first..(first + batch).min(chunks) {
                self.push(device, index, step, header).await?;
            }
            reached &= self.flush_out(device).await;
            if !self.config.delay.is_zero() {
                self.task.sleep_as(Activity::Delay, self.config.delay).await;
            }
        }
        if !reached {
            self.task.note(Note::Dropped { at: DropPoint::MaxRt, octets: self.packet.len() as u32 });
        }
        Ok(())
    }

    /// Pushes chunk `index` of `step` octets of the packet.
    async fn push(&self, device: &mut Device, index: usize, step: usize, header: usize) -> Result<(), Panicked> {
        let from = index * step;
        let chunk = &self.packet[from..(from + step).min(self.packet.len())];
        let mut payload = [index as u8; PAYLOAD_MAX];
        payload[header..header + chunk.len()].copy_from_slice(chunk);
        device.push(&payload[..header + chunk.len()]).await?;
        let headers = ip::headers(self.packet).saturating_sub(from).min(chunk.len());
        self.task.uploaded(Upload {
            packet: self.number,
            payload: (chunk.len() - headers) as u8,
            headers: headers as u8,
            tunnel: header as u8,
            purpose: Purpose::New,
        });
        Ok(())
    }

    /// Sends the FIFO, again when the chip gives up, and throws it away at last; the rest of the IP packet follows all the same.
    async fn flush_out(&self, device: &mut Device) -> bool {
        for _ in 0..=SENDS_AGAIN {
            if device.send().await.is_ok() {
                return true;
            }
        }
        device.flush_output().await;
        false
    }
}

/// From the radio to the queue of the writer: asks the chip again and again whether there is something.
pub(super) async fn receive(task: Task, config: Config, pool: airtime_core::Pool, to: Rc<Queue>) {
    let mut device = Device::new(&task, config.auto_ack);
    device.configure(&config, true).await;
    let mut assembly = Assembly::new(config.framing);
    let mut payload = [0; PAYLOAD_MAX];
    // What came whole out of the assembly goes to the writer; how much of it the kernel will take.
    let pass = |task: &Task, written: &[u8]| {
        let accepted = ip::accepted(written).map_or(0, <[u8]>::len);
        if let Err(packet) = to.put(pool.copy(written)) {
            task.note(Note::Dropped { at: DropPoint::Queue, octets: packet.len() as u32 });
        }
        accepted
    };
    loop {
        if !device.data_available().await {
            continue;
        }
        device.begin_reading();
        loop {
            let len = match device.read_one(&mut payload).await {
                Ok(0) => break,
                Ok(len) => len,
                Err(Panicked) => return,
            };
            if let Some(accepted) = assembly.payload(&payload[..len]).map(|written| pass(&task, written)) {
                assembly.taken(accepted);
            }
        }
        device.end_reading().await;
        if let Some(accepted) = assembly.drained().map(|written| pass(&task, written)) {
            assembly.taken(accepted);
        }
        let thrown = assembly.thrown();
        if thrown > 0 {
            task.note(Note::Resync { octets: thrown });
        }
    }
}

/// From the queue to the TUN device, and through the kernel.
pub(super) async fn write_tun(task: Task, config: Config, queue: Rc<Queue>, out: Rc<Outbox>) {
    loop {
        let mut packet = next(&task, &queue).await;
        task.pause(config.cost.tun).await;
        let octets = packet.len() as u32;
        match ip::accepted(&packet).map(<[u8]>::len) {
            Some(len) => {
                packet.truncate(len);
                task.note(Note::Delivered { octets: len as u32 });
                out.borrow_mut().push_back(packet);
            }
            None => task.note(Note::Dropped { at: DropPoint::Malformed, octets }),
        }
    }
}
