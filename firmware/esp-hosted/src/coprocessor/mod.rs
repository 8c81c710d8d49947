//! The chip with the radio: start-up, remote procedure calls, updates of its own firmware, and raw 802.11 frames to and from the air.

mod radio;
mod server;

use core::cell::RefCell;
use core::convert::Infallible;

use airtime_core::Duration;
use airtime_ota::image::Chip;
use embassy_futures::select::{Either, Either4, select, select4};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embedded_io_async::{Read, Write};
use embedded_storage::nor_flash::NorFlash;
use log::{error, info};

pub use radio::{FRAME_MAX, Heard, Radio};
use server::{Said, Server};

use crate::{Board, Flash, board, line};

/// Interval at which the start-up event is repeated until a host answers: on a UART nobody sees that the other end was
/// switched on.
const ANNOUNCE: Duration = Duration::from_secs(1);
/// From an activation until the restart: `RESTART_TIMEOUT` of esp-hosted's `slave_control.c`.
const RESTART: Duration = Duration::from_secs(2);

/// Firmware and its chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Chip that it is made for.
    pub chip: Chip,
    /// Bootloader below it, as whoever builds the image says: nothing in a flash tells. Without a word there are no updates.
    pub bootloader: Option<Bootloader>,
}

/// Bootloader, by what it does with new firmware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bootloader {
    /// It boots firmware that is not confirmed once only (`CONFIG_BOOTLOADER_APP_ROLLBACK_ENABLE`).
    GoesBack,
    /// It boots whatever was activated: firmware that does not work stays until somebody flashes the chip.
    Stays,
}

impl Bootloader {
    /// Bootloader of a word of whoever builds an image: "goes-back" or "stays".
    pub fn of(word: &str) -> Option<Self> {
        match word {
            "goes-back" => Some(Self::GoesBack),
            "stays" => Some(Self::Stays),
            _ => None,
        }
    }
}

/// The server, and a word that it has something to say.
struct Shared<F: NorFlash> {
    server: RefCell<Server<Flash<F>>>,
    more: Signal<NoopRawMutex, ()>,
}

/// Runs the co-processor until it has to be restarted: it has activated new firmware.
pub async fn run<F: NorFlash>(
    image: Image,
    receiver: impl Read,
    sender: impl Write,
    flash: F,
    radio: impl Radio,
    board: impl Board,
) {
    let server = RefCell::new(Server::new(Flash::new(flash), image));
    let shared = Shared { server, more: Signal::new() };
    shared.more.signal(());
    info!("waiting for a host");
    let receive = line::listen(receiver, &board, |frame| shared.serve(&radio, |server| server.receive(frame)));
    let rest = select4(receive, shared.hear(&radio), shared.announce(&board), board::feed(&board));
    match select(shared.send(sender, &board), rest).await {
        Either::First(()) => {}
        // They have no end.
        Either::Second(
            Either4::First(never) | Either4::Second(never) | Either4::Third(never) | Either4::Fourth(never),
        ) => match never {},
    }
}

impl<F: NorFlash> Shared<F> {
    /// Lets the server do something, and the radio what comes of it.
    fn serve(&self, radio: &impl Radio, work: impl FnOnce(&mut Server<Flash<F>>)) {
        let mut server = self.server.borrow_mut();
        work(&mut server);
        while let Some(request) = server.request_to_radio() {
            server.radio_done(radio.carry_out(&request));
        }
        self.more.signal(());
    }

    /// Sends what the server says, until it says that this ends.
    async fn send(&self, mut uart: impl Write, board: &impl Board) {
        loop {
            let said = self.server.borrow_mut().poll();
            match said {
                Some(Said::Frame(frame)) => {
                    let mut sent = uart.write_all(&frame).await;
                    if sent.is_ok() {
                        sent = uart.flush().await;
                    }
                    if let Err(error) = sent {
                        error!("the UART does not take a frame: {error}");
                    }
                }
                Some(Said::Restart) => return board.after(RESTART).await,
                None => self.more.wait().await,
            }
        }
    }

    /// Hands on what is heard.
    async fn hear(&self, radio: &impl Radio) -> Infallible {
        loop {
            let heard = radio.heard().await;
            self.serve(radio, |server| server.heard(heard.frame(), &heard.info));
        }
    }

    /// Repeats who this is until a host answers.
    async fn announce(&self, board: &impl Board) -> Infallible {
        while !self.server.borrow().has_met() {
            board.after(ANNOUNCE).await;
            let mut server = self.server.borrow_mut();
            if !server.has_met() {
                server.announce();
                self.more.signal(());
            }
        }
        core::future::pending().await
    }
}
