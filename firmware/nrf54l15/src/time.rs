//! The clock and the alarm behind `embassy-time`: GRTC's counter of microseconds, and its channel 0.
//!
//! embassy-nrf 0.11 has such a driver on channel 11, which is one of the five that are MPSL's (7 to 11,
//! as `nrf_mpsl::Peripherals` says): each would move the other's alarm.

use core::cell::RefCell;
use core::task::Waker;

use critical_section::{CriticalSection, Mutex};
use embassy_nrf::interrupt::Priority;
use embassy_nrf::interrupt::typelevel::{self, Interrupt as _};
use embassy_nrf::pac::grtc::vals::{Autoen, Busy};
use embassy_nrf::pac::{self, interrupt};
use embassy_nrf::{Peri, peripherals};
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

/// The compare channel of the alarm.
const CHANNEL: usize = 0;

/// Registers and interrupt of the secure domain: GRTC_2. nRF54L15 datasheet, GRTC.
const DOMAIN: usize = 2;

/// Cycles of the slow clock that the counter stays awake after its last user, and before an alarm.
/// nRF54L15 datasheet, GRTC, low power: the first is longer than the second and one more.
const TIMEOUT_CYCLES: u16 = 6;
const WAKE_CYCLES: u8 = 4;

/// After the slow clock was started, and before anybody asks for the time.
pub(crate) fn start(_channel: Peri<'static, peripherals::GRTC_CH0>) {
    let grtc = pac::GRTC;
    let ready = || while !grtc.status().lftimer().read().ready() {};
    // A reset by the probe leaves it running.
    grtc.mode().modify(|mode| mode.set_syscounteren(false));
    grtc.intenclr(DOMAIN).write(|mask| mask.0 = 1 << CHANNEL);
    grtc.events_compare(CHANNEL).write_value(0);
    ready();
    grtc.tasks_clear().write_value(1);
    ready();
    grtc.tasks_start().write_value(1);
    grtc.timeout().write(|timeout| timeout.set_value(TIMEOUT_CYCLES));
    grtc.waketime().write(|time| time.set_value(WAKE_CYCLES));
    grtc.mode().modify(|mode| {
        mode.set_syscounteren(true);
        mode.set_autoen(Autoen::CpuActive);
    });
    // Priority 0, the default, is for MPSL's radio, timer and GRTC handlers alone.
    typelevel::GRTC_2::set_priority(Priority::P2);
    #[allow(unsafe_code, reason = "unmasks an interrupt")]
    // SAFETY: its handler is below, and works from here on; no critical section is open that it could break.
    unsafe {
        typelevel::GRTC_2::enable();
    }
}

struct Grtc {
    timers: Mutex<RefCell<Queue>>,
}

embassy_time_driver::time_driver_impl!(static GRTC: Grtc = Grtc { timers: Mutex::new(RefCell::new(Queue::new())) });

impl Driver for Grtc {
    /// Microseconds since [`start`]; zero before it, for a log line may come earlier.
    fn now(&self) -> u64 {
        let grtc = pac::GRTC;
        if !grtc.mode().read().syscounteren() {
            return 0;
        }
        let counter = grtc.syscounter(DOMAIN);
        counter.active().write(|active| active.set_active(true));
        loop {
            // In this order: the high half says whether the low one had just overflowed.
            let low = counter.syscounterl().read();
            let high = counter.syscounterh().read();
            if high.busy() == Busy::Ready && !high.overflow() {
                counter.active().write(|active| active.set_active(false));
                return u64::from(high.value()) << 32 | u64::from(low);
            }
        }
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|cs| {
            if self.timers.borrow_ref_mut(cs).schedule_wake(at, waker) {
                self.arm(cs);
            }
        });
    }
}

impl Grtc {
    /// Wakes whose time has come, and sets the alarm for the next. One in the past fires at once: the
    /// counter is compared for being past the channel, not for being equal (nRF54L15 datasheet, GRTC).
    fn arm(&self, cs: CriticalSection<'_>) {
        let grtc = pac::GRTC;
        let next = self.timers.borrow_ref_mut(cs).next_expiration(self.now());
        grtc.events_compare(CHANNEL).write_value(0);
        if next == u64::MAX {
            grtc.intenclr(DOMAIN).write(|mask| mask.0 = 1 << CHANNEL);
            return;
        }
        // The low half takes the channel out of use, the high half puts it back.
        let compare = grtc.cc(CHANNEL);
        compare.ccl().write_value(next as u32);
        compare.cch().write(|high| high.set_cch((next >> 32) as u32 & 0xf_ffff));
        grtc.intenset(DOMAIN).write(|mask| mask.0 = 1 << CHANNEL);
    }
}

#[interrupt]
fn GRTC_2() {
    critical_section::with(|cs| GRTC.arm(cs));
}
