//! The writing task: takes a frame from the queues, waits for the mutex, then for credits, and writes.

use airtime_core::{Duration, Instant, Packet};

use super::config::Driver;
use crate::sdio::{BusError, Completion, Credits, Transaction, register as reg};
use crate::spi_hd;
use crate::wire::Bus;

/// Polls for credits: how many before the frame is dropped, and the sleeps between them.
#[derive(Clone, Copy, Debug)]
struct Polls {
    /// Source: `MAX_WRITE_BUF_RETRIES`.
    count: u8,
    /// First sleep. Source: `interval_us`.
    first: Duration,
    /// Difference of each next one.
    step: Duration,
}

impl Polls {
    const fn of(bus: Bus, driver: Driver) -> Self {
        match bus {
            // A sleep of 10 to 50 us: the middle of it, *assumed*.
            _ if matches!(driver, Driver::Linux { .. }) => {
                Self { count: 2, first: Duration::from_micros(30), step: Duration::ZERO }
            }
            Bus::SpiHalfDuplex => Self { count: 25, first: Duration::from_millis(1), step: Duration::ZERO },
            _ => Self { count: 50, first: Duration::from_micros(400), step: Duration::from_micros(400) },
        }
    }
}

/// Sleeps stop growing here. Source: `MAX_BUFF_FETCH_PERIODICITY`.
const POLL_LONGEST: Duration = Duration::from_micros(30_000);
/// Attempts to write a frame. Source: `MAX_SDIO_WRITE_RETRY`.
const ATTEMPTS: u8 = 2;
/// Polls without any answer after which the transport counts as failed. Source: `max_retry_sdio_not_responding`.
const UNRESPONSIVE: u8 = 2;

/// Step of the writing task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It waits for a frame.
    Idle,
    /// It has one and writes its header.
    Preparing,
    /// It waits for the mutex.
    Waiting,
    /// It holds the mutex and reads how many buffers the co-processor has loaded.
    Polling,
    /// It holds the mutex and sleeps until the next poll.
    Sleeping(Instant),
    /// It holds the mutex and writes the frame.
    Sending,
}

/// Fate of a frame, once it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Not known yet.
    Pending,
    /// It is with the co-processor.
    Yes,
    /// There were no credits.
    NoCredits,
    /// The UART has not taken it. Source: nobody looks at what `h_uart_write_packet` returns.
    Lost,
    /// The bus failed for good: the transport is down.
    Failed,
}

/// The writing task.
#[derive(Debug)]
pub(super) struct Writer {
    pub step: Step,
    bus: Bus,
    driver: Driver,
    /// Instant at which the Linux driver has found nothing to write, and began to sleep again and again.
    rests: Option<Instant>,
    /// Instant at which it next looks, once there is a frame.
    looks: Option<Instant>,
    /// It waits for the bus to poll for credits once more.
    polling: bool,
    frame: Option<Packet>,
    /// Buffers that the co-processor had loaded when last asked, less what was sent since.
    credits: u16,
    sent: Credits,
    polls: u8,
    interval: Duration,
    attempts: u8,
    unresponsive: u8,
}

impl Writer {
    pub fn new(bus: Bus, driver: Driver) -> Self {
        Self {
            step: Step::Idle,
            bus,
            driver,
            rests: None,
            looks: None,
            polling: false,
            frame: None,
            credits: 0,
            sent: Credits::default(),
            polls: 0,
            interval: Duration::ZERO,
            attempts: 0,
            unresponsive: 0,
        }
    }

    /// Goes on counting from `sent` buffers.
    pub fn continue_from(&mut self, sent: Credits) {
        self.sent = sent;
        self.credits = 0;
    }

    /// The frame in hand, in octets with its header.
    pub fn octets(&self) -> u32 {
        self.frame.as_ref().map_or(0, |frame| frame.len() as u32)
    }

    /// A frame from the queues; the task has to be idle.
    pub fn take(&mut self, frame: Packet) {
        assert!(self.step == Step::Idle, "the task has one frame at a time");
        self.frame = Some(frame);
        self.step = Step::Preparing;
    }

    /// End of its sleep.
    pub fn deadline(&self) -> Option<Instant> {
        if let Step::Sleeping(until) = self.step { Some(until) } else { self.looks }
    }

    /// It has found nothing to write at `now`.
    pub fn rest(&mut self, now: Instant) {
        self.rests = match self.driver {
            Driver::Linux { nap } if !nap.is_zero() => Some(self.rests.unwrap_or(now)),
            _ => None,
        };
    }

    /// Tells if it still sleeps at `now`, though there is a frame: it looks at the end of the sleep it is in.
    pub fn sleeps(&mut self, now: Instant) -> bool {
        let (Driver::Linux { nap }, Some(rests)) = (self.driver, self.rests) else { return false };
        let naps = now.saturating_since(rests).as_nanos().div_ceil(nap.as_nanos().max(1));
        let until = rests + nap * naps;
        self.looks = (until > now).then_some(until);
        if self.looks.is_none() {
            self.rests = None;
        }
        self.looks.is_some()
    }

