//! The host's code against an SDIO card.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use airtime_core::{Duration, Instant, random};
use airtime_hosted_ends::host::Plan;
use airtime_hosted_ends::{Board, host};
use airtime_ota::boot::Finding;
use airtime_ota::image::Chip;
use airtime_ota::partition::Table;
use airtime_ota::slots::Slots;
use embedded_hal_async::delay::DelayNs;

use crate::chips::{EVER, Enable, NEW, OLD, firmware, with_slots};
use crate::memory::{self, Memory};
use crate::slot::{Card, Fate, Slot};
use crate::world::{Clock, Processor};

/// Delays of the card's driver.
struct Delay(Processor);

impl DelayNs for Delay {
    async fn delay_ns(&mut self, ns: u32) {
        self.0.after(Duration::from_nanos(ns.into())).await;
    }
}

/// End of a boot.
enum Boot {
    Found(Finding),
    Restarts,
    /// Power is gone.
    Cut,
}

/// A host with its card.
pub struct Rig {
    pub clock: Clock,
    pub card: Card,
    host: Memory,
    slots: Memory,
    found: Rc<RefCell<Vec<Finding>>>,
    pub unfed: Duration,
    /// The sequence in front of the update.
    pub plan: Option<Plan<'static>>,
}

impl Rig {
    pub fn new(fate: Fate, image: &[u8], stuffing: u16) -> Self {
        let (host, chip) = with_slots(image);
        let (host, mut chip) = (Memory::new(host), Memory::new(chip));
        let table = Table::of_flash(&mut chip).unwrap();
        let slots = Slots::new(chip.clone(), &table, Chip::ESP32_C6, true).unwrap();
        let card = Card::new(fate, slots, stuffing);
        Self { clock: Clock::new(), card, host, slots: chip, found: Rc::default(), unfed: Duration::ZERO, plan: None }
    }

    /// Runs a boot of the host: what it finds, or none when it restarts.
    pub fn boot(&mut self) -> Option<Finding> {
        match self.boot_until(EVER) {
            Boot::Found(finding) => Some(finding),
            Boot::Restarts => None,
            Boot::Cut => panic!("power is there"),
        }
    }

    /// Runs a boot of the host, whose power goes at `limit` or when its flash says so.
    fn boot_until(&mut self, limit: Instant) -> Boot {
        let processor = Processor::new(&self.clock);
        let (enable, mut enabled) = (Rc::new(Cell::new(true)), true);
        let found = Rc::clone(&self.found);
        let mut task: Pin<Box<dyn Future<Output = ()>>> = Box::pin(host::over_card(
            Slot { card: self.card.clone(), processor: processor.clone() },
            Delay(processor.clone()),
            Enable(Rc::clone(&enable)),
            memory::Chip::new(&self.host, &processor),
            processor.clone(),
            move |finding| found.borrow_mut().push(finding),
            self.plan,
        ));
        for _ in 0..5_000_000 {
            let polled = processor.poll(&mut task);
            let found = self.found.borrow_mut().pop();
            if !self.host.0.borrow().powered() {
                return Boot::Cut;
            }
            if let Some(finding) = found {
                return Boot::Found(finding);
            }
            if polled == Some(Poll::Ready(())) {
                return Boot::Restarts;
            }
            if std::mem::replace(&mut enabled, enable.get()) != enable.get() && enable.get() {
                self.card.reset(self.clock.now());
            }
            let next = [self.clock.next(), self.card.deadline(), processor.next()].into_iter().flatten().min();
            let next = next.expect("a watchdog is to be fed").max(self.clock.now());
            if next > limit {
                self.host.0.borrow_mut().cut();
                return Boot::Cut;
            }
            self.clock.advance(next);
            self.card.wake(self.clock.now());
            self.unfed = self.unfed.max(self.clock.now().saturating_since(processor.fed()));
        }
        panic!("the sequence does not end");
    }

    /// Version of the firmware that boots next.
    pub fn version(&mut self) -> [u32; 3] {
        let table = Table::of_flash(&mut self.slots).unwrap();
        let mut slots = Slots::new(self.slots.clone(), &table, Chip::ESP32_C6, true).unwrap();
        slots.adopt().unwrap().image.description.numbers().unwrap()
    }
}

#[test]
fn an_update_goes_over_a_card() {
    let mut rig = Rig::new(Fate::Works, &firmware(NEW, 65_536), 0);
    assert_eq!(rig.boot(), None, "it restarts when it is through");
    assert_eq!(rig.version(), NEW);
    assert_eq!(rig.boot(), Some(Finding::Nothing));
    assert_eq!(rig.card.0.borrow().resets, 3, "once a boot, and the one that was asked for");
    assert!(rig.unfed < Duration::from_secs(3), "{}", rig.unfed);
}

#[test]
fn power_of_the_host_that_goes_anywhere_ends_well() {
    let image = firmware(NEW, 8_192);
    let mut whole = Rig::new(Fate::Works, &image, 0);
    let begin = whole.host.0.borrow().work();
    assert_eq!(whole.boot(), None);
    let (time, end) = (whole.clock.now().as_nanos(), whole.host.0.borrow().work());
    let mut chance = random::stream(1, "test/card");
    for _ in 0..60 {
        let mut rig = Rig::new(Fate::Works, &image, 0);
        let (at, work) = (Instant::from_nanos(chance.below(time)), begin + chance.below(end - begin));
        let limit = if chance.below(2) == 0 {
            rig.host.0.borrow_mut().cut_at(work);
            EVER
        } else {
            at
        };
        assert!(matches!(rig.boot_until(limit), Boot::Cut), "{at} {work}");
        rig.host.0.borrow_mut().restore();
        let found = rig.boot().or_else(|| rig.boot());
        assert_eq!((found, rig.version()), (Some(Finding::Nothing), NEW), "{at} {work}");
    }
}

/// 45 frames of 1512 octets in front of each answer: the burst that ends with it is read in three pieces.
#[test]
fn a_burst_of_more_than_64_kib_is_read_whole() {
    let mut rig = Rig::new(Fate::Works, &firmware(NEW, 16_384), 45);
    assert_eq!(rig.boot(), None);
    assert_eq!(rig.version(), NEW);
    let card = rig.card.0.borrow();
    assert!(card.longest > 65_536, "{}", card.longest);
    assert_eq!(card.resets, 2, "no answer was lost");
}

#[test]
fn a_card_that_is_never_there_is_found_out() {
    for fate in [Fate::Absent, Fate::NeverReady, Fate::NeverInterrupts] {
        let mut rig = Rig::new(fate, &firmware(NEW, 8_192), 0);
        assert_eq!(rig.boot(), Some(Finding::Unreachable), "{fate:?}");
        assert!(rig.clock.now() < Instant::ZERO + Duration::from_secs(240), "{fate:?}: {}", rig.clock.now());
        assert_eq!(rig.version(), OLD);
    }
}
