//! A co-processor behind a UART.

use core::cell::RefCell;

use airtime_esp_hosted::sdio::{BusError, Completion, Transaction};
use airtime_esp_hosted::wire::Bus;
use airtime_ota::boot::Finding;
use airtime_ota::flash::Storage;
use embassy_futures::select::{Either3, select, select3};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embedded_hal::digital::OutputPin;
use embedded_io_async::{Read, Write};
use embedded_storage::nor_flash::NorFlash;
use log::error;

use super::driver::Driver;
use super::{Plan, reset};
use crate::{Board, Flash, board, line};

/// Runs a host whose co-processor is behind a UART, until it has to be restarted; `enable` is the co-processor's EN, which resets it
/// while it is low. With a `plan` it goes through the [sequence](super) first.
pub async fn over_line<F: NorFlash>(
    receiver: impl Read,
    sender: impl Write,
    enable: impl OutputPin,
    flash: F,
    board: impl Board,
    found: impl FnMut(Finding),
    plan: Option<Plan<'_>>,
) {
    let driver = RefCell::new(Driver::new(board.now(), Bus::Uart, Flash::new(flash), found, plan));
    let more = Signal::<NoopRawMutex, ()>::new();
    let receive = line::listen(receiver, &board, |frame| {
        driver.borrow_mut().received(board.now(), frame);
        more.signal(());
    });
    match select3(send(&driver, &more, sender, enable, &board), receive, board::feed(&board)).await {
        Either3::First(()) => {}
        // They have no end.
        Either3::Second(never) | Either3::Third(never) => match never {},
    }
}

/// Everything but what is received: until the host has to be restarted.
async fn send<S: Storage, T: FnMut(Finding)>(
    driver: &RefCell<Driver<'_, S, T>>,
    more: &Signal<NoopRawMutex, ()>,
    mut uart: impl Write,
    mut enable: impl OutputPin,
    board: &impl Board,
) {
    loop {
        let (resets, transaction, deadline) = {
            let mut driver = driver.borrow_mut();
            driver.settle(board.now());
            if driver.restarts() {
                return;
            }
            (driver.resets(), driver.host.transaction(board.now()), driver.deadline(board.now()))
        };
        if resets {
            reset(&mut enable, board).await;
        } else if let Some(transaction) = transaction {
            let sent = write(&mut uart, &transaction).await;
            driver.borrow_mut().host.done(board.now(), transaction, sent);
        } else {
            let due = async {
                match deadline {
                    Some(at) => board.until(at).await,
                    None => core::future::pending().await,
                }
            };
            select(due, more.wait()).await;
            driver.borrow_mut().wake(board.now());
        }
    }
}

/// Writes a frame.
async fn write(uart: &mut impl Write, transaction: &Transaction) -> Completion<'static> {
    // A UART has no registers: the driver asks for none.
    let Transaction::WriteData(frame) = transaction else { return Completion::Failed(BusError::Timeout) };
    let mut sent = uart.write_all(frame).await;
    if sent.is_ok() {
        sent = uart.flush().await;
    }
    match sent {
        Ok(()) => Completion::Written,
        Err(error) => {
            error!("the UART does not take a frame: {error}");
            Completion::Failed(BusError::Timeout)
        }
    }
}
