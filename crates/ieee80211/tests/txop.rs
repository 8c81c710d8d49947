//! A-MSDUs and TXOPs as closed forms, with every time worked out by hand; and what they are as octets.

use airtime_core::{Duration, Pool};
use airtime_ieee80211::air::{Access, Aggregation, Guard, Msdus, Phy, Timing, Txop, Width};
use airtime_ieee80211::wire::{Data, Direction, MacAddress, Sequence, amsdu, llc, llc::Ethernet};

/// 65 Mbit/s: 260 bits in 4 us.
const LGI7: Phy = Phy::ht(Width::Mhz20, Guard::Ns800, 7);

/// UDP datagrams of 1472 octets in an open network: an MSDU of 1508, a subframe of 1522.
const OPEN: Msdus = Msdus { ethernet: 1_514, encrypted: false, amsdu: 0 };

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

fn txop(limits: Aggregation, msdus: Msdus, limit_us: u64) -> Txop {
    Txop::new(&Timing::ghz5(), Access::BEST_EFFORT, &limits, LGI7, &msdus, us(limit_us))
}

/// A PPDU of `psdu` octets: 36 us of preamble and symbols of 260 bits with 22 bits besides.
fn ppdu(psdu: u64) -> u64 {
    36 + (psdu * 8 + 22).div_ceil(260) * 4
}

/// SIFS, slots and responses of 5 GHz: acknowledgement 28 us and Block Ack 32 us at 24 Mbit/s.
const SIFS: u64 = 16;
const ACK: u64 = 28;
const BLOCK_ACK: u64 = 32;

#[test]
fn an_amsdu_has_as_many_msdus_as_fit_its_octets() {
    let shared = |amsdu| Msdus { amsdu, ..OPEN }.shared(65_535);
    // Subframes of 1522 octets, padded to 1524 but for the last.
    for (limit, msdus, octets) in [
        (0, 1, 1_508),
        (1_522, 1, 1_508),
        (3_045, 1, 1_508),
        (3_046, 2, 1_524 + 1_522),
        (3_839, 2, 3_046),
        (7_935, 5, 4 * 1_524 + 1_522),
    ] {
        assert_eq!(shared(limit), (msdus, octets), "{limit}");
    }
    assert_eq!(Msdus { amsdu: 7_935, ..OPEN }.shared(5_000), (3, 2 * 1_524 + 1_522), "the PSDU has no room for more");
}

#[test]
fn without_a_limit_a_txop_is_one_exchange() {
    // MPDUs of 26 + 1508 + 4 octets.
    let one = txop(Aggregation::NONE, OPEN, 0);
    assert_eq!((one.exchanges, one.mpdus, one.msdus), (1, 1, 1));
    assert_eq!(one.busy, us(ppdu(1_538) + SIFS + ACK));
    // AIFS of SIFS and three slots, half of fifteen slots.
    assert_eq!(one.total(), us(16 + 27) + Duration::from_nanos(67_500) + one.busy);
    let five = txop(Aggregation::NONE, Msdus { amsdu: 7_935, ..OPEN }, 0);
    assert_eq!((five.mpdus, five.msdus, five.busy), (1, 5, us(ppdu(30 + 7_618) + SIFS + ACK)));
}

#[test]
fn an_ampdu_of_amsdus_is_filled_to_its_last_octet() {
    let limits = Aggregation { octets: 32_768, ..Aggregation::ht(64) };
    let d = txop(limits, Msdus { amsdu: 3_839, ..OPEN }, 0);
    // Ten MPDUs of two MSDUs, 4 + 30 + 3046 octets each, and one of a single MSDU, 4 + 30 + 1508, which is all that is left.
    assert_eq!((d.mpdus, d.msdus), (11, 21));
    assert_eq!(d.busy, us(ppdu(10 * 3_080 + 1_542) + SIFS + BLOCK_ACK));
}

#[test]
fn exchanges_follow_a_sifs_apart_while_all_of_one_fits() {
    // One exchange is 272 us, and each more 16 us besides.
    let each = ppdu(1_538) + SIFS + ACK;
    assert_eq!(each, 36 + 192 + 44, "48 symbols");
    for (limit, exchanges) in
        [(1, 1), (each, 1), (2 * each + SIFS - 1, 1), (2 * each + SIFS, 2), (3_520, (3_520 + SIFS) / (each + SIFS))]
    {
        let txop = txop(Aggregation::NONE, OPEN, limit);
        assert_eq!(u64::from(txop.exchanges), exchanges, "{limit}");
        assert_eq!(txop.busy, us(exchanges * each + (exchanges - 1) * SIFS), "{limit}");
    }
}

