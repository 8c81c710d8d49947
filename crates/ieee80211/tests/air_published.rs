//! Durations and throughputs that others have published, or that their simulator prints: ns-3, to the nanosecond, and the tables of
//! theoretical maximum throughput.

use airtime_core::Duration;
use airtime_ieee80211::air::{Access, Aggregation, Cycle, Guard, Phy, Preamble, Responses, Timing, Width};

const NARROW: Width = Width::Mhz20;
const WIDE: Width = Width::Mhz40;

/// Octets of the PSDUs whose durations ns-3 knows.
const OCTETS: [u32; 3] = [1_536, 76, 14];

fn ns(durations: [Duration; 3]) -> [u64; 3] {
    durations.map(Duration::as_nanos)
}

/// IEEE Std 802.11-2007, Table 18-2, for 11 Mbit/s; the other rates are those of ns-3 3.44, `src/wifi/test/tx-duration-test.cc`, as
/// everything up to [`TMT`].
#[test]
fn dsss_and_cck_last_what_the_table_of_lengths_says() {
    let table = [
        (0, [8_184, 8_192, 8_200, 8_208]),
        (1, [4_092, 4_096, 4_100, 4_104]),
        (2, [1_488, 1_490, 1_491, 1_493]),
        (3, [744, 745, 746, 747]),
    ];
    for (mcs, expected) in table {
        // There is no short preamble at 1 Mbit/s.
        for (preamble, us) in [(Preamble::Long, 192), (Preamble::Short, if mcs == 0 { 192 } else { 96 })] {
            let phy = Phy::dsss(preamble, mcs);
            assert!(phy.valid());
            let durations = [1_023, 1_024, 1_025, 1_026].map(|octets| phy.ppdu(octets, false).as_micros() - us);
            assert_eq!(durations, expected, "{phy:?}");
        }
    }
    let cck = Phy { mcs: 3, ..Phy::dsss1() };
    assert_eq!(OCTETS.map(|octets| cck.ppdu(octets, false).as_micros()), [1_310, 248, 203]);
    assert_eq!(Phy::dsss1().ppdu(14, false).as_micros(), 304);
}

#[test]
fn ofdm_lasts_what_ns_3_expects() {
    let phy = Phy::ofdm(54).unwrap();
    assert_eq!(OCTETS.map(|octets| phy.ppdu(octets, true).as_micros()), [248, 32, 24]);
    assert_eq!(OCTETS.map(|octets| phy.ppdu(octets, false).as_micros()), [254, 38, 30]);
}

#[test]
fn ht_lasts_what_ns_3_expects() {
    let table = [
        (NARROW, Guard::Ns800, 7, [228_000, 48_000, 40_000]),
        (NARROW, Guard::Ns400, 0, [1_742_400, 126_000, 57_600]),
        (NARROW, Guard::Ns400, 6, [226_800, 46_800, 39_600]),
        (WIDE, Guard::Ns800, 7, [128_000, 44_000, 40_000]),
        (WIDE, Guard::Ns400, 7, [118_800, 43_200, 39_600]),
    ];
    for (width, guard, mcs, expected) in table {
        let phy = Phy::ht(width, guard, mcs);
        // ns-3 does not end the data at a multiple of 4 µs.
        assert_eq!(ns(OCTETS.map(|octets| phy.ppdu_with(octets, true, false))), expected, "{phy:?}");
        let standard = OCTETS.map(|octets| phy.ppdu(octets, true));
        let whole = expected.map(|ns| 36_000 + (ns - 36_000).next_multiple_of(4_000));
        assert_eq!(ns(standard), whole, "{phy:?}");
    }
}

#[test]
fn he_lasts_what_ns_3_expects() {
    let table = [
        (NARROW, Guard::Ns800, 0, [1_485_600, 125_600, 71_200]),
        (WIDE, Guard::Ns800, 0, [764_800, 84_800, 57_600]),
        (NARROW, Guard::Ns1600, 0, [1_570_400, 130_400, 72_800]),
        (WIDE, Guard::Ns1600, 0, [807_200, 87_200, 58_400]),
        (NARROW, Guard::Ns3200, 0, [1_740_000, 140_000, 76_000]),
        (WIDE, Guard::Ns3200, 0, [892_000, 92_000, 60_000]),
        (NARROW, Guard::Ns800, 11, [139_200, 57_600, 57_600]),
        (WIDE, Guard::Ns800, 11, [98_400, 57_600, 57_600]),
        (NARROW, Guard::Ns1600, 11, [144_800, 58_400, 58_400]),
        (WIDE, Guard::Ns1600, 11, [101_600, 58_400, 58_400]),
        (NARROW, Guard::Ns3200, 11, [156_000, 60_000, 60_000]),
        (WIDE, Guard::Ns3200, 11, [108_000, 60_000, 60_000]),
    ];
    for (width, guard, mcs, expected) in table {
        let phy = Phy::he(width, guard, mcs);
        assert_eq!(ns(OCTETS.map(|octets| phy.ppdu(octets, true))), expected, "{phy:?}");
        assert_eq!(ns(OCTETS.map(|octets| phy.ppdu(octets, false))), expected.map(|ns| ns + 6_000), "{phy:?}");
    }
}

