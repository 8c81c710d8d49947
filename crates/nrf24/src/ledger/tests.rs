//! Books of traces written down by hand: 2 Mbit/s, addresses of 3 octets, so 28.5 µs around every payload and 4 µs
//! for each of its octets.

use alloc::vec;
use alloc::vec::Vec;

use airtime_core::ledger::Account as _;
use proptest::prelude::*;

use super::*;
use crate::air::Rate;
use crate::trace::{DropPoint, Lint, Upload};

const LINK: BookedLink = BookedLink { sender: 0, receiver: 3, radios: 2, framing: Framing::enhanced(Rate::M2, 3) };

/// A full chunk of 3 octets of payload and one of 31.
const SMALL: Upload = Upload { packet: 0, payload: 3, headers: 28, tunnel: 1, purpose: Purpose::New };
const LARGE: Upload = Upload { packet: 0, payload: 31, headers: 0, tunnel: 1, purpose: Purpose::New };

fn at(ns: u64) -> Instant {
    Instant::from_nanos(ns)
}

fn payload(upload: u32, attempt: u8, wants_ack: bool) -> Sent {
    Sent::Payload { upload, attempt, wants_ack }
}

/// What the network tells of one frame, from its first bit to its last.
fn sent(books: &mut Books, chip: usize, sent: Sent, start: u64, end: u64, received: Option<(usize, Reception)>) {
    let on_air = OnAir { channel: 108, rate: Rate::M2, start: at(start), end: at(end), sent };
    books.chip(at(start), chip, &Trace::Began { until: at(end), sent });
    books.transmission(chip, &on_air, received);
}

fn settling(books: &mut Books, now: u64) {
    books.chip(at(now), 0, &Trace::SettlingTx { until: at(now + 130_000), to_ack: false });
}

fn upload(books: &mut Books, now: u64, upload: Upload) {
    books.note(at(now), 0, &Note::Upload { radio: 0, upload });
}

fn activity(books: &mut Books, now: u64, activity: Activity) {
    books.note(at(now), 0, &Note::Activity { radio: 0, activity });
}

/// Everything but the accounts that are empty.
fn booked(books: &Books) -> Vec<(&'static str, u64)> {
    assert!(books.ledger().balances());
    let entries = books.ledger().entries().filter(|(_, time)| !time.is_zero());
    entries.map(|(account, time)| (account.name(), time.as_nanos())).collect()
}

#[test]
fn one_acknowledged_payload() {
    let mut books = Books::new(LINK, at(0));
    activity(&mut books, 0, Activity::Cpu);
    activity(&mut books, 15_000, Activity::Spi);
    upload(&mut books, 41_400, SMALL);
    settling(&mut books, 41_400);
    activity(&mut books, 41_400, Activity::AwaitsChip);
    sent(&mut books, 0, payload(0, 0, true), 171_400, 327_900, Some((3, Reception::New)));
    books.chip(at(327_900), 0, &Trace::AwaitsAck { until: at(577_900) });
    sent(&mut books, 3, Sent::Ack { upload: None }, 457_900, 486_400, Some((0, Reception::Ack)));
    books.chip(at(486_400), 0, &Trace::Sent { upload: 0, retries: 0, acked: true });
    activity(&mut books, 492_400, Activity::Waking);
    activity(&mut books, 502_400, Activity::Cpu);
    activity(&mut books, 517_400, Activity::NoData);
    activity(&mut books, 520_000, Activity::Cpu);
    let expected = [
        ("payload.up", 3 * 4_000),
        ("headers", 28 * 4_000),
        ("chunk", 4_000),
        ("phy_overhead", 28_500),
        ("settling", 130_000),
        ("ack", 130_000 + 28_500),
        ("idle.cpu", 15_000),
        ("idle.wake", 6_000 + 10_000),
        ("idle.app", 2_600),
        ("setup", 41_400),
    ];
    assert_eq!(booked(&books), expected);
    assert_eq!((books.counts().frames, books.counts().acks, books.counts().lost), (1, 1, 0));
}

