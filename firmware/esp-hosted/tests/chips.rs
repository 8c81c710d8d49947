//! Both chips on a cable: their power, their boot, and the code of their images.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use airtime_core::{Duration, Instant};
use airtime_esp_hosted::raw::RadioRequest;
use airtime_esp_hosted::rpc::status;
use airtime_hosted_ends::coprocessor::{self, Bootloader, Heard, Image, Radio};
use airtime_hosted_ends::host::{self, Plan};
use airtime_ota::boot::Finding;
use airtime_ota::direct::Side;
use airtime_ota::flash::{Nor, Storage};
use airtime_ota::image::{Chip, Description, compose};
use airtime_ota::partition::{COPROCESSOR, HOST, SLAVE_FW, TABLE_AT, Table};
use airtime_ota::slots::Slots;
use airtime_ota::stage::stage;
use embedded_hal::digital::{ErrorType, OutputPin};

use crate::cable::Lane;
use crate::memory::{self, Memory};
use crate::world::{Clock, Processor};

pub const OLD: [u32; 3] = [2, 11, 7];
pub const NEW: [u32; 3] = [2, 12, 5];
pub const EVER: Instant = Instant::from_nanos(u64::MAX);

/// From power or reset until firmware runs. *Assumed.*
const BOOT: Duration = Duration::from_millis(300);

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// A chip that has power, or none.
struct Powered {
    on: bool,
    processor: Processor,
    task: Option<Task>,
    boots: Option<Instant>,
}

impl Powered {
    fn new(clock: &Clock) -> Self {
        Self { on: false, processor: Processor::new(clock), task: None, boots: None }
    }

    fn off(&mut self) {
        (self.task, self.boots) = (None, None);
    }

    /// Instant at which something happens on it.
    fn next(&self) -> Option<Instant> {
        let task = self.task.as_ref().and_then(|_| self.processor.next());
        task.into_iter().chain(self.boots).min()
    }
}

/// Outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    Step,
    /// The host restarts.
    Restarted,
    /// The host's sequence is through.
    Found(Finding),
    /// Nothing will happen before the limit, or power was lost.
    Nothing,
}

/// Both chips.
pub struct Pair {
    clock: Clock,
    host: Powered,
    chip: Powered,
    pub to_host: Lane,
    pub to_chip: Lane,
    pub host_memory: Memory,
    pub chip_memory: Memory,
    enable: Rc<Cell<bool>>,
    enabled: bool,
    found: Rc<RefCell<Vec<Finding>>>,
    rollback: bool,
    /// The image was told of its bootloader.
    pub told: bool,
    /// The host's sequence in front of the update.
    pub plan: Option<Plan<'static>>,
    /// Version of the firmware that has booted last; none when there was none.
    pub booted: Option<[u32; 3]>,
    /// Longest time for which a watchdog was not fed while its chip ran.
    pub unfed: Duration,
}

/// Flashes of both chips as they come from the factory, with an image staged.
pub fn flashes(image: &[u8], coprocessor: &str) -> (Nor, Nor) {
    let table = Table::parse(HOST).unwrap();
    let mut host = Nor::new(table.flash(), 1);
    host.program(TABLE_AT, &table.octets()).unwrap();
    let partition = table.find(SLAVE_FW).unwrap();
    if !image.is_empty() {
        let (staged, _) = stage(image, Chip::ESP32_C6, partition.size, None).unwrap();
        host.program(partition.offset, &staged).unwrap();
    }
    let table = Table::parse(coprocessor).unwrap();
    let mut chip = Nor::new(table.flash(), 2);
    chip.program(TABLE_AT, &table.octets()).unwrap();
    if let Ok(mut slots) = Slots::new(chip.clone(), &table, Chip::ESP32_C6, true) {
        slots.install(&firmware(OLD, 8192)).unwrap();
        chip = slots.storage().clone();
    }
    (host, chip)
}

