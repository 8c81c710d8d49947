//! A host of ESP-hosted on an ESP32-P4 whose co-processor is an SDIO card: clocks, pins and flash of the chip, for the code of
//! `airtime_hosted_ends::host`, which tests run against that of a co-processor.
#![no_std]
#![no_main]

mod board;
mod plan;

use airtime_hosted_ends::host;
use embassy_executor::Spawner;
use embassy_time::Delay;
use esp_backtrace as _;
use esp_hal::clock::CpuClock;
use esp_hal::gpio::{Level, Output, OutputConfig};
use esp_hal::sdmmc::{Config, SdHostController, SlotConfig};
use esp_hal::timer::timg::TimerGroup;
use esp_storage::FlashStorage;
use log::error;
use static_cell::StaticCell;

use board::Chip;

esp_bootloader_esp_idf::esp_app_desc!();

/// Frames of both directions, messages, what the driver queues, and the buffers of a stream.
const HEAP_OCTETS: usize = 256 * 1024;

/// The controller outlives every slot.
static CONTROLLER: StaticCell<SdHostController<'static>> = StaticCell::new();

#[esp_rtos::main]
async fn main(_spawner: Spawner) -> ! {
    esp_println::logger::init_logger_from_env();
    let peripherals = esp_hal::init(esp_hal::Config::default().with_cpu_clock(CpuClock::max()));
    esp_alloc::heap_allocator!(size: HEAP_OCTETS);
    let timers = TimerGroup::new(peripherals.TIMG0);
    esp_rtos::start(timers.timer0, peripherals.FROM_CPU_INTR0);
    let chip = Chip::new(timers.wdt);

    let controller = match SdHostController::new(peripherals.SDHOST, Config::default()) {
        Ok(controller) => CONTROLLER.init(controller),
        Err(error) => halt(&error),
    };
    let slot = match controller.slot::<1>(SlotConfig::default()) {
        Ok(slot) => slot,
        Err(error) => halt(&error),
    };
    // ESP32-P4-Function-EV-Board and its kin: slot 1 goes to the ESP32-C6 (esp-hosted's Kconfig).
    let slot = slot
        .with_clk(peripherals.GPIO18)
        .with_cmd(peripherals.GPIO19)
        .with_data0(peripherals.GPIO14)
        .with_data1(peripherals.GPIO15)
        .with_data2(peripherals.GPIO16)
        .with_data3(peripherals.GPIO17)
        .into_async();
    // The co-processor's EN: low resets it.
    let enable = Output::new(peripherals.GPIO54, Level::High, OutputConfig::default());
    let flash = FlashStorage::new(peripherals.FLASH);
    host::over_card(slot, Delay, enable, flash, chip, |_| (), plan::plan()).await;
    esp_hal::system::software_reset()
}

/// Says what is missing and stays there until the watchdog resets the chip.
fn halt(error: &dyn core::fmt::Debug) -> ! {
    error!("no SDMMC controller: {error:?}");
    loop {
        core::hint::spin_loop();
    }
}
