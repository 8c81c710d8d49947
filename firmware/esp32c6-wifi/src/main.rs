//! The co-processor's side of ESP-hosted on an ESP32-C6: clocks, pins, flash and radio (esp-radio) of the chip, for the code of
//! `airtime_hosted_ends::coprocessor`, which tests run against that of a host.
//!
//! The bus is the UART of ESP-hosted: there is no driver for the chip's SDIO slave in Rust.
#![no_std]
#![no_main]

mod board;
mod radio;

use airtime_hosted_ends::coprocessor::{self, Bootloader, Image};
use airtime_ota::image;
use embassy_executor::Spawner;
use esp_backtrace as _;
use esp_hal::clock::CpuClock;
use esp_hal::timer::timg::TimerGroup;
use esp_hal::uart::{Config, Uart};
use esp_storage::FlashStorage;
use log::error;

use board::Chip;
use radio::Esp;

esp_bootloader_esp_idf::esp_app_desc!();

/// Size of the heap: as much as esp-radio's documentation asks for, the messages of one update, and a burst of heard
/// frames.
const HEAP_OCTETS: usize = 112 * 1024;

/// Rate of the UART: esp-hosted's default (`ESP_HOSTED_UART_BAUDRATE`).
const BAUD: u32 = 921_600;

/// Word of the bootloader, by what it does with an update that does not work: "goes-back" or "stays". Without one there are no updates.
const BOOTLOADER: Option<&str> = option_env!("AIRTIME_BOOTLOADER");

#[esp_rtos::main]
async fn main(_spawner: Spawner) -> ! {
    esp_println::logger::init_logger_from_env();
    let peripherals = esp_hal::init(esp_hal::Config::default().with_cpu_clock(CpuClock::max()));
    esp_alloc::heap_allocator!(size: HEAP_OCTETS);
    let timers = TimerGroup::new(peripherals.TIMG0);
    esp_rtos::start(timers.timer0, peripherals.FROM_CPU_INTR0);
    let chip = Chip::new(timers.wdt);

    let radio = match Esp::new(peripherals.WIFI) {
        Ok(radio) => radio,
        Err(error) => halt("no radio", &error),
    };
    // The pins of D0 and D1 of the SDIO slave, as esp-hosted uses them for its UART.
    let uart = Uart::new(peripherals.UART1, Config::default().with_baudrate(BAUD));
    let uart = match uart {
        Ok(uart) => uart.with_rx(peripherals.GPIO20).with_tx(peripherals.GPIO21).into_async(),
        Err(error) => halt("no UART", &error),
    };
    let (receiver, sender) = uart.split();
    let flash = FlashStorage::new(peripherals.FLASH);
    let image = Image { chip: image::Chip::ESP32_C6, bootloader: BOOTLOADER.and_then(Bootloader::of) };
    coprocessor::run(image, receiver, sender, flash, radio, chip).await;
    esp_hal::system::software_reset()
}

/// Says what is missing and stays there until the watchdog resets the chip.
fn halt(what: &str, error: &dyn core::fmt::Debug) -> ! {
    error!("{what}: {error:?}");
    loop {
        core::hint::spin_loop();
    }
}
