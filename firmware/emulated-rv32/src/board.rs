//! The clock, and the sleep until something happens: the machine's timer and the interrupt of its UART end it, and no handler runs.
#![allow(unsafe_code, reason = "letting an interrupt end a sleep is unsafe")]

use alloc::sync::Arc;
use alloc::task::Wake;
use core::cell::Cell;
use core::future::poll_fn;
use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};

use airtime_core::Instant;
use airtime_hosted_ends::Board;
use riscv::register::{mie, mstatus};

use crate::register::Register;

/// ACLINT of `virt`: `mtimecmp` of the first hart, and `mtime`, which counts at 10 MHz (`RISCV_ACLINT_DEFAULT_TIMEBASE_FREQ`).
const COMPARE: [Register; 2] = [Register::at(0x200_4000), Register::at(0x200_4004)];
const TIME: [Register; 2] = [Register::at(0x200_bff8), Register::at(0x200_bffc)];
const NANOSECONDS: u64 = 100;

/// PLIC of `virt`, first hart in machine mode: priority of source 10 (`UART0_IRQ`), its enable bit, threshold, claim.
const PRIORITY: Register = Register::at(0xc00_0000 + 4 * 10);
const ENABLE: Register = Register::at(0xc00_2000);
const THRESHOLD: Register = Register::at(0xc20_0000);
const CLAIM: Register = Register::at(0xc20_0004);

/// Device that ends the machine, or resets it with this value: `hw/misc/sifive_test.c`.
const FINISHER: Register = Register::at(0x10_0000);
const RESET: u32 = 0x7777;

/// The machine. It has no watchdog.
pub struct Machine {
    /// The earliest of the instants that are waited for.
    due: Cell<Instant>,
}

impl Machine {
    /// The machine, whose UART ends a sleep from now on.
    pub fn new() -> Self {
        PRIORITY.write(1);
        ENABLE.write(1 << 10);
        THRESHOLD.write(0);
        // SAFETY: no handler is called, for interrupts are off as such; what is pending ends a WFI all the same (Privileged
        // Architecture, 3.3.3).
        unsafe {
            mstatus::clear_mie();
            mie::set_mtimer();
            mie::set_mext();
        }
        Self { due: Cell::new(Instant::FAR_FUTURE) }
    }

    /// Runs `task` to its end.
    pub fn run(&self, task: impl Future<Output = ()>) {
        let mut task = pin!(task);
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        let waker = Waker::from(Arc::clone(&woken));
        loop {
            let claimed = CLAIM.read();
            self.due.set(Instant::FAR_FUTURE);
            // Whatever waits looks anew, and says for what: so a wake-up is for all of them.
            while woken.0.swap(false, Ordering::Relaxed) {
                if task.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Ready(()) {
                    return;
                }
            }
            if claimed != 0 {
                CLAIM.write(claimed);
            }
            self.sleep();
            woken.0.store(true, Ordering::Relaxed);
        }
    }

    fn sleep(&self) {
        let ticks = self.due.get().as_nanos().div_ceil(NANOSECONDS);
        // The upper half first as far as it goes, so that nothing between is early. Privileged Architecture, 3.2.1.
        COMPARE[0].write(u32::MAX);
        COMPARE[1].write((ticks >> 32) as u32);
        COMPARE[0].write(ticks as u32);
        riscv::asm::wfi();
    }
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Board for &Machine {
    fn now(&self) -> Instant {
        loop {
            let (upper, lower) = (TIME[1].read(), TIME[0].read());
            if TIME[1].read() == upper {
                return Instant::from_nanos((u64::from(upper) << 32 | u64::from(lower)) * NANOSECONDS);
            }
        }
    }

    async fn until(&self, at: Instant) {
        poll_fn(|_| {
            if at <= self.now() {
                return Poll::Ready(());
            }
            self.due.set(self.due.get().min(at));
            Poll::Pending
        })
        .await;
    }

    fn alive(&self) {}
}

/// Resets the machine; what is in its RAM stays.
pub fn reset() -> ! {
    FINISHER.write(RESET);
    loop {
        riscv::asm::wfi();
    }
}