#[test]
fn a_lost_frame_and_a_lost_acknowledgement() {
    let mut books = Books::new(LINK, at(0));
    upload(&mut books, 0, LARGE);
    settling(&mut books, 0);
    // Lost on the way; the window closes 250 µs after the frame, ARD is 250 µs.
    sent(&mut books, 0, payload(0, 0, true), 130_000, 286_500, None);
    books.chip(at(286_500), 0, &Trace::AwaitsAck { until: at(536_500) });
    books.chip(at(536_500), 0, &Trace::WaitsArd { until: at(666_500) });
    settling(&mut books, 536_500);
    // It arrives, but its acknowledgement does not.
    sent(&mut books, 0, payload(0, 1, true), 666_500, 823_000, Some((3, Reception::New)));
    books.chip(at(823_000), 0, &Trace::AwaitsAck { until: at(1_073_000) });
    sent(&mut books, 3, Sent::Ack { upload: None }, 953_000, 981_500, None);
    books.chip(at(1_073_000), 0, &Trace::WaitsArd { until: at(1_203_000) });
    // It arrives again, and is acknowledged again.
    sent(&mut books, 0, payload(0, 2, true), 1_203_000, 1_359_500, Some((3, Reception::Duplicate)));
    books.chip(at(1_359_500), 0, &Trace::AwaitsAck { until: at(1_609_500) });
    sent(&mut books, 3, Sent::Ack { upload: None }, 1_489_500, 1_518_000, Some((0, Reception::Ack)));
    let expected = [
        ("payload.up", 31 * 4_000),
        ("chunk", 4_000),
        ("phy_overhead", 28_500),
        ("settling", 130_000),
        ("ack", 158_500),
        ("retransmission", 156_500),
        ("loss", 156_500 + 250_000 + 250_000),
        ("ard_wait", 130_000 + 130_000),
    ];
    assert_eq!(booked(&books), expected);
    let counts = books.counts();
    assert_eq!((counts.retransmissions, counts.lost, counts.duplicates, counts.acks_lost), (2, 1, 1, 1));
}

#[test]
fn a_payload_that_was_given_up_because_its_acknowledgements_were_lost_counts_once() {
    let mut books = Books::new(LINK, at(0));
    upload(&mut books, 0, LARGE);
    settling(&mut books, 0);
    sent(&mut books, 0, payload(0, 0, true), 130_000, 286_500, Some((3, Reception::New)));
    books.chip(at(286_500), 0, &Trace::AwaitsAck { until: at(536_500) });
    sent(&mut books, 3, Sent::Ack { upload: None }, 416_500, 445_000, None);
    books.chip(at(536_500), 0, &Trace::MaxRt { upload: 0 });
    books.chip(at(600_000), 0, &Trace::Flushed { first: 0, last: 0 });
    // Its sender knows no better than to write it again, and to the receiver's chip it is another one.
    upload(&mut books, 600_000, Upload { purpose: Purpose::Repeat, ..LARGE });
    settling(&mut books, 600_000);
    sent(&mut books, 0, payload(1, 0, true), 730_000, 886_500, Some((3, Reception::New)));
    books.chip(at(886_500), 0, &Trace::AwaitsAck { until: at(1_136_500) });
    sent(&mut books, 3, Sent::Ack { upload: None }, 1_016_500, 1_045_000, Some((0, Reception::Ack)));
    books.note(at(1_045_000), 1, &Note::Delivered { octets: 31 });
    let expected = [
        ("payload.up", 31 * 4_000),
        ("chunk", 4_000),
        ("phy_overhead", 28_500),
        ("settling", 2 * 130_000),
        ("ack", 158_500),
        ("retransmission", 156_500),
        ("loss", 250_000),
        ("idle.max_rt", 63_500),
    ];
    assert_eq!(booked(&books), expected);
    assert_eq!((books.counts().delivered, books.counts().incomplete), ([1, 0], 0));
    // The next one comes, and nothing before it is missing.
    upload(&mut books, 1_045_000, Upload { packet: 1, ..LARGE });
    settling(&mut books, 1_045_000);
    sent(&mut books, 0, payload(2, 0, true), 1_175_000, 1_331_500, Some((3, Reception::New)));
    books.note(at(1_331_500), 1, &Note::Delivered { octets: 31 });
    assert_eq!((books.counts().delivered, books.counts().incomplete), ([2, 0], 0));
}

