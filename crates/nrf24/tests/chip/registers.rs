//! The register map over SPI: reset values, masks, what cannot be written, and a map that somebody else has made.

use airtime_nrf24::trace::{Lint, Trace};
use airtime_nrf24::wire::{Register, command};
use nrf24l01_commands as theirs;

use super::air::{Air, us};

/// Address, reset value, bits that keep what is written. Table 28.
const MAP: [(u8, u8, u8); 26] = [
    (0x00, 0x08, 0x7F),
    (0x01, 0x3F, 0x3F),
    (0x02, 0x03, 0x3F),
    (0x03, 0x03, 0x03),
    (0x04, 0x03, 0xFF),
    (0x05, 0x02, 0x7F),
    (0x06, 0x0E, 0xBE),
    (0x07, 0x0E, 0x00),
    (0x08, 0x00, 0x00),
    (0x09, 0x00, 0x00),
    (0x0A, 0xE7, 0xFF),
    (0x0B, 0xC2, 0xFF),
    (0x0C, 0xC3, 0xFF),
    (0x0D, 0xC4, 0xFF),
    (0x0E, 0xC5, 0xFF),
    (0x0F, 0xC6, 0xFF),
    (0x10, 0xE7, 0xFF),
    (0x11, 0x00, 0x3F),
    (0x12, 0x00, 0x3F),
    (0x13, 0x00, 0x3F),
    (0x14, 0x00, 0x3F),
    (0x15, 0x00, 0x3F),
    (0x16, 0x00, 0x3F),
    (0x17, 0x11, 0x00),
    (0x1C, 0x00, 0x3F),
    (0x1D, 0x00, 0x07),
];

#[test]
fn every_register_has_its_reset_value_and_keeps_its_bits() {
    for (address, reset, mask) in MAP {
        let mut air = Air::new(1);
        assert_eq!(air.read(0, address), reset, "reset of {address:#04x}");
        for value in [0x00, 0xFF, 0x55, 0xAA] {
            air.write(0, address, &[value]);
            let expected = if mask == 0 { reset } else { value & mask };
            assert_eq!(air.read(0, address), expected, "{value:#04x} written to {address:#04x}");
        }
    }
    assert_eq!(MAP.map(|(address, ..)| address), Register::ALL.map(Register::address));
}

#[test]
fn holes_of_the_map_read_zero_and_take_nothing() {
    let mut air = Air::new(1);
    for address in (0x18..=0x1B).chain([0x1E, 0x1F]) {
        air.write(0, address, &[0xFF]);
        assert_eq!(air.read(0, address), 0, "{address:#04x}");
        assert!(air.traced(0, Trace::Lint(Lint::ReadOnly { register: address })));
    }
}

