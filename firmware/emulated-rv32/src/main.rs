//! The co-processor's side of ESP-hosted on the RISC-V board that QEMU has (`virt`): its UART, its clock and a flash below the code of
//! `airtime_hosted_ends::coprocessor`, which `esp32c6-wifi` has above an ESP32-C6.
#![no_std]
#![no_main]

extern crate alloc;

mod board;
mod console;
mod nor;
mod register;
mod uart;

use airtime_esp_hosted::raw::RadioRequest;
use airtime_esp_hosted::rpc::status;
use airtime_hosted_ends::coprocessor::{self, Bootloader, Heard, Image, Radio};
use airtime_ota::image::Chip;
use linked_list_allocator::LockedHeap;
use log::info;

use board::Machine;
use nor::Nor;

/// Size of the heap: that of `esp32c6-wifi`.
const HEAP_OCTETS: usize = 112 * 1024;

#[global_allocator]
static HEAP: LockedHeap = LockedHeap::empty();

static mut MEMORY: [u8; HEAP_OCTETS] = [0; HEAP_OCTETS];

/// The board has no radio: it hears nothing, and does nothing that it is asked.
struct Silent;

impl Radio for Silent {
    fn carry_out(&self, _: &RadioRequest) -> i32 {
        status::NOT_SUPPORTED
    }

    fn heard(&self) -> impl Future<Output = Heard> {
        core::future::pending()
    }
}

/// Starts the image.
#[riscv_rt::entry]
fn main() -> ! {
    start_heap();
    console::start();
    info!("airtime coprocessor of plan emulated");
    nor::boot();
    let machine = Machine::new();
    let (receiver, sender) = uart::uart();
    let image = Image { chip: Chip::ESP32_C6, bootloader: Some(Bootloader::GoesBack) };
    machine.run(coprocessor::run(image, receiver, sender, Nor::of_machine(), Silent, &machine));
    info!("restarts");
    board::reset()
}

#[allow(unsafe_code, reason = "a heap is given its memory by address")]
fn start_heap() {
    // SAFETY: once, before anything is allocated, and nothing else touches this memory.
    unsafe { HEAP.lock().init((&raw mut MEMORY).cast(), HEAP_OCTETS) }
}
