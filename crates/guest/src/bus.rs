//! H4 between a guest and its controller: two queues of packets.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use airtime_core::{Packet, Pool};
use bt_hci::transport::{PacketToController, PacketToHost, Transport, WithIndicator};
use bt_hci::{FromHciBytes, PacketKind, ReadHciError};
use embedded_io::{ErrorKind, ErrorType};

use crate::observed::Observed;

/// Packets from the host that wait for the controller; a host that writes more waits.
const OUTBOUND_MAX: usize = 16;

/// Packets from the controller that wait for the host. A controller sends no more than it has
/// buffers for both ways, and events for; a packet too many is dropped and counted.
const INBOUND_MAX: usize = 256;

/// The bus of one node.
#[derive(Debug)]
pub(crate) struct Bus {
    pool: Pool,
    inbound: RefCell<VecDeque<Packet>>,
    outbound: RefCell<VecDeque<Packet>>,
    reader: RefCell<Option<Waker>>,
    writer: RefCell<Option<Waker>>,
    dropped: Cell<u64>,
    observed: Rc<RefCell<Observed>>,
}

impl Bus {
    /// An empty bus whose packets are seen by `observed`.
    pub(crate) fn new(pool: Pool, observed: Rc<RefCell<Observed>>) -> Rc<Self> {
        Rc::new(Self {
            pool,
            inbound: RefCell::default(),
            outbound: RefCell::default(),
            reader: RefCell::default(),
            writer: RefCell::default(),
            dropped: Cell::new(0),
            observed,
        })
    }

    /// A packet from the controller.
    pub(crate) fn give(&self, packet: &[u8]) {
        let mut inbound = self.inbound.borrow_mut();
        if inbound.len() >= INBOUND_MAX {
            return self.dropped.set(self.dropped.get() + 1);
        }
        self.observed.borrow_mut().up(packet);
        inbound.push_back(self.pool.copy(packet));
        wake(&self.reader);
    }

    /// The next packet for the controller.
    pub(crate) fn take(&self) -> Option<Packet> {
        let packet = self.outbound.borrow_mut().pop_front()?;
        wake(&self.writer);
        Some(packet)
    }

    /// Packets that wait in either direction.
    pub(crate) fn held(&self) -> usize {
        self.inbound.borrow().len() + self.outbound.borrow().len()
    }

    /// Packets that the host was too slow for.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.get()
    }
}

fn wake(slot: &RefCell<Option<Waker>>) {
    if let Some(waker) = slot.take() {
        waker.wake();
    }
}

/// The host's end of the bus.
#[derive(Debug)]
pub(crate) struct HostEnd(pub(crate) Rc<Bus>);

/// A packet from the controller that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(ReadHciError<Infallible>);

impl core::fmt::Display for Malformed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the controller sent what is no H4 packet: {}", self.0)
    }
}

impl core::error::Error for Malformed {}

impl embedded_io::Error for Malformed {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidData
    }
}

impl From<ReadHciError<Infallible>> for Malformed {
    fn from(error: ReadHciError<Infallible>) -> Self {
        Self(error)
    }
}

impl ErrorType for HostEnd {
    type Error = Malformed;
}

impl Transport for HostEnd {
    async fn read<'a, P: PacketToHost<'a>>(&self, rx: &'a mut [u8]) -> Result<P, Malformed> {
        let packet = poll_fn(|cx| match self.0.inbound.borrow_mut().pop_front() {
            Some(packet) => Poll::Ready(packet),
            None => {
                self.0.reader.replace(Some(cx.waker().clone()));
                Poll::Pending
            }
        })
        .await;
        let malformed = |_| Malformed(ReadHciError::InvalidValue);
        let (kind, mut rest) = PacketKind::from_hci_bytes(&packet).map_err(malformed)?;
        P::read_hci(kind, &mut rest, rx).map_err(|_| Malformed(ReadHciError::InvalidValue))
    }

    async fn write<P: PacketToController>(&self, tx: &P) -> Result<(), Malformed> {
        poll_fn(|cx| {
            if self.0.outbound.borrow().len() < OUTBOUND_MAX {
                return Poll::Ready(());
            }
            self.0.writer.replace(Some(cx.waker().clone()));
            Poll::Pending
        })
        .await;
        let mut packet = self.0.pool.packet();
        let Ok(()) = WithIndicator::new(tx).write_hci(Sink(&mut packet));
        self.0.observed.borrow_mut().down(&packet);
        self.0.outbound.borrow_mut().push_back(packet);
        Ok(())
    }
}

/// Writes to the end of a packet.
struct Sink<'p>(&'p mut Packet);

impl ErrorType for Sink<'_> {
    type Error = Infallible;
}

impl embedded_io::Write for Sink<'_> {
    fn write(&mut self, octets: &[u8]) -> Result<usize, Infallible> {
        self.0.put(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
