//! A host and a co-processor with a bus between them, a Wi-Fi driver with so many transmit buffers, and a clock.

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorDrop, CoprocessorOutput, Radio};
use airtime_esp_hosted::host::{Host, HostConfig, HostDrop, HostOutput, Refused, Task};
use airtime_esp_hosted::rpc::{Request, Response};
use airtime_esp_hosted::sdio::{BusError, Completion, Transaction, blocks};

/// What things take. All zero: everything happens at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// A register.
    pub register: Duration,
    /// A block of data.
    pub block: Duration,
    /// The host's tasks, a frame each: write, split, dispatch.
    pub tasks: [Duration; 3],
    /// The co-processor's task, a frame.
    pub process: Duration,
    /// From a transmit buffer's use until it is free again.
    pub air: Duration,
}

/// What becomes of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bus {
    Works,
    /// The card has not seen it.
    Lost(BusError),
    /// The card has done it, the host has not heard it.
    Unheard(BusError),
}

const TASKS: [Task; 3] = [Task::Write, Task::Split, Task::Dispatch];

pub struct Rig {
    pub now: Instant,
    pub pool: Pool,
    pub host: Host,
    pub slave: Coprocessor,
    pub times: Times,
    /// Transmit buffers of the Wi-Fi driver that are free.
    pub buffers: usize,
    /// Decides on each transaction.
    pub bus: Box<dyn FnMut(&Transaction) -> Bus>,
    /// Changes what was read.
    pub spoil: Box<dyn FnMut(&mut Packet)>,
    /// Sequence numbers of frames that went to the air, and of those that came to the netif.
    pub aired: Vec<u32>,
    pub arrived: Vec<u32>,
    pub tests: u32,
    pub said: Vec<HostOutput>,
    pub radio: Vec<Radio>,
    /// Custom messages: the application answers with the same octets in an event of the next number.
    pub custom: u32,
    pub room: u32,
    pub slave_room: u32,
    reply: Packet,
    under_way: Option<(Instant, Transaction)>,
    tasks: [Option<Instant>; 3],
    processing: Option<Instant>,
    on_air: std::collections::VecDeque<Instant>,
}

/// A frame that carries its number.
pub fn frame(pool: &Pool, number: u32, octets: usize) -> Packet {
    let mut frame = pool.packet();
    frame.put_u32(number);
    frame.resize(octets.max(4));
    frame
}

fn number(frame: &[u8]) -> u32 {
    frame.get(..4).and_then(|head| head.try_into().ok()).map_or(u32::MAX, u32::from_le_bytes)
}

impl Rig {
    pub fn booted(host: HostConfig, slave: CoprocessorConfig) -> Self {
        let pool = Pool::new();
        Self::of(Host::booted(host, pool.clone()), Coprocessor::booted(slave, pool.clone()), pool)
    }

    /// Both from power on.
    pub fn cold(host: HostConfig, slave: CoprocessorConfig) -> Self {
        let pool = Pool::new();
        let now = Instant::from_nanos(0);
        Self::of(Host::new(now, host, pool.clone()), Coprocessor::new(now, slave, pool.clone()), pool)
    }

    pub fn of(host: Host, slave: Coprocessor, pool: Pool) -> Self {
        Self {
            now: Instant::from_nanos(0),
            reply: pool.packet(),
            pool,
            host,
            slave,
            times: Times::default(),
            buffers: usize::MAX / 2,
            bus: Box::new(|_| Bus::Works),
            spoil: Box::new(|_| ()),
            aired: Vec::new(),
            arrived: Vec::new(),
            tests: 0,
            said: Vec::new(),
            radio: Vec::new(),
            custom: 0,
            room: 0,
            slave_room: 0,
            under_way: None,
            tasks: [None; 3],
            processing: None,
            on_air: std::collections::VecDeque::new(),
        }
    }

    pub fn transmit(&mut self, number: u32, octets: usize) -> Result<(), Refused> {
        let frame = frame(&self.pool, number, octets);
        let result = self.host.transmit(self.now, frame);
        self.settle();
        result
    }

    pub fn received(&mut self, number: u32, octets: usize) -> Result<(), Packet> {
        let frame = frame(&self.pool, number, octets);
        let result = self.slave.received(self.now, frame);
        self.settle();
        result
    }

    /// Runs for `span`.
    pub fn run(&mut self, span: Duration) {
        let end = self.now + span;
        self.settle();
        while let Some(next) = self.next().filter(|&next| next <= end) {
            assert!(next > self.now, "time stands still at {}", self.now);
            self.now = next;
            self.host.wake(self.now);
            self.slave.wake(self.now);
            self.settle();
        }
        self.now = end;
    }

    fn next(&self) -> Option<Instant> {
        let mut next = self.under_way.as_ref().map(|(end, _)| *end);
        let others = [self.host.deadline(), self.slave.deadline(), self.processing, self.on_air.front().copied()];
        for at in others.into_iter().chain(self.tasks).flatten() {
            next = Some(next.map_or(at, |next: Instant| next.min(at)));
        }
        next
    }

    /// Everything that happens now.
    pub fn settle(&mut self) {
        while self.drain() || self.host_tasks() || self.slave_task() || self.transact() || self.land() {}
    }

    fn land(&mut self) -> bool {
        let due = self.on_air.front().is_some_and(|&at| at <= self.now);
        if due {
            self.on_air.pop_front();
            self.buffers += 1;
        }
        due
    }