/// Firmware of this version with `octets` octets in all, a multiple of 16.
pub fn firmware([major, minor, patch]: [u32; 3], octets: usize) -> Vec<u8> {
    let description = Description {
        version: format!("{major}.{minor}.{patch}"),
        project: "airtime".into(),
        idf: "v5.5.1".into(),
        elf_sha256: [patch as u8; 32],
    };
    // Header 24, two segment headers of 8, description 256, four words, checksum in a block of 16, digest 32.
    let body = octets - (24 + 8 + 256 + 8 + 16 + 16 + 32) + (24 + 8 + 256 + 8 + 16) % 16;
    let body: Vec<u8> = (0..body as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let composed = compose(Chip::ESP32_C6, &description, &body);
    assert_eq!(composed.len(), octets);
    composed
}

impl Pair {
    /// Both without power.
    pub fn new((host, chip): (Nor, Nor), rollback: bool) -> Self {
        let clock = Clock::new();
        Self {
            host: Powered::new(&clock),
            chip: Powered::new(&clock),
            to_host: Lane::new(&clock),
            to_chip: Lane::new(&clock),
            host_memory: Memory::new(host),
            chip_memory: Memory::new(chip),
            enable: Rc::new(Cell::new(true)),
            enabled: true,
            found: Rc::default(),
            rollback,
            told: true,
            plan: None,
            booted: None,
            unfed: Duration::ZERO,
            clock,
        }
    }

    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Power comes back where it is off.
    pub fn power_on(&mut self, side: Side) {
        let at = Some(self.now() + BOOT);
        if side != Side::Host && !self.chip.on {
            self.chip_memory.0.borrow_mut().restore();
            (self.chip.on, self.chip.boots) = (true, at);
        }
        if side != Side::Coprocessor && !self.host.on {
            self.host_memory.0.borrow_mut().restore();
            (self.host.on, self.host.boots) = (true, at);
        }
    }

    /// Power goes.
    pub fn cut(&mut self, side: Side) {
        if side != Side::Coprocessor {
            self.host_memory.0.borrow_mut().cut();
            self.host_off();
            // The line has a resistor that pulls it up.
            self.enable.set(true);
            self.host.on = false;
        }
        if side != Side::Host {
            self.chip_memory.0.borrow_mut().cut();
            self.chip_off();
            self.chip.on = false;
        }
    }

    fn host_off(&mut self) {
        self.host.off();
        self.to_chip.sender_off();
        self.to_host.receiver(false);
    }

    fn chip_off(&mut self) {
        self.chip.off();
        self.to_host.sender_off();
        self.to_chip.receiver(false);
        self.booted = None;
    }

    /// Lets happen what happens next, unless that is after `limit`.
    pub fn step(&mut self, limit: Instant) -> Happened {
        let happened = self.run_host();
        self.follow_enable();
        let ran = self.run_chip();
        if let Some(happened) = happened {
            return happened;
        }
        if ran {
            return Happened::Step;
        }
        let next = [self.clock.next(), self.to_host.next(), self.to_chip.next(), self.host.next(), self.chip.next()];
        let Some(next) = next.into_iter().flatten().min().filter(|next| *next <= limit) else {
            return Happened::Nothing;
        };
        self.clock.advance(next.max(self.now()));
        self.to_host.advance();
        self.to_chip.advance();
        for side in [&self.host, &self.chip] {
            if side.task.is_some() {
                self.unfed = self.unfed.max(self.clock.now().saturating_since(side.processor.fed()));
            }
        }
        Happened::Step
    }

    fn run_host(&mut self) -> Option<Happened> {
        if self.host.boots.take_if(|at| *at <= self.clock.now()).is_some() {
            self.host.processor = Processor::new(&self.clock);
            self.to_host.receiver(true);
            self.host.task = Some(self.host_task());
        }
        let done = self.host.processor.poll(self.host.task.as_mut()?)?;
        if !self.host_memory.0.borrow().powered() {
            // Firmware does not see its own power go.
            self.found.borrow_mut().clear();
            return Some(Happened::Nothing);
        }
        if let Some(finding) = self.found.borrow_mut().pop() {
            return Some(Happened::Found(finding));
        }
        if done == Poll::Ready(()) {
            self.host_off();
            self.host.boots = Some(self.now() + BOOT);
            return Some(Happened::Restarted);
        }
        Some(Happened::Step)
    }

    fn host_task(&self) -> Task {
        let found = Rc::clone(&self.found);
        Box::pin(host::over_line(
            self.to_host.clone(),
            self.to_chip.clone(),
            Enable(Rc::clone(&self.enable)),
            memory::Chip::new(&self.host_memory, &self.host.processor),
            self.host.processor.clone(),
            move |finding| found.borrow_mut().push(finding),
            self.plan,
        ))
    }

    /// The co-processor's EN: low resets it.
    fn follow_enable(&mut self) {
        let enable = self.enable.get();
        if std::mem::replace(&mut self.enabled, enable) == enable || !self.chip.on {
            return;
        }
        self.chip_off();
        if enable {
            self.chip.boots = Some(self.now() + BOOT);
        }
    }

    /// Tells if it has done something.
    fn run_chip(&mut self) -> bool {
        if self.chip.boots.take_if(|at| *at <= self.clock.now()).is_some() && !self.boot() {
            return true;
        }
        let Some(task) = self.chip.task.as_mut() else { return false };
        let Some(done) = self.chip.processor.poll(task) else { return false };
        if !self.chip_memory.0.borrow().powered() {
            self.chip_off();
        } else if done == Poll::Ready(()) {
            self.chip_off();
            self.chip.boots = Some(self.now() + BOOT);
        }
        true
    }

    /// The bootloader; tells if there was something to boot.
    fn boot(&mut self) -> bool {
        let table = Table::of_flash(&mut self.chip_memory).expect("it has a table");
        let mut memory = self.chip_memory.clone();
        if let Ok(mut slots) = Slots::new(self.chip_memory.clone(), &table, Chip::ESP32_C6, self.rollback) {
            let booted = slots.boot();
            let powered = memory.0.borrow().powered();
            assert!(!powered || booted.is_ok(), "nothing boots: {booted:?}");
            let Ok(running) = booted else { return false };
            self.booted = running.image.description.numbers();
        } else {
            let _ = memory.read(0, &mut []);
        }
        let bootloader = if self.rollback { Bootloader::GoesBack } else { Bootloader::Stays };
        self.chip.processor = Processor::new(&self.clock);
        self.to_chip.receiver(true);
        self.chip.task = Some(Box::pin(coprocessor::run(
            Image { chip: Chip::ESP32_C6, bootloader: self.told.then_some(bootloader) },
            self.to_chip.clone(),
            self.to_host.clone(),
            memory::Chip::new(&self.chip_memory, &self.chip.processor),
            Deaf,
            self.chip.processor.clone(),
        )));
        true
    }

    /// True while neither flash has lost its power in the middle of something.
    pub fn powered(&self) -> bool {
        self.host_memory.0.borrow().powered() && self.chip_memory.0.borrow().powered()
    }

    /// Goes on until the host has something to say; not for ever.
    pub fn run(&mut self, limit: Instant) -> Happened {
        for _ in 0..10_000_000 {
            match self.step(limit) {
                Happened::Step => {}
                other => return other,
            }
        }
        panic!("the sequence does not end");
    }
}

/// Flashes as the update over SDIO has them in its tests: two slots.
pub fn with_slots(image: &[u8]) -> (Nor, Nor) {
    flashes(image, COPROCESSOR)
}

/// The co-processor's EN.
pub struct Enable(pub Rc<Cell<bool>>);

impl ErrorType for Enable {
    type Error = Infallible;
}

impl OutputPin for Enable {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.set(false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.set(true);
        Ok(())
    }
}

/// A radio that hears nothing, and does whatever it is asked.
struct Deaf;

impl Radio for Deaf {
    fn carry_out(&self, _request: &RadioRequest) -> i32 {
        status::OK
    }

    fn heard(&self) -> impl Future<Output = Heard> {
        std::future::pending()
    }
}
