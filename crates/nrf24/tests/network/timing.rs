//! To the nanosecond: when things happen on the wires.

use airtime_core::loss::Loss;
use airtime_nrf24::trace::Reception;
use embedded_hal::digital::InputPin;
use embedded_hal::spi::Operation;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::support::*;

/// Uploads one payload without acknowledgement and pulses CE.
async fn one_pulse(mut raw: Raw) {
    raw.configure(false, false).await;
    raw.command(0xB0, &[7; 32]).await;
    raw.ce(true);
    raw.wires.delay.delay_us(10).await;
    raw.ce(false);
    raw.set(0x07, 0x70).await;
}

#[test]
fn a_pulse_of_ce_sends_a_frame_when_the_transmitter_has_settled() {
    let log = Log::default();
    let heard = log.clone();
    let sender = bare(at(0), |task| one_pulse(Raw::new(&task)));
    let receiver = bare(at(0), |task| {
        Raw::new(&task).receive(move |now, payload| heard.borrow_mut().push((now.as_nanos(), payload)))
    });
    let (mut network, mut event_loop) = pair([sender, receiver], Loss::None, 1, Frames::default());
    event_loop.run_until(&mut network, at(20_000_000));
    // The upload has 33 octets; CE rises in the same instant as it ends.
    let start = CONFIGURED + 15_000 + 26_400 + 130_000;
    assert_eq!(network.observer.0, [(0, start, Some(Reception::New))]);
    // T_IRQ, the wake-up, RX_DR cleared, FIFO_STATUS, and the payload with its command.
    let read = start + 156_500 + 6_000 + 10_000 + 16_600 + 16_600 + 15_000 + 26_400;
    assert_eq!(*log.borrow(), [(read, [7; 32])]);
}

#[test]
fn reads_are_taken_when_csn_falls_and_writes_act_when_it_rises() {
    let log = Log::default();
    let seen = log.clone();
    let sender = bare(at(0), |task| async move {
        let mut raw = Raw::new(&task);
        let mut values = [0; 2];
        // Written first, read behind it in the same transaction: the chip answers with what was there.
        let operations = &mut [Operation::Write(&[0x25]), Operation::TransferInPlace(&mut values)];
        raw.wires.spi.transaction(operations).await.unwrap();
        let written = task.now().as_nanos();
        let channel = raw.read(0x05).await;
        seen.borrow_mut().push((written, channel));
        let mut read = [0xAA; 3];
        let operations = &mut [Operation::Transfer(&mut read, &[0x05, 0]), Operation::DelayNs(5_000)];
        raw.wires.spi.transaction(operations).await.unwrap();
        seen.borrow_mut().push((task.now().as_nanos(), read[1]));
        assert_eq!(read, [0x0E, 0, 0]);
    });
    let idle = bare(at(0), |_| async {});
    let (mut network, mut event_loop) = pair([sender, idle], Loss::None, 1, ());
    event_loop.run_until(&mut network, at(1_000_000));
    // Three octets; two; three and a pause of 5 µs.
    assert_eq!(*log.borrow(), [(17_400, 0), (17_400 + 16_600 + 17_400 + 5_000, 0)]);
}

#[test]
fn an_interrupt_ends_a_wait_and_a_line_that_is_low_ends_it_at_once() {
    let log = Log::default();
    let seen = log.clone();
    let sender = bare(at(0), |task| async move {
        let mut raw = Raw::new(&task);
        let note = |what| seen.borrow_mut().push((what, task.now().as_nanos()));
        raw.configure(false, false).await;
        raw.command(0xB0, &[7; 32]).await;
        raw.ce(true);
        raw.wires.irq.wait_for_falling_edge().await.unwrap();
        note("edge");
        raw.wires.irq.wait_for_low().await.unwrap();
        note("low already");
        assert!(raw.wires.irq.is_low().unwrap());
        raw.set(0x07, 0x70).await;
        note("cleared");
        raw.wires.irq.wait_for_high().await.unwrap();
        note("high already");
    });
    let idle = bare(at(0), |_| async {});
    let (mut network, mut event_loop) = pair([sender, idle], Loss::None, 1, ());
    event_loop.run_until(&mut network, at(20_000_000));
    // CE was paid for while the frame was on its way; the wait is for T_IRQ and the wake-up.
    let edge = CONFIGURED + 41_400 + 130_000 + 156_500 + 6_000 + 10_000;
    // A look at the pin costs as much as setting one.
    let cleared = edge + 1_000 + 16_600;
    let expected = [("edge", edge), ("low already", edge), ("cleared", cleared), ("high already", cleared)];
    assert_eq!(*log.borrow(), expected);
}

#[test]
fn what_comes_during_a_transaction_is_not_seen_by_it() {
    let log = Log::default();
    let seen = log.clone();
    let sender = bare(at(0), |task| one_pulse(Raw::new(&task)));
    let receiver = bare(at(0), |task| async move {
        let mut raw = Raw::new(&task);
        raw.configure(true, true).await;
        raw.ce(true);
        loop {
            let called = task.now().as_nanos();
            let status = raw.read(0x17).await;
            assert_eq!(task.now().as_nanos() - called, 16_600 + if seen.borrow().is_empty() { 1_000 } else { 0 });
            seen.borrow_mut().push((task.now().as_nanos() - 1_600, status & 1 == 0));
        }
    });
    let (mut network, mut event_loop) = pair([sender, receiver], Loss::None, 1, ());
    event_loop.run_until(&mut network, at(CONFIGURED + 1_000_000));
    let visible = CONFIGURED + 41_400 + 130_000 + 156_500 + 6_000;
    let log = log.borrow();
    assert!(log.iter().all(|(falls, seen)| *seen == (*falls >= visible)), "{visible} {log:?}");
    // The frame has come while CPU time was spent on one of these calls, whose CSN fell after it, or while octets ran.
    assert!(log.windows(2).any(|two| !two[0].1 && two[1].1));
}

#[test]
fn octets_that_run_while_a_frame_comes_read_what_was_before() {
    // The call is made so that CSN falls this long before the payload is to be seen; negative is after it.
    for (early, sees) in [(1_599, false), (1, false), (0, true), (-1, true)] {
        let log = Log::default();
        let seen = log.clone();
        let sender = bare(at(0), |task| one_pulse(Raw::new(&task)));
        let receiver = bare(at(0), move |task| async move {
            let mut raw = Raw::new(&task);
            raw.configure(true, true).await;
            raw.ce(true);
            let falls = (CONFIGURED + 41_400 + 130_000 + 156_500 + 6_000).checked_add_signed(-early).unwrap();
            task.pause(at(falls - 15_000) - task.now() - airtime_core::Duration::from_micros(1)).await;
            let status = raw.read(0x17).await;
            assert_eq!(task.now().as_nanos(), falls + 1_600);
            seen.borrow_mut().push(status & 1 == 0);
        });
        let (mut network, mut event_loop) = pair([sender, receiver], Loss::None, 1, ());
        event_loop.run_until(&mut network, at(CONFIGURED + 1_000_000));
        assert_eq!(*log.borrow(), [sees], "{early} ns before");
    }
}
