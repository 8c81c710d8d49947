//! What a capture says in front of a frame.

use airtime_ieee80211::air::{Guard, Phy, Preamble, Width};
use airtime_ieee80211::wire::radiotap::Ampdu;
use airtime_ieee80211::wire::{Band, Channel, Radiotap};

fn emit(radiotap: &Radiotap) -> Vec<u8> {
    // Alignment counts from the header, not from the buffer.
    let mut out = vec![0xee; 3];
    radiotap.emit(&mut out);
    out.split_off(3)
}

#[test]
fn a_frame_of_an_ampdu_octet_for_octet() {
    let radiotap = Radiotap {
        tsft_us: Some(0x0102_0304_0506_0708),
        fcs: true,
        bad_fcs: false,
        channel: Some(Channel::of(12)),
        signal_dbm: Some(-48),
        phy: Some(Phy::ht(Width::Mhz20, Guard::Ns400, 7)),
        other_rate: false,
        ampdu: Some(Ampdu { reference: 9, last: Some(true) }),
    };
    let expected = [
        0, 0, 36, 0, 0x2b, 0x00, 0x18, 0x00, // TSFT, flags, channel, signal; MCS, A-MPDU
        8, 7, 6, 5, 4, 3, 2, 1, // TSFT
        0x10, 0, // flags, padding
        0xa3, 0x09, 0xc0, 0x00, // 2467 MHz, 2.4 GHz and OFDM
        0xd0, // -48 dBm
        0x0f, 0x04, 7, // MCS 7, short guard interval
        0, 0, // padding
        9, 0, 0, 0, 0x0c, 0, 0, 0, // A-MPDU 9, its last
    ];
    assert_eq!(emit(&radiotap), expected);
}

#[test]
fn legacy_rates_are_units_of_500_kbps() {
    let rate = |phy: Phy| {
        let octets = emit(&Radiotap { phy: Some(phy), ..Radiotap::default() });
        assert_eq!(octets[4..8], [0x06, 0, 0, 0], "flags and rate");
        octets[9]
    };
    assert_eq!((rate(Phy::dsss1()), rate(Phy::ofdm6()), rate(Phy::ofdm24())), (2, 12, 48));
}

#[test]
fn the_short_preamble_is_a_flag() {
    let flags = |phy: Phy| emit(&Radiotap { phy: Some(phy), ..Radiotap::default() })[8];
    let phys = [Phy::dsss(Preamble::Long, 3), Phy::dsss(Preamble::Short, 3), Phy::dsss(Preamble::Short, 0)];
    assert_eq!(phys.map(flags), [0, 0x02, 0], "1 Mbit/s has the long one");
}

#[test]
fn channels_have_their_frequencies() {
    let channel = |channel: u8| {
        let channel = Some(Channel::of(channel));
        let octets = emit(&Radiotap { channel, ..Radiotap::default() });
        [u16::from_le_bytes([octets[10], octets[11]]), u16::from_le_bytes([octets[12], octets[13]])]
    };
    assert_eq!([channel(1), channel(13), channel(14)], [[2412, 0x80], [2472, 0x80], [2484, 0x80]]);
    assert_eq!([channel(36), channel(165)], [[5180, 0x100], [5825, 0x100]]);
}

#[test]
fn wide_and_he() {
    let wide = emit(&Radiotap { phy: Some(Phy::ht(Width::Mhz40, Guard::Ns800, 3)), ..Radiotap::default() });
    assert_eq!(wide[9..], [0x0f, 0x01, 3]);
    let he = emit(&Radiotap { phy: Some(Phy::he(Width::Mhz40, Guard::Ns1600, 9)), ..Radiotap::default() });
    assert_eq!(he[4..8], [0x02, 0, 0x80, 0]);
    assert_eq!(he[10..], [0x20, 0x40, 0x02, 0, 0, 9, 0, 0, 0x11, 0, 1, 0]);
}

#[test]
fn what_is_not_known_is_not_said() {
    assert_eq!(emit(&Radiotap::default()), [0, 0, 9, 0, 2, 0, 0, 0, 0]);
    assert_eq!(emit(&Radiotap { fcs: true, bad_fcs: true, ..Radiotap::default() })[8], 0x50);
}

#[test]
fn what_is_emitted_is_read() {
    let phys = [
        Phy::dsss1(),
        Phy::dsss(Preamble::Short, 3),
        Phy::ofdm24(),
        Phy::ht(Width::Mhz40, Guard::Ns400, 7),
        Phy::he(Width::Mhz20, Guard::Ns1600, 9),
    ];
    for phy in phys {
        let channels = [Channel::of(1), Channel::of(14), Channel::of(36), Channel { band: Band::Ghz6, number: 5 }];
        for channel in channels {
            let radiotap = Radiotap {
                tsft_us: Some(0x0102_0304_0506_0708),
                fcs: true,
                bad_fcs: true,
                channel: Some(channel),
                signal_dbm: Some(-71),
                phy: Some(phy),
                other_rate: false,
                ampdu: Some(Ampdu { reference: 9, last: Some(true) }),
            };
            let octets = [emit(&radiotap), vec![1, 2, 3]].concat();
            assert_eq!(Radiotap::parse(&octets), Ok((radiotap, &[1, 2, 3][..])));
        }
    }
}

