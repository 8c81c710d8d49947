//! The co-processor's side of ESP-hosted on an ESP32-C6: start-up, RPC, updates, and raw 802.11 frames to and from the air,
//! with the machines of the laboratory (`airtime_esp_hosted`, `airtime_ota`) and esp-radio below them.
//!
//! The bus is the UART of ESP-hosted: there is no driver for the chip's SDIO slave in Rust.
#![no_std]
#![no_main]

extern crate alloc;

mod flash;
mod link;
mod radio;
mod server;

use embassy_executor::Spawner;
use embassy_futures::select::{Either3, select3};
use embassy_time::Timer;
use esp_backtrace as _;
use esp_hal::clock::CpuClock;
use esp_hal::timer::timg::TimerGroup;
use esp_hal::uart::{Config, Uart};
use log::{error, info};

use flash::Flash;
use link::Link;
use radio::Radio;
use server::{Said, Server};

esp_bootloader_esp_idf::esp_app_desc!();

/// Size of the heap: as much as esp-radio's documentation asks for, the messages of one update, and a burst of heard
/// frames.
const HEAP_OCTETS: usize = 112 * 1024;

/// Rate of the UART: esp-hosted's default (`ESP_HOSTED_UART_BAUDRATE`).
const BAUD: u32 = 921_600;

/// From an activation until the restart, as esp-hosted's `slave_control.c` has it.
const RESTART_MS: u64 = 2_000;

#[esp_rtos::main]
async fn main(_spawner: Spawner) -> ! {
    esp_println::logger::init_logger_from_env();
    let peripherals = esp_hal::init(esp_hal::Config::default().with_cpu_clock(CpuClock::max()));
    esp_alloc::heap_allocator!(size: HEAP_OCTETS);
    let timers = TimerGroup::new(peripherals.TIMG0);
    esp_rtos::start(timers.timer0, peripherals.FROM_CPU_INTR0);

    let mut radio = match Radio::new(peripherals.WIFI) {
        Ok(radio) => radio,
        Err(error) => halt("no radio", &error),
    };
    // The pins of D0 and D1 of the SDIO slave, as esp-hosted uses them for its UART.
    let uart = Uart::new(peripherals.UART1, Config::default().with_baudrate(BAUD));
    let uart = match uart {
        Ok(uart) => uart.with_rx(peripherals.GPIO20).with_tx(peripherals.GPIO21).into_async(),
        Err(error) => halt("no UART", &error),
    };
    let mut link = Link::new(uart);
    let mut server = Server::new(Flash::new(peripherals.FLASH));
    info!("waiting for a host");
    loop {
        for said in server.drain() {
            let told = match said {
                Said::Frame(frame) => link.send(&frame).await,
                Said::Radio(request) => {
                    server.radio_done(radio.carry_out(&request));
                    Ok(())
                }
                Said::Restart => {
                    Timer::after_millis(RESTART_MS).await;
                    esp_hal::system::software_reset();
                }
            };
            if let Err(error) = told {
                error!("the UART does not take a frame: {error:?}");
            }
        }
        match select3(link.receive(), radio::heard(), server.due()).await {
            Either3::First(()) => link.frames(|frame| server.receive(frame)),
            Either3::Second(heard) => server.heard(heard.frame(), &heard.info),
            Either3::Third(()) => server.announce(),
        }
    }
}

/// Says what is missing and stays there: only a reset helps.
fn halt(what: &str, error: &dyn core::fmt::Debug) -> ! {
    error!("{what}: {error:?}");
    loop {
        core::hint::spin_loop();
    }
}
