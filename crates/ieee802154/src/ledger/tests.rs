//! Books of traces written down by hand; times in µs.

use alloc::vec::Vec;

use airtime_core::ledger::Account as _;

use super::*;

fn at(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

/// 10 octets of header and check, 6 of security, 20 of payload: 42 with what the PHY adds, 1344 µs.
const PARTS: Parts = Parts { payload: 20, adaptation: 0, mac: 10, security: 6 };

fn on_air(from: usize, to: usize, sent: Sent, start: u64, end: u64, fate: Fate) -> OnAir {
    OnAir { from, to, channel: 11, start: at(start), end: at(end), sent, fate }
}

/// Tells of a frame that is its sender's own, or of an acknowledgement of station 0.
fn began(books: &mut Books, start: u64, [from, to]: [usize; 2], until: u64) {
    books.began(at(start), &Begun { from, to, of: from.max(to), until: at(until) });
}

/// Tells of a transmission, and of the delivery that a new frame is.
fn ended(books: &mut Books, on_air: &OnAir) {
    books.transmission(on_air, &[]);
    if let (Sent::Data { parts, .. }, Fate::New) = (on_air.sent, on_air.fate) {
        delivered(books, on_air, parts.payload.into());
    }
}

fn delivered(books: &mut Books, on_air: &OnAir, octets: u16) {
    let OnAir { from, start, end, .. } = *on_air;
    books.delivered(&Delivery { from, octets, offered: start, handed: start, arrived: end });
}

/// Backoff of 320, CCA, turnaround and a frame of station 1, which end at `start + 1984`.
fn attempt(books: &mut Books, start: u64, attempt: u8, fate: Fate) {
    books.phase(at(start), 1, Phase::Backoff { attempt });
    books.phase(at(start + 320), 1, Phase::Cca { attempt });
    books.phase(at(start + 448), 1, Phase::Turnaround { attempt });
    began(books, start + 640, [1, 0], start + 1_984);
    books.phase(at(start + 640), 1, Phase::Sending);
    ended(books, &on_air(1, 0, Sent::Data { parts: PARTS, attempt }, start + 640, start + 1_984, fate));
    books.phase(at(start + 1_984), 1, Phase::AwaitsAck);
}

fn acknowledgement(books: &mut Books, frame_end: u64) {
    began(books, frame_end + 192, [0, 1], frame_end + 544);
    books.transmission(&on_air(0, 1, Sent::Ack, frame_end + 192, frame_end + 544, Fate::Acknowledged), &[]);
    books.phase(at(frame_end + 544), 1, Phase::Spacing);
}

/// Everything but the accounts that are empty, in µs.
fn booked(ledger: &Ledger<Account>) -> Vec<(&'static str, u64)> {
    assert!(ledger.balances());
    let entries = ledger.entries().filter(|(_, time)| !time.is_zero());
    entries.map(|(account, time)| (account.name(), time.as_micros())).collect()
}

#[test]
fn a_transaction_is_taken_apart() {
    let mut books = Books::new(at(0), 1);
    attempt(&mut books, 100, 0, Fate::New);
    acknowledgement(&mut books, 2_084);
    books.phase(at(3_268), 1, Phase::Host);
    books.phase(at(3_300), 1, Phase::App);
    let expected = [
        ("payload", 640),
        ("mac_header", 320),
        ("security", 192),
        ("phy_overhead", 192),
        ("backoff", 320),
        ("cca", 128),
        ("turnaround", 384),
        ("ack", 352),
        ("ifs", 640),
        ("idle.host", 32),
        ("idle.app", 700),
        ("setup", 100),
    ];
    assert_eq!(booked(&books.ledger_at(at(4_000))), expected);
    assert_eq!(books.ledger().cursor(), at(3_300), "a look ahead books nothing");
    assert_eq!(Books::bottleneck(&books.ledger_at(at(4_000))), Account::IdleApp);
}

#[test]
fn what_fails_is_booked_by_what_it_was_to_its_receiver() {
    for (fate, account) in [
        (Fate::Collided, "collision"),
        (Fate::Lost, "loss"),
        (Fate::Missed, "loss"),
        (Fate::Unheard, "loss"),
        (Fate::Refused, "loss"),
        (Fate::Duplicate, "duplicate"),
    ] {
        let mut books = Books::new(at(0), 1);
        attempt(&mut books, 0, 1, fate);
        books.phase(at(2_848), 1, Phase::Backoff { attempt: 2 });
        let expected = [("ack_wait", 864), ("retransmission", 640), (account, 1_344)];
        let mut booked = booked(books.ledger());
        booked.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(booked, expected);
    }
}

#[test]
fn others_take_the_air_only_while_the_sender_leaves_it_alone() {
    let mut books = Books::new(at(0), 1);
    books.phase(at(0), 1, Phase::Backoff { attempt: 0 });
    // A frame of station 2, its acknowledgement, and one of station 3 that overlaps with the end of that.
    began(&mut books, 100, [2, 0], 400);
    began(&mut books, 592, [0, 2], 944);
    began(&mut books, 900, [3, 0], 1_500);
    books.phase(at(1_200), 1, Phase::Turnaround { attempt: 0 });
    books.phase(at(1_392), 1, Phase::Spacing);
    let expected = [("backoff", 100 + 192), ("turnaround", 192), ("ifs", 100), ("other_stations", 300 + 608 + 108)];
    assert_eq!(booked(&books.ledger_at(at(1_600))), expected);
}

#[test]
fn payload_of_others_is_payload_of_the_channel() {
    let mut books = Books::new(at(0), 1);
    books.phase(at(0), 1, Phase::Backoff { attempt: 0 });
    let sent = Sent::Data { parts: PARTS, attempt: 0 };
    began(&mut books, 100, [2, 0], 1_444);
    ended(&mut books, &on_air(2, 0, sent, 100, 1_444, Fate::New));
    began(&mut books, 2_000, [2, 0], 3_344);
    ended(&mut books, &on_air(2, 0, sent, 2_000, 3_344, Fate::Lost));
    let expected = [("payload.others", 640), ("backoff", 100 + 556), ("other_stations", 704 + 1_344)];
    assert_eq!(booked(&books.ledger_at(at(3_344))), expected);
}

/// Station 3 passes on what 1 and 2 send: of that, what is of station 1 alone is the price of its hops.
#[test]
fn what_a_router_does_for_another_sender_is_that_sender_s() {
    let mut books = Books::new(at(0), 1);
    books.phase(at(0), 1, Phase::Backoff { attempt: 0 });
    let mut told = |from, to, of, start, end, sent| {
        books.began(at(start), &Begun { from, to, of, until: at(end) });
        books.transmission(&on_air(from, to, sent, start, end, Fate::New), &[]);
    };
    let data = Sent::Data { parts: PARTS, attempt: 0 };
    // From another sender to the router and on, and each acknowledgement.
    told(2, 3, 2, 100, 1_444, data);
    told(3, 2, 2, 1_636, 1_988, Sent::Ack);
    told(3, 0, 2, 3_000, 4_344, data);
    told(0, 3, 2, 4_536, 4_888, Sent::Ack);
    // The router on behalf of station 1.
    told(3, 0, 1, 6_000, 7_344, data);
    told(0, 3, 1, 7_536, 7_888, Sent::Ack);
    delivered(&mut books, &on_air(2, 0, data, 3_000, 4_344, Fate::New), 20);
    let expected = [
        ("payload.others", 640),
        ("backoff", 8_000 - 5_088),
        ("other_stations", 2 * 1_696 - 640),
        ("forwarding", 1_696),
    ];
    assert_eq!(booked(&books.ledger_at(at(8_000))), expected);
}

#[test]
fn a_frame_that_another_one_meets_is_a_collision_as_a_whole() {
    let mut books = Books::new(at(0), 1);
    books.phase(at(0), 1, Phase::Turnaround { attempt: 0 });
    began(&mut books, 100, [2, 0], 2_000);
    books.phase(at(192), 1, Phase::Sending);
    began(&mut books, 300, [3, 0], 1_700);
    let sent = Sent::Data { parts: PARTS, attempt: 0 };
    ended(&mut books, &on_air(1, 0, sent, 192, 1_536, Fate::Collided));
    books.phase(at(1_536), 1, Phase::Spacing);
    // The other frame is on the air for longer than its own.
    let expected = [("turnaround", 192), ("ifs", 176), ("collision", 1_344), ("other_stations", 464)];
    assert_eq!(booked(&books.ledger_at(at(2_176))), expected);
}

/// 20 octets of 802.15.4 payload of which 5 are those of a fragment, twice: the payload is what is whole.
#[test]
fn payload_of_a_datagram_is_payload_once_that_is_whole() {
    let parts = Parts { payload: 15, adaptation: 5, ..PARTS };
    let mut books = Books::new(at(0), 1);
    let mut fragment = |start: u64, fate, whole: Option<u16>| {
        books.phase(at(start), 1, Phase::Sending);
        let on_air = on_air(1, 0, Sent::Data { parts, attempt: 0 }, start, start + 1_344, fate);
        books.transmission(&on_air, &[]);
        if let Some(octets) = whole {
            delivered(&mut books, &on_air, octets);
        }
        books.phase(at(start + 1_344), 1, Phase::Spacing);
        booked(books.ledger())
    };
    let of =
        |booked: &[(&str, u64)], name: &str| booked.iter().find(|(other, _)| *other == name).map(|(_, time)| *time);
    let first = fragment(0, Fate::New, None);
    assert_eq!(
        (of(&first, "payload"), of(&first, "incomplete"), of(&first, "adaptation")),
        (None, Some(480), Some(160))
    );
    let second = fragment(2_000, Fate::New, Some(30));
    assert_eq!((of(&second, "payload"), of(&second, "incomplete")), (Some(960), None));
    let lost = fragment(4_000, Fate::Lost, None);
    assert_eq!((of(&lost, "payload"), of(&lost, "loss")), (Some(960), Some(1_344)));
}
