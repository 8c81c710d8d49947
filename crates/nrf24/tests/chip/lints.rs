//! What silicon swallows is said, and nothing else happens.

use airtime_core::Duration;
use airtime_nrf24::air::{Framing, Rate};
use airtime_nrf24::trace::Lint;
use airtime_nrf24::wire::command::{ACTIVATE, FLUSH_RX, R_RX_PAYLOAD, W_ACK_PAYLOAD, W_TX_PAYLOAD, W_TX_PAYLOAD_NOACK};

use super::air::{Air, pair, us};

const FRAMING: Framing = Framing::enhanced(Rate::M2, 5);

#[test]
fn a_decent_driver_hears_nothing() {
    let mut air = pair(FRAMING, 0x1F);
    air.run(us(10));
    for octet in 0..3 {
        air.upload(0, W_TX_PAYLOAD, &[octet; 32]);
    }
    air.ce(0, true);
    air.run(us(5_000));
    for _ in 0..3 {
        air.payload(1, 32);
    }
    air.write(1, 0x07, &[0x40]);
    air.ce(1, false);
    assert_eq!((air.lints(0), air.lints(1)), (vec![], vec![]));
}

#[test]
fn writes() {
    let mut air = Air::new(1);
    for (register, value, expected) in [
        (0x00, 0x88, Some(Lint::ReservedBits { register: 0 })),
        (0x06, 0x4E, Some(Lint::ReservedBits { register: 6 })),
        (0x06, 0x0F, None),
        (0x1D, 0xFE, Some(Lint::ReservedBits { register: 0x1D })),
        (0x03, 0x00, Some(Lint::IllegalSetting { register: 3 })),
        (0x06, 0x2E, Some(Lint::IllegalSetting { register: 6 })),
        (0x11, 0x21, Some(Lint::IllegalSetting { register: 0x11 })),
        (0x07, 0x7E, None),
        (0x08, 0x00, Some(Lint::ReadOnly { register: 8 })),
        (0x19, 0x00, Some(Lint::ReadOnly { register: 0x19 })),
    ] {
        air.traces.clear();
        air.write(0, register, &[value]);
        assert_eq!(air.lints(0), Vec::from_iter(expected), "{value:#x} to {register:#x}");
    }
    assert_eq!(air.read(0, 0x1D), 0x06, "the rest counts");
}

#[test]
fn writes_while_active() {
    let mut air = pair(FRAMING, 0x1F);
    air.write(1, 0x02, &[0x3F]);
    air.write(1, 0x07, &[0x70]);
    assert_eq!(air.lints(1), [Lint::WriteWhileActive { register: 2 }]);
    assert_eq!(air.read(1, 0x02), 0x3F, "written all the same");
    air.write(0, 0x02, &[0x3F]);
    assert_eq!(air.lints(0), []);
}

#[test]
fn fifos_and_commands() {
    let mut air = pair(FRAMING, 0x1F);
    for _ in 0..4 {
        air.upload(0, W_TX_PAYLOAD, &[1]);
    }
    air.spi(0, &[R_RX_PAYLOAD, 0]);
    air.spi(0, &[ACTIVATE, 0x73]);
    assert_eq!(air.lints(0), [Lint::TxFifoOverrun, Lint::RxFifoEmpty, Lint::UnknownCommand { command: 0x50 }]);
    air.write(0, 0x1D, &[0x04]);
    air.traces.clear();
    air.upload(0, W_TX_PAYLOAD_NOACK, &[1]);
    air.upload(0, W_ACK_PAYLOAD | 2, &[1]);
    assert_eq!(air.lints(0), [Lint::FeatureOff { command: 0xB0 }, Lint::FeatureOff { command: 0xAA }]);
    air.pulse(0);
    air.run(us(300));
    air.traces.clear();
    air.payload(1, 2);
    assert_eq!(air.lints(1), [Lint::ReadBeyondPayload]);
}

#[test]
fn flush_rx_while_an_acknowledgement_is_due() {
    let mut air = pair(FRAMING, 0x1F);
    air.upload(0, W_TX_PAYLOAD, &[1; 32]);
    air.pulse(0);
    air.run(us(330));
    air.spi(1, &[FLUSH_RX]);
    assert_eq!(air.lints(1), [Lint::FlushDuringAck]);
    air.run(us(1_000));
    assert_eq!(air.starts(1).len(), 1, "it goes out all the same");
}

