//! Pipes, static and dynamic length, ShockBurst, and the polarity of NO_ACK.

use airtime_nrf24::air::{Crc, Framing, Rate};
use airtime_nrf24::chip::{Chip, Options};
use airtime_nrf24::trace::Reception;
use airtime_nrf24::wire::command::{R_RX_PL_WID, W_TX_PAYLOAD, W_TX_PAYLOAD_NOACK};

use super::air::{Air, Fate, pair, us};

const FRAMING: Framing = Framing::enhanced(Rate::M2, 5);

#[test]
fn six_pipes_each_with_its_address() {
    let mut air = pair(FRAMING, 0x1F);
    air.write(1, 0x02, &[0x3F]);
    air.write(1, 0x0A, &[0x50, 0x51, 0x52, 0x53, 0x54]);
    air.write(1, 0x0B, &[0x60, 0x61, 0x62, 0x63, 0x64]);
    for pipe in 2..6u8 {
        air.write(1, 0x0A + pipe, &[0x70 + pipe, 0xFF]);
    }
    for pipe in 0..6u8 {
        let address = match pipe {
            0 => [0x50, 0x51, 0x52, 0x53, 0x54],
            1 => [0x60, 0x61, 0x62, 0x63, 0x64],
            _ => [0x70 + pipe, 0x61, 0x62, 0x63, 0x64],
        };
        air.write(0, 0x10, &address);
        air.write(0, 0x0A, &address);
        air.upload(0, W_TX_PAYLOAD, &[pipe; 5]);
        air.pulse(0);
        air.run(us(1_000));
        assert_eq!(air.status(1) >> 1 & 7, pipe, "RX_P_NO");
        assert_eq!(air.payload(1, 5), [pipe; 5]);
        assert_eq!(air.status(0) & 0x70, 0x20, "acknowledged by pipe {pipe}");
        air.write(0, 0x07, &[0x70]);
    }
    assert_eq!(air.status(1) >> 1 & 7, 7, "empty");
    air.write(1, 0x02, &[0x3E]);
    air.write(0, 0x10, &[0x50, 0x51, 0x52, 0x53, 0x54]);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[1]);
    air.pulse(0);
    air.run(us(1_000));
    assert_eq!(air.receptions(1).len(), 6, "a pipe that is off hears nothing");
}

#[test]
fn identities_are_kept_for_each_pipe() {
    let mut air = pair(FRAMING, 0x10);
    for address in [0xE7, 0xC2, 0xE7, 0xC2] {
        air.write(0, 0x10, &[address; 5]);
        air.upload(0, W_TX_PAYLOAD_NOACK, &[1; 3]);
        air.pulse(0);
        air.run(us(1_000));
        air.payload(1, 3);
    }
    assert_eq!(air.receptions(1), [Reception::New; 4]);
}

/// Both ends without dynamic length; the receiver's pipe 0 has this width.
fn fixed(width: u8) -> Air {
    let mut air = pair(FRAMING, 0x13);
    for chip in 0..2 {
        air.write(chip, 0x1C, &[0]);
        air.write(chip, 0x1D, &[0x01]);
    }
    air.write(1, 0x11, &[width]);
    air
}

#[test]
fn with_a_static_length_only_payloads_of_that_length_arrive() {
    for (width, len, expected) in [
        (8, 8, Reception::New),
        (8, 7, Reception::BadCrc),
        (8, 9, Reception::BadCrc),
        (0, 1, Reception::Refused),
        (33, 32, Reception::Refused),
        (32, 32, Reception::New),
    ] {
        let mut air = fixed(width);
        air.upload(0, W_TX_PAYLOAD, &[5; 32][..len]);
        air.pulse(0);
        air.run(us(5_000));
        assert_eq!(air.receptions(1)[0], expected, "width {width}, {len} octets");
        let good = expected == Reception::New;
        assert_eq!(air.status(0) & 0x70, if good { 0x20 } else { 0x10 });
        if good {
            assert_eq!(usize::from(air.spi(1, &[R_RX_PL_WID, 0])[1]), len);
        }
        let control = air.sent[0].frame.control(5);
        assert_eq!((control.length, control.no_ack), (0b11_0011, false), "as genuine parts send it");
    }
}

#[test]
fn the_ends_must_agree_on_dynamic_length() {
    let mut air = pair(FRAMING, 0x13);
    air.write(0, 0x1C, &[0]);
    air.upload(0, W_TX_PAYLOAD, &[5; 32]);
    air.pulse(0);
    air.run(us(5_000));
    assert_eq!(air.receptions(1)[0], Reception::Refused, "a length field of 51");
}

