//! Clock and watchdog of the chip.

use core::cell::RefCell;

use airtime_core::Instant;
use airtime_hosted_ends::Board;
use embassy_time::Timer;
use esp_hal::peripherals::TIMG0;
use esp_hal::time::Duration;
use esp_hal::timer::timg::{MwdtStage, Wdt};

/// Without food for so long the watchdog resets the chip: a panic ends so, too. The longest that the processor is away is the erasing of
/// a slot, 5 s as data sheets have it typically, and 62 s at worst. *Assumed.*
const STARVES: Duration = Duration::from_secs(90);

/// The chip.
pub struct Chip {
    watchdog: RefCell<Wdt<TIMG0<'static>>>,
}

impl Chip {
    /// The chip, whose watchdog is on from now on.
    pub fn new(mut watchdog: Wdt<TIMG0<'static>>) -> Self {
        watchdog.set_timeout(MwdtStage::Stage0, STARVES);
        watchdog.enable();
        Self { watchdog: RefCell::new(watchdog) }
    }
}

impl Board for Chip {
    fn now(&self) -> Instant {
        Instant::from_nanos(embassy_time::Instant::now().as_micros() * 1_000)
    }

    async fn until(&self, at: Instant) {
        Timer::at(embassy_time::Instant::from_micros(at.as_nanos().div_ceil(1_000))).await;
    }

    fn alive(&self) {
        self.watchdog.borrow_mut().feed();
    }
}
