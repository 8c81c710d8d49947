//! One channel: a sender that gives the host one SDU after the other, and a receiver.

use core::cell::Cell;
use core::convert::Infallible;

use airtime_app::{Event, payload};
use embassy_futures::select::select;
use embassy_futures::yield_now;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use trouble_host::l2cap::{L2capChannel, L2capChannelReader, L2capChannelWriter};
use trouble_host::{PacketPool, Stack};

use crate::{Desk, clock};

/// The number of a connection's first channel in events and commands; the others follow. TrouBLE
/// does not tell its channel identifiers; these are counted from the first dynamic one (Core 6.0,
/// Vol 3, Part A, 2.1) in the order of opening.
pub const CHANNEL_FIRST: u16 = 0x0040;

/// Channels on their way to the task that serves them.
pub(crate) type Arrivals<'s, P> = Channel<NoopRawMutex, L2capChannel<'s, P>, 1>;

/// The SDUs that wait on one channel. What is in an SDU follows from its number, so the queue is a
/// range of numbers.
pub(crate) struct LaneDesk {
    is_open: Cell<bool>,
    sequence: Cell<u64>,
    waiting: Cell<u16>,
    len: Cell<u16>,
    more: Signal<NoopRawMutex, ()>,
}

impl LaneDesk {
    pub(crate) const fn new() -> Self {
        Self {
            is_open: Cell::new(false),
            sequence: Cell::new(0),
            waiting: Cell::new(0),
            len: Cell::new(0),
            more: Signal::new(),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.is_open.get()
    }

    pub(crate) fn close(&self) {
        self.is_open.set(false);
        self.waiting.set(0);
    }

    pub(crate) fn open(&self) {
        self.is_open.set(true);
        self.waiting.set(0);
        self.more.reset();
    }

    /// Queues the SDU with this number; says whether it belongs here. A channel's numbers follow one
    /// another, and its SDUs are of one length.
    pub(crate) fn push(&self, sequence: u64, len: u16) -> bool {
        let waiting = self.waiting.get();
        let follows = waiting == 0 || (sequence == self.sequence.get() + u64::from(waiting) && len == self.len.get());
        let Some(more) = waiting.checked_add(1).filter(|_| self.is_open.get() && follows) else { return false };
        if waiting == 0 {
            self.sequence.set(sequence);
            self.len.set(len);
        }
        self.waiting.set(more);
        self.more.signal(());
        true
    }

    /// The number and the length of the next SDU.
    pub(crate) async fn first(&self) -> (u64, u16) {
        while self.waiting.get() == 0 {
            self.more.wait().await;
        }
        (self.sequence.get(), self.len.get())
    }

    /// The first SDU is gone.
    pub(crate) fn pop(&self) {
        self.sequence.set(self.sequence.get() + 1);
        self.waiting.set(self.waiting.get().saturating_sub(1));
    }
}

/// Serves the channels that arrive, one after the other.
pub(crate) async fn lane<'s, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    stack: &Stack<'_, C, P>,
    (place, lane): (usize, usize),
    conn: u16,
    arrivals: &Arrivals<'s, P>,
) -> Infallible
where
    C: trouble_host::Controller,
    P: PacketPool,
{
    let waiting = &desk.links[place].lanes[lane];
    let channel = CHANNEL_FIRST + lane as u16;
    loop {
        let opened = arrivals.receive().await;
        // What is longer than this end's buffer is not sent at all.
        let peer_mps = opened.peer_mps();
        let peer_mtu = opened.peer_mtu().min(u16::try_from(SDU).unwrap_or(u16::MAX));
        desk.witness().channel(clock::now(), conn, channel, opened.peer_mtu(), peer_mps);
        let (mut writer, mut reader) = opened.split();
        waiting.open();
        desk.tell(Event::ChannelOpened { conn, channel, peer_mtu, peer_mps });
        let sending = send(desk, stack, waiting, &mut writer, conn, channel);
        let receiving = receive(desk, stack, &mut reader, conn, channel);
        select(sending, receiving).await;
        waiting.close();
        // The handles go first: what the machine then opens finds the place free.
        drop((writer, reader));
        desk.tell(Event::ChannelClosed { conn, channel });
    }
}

/// Gives the host one SDU after the other, until it takes no more.
async fn send<C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    stack: &Stack<'_, C, P>,
    waiting: &LaneDesk,
    writer: &mut L2capChannelWriter<'_, P>,
    conn: u16,
    channel: u16,
) where
    C: trouble_host::Controller,
    P: PacketPool,
{
    let mut buffer = [0; SDU];
    loop {
        let (sequence, len) = waiting.first().await;
        let Some(sdu) = buffer.get_mut(..usize::from(len)) else { return };
        payload::write(sequence, sdu);
        desk.witness().submitted(clock::now(), conn, channel, len, sequence);
        if writer.send(stack, sdu).await.is_err() {
            return;
        }
        waiting.pop();
        desk.witness().sent(clock::now(), conn, channel);
        desk.tell(Event::Sent { conn, channel });
        // TrouBLE's lock of a connection is not fair: who sends one SDU behind the other takes it again
        // before anybody else is polled, and where buffers are scarce the receiver never gets to return
        // its credits.
        yield_now().await;
    }
}

/// Takes one SDU after the other, until the channel is closed.
async fn receive<C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    stack: &Stack<'_, C, P>,
    reader: &mut L2capChannelReader<'_, P>,
    conn: u16,
    channel: u16,
) where
    C: trouble_host::Controller,
    P: PacketPool,
{
    loop {
        let Ok(sdu) = reader.receive_sdu(stack).await else { return };
        let octets = sdu.as_ref();
        let mut head = [0; 8];
        let known = octets.len().min(head.len());
        head[..known].copy_from_slice(&octets[..known]);
        let len = u16::try_from(octets.len()).unwrap_or(u16::MAX);
        // The packet goes back to the pool before the application is told.
        drop(sdu);
        desk.witness().delivered(clock::now(), conn, channel, len, head);
        desk.tell(Event::Received { conn, channel, len, head });
    }
}
