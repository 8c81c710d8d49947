//! What a capture says in front of a frame.

use airtime_ieee80211::air::{Guard, Phy, Preamble, Width};
use airtime_ieee80211::wire::Radiotap;
use airtime_ieee80211::wire::radiotap::Ampdu;

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
        channel: Some(12),
        signal_dbm: Some(-48),
        phy: Some(Phy::ht(Width::Mhz20, Guard::Ns400, 7)),
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
        let octets = emit(&Radiotap { channel: Some(channel), ..Radiotap::default() });
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