/// Frames without a gap from `start`, 156.5 µs each.
fn stream(books: &mut Books, start: u64, uploads: core::ops::Range<u32>, lost: Option<u32>) -> u64 {
    let first = uploads.start;
    for upload in uploads.clone() {
        let begins = start + u64::from(upload - first) * 156_500;
        let received = (lost != Some(upload)).then_some((3, Reception::New));
        sent(books, 0, payload(upload, 0, false), begins, begins + 156_500, received);
    }
    start + u64::from(uploads.end - first) * 156_500
}

#[test]
fn a_stream_with_a_break_for_the_pll() {
    let mut books = Books::new(LINK, at(0));
    (0..10).for_each(|packet| upload(&mut books, 0, Upload { packet, ..LARGE }));
    activity(&mut books, 0, Activity::AwaitsChip);
    settling(&mut books, 0);
    let end = stream(&mut books, 130_000, 0..6, None);
    books.chip(at(end), 0, &Trace::Standby);
    activity(&mut books, end + 1_000, Activity::Cpu);
    settling(&mut books, end + 3_000);
    let end = stream(&mut books, end + 133_000, 6..10, None);
    books.chip(at(end), 0, &Trace::Standby);
    // Nothing waits: this is no break.
    upload(&mut books, end + 7_000, Upload { packet: 10, ..LARGE });
    settling(&mut books, end + 7_000);
    stream(&mut books, end + 137_000, 10..11, None);
    let expected = [
        ("payload.up", 11 * 31 * 4_000),
        ("chunk", 11 * 4_000),
        ("phy_overhead", 11 * 28_500),
        ("settling", 260_000),
        ("pll_break", 130_000),
        ("idle.cpu", 2_000 + 7_000),
        ("idle.wake", 1_000),
    ];
    assert_eq!(booked(&books), expected);
    assert_eq!(books.counts().pll_breaks, 1);
}

#[test]
fn pulses_of_ce_are_no_breaks_for_the_pll() {
    let mut books = Books::new(LINK, at(0));
    (0..3).for_each(|_| upload(&mut books, 0, LARGE));
    let mut now = 0;
    for number in 0..3 {
        settling(&mut books, now);
        now = stream(&mut books, now + 130_000, number..number + 1, None);
        books.chip(at(now), 0, &Trace::Standby);
    }
    assert_eq!(books.ledger().of(Account::PllBreak), Duration::ZERO);
    assert_eq!(books.ledger().of(Account::Settling), Duration::from_micros(390));
}

/// Three packets of two chunks each, of which chunk `lost` is lost; `again` are sent once more by the tunnel.
fn three_packets(lost: u32, again: &[u32]) -> Books {
    let mut books = Books::new(LINK, at(0));
    let all: Vec<u32> = (0..6).chain(again.iter().copied()).collect();
    settling(&mut books, 0);
    let mut now = 130_000;
    for (number, chunk) in (0..).zip(&all) {
        let purpose = if number < 6 { Purpose::New } else { Purpose::Repeat };
        upload(&mut books, now, Upload { packet: chunk / 2, purpose, ..LARGE });
        now = stream(&mut books, now, number..number + 1, (number == lost).then_some(lost));
    }
    let whole = (0..3).filter(|packet| packet * 2 != lost / 2 * 2 || again.contains(&lost));
    for _ in whole {
        books.note(at(now), 1, &Note::Delivered { octets: 62 + 28 });
    }
    assert!(books.ledger().balances());
    books
}

#[test]
fn what_is_left_of_a_packet_arrived_for_nothing() {
    let books = three_packets(2, &[]);
    assert_eq!(books.ledger().of(Account::PayloadUp).as_nanos(), 4 * 124_000);
    assert_eq!(books.ledger().of(Account::Incomplete).as_nanos(), 124_000);
    assert_eq!(books.ledger().of(Account::Loss).as_nanos(), 156_500);
    assert_eq!((books.counts().incomplete, books.counts().delivered), (1, [2, 0]));
}

#[test]
fn a_repeat_of_what_was_lost_is_payload_and_of_what_was_not_is_none() {
    let books = three_packets(2, &[2, 3]);
    assert_eq!(books.ledger().of(Account::PayloadUp).as_nanos(), 6 * 124_000);
    assert_eq!(books.ledger().of(Account::Retransmission).as_nanos(), 156_500);
    assert_eq!(books.ledger().of(Account::Loss).as_nanos(), 156_500);
    assert_eq!(books.counts().incomplete, 0);
}