#[test]
fn the_last_exchange_takes_what_is_left() {
    // Three exchanges of five MSDUs, then one of a single MSDU: two would take 36 + 380 + 44 us.
    let c = txop(Aggregation::NONE, Msdus { amsdu: 7_935, ..OPEN }, 3_520);
    let full = ppdu(7_648) + SIFS + ACK;
    let left = 3_520 - 3 * (full + SIFS);
    assert!((ppdu(1_538) + SIFS + ACK..ppdu(30 + 3_046) + SIFS + ACK).contains(&left), "{left}");
    assert_eq!((c.exchanges, c.mpdus, c.msdus), (4, 4, 16));
    assert_eq!(c.busy, us(3 * (full + SIFS) + ppdu(1_538) + SIFS + ACK));
    // An A-MPDU as long as the limit leaves room for; nothing fits behind it.
    let a = txop(Aggregation::ht(64), OPEN, 3_520);
    let most = |n: u64| ppdu((n - 1) * 1_544 + 1_542) + SIFS + BLOCK_ACK;
    let n = (1..64).take_while(|&n| most(n) <= 3_520).last().unwrap();
    assert_eq!((a.exchanges, u64::from(a.mpdus), a.busy), (1, n, us(most(n))));
}

/// The longest TXOPs that ns-3.37 tells of the networks A to D of its examples wifi-aggregation and wifi-txop-aggregation (ControlMode HtMcs0 leaves
/// responses at 24 Mbit/s), less 34 ns for the way of each exchange. Where a CF-End fits it is in them: SIFS 16, and 20 octets at 6 Mbit/s, 52 us;
/// where a SIFS fits and nothing else, that is.
#[test]
fn ns_3_tells_the_same_durations() {
    const CF_END: u64 = 16 + 20 + 8 * 4;
    let amsdu = |amsdu| Msdus { amsdu, ..OPEN };
    let (a, d) = (Aggregation::ht(64), Aggregation { octets: 32_768, ..Aggregation::ht(64) });
    let none = Aggregation::NONE;
    for (limits, msdus, limit, exchanges, told_ns, besides) in [
        (a, amsdu(0), 0, 1, 5_408_034, 0),
        (none, amsdu(0), 0, 1, 272_034, 0),
        (none, amsdu(7_935), 0, 1, 1_024_034, 0),
        (d, amsdu(3_839), 0, 1, 4_068_034, 0),
        (a, amsdu(0), 3_520, 1, 3_508_034, 0),
        (none, amsdu(0), 3_520, 12, 3_508_408, CF_END),
        (none, amsdu(7_935), 3_520, 4, 3_460_136, CF_END),
        (d, amsdu(3_839), 3_520, 1, 3_516_034, SIFS),
    ] {
        let found = txop(limits, msdus, limit);
        let told = Duration::from_nanos(told_ns - 34 * exchanges) - us(besides);
        assert_eq!((u64::from(found.exchanges), found.busy), (exchanges, told), "{limits:?} {msdus:?} {limit}");
    }
}

#[test]
fn a_frame_with_an_amsdu_has_a_header_for_each_msdu() {
    let address = MacAddress::local;
    let ethernet = |payload| Ethernet { destination: address(2), source: address(1), ether_type: 0x0800, payload };
    let data = Data {
        direction: Direction::ToDs,
        bssid: address(3),
        ethernet: ethernet(&[1; 5]),
        sequence: Sequence::new(1, 0),
        tid: Some(0),
        retry: false,
        ccmp: None,
        duration_us: 44,
    };
    let mut frame = Pool::new().packet();
    data.emit_amsdu(&mut frame, [ethernet(&[2; 7]), ethernet(&[3; 1])].into_iter());
    // Third address is the access point's, and QoS Control says what follows.
    assert_eq!((&frame[16..22], &frame[24..26]), (&address(3).0[..], &[0x80, 0][..]));
    let body = &frame[26..];
    // 14 + 8 + 5 and a padding of 1, 14 + 8 + 7 and 3, 14 + 8 + 1.
    assert_eq!(body.len(), 28 + 32 + 23);
    assert_eq!((&body[12..14], &body[28 + 12..28 + 14]), (&[0, 13][..], &[0, 15][..]));
    let read: Vec<_> = amsdu::Subframes::new(body)
        .map(|frame| (frame.destination, frame.source, llc::parse_msdu(frame.msdu).unwrap()))
        .collect();
    let made = |payload| (address(2), address(1), (0x0800, payload));
    assert_eq!(read, [made(&[1; 5][..]), made(&[2; 7]), made(&[3; 1])]);
    assert_eq!(amsdu::Subframes::new(&body[..40]).count(), 1, "the second one is cut");
}
