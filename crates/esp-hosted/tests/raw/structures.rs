//! The packed structures, octet for octet as `main/wifi_raw_msgs.h` has them.

use airtime_esp_hosted::raw::{
    Command, CommandError, Filter, Interface, PacketError, PacketKind, PromiscuousPacket, Rate, Reply, Second, SigMode,
    id,
};
use airtime_ieee80211::air::{Guard, Phy, Preamble, Width};
use proptest::prelude::*;

fn emit(command: &Command<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    command.emit(&mut out);
    out
}

#[test]
fn commands_octet_for_octet() {
    let transmit = Command::Transmit { interface: Interface::AccessPoint, system_sequence: true, frame: &[9, 8, 7] };
    let cases: [(u32, Command<'_>, &[u8]); 4] = [
        (0x0100, Command::SetPromiscuous(true), &[1]),
        (0x0101, Command::SetChannel { primary: 6, second: Second::None }, &[6, 0]),
        (0x0102, Command::SetFilter(Filter::MANAGEMENT.with(Filter::DATA_AMPDU)), &[0x21, 0, 0, 0]),
        (0x0103, transmit, &[1, 1, 3, 0, 9, 8, 7]),
    ];
    for (number, command, octets) in cases {
        assert_eq!((command.id(), emit(&command)), (number, octets.to_vec()));
        assert_eq!(Command::parse(number, octets), Ok(command));
        for len in 0..octets.len() {
            assert_eq!(Command::parse(number, &octets[..len]), Err(CommandError::Length { id: number, len }));
        }
        let longer = [octets, &[0]].concat();
        assert_eq!(Command::parse(number, &longer), Err(CommandError::Length { id: number, len: longer.len() }));
    }
    assert_eq!(id::COMMANDS, cases.map(|(number, ..)| number));
}

#[test]
fn commands_that_are_none() {
    assert_eq!(Command::parse(0x0104, &[]), Err(CommandError::Unknown(0x0104)));
    assert_eq!(Command::parse(0x0101, &[6, 3]), Err(CommandError::Value { id: 0x0101, value: 3 }));
    assert_eq!(Command::parse(0x0103, &[2, 0, 0, 0]), Err(CommandError::Value { id: 0x0103, value: 2 }));
}

#[test]
fn an_answer_octet_for_octet() {
    let reply = Reply { command: 0x0103, status: -2 };
    assert_eq!(reply.octets(), [0x03, 0x01, 0xfe, 0xff, 0xff, 0xff]);
    assert_eq!(Reply::parse(&[0x03, 0x01, 0xfe, 0xff, 0xff, 0xff, 0]), Some(reply));
    assert_eq!(Reply::parse(&[0x03, 0x01, 0xfe, 0xff, 0xff]), None);
}

#[test]
fn a_packet_octet_for_octet() {
    let packet = PromiscuousPacket {
        kind: PacketKind::Data,
        rssi_dbm: -48,
        channel: 12,
        rate: Rate { code: 0x1f, mode: SigMode::Ht },
        rx_state: 0x0403_0201,
        frame: &[0xaa, 0xbb],
    };
    let octets = [2, 0, 0, 0, 0xd0, 12, 0x1f, 1, 1, 2, 3, 4, 2, 0, 0xaa, 0xbb];
    let mut out = Vec::new();
    packet.emit(&mut out);
    assert_eq!(out, octets);
    assert_eq!(PromiscuousPacket::parse(&octets), Ok(packet));
    for len in 0..octets.len() {
        assert_eq!(PromiscuousPacket::parse(&octets[..len]), Err(PacketError::Cut), "{len}");
    }
    let mut fourth = octets;
    fourth[0] = 4;
    assert_eq!(PromiscuousPacket::parse(&fourth), Err(PacketError::Kind(4)));
}

#[test]
fn rates_come_back_where_they_can() {
    let legacy = (0..4).map(|mcs| Phy { mcs, ..Phy::dsss1() }).chain((0..8).map(|mcs| Phy { mcs, ..Phy::ofdm6() }));
    let ht = (0..8).flat_map(|mcs| [Guard::Ns400, Guard::Ns800].map(|guard| Phy::ht(Width::Mhz20, guard, mcs)));
    let mut codes = Vec::new();
    let short = (1..4).map(|mcs| Phy::dsss(Preamble::Short, mcs));
    for phy in legacy.chain(ht).chain(short) {
        let rate = Rate::of(phy);
        assert_eq!(rate.phy(), Some(phy));
        codes.push(rate);
    }
    codes.sort_by_key(|rate| (rate.code, rate.mode.octet()));
    codes.dedup();
    assert_eq!(codes.len(), 4 + 8 + 16 + 3, "no two are alike");
    // 24 and 54 Mbit/s in the units of `wifi_phy_rate_t`.
    assert_eq!((Rate::of(Phy::ofdm24()).code, Rate::of(Phy::ofdm(54).unwrap()).code), (0x09, 0x0C));
    assert_eq!(Rate::of(Phy::he(Width::Mhz20, Guard::Ns800, 9)).phy(), None, "the message has no word for HE");
    assert_eq!(Rate { code: 4, mode: SigMode::Legacy }.phy(), None);
}

proptest! {
    #[test]
    fn packets_come_back(
        kind in 0..4usize, rssi_dbm in any::<i8>(), channel in any::<u8>(), code in any::<u8>(), mode in any::<u8>(),
        rx_state in any::<u32>(), frame in proptest::collection::vec(any::<u8>(), 0..2000),
    ) {
        let kind = [PacketKind::Management, PacketKind::Control, PacketKind::Data, PacketKind::Misc][kind];
        let rate = Rate { code, mode: SigMode::of(mode) };
        let packet = PromiscuousPacket { kind, rssi_dbm, channel, rate, rx_state, frame: &frame };
        let mut out = Vec::new();
        packet.emit(&mut out);
        prop_assert_eq!(PromiscuousPacket::parse(&out), Ok(packet));
    }

    #[test]
    fn whatever_parses_is_made_again(number in 0..5u32, data in proptest::collection::vec(any::<u8>(), 0..40)) {
        if let Ok(command) = Command::parse(0x0100 + number, &data) {
            let again = emit(&command);
            prop_assert_eq!(Command::parse(command.id(), &again), Ok(command));
        }
    }
}
