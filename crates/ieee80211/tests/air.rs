//! Durations, cycles and ceilings against tables that were calculated elsewhere (shared reference, section 3): to the nanosecond,
//! and to the printed digit.

use airtime_core::Duration;
use airtime_ieee80211::air::{
    Access, Aggregation, Cycle, Guard, Phy, Preamble, Responses, Timing, Width, mpdu_octets, psdu_octets,
};

const SGI7: Phy = Phy::ht(Width::Mhz20, Guard::Ns400, 7);
const LGI7: Phy = Phy::ht(Width::Mhz20, Guard::Ns800, 7);

/// Ethernet octets of a UDP datagram with 1400 octets: 14 + 20 + 8 + 1400.
const ETHERNET: u32 = 1_442;

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

fn cycle(timing: &Timing, phy: Phy, mpdu: u32, n: u32) -> Cycle {
    Cycle::new(timing, Access::BEST_EFFORT, &Aggregation::ht(n as u16), phy, mpdu, n)
}

/// Mbit/s as the tables print it, with `digits` behind the point.
fn mbps(bps: u64, digits: usize) -> String {
    format!("{:.digits$}", bps as f64 / 1e6)
}

#[test]
fn spaces_are_those_of_the_bands() {
    let t = Timing::ghz24();
    assert_eq!([t.sifs, t.slot, t.pifs(), t.difs(), t.aifs(3)], [us(10), us(9), us(19), us(28), us(37)]);
    // EIFS of 2.4 GHz: SIFS 10, an acknowledgement at 1 Mbit/s 192 + 112, DIFS 28.
    assert_eq!((t.eifs_more(), t.eifs_more() + t.difs()), (us(314), us(342)));
    let t = Timing::ghz24_long_slot();
    assert_eq!([t.slot, t.difs(), t.aifs(3)], [us(20), us(50), us(70)]);
    let t = Timing::ghz5();
    assert_eq!([t.sifs, t.slot, t.pifs(), t.difs()], [us(16), us(9), us(25), us(34)]);
    // EIFS of 802.11a: SIFS 16, an acknowledgement at 6 Mbit/s 44, DIFS 34.
    assert_eq!(t.eifs_more() + t.difs(), us(94));
}

#[test]
fn responses_last_what_the_table_says() {
    for (mbps, block_ack, ack) in [(6, 68, 44), (12, 44, 32), (24, 32, 28)] {
        let phy = Phy::ofdm(mbps).unwrap();
        for (timing, extension) in [(Timing::ghz5(), 0), (Timing::ghz24(), 6)] {
            let timing = Timing { responses: Responses::Fixed(phy), ..timing };
            assert_eq!(timing.block_ack(SGI7), us(block_ack + extension), "{mbps}");
            assert_eq!(timing.ack(SGI7), us(ack + extension), "{mbps}");
        }
    }
}

#[test]
fn responses_follow_the_mandatory_rates() {
    let t = Timing { responses: Responses::Mandatory, ..Timing::ghz5() };
    let acks: Vec<u64> = (0..8).map(|mcs| t.ack(Phy::ht(Width::Mhz20, Guard::Ns800, mcs)).as_micros()).collect();
    assert_eq!(acks, [44, 32, 32, 28, 28, 28, 28, 28]);
    let acks: Vec<u64> = (0..8).map(|mcs| t.ack(Phy { mcs, ..Phy::ofdm6() }).as_micros()).collect();
    assert_eq!(acks, [44, 44, 32, 32, 28, 28, 28, 28]);
    // DSSS answers DSSS: 192 + 112 µs, and no signal extension.
    assert_eq!(Timing::ghz24().ack(Phy::dsss1()), us(304));
}