/// Linux's mac80211 has antennas in a further present word, and VHT rates; <https://www.radiotap.org/> has the layout.
#[test]
fn further_present_words_and_other_rates_are_passed_over() {
    // TSFT, flags, rate, channel, signal, VHT and another word; there signal and antenna.
    let words: [u32; 2] = [1 << 31 | 1 << 21 | 0x2f, 0x0820];
    let mut octets = vec![0, 0, 0, 0];
    words.iter().for_each(|word| octets.extend_from_slice(&word.to_le_bytes()));
    octets.resize(16, 0);
    octets.extend_from_slice(&7_u64.to_le_bytes());
    // Flags, half megabits, 2437 MHz with its flags, -48 dBm; VHT at a multiple of two; then what the other word stands for.
    octets.extend_from_slice(&[0x10, 0x6c, 0x85, 0x09, 0xa0, 0x00, 0xd0, 0]);
    octets.resize(octets.len() + 12 + 2, 0);
    octets[2] = octets.len() as u8;
    let length = octets.len();
    octets.push(0xaa);
    let (radiotap, frame) = Radiotap::parse(&octets).unwrap();
    let (channel, level) = (radiotap.channel, radiotap.signal_dbm);
    assert_eq!((radiotap.tsft_us, channel, level), (Some(7), Some(Channel::of(6)), Some(-48)));
    assert_eq!((radiotap.fcs, radiotap.phy, frame), (true, None, &[0xaa][..]));
    for cut in 0..length {
        assert!(Radiotap::parse(&octets[..cut]).is_err(), "{cut}");
    }
}

/// <https://www.radiotap.org/fields/MCS.html>
#[test]
fn ht_is_a_rate_of_ours_only_where_everything_of_it_is_known() {
    let phy = |known: u8, flags: u8, mcs: u8| {
        let octets = [0, 0, 11, 0, 0, 0, 0x08, 0, known, flags, mcs];
        Radiotap::parse(&octets).unwrap().0.phy
    };
    let ht20 = Some(Phy::ht(Width::Mhz20, Guard::Ns800, 5));
    assert_eq!(phy(0x07, 0, 5), ht20);
    assert_eq!([phy(0x07, 2, 5), phy(0x07, 3, 5)], [ht20; 2], "one half of 40 MHz");
    assert_eq!(phy(0x3f, 0x05, 5), Some(Phy::ht(Width::Mhz40, Guard::Ns400, 5)));
    assert_eq!([phy(0x06, 0, 5), phy(0x05, 0, 5), phy(0x03, 0, 5)], [None; 3], "width, index, guard interval");
    assert_eq!([phy(0x0f, 0x08, 5), phy(0x2f, 0x20, 5), phy(0x07, 0, 8)], [None; 3], "greenfield, STBC, two streams");
    assert_eq!([phy(0x07, 0x08, 5), phy(0x07, 0x60, 5)], [ht20; 2], "flags of what is not known");
}

/// <https://www.radiotap.org/fields/HE.html>
#[test]
fn he_is_a_rate_of_ours_only_where_everything_of_it_is_known() {
    let sound = [0x0260 | 0x4000, 0x0002, 9 << 8, 0, 0x0010, 1];
    let phy = |change: &dyn Fn(&mut [u16; 6])| {
        let mut data = sound;
        change(&mut data);
        let mut octets = vec![0, 0, 20, 0, 0, 0, 0x80, 0];
        data.iter().for_each(|word: &u16| octets.extend_from_slice(&word.to_le_bytes()));
        Radiotap::parse(&octets).unwrap().0.phy
    };
    assert_eq!(phy(&|_| ()), Some(Phy::he(Width::Mhz20, Guard::Ns1600, 9)));
    assert_eq!(phy(&|data| data[1] = 0), None, "guard interval is not known");
    assert_eq!(phy(&|data| data[4] = 0x0030), None, "no such guard interval");
    assert_eq!(phy(&|data| data[2] |= 0x1000), None, "dual carrier");
    assert_eq!(phy(&|data| data[2] |= 0x8000), None, "STBC");
    assert_eq!([phy(&|data| data[5] = 0), phy(&|data| data[5] = 2)], [None; 2], "streams");
    assert_eq!([phy(&|data| data[0] |= 1), phy(&|data| data[4] = 2)], [None; 2], "extended range, 80 MHz");
    assert_eq!(phy(&|data| data[2] = 12 << 8), None, "no such MCS");
}

#[test]
fn half_and_quarter_clocks_have_other_rates() {
    let phy = |flags: u16| {
        let mut octets = vec![0, 0, 14, 0, 0x0c, 0, 0, 0, 24, 0, 0x3c, 0x14];
        octets.extend_from_slice(&flags.to_le_bytes());
        Radiotap::parse(&octets).unwrap().0.phy
    };
    assert_eq!([phy(0x0140), phy(0x4140), phy(0x8140)], [Phy::ofdm(12), None, None]);
}