/// J. Jun, P. Peddabachagari, M. Sichitiu, "Theoretical Maximum Throughput of IEEE 802.11 and its Applications", NCA 2003, CSMA/CA:
/// an MSDU of x octets takes a·x + b µs. Name, rate in Mbit/s, a, b.
const TMT: [(&str, Phy, f64, f64); 8] = [
    ("DSSS-1", Phy::dsss1(), 8.0, 1_138.0),
    ("DSSS-2", Phy { mcs: 1, ..Phy::dsss1() }, 4.0, 1_002.0),
    ("HR-5.5", Phy { mcs: 2, ..Phy::dsss1() }, 1.454_55, 915.45),
    ("HR-11", Phy { mcs: 3, ..Phy::dsss1() }, 0.727_27, 890.73),
    ("OFDM-6", Phy::ofdm6(), 1.333_33, 223.5),
    ("OFDM-12", Phy { mcs: 2, ..Phy::ofdm6() }, 0.666_67, 187.0),
    ("OFDM-24", Phy::ofdm24(), 0.333_33, 170.75),
    ("OFDM-54", Phy { mcs: 7, ..Phy::ofdm6() }, 0.148_15, 159.94),
];

#[test]
fn cycles_are_those_of_the_theoretical_maximum_throughput() {
    for (name, phy, a, b) in TMT {
        let dsss = name.starts_with("DSSS") || name.starts_with("HR");
        // It acknowledges OFDM at the rate of the data.
        let ofdm = Timing { responses: Responses::Fixed(phy), ..Timing::ghz5() };
        // DSSS and CCK are acknowledged at 1 Mbit/s.
        let basic = Timing { responses: Responses::Fixed(Phy::dsss1()), ..Timing::dsss(Preamble::Long) };
        let (timing, access) = if dsss { (basic, Access::DCF_DSSS) } else { (ofdm, Access::DCF) };
        for msdu in [1, 100, 512, 1_024, 1_500, 2_304] {
            // Four addresses and FCS: 34 octets.
            let cycle = Cycle::new(&timing, access, &Aggregation::NONE, phy, msdu + 34, 1);
            // Its SIFS of OFDM is 9 µs, where Table 17-21 has 16; and its symbols and microseconds are not whole ones.
            let published = a * f64::from(msdu) + b + if dsss { 0.0 } else { 7.0 };
            let rounding = cycle.total().as_nanos() as f64 / 1e3 - published;
            let most = if dsss { 1.0 } else { 4.0 };
            assert!((-0.02..most).contains(&rounding), "{name}, {msdu} octets: {rounding} µs more than {published}");
            if dsss {
                // Not of its table but by the same arithmetic: RTS and CTS at 1 Mbit/s, 192 + 160 and 192 + 112 µs, and two SIFS.
                let behind_rts = cycle.with_rts(&timing, phy).total();
                assert_eq!((behind_rts - cycle.total()).as_micros(), 352 + 304 + 2 * 10, "{name}");
            }
        }
    }
}

/// PHY, MPDUs, octets of an MPDU, and Mbit/s of payloads of 1428 octets: what ns-3 3.44 delivers in 10 s from one saturated station to
/// another, ad hoc, 5 GHz, best effort, no loss, limit of the A-MPDU 65,535 octets where there is one.
const NS3: [(Phy, u16, u32, f64); 10] = [
    (Phy::ht(NARROW, Guard::Ns400, 7), 1, 1_466, 32.063_7),
    (Phy::ht(NARROW, Guard::Ns800, 7), 1, 1_466, 30.486_1),
    (Phy::ht(NARROW, Guard::Ns800, 7), 64, 1_466, 60.877_4),
    (Phy::ht(NARROW, Guard::Ns400, 7), 64, 1_466, 67.614_1),
    (Phy::ht(WIDE, Guard::Ns400, 7), 64, 1_466, 137.703),
    (Phy::ht(NARROW, Guard::Ns800, 0), 64, 1_466, 6.049_01),
    (Phy::he(NARROW, Guard::Ns800, 5), 1, 1_466, 30.419_8),
    (Phy::he(NARROW, Guard::Ns800, 7), 1, 1_466, 32.799_4),
    // 802.11a has no QoS: two octets less.
    (Phy { mcs: 7, ..Phy::ofdm6() }, 1, 1_464, 29.631_6),
    (Phy::ofdm6(), 1, 1_464, 5.347_57),
];

#[test]
fn goodputs_are_those_of_ns_3() {
    let timing = Timing { responses: Responses::Mandatory, whole_symbols: false, ..Timing::ghz5() };
    for (phy, window, mpdu, published) in NS3 {
        let access = if phy.aggregates() { Access::BEST_EFFORT } else { Access::DCF };
        let cycle = Cycle::new(&timing, access, &Aggregation::ht(window), phy, mpdu, u32::from(window));
        let error = cycle.goodput_bps(1_428) as f64 / (published * 1e6) - 1.0;
        // Three standard errors of the mean of 4700 random backoffs are 0.11 % of its shortest run, less of all others.
        assert!(error.abs() < 0.0015, "{phy:?}: {error}");
    }
}