#[test]
fn payload_is_what_came_to_its_application() {
    let mut books = Books::new(LINK, at(0)).awaiting();
    settling(&mut books, 0);
    (0..4).for_each(|packet| upload(&mut books, 0, Upload { packet, ..LARGE }));
    let middle = stream(&mut books, 130_000, 0..2, None);
    let before = books.begin_measuring(at(middle));
    assert_eq!(before.of(Account::Undelivered).as_nanos(), 2 * 124_000);
    stream(&mut books, middle, 2..4, None);
    // A chunk of before, one of now, and five octets that TCP had brought already.
    books.came(0, 31 + 31);
    books.came_again(0, 5);
    let measured = books.ledger().since(&before);
    assert_eq!(measured.of(Account::PayloadUp).as_nanos(), 2 * 124_000);
    assert_eq!((measured.of(Account::TcpAgain), measured.of(Account::Undelivered)), Default::default());
    assert!(measured.balances());
}

#[test]
fn a_full_fifo_is_no_loss() {
    let mut books = Books::new(LINK, at(0));
    upload(&mut books, 0, LARGE);
    settling(&mut books, 0);
    sent(&mut books, 0, payload(0, 0, true), 130_000, 286_500, Some((3, Reception::FifoFull)));
    books.chip(at(286_500), 0, &Trace::AwaitsAck { until: at(536_500) });
    books.chip(at(536_500), 0, &Trace::WaitsArd { until: at(666_500) });
    assert_eq!(booked(&books), [("settling", 130_000), ("fifo_full", 406_500)]);
}

#[test]
fn a_payload_that_rides_on_an_acknowledgement_goes_the_other_way() {
    let mut books = Books::new(BookedLink { sender: 0, receiver: 1, radios: 1, ..LINK }, at(0));
    upload(&mut books, 0, LARGE);
    books.note(at(0), 1, &Note::Upload { radio: 0, upload: SMALL });
    settling(&mut books, 0);
    sent(&mut books, 0, payload(0, 0, true), 130_000, 286_500, Some((1, Reception::New)));
    books.chip(at(286_500), 0, &Trace::AwaitsAck { until: at(536_500) });
    sent(&mut books, 1, Sent::Ack { upload: Some(0) }, 416_500, 573_000, Some((0, Reception::Ack)));
    let expected = [
        ("payload.up", 124_000),
        ("payload.down", 12_000),
        ("headers", 112_000),
        ("chunk", 8_000),
        ("phy_overhead", 28_500),
        ("settling", 130_000),
        ("ack", 130_000 + 28_500),
    ];
    assert_eq!(booked(&books), expected);
}

#[test]
fn max_rt_waits_until_the_fifo_is_flushed() {
    let mut books = Books::new(LINK, at(0));
    upload(&mut books, 0, LARGE);
    settling(&mut books, 0);
    sent(&mut books, 0, payload(0, 0, true), 130_000, 286_500, None);
    books.chip(at(286_500), 0, &Trace::AwaitsAck { until: at(536_500) });
    books.chip(at(536_500), 0, &Trace::MaxRt { upload: 0 });
    books.chip(at(536_500), 0, &Trace::Standby);
    activity(&mut books, 600_000, Activity::Cpu);
    books.chip(at(636_500), 0, &Trace::Flushed { first: 0, last: 0 });
    activity(&mut books, 640_000, Activity::NoData);
    let expected = [("settling", 130_000), ("loss", 406_500), ("idle.cpu", 3_500), ("idle.max_rt", 100_000)];
    assert_eq!(booked(&books), expected);
    assert_eq!(Books::bottleneck(books.ledger()), Account::Loss);
}

#[test]
fn greetings_are_set_up_and_a_warm_up_is_cut_off_exactly() {
    let mut books = Books::new(LINK, at(0));
    upload(&mut books, 0, Upload { purpose: Purpose::Control, ..LARGE });
    settling(&mut books, 0);
    stream(&mut books, 130_000, 0..1, None);
    assert_eq!(booked(&books), [("setup", 286_500)]);
    upload(&mut books, 300_000, LARGE);
    settling(&mut books, 300_000);
    stream(&mut books, 430_000, 1..2, None);
    activity(&mut books, 600_000, Activity::Spi);
    let warm = books.begin_measuring(at(610_000));
    assert_eq!(warm.cursor(), at(610_000));
    let measured = books.ledger_at(at(615_000)).since(&warm);
    assert_eq!((measured.elapsed().as_nanos(), measured.of(Account::IdleSpi).as_nanos()), (5_000, 5_000));
}

