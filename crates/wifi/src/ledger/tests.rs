use airtime_core::ledger::Account as _;
use alloc::vec::Vec;
use proptest::prelude::*;

use super::*;
use crate::air::{Guard, Phy, Width};
use crate::cell::StationId;
use crate::network::STATION;
use crate::trace::{Feed, Mpdu, MpduFate};

fn us(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

/// An MPDU with 1400 octets of UDP payload.
const DATA: Mpdu = Mpdu { octets: 1_482, msdu: 1_442, msdus: 1, payload: 1_400, fate: MpduFate::New };

/// AIFS 37, ten slots of backoff, a PPDU of 250 us, SIFS 16 with the extension, a response of 32.
fn exchange(from: StationId, ready: u64, mpdus: Vec<Mpdu>, outcome: PpduOutcome) -> OnAir {
    let start = ready + 37 + 90;
    OnAir {
        from,
        to: Some(StationId(u16::from(from == STATION))),
        phy: Phy::ht(Width::Mhz20, Guard::Ns800, 7),
        idle_since: us(ready.saturating_sub(50)),
        ready: us(ready),
        ifs: Duration::from_micros(37),
        start: us(start),
        end: us(start + 250),
        rts: false,
        follows: false,
        response: (outcome == PpduOutcome::Heard).then(|| (us(start + 260), us(start + 292))),
        outcome,
        mpdus,
    }
}

fn booked(ledger: &Ledger<Account>) -> Vec<(&'static str, u64)> {
    let some = ledger.entries().filter(|(_, span)| !span.is_zero());
    some.map(|(account, span)| (account.name(), span.as_nanos())).collect()
}

/// Three MSDUs of 1400 octets of UDP payload: subframes of 1450, padded to 1452 but for the last.
#[test]
fn headers_of_subframes_are_those_of_the_mac() {
    let mut books = Books::new(us(0), Direction::Up);
    let octets = 46 + 2 * 1_452 + 1_450;
    let amsdu = Mpdu { octets, msdu: 3 * 1_442, msdus: 3, payload: 4_200, fate: MpduFate::New };
    let first = exchange(STATION, 1_000, [amsdu].into(), PpduOutcome::Heard);
    books.on_air(&OnAir { end: us(1_127 + 600), response: Some((us(1_127 + 610), us(1_127 + 642))), ..first });
    assert!(books.ledger().balances());
    let octet = |octets: u64| octets * 8_000 / 65;
    let of = |name| booked(books.ledger()).into_iter().find(|(account, _)| *account == name).map(|(_, span)| span);
    assert_eq!(of("payload.up"), Some(octet(4_200)));
    assert_eq!(of("headers"), Some(octet(3 * 28)));
    // Of the MPDU what is in no packet: header, CCMP and check 46, and of each subframe its header and LLC 22 with its padding.
    assert_eq!(of("mac"), Some(octet(46 + 3 * 22 + 2 * 2)));
    assert_eq!((books.counts().new, books.counts().msdus), (1, 3));
}

#[test]
fn an_exchange_is_taken_apart() {
    let mut books = Books::new(us(0), Direction::Up);
    books.on_air(&exchange(STATION, 1_000, [DATA].into(), PpduOutcome::Heard));
    // 65 Mbit/s: an octet takes 123.08 ns.
    let expected = [
        ("payload.up", 1_400 * 8_000 / 65),
        ("headers", 28 * 8_000 / 65),
        ("mac", 54 * 8_000 / 65),
        ("preamble", 250_000 - 172_307 - 3_446 - 6_646),
        ("ifs", 37_000 + 10_000),
        ("backoff", 90_000),
        ("block_ack", 32_000),
        ("setup", 1_000_000),
    ];
    assert_eq!(booked(books.ledger()), expected);
    assert!(books.ledger().balances());
    assert_eq!(books.counts().payload, [1_400, 0]);
}

#[test]
fn payload_is_what_came_to_its_application() {
    let mut books = Books::new(us(0), Direction::Down).awaiting(65_000);
    let small = Mpdu { octets: 482, msdu: 442, msdus: 1, payload: 400, fate: MpduFate::New };
    books.on_air(&exchange(AP, 0, [small; 3].into(), PpduOutcome::Heard));
    let air = |octets: u64| octets * 8_000 / 65;
    books.came(1, 400);
    // An Ethernet frame of 442 octets, behind the air and in front of it; 100 octets that TCP brought again.
    books.dropped(us(2_000), DropPoint::WifiRx, 442);
    books.dropped(us(2_000), DropPoint::ApQueue, 442);
    books.ended(1, Account::TcpAgain, 100);
    let of = |account| books.ledger().of(account).as_nanos();
    assert_eq!([Account::PayloadDown, Account::Dropped, Account::TcpAgain].map(of), [air(400), air(400), air(100)]);
    assert_eq!(of(Account::Undelivered), air(1_200) - 2 * air(400) - air(100));
    assert_eq!(Books::bottleneck(books.ledger()), Account::Dropped);
    assert!(books.ledger().balances());
}

#[test]
fn payload_at_a_slower_rate_than_the_best_costs_the_difference() {
    let mut books = Books::new(us(0), Direction::Up).awaiting(130_000);
    books.on_air(&exchange(STATION, 0, [DATA].into(), PpduOutcome::Heard));
    books.came(0, 1_400);
    let of = |account| books.ledger().of(account).as_nanos();
    assert_eq!(of(Account::PayloadUp), 1_400 * 8_000 / 130);
    assert_eq!(of(Account::SlowRate), 1_400 * 8_000 / 65 - 1_400 * 8_000 / 130);
}

#[test]
fn rts_and_cts_have_an_account() {
    let mut books = Books::new(us(0), Direction::Up);
    books.on_air(&exchange(STATION, 0, [DATA].into(), PpduOutcome::Heard));
    let before = books.ledger().clone();
    let rts = |ready, outcome| OnAir { rts: true, ..exchange(STATION, ready, [].into(), outcome) };
    books.on_air(&rts(1_000, PpduOutcome::Heard));
    books.on_air(&rts(2_000, PpduOutcome::NoResponse));
    books.on_air(&rts(3_000, PpduOutcome::Collided));
    books.on_air(&rts(4_000, PpduOutcome::Heard));
    let since = books.ledger().since(&before);
    let of = |account| since.of(account).as_nanos() / 1_000;
    assert_eq!(of(Account::RtsCts), 3 * 250 + 2 * 32);
    assert_eq!((of(Account::Preamble), of(Account::BlockAck)), (0, 0));
    // What was waited for a CTS behind either, and the RTS that collided.
    assert_eq!((of(Account::Loss), of(Account::Collision)), (2_950 - 2_377, 250 + 3_950 - 3_377));
    assert!(since.balances());
    assert_eq!((books.counts().mpdus, books.counts().ppdus, books.counts().rts), (1, 5, 4));
}

#[test]
fn idle_air_follows_the_cause() {
    let mut books = Books::new(us(0), Direction::Up);
    books.on_air(&exchange(STATION, 0, [DATA].into(), PpduOutcome::Heard));
    let end = 37 + 90 + 292;
    let setup = books.ledger().clone();
    books.stage(us(end - 100), Stage::Stack, Activity::Waits(Feed::Cpu));
    books.stage(us(end + 30), Stage::HostQueue, Activity::Working);
    books.depth(us(end + 30), Queue::HostTx, 2);
    books.stage(us(end + 50), Stage::Bus, Activity::Credits);
    books.stage(us(end + 90), Stage::Coprocessor, Activity::Working);
    books.depth(us(end + 90), Queue::CoprocessorRx, 2);
    books.stage(us(end + 140), Stage::Mac, Activity::Working);
    books.on_air(&exchange(STATION, end + 140, [DATA].into(), PpduOutcome::Heard));
    let since = books.ledger().since(&setup);
    for (account, span) in [
        (Account::IdleCpu, 30),
        (Account::IdleQueue, 20),
        (Account::IdleCredits, 40),
        (Account::IdleCoprocessor, 50),
        (Account::IdleMac, 0),
    ] {
        assert_eq!(since.of(account), Duration::from_micros(span), "{account:?}");
    }
    assert_eq!(books.causes.len(), 1);
}

#[test]
fn waste_has_accounts_of_its_own() {
    let mut books = Books::new(us(0), Direction::Down);
    let fates = [MpduFate::New, MpduFate::Damaged, MpduFate::Duplicate];
    let mpdus: Vec<_> = fates.map(|fate| Mpdu { octets: 482, msdu: 442, msdus: 1, payload: 400, fate }).into();
    books.on_air(&exchange(AP, 0, mpdus, PpduOutcome::Heard));
    let ack = Mpdu { octets: 94, msdu: 54, msdus: 1, payload: 0, fate: MpduFate::New };
    books.on_air(&exchange(STATION, 1_000, [ack].into(), PpduOutcome::NoResponse));
    let beacon = Mpdu { octets: 200, msdu: 0, msdus: 0, payload: 0, fate: MpduFate::New };
    books.on_air(&exchange(AP, 2_000, [beacon].into(), PpduOutcome::Heard));
    books.on_air(&exchange(AP, 3_000, [DATA].into(), PpduOutcome::Collided));
    books.on_air(&exchange(StationId(2), 4_000, [DATA].into(), PpduOutcome::Heard));
    let of = |account| books.ledger().of(account).as_nanos();
    assert_eq!(of(Account::PayloadDown), 400 * 8_000 / 65);
    assert_eq!(of(Account::Duplicate), 482 * 8_000 / 65);
    assert_eq!(of(Account::TcpAck), 94 * 8_000 / 65);
    assert_eq!(of(Account::Management), 200 * 8_000 / 65);
    // The lost MPDU, and from the end of the PPDU without response to the next idle channel.
    assert_eq!(of(Account::Loss), 482 * 8_000 / 65 + (1_950 - 1_377) * 1_000);
    assert_eq!(of(Account::Collision), 250_000 + (3_950 - 3_377) * 1_000);
    assert_eq!(of(Account::OtherStations), 127_000 + 292_000);
    assert!(books.ledger().balances());
    let counts = books.counts();
    assert_eq!((counts.new, counts.lost, counts.duplicates, counts.tcp_acks, counts.management), (2, 2, 1, 1, 1));
    assert_eq!((counts.collisions, counts.no_response, counts.others), (1, 1, 1));
}

/// What a script may tell: exchanges and changes, in order of time.
fn steps() -> impl Strategy<Value = Vec<(u64, u8, u8, u8)>> {
    prop::collection::vec((0..3_000u64, 0..8u8, 0..8u8, 0..10u8), 0..200)
}

proptest! {
    /// Whatever the trace says, every nanosecond is booked once.
    #[test]
    fn the_books_balance(steps in steps(), direction in 0..3usize) {
        let mut books = Books::new(us(0), [Direction::Up, Direction::Down, Direction::Both][direction]);
        let (mut now, mut middle) = (0, None);
        for (index, (wait, stage, what, fate)) in steps.iter().enumerate() {
            now += wait;
            if *what < 3 {
                let outcome = [PpduOutcome::Heard, PpduOutcome::Collided, PpduOutcome::NoResponse][usize::from(*what)];
                let fate = [MpduFate::New, MpduFate::Duplicate, MpduFate::Damaged, MpduFate::Missed][usize::from(fate % 4)];
                let mpdus = (0..*stage).map(|_| Mpdu { fate, ..DATA }).collect();
                let on_air = exchange(StationId(u16::from(fate as u8 % 3)), now, mpdus, outcome);
                now = on_air.response.map_or(on_air.end, |(_, end)| end).as_nanos() / 1_000;
                books.on_air(&on_air);
            } else {
                let activities = [
                    Activity::Retrying, Activity::Working, Activity::Reading, Activity::Credits, Activity::Throttled,
                    Activity::Waits(Feed::App), Activity::Waits(Feed::Window), Activity::Waits(Feed::Rto),
                    Activity::Waits(Feed::Cwnd), Activity::Starved,
                ];
                books.stage(us(now), Stage::ALL[usize::from(*stage)], activities[usize::from(*fate)]);
                books.depth(us(now), Queue::ALL[usize::from(*stage)], u32::from(*fate % 3));
            }
            if index == steps.len() / 2 {
                middle = Some(books.begin_measuring(us(now)));
            }
        }
        let end = books.ledger_at(us(now + 5));
        prop_assert!(end.balances());
        prop_assert!(end.elapsed() >= Duration::from_micros(now + 5));
        if let Some(middle) = middle {
            prop_assert!(end.since(&middle).balances());
        }
    }
}
