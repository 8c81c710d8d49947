//! The server and the service, and nothing else.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use line::State;
use panic_halt as _;
use static_cell::StaticCell;

#[entry]
fn main() -> ! {
    static STATE: StaticCell<State> = StaticCell::new();
    STATE.init_with(State::new).serve()
}
