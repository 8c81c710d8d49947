//! An image that does nothing: what every other one has besides.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use panic_halt as _;

#[entry]
fn main() -> ! {
    loop {
        core::hint::spin_loop();
    }
}
