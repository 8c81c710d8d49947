//! The system's Bluetooth as the host of a central: orders to the task, and what is waited for.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::Receiver;

use airtime_ble::host::Address;
use airtime_core::{Duration, Instant};
use airtime_system::stop::Stopper;

use super::error::NativeError;
use super::order::{Heard, Order, Report};
use super::wait::Reports;
use crate::ble::system::{News, SystemHost, Unanswered, Wanted, Written};

/// Time in which the adapter has to be on. *Assumed*: it is told of as soon as the program has asked.
const UP_MAX: Duration = Duration::from_secs(5);

/// Time in which a device that was heard connects, and its services are found out: CoreBluetooth waits without end. The transaction timeout
/// of ATT, Core 6.0, Vol 3, Part F, 3.3.3.
const CONNECT_MAX: Duration = Duration::from_secs(30);

/// Time in which a value is read or written: the same.
const ANSWER_MAX: Duration = Duration::from_secs(30);

/// Names that are told of when the right one is not among them.
const NAMES_TOLD: usize = 8;

/// Configuration of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeConfig {
    /// Board that is looked for; the system has one adapter.
    pub wanted: Wanted,
    /// PSM of its channel, where it is known.
    pub psm: Option<u16>,
}

/// Course of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Begin,
    Search { until: Instant },
    Heard,
    Connect { until: Instant },
    Connected,
}

/// CoreBluetooth or WinRT.
pub struct Native {
    config: NativeConfig,
    reports: Reports,
    order: Box<dyn FnMut(Order)>,
    step: Step,
    is_up: bool,
    /// Everybody who was heard, each once.
    heard: Vec<Heard>,
    /// The board.
    board: Heard,
    /// Values that have come while something else was waited for.
    values: VecDeque<News>,
}

impl Native {
    /// The system's Bluetooth, whose task takes orders from `order` and tells `reports`.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub(super) fn over(
        config: NativeConfig,
        order: Box<dyn FnMut(Order)>,
        reports: Receiver<Report>,
    ) -> io::Result<Self> {
        Ok(Self {
            config,
            reports: Reports::new(reports)?,
            order,
            step: Step::Begin,
            is_up: false,
            heard: Vec::new(),
            board: Heard::default(),
            values: VecDeque::new(),
        })
    }

    /// Handle that stops what is waited for from another thread.
    pub fn stopper(&self) -> Stopper {
        self.reports.stopper()
    }

    /// Everybody who is heard within the time of the search, or by the time the name is, with the strength of the last report of each.
    ///
    /// # Errors
    /// Why nobody can be heard.
    pub fn scan(&mut self) -> Result<Vec<Heard>, NativeError> {
        loop {
            match self.hear(self.config.wanted.within) {
                Ok(None) if !self.is_stopped() => {}
                Ok(_) | Err(NativeError::NotFound { .. }) => return Ok(std::mem::take(&mut self.heard)),
                Err(error) => return Err(error),
            }
        }
    }

    /// Notes a device that is heard; true if it is the board.
    fn note(&mut self, heard: Heard) -> bool {
        match self.heard.iter_mut().find(|known| known.id == heard.id) {
            // A report without a name does not make one forget it.
            Some(known) => {
                let name = heard.name.or(known.name.take());
                *known = Heard { name, ..heard };
                self.board = known.clone();
            }
            None => {
                self.heard.push(heard.clone());
                self.board = heard;
            }
        }
        self.board.name.as_ref() == Some(&self.config.wanted.name)
    }

    /// Refusal once nobody is heard any more.
    fn unheard(&self) -> NativeError {
        if !self.is_up {
            return NativeError::Off;
        }
        let mut names: Vec<&str> = self.heard.iter().filter_map(|heard| heard.name.as_deref()).collect();
        names.truncate(NAMES_TOLD);
        let heard = if names.is_empty() { "no name was heard".into() } else { format!("heard {}", names.join(", ")) };
        NativeError::NotFound { name: self.config.wanted.name.clone(), heard }
    }

    /// Octets of the value that an order was about, once it is carried out.
    fn done(&mut self, order: Order, what: &'static str) -> Result<usize, Unanswered<NativeError>> {
        (self.order)(order);
        let until = self.now() + ANSWER_MAX;
        loop {
            match self.reports.next(until)? {
                Some(Report::Done(octets)) => return Ok(octets),
                Some(Report::Failed(error)) => return Err(error.into()),
                Some(Report::Gone) => return Err(Unanswered::Gone),
                Some(Report::Value(value)) => self.values.push_back(News::Value(value)),
                Some(_) => {}
                None if self.is_stopped() => return Ok(0),
                None => return Err(NativeError::Silent(what).into()),
            }
        }
    }
}