fn any_trace() -> impl Strategy<Value = Trace> {
    prop_oneof![
        any::<bool>().prop_map(|to_ack| Trace::SettlingTx { until: at(0), to_ack }),
        (0..20u32, 0..3u8, any::<bool>())
            .prop_map(|(upload, attempt, ack)| Trace::Began { until: at(0), sent: payload(upload, attempt, ack) }),
        Just(Trace::AwaitsAck { until: at(0) }),
        Just(Trace::WaitsArd { until: at(0) }),
        (0..20u32).prop_map(|upload| Trace::MaxRt { upload }),
        (0..20u32, 0..3u32).prop_map(|(first, more)| Trace::Flushed { first, last: first + more }),
        Just(Trace::Standby),
        Just(Trace::Lint(Lint::RxFifoEmpty)),
    ]
}

fn any_note() -> impl Strategy<Value = Note> {
    use Activity::*;
    let activities = [Spi, Cpu, Sleep, AwaitsChip, Waking, Window, NoData, Delay, Stalled];
    prop_oneof![
        (0..2usize, prop::sample::select(activities.to_vec()))
            .prop_map(|(radio, activity)| Note::Activity { radio, activity }),
        (0..2usize, any::<u32>(), any::<[u8; 3]>(), 0..3u8).prop_map(
            |(radio, packet, [payload, headers, tunnel], p)| {
                let purpose = [Purpose::New, Purpose::Repeat, Purpose::Control][usize::from(p)];
                Note::Upload { radio, upload: Upload { packet, payload, headers, tunnel, purpose } }
            }
        ),
        any::<u16>().prop_map(|octets| Note::Delivered { octets: octets.into() }),
        Just(Note::Dropped { at: DropPoint::Gap, octets: 1 }),
        Just(Note::Resync { octets: 1 }),
    ]
}

#[derive(Clone, Debug)]
enum Event {
    Trace(usize, Trace),
    Note(usize, Note),
    Ended(usize, Sent, u64, Option<(usize, Reception)>),
    Replaced(usize, bool),
}

fn any_event() -> impl Strategy<Value = Event> {
    use Reception::*;
    let receptions = prop::sample::select(vec![New, Ack, Duplicate, FifoFull, BadCrc, Refused]);
    let sents = prop_oneof![
        (0..20u32, 0..3u8, any::<bool>()).prop_map(|(upload, attempt, ack)| payload(upload, attempt, ack)),
        prop::option::of(0..20u32).prop_map(|upload| Sent::Ack { upload }),
    ];
    prop_oneof![
        4 => (0..4usize, any_trace()).prop_map(|(chip, trace)| Event::Trace(chip, trace)),
        4 => (0..2usize, any_note()).prop_map(|(host, note)| Event::Note(host, note)),
        4 => (0..4usize, sents, 0..400_000u64, prop::option::of((0..4usize, receptions)))
            .prop_map(|(chip, sent, time, received)| Event::Ended(chip, sent, time, received)),
        1 => (0..2usize, any::<bool>()).prop_map(|(host, fresh)| Event::Replaced(host, fresh)),
    ]
}

proptest! {
    #[test]
    fn books_balance_whatever_is_told(events in prop::collection::vec((0..500_000u64, any_event()), 0..200)) {
        let mut books = Books::new(LINK, at(0)).awaiting();
        let mut now = 0;
        for (step, event) in events {
            books.came(usize::from(step % 3 == 0), step % 100);
            books.came_again(0, step % 50);
            now += step;
            match event {
                Event::Trace(chip, trace) => books.chip(at(now), chip, &trace),
                Event::Note(host, note) => books.note(at(now), host, &note),
                Event::Replaced(host, fresh) => books.replaced(at(now), host, fresh),
                Event::Ended(chip, sent, time, received) => {
                    let start = at(now.saturating_sub(time));
                    let on_air = OnAir { channel: 108, rate: Rate::M2, start, end: at(now), sent };
                    books.transmission(chip, &on_air, received);
                }
            }
            prop_assert!(books.ledger().balances());
            let whole = books.ledger_at(at(now));
            prop_assert!(whole.balances() && whole.elapsed().as_nanos() == now);
        }
    }
}