#[test]
fn ce() {
    let mut air = Air::new(1);
    air.write(0, 0x00, &[0x0B]);
    air.ce(0, true);
    assert_eq!(air.lints(0), [Lint::NoPowerUpWait]);
    air.run(us(9));
    air.ce(0, false);
    assert_eq!(air.lints(0)[1..], [Lint::ShortCePulse]);
    air.run(us(2_000));
    air.traces.clear();
    air.ce(0, true);
    air.run(us(4) - Duration::from_nanos(1));
    air.read(0, 0x17);
    air.run(Duration::from_nanos(1));
    air.read(0, 0x17);
    assert_eq!(air.lints(0), [Lint::SpiTooSoonAfterCe]);
}

#[test]
fn ce_dropped_while_a_payload_waits() {
    let mut air = pair(FRAMING, 0x1F);
    air.upload(0, W_TX_PAYLOAD, &[1; 32]);
    air.pulse(0);
    air.run(us(1_000));
    air.ce(1, false);
    assert_eq!(air.lints(1), [Lint::CeDroppedWhileReading]);
}

#[test]
fn dynamic_length_that_is_none() {
    let mut air = Air::new(1);
    air.write(0, 0x1C, &[0x3F]);
    assert_eq!(air.lints(0), [], "FEATURE may still follow");
    air.ce(0, true);
    assert_eq!(air.lints(0), [Lint::DynamicLengthWithoutAck]);
    air.ce(0, false);
    air.traces.clear();
    air.run(us(100));
    air.ce(0, true);
    assert_eq!(air.lints(0), [], "said once");
    air.write(0, 0x1D, &[0x04]);
    air.write(0, 0x01, &[0x01]);
    air.run(us(100));
    air.ce(0, false);
    air.ce(0, true);
    assert!(air.lints(0).contains(&Lint::DynamicLengthWithoutAck), "pipes 1 to 5 do not acknowledge");
}

#[test]
fn an_acknowledgement_longer_than_ard() {
    for (rate, ard, longest) in [
        (Rate::M2, 0, 15),
        (Rate::M2, 1, 32),
        (Rate::M1, 0, 5),
        (Rate::M1, 1, 32),
        (Rate::K250, 2, 7),
        (Rate::K250, 3, 15),
        (Rate::K250, 4, 23),
        (Rate::K250, 5, 32),
    ] {
        let mut air = pair(Framing::enhanced(rate, 5), ard << 4 | 3);
        air.upload(1, W_ACK_PAYLOAD, &vec![1; longest]);
        assert_eq!(air.lints(1), [], "{rate} ARD {ard}");
        if longest < 32 {
            air.upload(1, W_ACK_PAYLOAD, &vec![1; longest + 1]);
            assert_eq!(air.lints(1), [Lint::ArdTooShort], "{rate} ARD {ard}");
        }
    }
}

/// Keeps the TX FIFO from running dry for so many frames.
fn stream(air: &mut Air, frames: u32) {
    air.ce(0, true);
    for _ in 0..frames {
        while air.status(0) & 1 == 0 {
            air.upload(0, W_TX_PAYLOAD_NOACK, &[1; 32]);
        }
        air.run(FRAMING.time(32));
        air.payload(1, 32);
    }
    air.run(us(1_000));
}

#[test]
fn four_milliseconds_of_tx() {
    // 24 frames of 164.5 µs are 3.948 ms, 25 are 4.1125 ms.
    let mut air = pair(FRAMING, 0x1F);
    air.run(us(10));
    for _ in 0..24 {
        stream_one(&mut air);
    }
    assert!(!air.lints(0).contains(&Lint::TxBeyond4Ms), "each frame a stay of its own");
    let mut air = pair(FRAMING, 0x1F);
    air.run(us(10));
    stream(&mut air, 60);
    let said = air
        .traces
        .iter()
        .filter(|(_, chip, trace)| *chip == 0 && *trace == airtime_nrf24::trace::Trace::Lint(Lint::TxBeyond4Ms));
    let said: Vec<_> = said.map(|&(at, ..)| at).collect();
    assert_eq!(said, [air.sent[24].on_air.start], "once, when the 25th begins");
    assert_eq!(air.sent.windows(2).filter(|pair| pair[0].on_air.end != pair[1].on_air.start).count(), 0);
}

#[test]
fn repetitions_are_no_stay_in_tx() {
    // 16 frames of 164.5 µs, 250 µs of ARD between them: more than 6 ms, but not of TX.
    let mut air = pair(FRAMING, 0x0F);
    air.ce(1, false);
    air.traces.clear();
    air.upload(0, W_TX_PAYLOAD, &[1; 32]);
    air.pulse(0);
    air.run(us(10_000));
    assert_eq!((air.starts(0).len(), air.lints(0)), (16, vec![]));
}

fn stream_one(air: &mut Air) {
    air.upload(0, W_TX_PAYLOAD_NOACK, &[1; 32]);
    air.pulse(0);
    air.run(us(500));
    air.payload(1, 32);
}