impl SystemHost for Native {
    type Error = NativeError;

    fn now(&self) -> Instant {
        self.reports.now()
    }

    fn is_stopped(&self) -> bool {
        self.reports.is_stopped()
    }

    fn rest(&mut self, time: Duration) -> Result<(), NativeError> {
        // There is nobody who could tell anything.
        self.reports.next(self.now() + time).map(drop)
    }

    fn step(&self) -> Option<&'static str> {
        match self.step {
            Step::Begin | Step::Search { .. } => None,
            Step::Heard | Step::Connect { .. } => Some("the connection"),
            Step::Connected => Some("the stream"),
        }
    }

    fn is_heard(&self) -> bool {
        !matches!(self.step, Step::Begin | Step::Search { .. })
    }

    fn hear(&mut self, time: Duration) -> Result<Option<Address>, NativeError> {
        let end = self.now() + time;
        if self.step == Step::Begin {
            (self.order)(Order::Scan);
            self.step = Step::Search { until: self.now() + self.config.wanted.within };
        }
        while let Step::Search { until } = self.step {
            let until = if self.is_up { until } else { until.min(Instant::ZERO + UP_MAX) };
            match self.reports.next(until.min(end))? {
                Some(Report::Up) => self.is_up = true,
                Some(Report::Heard(heard)) => {
                    self.is_up = true;
                    if self.note(heard) {
                        self.step = Step::Heard;
                    }
                }
                Some(Report::Failed(error)) => return Err(error),
                Some(_) => {}
                None if self.is_stopped() => return Ok(None),
                None if self.now() >= until => return Err(self.unheard()),
                None => return Ok(None),
            }
        }
        Ok(Some(self.board.address()))
    }

    fn connect(&mut self, time: Duration) -> Result<Option<u16>, NativeError> {
        let end = self.now() + time;
        if self.hear(time)?.is_none() {
            return Ok(None);
        }
        if self.step == Step::Heard {
            let (part, psm) = (self.config.wanted.part, self.config.psm);
            (self.order)(Order::Connect { id: self.board.id.clone(), part, psm });
            self.step = Step::Connect { until: self.now() + CONNECT_MAX };
        }
        let Step::Connect { until } = self.step else { return Ok(None) };
        let unconnected =
            |why: &str| NativeError::Unconnected { name: self.config.wanted.name.clone(), why: why.to_owned() };
        loop {
            match self.reports.next(until.min(end))? {
                Some(Report::Connected(att_mtu)) => {
                    self.step = Step::Connected;
                    return Ok(Some(att_mtu));
                }
                Some(Report::Gone) => return Err(unconnected("it has gone again")),
                Some(Report::Failed(error)) => return Err(error),
                Some(_) => {}
                None if self.now() >= until => return Err(unconnected("no answer")),
                None => return Ok(None),
            }
        }
    }

    fn subscribe(&mut self) -> Result<(), Unanswered<NativeError>> {
        self.done(Order::Subscribe, "a subscription").map(drop)
    }

    fn read(&mut self) -> Result<usize, Unanswered<NativeError>> {
        self.done(Order::Read, "a read")
    }

    fn write(&mut self, value: &[u8], way: Written) -> Result<(), Unanswered<NativeError>> {
        self.done(Order::Write(value.to_vec(), way), "a write").map(drop)
    }

    fn news(&mut self, time: Duration) -> Result<Option<News>, NativeError> {
        if let Some(news) = self.values.pop_front() {
            return Ok(Some(news));
        }
        match self.reports.next(self.now() + time)? {
            Some(Report::Value(value)) => Ok(Some(News::Value(value))),
            Some(Report::Gone) => Ok(Some(News::Gone)),
            Some(Report::Failed(error)) => Err(error),
            _ => Ok(None),
        }
    }

    fn left(&self) -> NativeError {
        NativeError::Left(self.config.wanted.name.clone())
    }

    fn begin_again(&mut self) {
        self.hang_up();
        (self.step, self.board) = (Step::Begin, Heard::default());
        self.heard.clear();
    }

    fn hang_up(&mut self) {
        self.values.clear();
        if matches!(self.step, Step::Connect { .. } | Step::Connected) {
            (self.order)(Order::HangUp);
            self.step = Step::Heard;
        }
    }
}
