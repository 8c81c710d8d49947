//! Random configurations for properties.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;
use airtime_net::lwip::OnError;
use airtime_wifi::cell::{MissingBlockAck, StationConfig, StationId, Traffic};
use proptest::prelude::*;

use super::rig::{Scenario, Test};

fn test() -> impl Strategy<Value = Test> {
    prop_oneof![
        (100..1_473usize, proptest::option::of(1..80u64))
            .prop_map(|(payload, mbps)| Test::UdpUp { payload, rate: mbps.map(|mbps| Bitrate(mbps * 1_000_000)) }),
        (100..1_473usize, 1..80u64)
            .prop_map(|(payload, mbps)| Test::UdpDown { payload, rate: Bitrate(mbps * 1_000_000) }),
        (500..20_000usize, any::<bool>()).prop_map(|(write, nodelay)| Test::TcpUp { write, nodelay }),
        Just(Test::TcpDown),
    ]
}

/// Anything that a plan may ask for, small enough to run often.
pub fn scenario() -> impl Strategy<Value = Scenario> {
    let queues = (1..40u16, 1..40u16, 2..40u16, 1..40u16, 1..64u16);
    let air = (1..40usize, 0..3u8, 0..30u32, 0..8u8, 1..64u16);
    let path = (0..20u64, 1..60u16, 1..60u16, proptest::option::of(2..100u64));
    (test(), queues, air, path, any::<bool>(), any::<bool>(), 0..1_000u64).prop_map(
        |(test, queues, air, path, hosted, spins, seed)| {
            let mut scenario = Scenario::espressif(test);
            scenario.span = Duration::from_millis(150);
            scenario.seed = seed;
            if spins {
                scenario.on_error = OnError::Spin;
            }
            if let Some(personality) = &mut scenario.chain {
                let (host, slave) = (&mut personality.host, &mut personality.coprocessor);
                (host.tx_queue, host.rx_queue, slave.rx_buffers, slave.tx_buffers, personality.wifi_rx) = queues;
                personality.costs.shared_core = seed % 2 == 0;
            }
            if !hosted {
                scenario.chain = None;
            }
            scenario.cell.eifs = air.3 > 3;
            scenario.cell.stations[0].tx_buffers = air.0;
            for place in 0..air.1 {
                let mut other = StationConfig::usual(2 + place);
                let every = Duration::from_micros(700);
                other.traffic = Traffic::Poisson { to: StationId(1), mpdu: 1_000, every };
                scenario.cell.stations.push(other);
            }
            for station in &mut scenario.cell.stations[..2] {
                // A tenth of what is lost is missed, with all that is in a PPDU; of responses as much is lost as of MPDUs.
                let per = f64::from(air.2) / 100.0;
                station.errors.loss = Loss::Shares { miss: per / 10.0, damage: per * 0.9 };
                station.errors.response = Loss::Shares { miss: per / 2.0, damage: per / 2.0 };
                station.missing_block_ack = [MissingBlockAck::Resend, MissingBlockAck::Request][usize::from(air.3 % 2)];
            }
            scenario.path.rtt = Duration::from_millis(path.0);
            (scenario.path.queue, scenario.path.ap_queue) = (path.1, path.2);
            scenario.path.rate = Bitrate(path.3.unwrap_or(0) * 1_000_000);
            scenario
        },
    )
}
