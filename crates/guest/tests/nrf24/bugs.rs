//! What the published drivers get wrong, each as found. A driver that is mended makes its test fail, and the page with it.

use std::cell::Cell;
use std::convert::Infallible;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use airtime_core::Duration;
use airtime_nrf24::air::Rate;
use airtime_nrf24::trace::Lint;
use airtime_nrf24::wire::Register;
use embedded_hal::spi::{self, Operation, SpiDevice};

use super::figures::{Way, measure};
use super::pair::{self, Guest, Seen};
use super::scene::{COUNT, Inbox, Style, cost, payload};
use super::{embedded_nrf24l01, embedded_nrf24l01_async, nrf24_rs, rf24_rs};

/// A sender alone on the air for a second.
fn alone(sender: impl FnOnce(&airtime_guest::nrf24::Machine<'_>) + 'static) -> Seen {
    let boards = pair::boards(cost(10, 15));
    let [left, right] = &boards;
    let nobody = Guest::blocking(right, |_| {});
    pair::run(&boards, Guest::blocking(left, sender), nobody, Duration::from_secs(1))
}

fn rate(seen: &Seen) -> Option<Rate> {
    seen.tuned.map(|(_, rate)| rate)
}

#[test]
fn rf24_rs_with_config_stays_at_1_mbps() {
    // `with_config` writes RF_SETUP & 0x27, without RF_DR_HIGH (0x08); `set_data_rate` writes it.
    let asked = |asks| alone(move |machine| rf24_rs::sender(machine, Style::Send, asks, 0));
    assert_eq!(rate(&asked(rf24_rs::Asks::WithConfig)), Some(Rate::M1));
    assert_eq!(rate(&asked(rf24_rs::Asks::SetDataRate)), Some(Rate::M2));
}

#[test]
fn nrf24_rs_never_is_at_2_mbps() {
    // `R2Mbps` is 1 and goes into bit 0 of RF_SETUP, which means nothing; RF_DR_HIGH is bit 3.
    let seen = alone(|machine| nrf24_rs::sender(machine, nrf24_rs::Waits::Irq, 0, &Cell::new(0)));
    assert_eq!(rate(&seen), Some(Rate::M1));
}

#[test]
fn nrf24_rs_overruns_the_fifo_without_a_word() {
    // `write` looks at no TX_FULL; its own example waits 50 µs from one to the next.
    let outcome = measure(Way::Nrf24(nrf24_rs::Waits::Us(50)), cost(8, 0));
    let overruns = outcome.seen.lints[0].get(&Lint::TxFifoOverrun).copied().unwrap_or_default();
    assert!(outcome.read < COUNT / 2 && overruns > COUNT / 2, "{} read, {overruns} overruns", outcome.read);
    assert_eq!(outcome.reported, 0);
}

#[test]
fn nrf24_rs_reports_a_failure_with_the_payload_after_it() {
    // MAX_RT is looked for in the STATUS from before the transmission; one payload to nobody is a success.
    let reported = Rc::new(Cell::new(0));
    let reports = reported.clone();
    let seen = alone(move |machine| nrf24_rs::sender(machine, nrf24_rs::Waits::Irq, 1, &reports));
    assert_eq!((seen.max_rt, reported.get()), (1, 0));
}

#[test]
fn nrf24_rs_masks_interrupts_in_the_wrong_register() {
    let config = Rc::new(Cell::new(0));
    let reads = config.clone();
    alone(move |machine| {
        let wires = machine.wires(0);
        let mut delay = wires.delay;
        let config = ::nrf24_rs::config::NrfConfig::default();
        let mut radio = ::nrf24_rs::Nrf24l01::new(wires.spi, wires.ce, &mut delay, config).unwrap();
        radio.mask_interrupts(::nrf24_rs::status::Interrupts::all()).unwrap();
        let mut octets = [Register::Config.address(), 0];
        machine.wires(0).spi.transfer_in_place(&mut octets).unwrap();
        reads.set(octets[1]);
    });
    assert_eq!(config.get() & 0x70, 0, "the masks of CONFIG are as they were");
}

#[test]
fn embedded_nrf24l01_throws_the_whole_fifo_away_for_one_payload() {
    // Three payloads to nobody: the first uses up its retransmissions, `wait_empty` flushes all three and says Ok.
    let seen = alone(|machine| embedded_nrf24l01::sender(machine, Style::Stream, 3));
    assert_eq!((seen.max_rt, seen.flushed), (1, 0), "nothing is flushed before it is asked");
    let seen = alone(|machine| {
        embedded_nrf24l01::in_tx(machine, |tx| {
            (0..3).for_each(|index| tx.send(&payload(index)).unwrap());
            tx.wait_empty().unwrap();
        });
    });
    assert_eq!((seen.max_rt, seen.flushed), (1, 3));
    let boards = pair::boards(cost(10, 15));
    let [left, right] = &boards;
    let sender = Guest::tasks(left, embedded_nrf24l01_async::three);
    let seen = pair::run(&boards, sender, Guest::blocking(right, |_| {}), Duration::from_secs(1));
    assert_eq!((seen.max_rt, seen.flushed), (1, 3), "the asynchronous one as well");
}

#[test]
fn three_drivers_do_not_wait_for_the_crystal() {
    for way in [Way::Rf24(Style::Send, rf24_rs::Asks::SetDataRate), Way::Embedded(Style::Send), Way::Async(Style::Send)]
    {
        let outcome = measure(way, cost(10, 15));
        assert!(outcome.seen.lints[1].contains_key(&Lint::NoPowerUpWait), "{way:?}: {:?}", outcome.seen.lints);
    }
}

#[test]
fn streams_of_published_drivers_stay_in_tx_for_more_than_4_ms() {
    for way in
        [Way::Rf24(Style::NoAck, rf24_rs::Asks::SetDataRate), Way::Embedded(Style::NoAck), Way::Async(Style::NoAck)]
    {
        let outcome = measure(way, cost(10, 15));
        assert!(outcome.seen.lints[0].contains_key(&Lint::TxBeyond4Ms), "{way:?}: {:?}", outcome.seen.lints);
    }
    let ours = measure(Way::Ours(Style::NoAck, true), cost(10, 15));
    assert!(ours.seen.lints.iter().all(std::collections::BTreeMap::is_empty), "{:?}", ours.seen.lints);
}

/// A bus on which nobody answers: MISO stays low.
struct Nobody;

impl spi::ErrorType for Nobody {
    type Error = Infallible;
}

impl embedded_hal_async::spi::SpiDevice for Nobody {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        for operation in operations {
            if let Operation::TransferInPlace(octets) = operation {
                octets.fill(0);
            }
        }
        Ok(())
    }
}

