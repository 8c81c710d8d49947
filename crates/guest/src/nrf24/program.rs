//! A blocking program as a host of the network.

use std::fmt;
use std::rc::Rc;

use airtime_core::{Duration, Instant};
use airtime_nrf24::host::{Host, HostOutput};
use airtime_nrf24::trace::{DropPoint, Note};
use airtime_nrf24::wires::Board;
use corosensei::{Coroutine, CoroutineResult};

use super::Machine;
use super::machine::{Said, Wait};

/// A program on one or two radios, in virtual time.
pub struct Program {
    coroutine: Coroutine<Instant, Wait, ()>,
    wait: Option<Wait>,
    wake: Duration,
    said: Rc<Said>,
}

impl Program {
    /// `program` on a machine with these radios, to be begun at `now`. When it returns, the host is quiet for ever.
    ///
    /// # Panics
    /// When there is no radio.
    pub fn new(boards: Vec<Board>, now: Instant, program: impl FnOnce(&Machine<'_>) + 'static) -> Self {
        let wake = boards.first().expect("a program has a radio").cost.wake;
        let said = Rc::<Said>::default();
        let says = Rc::clone(&said);
        let coroutine = Coroutine::new(move |yielder: &corosensei::Yielder<_, _>, now| {
            program(&Machine::new(yielder, boards, now, says));
        });
        Self { coroutine, wait: Some(Wait { until: now, irq: None }), wake, said }
    }

    /// Makes it say what the program does whenever that changes: for a ledger. It costs a tenth of the speed.
    #[must_use]
    pub fn noting_activity(self) -> Self {
        self.said.activity.set(true);
        self
    }

    /// True once the program has returned.
    pub fn is_over(&self) -> bool {
        self.wait.is_none()
    }
}

impl Host for Program {
    fn wake(&mut self, now: Instant) {
        if self.deadline().is_some_and(|due| due <= now) {
            self.wait = match self.coroutine.resume(now) {
                CoroutineResult::Yield(wait) => Some(wait),
                CoroutineResult::Return(()) => None,
            };
        }
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        if let Some(wait) = &mut self.wait
            && asserted
            && wait.irq == Some(radio)
        {
            *wait = Wait { until: wait.until.min(now + self.wake), irq: None };
        }
    }

    /// There is no TUN device.
    fn packet(&mut self, _: Instant, packet: &[u8]) {
        self.said.notes.borrow_mut().push(Note::Dropped { at: DropPoint::Queue, octets: packet.len() as u32 });
    }

    fn poll(&mut self, _: Instant) -> Option<HostOutput> {
        self.said.notes.borrow_mut().pop().map(HostOutput::Note)
    }

    fn is_quiet(&self) -> bool {
        self.said.notes.borrow().is_empty()
    }

    fn deadline(&self) -> Option<Instant> {
        self.wait.map(|wait| wait.until).filter(|until| *until != Instant::FAR_FUTURE)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("wait", &self.wait).finish_non_exhaustive()
    }
}
