//! A cable between two UARTs without flow control, as those of an ESP32: 128 octets of FIFO at each end, 921,600 baud, 8N1.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use airtime_core::{Duration, Instant};
use embedded_io_async::{ErrorKind, ErrorType, Read, Write};

use crate::world::Clock;

/// Octets of a FIFO: ESP32-C6 Technical Reference Manual, UART.
const FIFO: usize = 128;
/// Octets at which a receiver wakes its processor: esp-hal's default `fifo_full_threshold`.
const FULL: usize = 120;
/// Ten bits at 921,600 baud.
const OCTET: Duration = Duration::from_nanos(10_851);

/// Octets were lost: the FIFO was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun;

impl core::fmt::Display for Overrun {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the FIFO has overflowed")
    }
}

impl std::error::Error for Overrun {}

impl embedded_io_async::Error for Overrun {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// One direction of a cable.
#[derive(Clone)]
pub struct Lane(Rc<RefCell<Inner>>);

struct Inner {
    clock: Clock,
    transmit: VecDeque<u8>,
    receive: VecDeque<u8>,
    /// End of the octet that is on the cable.
    ends: Option<Instant>,
    overrun: bool,
    overruns: u64,
    carried: u64,
    /// Number of an octet that it loses.
    loses: Option<u64>,
    /// The receiver has power.
    receives: bool,
    writer: Option<Waker>,
    reader: Option<Waker>,
}

impl Lane {
    pub fn new(clock: &Clock) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            clock: clock.clone(),
            transmit: VecDeque::new(),
            receive: VecDeque::new(),
            ends: None,
            overrun: false,
            overruns: 0,
            carried: 0,
            loses: None,
            receives: true,
            writer: None,
            reader: None,
        })))
    }

    /// The sender has lost its power, or starts anew: what was under way is gone.
    pub fn sender_off(&self) {
        let mut lane = self.0.borrow_mut();
        lane.transmit.clear();
        (lane.ends, lane.writer) = (None, None);
    }

    /// The receiver has power, or none: what has come is gone.
    pub fn receiver(&self, on: bool) {
        let mut lane = self.0.borrow_mut();
        lane.receive.clear();
        (lane.receives, lane.overrun, lane.reader) = (on, false, None);
    }

    /// It loses an octet: that of this number.
    pub fn lose(&self, number: u64) {
        self.0.borrow_mut().loses = Some(number);
    }

    /// Octets that receivers have lost.
    pub fn overruns(&self) -> u64 {
        self.0.borrow().overruns
    }

    /// Octets that it has carried.
    pub fn carried(&self) -> u64 {
        self.0.borrow().carried
    }

    /// Instant at which somebody has a reason to look.
    pub fn next(&self) -> Option<Instant> {
        let lane = self.0.borrow();
        let first = lane.ends?;
        // The FIFO of the sender is empty, or that of the receiver is full enough.
        let octets = lane.transmit.len().min(FULL.saturating_sub(lane.receive.len()).max(1));
        Some(first + OCTET * (octets as u64 - 1))
    }

    /// Moves octets up to now.
    pub fn advance(&self) {
        let mut lane = self.0.borrow_mut();
        let (now, before) = (lane.clock.now(), lane.carried);
        while let Some(end) = lane.ends.filter(|end| *end <= now) {
            let octet = lane.transmit.pop_front().expect("one is under way");
            lane.carried += 1;
            if lane.loses == Some(lane.carried) {
                lane.loses = None;
            } else if lane.receives && lane.receive.len() < FIFO {
                lane.receive.push_back(octet);
            } else if lane.receives {
                lane.overrun = true;
                lane.overruns += 1;
            }
            lane.ends = (!lane.transmit.is_empty()).then_some(end + OCTET);
        }
        let silent = lane.ends.is_none() && !lane.receive.is_empty();
        let moved = lane.carried > before;
        if moved && (silent || lane.receive.len() >= FULL || lane.overrun) {
            lane.reader.take().into_iter().for_each(Waker::wake);
        }
        if moved {
            lane.writer.take().into_iter().for_each(Waker::wake);
        }
    }
}

impl ErrorType for Lane {
    type Error = Overrun;
}

impl Read for Lane {
    async fn read(&mut self, into: &mut [u8]) -> Result<usize, Overrun> {
        poll_fn(|context| {
            self.advance();
            let mut lane = self.0.borrow_mut();
            if std::mem::take(&mut lane.overrun) {
                // As esp-hal does: the FIFO is reset.
                lane.receive.clear();
                return Poll::Ready(Err(Overrun));
            }
            let octets = into.len().min(lane.receive.len());
            let silent = lane.ends.is_none();
            if octets == 0 || octets < FULL && !silent {
                lane.reader = Some(context.waker().clone());
                return Poll::Pending;
            }
            into.iter_mut().zip(lane.receive.drain(..octets)).for_each(|(into, octet)| *into = octet);
            Poll::Ready(Ok(octets))
        })
        .await
    }
}

impl Write for Lane {
    async fn write(&mut self, octets: &[u8]) -> Result<usize, Overrun> {
        poll_fn(|context| {
            self.advance();
            let mut lane = self.0.borrow_mut();
            let room = octets.len().min(FIFO - lane.transmit.len());
            if room == 0 {
                lane.writer = Some(context.waker().clone());
                return Poll::Pending;
            }
            lane.transmit.extend(&octets[..room]);
            if lane.ends.is_none() {
                lane.ends = Some(lane.clock.now() + OCTET);
            }
            Poll::Ready(Ok(room))
        })
        .await
    }

    async fn flush(&mut self) -> Result<(), Overrun> {
        poll_fn(|context| {
            self.advance();
            let mut lane = self.0.borrow_mut();
            if lane.transmit.is_empty() {
                return Poll::Ready(Ok(()));
            }
            lane.writer = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }
}