#[test]
fn shockburst_has_no_control_field_and_may_have_no_check() {
    for (config, check) in [(0x0E, Crc::Two), (0x0A, Crc::One), (0x06, Crc::None)] {
        let mut air = Air::new(2);
        for chip in 0..2u8 {
            air.write(chip.into(), 0x01, &[0]);
            air.write(chip.into(), 0x04, &[0]);
            air.write(chip.into(), 0x11, &[6]);
            air.write(chip.into(), 0x00, &[config | chip]);
        }
        air.run(us(1_500));
        air.ce(1, true);
        air.run(us(130));
        for octet in 0..2 {
            air.upload(0, W_TX_PAYLOAD, &[octet; 6]);
        }
        air.ce(0, true);
        air.run(us(500));
        let framing = Framing { rate: Rate::M2, address_width: 5, crc: check, enhanced: false };
        assert!(air.sent.iter().all(|sent| sent.on_air.time() == framing.time(6)));
        assert_eq!(u64::from(air.sent[0].frame.len_bits()), 8 * (1 + 5 + 6 + u64::from(check.octets())));
        assert_eq!(air.sent[1].on_air.start, air.sent[0].on_air.end, "without a gap");
        assert_eq!((air.payload(1, 6), air.payload(1, 6)), (vec![0; 6], vec![1; 6]));
    }
}

#[test]
fn auto_acknowledgement_forces_the_check_and_the_control_field_and_retransmission_neither() {
    // 7.9 has ShockBurst with EN_AA 0 and ARC 0; that ARC makes no difference is *assumed*. CONFIG without EN_CRC: SETUP_RETR, EN_AA, bits of a
    // frame with three octets at AW 5.
    for (retransmission, acknowledged, bits) in
        [(0x00, 0x00, 8 * (1 + 5 + 3)), (0x01, 0x00, 8 * (1 + 5 + 3)), (0x00, 0x02, 8 * (1 + 5 + 3 + 1) + 9)]
    {
        let mut air = Air::new(1);
        air.write(0, 0x04, &[retransmission]);
        air.write(0, 0x01, &[acknowledged]);
        air.write(0, 0x00, &[0x02]);
        air.run(us(1_500));
        air.upload(0, W_TX_PAYLOAD, &[1; 3]);
        air.pulse(0);
        air.run(us(5_000));
        assert_eq!(air.sent.len(), 1, "pipe 0 does not acknowledge, so nobody waits");
        assert_eq!(air.sent[0].frame.len_bits(), bits, "{retransmission:#x} {acknowledged:#x}");
    }
}

#[test]
fn without_a_check_damage_goes_through() {
    for (config, expected) in [(0x0E, Reception::BadCrc), (0x06, Reception::New)] {
        let mut air = Air::new(2);
        for chip in 0..2u8 {
            air.write(chip.into(), 0x01, &[0]);
            air.write(chip.into(), 0x04, &[0]);
            air.write(chip.into(), 0x11, &[1]);
            air.write(chip.into(), 0x00, &[config | chip]);
        }
        air.run(us(1_500));
        air.ce(1, true);
        air.run(us(130));
        air.fates = vec![Fate::Flip(48)];
        air.upload(0, W_TX_PAYLOAD, &[0x00]);
        air.pulse(0);
        air.run(us(500));
        assert_eq!(air.receptions(1), [expected]);
        if expected == Reception::New {
            assert_eq!(air.payload(1, 1), [0x80], "bit 48 is the first of the payload");
        }
    }
}

#[test]
fn no_ack_needs_its_feature_and_is_inverted_on_the_air_by_genuine_parts() {
    for (clone, features, command, bit) in [
        (false, 0x07, W_TX_PAYLOAD, true),
        (false, 0x07, W_TX_PAYLOAD_NOACK, false),
        (false, 0x01, W_TX_PAYLOAD, false),
        (false, 0x01, W_TX_PAYLOAD_NOACK, true),
        (true, 0x07, W_TX_PAYLOAD, false),
        (true, 0x07, W_TX_PAYLOAD_NOACK, true),
    ] {
        let mut air = Air::with(1, Options { clone_noack_polarity: clone, ..Options::default() });
        super::air::set_up(&mut air, FRAMING, 0x10);
        air.write(0, 0x1D, &[features]);
        air.upload(0, command, &[1]);
        air.pulse(0);
        air.run(us(500));
        assert_eq!(air.sent[0].frame.control(5).no_ack, bit, "clone {clone}, FEATURE {features:#x}, {command:#x}");
    }
}

#[test]
fn clones_and_genuine_parts_do_not_acknowledge_each_other_with_dynamic_length() {
    for (kinds, acknowledged) in [([false, false], true), ([true, true], true), ([false, true], false)] {
        let mut air = Air::new(2);
        air.chips = kinds.map(|clone| Chip::new(Options { clone_noack_polarity: clone, ..Options::default() })).into();
        super::air::set_up(&mut air, FRAMING, 0x13);
        air.upload(0, W_TX_PAYLOAD, &[1, 2]);
        air.pulse(0);
        air.run(us(10_000));
        assert_eq!(air.status(0) & 0x70, if acknowledged { 0x20 } else { 0x10 }, "{kinds:?}");
        assert_eq!(air.payload(1, 2), [1, 2], "it arrives all the same");
    }
}

#[test]
fn rates_and_channels_keep_apart() {
    for (register, value) in [(0x05, 3), (0x06, 0x06)] {
        let mut air = pair(FRAMING, 0x11);
        air.ce(1, false);
        air.write(1, register, &[value]);
        air.ce(1, true);
        air.run(us(200));
        air.upload(0, W_TX_PAYLOAD, &[1]);
        air.pulse(0);
        air.run(us(5_000));
        assert!(air.receptions(1).is_empty() && air.status(0) & 0x10 != 0);
    }
}
