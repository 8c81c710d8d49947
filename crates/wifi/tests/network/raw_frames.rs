//! Raw frames through the whole pipeline: what is on the air reaches the application of the host, and the other way round.

use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_wifi::cell::{Beacons, Cell, CellConfig, StationConfig, StationId, Traffic};
use airtime_wifi::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use airtime_wifi::hosted::host::{Host, HostConfig};
use airtime_wifi::hosted::raw::{CommandFailure, Filter, PacketKind, PromiscuousPacket, id};
use airtime_wifi::network::{BusTiming, Chain, Costs, Hearer, Network, Observer, PathConfig, Sniffer, Step};
use airtime_wifi::wire::RxInfo;

/// Frames by kind: management, control, data.
#[derive(Debug, Default)]
struct Kinds([u64; 3]);

impl Hearer for Kinds {
    fn packet(&mut self, _: Instant, packet: &PromiscuousPacket<'_>) {
        match packet.kind {
            PacketKind::Management => self.0[0] += 1,
            PacketKind::Control => self.0[1] += 1,
            PacketKind::Data => self.0[2] += 1,
            PacketKind::Misc => {}
        }
    }
}

/// What the second virtual station hears.
#[derive(Debug, Default)]
struct Overheard(Vec<Vec<u8>>);

impl Observer for Overheard {
    fn heard(&mut self, _: Instant, station: StationId, frame: &[u8], _: &RxInfo) {
        if station == MONITOR {
            self.0.push(frame.to_vec());
        }
    }
}

const MONITOR: StationId = StationId(2);

type Plant = Network<(), (), Overheard, Sniffer<Kinds>>;

/// Beacons every 102.4 ms, another station that sends 1000 octets every 20 ms or so, and the application with its steps.
fn run(slave: CoprocessorConfig, packet_id: u32, steps: Vec<(Instant, Step)>, span: Duration) -> Plant {
    let pool = Pool::new();
    let mut config = CellConfig::pair();
    config.beacons = Some(Beacons::usual(b"airtime"));
    config.stations.push(StationConfig::usual(2));
    let mut talker = StationConfig::usual(3);
    talker.traffic = Traffic::Poisson { to: StationId(1), mpdu: 1_000, every: Duration::from_millis(20) };
    config.stations.push(talker);
    let mut cell = Cell::new(config, pool.clone(), 1);
    cell.listen(MONITOR, true);
    let host = Host::booted(HostConfig::default(), pool.clone());
    let chain =
        Chain::new(host, Coprocessor::booted(slave, pool.clone()), BusTiming::PUBLISHED, Costs::p4_c6(), 32, &pool);
    let sniffer = Sniffer::new(packet_id, steps, Kinds::default());
    let path = PathConfig::default();
    let mut network = Network::controlled(&pool, path, cell, Some(chain), (), (), Overheard::default(), sniffer);
    network.start(Instant::ZERO);
    EventLoop::new(Instant::ZERO, &network).run_until(&mut network, Instant::ZERO + span);
    network
}

fn at(ms: u64) -> Instant {
    Instant::from_nanos(ms * 1_000_000)
}

fn custom(packet_id: u32) -> CoprocessorConfig {
    CoprocessorConfig::default().with_raw_frames(packet_id)
}

/// A broadcast probe request of the station.
fn probe() -> Vec<u8> {
    let mut frame = vec![0x40, 0, 0, 0];
    frame.extend([0xff; 6]);
    frame.extend([2, 0, 0, 0, 0, 1]);
    frame.extend([0xff; 6]);
    frame.extend([0, 0, 0, 0, 1, 4, 2, 4, 11, 22]);
    frame
}

#[test]
fn ten_seconds_of_everything_reach_the_host() {
    for packet_id in [id::PROMISCUOUS_PACKET, id::PROMISCUOUS_PACKET_OF_CODE] {
        let steps = vec![(at(0), Step::Filter(Filter::ALL)), (at(1), Step::Listen(true))];
        let network = run(custom(packet_id), packet_id, steps, Duration::from_secs(10));
        assert!(network.control.finished().iter().all(|finished| finished.result.is_ok()));
        assert_eq!(network.control.finished().len(), 2);
        let [management, control, data] = network.control.hearer.0;
        // 97 beacons in 10 s; each MPDU of the talker has an acknowledgement.
        assert!((96..=98).contains(&management), "{management} beacons");
        assert!((400..600).contains(&data), "{data} of some 500 MPDUs");
        assert!(control.abs_diff(data) <= data / 10, "{control} acknowledgements of {data}");
        assert_eq!(network.control.counts().packets, management + control + data);
    }
}

#[test]
fn a_filter_and_a_channel_hold() {
    let steps = vec![
        (at(0), Step::Filter(Filter::MANAGEMENT)),
        (at(1), Step::Listen(true)),
        (at(1_000), Step::Channel(6)),
        (at(2_000), Step::Channel(1)),
        (at(3_000), Step::Listen(false)),
    ];
    let network = run(custom(id::PROMISCUOUS_PACKET), id::PROMISCUOUS_PACKET, steps, Duration::from_secs(5));
    assert_eq!(network.control.finished().len(), 5);
    let [management, control, data] = network.control.hearer.0;
    // Beacons of the first and the third second.
    assert!((18..=21).contains(&management), "{management} beacons");
    assert_eq!((control, data), (0, 0));
}

#[test]
fn an_injected_frame_is_heard_by_a_second_station() {
    let steps = vec![(at(10), Step::Inject(probe()))];
    let network = run(custom(id::PROMISCUOUS_PACKET), id::PROMISCUOUS_PACKET, steps, Duration::from_millis(100));
    assert_eq!(network.control.finished().iter().filter(|finished| finished.result.is_ok()).count(), 1);
    let probe = probe();
    // The driver puts its own sequence number in, and the frame has its FCS.
    let is_probe = |frame: &&Vec<u8>| frame.starts_with(&probe[..22]) && frame[24..].starts_with(&probe[24..]);
    let heard = network.observer.0.iter().filter(is_probe);
    assert_eq!(heard.count(), 1);
}

#[test]
fn a_factory_image_refuses() {
    let steps = vec![(at(0), Step::Listen(true)), (at(1), Step::Inject(probe()))];
    let factory = CoprocessorConfig::default();
    let network = run(factory, id::PROMISCUOUS_PACKET, steps, Duration::from_secs(1));
    let finished = network.control.finished();
    assert_eq!(finished.len(), 2);
    for finished in finished {
        assert!(matches!(finished.result, Err(CommandFailure::NoHandler(_))), "{finished:?}");
    }
    assert_eq!(network.control.counts().packets, 0);
}