    fn drain(&mut self) -> bool {
        let mut any = false;
        while let Some(output) = self.slave.poll(self.now) {
            any = true;
            match output {
                CoprocessorOutput::Offer(frame) => self.offer(frame),
                CoprocessorOutput::Interrupt(asserted) => self.host.interrupt(self.now, asserted),
                CoprocessorOutput::Room => self.slave_room += 1,
                CoprocessorOutput::Radio(radio) => self.radio.push(radio),
                CoprocessorOutput::Custom { id, data } => {
                    self.custom += 1;
                    self.slave.custom_event(self.now, id + 1, &data);
                }
                _ => {}
            }
        }
        while let Some(output) = self.host.poll(self.now) {
            any = true;
            match output {
                HostOutput::Frame(frame) => self.arrived.push(number(&frame)),
                HostOutput::Test(_) => self.tests += 1,
                HostOutput::Room => self.room += 1,
                HostOutput::Reset => self.slave.reset(self.now),
                HostOutput::Dropped { .. } => {}
                other => self.said.push(other),
            }
        }
        any
    }

    fn offer(&mut self, frame: Packet) {
        if self.buffers == 0 {
            return self.slave.offered(self.now, Some(frame));
        }
        self.buffers -= 1;
        self.on_air.push_back(self.now + self.times.air);
        self.aired.push(number(&frame));
        self.slave.offered(self.now, None);
    }

    fn host_tasks(&mut self) -> bool {
        let mut any = false;
        for (at, task) in TASKS.into_iter().enumerate() {
            let takes = self.times.tasks[at];
            match (self.tasks[at], self.host.work(task)) {
                (None, Some(work)) if takes.is_zero() => {
                    any = true;
                    self.host.worked(self.now, task, work.frames);
                }
                (None, Some(_)) => self.tasks[at] = Some(self.now + takes),
                (Some(end), _) if end <= self.now => {
                    any = true;
                    self.tasks[at] = None;
                    self.host.worked(self.now, task, 1);
                }
                _ => {}
            }
        }
        any
    }

    fn slave_task(&mut self) -> bool {
        match (self.processing, self.slave.work()) {
            (None, Some(_)) if self.times.process.is_zero() => self.slave.worked(self.now),
            (None, Some(_)) => {
                self.processing = Some(self.now + self.times.process);
                return false;
            }
            (Some(end), _) if end <= self.now => {
                self.processing = None;
                self.slave.worked(self.now);
            }
            _ => return false,
        }
        true
    }

    fn transact(&mut self) -> bool {
        if self.under_way.is_none() {
            let Some(transaction) = self.host.transaction(self.now) else { return false };
            let data = self.times.block * u64::from(blocks(transaction.octets()));
            self.under_way = Some((self.now + self.times.register + data, transaction));
        }
        let due = |(end, _): &mut (Instant, Transaction)| *end <= self.now;
        let Some((_, transaction)) = self.under_way.take_if(due) else { return false };
        let fate = (self.bus)(&transaction);
        let completion = match fate {
            Bus::Lost(error) => Completion::Failed(error),
            Bus::Works | Bus::Unheard(_) => {
                let read = match self.slave.bus(self.now, &transaction, &mut self.reply) {
                    Completion::Read(_) => true,
                    Completion::Written => false,
                    failed @ Completion::Failed(_) => {
                        self.host.done(self.now, transaction, failed);
                        return true;
                    }
                };
                if matches!(transaction, Transaction::ReadData { .. }) {
                    (self.spoil)(&mut self.reply);
                }
                match fate {
                    Bus::Unheard(error) => Completion::Failed(error),
                    _ if read => Completion::Read(&self.reply),
                    _ => Completion::Written,
                }
            }
        };
        // The line has changed before the host hears of the end.
        let mut later = Vec::new();
        while let Some(output) = self.slave.poll(self.now) {
            match output {
                CoprocessorOutput::Interrupt(asserted) => self.host.interrupt(self.now, asserted),
                CoprocessorOutput::Room => self.slave_room += 1,
                CoprocessorOutput::Dropped { .. } => {}
                other => later.push(other),
            }
        }
        assert!(later.is_empty(), "{later:?} comes of work, not of the bus");
        self.host.done(self.now, transaction, completion);
        true
    }

    pub fn host_drops(&self, point: HostDrop) -> u64 {
        self.host.counters().drops(point)
    }

    pub fn slave_drops(&self, point: CoprocessorDrop) -> u64 {
        self.slave.counters().drops(point)
    }

    /// Makes a request and runs until it is answered: the reply, or none when its time runs out.
    pub fn ask(&mut self, request: Request) -> Option<Response> {
        let mine = self.host.call(self.now, request).expect("the transport is up, and nothing is under way");
        self.said.clear();
        for _ in 0..100_000 {
            self.run(Duration::from_millis(1));
            let at = self.said.iter().position(|said| match said {
                HostOutput::Reply { uid, .. } => *uid == mine,
                HostOutput::Expired(expired) => expired.uid == mine,
                _ => false,
            });
            match at.map(|at| self.said.remove(at)) {
                Some(HostOutput::Reply { response, .. }) => return Some(response),
                Some(_) => return None,
                None => {}
            }
        }
        panic!("neither a reply nor the end of its time");
    }

    /// Frames lost at either side.
    pub fn all_drops(&self) -> u64 {
        HostDrop::ALL.into_iter().map(|point| self.host_drops(point)).sum::<u64>()
            + CoprocessorDrop::ALL.into_iter().map(|point| self.slave_drops(point)).sum::<u64>()
    }
}
