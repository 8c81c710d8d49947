//! What a capture costs per packet: one PDU of 251 octets, written to nowhere.

use std::hint::black_box;

use airtime_ble::air::Phy;
use airtime_ble::capture::crc;
use airtime_ble::host::Role;
use airtime_ble::ll::pdu::ADVERTISING_ACCESS_ADDRESS;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::capture::{AirCapture, HostCapture, TimelineCapture};
use airtime_capture::{Origin, Sink};
use airtime_core::{Instant, Pool};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const LINK: u32 = 0x5065_4e12;
const OCTETS: usize = 2 + 251;

struct Nowhere;

impl Sink for Nowhere {
    fn put(&mut self, bytes: &[u8]) {
        black_box(bytes);
    }
}

fn packet_of(pdu: &[u8]) -> Transmission {
    let start = Instant::from_nanos(1_000_000);
    Transmission {
        link: LINK,
        channel: 3,
        phy: Phy::Le2M,
        start,
        end: start + Phy::Le2M.packet(251),
        unsent: airtime_core::Duration::ZERO,
        place: Place::Event { counter: 0, opens: false, from_central: true },
        encrypted: false,
        packet: Pool::new().copy(pdu),
    }
}

/// The CONNECT_IND that tells what the CRCs begin with: every channel, interval 24, timeout 100, hop 7.
fn request() -> Transmission {
    let mut pdu = vec![0; 36];
    pdu[..2].copy_from_slice(&[5, 34]);
    pdu[14..18].copy_from_slice(&LINK.to_le_bytes());
    pdu[21..].copy_from_slice(&[1, 0, 0, 24, 0, 0, 0, 100, 0, 0xff, 0xff, 0xff, 0xff, 0x1f, 7]);
    let packet = Pool::new().copy(&pdu);
    Transmission {
        link: ADVERTISING_ACCESS_ADDRESS,
        channel: 37,
        place: Place::Advertising,
        packet,
        ..packet_of(&[2, 0])
    }
}

fn capture(c: &mut Criterion) {
    let mut pdu = vec![0xa5; OCTETS];
    pdu[..8].copy_from_slice(&[2, 251, 247, 0, 0x40, 0, 245, 0]);
    let sent = packet_of(&pdu);
    let mut group = c.benchmark_group("capture");
    group.throughput(Throughput::Elements(1));
    group.bench_function("crc", |b| b.iter(|| crc::crc(black_box(0x12_3456), black_box(&sent.packet))));
    let mut air = AirCapture::new(Nowhere, Origin::VIRTUAL);
    air.transmission(&request(), Verdict::Unheard);
    group.bench_function("air", |b| b.iter(|| air.transmission(black_box(&sent), Verdict::New)));
    let mut host = HostCapture::new(Nowhere, Origin::VIRTUAL, 0);
    group.bench_function("host", |b| b.iter(|| host.hci(sent.end, 0, true, black_box(&sent.packet))));
    let mut timeline = TimelineCapture::new(Nowhere, &["central", "peripheral"]);
    for (device, role) in [(0, Role::Central), (1, Role::Peripheral)] {
        timeline.trace(Instant::ZERO, device, &Trace::ConnectionOpened { link: LINK, role, handle: 0 }, None);
    }
    group.bench_function("timeline", |b| b.iter(|| timeline.transmission(black_box(&sent), Verdict::New)));
    group.finish();
}

criterion_group!(benches, capture);
criterion_main!(benches);
