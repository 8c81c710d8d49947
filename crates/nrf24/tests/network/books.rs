//! The books of real chips: one acknowledged payload and one burst without acknowledgement, every nanosecond.

use airtime_core::ledger::Account as _;
use airtime_core::loss::Loss;
use airtime_nrf24::ledger::{Account, Books};
use airtime_nrf24::trace::{Activity, Purpose, Upload};
use airtime_nrf24::wires::Task;
use embedded_hal_async::digital::Wait;
use proptest::prelude::*;

use super::support::*;

/// 32 octets: 3 of payload, 28 of headers, a chunk header.
const CHUNK: Upload = Upload { packet: 0, payload: 3, headers: 28, tunnel: 1, purpose: Purpose::New };

fn booked(books: &Books, until: u64) -> Vec<(&'static str, u64)> {
    let ledger = books.ledger_at(at(until));
    assert!(ledger.balances() && ledger.elapsed().as_nanos() == until);
    let entries = ledger.entries().filter(|(_, time)| !time.is_zero());
    entries.map(|(account, time)| (account.name(), time.as_nanos())).collect()
}

/// Configures, uploads `count` payloads, sets CE, and waits until the FIFO is empty; then it has nothing to send.
async fn burst(task: Task, command: u8, count: u32) {
    let mut raw = Raw::new(&task);
    raw.configure(false, command == 0xA0).await;
    for packet in 0..count {
        raw.command(command, &[packet as u8; 32]).await;
        task.uploaded(Upload { packet, ..CHUNK });
    }
    raw.ce(true);
    while raw.read(0x17).await & 0x10 == 0 {
        raw.wires.irq.wait_for_low().await.unwrap();
        raw.set(0x07, 0x70).await;
    }
    task.until_any(Activity::NoData, false, None, None).await;
}

fn run(command: u8, count: u32, until: u64) -> Books {
    let sender = bare(at(0), move |task| burst(task, command, count));
    let receiver = bare(at(0), |task| Raw::new(&task).receive(|_, _| {}));
    let (mut network, mut event_loop) = pair([sender, receiver], Loss::None, 1, books());
    event_loop.run_until(&mut network, at(until));
    network.observer
}

#[test]
fn one_acknowledged_payload() {
    let books = run(0xA0, 1, 10_000_000);
    let uploaded = CONFIGURED + 41_400;
    let acked = uploaded + 130_000 + 156_500 + 130_000 + 28_500;
    // T_IRQ, the wake-up, STATUS cleared, FIFO_STATUS read: two transactions of two octets.
    let idle = acked + 6_000 + 10_000 + 2 * 16_600;
    let expected = [
        ("payload.up", 3 * 4_000),
        ("headers", 28 * 4_000),
        ("chunk", 4_000),
        ("phy_overhead", 28_500),
        ("settling", 130_000),
        ("ack", 130_000 + 28_500),
        ("idle.spi", 2 * 1_600),
        ("idle.cpu", 2 * 15_000),
        ("idle.wake", 6_000 + 10_000),
        ("idle.app", 10_000_000 - idle),
        ("setup", uploaded),
    ];
    assert_eq!(booked(&books, 10_000_000), expected);
    assert_eq!((books.counts().frames, books.counts().acks), (1, 1));
    assert_eq!(Books::bottleneck(&books.ledger_at(at(10_000_000))), Account::IdleApp);
}

#[test]
fn a_burst_without_acknowledgement() {
    let books = run(0xB0, 3, 10_000_000);
    let uploaded = CONFIGURED + 3 * 41_400;
    let sent = uploaded + 130_000 + 3 * 156_500;
    let idle = sent + 6_000 + 10_000 + 2 * 16_600;
    let expected = [
        ("payload.up", 3 * 3 * 4_000),
        ("headers", 3 * 28 * 4_000),
        ("chunk", 3 * 4_000),
        ("phy_overhead", 3 * 28_500),
        ("settling", 130_000),
        ("idle.spi", 2 * 1_600),
        ("idle.cpu", 2 * 15_000),
        ("idle.wake", 6_000 + 10_000),
        ("idle.app", 10_000_000 - idle),
        ("setup", uploaded),
    ];
    assert_eq!(booked(&books, 10_000_000), expected);
    assert_eq!((books.counts().frames, books.counts().data, books.counts().acks), (3, 3, 0));
}

#[test]
fn nobody_there_uses_up_the_retransmissions() {
    let sender = bare(at(0), |task| async move {
        let mut raw = Raw::new(&task);
        raw.configure(false, true).await;
        raw.command(0xA0, &[0; 32]).await;
        raw.ce(true);
        raw.wires.irq.wait_for_low().await.unwrap();
        raw.command(0xE1, &[]).await;
        task.until_any(Activity::NoData, false, None, None).await;
    });
    let deaf = bare(at(0), |_| async {});
    let (mut network, mut event_loop) = pair([sender, deaf], Loss::None, 1, books());
    event_loop.run_until(&mut network, at(20_000_000));
    let ledger = network.observer.ledger_at(at(20_000_000));
    // Sixteen frames; behind each of them a window of 250 µs, which is all of ARD too.
    assert_eq!(ledger.of(Account::Loss).as_nanos() + ledger.of(Account::ArdWait).as_nanos(), 16 * (156_500 + 250_000));
    assert_eq!(ledger.of(Account::Settling).as_nanos(), 130_000);
    assert_eq!(ledger.of(Account::PayloadUp).as_nanos(), 0);
    // The wake-up, and a transaction of one octet.
    assert_eq!(ledger.of(Account::IdleMaxRt).as_nanos(), 10_000 + 15_800);
    assert_eq!((network.observer.counts().max_rt, network.observer.counts().lost), (1, 16));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn the_books_balance_and_no_payload_is_booked_that_did_not_arrive(
        seed: u64, per in 0.0..0.6, acknowledged: bool, count in 1u32..40
    ) {
        let sender = bare(at(0), move |task| async move {
            let mut raw = Raw::new(&task);
            raw.configure(false, acknowledged).await;
            raw.ce(true);
            for packet in 0..count {
                raw.command(if acknowledged { 0xA0 } else { 0xB0 }, &[packet as u8; 32]).await;
                task.uploaded(Upload { packet, ..CHUNK });
                raw.wires.irq.wait_for_low().await.unwrap();
                if raw.read(0x07).await & 0x10 != 0 {
                    raw.command(0xE1, &[]).await;
                }
                raw.set(0x07, 0x70).await;
            }
        });
        let log = Log::default();
        let arrived = log.clone();
        let receiver = bare(at(0), |task| Raw::new(&task).receive(move |_, payload| arrived.borrow_mut().push(payload)));
        let (mut network, mut event_loop) = pair([sender, receiver], Loss::Packet { per }, seed, books());
        event_loop.run_until(&mut network, at(1_000_000_000));
        let ledger = network.observer.ledger_at(at(1_000_000_000));
        prop_assert!(ledger.balances() && ledger.elapsed().as_nanos() == 1_000_000_000);
        prop_assert_eq!(ledger.of(Account::PayloadUp).as_nanos(), log.borrow().len() as u64 * 12_000);
    }
}
