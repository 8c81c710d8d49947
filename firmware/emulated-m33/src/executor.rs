//! The executor: as `embassy-executor` has it for a Cortex-M, but for how it sleeps.
#![allow(unsafe_code, reason = "`raw::Executor` is driven by unsafe calls")]

use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::asm::wfi;
use embassy_executor::{Spawner, raw};

/// A task was woken since the executor has looked.
static WOKEN: AtomicBool = AtomicBool::new(false);

/// The name that `embassy-executor` calls by.
// SAFETY: nothing else has this name: none of the executor's platforms is built in.
#[unsafe(export_name = "__pender")]
fn pend(_context: *mut ()) {
    WOKEN.store(true, Ordering::Release);
}

/// An executor that sleeps by WFI. QEMU goes on after WFE at once, and an image that waits would have a processor for itself.
pub struct Executor(raw::Executor);

impl Executor {
    /// An executor without tasks.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "as the executors of embassy are")]
    pub fn new() -> Self {
        Self(raw::Executor::new(core::ptr::null_mut()))
    }

    /// Runs what `init` spawns, for ever.
    pub fn run(&'static mut self, init: impl FnOnce(Spawner)) -> ! {
        init(self.0.spawner());
        loop {
            // SAFETY: from here alone, and not from within itself.
            unsafe { self.0.poll() };
            // An interrupt that comes between the question and the sleep ends the sleep, though it is masked.
            critical_section::with(|_| {
                if !WOKEN.swap(false, Ordering::Acquire) {
                    wfi();
                }
            });
        }
    }
}