#[test]
fn what_an_early_csn_leaves_out_stays() {
    let mut air = Air::new(1);
    air.write(0, 0x10, &[0x11, 0x22]);
    assert_eq!(air.spi(0, &[0x10, 0, 0, 0, 0, 0])[1..], [0x11, 0x22, 0xE7, 0xE7, 0xE7]);
    air.write(0, 0x10, &[1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(air.spi(0, &[0x10, 0, 0, 0, 0, 0, 0])[1..], [1, 2, 3, 4, 5, 0], "nothing behind the last octet");
    air.write(0, 0x05, &[]);
    assert_eq!(air.read(0, 0x05), 0x02, "no octet, no write");
}

#[test]
fn status_comes_first_whatever_the_command() {
    for octet in 0..=u8::MAX {
        let mut air = Air::new(1);
        let miso = air.spi(0, &[octet, 0]);
        assert_eq!(miso[0], 0x0E, "{octet:#04x}");
    }
}

#[test]
fn a_command_acts_when_csn_rises() {
    let mut air = Air::new(1);
    let (mosi, mut miso) = ([command::W_REGISTER | 0x05, 76], [0; 2]);
    air.chips[0].select(air.now, &mosi, &mut miso);
    assert_eq!(air.chips[0].tuned().0, 2);
    air.run(us(2));
    air.chips[0].deselect(air.now, &mosi);
    assert_eq!(air.chips[0].tuned().0, 76);
}

/// Reset values and writable fields as crate `nrf24l01-commands` has them.
#[test]
fn somebody_elses_map_agrees() {
    use theirs::registers as r;
    let resets: [(u8, u8); 22] = [
        (r::Config::ADDRESS, r::Config::new().into_bits()),
        (r::EnAa::ADDRESS, r::EnAa::new().into_bits()),
        (r::EnRxaddr::ADDRESS, r::EnRxaddr::new().into_bits()),
        (r::SetupAw::ADDRESS, r::SetupAw::new().into_bits()),
        (r::SetupRetr::ADDRESS, r::SetupRetr::new().into_bits()),
        (r::RfCh::ADDRESS, r::RfCh::new().into_bits()),
        (r::RfSetup::ADDRESS, r::RfSetup::new().into_bits()),
        (r::ObserveTx::ADDRESS, r::ObserveTx::new().into_bits()),
        (r::Rpd::ADDRESS, r::Rpd::new().into_bits()),
        (r::RxAddrP2::ADDRESS, r::RxAddrP2::new().into_bits()),
        (r::RxAddrP3::ADDRESS, r::RxAddrP3::new().into_bits()),
        (r::RxAddrP4::ADDRESS, r::RxAddrP4::new().into_bits()),
        (r::RxAddrP5::ADDRESS, r::RxAddrP5::new().into_bits()),
        (r::RxPwP0::ADDRESS, r::RxPwP0::new().into_bits()),
        (r::RxPwP1::ADDRESS, r::RxPwP1::new().into_bits()),
        (r::RxPwP2::ADDRESS, r::RxPwP2::new().into_bits()),
        (r::RxPwP3::ADDRESS, r::RxPwP3::new().into_bits()),
        (r::RxPwP4::ADDRESS, r::RxPwP4::new().into_bits()),
        (r::RxPwP5::ADDRESS, r::RxPwP5::new().into_bits()),
        (r::Dynpd::ADDRESS, r::Dynpd::new().into_bits()),
        (r::Feature::ADDRESS, r::Feature::new().into_bits()),
        (r::TxAddr::<5>::ADDRESS, r::TxAddr::<5>::new().as_write_bytes()[1]),
    ];
    let mut air = Air::new(1);
    for (address, reset) in resets {
        assert_eq!(air.read(0, address), reset, "{address:#04x}");
    }
}

/// Fields set through the other crate mean the same to the chip.
#[test]
fn somebody_elses_fields_do_what_they_say() {
    use theirs::fields::{AddressWidth, AutoRetransmitDelay, Crco, RfDrHigh, RfPower};
    use theirs::registers as r;
    let mut air = Air::new(1);
    let retransmission = r::SetupRetr::new().with_ard(AutoRetransmitDelay::US1000).with_arc(1);
    let setup = r::RfSetup::new().with_rf_dr_high(RfDrHigh::Mbps1).with_rf_pwr(RfPower::Neg6Dbm);
    let config = r::Config::new().with_crco(Crco::OneByte).with_pwr_up(true);
    air.spi(0, &r::SetupAw::new().with_aw(AddressWidth::FourByte).as_write_bytes());
    air.spi(0, &retransmission.as_write_bytes());
    air.spi(0, &setup.as_write_bytes());
    air.spi(0, &r::RfCh::new().with_rf_ch(40).as_write_bytes());
    air.spi(0, &r::TxAddr::<4>::from_bits(0xA1_B2_C3_D4).as_write_bytes());
    air.spi(0, &config.as_write_bytes());
    air.run(us(1_500));
    air.upload(0, theirs::WTxPayload::WORD, &[1, 2, 3]);
    air.pulse(0);
    air.run(us(10_000));
    let sent = &air.sent;
    assert_eq!(sent.len(), 2, "once more after 1 ms");
    assert_eq!((sent[1].on_air.start - sent[0].on_air.end).as_micros(), 1_000);
    // Preamble, address of 4, control field, payload of 3, CRC of 1: at 1 Mbit/s a bit takes 1 µs.
    assert_eq!(sent[0].on_air.time().as_micros(), 8 * (1 + 4 + 3 + 1) + 9);
    assert_eq!((sent[0].on_air.channel, sent[0].frame.address(4)), (40, 0xA1_B2_C3_D4));
    let words = [
        (theirs::RRxPayload::WORD, command::R_RX_PAYLOAD),
        (theirs::WTxPayload::WORD, command::W_TX_PAYLOAD),
        (theirs::FlushTx::WORD, command::FLUSH_TX),
        (theirs::FlushRx::WORD, command::FLUSH_RX),
        (theirs::ReuseTxPl::WORD, command::REUSE_TX_PL),
        (theirs::RRxPlWid::WORD, command::R_RX_PL_WID),
        (theirs::WAckPayload::word(5), command::W_ACK_PAYLOAD | 5),
        (theirs::WTxPayloadNoAck::WORD, command::W_TX_PAYLOAD_NOACK),
        (theirs::Nop::WORD, command::NOP),
    ];
    assert!(words.iter().all(|(theirs, ours)| theirs == ours));
}