/// A pin that goes nowhere.
struct NoPin;

impl embedded_hal::digital::ErrorType for NoPin {
    type Error = Infallible;
}

impl embedded_hal::digital::OutputPin for NoPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[test]
fn embedded_nrf24l01_async_finds_a_chip_where_there_is_none() {
    // `is_connected` takes SETUP_AW 0..=3, and the register has two bits.
    let mut found = pin!(::embedded_nrf24l01_async::NRF24L01::new(NoPin, Nobody));
    let Poll::Ready(found) = found.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("nothing waits")
    };
    assert!(found.is_ok());
}

#[test]
fn lints_of_a_run_repeat_to_the_last_one() {
    let run = || {
        let boards = pair::boards(cost(8, 15));
        let (inbox, [left, right]) = (Inbox::default(), &boards);
        let sender =
            Guest::blocking(left, |machine| rf24_rs::sender(machine, Style::NoAck, rf24_rs::Asks::SetDataRate, 50));
        let receiver =
            Guest::blocking(right, move |machine| rf24_rs::receiver(machine, rf24_rs::Asks::SetDataRate, &inbox));
        let seen = pair::run(&boards, sender, receiver, Duration::from_secs(1));
        (seen.arrivals, seen.lints)
    };
    assert_eq!(run(), run(), "same program, same nanoseconds");
}
