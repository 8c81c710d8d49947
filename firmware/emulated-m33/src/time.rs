//! The clock and the alarm behind `embassy-time`: two CMSDK APB timers, which count down at 20 MHz. Arm, Cortex-M System Design Kit, 4.1;
//! Arm AN505, clocks.

use core::cell::RefCell;
use core::task::Waker;

use critical_section::{CriticalSection, Mutex};
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

use crate::interrupts::{Interrupt, unmask};
use crate::register::Register;

const CLOCK: Timer = Timer(0x5000_0000);
const ALARM: Timer = Timer(0x5000_1000);

/// Cycles of the timers in a microsecond.
const CYCLES: u64 = 20;

/// CTRL.
const ENABLE: u32 = 1 << 0;
const INTERRUPT: u32 = 1 << 3;

/// A timer by its address.
#[derive(Clone, Copy)]
struct Timer(usize);

impl Timer {
    /// Counts down from `cycles` again and again, with an interrupt at zero.
    fn start(self, cycles: u32) {
        self.stop();
        Register::at(self.0 + 0x8).write(cycles);
        Register::at(self.0 + 0x4).write(cycles);
        Register::at(self.0).write(ENABLE | INTERRUPT);
    }

    /// Counts no further, and takes back its interrupt.
    fn stop(self) {
        Register::at(self.0).write(0);
        self.clear();
    }

    fn clear(self) {
        Register::at(self.0 + 0xc).write(1);
    }

    fn was_at_zero(self) -> bool {
        Register::at(self.0 + 0xc).read() & 1 != 0
    }

    fn value(self) -> u32 {
        Register::at(self.0 + 0x4).read()
    }
}

/// Starts the clock, before anybody asks for the time.
pub(crate) fn start() {
    CLOCK.start(u32::MAX);
    unmask(Interrupt::Clock);
    unmask(Interrupt::Alarm);
}

struct Timers {
    /// Times that the clock was at zero, and its interrupt was taken.
    turns: Mutex<RefCell<u64>>,
    queue: Mutex<RefCell<Queue>>,
}

embassy_time_driver::time_driver_impl!(static TIMERS: Timers = Timers { turns: Mutex::new(RefCell::new(0)), queue: Mutex::new(RefCell::new(Queue::new())) });

impl Driver for Timers {
    /// Microseconds since [`start`].
    fn now(&self) -> u64 {
        critical_section::with(|cs| {
            let mut turns = *self.turns.borrow_ref(cs);
            let mut left = CLOCK.value();
            if CLOCK.was_at_zero() {
                // Between reading the one and asking for the other it may have turned over: the value is asked for again.
                turns += 1;
                left = CLOCK.value();
            }
            ((turns << 32) + u64::from(u32::MAX - left)) / CYCLES
        })
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|cs| {
            if self.queue.borrow_ref_mut(cs).schedule_wake(at, waker) {
                self.arm(cs);
            }
        });
    }
}

impl Timers {
    /// Wakes whose time has come, and sets the alarm for the next, or as far as the timer counts.
    fn arm(&self, cs: CriticalSection<'_>) {
        ALARM.stop();
        let next = self.queue.borrow_ref_mut(cs).next_expiration(self.now());
        if next != u64::MAX {
            let cycles = next.saturating_sub(self.now()).saturating_mul(CYCLES);
            ALARM.start(u32::try_from(cycles).unwrap_or(u32::MAX).max(1));
        }
    }
}

/// The clock's interrupt.
pub(crate) fn turned_over() {
    critical_section::with(|cs| {
        CLOCK.clear();
        *TIMERS.turns.borrow_ref_mut(cs) += 1;
    });
}

/// The alarm's interrupt.
pub(crate) fn due() {
    critical_section::with(|cs| TIMERS.arm(cs));
}