    /// Tells if it looks again at `now`.
    pub fn wakes(&mut self, now: Instant) -> bool {
        let due = self.looks.is_some_and(|at| at <= now);
        if due {
            (self.rests, self.looks) = (None, None);
        }
        due
    }

    /// Tells if it sleeps for want of credits and has given the bus back: the Linux driver claims it for each transaction.
    pub fn sleeps_without_the_bus(&self) -> bool {
        matches!((self.step, self.driver), (Step::Sleeping(_), Driver::Linux { .. }))
    }

    /// True while it holds a frame.
    pub fn busy(&self) -> bool {
        self.step != Step::Idle
    }

    /// Gives up what it holds: the transport goes down.
    pub fn abandon(&mut self) -> Option<Packet> {
        core::mem::replace(self, Self::new(self.bus, self.driver)).frame
    }

    /// The mutex is its own now: whether the cached credits suffice.
    pub fn acquired(&mut self) {
        if self.polling {
            return self.step = Step::Polling;
        }
        let polls = Polls::of(self.bus, self.driver);
        (self.polls, self.interval) = (polls.count, polls.first);
        self.attempts = ATTEMPTS;
        self.unresponsive = UNRESPONSIVE;
        self.step = if self.bus == Bus::Uart || self.spend() { Step::Sending } else { Step::Polling };
    }

    /// Buffers of the co-processor that a frame fills.
    fn buffers(&self, octets: u32) -> u16 {
        octets.div_ceil(self.bus.buffer()) as u16
    }

    /// Spends the credits for the frame in hand; tells if there were enough.
    fn spend(&mut self) -> bool {
        let needed = self.buffers(self.octets());
        let enough = self.credits >= needed;
        if enough {
            self.credits -= needed;
        }
        enough
    }

    /// Transaction that it asks of the bus.
    pub fn transaction(&mut self) -> Option<Transaction> {
        match self.step {
            Step::Polling if self.bus == Bus::SpiHalfDuplex => {
                Some(Transaction::ReadRegisters { address: spi_hd::RX_BUF_LEN, octets: 4 })
            }
            Step::Polling => Some(Transaction::ReadRegisters { address: reg::TOKEN_RDATA, octets: 4 }),
            Step::Sending => self.frame.take().map(Transaction::WriteData),
            Step::Idle | Step::Preparing | Step::Waiting | Step::Sleeping(_) => None,
        }
    }

    /// Its sleep is over: whether the frame is given up now.
    pub fn wake(&mut self) -> Written {
        if self.polls == 0 {
            return self.finish(Written::NoCredits);
        }
        self.polling = matches!(self.driver, Driver::Linux { .. });
        self.step = if self.polling { Step::Waiting } else { Step::Polling };
        Written::Pending
    }

    /// The credit register has been read.
    pub fn polled(&mut self, now: Instant, completion: &Completion<'_>) -> Written {
        match *completion {
            Completion::Read(&[a, b, c, d]) => {
                let value = u32::from_le_bytes([a, b, c, d]);
                let token = if self.bus == Bus::SpiHalfDuplex { value } else { value >> 16 };
                self.credits = Credits::new(token).since(self.sent);
            }
            Completion::Failed(BusError::Timeout) => {
                self.unresponsive -= 1;
                return if self.unresponsive == 0 { self.finish(Written::Failed) } else { Written::Pending };
            }
            // A read with a wrong CRC says nothing; what was known before is still too little.
            Completion::Failed(_) | Completion::Read(_) | Completion::Written => {}
        }
        if self.spend() {
            self.step = Step::Sending;
        } else {
            self.polls -= 1;
            self.step = Step::Sleeping(now + self.interval);
            if self.interval < POLL_LONGEST {
                self.interval += Polls::of(self.bus, self.driver).step;
            }
        }
        Written::Pending
    }

    /// The frame has been written, or not; here it is again.
    pub fn sent(&mut self, frame: Packet, completion: &Completion<'_>) -> Written {
        if matches!(completion, Completion::Written) {
            return self.wrote(frame.len() as u32);
        }
        if self.bus == Bus::Uart {
            return self.finish(Written::Lost);
        }
        self.attempts -= 1;
        if self.attempts == 0 {
            return self.finish(Written::Failed);
        }
        self.frame = Some(frame);
        Written::Pending
    }

    /// A frame of `octets` has been written.
    pub fn wrote(&mut self, octets: u32) -> Written {
        self.sent = self.sent.plus(self.buffers(octets));
        self.finish(Written::Yes)
    }

    fn finish(&mut self, written: Written) -> Written {
        self.frame = None;
        self.polling = false;
        self.step = Step::Idle;
        written
    }
}
