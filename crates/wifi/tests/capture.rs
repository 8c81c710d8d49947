//! Captures of 802.11: what was written is read back, with its time.

use airtime_capture::Origin;
use airtime_capture::pcapng::Packets;
use airtime_core::{Duration, Instant, Pool};
use airtime_wifi::air::{Guard, Phy, Width};
use airtime_wifi::capture::WifiCapture;
use airtime_wifi::hosted::raw::{PacketKind, PromiscuousPacket, Rate};
use airtime_wifi::wire::{Control, Frame, MacAddress, RxInfo, fcs};

const HT: Phy = Phy::ht(Width::Mhz20, Guard::Ns400, 7);

fn ack(last: u8) -> Vec<u8> {
    let mut frame = Pool::new().packet();
    Control::Ack { receiver: MacAddress::local(last) }.emit(&mut frame);
    fcs::append(&mut frame, 0);
    frame.to_vec()
}

fn at(us: u64) -> Instant {
    Instant::ZERO + Duration::from_micros(us)
}

/// Stamp, octets of radiotap, its present word, and the frame of every packet.
fn read(capture: &[u8]) -> Vec<(i64, Vec<u8>, u32, Vec<u8>)> {
    let mut packets = Packets::new(capture);
    let mut found = Vec::new();
    for packet in packets.by_ref() {
        let packet = packet.expect("our own capture is whole");
        let len = usize::from(u16::from_le_bytes([packet.data[2], packet.data[3]]));
        let (radiotap, frame) = packet.data.split_at(len);
        let present = u32::from_le_bytes(radiotap[4..8].try_into().unwrap());
        found.push((packet.unix_ns, radiotap.to_vec(), present, frame.to_vec()));
    }
    assert_eq!(packets.reader().interfaces()[0].link_type, 127);
    found
}

#[test]
fn frames_of_a_station_have_their_time_and_their_ampdu() {
    let mut capture = WifiCapture::new(Vec::new(), Origin::VIRTUAL);
    let info = RxInfo { rssi_dbm: -48, channel: 12, phy: HT, aggregated: true };
    capture.heard(at(1000), &ack(1), &info);
    capture.heard(at(1000), &ack(2), &info);
    capture.heard(at(2000), &ack(3), &info);
    capture.heard(at(3000), &ack(4), &RxInfo { phy: Phy::ofdm24(), aggregated: false, ..info });
    assert_eq!(capture.frames(), 4);
    let found = read(&capture.into_sink());
    let references: Vec<u32> =
        found[..3].iter().map(|(_, radiotap, ..)| u32::from_le_bytes(radiotap[28..32].try_into().unwrap())).collect();
    assert_eq!(references, [1, 1, 2]);
    for ((stamp, radiotap, present, frame), (us, last)) in
        found.iter().zip([(1000, 1), (1000, 2), (2000, 3), (3000, 4)])
    {
        assert_eq!(*stamp, Origin::VIRTUAL.unix_nanos(at(us)).cast_signed());
        assert_eq!(u64::from_le_bytes(radiotap[8..16].try_into().unwrap()), us, "TSFT");
        assert_eq!(Frame::parse_checked(frame), Ok(Frame::Control(Control::Ack { receiver: MacAddress::local(last) })));
        assert_eq!(present & 1, 1);
    }
    assert_eq!(found[3].2 & (1 << 2 | 1 << 19 | 1 << 20), 1 << 2, "a rate, no MCS and no A-MPDU");
}

#[test]
fn packets_of_a_coprocessor_say_what_they_know() {
    let mut capture = WifiCapture::new(Vec::new(), Origin::VIRTUAL);
    let mut wrong = ack(9);
    wrong[6] ^= 1;
    let packet = PromiscuousPacket {
        kind: PacketKind::Control,
        rssi_dbm: -70,
        channel: 1,
        rate: Rate::of(HT),
        rx_state: 0,
        frame: &ack(9),
    };
    capture.packet(at(5), &packet);
    capture.packet(at(6), &PromiscuousPacket { rx_state: 1, frame: &wrong, ..packet });
    capture.packet(at(7), &PromiscuousPacket { kind: PacketKind::Misc, frame: &[], ..packet });
    let found = read(&capture.into_sink());
    assert_eq!(found.len(), 2, "nothing was in the third");
    let flags: Vec<u8> = found.iter().map(|(_, radiotap, ..)| radiotap[8]).collect();
    assert_eq!(flags, [0x10, 0x50]);
    assert!(found.iter().all(|(.., present, _)| *present == (1 << 1 | 1 << 3 | 1 << 5 | 1 << 19)));
}