#[test]
fn rates_are_those_of_the_standard() {
    let kbps = |phy: Phy| phy.rate_kbps();
    assert_eq!((0..4).map(|mcs| kbps(Phy { mcs, ..Phy::dsss1() })).collect::<Vec<_>>(), [1_000, 2_000, 5_500, 11_000]);
    let ofdm: Vec<u32> = (0..8).map(|mcs| kbps(Phy { mcs, ..Phy::ofdm6() })).collect();
    assert_eq!(ofdm, [6_000, 9_000, 12_000, 18_000, 24_000, 36_000, 48_000, 54_000]);
    let ht20: Vec<u32> = (0..8).map(|mcs| kbps(Phy::ht(Width::Mhz20, Guard::Ns800, mcs))).collect();
    assert_eq!(ht20, [6_500, 13_000, 19_500, 26_000, 39_000, 52_000, 58_500, 65_000]);
    let ht40: Vec<u32> = (0..8).map(|mcs| kbps(Phy::ht(Width::Mhz40, Guard::Ns400, mcs))).collect();
    assert_eq!(ht40, [15_000, 30_000, 45_000, 60_000, 90_000, 120_000, 135_000, 150_000]);
    let he: Vec<u32> = (0..12).map(|mcs| kbps(Phy::he(Width::Mhz20, Guard::Ns800, mcs)) / 100).collect();
    assert_eq!(he, [86, 172, 258, 344, 516, 688, 774, 860, 1_032, 1_147, 1_290, 1_433]);
    assert_eq!(kbps(SGI7), 72_222);
}

#[test]
fn lengths_are_those_of_the_table() {
    assert_eq!(mpdu_octets(ETHERNET, true), 1_482);
    assert_eq!(mpdu_octets(ETHERNET, false), 1_466);
    for n in 2..=64 {
        assert_eq!(psdu_octets(n, 1_482), n * 1_486 + 2 * (n - 1));
    }
    assert_eq!(psdu_octets(1, 1_482), 1_482);
}

#[test]
fn other_formats_and_bands_last_what_the_clauses_say() {
    // 802.11g, 1500 octets at 54 Mbit/s: 20 + 56 symbols of 4 µs, extension 6.
    assert_eq!(Phy { mcs: 7, ..Phy::ofdm6() }.ppdu(1_500, true), us(244));
    assert_eq!(Phy { mcs: 7, ..Phy::ofdm6() }.ppdu(1_500, false), us(250));
    // DSSS: whole microseconds; a beacon of 100 octets at 1 Mbit/s; 1500 octets at 11 Mbit/s are 1090.9 µs.
    assert_eq!(Phy::dsss1().ppdu(100, false), us(992));
    assert_eq!(Phy { mcs: 3, ..Phy::dsss1() }.ppdu(1_500, false), us(192 + 1_091));
    // HE20 MCS 7, 1482 octets: 44 + 11 symbols of 13.6, 14.4 or 16 µs.
    for (guard, ns) in [(Guard::Ns800, 193_600), (Guard::Ns1600, 202_400), (Guard::Ns3200, 220_000)] {
        assert_eq!(Phy::he(Width::Mhz20, guard, 7).ppdu(1_482, true), Duration::from_nanos(ns));
    }
    // Without the rounding of 19.4.3: 46 symbols of 3.6 µs.
    assert_eq!(SGI7.ppdu_with(1_482, true, false), Duration::from_nanos(36_000 + 165_600));
    assert_eq!(SGI7.ppdu(1_482, true), us(36 + 168));
}

#[test]
fn a_single_mpdu_of_he_has_its_delimiter_and_one_of_ht_has_none() {
    // 16 + 6 bits and 1459 octets are 11,694 bits, ten symbols of 1170; with a delimiter they are eleven.
    let timing = Timing::ghz5();
    let single = |phy| cycle(&timing, phy, 1_459, 1).ppdu;
    assert_eq!(single(Phy::he(Width::Mhz20, Guard::Ns800, 7)), Duration::from_nanos(44_000 + 11 * 13_600));
    // They are 45 symbols of 260; 46 with a delimiter.
    assert_eq!(single(LGI7), us(36 + 45 * 4));
}

