//! The log, and the end of an image that panics. `virt` has one UART, so the log goes by semihosting (Arm, Semihosting for AArch32 and
//! AArch64, which RISC-V has taken over).
#![allow(unsafe_code, reason = "semihosting is a sequence of instructions")]

use alloc::format;
use core::arch::asm;
use core::panic::PanicInfo;

use log::{LevelFilter, Log, Metadata, Record};

/// `SYS_WRITE0`: a text that ends with a zero.
const WRITE: usize = 4;

struct Console;

static CONSOLE: Console = Console;

/// Starts the log.
pub fn start() {
    // A second logger is refused: there is one.
    if log::set_logger(&CONSOLE).is_ok() {
        log::set_max_level(LevelFilter::Info);
    }
}

fn write(text: &str) {
    assert!(text.ends_with('\0'), "a text for semihosting ends with a zero");
    // SAFETY: the three instructions are the call, which reads the text up to its zero, and changes a0 alone.
    unsafe {
        asm!(
            ".balign 16",
            ".option push",
            ".option norvc",
            "slli x0, x0, 0x1f",
            "ebreak",
            "srai x0, x0, 7",
            ".option pop",
            inout("a0") WRITE => _,
            in("a1") text.as_ptr(),
            options(nostack),
        );
    }
}

impl Log for Console {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        write(&format!("{} - {}\n\0", record.level(), record.args()));
    }

    fn flush(&self) {}
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    write(&format!("{info}\n\0"));
    crate::board::reset()
}
