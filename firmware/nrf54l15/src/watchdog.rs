//! Watchdog: a program that hangs ends in a reset.
//!
//! It is fed by a task of the executor that the main task runs on, so it goes hungry when that one never comes to its end, when interrupts
//! stay off, and when the timers' clock stands still. A host that waits for ever for its controller is none of these.

use defmt::{unwrap, warn};
use embassy_executor::Spawner;
use embassy_nrf::wdt::{Config, HaltConfig, Watchdog, WatchdogHandle};
use embassy_nrf::{Peri, peripherals};
use embassy_time::{Duration, Ticker};

/// Time without food that it lasts. *Assumed*: a hundred times the longest that a task keeps the CPU, a signature of some tens of
/// milliseconds.
const PATIENCE_S: u32 = 8;

/// Time from one meal to the next.
const MEALS: Duration = Duration::from_secs(1);

/// Ticks of its clock in a second. nRF54L15 datasheet, WDT.
const TICKS_PER_S: u32 = 32_768;

/// Starts it, for good: nothing but a reset stops it.
///
/// # Panics
/// When called a second time.
pub fn start(spawner: Spawner, watchdog: Peri<'static, peripherals::WDT0>) {
    let mut config = Config::default();
    config.timeout_ticks = PATIENCE_S * TICKS_PER_S;
    // A core that is halted by a debugger has not hung.
    config.action_during_debug_halt = HaltConfig::Pause;
    match Watchdog::try_new::<_, 1>(watchdog, config) {
        Ok((_, [handle])) => spawner.spawn(unwrap!(feed(handle))),
        // It survives a soft reset, with the configuration of whoever started it: an earlier program's may be another.
        Err(_) => warn!("the watchdog runs for an earlier program: power off and on"),
    }
}

#[embassy_executor::task]
async fn feed(mut handle: WatchdogHandle) -> ! {
    let mut meals = Ticker::every(MEALS);
    loop {
        handle.pet();
        meals.next().await;
    }
}