/// MPDUs asked for, PPDU in µs, cycle in ns, goodput with the short and with the long guard interval.
const HT20: [(u32, u64, u64, &str, &str); 8] = [
    (1, 210, 358_500, "31.24", "29.91"),
    (2, 374, 526_500, "42.55", "39.82"),
    (4, 706, 858_500, "52.18", "48.15"),
    (6, 1_034, 1_186_500, "56.64", "51.91"),
    (8, 1_366, 1_518_500, "59.01", "53.89"),
    (16, 2_682, 2_834_500, "63.22", "57.32"),
    (32, 5_322, 5_474_500, "65.47", "58.98"),
    (64, 5_482, 5_634_500, "65.60", "58.98"),
];

#[test]
fn cycles_are_those_of_the_table() {
    let timing = Timing::ghz24();
    for (n, ppdu, total, short, long) in HT20 {
        let sgi = cycle(&timing, SGI7, 1_482, n);
        assert_eq!((sgi.ppdu, sgi.total().as_nanos()), (us(ppdu), total), "{n}");
        assert_eq!(mbps(sgi.goodput_bps(1_400), 2), short, "{n}");
        assert_eq!(mbps(cycle(&timing, LGI7, 1_482, n).goodput_bps(1_400), 2), long, "{n}");
    }
    assert_eq!(cycle(&timing, SGI7, 1_482, 64).mpdus, 33);
    assert_eq!(cycle(&timing, LGI7, 1_482, 64).mpdus, 29);
}

/// What the formula of the reference gives, written down once more with nothing of the crate: PPDU in ns.
fn formula(n: u64, bits_per_symbol: u64, sgi: bool) -> u64 {
    let octets = if n == 1 { 1_482 } else { n * 1_486 + 2 * (n - 1) };
    let symbols = (16 + 8 * octets + 6).div_ceil(bits_per_symbol);
    let data = if sgi { (symbols * 3_600).div_ceil(4_000) * 4_000 } else { symbols * 4_000 };
    36_000 + data + 6_000
}

#[test]
fn every_ht_duration_equals_the_formula() {
    let tables = [
        (Width::Mhz20, [26, 52, 78, 104, 156, 208, 234, 260]),
        (Width::Mhz40, [54, 108, 162, 216, 324, 432, 486, 540]),
    ];
    for (width, bits) in tables {
        for (mcs, guard) in (0..8).flat_map(|mcs| [(mcs, Guard::Ns400), (mcs, Guard::Ns800)]) {
            let phy = Phy::ht(width, guard, mcs);
            for n in 1..=64 {
                let expected = formula(u64::from(n), bits[usize::from(mcs)], guard == Guard::Ns400);
                assert_eq!(phy.ppdu(psdu_octets(n, 1_482), false).as_nanos(), expected, "{phy:?} {n}");
            }
        }
    }
}

#[test]
fn the_number_of_mpdus_is_the_largest_that_fits() {
    let timing = Timing::ghz24();
    for phy in [SGI7, LGI7, Phy::ht(Width::Mhz20, Guard::Ns400, 0), Phy::ht(Width::Mhz40, Guard::Ns400, 7)] {
        for mpdu in [94, 400, 1_482, 1_534] {
            let n = Aggregation::ht(64).mpdus(phy, &timing, mpdu, 1_000);
            let fits = |n| {
                let psdu = psdu_octets(n, mpdu);
                n == 1 || psdu <= 65_535 && timing.ppdu(phy, psdu) <= us(5_484)
            };
            assert!(fits(n) && (n == 64 || !fits(n + 1)), "{phy:?} {mpdu} {n}");
        }
    }
}

