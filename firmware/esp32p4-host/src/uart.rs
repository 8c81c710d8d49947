//! A host of ESP-hosted on an ESP32-P4 whose co-processor is behind a UART, as `esp32c6-wifi` is: clocks, pins and flash of the chip, for
//! the code of `airtime_hosted_ends::host`.
#![no_std]
#![no_main]

mod board;
mod plan;

use airtime_hosted_ends::host;
use embassy_executor::Spawner;
use esp_backtrace as _;
use esp_hal::clock::CpuClock;
use esp_hal::gpio::{Level, Output, OutputConfig};
use esp_hal::timer::timg::TimerGroup;
use esp_hal::uart::{Config, Uart};
use esp_storage::FlashStorage;
use log::error;

use board::Chip;

esp_bootloader_esp_idf::esp_app_desc!();

/// Frames of both directions, messages, what the driver queues, and the buffers of a stream.
const HEAP_OCTETS: usize = 256 * 1024;

/// Rate of the UART: esp-hosted's default (`ESP_HOSTED_UART_BAUDRATE`).
const BAUD: u32 = 921_600;

#[esp_rtos::main]
async fn main(_spawner: Spawner) -> ! {
    esp_println::logger::init_logger_from_env();
    let peripherals = esp_hal::init(esp_hal::Config::default().with_cpu_clock(CpuClock::max()));
    esp_alloc::heap_allocator!(size: HEAP_OCTETS);
    let timers = TimerGroup::new(peripherals.TIMG0);
    esp_rtos::start(timers.timer0, peripherals.FROM_CPU_INTR0);
    let chip = Chip::new(timers.wdt);

    // The lines that are D0 and D1 of SDIO on the ESP32-P4-Function-EV-Board and its kin, where the ESP32-C6 has its UART.
    let uart = Uart::new(peripherals.UART1, Config::default().with_baudrate(BAUD));
    let uart = match uart {
        Ok(uart) => uart.with_tx(peripherals.GPIO14).with_rx(peripherals.GPIO15).into_async(),
        Err(error) => halt(&error),
    };
    let (receiver, sender) = uart.split();
    // The co-processor's EN: low resets it.
    let enable = Output::new(peripherals.GPIO54, Level::High, OutputConfig::default());
    let flash = FlashStorage::new(peripherals.FLASH);
    host::over_line(receiver, sender, enable, flash, chip, |_| (), plan::plan()).await;
    esp_hal::system::software_reset()
}

/// Says what is missing and stays there until the watchdog resets the chip.
fn halt(error: &dyn core::fmt::Debug) -> ! {
    error!("no UART: {error:?}");
    loop {
        core::hint::spin_loop();
    }
}
