//! Streams in values: notifications of a peripheral, write commands of a central, and both at once.

use airtime_app::{
    CentralConfig, DataLengthStep, Direction, Gaps, Machine, PeripheralConfig, Phy, StreamConfig, Transport,
};
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_guest::trouble::{TroubleConfig, TroubleStation};

use crate::support::{HOST, network};

/// Values of the stream, in octets: what an LL payload of 251 leaves behind the headers of L2CAP and ATT.
const VALUE: u16 = 244;

const LENGTH: Duration = Duration::from_secs(10);

const VALUES: TroubleConfig = HOST.in_values();

/// SDUs that arrived at an end, and those that were not in their order.
fn arrived(machine: &dyn Machine) -> (u64, Gaps) {
    let link = machine.link(0).expect("they were connected");
    assert!(link.is_connected() && machine.outcome(0).is_none(), "and still are: {:?}", machine.outcome(0));
    (link.meter().sdus(), link.gaps())
}

/// Values that have arrived at the central and at the peripheral.
fn streamed(direction: Direction, data_length: DataLengthStep) -> [u64; 2] {
    let pool = Pool::new();
    let stream = StreamConfig { transport: Transport::Gatt, direction, sdu: VALUE, ..StreamConfig::default() };
    let central = CentralConfig {
        stream,
        conn_interval: Duration::from_micros(7_500),
        phy: Phy::Le2M,
        data_length,
        ..CentralConfig::default()
    };
    let peripheral = PeripheralConfig { stream, ..PeripheralConfig::default() };
    let stations = [
        TroubleStation::central(central, VALUES, pool.clone()),
        TroubleStation::peripheral(peripheral, VALUES, pool.clone()),
    ];
    let mut network = network(stations, &pool);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    while events.step(&mut network, Instant::ZERO + LENGTH) {}
    let [central, peripheral] = [0, 1].map(|device: usize| {
        let station = &network.devices[device].station;
        assert_eq!((station.refused(), station.dropped()), (0, 0));
        let (values, gaps) = arrived(&*station.application());
        assert_eq!(gaps, Gaps::default(), "{direction:?}");
        values
    });
    [central, peripheral]
}

/// Values in ten seconds at a third of what LE 2M carries: the stream is a stream, and no trickle.
const MANY: u64 = 3_000;

#[test]
fn a_peripheral_notifies() {
    let [central, peripheral] = streamed(Direction::P2c, DataLengthStep::First);
    println!("{central} notifications");
    assert!(central > MANY && peripheral == 0, "{central} {peripheral}");
}

#[test]
fn a_central_writes_without_response() {
    let [central, peripheral] = streamed(Direction::C2p, DataLengthStep::First);
    println!("{peripheral} write commands");
    assert!(central == 0 && peripheral > MANY, "{central} {peripheral}");
}

#[test]
fn both_at_once() {
    let [central, peripheral] = streamed(Direction::Both, DataLengthStep::AfterChannels);
    println!("{central} notifications, {peripheral} write commands");
    assert!(central > MANY / 3 && peripheral > MANY / 3, "{central} {peripheral}");
}