#[test]
fn sensitivities_are_those_of_the_table() {
    let row = |timing: Timing, phy: Phy, mpdu: u32| {
        [1, 6, 16, 32].map(|n| mbps(cycle(&timing, phy, mpdu, n).goodput_bps(1_400), 1)).join("/")
    };
    let slow = Timing { responses: Responses::Fixed(Phy::ofdm6()), ..Timing::ghz24() };
    assert_eq!(row(slow, SGI7, 1_482), "29.9/55.0/62.4/65.0");
    assert_eq!(row(Timing::ghz24_long_slot(), SGI7, 1_482), "23.6/51.6/60.7/64.1");
    let usual = Timing::ghz24();
    assert_eq!(row(usual, SGI7, 1_466), "31.2/57.2/63.9/66.2");
    for (mcs, expected) in
        [(6, "29.9/51.8/57.3/58.9"), (5, "27.8/46.8/51.3/52.4"), (4, "23.8/36.4/39.0/39.3"), (3, "18.5/25.2/26.2/26.2")]
    {
        assert_eq!(row(usual, Phy { mcs, ..SGI7 }, 1_482), expected);
    }
    assert_eq!(row(usual, Phy::ht(Width::Mhz40, Guard::Ns400, 7), 1_482), "41.4/99.6/122.2/130.9");
    assert_eq!(row(usual, Phy::he(Width::Mhz20, Guard::Ns800, 7), 1_482), "32.2/64.3/74.1/77.3");
    assert_eq!(row(usual, Phy::he(Width::Mhz20, Guard::Ns800, 9), 1_482), "36.4/81.1/95.6/101.4");
}

#[test]
fn the_bound_of_tcp_is_that_of_the_table() {
    let timing = Timing::ghz24();
    for (n, expected) in [
        (1, "20.25"),
        (2, "31.09"),
        (4, "41.85"),
        (6, "47.57"),
        (8, "51.06"),
        (16, "57.30"),
        (31, "60.93"),
        (32, "60.93"),
    ] {
        let data = cycle(&timing, SGI7, mpdu_octets(14 + 40 + 1_440, true), n);
        let acks = cycle(&timing, SGI7, mpdu_octets(14 + 40, true), data.mpdus.div_ceil(2));
        assert_eq!(mbps(data.tcp_bps(1_440, &acks), 2), expected, "{n}");
    }
}

#[test]
fn dsss_has_spaces_and_responses_of_its_own() {
    let timing = Timing::dsss(Preamble::Short);
    assert_eq!((timing.sifs, timing.slot, timing.difs()), (us(10), us(20), us(50)));
    // EIFS is 364: an acknowledgement at 1 Mbit/s is 192 + 112.
    assert_eq!(timing.eifs_more() + timing.difs(), us(10 + 304 + 50));
    // The start of a PPDU with the short preamble is known after 96.
    assert_eq!((timing.response_timeout(), Timing::dsss(Preamble::Long).response_timeout()), (us(126), us(222)));
    let cck = Phy::dsss(Preamble::Short, 3);
    assert_eq!((timing.ack(cck), timing.rts(cck), timing.cts(cck)), (us(96 + 56), us(96 + 80), us(96 + 56)));
    assert_eq!(timing.ack(Phy::dsss(Preamble::Short, 0)), us(304));
    // A basic rate of 11 Mbit/s answers what is slower at its own rate; OFDM is no answer to DSSS.
    let fast = Timing { responses: Responses::Fixed(cck), ..timing };
    assert_eq!((fast.response_phy(cck).mcs, fast.response_phy(Phy::dsss(Preamble::Short, 2)).mcs), (3, 2));
    assert_eq!(Timing::ghz24().response_phy(cck), Phy::dsss1());
}

#[test]
fn combinations_that_do_not_exist_are_known() {
    assert!(SGI7.valid() && Phy::dsss1().valid());
    assert!(!Phy::ht(Width::Mhz20, Guard::Ns1600, 7).valid());
    assert!(!Phy::he(Width::Mhz20, Guard::Ns400, 7).valid());
    assert!(!Phy { mcs: 8, ..SGI7 }.valid());
    assert!(!Phy { preamble: Preamble::Short, ..SGI7 }.valid());
    assert!(!Phy { width: Width::Mhz40, ..Phy::ofdm6() }.valid());
}
